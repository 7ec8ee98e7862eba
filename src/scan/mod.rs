//! Looks at the disk on the operator's behalf: how much the entries of the index hold, and what happens on watched folders.

mod folder;
mod measure;
mod memo;
mod pool;
mod sizes;
#[cfg(test)]
mod tests;
mod watch;

pub use measure::{Measured, Progress, Want, measure};
pub use memo::{Memo, MemoError};
pub use sizes::{Scope, Summary, Told, scan};
pub use watch::{WatchError, Watched, watch};
