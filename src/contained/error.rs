//! Why an operation below a root did not happen.

use std::io;
use std::path::PathBuf;

use crate::path::guard::{Fault, Refusal};
use crate::sys::leads_away;

/// Why an operation below a root did not happen.
#[derive(Debug, thiserror::Error)]
pub enum ContainedError {
    /// The path, or what stands at it, is refused.
    #[error("`{path}` is refused")]
    Refused {
        /// The path as it came, escaped.
        path: String,
        /// Why.
        source: Refusal,
    },
    /// The path is right, and the operation failed.
    #[error("`{path}`: {fault}")]
    Failed {
        /// The path, escaped.
        path: String,
        /// What failed.
        fault: Fault,
        /// What the system said.
        source: io::Error,
    },
    /// The root can't be opened; a link in its place is none.
    #[error("the root {path} can't be opened", path = path.display())]
    Root {
        /// The root.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl ContainedError {
    /// The stable code: a refusal's, a fault's, or `workspace_root_unusable`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused { source, .. } => source.code(),
            Self::Failed { fault, .. } => fault.code(),
            Self::Root { .. } => "workspace_root_unusable",
        }
    }

    pub(super) fn refused(path: &[u8], source: Refusal) -> Self {
        Self::Refused { path: path.escape_ascii().to_string(), source }
    }

    /// An error of the system, as a refusal where it says that the path led out.
    pub(super) fn from_io(path: &[u8], fault: Fault, source: io::Error) -> Self {
        if leads_away(&source) {
            return Self::refused(path, Refusal::EscapesViaLink);
        }
        match source.kind() {
            io::ErrorKind::NotFound if fault != Fault::WriteFailed => Self::failed(path, Fault::FileMissing, source),
            _ => Self::failed(path, fault, source),
        }
    }

    pub(super) fn failed(path: &[u8], fault: Fault, source: io::Error) -> Self {
        Self::Failed { path: path.escape_ascii().to_string(), fault, source }
    }
}
