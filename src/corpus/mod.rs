//! The escape corpus: paths that leave a workspace, or would be taken for something else, and what becomes of them.
//!
//! Anyone can hold an implementation of their own against it: see [`Runner`] and [`Subject`].

mod case;
mod reader;
mod report;
mod runner;
mod sweep;
#[cfg(test)]
mod tests;
mod text;
mod unguarded;

pub use case::{Case, Class, Outcome, VERSION, cases, classes};
pub use report::{CaseResult, NotTried, Report, Scenario, Verdict};
pub use runner::{Attempt, Runner, Subject};
pub use sweep::{Sweep, SweepError, sweep};
pub use unguarded::unguarded;
