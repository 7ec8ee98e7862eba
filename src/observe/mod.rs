//! Observation: what appears, vanishes or is replaced in the scan roots, and which call may have done it.
//!
//! Only names and what lstat says are read; no link is followed; nothing is ever changed or removed outside HOME.

mod attribute;
mod book;
mod calls;
mod diff;
mod facts;
mod folder;
mod late;
mod list;
mod look;
mod named;
mod observer;
mod pattern;
mod recognise;
mod roots;
mod state;
mod table;

pub use observer::{Ending, Observer, Over, Starting};
pub(crate) use recognise::{is_entry, signature_at};
pub use roots::{Root, Surroundings, roots};
