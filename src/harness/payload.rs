//! What Claude Code and Codex write to a hook's standard input: one form, with fields by which they can be told apart.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::Client;

/// The events that mean something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A tool is about to run.
    PreToolUse,
    /// It ran.
    PostToolUse,
    /// It ran and failed.
    PostToolUseFailure,
    /// A session starts, resumes, was cleared or compacted.
    SessionStart,
    /// A sub-agent starts; it does not get `SessionStart`'s context.
    SubagentStart,
    /// The user sent a prompt.
    UserPromptSubmit,
    /// The agent's turn ended.
    Stop,
    /// The session ended.
    SessionEnd,
    /// A settings file was changed.
    ConfigChange,
    /// Any other event: nothing to do.
    Other,
}

impl Event {
    /// The event of this name; unknown names are `Other`.
    pub fn from_name(name: &str) -> Self {
        match name {
            "PreToolUse" => Self::PreToolUse,
            "PostToolUse" => Self::PostToolUse,
            "PostToolUseFailure" => Self::PostToolUseFailure,
            "SessionStart" => Self::SessionStart,
            "SubagentStart" => Self::SubagentStart,
            "UserPromptSubmit" => Self::UserPromptSubmit,
            "Stop" => Self::Stop,
            "SessionEnd" => Self::SessionEnd,
            "ConfigChange" => Self::ConfigChange,
            _ => Self::Other,
        }
    }
}

/// The fields of a payload that are used. Both spellings of a name are taken (some bridges send both);
/// the snake-case one wins.
#[derive(Debug, Default, Deserialize)]
pub struct Payload<'a> {
    #[serde(skip)]
    client: Client,
    #[serde(borrow, default)]
    hook_event_name: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "hookEventName")]
    hook_event_name_camel: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    session_id: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "sessionId")]
    session_id_camel: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    tool_name: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "toolName")]
    tool_name_camel: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    tool_input: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "toolInput")]
    tool_input_camel: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_use_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    source: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    file_path: Option<Cow<'a, str>>,
    #[serde(default)]
    turn_id: Option<IgnoredAny>,
    #[serde(default)]
    prompt_id: Option<IgnoredAny>,
    #[serde(default)]
    model: Option<IgnoredAny>,
    #[serde(default)]
    permission_mode: Option<IgnoredAny>,
}

/// Why a payload can't be used.
#[derive(Debug, thiserror::Error)]
pub enum PayloadError {
    /// Not JSON, not an object, a field of the wrong type, a field twice.
    #[error("the hook's input is not valid: {0}")]
    Json(#[from] serde_json::Error),
}

impl<'a> Payload<'a> {
    /// Reads a payload. `input` is the whole of standard input; `named` is the client that the command line names, which
    /// counts where the payload does not say whose it is.
    pub fn parse(input: &'a [u8], named: Option<Client>) -> Result<Self, PayloadError> {
        let mut payload: Self = serde_json::from_slice(input)?;
        payload.client = payload.told().or(named).unwrap_or_default();
        Ok(payload)
    }

    /// The client, by what only one of them sends. (Not by the environment: each may be started from the other's shell.)
    fn told(&self) -> Option<Client> {
        match (&self.turn_id, &self.prompt_id, &self.model, &self.permission_mode) {
            (Some(_), ..) | (None, None, Some(_), Some(_)) => Some(Client::Codex),
            (None, Some(_), ..) => Some(Client::ClaudeCode),
            _ => None,
        }
    }

    /// Whose payload it is.
    pub fn client(&self) -> Client {
        self.client
    }

    /// The event, `None` where the payload names none.
    pub fn event(&self) -> Option<&str> {
        self.hook_event_name.as_deref().or(self.hook_event_name_camel.as_deref())
    }

    /// The session's id; empty where there is none.
    pub fn session(&self) -> &str {
        self.session_id.as_deref().or(self.session_id_camel.as_deref()).unwrap_or("")
    }

    /// The folder that relative paths start from.
    pub fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref()
    }

    /// The tool's name.
    pub fn tool(&self) -> Option<&str> {
        self.tool_name.as_deref().or(self.tool_name_camel.as_deref())
    }

    /// The tool's input, not yet read.
    pub fn input(&self) -> Option<&'a RawValue> {
        self.tool_input.or(self.tool_input_camel)
    }

    /// The call's id.
    pub fn call(&self) -> Option<&str> {
        self.tool_use_id.as_deref()
    }

    /// `SessionStart`: `startup`, `resume`, `clear`, `compact` or `fork`. `ConfigChange`: which settings
    /// (`user_settings`, `project_settings`, `local_settings`, `policy_settings`, `skills`).
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// `ConfigChange`: the file.
    pub fn file_path(&self) -> Option<&str> {
        self.file_path.as_deref()
    }
}

/// What can still be read off input that does not parse: every value of `key` that stands as a plain
/// string in the text. Used only to tell a broken call that reads from one that writes.
pub fn scan_malformed<'a>(input: &'a [u8], key: &str) -> Vec<&'a [u8]> {
    let needle = format!("\"{key}\"");
    let needle = needle.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(i) = input[at..].windows(needle.len()).position(|w| w == needle) {
        at += i + needle.len();
        let rest = input[at..].trim_ascii_start();
        let Some(rest) = rest.strip_prefix(b":") else { continue };
        let Some(rest) = rest.trim_ascii_start().strip_prefix(b"\"") else { continue };
        if let Some(end) = rest.iter().position(|&b| b == b'"') {
            found.push(&rest[..end]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn both_spellings() {
        let p = Payload::parse(br#"{"tool_name":"Bash","toolName":"Read","sessionId":"s"}"#, None).unwrap();
        assert_eq!((p.tool(), p.session()), (Some("Bash"), "s"));
    }

    #[test]
    fn a_field_twice_is_refused() {
        assert!(Payload::parse(br#"{"tool_name":"Read","tool_name":"Bash"}"#, None).is_err());
    }

    #[test]
    fn each_client_is_told_by_its_own_fields() {
        let check = |input: &str, named: Option<Client>, want: Client| {
            assert_eq!(Payload::parse(input.as_bytes(), named).unwrap().client(), want, "{input} {named:?}");
        };
        let (claude, codex) = (Client::ClaudeCode, Client::Codex);
        check(r#"{"turn_id":"t","model":"m"}"#, Some(claude), codex);
        check(r#"{"prompt_id":"p","permission_mode":"default"}"#, Some(codex), claude);
        check(r#"{"model":"m","permission_mode":"default"}"#, None, codex);
        check(r#"{"model":"m"}"#, None, claude);
        check(r#"{"session_id":"s","tool_input":{"turn_id":"t"}}"#, None, claude);
        check(r#"{"session_id":"s"}"#, Some(codex), codex);
        check(r#"{"turn_id":null}"#, None, claude);
    }

    #[test]
    fn escapes_are_decoded() {
        let p = Payload::parse(br#"{"tool_name":"B\u0061sh"}"#, None).unwrap();
        assert_eq!(p.tool(), Some("Bash"));
    }

    #[test]
    fn broken_input_still_names_its_tool() {
        let found = scan_malformed(br#"{"tool_name" : "Read", "tool_input": {"#, "tool_name");
        assert_eq!(found, [b"Read".as_slice()]);
        assert!(scan_malformed(b"\"tool_name\"", "tool_name").is_empty());
    }
}
