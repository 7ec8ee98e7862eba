//! What the gate answers.

/// What the gate answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No opinion: the harness goes on as it would without a hook.
    Allow,
    /// The call must not run.
    Deny {
        /// For the agent; at most [`crate::limits::MAX_REASON_CHARS`] characters.
        reason: String,
    },
    /// The user decides.
    Ask {
        /// For the user and the agent.
        reason: String,
    },
}
