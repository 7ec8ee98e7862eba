//! One file a harness: its JSON in, its JSON out, its registration; nothing else knows a harness.

pub mod claude;
pub mod command_line;
mod mcp;
pub mod program;
pub mod settings;
