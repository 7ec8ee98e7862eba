//! What Claude Code writes to a hook's standard input.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

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
}

/// Why a payload can't be used.
#[derive(Debug, thiserror::Error)]
pub enum PayloadError {
    /// Not JSON, not an object, a field of the wrong type, a field twice.
    #[error("the hook's input is not valid: {0}")]
    Json(#[from] serde_json::Error),
}

impl<'a> Payload<'a> {
    /// Reads a payload. `input` is the whole of standard input.
    pub fn parse(input: &'a [u8]) -> Result<Self, PayloadError> {
        Ok(serde_json::from_slice(input)?)
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
        let p = Payload::parse(br#"{"tool_name":"Bash","toolName":"Read","sessionId":"s"}"#).unwrap();
        assert_eq!((p.tool(), p.session()), (Some("Bash"), "s"));
    }

    #[test]
    fn a_field_twice_is_refused() {
        assert!(Payload::parse(br#"{"tool_name":"Read","tool_name":"Bash"}"#).is_err());
    }

    #[test]
    fn escapes_are_decoded() {
        let p = Payload::parse(br#"{"tool_name":"B\u0061sh"}"#).unwrap();
        assert_eq!(p.tool(), Some("Bash"));
    }

    #[test]
    fn broken_input_still_names_its_tool() {
        let found = scan_malformed(br#"{"tool_name" : "Read", "tool_input": {"#, "tool_name");
        assert_eq!(found, [b"Read".as_slice()]);
        assert!(scan_malformed(b"\"tool_name\"", "tool_name").is_empty());
    }
}
