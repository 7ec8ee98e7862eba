//! The settings as the rest of the product takes them.

use std::fmt;

use crate::path::Model;

/// The settings that a decision needs, after every layer was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Whether the gate judges at all.
    pub gate: bool,
    /// Drive letters (`C`, upper case, alone) or mount points (`/`, normal).
    pub protect_drives: Vec<String>,
    /// How shell commands are judged.
    pub shell: ShellMode,
    /// What happens to a call that breaks the rules.
    pub action: Action,
    /// What happens when the hook itself fails.
    pub fail: Fail,
    /// Milliseconds after which the hook answers as failed; 50 to 60000.
    pub hook_deadline_ms: u32,
    /// Further folders in which the agent may create; absolute and normal.
    pub allow_roots: Vec<String>,
    /// Also judge changes and removals of what exists outside the allowed roots.
    pub protect_existing: bool,
    /// A session started in the home folder may create anywhere in it.
    pub allow_home_as_project: bool,
    /// What a proven creation counts as when its path can't be known.
    pub opaque: Choice,
    /// Package managers installing into their own trees.
    pub package_installs: Choice,
    /// Parent of the sessions' scratch folders, absolute and normal; `None`: HOME/scratch.
    pub scratch_root: Option<String>,
    /// Remove scratch folders that are older than `scratch_ttl_hours`, prove to be ours and have no live session.
    pub auto_clean_scratch: bool,
    /// Hours without an event after which a session's scratch counts as old; 1 to 87600.
    pub scratch_ttl_hours: u32,
    /// Point TEMP, TMP and TMPDIR of the agent's shell at HOME/cache/tmp.
    pub redirect_temp: bool,
    /// Tell the agent its scratch path at the start of a session.
    pub prompt: bool,
    /// Folders whose direct children are watched; empty: the built-in list.
    pub scan_roots: Vec<String>,
    /// How deep; 1 to 8.
    pub scan_depth: u32,
    /// Names, or absolute paths, that are not reported; `*` stands for any text.
    pub scan_ignore: Vec<String>,
    /// Entries of one watched folder; 100 to 2000000.
    pub scan_cap: u32,
    /// Look at the scan roots before and after calls.
    pub observe: bool,
    /// Hours after which a call that never ended counts as ended; 1 to 8760.
    pub call_ttl_hours: u32,
}

impl Policy {
    /// The defaults on a platform whose paths follow `model`.
    pub fn for_model(model: Model) -> Self {
        Self {
            gate: true,
            protect_drives: vec![match model {
                Model::Posix => "/".to_owned(),
                Model::Windows => "C".to_owned(),
            }],
            shell: ShellMode::Precise,
            action: Action::Deny,
            fail: Fail::Closed,
            hook_deadline_ms: 1000,
            allow_roots: Vec::new(),
            protect_existing: false,
            allow_home_as_project: false,
            opaque: Choice::Deny,
            package_installs: Choice::Ask,
            scratch_root: None,
            auto_clean_scratch: false,
            scratch_ttl_hours: 168,
            redirect_temp: true,
            prompt: true,
            scan_roots: Vec::new(),
            scan_depth: 1,
            scan_ignore: Vec::new(),
            scan_cap: 200_000,
            observe: true,
            call_ttl_hours: 24,
        }
    }
}

/// The defaults of this platform.
impl Default for Policy {
    fn default() -> Self {
        Self::for_model(Model::native())
    }
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
    /// Only for what touches the guard itself.
    Off,
}

/// What happens to a call that breaks the rules; the stricter is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// It runs, and the agent is told.
    Warn,
    /// The user is asked.
    Ask,
    /// It is refused.
    Deny,
}

/// What happens when the hook itself fails; the stricter is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fail {
    /// Calls pass.
    Open,
    /// Calls that write or run something are refused.
    Closed,
}

/// A three-way choice; the stricter is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    /// Passes.
    Allow,
    /// The user is asked.
    Ask,
    /// Refused.
    Deny,
}

/// The spelling of each variant in files, variables and output.
macro_rules! words {
    ($type:ident: $($variant:ident = $word:literal),+) => {
        impl $type {
            /// All spellings, for messages.
            pub const WORDS: &str = words!(@list $($word),+);

            /// The variant spelled `word`.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The spelling.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }
    };
    (@list $first:literal $(, $word:literal)*) => { concat!("\"", $first, "\"" $(, ", \"", $word, "\"")*) };
}

words!(ShellMode: Precise = "precise", Strict = "strict", StrictAndPrecise = "strict+precise", Off = "off");
words!(Action: Deny = "deny", Ask = "ask", Warn = "warn");
words!(Fail: Closed = "closed", Open = "open");
words!(Choice: Allow = "allow", Ask = "ask", Deny = "deny");
