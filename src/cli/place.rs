//! HOME, configuration and session as a subcommand finds them.

use std::path::Path;

use super::config;
use super::failure::{Failure, Kind};
use crate::config::{Environment, Policy, load, process_env};
use crate::gate::refuse_project;
use crate::home::Home;
use crate::ledger::{GrantError, LedgerError};
use crate::path::Model;
use crate::session::clean::CleanError;
use crate::session::temp::TempError;
use crate::session::{Owner, Scratch, ScratchError, SessionId, SessionMeta};
use crate::world::RealWorld;

/// Variables by which an agent's shell is known, with the session's id where the value is one.
const AGENT_VARIABLES: [(&str, bool); 10] = [
    ("WSGUARD_SESSION", true),
    ("CLAUDE_CODE_SESSION_ID", true),
    ("CODEX_SESSION_ID", true),
    ("CLAUDECODE", false),
    ("CODEX_THREAD_ID", false),
    ("CODEX_TOOL_CALL_ID", false),
    ("GEMINI_CLI", false),
    ("QWEN_CODE", false),
    ("OPENCODE", false),
    ("CURSOR_AGENT", false),
];

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Whether this is an agent's shell.
pub(super) fn is_agents_shell() -> bool {
    AGENT_VARIABLES.iter().any(|(name, _)| std::env::var_os(name).is_some())
}

/// Refuses to go on in an agent's shell: some decisions are the operator's.
pub fn operator_only(command: &str) -> anyhow::Result<()> {
    let Some((name, _)) = AGENT_VARIABLES.iter().find(|(name, _)| std::env::var_os(name).is_some()) else {
        return Ok(());
    };
    let text = format!("`wsguard {command}` is for the operator, and {name} says that an agent runs it");
    let hint = format!("run it in a terminal of your own: wsguard {command} …");
    Err(Failure::msg(Kind::Denied, "operator_only", text).hint(hint).into())
}

/// HOME, the current folder and the policy that holds there.
pub(super) struct Place {
    pub(super) home: Home,
    pub(super) policy: Policy,
    /// The current folder.
    pub(super) cwd: String,
}

impl Place {
    /// Finds everything, or says what is wrong with it.
    pub(super) fn find() -> anyhow::Result<Self> {
        let home = config::home()?;
        let cwd = super::current_dir()?.into_os_string().into_string().map_err(|path| {
            Failure::msg(Kind::Data, "cwd_encoding", format!("the current folder {} is not UTF-8", path.display()))
        })?;
        let env = Environment { get: &process_env, overrides: true };
        let policy = load(&home, Some(Path::new(&cwd)), &env).map_err(config::failure)?;
        Ok(Self { home, policy, cwd })
    }

    /// The scratch of a session.
    pub(super) fn scratch(&self, session: &str) -> Scratch {
        Scratch::new(&self.home, self.policy.scratch_root.as_deref(), SessionId::new(session))
    }

    /// The session that is meant: the one that is named, else the one whose shell this is.
    pub(super) fn session(named: Option<&str>) -> Option<String> {
        let here = || AGENT_VARIABLES.iter().filter(|(_, is_id)| *is_id).find_map(|(name, _)| variable(name));
        named.map(str::to_owned).or_else(here)
    }

    /// Makes sure that a session's scratch exists; a new session belongs to the current folder.
    pub(super) fn ensure(&self, scratch: &Scratch) -> anyhow::Result<Owner> {
        let meta = SessionMeta { harness: "", cwd: &self.cwd, pid: None };
        Ok(scratch.ensure(&meta).map_err(Failure::from)?)
    }

    /// Whether starting in `project` makes it an allowed root.
    pub(super) fn is_project(&self, project: &str) -> bool {
        Model::native().is_absolute(project) && refuse_project(&RealWorld::default(), &self.policy, project).is_none()
    }
}

impl From<ScratchError> for Failure {
    fn from(error: ScratchError) -> Self {
        let kind = match &error {
            ScratchError::Io { .. } => Kind::Io,
            ScratchError::OtherUser { .. } => Kind::Denied,
            _ => Kind::Data,
        };
        let (code, hint) = (error.code(), error.hint());
        Self::new(kind, code, error).hint(hint)
    }
}

impl From<CleanError> for Failure {
    fn from(error: CleanError) -> Self {
        match error {
            CleanError::Scratch(error) => error.into(),
            other => {
                let (code, hint) = (other.code(), other.hint());
                Self::new(Kind::Denied, code, other).hint(hint)
            }
        }
    }
}

impl From<TempError> for Failure {
    fn from(error: TempError) -> Self {
        let kind = if matches!(error, TempError::Io { .. }) { Kind::Io } else { Kind::Config };
        let (code, hint) = (error.code(), error.hint());
        Self::new(kind, code, error).hint(hint)
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        let (code, hint) = (error.code(), error.hint());
        Self::new(Kind::Io, code, error).hint(hint)
    }
}

impl From<GrantError> for Failure {
    fn from(error: GrantError) -> Self {
        let kind = if matches!(error, GrantError::Io { .. }) { Kind::Io } else { Kind::Data };
        let (code, hint) = (error.code(), error.hint());
        Self::new(kind, code, error).hint(hint)
    }
}
