//! Which harness and which of its settings files a command is about.

use std::path::PathBuf;

use clap::ValueEnum;

use super::failure::{Failure, Kind};
use crate::harness::{Client, claude, codex};

/// The harnesses that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Harness {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
}

impl Harness {
    /// As the library knows it.
    pub const fn client(self) -> Client {
        match self {
            Self::ClaudeCode => Client::ClaudeCode,
            Self::Codex => Client::Codex,
        }
    }
}

/// Which settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// Yours, for every project.
    User,
    /// The current folder's, shared with everyone who works on it.
    Project,
}

/// Options of `install` and `uninstall`.
#[derive(Debug, clap::Args)]
pub struct TargetArgs {
    /// The program that runs the agent.
    pub harness: Harness,
    /// Which settings file: yours, or the one of the project in the current folder.
    #[arg(long, value_enum, default_value = "user")]
    pub scope: Scope,
    /// Another settings file.
    #[arg(long, value_name = "FILE", conflicts_with = "scope")]
    pub settings: Option<PathBuf>,
    /// Show what would change and write nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

impl TargetArgs {
    /// The settings file.
    pub fn settings_path(&self) -> anyhow::Result<PathBuf> {
        let cwd = super::current_dir()?;
        if let Some(path) = &self.settings {
            return Ok(cwd.join(path));
        }
        let (path, variable) = match self.harness {
            Harness::ClaudeCode => {
                use claude::places::{Place, Places};
                let place = if self.scope == Scope::User { Place::User } else { Place::Project };
                (Places::from_env(cwd).settings(place), "CLAUDE_CONFIG_DIR")
            }
            Harness::Codex => {
                use codex::places::{Place, Places};
                let place = if self.scope == Scope::User { Place::User } else { Place::Project };
                (Places::from_env(cwd).hooks(place), "CODEX_HOME")
            }
        };
        path.ok_or_else(|| {
            Failure::msg(Kind::Missing, "no_home", "there is no home folder to keep user settings in")
                .hint(format!("set HOME or {variable}, or name the file with --settings"))
                .into()
        })
    }
}
