//! The one table of settings: name, alias, type, default, what a project may do with it, documentation.
//!
//! The hook reads only the names, as one text; everything else is for the operator's commands and the
//! manual, and is not linked into the hook.

use super::policy::{Action, Choice, Fail, ShellMode};
use super::profile::PROFILES;
use super::value::expected;

/// The type and range of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// A boolean, `"on"`, `"off"`, or an action, which means on with that action.
    Gate,
    /// A [`super::ShellMode`].
    Shell,
    /// A [`super::Action`].
    Action,
    /// A [`super::Fail`].
    Fail,
    /// A [`super::Choice`].
    Choice,
    /// A whole number, both ends included.
    Int {
        /// Smallest.
        min: u32,
        /// Largest.
        max: u32,
    },
    /// A list of drive letters and mount points.
    Drives,
    /// A list of absolute folders.
    Folders,
    /// A list of patterns for names and paths.
    Patterns,
    /// One absolute folder.
    Folder,
    /// The name of a compiled-in profile.
    Profile,
}

/// What a setting is, for people.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Which.
    pub key: Key,
    /// The published plugin's spelling, where it has one that differs.
    pub alias: Option<&'static str>,
    /// The default as TOML text, or words in parentheses where TOML has no spelling for it.
    pub default: &'static str,
    /// What `.wsguard.toml` may do with it.
    pub project: &'static str,
    /// What it does: one sentence or more.
    pub doc: &'static str,
}

impl Setting {
    /// What its values are, for people.
    pub fn takes(&self) -> String {
        match self.key.kind() {
            Kind::Shell => ShellMode::WORDS.to_owned(),
            Kind::Action => Action::WORDS.to_owned(),
            Kind::Fail => Fail::WORDS.to_owned(),
            Kind::Choice => Choice::WORDS.to_owned(),
            Kind::Profile => format!("\"{}\"", PROFILES.join("\", \"")),
            Kind::Int { min, max } => format!("a whole number from {min} to {max}"),
            kind => expected(kind).to_owned(),
        }
    }
}

macro_rules! settings {
    ($($variant:ident = $name:literal $(or $alias:literal)?, $kind:expr, $default:literal, $project:literal, $doc:literal;)+) => {
        /// A setting.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Key {
            $(#[doc = $doc] $variant),+
        }

        /// One line a setting: its name, then a space, then its alias or nothing.
        const NAMES: &str = concat!($($name, " ", $($alias,)? "\n"),+);

        const ALL: &[Key] = &[$(Key::$variant),+];

        impl Key {
            /// The type of its value.
            pub const fn kind(self) -> Kind {
                match self {
                    $(Self::$variant => $kind),+
                }
            }
        }

        /// Every setting, in the order of the manual.
        pub static SETTINGS: &[Setting] = &[
            $(Setting {
                key: Key::$variant,
                alias: { let alias: &[&str] = &[$($alias)?]; if alias.is_empty() { None } else { Some(alias[0]) } },
                default: $default,
                project: $project,
                doc: $doc,
            }),+
        ];
    };
}

settings! {
    Profile = "profile", Kind::Profile, r#""default""#,
        "applied like the project's own keys: only what tightens",
        "A compiled-in set of values that lies below the keys of the same file: `default`, `strict`, `dsh` \
         (the published plugin's rules) or `ci`.";
    Gate = "gate", Kind::Gate, "true",
        "only `true`",
        "Whether tool calls are judged at all. `\"on\"` and `\"off\"` are accepted for `true` and `false`; \
         `\"deny\"`, `\"ask\"` and `\"warn\"` turn the gate on and set `action` too.";
    ProtectDrives = "protect_drives" or "protectDrives", Kind::Drives, r#"["/"]; Windows: ["C"]"#,
        "only added to",
        "Drives on which nothing may be created outside the allowed roots: Windows drive letters (`C`, `C:` and `C:\\` \
         are the same) and POSIX mount points. Each platform uses the entries that mean something to it.";
    Shell = "shell", Kind::Shell, r#""precise""#,
        "only stricter; `\"strict\"` over `\"precise\"` becomes `\"strict+precise\"`",
        "How shell commands are judged: `precise` by the role of each path in the parsed command, `strict` by the \
         published rule (any absolute path on a protected drive that is named and does not exist), `strict+precise` \
         where either denies, `off` only where it touches the guard itself.";
    Action = "action", Kind::Action, r#""deny""#,
        "only stricter (`warn`, `ask`, `deny`)",
        "What happens to a call that breaks the rules: it is refused, the user is asked, or it runs and the agent is told.";
    Fail = "fail", Kind::Fail, r#""closed""#,
        "only `\"closed\"`",
        "What happens when the hook itself fails: `closed` refuses calls that write or run something, `open` lets them \
         pass. `open` can't help a configuration that can't be read: that always counts as closed.";
    HookDeadlineMs = "hook_deadline_ms", Kind::Int { min: 50, max: 60_000 }, "1000",
        "ignored",
        "Milliseconds after which the hook answers as failed; 50 to 60000.";
    AllowRoots = "allow_roots" or "allowRoots", Kind::Folders, "[]",
        "only fewer: what both lists cover",
        "Further folders in which the agent may create. Absolute, or starting with `~/` or `$HOME/`.";
    ProtectExisting = "protect_existing", Kind::Bool, "false",
        "only `true`",
        "Also deny proven changes and removals of what exists outside the allowed roots, and of anything in a \
         repository's `.git` by other programs than git.";
    AllowHomeAsProject = "allow_home_as_project", Kind::Bool, "false",
        "only `false`",
        "A session that was started in the home folder itself may create anywhere in it.";
    Opaque = "opaque", Kind::Choice, r#""deny""#,
        "only stricter (`allow`, `ask`, `deny`)",
        "What a proven creation counts as when its path can't be known before it runs.";
    PackageInstalls = "package_installs", Kind::Choice, r#""ask""#,
        "only stricter (`allow`, `ask`, `deny`)",
        "Package managers that install into trees of their own outside the session's folders (`pip install x`, `npm i -g x`). \
         What goes into the project (`npm install`, a virtual environment in it) passes, and with a place named \
         (`--target`, `--prefix`) they are judged like any other creation.";
    ScratchRoot = "scratch_root" or "scratchRoot", Kind::Folder, "(HOME/scratch)",
        "ignored",
        "Parent of the sessions' scratch folders. Absolute, or starting with `~/` or `$HOME/`.";
    AutoCleanScratch = "auto_clean_scratch" or "autoCleanScratch", Kind::Bool, "false",
        "only `false`",
        "Remove scratch folders that are older than `scratch_ttl_hours`, prove to be ours and have no live session. \
         Off: they are only reported.";
    ScratchTtlHours = "scratch_ttl_hours" or "scratchTtlHours", Kind::Int { min: 1, max: 87_600 }, "168",
        "only longer",
        "Hours without an event after which a session's scratch counts as old; 1 to 87600. The default is a week: \
         sessions are resumed days later, and their scratch must still be there.";
    RedirectTemp = "redirect_temp", Kind::Bool, "true",
        "only `true`",
        "Point TEMP, TMP and TMPDIR of the agent's shell at HOME/cache/tmp.";
    Prompt = "prompt", Kind::Bool, "true",
        "only `true`",
        "Tell the agent its scratch path at the start of a session.";
    ScanRoots = "scan_roots" or "scanRoots", Kind::Folders, "[]",
        "ignored",
        "Folders whose direct children are watched: what appears, vanishes or is replaced there goes to the journal, with the \
         calls that may have done it. Empty: the built-in list: each protected drive's top level, the home folder, \
         `/opt`, `/srv`, `/usr/local`, `/var/tmp`, the scratch root, and the known agents' temporary folders in the temp \
         folders and in the project.";
    ScanDepth = "scan_depth" or "scanDepth", Kind::Int { min: 1, max: 8 }, "1",
        "ignored",
        "How many levels below a scan root are watched; 1 to 8. Each watched folder is looked at twice a call.";
    ScanIgnore = "scan_ignore" or "scanIgnore", Kind::Patterns, "[]",
        "ignored",
        "What is not reported, beside a built-in list of files that programs rewrite by themselves (`.bash_history`): names, \
         or absolute paths where there is a separator in it; `*` stands for any text.";
    ScanCap = "scan_cap" or "scanCap", Kind::Int { min: 100, max: 2_000_000 }, "200000",
        "ignored",
        "Entries of one watched folder; one that has more is not watched, and the journal says so; 100 to 2000000.";
    Observe = "observe", Kind::Bool, "true",
        "only `true`",
        "Whether the scan roots are looked at before and after each call, so that what appears is attributed to a call. A look \
         reads names and times alone, and asks of each folder that did not change only when it did. Without it `wsguard scan` \
         and `watch` still find what is there, though not who made it.";
    CallTtlHours = "call_ttl_hours" or "callTtlHours", Kind::Int { min: 1, max: 8760 }, "24",
        "ignored",
        "Hours after which a call that never ended counts as ended; 1 to 8760.";
}

impl Key {
    /// Every setting, in the order of the manual.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().copied()
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        // Searched instead of looked up: an array of names would be relocated at every start of the hook.
        Self::names().nth(self as usize).map_or("", |(name, _)| name)
    }

    /// Every name with its setting.
    pub(super) fn names() -> impl Iterator<Item = (&'static str, Self)> {
        NAMES.split('\n').zip(ALL).map(|(line, key)| (line.split_once(' ').map_or(line, |(name, _)| name), *key))
    }

    /// Its name in the environment.
    pub fn env_name(self) -> String {
        let mut name = String::new();
        push_env_name(self.name(), &mut name);
        name
    }

    /// The setting that files spell `name`, by its own name or the published plugin's.
    pub fn find(name: &str) -> Option<Self> {
        if name.is_empty() || name.contains([' ', '\n']) {
            return None;
        }
        let line = NAMES.split('\n').position(|line| line.split(' ').any(|n| n == name))?;
        ALL.get(line).copied()
    }

    /// Names and aliases with their settings.
    pub(super) fn spellings() -> impl Iterator<Item = (&'static str, Self)> {
        NAMES
            .split('\n')
            .zip(ALL)
            .flat_map(|(line, key)| line.split(' ').filter(|n| !n.is_empty()).map(move |n| (n, *key)))
    }
}

/// Appends the variable of the setting called `name`.
pub(super) fn push_env_name(name: &str, out: &mut String) {
    out.push_str("WSGUARD_");
    out.push_str(name);
    out.make_ascii_uppercase();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_finds_its_setting() {
        assert_eq!(SETTINGS.len(), ALL.len());
        for (setting, key) in SETTINGS.iter().zip(Key::all()) {
            assert_eq!(setting.key, key);
            assert_eq!(Key::find(key.name()), Some(key), "{key:?}");
            if let Some(alias) = setting.alias {
                assert_eq!(Key::find(alias), Some(key), "{alias}");
            }
            assert_eq!(key.env_name(), format!("WSGUARD_{}", key.name().to_ascii_uppercase()));
        }
        for none in ["", " ", "\n", "gate ", "gate gate", "GATE", "protect_drives protectDrives", "protect-drives"] {
            assert_eq!(Key::find(none), None, "{none:?}");
        }
    }

    #[test]
    fn published_names_are_known() {
        for name in [
            "gate",
            "protectDrives",
            "scratchRoot",
            "autoCleanScratch",
            "scratchTtlHours",
            "scanRoots",
            "scanDepth",
            "allowRoots",
        ] {
            assert!(Key::find(name).is_some(), "{name}");
        }
    }
}
