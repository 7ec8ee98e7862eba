//! What an entry holds, client by client.
//!
//! Contract of Claude Code (measured on 2.1.332): exec form, that is `command` with `args`, is started without a shell;
//! `onFailure: "block"` makes a hook that can't run refuse the call. It stands on `PreToolUse` alone, because on the other
//! events it would block the user.
//!
//! Contract of Codex (measured on 0.171.0): `command` is one line for a shell, `args` and `onFailure` are passed over. A
//! failing hook lets the call pass, but exit code 2 with a text on standard error refuses it; so the line itself says so,
//! on `PreToolUse` alone.

use serde::Serialize;
use serde_json::Value;

use crate::harness::Client;
use crate::harness::command_line::{NoLine, command_line};
use crate::path::Model;

/// The hook program's base name, by which our entries are recognised.
pub const PROGRAM: &str = "wsguard-hook";

/// Seconds after which a client gives a hook up; far above the hook's own deadline.
pub(super) const TIMEOUT_SECONDS: u32 = 10;

/// An event that the hook is registered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The client's name for it.
    pub name: &'static str,
    /// It is about one tool, so a matcher chooses which.
    pub has_matcher: bool,
    /// A hook that fails must stop the call.
    pub blocks: bool,
}

const fn event(name: &'static str) -> Event {
    Event { name, has_matcher: false, blocks: false }
}

const fn after(name: &'static str) -> Event {
    Event { name, has_matcher: true, blocks: false }
}

const BEFORE: Event = Event { name: "PreToolUse", has_matcher: true, blocks: true };

const OF_CLAUDE: [Event; 9] = [
    event("SessionStart"),
    event("UserPromptSubmit"),
    BEFORE,
    after("PostToolUse"),
    after("PostToolUseFailure"),
    event("SubagentStart"),
    event("ConfigChange"),
    event("Stop"),
    event("SessionEnd"),
];

const OF_CODEX: [Event; 7] = [
    event("SessionStart"),
    event("UserPromptSubmit"),
    BEFORE,
    after("PostToolUse"),
    event("SubagentStart"),
    event("Stop"),
    event("SessionEnd"),
];

impl Client {
    /// Every event that the hook is registered for, in the order in which a session meets them.
    pub const fn events(self) -> &'static [Event] {
        match self {
            Self::ClaudeCode => &OF_CLAUDE,
            Self::Codex => &OF_CODEX,
        }
    }

    /// The arguments that the hook is given.
    pub const fn hook_args(self) -> [&'static str; 2] {
        ["--harness", self.name()]
    }

    /// Whether the program and its arguments stand apart in an entry, and no shell starts it.
    pub const fn has_exec_form(self) -> bool {
        matches!(self, Self::ClaudeCode)
    }

    /// The matchers that leave no tool out; none at all does not either.
    pub(crate) const fn open_matchers(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &["", "*", ".*"],
            Self::Codex => &["*", ".*"],
        }
    }

    /// Keys of an entry that keep the hook from being asked every time, from being waited for, or from being what is
    /// started.
    pub(crate) const fn unguarding_keys(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &["if", "async", "asyncRewake", "once"],
            Self::Codex => &["async", "commandWindows", "command_windows"],
        }
    }
}

/// What the entries of one client start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The client.
    pub client: Client,
    /// The command of the event that must not fail.
    closing: String,
    /// The command of the others.
    other: String,
}

impl Form {
    /// Entries of Claude Code that start the program `hook`.
    pub fn claude(hook: &str) -> Self {
        Self { client: Client::ClaudeCode, closing: hook.to_owned(), other: hook.to_owned() }
    }

    /// Entries of Codex that start the program `hook`; `found` is the file that its bare name starts, by PATH.
    ///
    /// # Errors
    /// Where no line starts it in every shell that Codex uses.
    pub fn codex(model: Model, hook: &str, found: Option<&str>) -> Result<Self, NoLine> {
        let client = Client::Codex;
        let line = |closes| command_line(model, hook, &client.hook_args(), found, closes);
        Ok(Self { client, closing: line(true)?, other: line(false)? })
    }

    /// What the entry of `event` starts.
    pub fn command(&self, event: Event) -> &str {
        if event.blocks { &self.closing } else { &self.other }
    }

    /// The group that registers `event`.
    pub(super) fn group(&self, event: Event) -> NewGroup<'_> {
        let exec = self.client.has_exec_form();
        let entry = NewEntry {
            r#type: "command",
            command: self.command(event),
            args: exec.then(|| self.client.hook_args()),
            timeout: TIMEOUT_SECONDS,
            on_failure: (exec && event.blocks).then_some("block"),
        };
        NewGroup { matcher: event.has_matcher.then_some("*"), hooks: [entry] }
    }

    /// The `hooks` object that registers every event and nothing else.
    pub fn hooks_object(&self) -> Value {
        let events = self.client.events().iter();
        let groups = events.map(|&event| {
            let group = serde_json::to_value(self.group(event)).unwrap_or(Value::Null);
            (event.name.to_owned(), Value::Array(vec![group]))
        });
        groups.collect::<serde_json::Map<_, _>>().into()
    }
}

/// A group with one entry.
#[derive(Serialize)]
pub(super) struct NewGroup<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'static str>,
    hooks: [NewEntry<'a>; 1],
}

#[derive(Serialize)]
struct NewEntry<'a> {
    r#type: &'static str,
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<[&'static str; 2]>,
    timeout: u32,
    #[serde(rename = "onFailure", skip_serializing_if = "Option::is_none")]
    on_failure: Option<&'static str>,
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use serde_json::json;

    use super::Form;
    use crate::path::Model;

    #[test]
    fn of_codex() {
        let hooks = Form::codex(Model::Posix, "/opt/a b/wsguard-hook", None).unwrap().hooks_object();
        let line = "'/opt/a b/wsguard-hook' --harness codex";
        assert_eq!(hooks["Stop"], json!([{"hooks": [{"type": "command", "command": line, "timeout": 10}]}]));
        let closing = hooks["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
        assert!(closing.starts_with(line) && closing.ends_with("exit 2; }"), "{closing}");
        assert_eq!(hooks["PreToolUse"][0]["matcher"], json!("*"));
        let path = r"C:\Users\John Doe\wsguard-hook.exe";
        let windows = Form::codex(Model::Windows, path, Some(path)).unwrap().hooks_object();
        for event in ["PreToolUse", "Stop"] {
            assert_eq!(windows[event][0]["hooks"][0]["command"], json!("wsguard-hook --harness codex"));
        }
        assert!(Form::codex(Model::Windows, path, None).is_err());
    }
}
