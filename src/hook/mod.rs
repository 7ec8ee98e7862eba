//! The hook's front: one payload in, one answer out, then bookkeeping. Verdict first, closed on failure.

mod args;
mod change;
mod decide;
mod described;
mod explain;
#[cfg(debug_assertions)]
mod failpoint;
mod input;
mod observe;
mod place;
mod record;
mod run;
mod session_start;

pub use described::{Described, DescriptionError};
pub use explain::{Explanation, NotExplained, Question, explain};
pub(crate) use observe::Places;
pub use run::main;
