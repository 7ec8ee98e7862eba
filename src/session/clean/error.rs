//! Why a folder was not removed.

use std::path::PathBuf;

use super::Keep;
use crate::session::ScratchError;

/// Why a folder was not removed.
#[derive(Debug, thiserror::Error)]
pub enum CleanError {
    /// It does not prove to be ours.
    #[error("`{}` does not prove to be a scratch folder of ours", path.display())]
    NotOurs {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        keep: Keep,
    },
    /// Its session lives.
    #[error("the session of `{}` is live", path.display())]
    Live {
        /// The folder.
        path: PathBuf,
    },
    /// Something else is mounted in it.
    #[error("something is mounted in `{}`", path.display())]
    Mount {
        /// The folder.
        path: PathBuf,
    },
    /// It holds more than is removed here, or what can't be looked at.
    #[error("`{}` is too large to be removed in passing, or not all of it can be read", path.display())]
    Unmeasured {
        /// The folder.
        path: PathBuf,
    },
    /// The system refused.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
}

impl CleanError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotOurs { .. } => "clean_not_ours",
            Self::Live { .. } => "clean_live",
            Self::Mount { .. } => "clean_mount",
            Self::Unmeasured { .. } => "clean_unmeasured",
            Self::Scratch(e) => e.code(),
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotOurs { .. } => "look at it and remove it by hand",
            Self::Live { .. } => "end the session first",
            Self::Mount { .. } => "unmount it first",
            Self::Unmeasured { .. } => "run `wsguard session --clean`, or remove it by hand",
            Self::Scratch(e) => e.hint(),
        }
    }
}
