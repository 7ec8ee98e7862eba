//! What clients accept on a hook's standard output. Exit code 0 always; "pass" is empty output.
//!
//! Codex drops an answer with a key that it does not know, and then runs the tool: no form here has one.

use serde::Serialize;

use super::Client;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No opinion: nothing is printed. (Never `allow`: that would skip the user's own permission prompt.)
    Pass,
    /// `PreToolUse`: the tool does not run; the model reads the reason.
    Deny {
        /// For the model.
        reason: String,
    },
    /// `PreToolUse`: the user is asked.
    Ask {
        /// For the user.
        reason: String,
    },
    /// `ConfigChange`: the running session goes on with the settings that it had.
    Block {
        /// For the user.
        reason: String,
    },
    /// Text for the model beside whatever happens.
    Context {
        /// The event that is answered.
        event: &'static str,
        /// For the model.
        text: String,
    },
}

/// What is no matter of a call's permission.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Kept<'a> {
    decision: &'static str,
    reason: &'a str,
    system_message: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_specific_output: Specific<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
}

impl Answer {
    /// The answer as this client can be given it: one that knows no question refuses what would be asked about, and shows
    /// the agent a reason with a full stop of its own behind it.
    #[must_use]
    pub fn fit_for(self, client: Client) -> Self {
        match self {
            Self::Ask { reason } | Self::Deny { reason } if !client.can_ask() => {
                let end = reason.trim_end_matches(['.', ' ', '\n']).len();
                Self::Deny { reason: reason[..end].to_owned() }
            }
            answer => answer,
        }
    }

    /// The bytes for standard output.
    ///
    /// # Errors
    /// Never for text; the error type is the serializer's.
    pub fn to_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let decision = |word, reason| Specific {
            hook_event_name: "PreToolUse",
            permission_decision: Some(word),
            permission_decision_reason: Some(reason),
            additional_context: None,
        };
        let specific = match self {
            Self::Pass => return Ok(Vec::new()),
            Self::Block { reason } => {
                return serde_json::to_vec(&Kept { decision: "block", reason, system_message: reason });
            }
            Self::Deny { reason } => decision("deny", reason.as_str()),
            Self::Ask { reason } => decision("ask", reason.as_str()),
            Self::Context { event, text } => Specific {
                hook_event_name: event,
                permission_decision: None,
                permission_decision_reason: None,
                additional_context: Some(text),
            },
        };
        serde_json::to_vec(&Output { hook_specific_output: specific })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn codex_can_not_ask() {
        let ask = || Answer::Ask { reason: "no.\n".into() };
        assert_eq!(ask().fit_for(Client::Codex), Answer::Deny { reason: "no".into() });
        assert_eq!(ask().fit_for(Client::ClaudeCode), ask());
        let note = Answer::Context { event: "PreToolUse", text: "t.".into() };
        assert_eq!(note.clone().fit_for(Client::Codex), note);
    }

    #[test]
    fn measured_forms() {
        let json = |a: Answer| String::from_utf8(a.to_json().unwrap()).unwrap();
        assert_eq!(json(Answer::Pass), "");
        assert_eq!(
            json(Answer::Deny { reason: "no \"x\"\n".into() }),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no \"x\"\n"}}"#
        );
        assert_eq!(
            json(Answer::Block { reason: "r".into() }),
            r#"{"decision":"block","reason":"r","systemMessage":"r"}"#
        );
        assert_eq!(
            json(Answer::Context { event: "SessionStart", text: "t".into() }),
            r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"t"}}"#
        );
    }
}
