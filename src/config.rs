//! Every setting, its default and its documentation, in one place.

/// The settings that a decision needs, after every layer was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Whether the gate judges at all.
    pub gate: bool,
    /// Drive letters (`C`) or mount points (`/`).
    pub protect_drives: Vec<String>,
    /// How shell commands are judged.
    pub shell: ShellMode,
    /// What happens to a call that breaks the rules.
    pub action: Action,
    /// What happens when the hook itself fails.
    pub fail: Fail,
    /// Milliseconds after which the hook answers as failed; 50 to 60000.
    pub hook_deadline_ms: u32,
    /// Further folders in which the agent may create.
    pub allow_roots: Vec<String>,
    /// Also judge changes and removals of what exists outside the allowed roots.
    pub protect_existing: bool,
    /// A session started in the home folder may create anywhere in it.
    pub allow_home_as_project: bool,
    /// Package managers installing into their own trees.
    pub package_installs: Choice,
    /// Parent of the sessions' scratch folders; `None`: HOME/scratch.
    pub scratch_root: Option<String>,
    /// Remove scratch folders that are older than `scratch_ttl_hours`, prove to be ours and have no live session.
    pub auto_clean_scratch: bool,
    /// Hours without an event after which a session's scratch counts as old; 1 to 87600.
    pub scratch_ttl_hours: u32,
    /// Point TEMP, TMP and TMPDIR of the agent's shell at HOME/cache/tmp.
    pub redirect_temp: bool,
    /// Tell the agent its scratch path at the start of a session.
    pub prompt: bool,
    /// Folders whose direct children the observer watches; empty: the built-in list.
    pub scan_roots: Vec<String>,
    /// How deep; 1 to 8.
    pub scan_depth: u32,
}

/// How shell commands are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellMode {
    /// By the role of each path in the parsed command.
    Precise,
    /// The published rule: any absolute path on a protected drive that is named and does not exist.
    Strict,
    /// Denied where either denies.
    StrictAndPrecise,
    /// Not at all.
    Off,
}

/// What happens to a call that breaks the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is refused.
    Deny,
    /// The user is asked.
    Ask,
    /// It runs, and the agent is told.
    Warn,
}

/// What happens when the hook itself fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fail {
    /// Calls that write or run something are refused.
    Closed,
    /// Calls pass.
    Open,
}

/// A three-way choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Passes.
    Allow,
    /// The user is asked.
    Ask,
    /// Refused.
    Deny,
}
