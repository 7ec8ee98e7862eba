//! Bookkeeping: after the answer, never instead of it. A failure here is said on standard error and changes nothing.

use std::fmt::Display;

use serde::Serialize;

use super::decide::Decided;
use super::observe;
use super::run::complain;
use crate::harness::{Answer, Client, Payload};
use crate::home::Home;
use crate::ledger::journal::{Entry, Kind};
use crate::ledger::{Audit, Grants, Journal};
use crate::observe::Over;
use crate::session::{Scratch, SessionId, SessionMeta};

/// A refusal as the audit tells of it.
#[derive(Serialize)]
struct Refusal<'a> {
    /// The user was asked instead.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    asked: bool,
    harness: &'a str,
    session: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a str>,
    tool: &'a str,
    rule: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
}

impl<'a> Refusal<'a> {
    fn of(entry: &Entry<'a>) -> Self {
        let Entry { harness, session, call, tool, rule, path, .. } = *entry;
        Self { asked: matches!(entry.kind, Kind::Asked), harness, session, call, tool, rule, path }
    }
}

/// After `PreToolUse`.
pub(crate) fn decided(decided: &Decided, payload: &Payload<'_>) {
    let kind = match &decided.answer {
        // A block answers no call.
        Answer::Pass | Answer::Block { .. } => None,
        Answer::Deny { .. } => Some(Kind::Denied),
        Answer::Ask { .. } => Some(Kind::Asked),
        Answer::Context { .. } => Some(Kind::Warned),
    };
    let call = decided.call.call.as_deref();
    if let (Some(kind), Some((rule, path))) = (kind, &decided.broken) {
        let entry = Entry {
            harness: decided.call.harness,
            call,
            tool: observe::word(&decided.call.tool),
            rule: rule.code(),
            path: path.as_deref(),
            ..Entry::new(kind, &decided.call.session)
        };
        note(Journal::at(&decided.home).append(&entry));
        if let Kind::Denied | Kind::Asked = kind {
            note(Audit::at(&decided.home).fact("deny", &Refusal::of(&entry)));
        }
    }
    note(Grants::consume(&decided.home, &decided.used_grants, call));
    match decided.scratch.touch() {
        // First seen here, not at its start (the guard was installed meanwhile): from now on its project is known.
        Err(error) if error.is_not_found() => {
            let meta =
                SessionMeta { harness: decided.call.harness, cwd: &decided.project, pid: crate::sys::parent_id() };
            note(decided.scratch.ensure(&meta).map(|_| ()));
        }
        result => note(result),
    }
    observe::decided(decided, payload);
}

/// After a call.
pub(crate) fn called(payload: &Payload<'_>, outcome: &str) {
    touch(payload);
    observe::ended(payload, outcome);
}

/// After the user's prompt or the end of the agent's turn.
pub(crate) fn turned(payload: &Payload<'_>) {
    touch(payload);
    observe::passed(payload, Over::Turn);
}

/// Notes that the session lives.
fn touch(payload: &Payload<'_>) {
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
    if let Some(home) = Home::from_env() {
        session_line(payload.client(), &home, Kind::SessionEnd, payload.session(), None);
    }
    observe::passed(payload, Over::Session);
}

/// A session's start or end in the journal.
pub(crate) fn session_line(client: Client, home: &Home, kind: Kind, session: &str, project: Option<&str>) {
    let entry = Entry { harness: client.name(), path: project, ..Entry::new(kind, session) };
    note(Journal::at(home).append(&entry));
}

/// Wherever the scratch folder lies, the session's record lies under HOME: no setting is needed.
fn scratch_of(payload: &Payload<'_>) -> Option<Scratch> {
    Some(Scratch::new(&Home::from_env()?, None, SessionId::new(payload.session())))
}

pub(crate) fn note(result: Result<(), impl Display>) {
    if let Err(error) = result {
        complain(&error.to_string());
    }
}
