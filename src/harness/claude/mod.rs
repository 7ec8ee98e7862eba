//! Claude Code: measured on 2.1.332.

mod answer;
mod change;
pub mod entry;
pub mod install;
mod payload;
pub mod places;
pub mod register;
pub(crate) mod surroundings;
mod tool;

pub use answer::Answer;
pub(crate) use change::disarms;
pub use payload::{Event, Payload, PayloadError, scan_malformed};
pub use tool::{Access, access_of, goes_on, tool_of};
