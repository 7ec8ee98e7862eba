//! What the hook said, and what must hold of it.

use std::path::PathBuf;

use serde_json::Value;

use crate::{
    platform::{portable, text},
    process::RawOutput,
};

/// What the hook said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing: the client goes on.
    Pass,
    /// The call is refused, with this reason.
    Deny(String),
    /// The user is asked, with this reason.
    Ask(String),
    /// Changed settings stay out of the running session, for this reason.
    Block(String),
    /// Text for the model at an event.
    Context {
        /// The event.
        event: String,
        /// The text.
        text: String,
    },
}

impl Answer {
    /// Reads a hook's whole output.
    ///
    /// # Panics
    /// When it is not one of the forms that the client understands.
    pub(crate) fn read(code: Option<i32>, stdout: &str) -> Self {
        assert_eq!(code, Some(0), "the hook's exit code; output: {stdout:?}");
        if stdout.is_empty() {
            return Self::Pass;
        }
        let value: Value =
            serde_json::from_str(stdout).unwrap_or_else(|e| panic!("not one JSON value ({e}): {stdout:?}"));
        let object = value.as_object().expect("an object");
        if object.contains_key("decision") {
            assert_eq!(object.keys().collect::<Vec<_>>(), ["decision", "reason", "systemMessage"], "{stdout}");
            assert_eq!(object["decision"], "block");
            assert_eq!(object["reason"], object["systemMessage"]);
            return Self::Block(object["reason"].as_str().unwrap().to_owned());
        }
        assert_eq!(object.keys().collect::<Vec<_>>(), ["hookSpecificOutput"], "{stdout}");
        let inner = object["hookSpecificOutput"].as_object().expect("an object");
        let field = |name: &str| inner[name].as_str().unwrap().to_owned();
        let mut keys: Vec<_> = inner.keys().map(String::as_str).collect();
        keys.sort_unstable();
        match keys.as_slice() {
            ["hookEventName", "permissionDecision", "permissionDecisionReason"] => {
                assert_eq!(field("hookEventName"), "PreToolUse");
                let reason = field("permissionDecisionReason");
                assert!(!reason.trim().is_empty(), "a reason is never empty");
                assert!(reason.chars().count() <= 600, "{} characters: {reason}", reason.chars().count());
                match field("permissionDecision").as_str() {
                    "deny" => Self::Deny(reason),
                    "ask" => Self::Ask(reason),
                    other => panic!("permissionDecision {other:?}"),
                }
            }
            ["additionalContext", "hookEventName"] => {
                Self::Context { event: field("hookEventName"), text: field("additionalContext") }
            }
            other => panic!("keys {other:?} in {stdout}"),
        }
    }
}

/// One run of the hook.
#[derive(Clone, Debug)]
pub(crate) struct HookOutput {
    /// The process.
    pub(crate) raw: RawOutput,
    root: PathBuf,
    scratch: PathBuf,
}

impl HookOutput {
    /// `root` and `scratch` are those of the environment that it ran in.
    pub(crate) const fn new(raw: RawOutput, root: PathBuf, scratch: PathBuf) -> Self {
        Self { raw, root, scratch }
    }

    /// The answer, with paths as [`text`] spells them; see [`Answer::read`] for what must hold.
    pub(crate) fn answer(&self) -> Answer {
        assert!(!self.raw.stderr.contains("panicked"), "{}", self.raw.stderr);
        let answer = Answer::read(self.raw.code, &self.raw.stdout);
        match answer {
            Answer::Pass => Answer::Pass,
            Answer::Deny(reason) => Answer::Deny(portable(reason)),
            Answer::Ask(reason) => Answer::Ask(portable(reason)),
            Answer::Block(reason) => Answer::Block(portable(reason)),
            Answer::Context { event, text } => Answer::Context { event, text: portable(text) },
        }
    }

    /// The hook has no opinion.
    #[track_caller]
    pub(crate) fn assert_pass(&self) {
        assert_eq!(self.answer(), Answer::Pass);
    }

    /// The hook refuses; gives the reason.
    #[track_caller]
    pub(crate) fn assert_refused(&self) -> String {
        match self.answer() {
            Answer::Deny(reason) => reason,
            other => panic!("expected a refusal, got {other:?}"),
        }
    }

    /// The hook wants the user to be asked; gives the reason.
    #[track_caller]
    pub(crate) fn assert_asked(&self) -> String {
        match self.answer() {
            Answer::Ask(reason) => reason,
            other => panic!("expected a question, got {other:?}"),
        }
    }

    /// The hook refuses because of `path`, and its reason teaches: it names the path, the session's scratch,
    /// which exists, and how the operator can allow the path. Gives the reason.
    #[track_caller]
    pub(crate) fn assert_denied(&self, path: &str) -> String {
        let reason = self.assert_refused();
        assert!(reason.contains(path), "the reason names {path}: {reason}");
        assert!(reason.contains(&text(&self.scratch)), "the reason names {}: {reason}", self.scratch.display());
        assert!(reason.contains("wsguard allow"), "the reason says how to allow: {reason}");
        assert!(self.scratch.is_dir(), "the scratch that the reason names exists");
        reason
    }

    /// The context of an event.
    #[track_caller]
    pub(crate) fn assert_context(&self, wanted: &str) -> String {
        match self.answer() {
            Answer::Context { event, text } if event == wanted => text,
            other => panic!("expected context of {wanted}, got {other:?}"),
        }
    }

    /// Standard output with the folder of this run replaced, for snapshots.
    pub(crate) fn stable(&self) -> String {
        let stdout = &self.raw.stdout;
        // As JSON spells a backslash.
        let stable = if cfg!(windows) { stdout.replace(r"\\", "/") } else { stdout.clone() };
        stable.replace(&text(&self.root), "[ENV]")
    }
}
