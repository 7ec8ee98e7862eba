//! [`ToolCall`] + [`crate::world::World`] + [`crate::config::Policy`] -> [`Verdict`].

mod call;
mod fence;
mod judge;
mod outcome;
mod place;
mod reason;
mod strict;
mod suggest;
#[cfg(test)]
mod tests;
mod verdict;

pub use call::{Tool, ToolCall};
pub use judge::{Foresight, Inputs, Judgement, foresee, judge, weigh};
pub use outcome::{Judged, Rule, Standing};
pub use place::{Place, ProjectRefusal, RootKind, refuse_project};
pub use verdict::Verdict;
