//! The half of containment that no text can express: links, mounts, hard links and races, held by the kernel.
//!
//! Linux only so far: everything goes through `openat2` beneath a folder that was opened once, never check-then-open.

mod error;
mod read;
mod root;
#[cfg(test)]
mod tests;
mod write;

pub use error::ContainedError;
pub use root::Root;
