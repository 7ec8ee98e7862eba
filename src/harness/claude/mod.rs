//! Claude Code: measured on 2.1.332.

mod change;
pub mod places;
pub(crate) mod surroundings;
mod tool;

pub(crate) use change::disarms;
pub(crate) use tool::{READING, goes_on, tool_of};
