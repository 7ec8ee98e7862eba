//! The half of containment that no text can express: links, mounts, hard links, colliding names and races.
//!
//! Everything goes from a folder that was opened once, by the kernel's own walk beneath it (`openat2`) or name by name
//! from open folder to open folder; never check-then-open. What differs between systems is in `sys::Folder`. See
//! `docs/CONTAINED.md`.

mod error;
mod list;
mod read;
mod root;
mod siblings;
mod temporary;
#[cfg(test)]
mod tests;
#[cfg(any(test, feature = "self-check"))]
mod twin;
mod walk;
mod write;

pub use error::ContainedError;
pub use list::{Entry, Listing};
pub use root::{Root, Way};
