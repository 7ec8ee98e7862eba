//! The hook's front: one payload in, one answer out, then bookkeeping. Verdict first, closed on failure.

mod args;
mod asked;
mod decide;
#[cfg(debug_assertions)]
mod failpoint;
mod input;
mod place;
mod record;
mod run;
mod session_start;

pub use run::main;
