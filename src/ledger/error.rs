//! What can go wrong with journal and audit.

use std::io;
use std::path::{Path, PathBuf};

/// Why a line can't be written or read.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`: {source}", path.display())]
pub struct LedgerError {
    /// What was tried.
    action: &'static str,
    /// On what.
    path: PathBuf,
    /// The system's answer.
    source: io::Error,
}

impl LedgerError {
    pub(crate) fn new(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self { action, path: path.to_owned(), source }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A stable code.
    pub fn code(&self) -> &'static str {
        "ledger_io"
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        "make the folder writable for this user, or set WSGUARD_HOME to one that is"
    }
}

/// For `map_err`: the same error with its action and path.
pub(crate) fn on<'a>(action: &'static str, path: &'a Path) -> impl Fn(io::Error) -> LedgerError + use<'a> {
    move |source| LedgerError::new(action, path, source)
}
