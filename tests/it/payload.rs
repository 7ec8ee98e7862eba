//! Payloads in the form in which Claude Code 2.1 sends them, and Codex 0.171.

use std::path::Path;

use serde_json::{Value, json};

/// The session id of a payload that does not name another.
pub(crate) const SESSION: &str = "0b6de1c5-beca-4b28-baea-e4ce81766f19";

/// One hook payload. The methods change it and give it back.
#[derive(Clone, Debug)]
pub(crate) struct Payload(Value);

impl Payload {
    /// Any event, with the fields that all events have.
    pub(crate) fn event(cwd: &Path, name: &str) -> Self {
        Self(json!({
            "session_id": SESSION,
            "transcript_path": cwd.join("transcript.jsonl"),
            "cwd": cwd,
            "prompt_id": "3761fefc-8856-4057-903b-5b079f909463",
            "permission_mode": "bypassPermissions",
            "hook_event_name": name,
        }))
    }

    /// `PreToolUse` of one tool.
    pub(crate) fn pre(cwd: &Path, tool: &str, input: Value) -> Self {
        Self::event(cwd, "PreToolUse")
            .with("tool_name", json!(tool))
            .with("tool_input", input)
            .with("tool_use_id", json!("toolu_test_0001"))
    }

    /// `PreToolUse` of a Bash command.
    pub(crate) fn bash(cwd: &Path, command: &str) -> Self {
        Self::pre(cwd, "Bash", json!({"command": command, "description": "test"}))
    }

    /// `PreToolUse` of a `Write`.
    pub(crate) fn write(cwd: &Path, path: &str) -> Self {
        Self::pre(cwd, "Write", json!({"file_path": path, "content": "one\ntwo\n"}))
    }

    /// `PreToolUse` of a `Read`.
    pub(crate) fn tool_read(cwd: &Path, path: &str) -> Self {
        Self::pre(cwd, "Read", json!({"file_path": path}))
    }

    /// `PostToolUse` of a Bash command.
    pub(crate) fn post_bash(cwd: &Path, command: &str) -> Self {
        let mut this = Self::bash(cwd, command).with(
            "tool_response",
            json!({"stdout": "", "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}),
        );
        this = this.with("duration_ms", json!(13));
        this.with("hook_event_name", json!("PostToolUse"))
    }

    /// `SessionStart`; `source` is `startup`, `resume`, `clear`, `compact` or `fork`.
    pub(crate) fn session_start(cwd: &Path, source: &str) -> Self {
        Self::event(cwd, "SessionStart").with("source", json!(source)).without("prompt_id").without("permission_mode")
    }

    /// Any event, with the fields that Codex 0.171 sends.
    pub(crate) fn codex(cwd: &Path, name: &str) -> Self {
        Self::event(cwd, name)
            .without("prompt_id")
            .with("turn_id", json!("01a22b44-d4a0-74b2-afbf-cfd8570dbb31"))
            .with("model", json!("gpt-5.5"))
    }

    /// Codex's `PreToolUse` of one tool.
    pub(crate) fn codex_pre(cwd: &Path, tool: &str, input: Value) -> Self {
        Self::codex(cwd, "PreToolUse")
            .with("tool_name", json!(tool))
            .with("tool_input", input)
            .with("tool_use_id", json!("call_test_0001"))
    }

    /// Another session id.
    pub(crate) fn session(self, id: &str) -> Self {
        self.with("session_id", json!(id))
    }

    /// Sets one top-level field.
    pub(crate) fn with(mut self, key: &str, value: Value) -> Self {
        self.0.as_object_mut().unwrap().insert(key.to_owned(), value);
        self
    }

    /// Removes one top-level field.
    pub(crate) fn without(mut self, key: &str) -> Self {
        self.0.as_object_mut().unwrap().remove(key);
        self
    }

    /// The line that the client writes to the hook's standard input.
    pub(crate) fn line(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self.0).unwrap();
        bytes.push(b'\n');
        bytes
    }

    /// The payload as data.
    pub(crate) fn into_value(self) -> Value {
        self.0
    }
}
