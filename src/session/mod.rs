//! Sessions: ids, scratch, owner file, temp redirect, prompt snippet.

pub mod clean;
mod error;
mod exports;
mod id;
mod measure;
mod owner;
mod prompt;
mod scratch;
pub mod temp;

pub use error::ScratchError;
pub use exports::{Shell, exports};
pub use id::SessionId;
pub use measure::{Size, measure};
pub use owner::{OWNER_FILE, Owner};
pub use prompt::{Snippet, snippet};
pub use scratch::{Scratch, SessionMeta};
