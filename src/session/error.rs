//! What can go wrong with a session's folder.

use std::io;
use std::path::PathBuf;

/// Why a session's scratch can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    /// The system refused.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A link stands in the folder's place.
    #[error("`{}` is a link, not a folder", path.display())]
    Link {
        /// The folder.
        path: PathBuf,
    },
    /// Something else stands in the folder's place.
    #[error("`{}` is not a folder", path.display())]
    NotAFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder or record names another session.
    #[error("`{}` belongs to another session (`{}`)", path.display(), other.escape_default())]
    Foreign {
        /// The file that says so.
        path: PathBuf,
        /// The other session.
        other: String,
    },
    /// The folder belongs to another user.
    #[error("`{}` belongs to another user", path.display())]
    OtherUser {
        /// The folder.
        path: PathBuf,
    },
    /// The file is no owner file.
    #[error("`{}` is damaged: {source}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where it stops being one.
        source: serde_json::Error,
    },
}

impl ScratchError {
    /// Whether a file is just not there.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "scratch_io",
            Self::Link { .. } => "scratch_link",
            Self::NotAFolder { .. } => "scratch_not_a_folder",
            Self::Foreign { .. } => "scratch_foreign",
            Self::OtherUser { .. } => "scratch_other_user",
            Self::Damaged { .. } => "scratch_damaged",
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "make the folder writable for this user, or set scratch_root to one that is",
            Self::Link { .. } | Self::NotAFolder { .. } => "look at what is there, move it away and try again",
            Self::Foreign { .. } => "move the folder away; a session never takes over another's",
            Self::OtherUser { .. } => "set WSGUARD_HOME or scratch_root to a folder of this user's own",
            Self::Damaged { .. } => "remove the file; the folder's contents are not touched by that",
        }
    }
}
