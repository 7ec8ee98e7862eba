//! What can go wrong with the trash.

use std::io;
use std::path::{Path, PathBuf};

use super::Refusal;
use crate::ledger::{IndexError, LedgerError};

/// Why something was not done. Whatever it is, what was to be moved is whole at one place.
#[derive(Debug, thiserror::Error)]
pub enum TrashError {
    /// It is refused.
    #[error("`{}` {}{}", shown.escape_debug(), refusal.text(), note(detail))]
    Refused {
        /// Why.
        refusal: Refusal,
        /// What it is about: a path or an id.
        shown: String,
        /// What more there is to say; may be empty.
        detail: String,
    },
    /// The system answered so.
    #[error("cannot {action} `{}`: {source}{}", path.display(), answer(*refusal))]
    Io {
        /// What the answer means.
        refusal: Refusal,
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The answer.
        source: io::Error,
    },
    /// The audit or the journal can't be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The index can't be read.
    #[error(transparent)]
    Index(#[from] IndexError),
}

fn note(detail: &str) -> String {
    if detail.is_empty() { String::new() } else { format!(" ({detail})") }
}

fn answer(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::FileBusy => "; a program has it, or something in it, open",
        _ => "",
    }
}

impl TrashError {
    pub(crate) fn refused(refusal: Refusal, about: &Path) -> Self {
        Self::Refused { refusal, shown: about.to_string_lossy().into_owned(), detail: String::new() }
    }

    /// The same with something more to say.
    pub(crate) fn because(refusal: Refusal, about: &Path, detail: impl Into<String>) -> Self {
        Self::Refused { refusal, shown: about.to_string_lossy().into_owned(), detail: detail.into() }
    }

    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused { refusal, .. } | Self::Io { refusal, .. } => refusal.code(),
            Self::Ledger(error) => error.code(),
            Self::Index(error) => error.code(),
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Refused { refusal, .. } | Self::Io { refusal, .. } => refusal.hint(),
            Self::Ledger(error) => error.hint(),
            Self::Index(error) => error.hint(),
        }
    }

    /// Why, where it is refused or the system's answer has a meaning of its own.
    pub fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Refused { refusal, .. } | Self::Io { refusal, .. } => Some(*refusal),
            Self::Ledger(_) | Self::Index(_) => None,
        }
    }
}

/// For `map_err`: what the system's answer to `action` on `path` means.
pub(crate) fn on<'a>(action: &'static str, path: &'a Path) -> impl Fn(io::Error) -> TrashError + use<'a> {
    move |source| {
        let refusal = Refusal::of(&source);
        if refusal.is_answer() {
            return TrashError::Io { refusal, action, path: path.to_owned(), source };
        }
        TrashError::refused(refusal, path)
    }
}
