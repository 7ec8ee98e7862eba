//! Sessions: ids, scratch, owner file, temp redirect, prompt snippet.

mod error;
mod id;
mod owner;
mod prompt;
mod scratch;

pub use error::ScratchError;
pub use id::SessionId;
pub use owner::{OWNER_FILE, Owner};
pub use prompt::{Snippet, snippet};
pub use scratch::{Scratch, SessionMeta};
