//! Whether Codex runs a hook: each must be trusted by the user, as it is, or it is silently off.
//!
//! What is trusted stands in `$CODEX_HOME/config.toml`, below `hooks.state."FILE:EVENT:GROUP:INDEX"`: the hash of the entry
//! as Codex reads it. The hash is computed here the same way (measured on 0.171.0), so that the state can be told without
//! starting the client; its own word counts more where it can be had.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::app_server::ListedHook;
use super::places::{Place, Places};
use crate::harness::hooks::entry::Entry;
use crate::harness::settings::{SettingsError, SettingsFile};

/// How an entry stands with the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// It runs.
    Trusted,
    /// The user has not said that it may run.
    Untrusted,
    /// It was changed after the user had trusted it.
    Modified,
    /// The user switched it off.
    Off,
}

impl Trust {
    /// A word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Untrusted => "not trusted",
            Self::Modified => "changed since it was trusted",
            Self::Off => "switched off",
        }
    }

    /// As the client itself says.
    pub fn listed(hook: &ListedHook) -> Self {
        match hook.trust_status.as_str() {
            _ if !hook.enabled => Self::Off,
            "trusted" | "managed" => Self::Trusted,
            "modified" => Self::Modified,
            _ => Self::Untrusted,
        }
    }
}

/// Why the client's settings can't be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file itself.
    #[error(transparent)]
    File(#[from] SettingsError),
    /// It is no TOML.
    #[error("{} is not valid: {source}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Why.
        source: toml::de::Error,
    },
}

/// The user's settings of the client, as far as they decide which hooks run.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    config: toml::Table,
}

impl Recorded {
    /// Reads the user's settings; none is empty ones.
    pub fn read(places: &Places) -> Result<Self, RecordError> {
        let config = places.config(Place::User).map(|path| table(&path)).transpose()?.flatten();
        Ok(Self { config: config.unwrap_or_default() })
    }

    /// How the entry `entry` of the event `event` in `file` stands.
    pub fn of(&self, file: &Path, event: &str, entry: &Entry) -> Trust {
        // The client follows links in the name of its own folder.
        let real = crate::sys::real_path(file).ok();
        let at = |file: &Path| self.at(&["hooks", "state", &key(file, event, entry)]);
        let Some(state) = at(file).or_else(|| at(real.as_deref()?)) else { return Trust::Untrusted };
        if state.get("enabled").and_then(toml::Value::as_bool) == Some(false) {
            return Trust::Off;
        }
        match state.get("trusted_hash").and_then(toml::Value::as_str) {
            None => Trust::Untrusted,
            Some(trusted) if trusted == hash(event, entry) => Trust::Trusted,
            Some(_) => Trust::Modified,
        }
    }

    /// Whether hooks are switched off altogether.
    pub fn hooks_off(&self) -> bool {
        self.at(&["features", "hooks"]).and_then(toml::Value::as_bool) == Some(false)
    }

    /// Whether the user trusts the project in `folder`, without which its own hooks are not read.
    pub fn trusts_project(&self, folder: &Path) -> bool {
        let level = |folder: &Path| self.at(&["projects", &folder.to_string_lossy(), "trust_level"]);
        let real = crate::sys::real_path(folder).ok();
        let found = level(folder).or_else(|| level(real.as_deref()?));
        found.and_then(toml::Value::as_str) == Some("trusted")
    }

    fn at(&self, keys: &[&str]) -> Option<&toml::Value> {
        let (first, rest) = keys.split_first()?;
        rest.iter().try_fold(self.config.get(*first)?, |value, key| value.get(*key))
    }
}

/// A settings file of the client as data; `None`: there is none.
pub fn table(path: &Path) -> Result<Option<toml::Table>, RecordError> {
    let file = SettingsFile::read(path)?;
    let parsed = file.exists().then(|| file.text().parse::<toml::Table>()).transpose();
    parsed.map_err(|source| RecordError::Syntax { path: path.to_owned(), source })
}

/// The client's name for an entry.
pub fn key(file: &Path, event: &str, entry: &Entry) -> String {
    format!("{}:{}:{}:{}", file.display(), snake(event), entry.group, entry.index)
}

/// `PreToolUse` -> `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut name = String::with_capacity(event.len() + 4);
    for c in event.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

/// Seconds as the client reads them: it has little time when a session ends.
fn timeout(event: &str, entry: &Entry) -> u64 {
    let named = entry.value.get("timeout").and_then(Value::as_u64);
    match event {
        "SessionEnd" => named.unwrap_or(1).clamp(1, 3),
        _ => named.unwrap_or(600).max(1),
    }
}

/// SHA-256 of the entry as compact JSON with sorted keys.
fn hash(event: &str, entry: &Entry) -> String {
    let value = |key: &str| entry.value.get(key);
    let mut hook = json!({
        "type": "command",
        "command": value("command"),
        "timeout": timeout(event, entry),
        "async": value("async").and_then(Value::as_bool).unwrap_or(false),
    });
    if let Some(status) = value("statusMessage").filter(|status| !status.is_null()) {
        hook["statusMessage"] = status.clone();
    }
    let mut group = json!({"event_name": snake(event), "hooks": [hook]});
    if let Some(matcher) = &entry.matcher {
        group["matcher"] = json!(matcher);
    }
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(group.to_string().as_bytes()) {
        // Writing to a String does not fail.
        let _infallible = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::path::Path;

    use serde_json::{Value, json};

    use super::{Recorded, Trust, hash, key, timeout};
    use crate::harness::hooks::entry::{Entry, entries};

    const LINE: &str = "/opt/x/wsguard-hook --harness codex";
    /// What Codex 0.171.0 says of the two entries below.
    const OF_STOP: &str = "sha256:625f128c86c56fdc88694fd8a3b48afe8877f23e1e01b5f6ef94f654ab57d834";
    const OF_PRE: &str = "sha256:e1279543aa8eb10e3776b767ee6de161766c74132899615513cc0b97290f14a7";

    fn entry(event: &str) -> Entry {
        let closing = format!("{LINE} || {{ echo 'wsguard: the guard failed, the call is refused' >&2; exit 2; }}");
        let settings = json!({"hooks": {
            "PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": closing, "timeout": 10}]}],
            "Stop": [{"hooks": [{"type": "command", "command": LINE, "timeout": 10}]}],
        }});
        entries(&settings, event).remove(0)
    }

    #[test]
    fn the_hash_is_the_clients() {
        assert_eq!(hash("Stop", &entry("Stop")), OF_STOP);
        assert_eq!(hash("PreToolUse", &entry("PreToolUse")), OF_PRE);
        let at = |event: &str, seconds: Value| {
            let settings = json!({"hooks": {event: [{"hooks": [{"type": "command", "timeout": seconds}]}]}});
            timeout(event, &entries(&settings, event)[0])
        };
        for (event, seconds, want) in [("SessionEnd", 10, 3), ("SessionEnd", 0, 1), ("Stop", 10, 10), ("Stop", 0, 1)] {
            assert_eq!(at(event, json!(seconds)), want, "{event} {seconds}");
        }
        assert_eq!((at("SessionEnd", Value::Null), at("Stop", Value::Null)), (1, 600));
    }

    #[test]
    fn what_is_recorded() {
        let file = Path::new("/h/.codex/hooks.json");
        assert_eq!(key(file, "PreToolUse", &entry("PreToolUse")), "/h/.codex/hooks.json:pre_tool_use:0:0");
        let check = |config: &str, want: Trust| {
            let config = config.parse::<toml::Table>().unwrap();
            let recorded = Recorded { config };
            assert_eq!(recorded.of(file, "Stop", &entry("Stop")), want, "{recorded:?}");
        };
        let state = |rest: &str| format!("[hooks.state.\"/h/.codex/hooks.json:stop:0:0\"]\n{rest}");
        check("", Trust::Untrusted);
        check(&state(""), Trust::Untrusted);
        check(&state(&format!("trusted_hash = \"{OF_STOP}\"")), Trust::Trusted);
        check(&state(&format!("trusted_hash = \"{OF_PRE}\"")), Trust::Modified);
        check(&state(&format!("trusted_hash = \"{OF_STOP}\"\nenabled = false")), Trust::Off);
    }

    #[test]
    fn switches() {
        let config = "[features]\nhooks = false\n[projects.\"/w/p\"]\ntrust_level = \"trusted\"\n";
        let recorded = Recorded { config: config.parse().unwrap() };
        assert!(recorded.hooks_off() && !Recorded::default().hooks_off());
        assert!(recorded.trusts_project(Path::new("/w/p")) && !recorded.trusts_project(Path::new("/w")));
    }
}
