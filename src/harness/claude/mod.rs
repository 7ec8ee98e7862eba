//! Claude Code: measured on 2.1.332.

mod answer;
mod payload;
mod tool;

pub use answer::Answer;
pub use payload::{Event, Payload, PayloadError, scan_malformed};
pub use tool::{Access, access_of, tool_of};
