//! A harness's settings file, edited so that everything that is not ours stays byte for byte as it was.

mod error;
mod file;
mod json_text;

pub use error::SettingsError;
pub use file::{FolderLock, SettingsFile, backups};
pub use json_text::{JsonText, Step, SyntaxError, get};
