//! Where Claude Code keeps its settings (measured on 2.1.332).

use std::path::PathBuf;

use crate::harness::program::client_folder;

/// Name of the user's and of the project's settings file.
pub(crate) const SETTINGS: &str = "settings.json";

/// Name of the settings file that is not shared.
pub(crate) const LOCAL_SETTINGS: &str = "settings.local.json";

/// The administrator's settings.
pub(crate) const MANAGED_SETTINGS: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else if cfg!(windows) {
    r"C:\Program Files\ClaudeCode\managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

/// A place that Claude Code reads hooks from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The administrator's settings.
    Managed,
    /// The user's, for every project.
    User,
    /// The project's, shared with everyone who works on it.
    Project,
    /// The project's, for this user alone.
    Local,
}

impl Place {
    /// All, in the order in which people look for them.
    pub const ALL: [Self; 4] = [Self::Managed, Self::User, Self::Project, Self::Local];

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

/// The folders that decide where the settings are.
#[derive(Clone, Debug)]
pub struct Places {
    /// `$CLAUDE_CONFIG_DIR`, else `~/.claude`; `None` where there is no home folder.
    pub config_dir: Option<PathBuf>,
    /// The folder that Claude Code is started in.
    pub project: PathBuf,
}

impl Places {
    /// As Claude Code would find them when started in `project` with this process's environment.
    pub fn from_env(project: PathBuf) -> Self {
        Self { config_dir: client_folder(&project, "CLAUDE_CONFIG_DIR", ".claude"), project }
    }

    /// The settings file of `place`.
    pub fn settings(&self, place: Place) -> Option<PathBuf> {
        match place {
            Place::Managed => Some(PathBuf::from(MANAGED_SETTINGS)),
            Place::User => Some(self.config_dir.as_ref()?.join(SETTINGS)),
            Place::Project => Some(self.project.join(".claude").join(SETTINGS)),
            Place::Local => Some(self.project.join(".claude").join(LOCAL_SETTINGS)),
        }
    }
}
