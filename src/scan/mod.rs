//! Looks at the disk on the operator's behalf: how much the entries of the index hold.

mod folder;
mod measure;
mod memo;
mod pool;
mod sizes;
#[cfg(test)]
mod tests;

pub use measure::{Measured, Progress, Want, measure};
pub use memo::{Memo, MemoError};
pub use sizes::{Scope, Summary, Told, scan};
