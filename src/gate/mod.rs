//! [`ToolCall`] + [`crate::world::World`] + [`crate::config::Policy`] -> [`Verdict`].

mod call;
mod verdict;

pub use call::{Tool, ToolCall};
pub use verdict::Verdict;
