//! One folder a harness: its tools, its places; beside them what harnesses share. Nothing else knows a harness.

mod answer;
pub mod claude;
mod client;
pub mod codex;
pub mod command_line;
pub mod hooks;
mod mcp;
mod payload;
pub mod program;
pub mod settings;

pub use answer::Answer;
pub(crate) use client::registrations;
pub use client::{Access, Client};
pub use payload::{Event, Payload, PayloadError, scan_malformed};
