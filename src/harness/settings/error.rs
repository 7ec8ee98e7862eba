//! What can go wrong with a settings file. In every case the file is as it was.

use std::io;
use std::path::PathBuf;

use super::SyntaxError;

/// What can go wrong with a settings file. In every case the file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// Reading failed.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Writing the new file or its backup failed.
    #[error("cannot write {path}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder, a pipe or a device stands there.
    #[error("{path} is no regular file")]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The file is marked read-only.
    #[error("{path} is read-only")]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// More bytes than [`crate::limits::MAX_SETTINGS_BYTES`].
    #[error("{path} holds {bytes} bytes, more than the {limit} that are read")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: usize,
    },
    /// Not UTF-8.
    #[error("{path} is not UTF-8 text")]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// Not JSON.
    #[error("{path}, {source}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where and what.
        source: SyntaxError,
    },
    /// JSON of another shape than the harness documents.
    #[error("{path}: `{at}` is {found}, not {want}")]
    Shape {
        /// The file.
        path: PathBuf,
        /// The key, with dots.
        at: String,
        /// What stands there.
        found: &'static str,
        /// What should.
        want: &'static str,
    },
    /// A key that occurs twice: readers take one, and people see the other.
    #[error("{path}, line {line}: the key `{key}` occurs twice")]
    DuplicateKey {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// The second one's line.
        line: usize,
    },
    /// Another program keeps writing the file.
    #[error("{path} was changed by another program meanwhile")]
    Contended {
        /// The file.
        path: PathBuf,
    },
}

impl SettingsError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Read { .. } => "settings_read",
            Self::Write { .. } => "settings_write",
            Self::NotAFile { .. } => "settings_not_a_file",
            Self::ReadOnly { .. } => "settings_read_only",
            Self::TooLarge { .. } => "settings_too_large",
            Self::NotText { .. } => "settings_not_text",
            Self::Syntax { .. } => "settings_syntax",
            Self::Shape { .. } => "settings_shape",
            Self::DuplicateKey { .. } => "settings_duplicate_key",
            Self::Contended { .. } => "settings_contended",
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Read { .. } | Self::Write { .. } => "check the permissions of the file and of its folder",
            Self::NotAFile { .. } => "move it away, or name another file with --settings",
            Self::ReadOnly { .. } => "make it writable, or add the entry that --dry-run shows where the file is made",
            Self::TooLarge { .. } => "name another file with --settings",
            Self::NotText { .. } => "save it as UTF-8",
            Self::Syntax { .. } => "mend that line; nothing was changed",
            Self::Shape { .. } => "the client ignores such a file: mend that key; nothing was changed",
            Self::DuplicateKey { .. } => "merge the two into one; nothing was changed",
            Self::Contended { .. } => "close the program that writes it, then run the command again",
        }
    }

    /// Whether the fault is in what the file holds, not in reading or writing it.
    pub fn is_content(&self) -> bool {
        matches!(
            self,
            Self::TooLarge { .. }
                | Self::NotText { .. }
                | Self::Syntax { .. }
                | Self::Shape { .. }
                | Self::DuplicateKey { .. }
        )
    }
}
