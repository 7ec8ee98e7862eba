//! A tool call, whatever harness it came from.

use crate::shell::{Dialect, programs::Language};

/// One thing that the agent asks the harness to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The harness's short name (`claude-code`).
    pub harness: &'static str,
    /// The session id as the harness spells it.
    pub session: String,
    /// The call id, where the harness gives one.
    pub call: Option<String>,
    /// The folder that relative paths start from; absolute.
    pub cwd: String,
    /// What is asked.
    pub tool: Tool,
    /// Paths that the harness itself would write in place of running the tool: it takes patches out of commands.
    pub writes: Vec<String>,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// A command for a shell.
    Shell {
        /// Its language.
        dialect: Dialect,
        /// The command.
        command: String,
        /// The folder it starts in, where the call names one.
        workdir: Option<String>,
    },
    /// Files are written.
    Write {
        /// Their paths.
        paths: Vec<String>,
        /// Whether the tool is known to write; of one that only may, paths that exist pass.
        known: bool,
    },
    /// A program text is run.
    Code {
        /// Its language.
        language: Language,
        /// The text.
        source: String,
    },
    /// Something is only read.
    Read {
        /// The paths, where they are named.
        paths: Vec<String>,
    },
    /// Nothing that concerns the disk, as far as is known.
    Other,
}
