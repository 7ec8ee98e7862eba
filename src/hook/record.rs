//! Bookkeeping: after the answer, never instead of it. A failure here is said on standard error and changes nothing.

use super::decide::{Decided, HARNESS};
use super::run::complain;
use crate::harness::claude::Payload;
use crate::home::Home;
use crate::session::{Scratch, ScratchError, SessionId, SessionMeta};

/// After `PreToolUse`.
pub(crate) fn decided(decided: &Decided) {
    match decided.scratch.touch() {
        // First seen here, not at its start (the guard was installed meanwhile): from now on its project is known.
        Err(error) if error.is_not_found() => {
            let meta = SessionMeta { harness: HARNESS, cwd: &decided.project, pid: crate::sys::parent_id() };
            note(decided.scratch.ensure(&meta).map(|_| ()));
        }
        result => note(result),
    }
}

/// After an event that only shows that the session lives.
pub(crate) fn seen(payload: &Payload<'_>) {
    if let Some(scratch) = scratch_of(payload) {
        match scratch.touch() {
            Err(error) if error.is_not_found() => {}
            result => note(result),
        }
    }
}

/// After `SessionEnd`.
pub(crate) fn ended(payload: &Payload<'_>) {
    if let Some(scratch) = scratch_of(payload) {
        note(scratch.end());
    }
}

/// Wherever the scratch folder lies, the session's record lies under HOME: no setting is needed.
fn scratch_of(payload: &Payload<'_>) -> Option<Scratch> {
    Some(Scratch::new(&Home::from_env()?, None, SessionId::new(payload.session())))
}

fn note(result: Result<(), ScratchError>) {
    if let Err(error) = result {
        complain(&error.to_string());
    }
}
