//! HOME: the folder that holds everything this product keeps (DESIGN, section 2).

use std::path::{Path, PathBuf};

/// The name of the trash folder at the top of each volume.
pub(crate) const TRASH: &str = "_dsh-trash";

/// The product's own folder: `$WSGUARD_HOME`, else `$DSH_HOME`, else `~/.wsguard`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    path: PathBuf,
}

impl Home {
    /// Finds HOME from the environment. `None` where nothing names one (no home folder, or a relative path
    /// in the variables: it would mean another folder at every call).
    pub fn from_env() -> Option<Self> {
        for name in ["WSGUARD_HOME", "DSH_HOME"] {
            if let Some(value) = std::env::var_os(name).filter(|v| !v.is_empty()) {
                let path = PathBuf::from(value);
                return path.is_absolute().then_some(Self { path });
            }
        }
        let home = std::env::home_dir().filter(|h| h.is_absolute())?;
        Some(Self { path: home.join(".wsguard") })
    }

    /// HOME at a given place.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `config.toml`.
    pub fn config(&self) -> PathBuf {
        self.path.join("config.toml")
    }

    /// The default parent of the sessions' scratch folders.
    pub fn scratch(&self) -> PathBuf {
        self.path.join("scratch")
    }

    /// Where TEMP, TMP and TMPDIR point.
    pub fn temp(&self) -> PathBuf {
        self.path.join("cache").join("tmp")
    }

    /// Journal, index, audit, grants and their locks.
    pub fn ledger(&self) -> PathBuf {
        self.path.join("workspace-mgr")
    }

    /// Trash items of volumes at whose top no trash folder can be made.
    pub fn trash(&self) -> PathBuf {
        self.path.join("trash")
    }

    /// Contained workspaces.
    pub fn workspaces(&self) -> PathBuf {
        self.path.join("workspaces")
    }
}
