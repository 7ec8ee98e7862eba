//! The clients that are known, and what differs between them at a call.

use serde_json::value::RawValue;

use super::{claude, codex};
use crate::gate::Tool;
use crate::world::World;

/// A client that starts the hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Client {
    /// Claude Code.
    #[default]
    ClaudeCode,
    /// Codex CLI.
    Codex,
}

/// Whether a tool could write or run something, told from its name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It only reads, or has nothing to do with the disk.
    Reads,
    /// It writes, runs something, or is not known.
    Writes,
}

impl Client {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    /// Its name in records and on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
        }
    }

    /// The client of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|client| client.name() == name)
    }

    /// Tells from a tool's name whether it could write.
    pub fn access_of(self, tool: &str) -> Access {
        let reading = match self {
            Self::ClaudeCode => claude::READING,
            Self::Codex => codex::READING,
        };
        if reading.contains(&tool) { Access::Reads } else { Access::Writes }
    }

    /// What a call asks for.
    ///
    /// # Errors
    /// Where the input of a tool that writes or runs something does not have the form that it must have.
    pub fn tool_of(self, name: &str, input: Option<&RawValue>) -> Result<Tool, serde_json::Error> {
        match self {
            Self::ClaudeCode => claude::tool_of(name, input),
            Self::Codex => codex::tool_of(name, input),
        }
    }

    /// Paths that the client itself would write in place of running `tool`.
    ///
    /// # Errors
    /// Where they are too many to look at.
    pub fn writes_besides(self, tool: &Tool) -> Result<Vec<String>, serde_json::Error> {
        match (self, tool) {
            (Self::Codex, Tool::Shell { command, workdir, .. }) => codex::taken_out(command, workdir.as_deref()),
            _ => Ok(Vec::new()),
        }
    }

    /// Whether a call says that what it starts goes on after its end.
    pub fn goes_on(self, name: &str, input: Option<&RawValue>) -> bool {
        // Codex says so nowhere: its call ends when the program does.
        self == Self::ClaudeCode && claude::goes_on(name, input)
    }

    /// The folder that the client was started in, where its environment says so.
    pub(crate) fn project(self, world: &dyn World) -> Option<String> {
        match self {
            Self::ClaudeCode => claude::surroundings::project(world),
            // One that was started from Claude Code's shell has that one's variables.
            Self::Codex => None,
        }
    }

    /// Where the client keeps its state, in which its tools may write.
    pub(crate) fn state(self, world: &dyn World) -> Option<String> {
        match self {
            Self::ClaudeCode => claude::surroundings::state(world),
            Self::Codex => codex::surroundings::state(world),
        }
    }

    /// Variables that the agent's shell has from the client's own settings, and the hook has not.
    pub(crate) fn shell_variables(self, world: &dyn World, project: &str) -> Vec<(String, String)> {
        match self {
            // Its settings reach the hook as well.
            Self::ClaudeCode => Vec::new(),
            Self::Codex => codex::surroundings::shell_variables(world, project),
        }
    }

    /// Whether the user can be asked in the middle of a call; where not, such a call is refused.
    pub const fn can_ask(self) -> bool {
        matches!(self, Self::ClaudeCode)
    }
}

/// Every file that decides whether a client of any kind runs the hook: a session of one must not unhook the others.
pub(crate) fn registrations(world: &dyn World, project: &str) -> Vec<String> {
    let mut files = claude::surroundings::registrations(world, project);
    files.extend(codex::surroundings::registrations(world, project));
    files
}
