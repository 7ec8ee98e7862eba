//! Where Codex keeps its hooks (measured on 0.171.0).

use std::path::PathBuf;

use crate::harness::program::client_folder;

/// Name of the file of hooks, the user's and the project's.
pub(crate) const HOOKS: &str = "hooks.json";

/// Name of the settings beside it, which may hold hooks too, and hold what the user trusts.
pub(crate) const CONFIG: &str = "config.toml";

/// The administrator's files.
pub(crate) const MANAGED: &[&str] =
    if cfg!(windows) { &[] } else { &["/etc/codex/config.toml", "/etc/codex/requirements.toml"] };

/// A place that Codex reads hooks from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The user's, for every project.
    User,
    /// The project's; read only where the user trusts the project.
    Project,
}

impl Place {
    /// All, in the order in which people look for them.
    pub const ALL: [Self; 2] = [Self::User, Self::Project];

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// The folders that decide where the hooks are.
#[derive(Clone, Debug)]
pub struct Places {
    /// `$CODEX_HOME`, else `~/.codex`; `None` where there is no home folder.
    pub config_dir: Option<PathBuf>,
    /// The folder that Codex is started in.
    pub project: PathBuf,
}

impl Places {
    /// As Codex would find them when started in `project` with this process's environment.
    pub fn from_env(project: PathBuf) -> Self {
        Self { config_dir: client_folder(&project, "CODEX_HOME", ".codex"), project }
    }

    /// The file of hooks of `place`.
    pub fn hooks(&self, place: Place) -> Option<PathBuf> {
        Some(self.folder(place)?.join(HOOKS))
    }

    /// The settings of `place`, which may hold hooks as well.
    pub fn config(&self, place: Place) -> Option<PathBuf> {
        Some(self.folder(place)?.join(CONFIG))
    }

    fn folder(&self, place: Place) -> Option<PathBuf> {
        match place {
            Place::User => self.config_dir.clone(),
            Place::Project => Some(self.project.join(".codex")),
        }
    }
}
