//! The trash: entries of the index are renamed into a folder at the top of their volume, and back, and removed for good
//! only when that is asked for. See `docs/TRASH.md`.

mod around;
mod copy;
mod error;
mod item;
mod manifest;
mod name;
mod owner;
mod place;
mod plan;
mod protected;
mod purge;
mod record;
mod recover;
mod recycle;
mod refusal;
mod remove;
mod repository;
mod restore;
mod tool;
mod tree;
mod way;

pub use around::Around;
pub use error::TrashError;
pub use item::{Item, Stage};
pub use manifest::Manifest;
pub use plan::Plan;
pub use purge::Purged;
pub use recover::{Act, Recovered, Result as Outcome};
pub use recycle::Recycled;
pub use refusal::Refusal;
pub use restore::Restored;
pub use tool::{Listed, Trash};
