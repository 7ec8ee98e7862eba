//! What is observed at an event: after the answer, and never instead of it.

use std::path::Path;

use super::decide::{Decided, Setting, setting};
use super::run::complain;
use crate::config::Policy;
use crate::gate::Tool;
use crate::harness::{Access, Answer, Payload};
use crate::home::Home;
use crate::ledger::LedgerError;
use crate::observe::{Ending, Observer, Over, Starting, Surroundings};
use crate::path::Model;
use crate::session::temp::TEMP_VARIABLES;

/// What a list of roots is made from.
pub(crate) struct Places {
    home: String,
    user_home: Option<String>,
    scratch_root: String,
    temps: Vec<String>,
}

impl Places {
    /// As this process's environment and `policy` say.
    pub(crate) fn of(home: &Home, policy: &Policy) -> Self {
        let model = Model::native();
        let text = |path: &Path| model.normalize(&path.to_string_lossy());
        let mut temps = vec![text(&home.temp())];
        temps
            .extend(TEMP_VARIABLES.iter().filter_map(|name| std::env::var(name).ok()).map(|dir| model.normalize(&dir)));
        Self {
            home: text(home.path()),
            user_home: std::env::home_dir().map(|dir| text(&dir)),
            scratch_root: policy.scratch_root.clone().unwrap_or_else(|| text(&home.scratch())),
            temps,
        }
    }

    /// The same with a project folder; empty where none is known.
    pub(crate) fn around<'a>(&'a self, project: &'a str) -> Surroundings<'a> {
        Surroundings {
            model: Model::native(),
            home: &self.home,
            user_home: self.user_home.as_deref(),
            project,
            scratch_root: &self.scratch_root,
            temps: &self.temps,
        }
    }
}

/// After `PreToolUse`.
pub(crate) fn decided(decided: &Decided, payload: &Payload<'_>) {
    let call = &decided.call;
    let runs = !matches!(decided.answer, Answer::Deny { .. });
    observe(&decided.home, &decided.policy, &decided.project, |observer| {
        if runs {
            let command = what(&call.tool, payload);
            observer.start(&starting(payload, &call.tool, &command))
        } else {
            observer.catch_up(&call.session, Over::Nothing)
        }
    });
}

/// After a call.
pub(crate) fn ended(payload: &Payload<'_>, outcome: &str) {
    let client = payload.client();
    let Some(name) = payload.tool().filter(|name| client.access_of(name) == Access::Writes) else { return };
    // What can't be read was refused before it ran.
    let Ok(tool) = client.tool_of(name, payload.input()) else { return };
    with_setting(payload, |observer| {
        let command = what(&tool, payload);
        observer.end(&Ending { call: starting(payload, &tool, &command), outcome })
    });
}

/// At an event that belongs to no call.
pub(crate) fn passed(payload: &Payload<'_>, over: Over) {
    with_setting(payload, |observer| observer.catch_up(payload.session(), over));
}

/// At a session's start.
pub(crate) fn began(setting: &Setting, session: &str) {
    observe(&setting.home, &setting.policy, &setting.project, |observer| observer.catch_up(session, Over::Nothing));
}

fn with_setting(payload: &Payload<'_>, act: impl FnOnce(&Observer<'_>) -> Result<(), LedgerError>) {
    let model = Model::native();
    let cwd = payload.cwd().filter(|c| model.is_absolute(c)).map(|c| model.normalize(c)).unwrap_or_default();
    match setting(payload.client(), payload.session(), &cwd) {
        Ok(setting) => observe(&setting.home, &setting.policy, &setting.project, act),
        Err(error) => complain(&error.to_string()),
    }
}

fn observe(home: &Home, policy: &Policy, project: &str, act: impl FnOnce(&Observer<'_>) -> Result<(), LedgerError>) {
    if !policy.observe {
        return;
    }
    let places = Places::of(home, policy);
    let around = places.around(project);
    if let Err(error) = act(&Observer::new(home, policy, &around)) {
        complain(&error.to_string());
    }
}

fn starting<'a>(payload: &'a Payload<'_>, tool: &Tool, command: &'a str) -> Starting<'a> {
    Starting {
        session: payload.session(),
        call: payload.call(),
        harness: payload.client().name(),
        tool: word(tool),
        command,
        background: payload.client().goes_on(payload.tool().unwrap_or_default(), payload.input()),
    }
}

/// A tool's kind, in one word.
pub(crate) fn word(tool: &Tool) -> &'static str {
    match tool {
        Tool::Shell { .. } => "shell",
        Tool::Write { .. } => "write",
        Tool::Code { .. } => "code",
        Tool::Read { .. } => "read",
        Tool::Other => "other",
    }
}

/// What a call runs, or the paths that it writes; of a tool that is not known, its name.
fn what(tool: &Tool, payload: &Payload<'_>) -> String {
    match tool {
        Tool::Shell { command, .. } => command.clone(),
        Tool::Code { source, .. } => source.clone(),
        Tool::Write { paths, .. } => paths.join("\n"),
        Tool::Read { .. } | Tool::Other => payload.tool().unwrap_or_default().to_owned(),
    }
}
