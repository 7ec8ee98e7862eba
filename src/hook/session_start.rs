//! `SessionStart` and `SubagentStart`: scratch, temp folder, snippet.

use std::path::Path;

use super::decide::{Setting, setting};
use super::run::{answer, complain};
use super::{observe, record};
use crate::gate::refuse_project;
use crate::harness::{Answer, Client, Payload};
use crate::ledger::journal::Kind;
use crate::path::Model;
use crate::session::{ScratchError, SessionMeta, Snippet, clean, snippet, temp};
use crate::world::World as _;

/// `SessionStart`: makes the session's place before it is named, redirects its temp folder, tells the agent.
pub(crate) fn run(payload: &Payload<'_>) {
    let Some(setting) = load(payload) else { return };
    let client = payload.client();
    let meta = meta(client, &setting);
    let mut notices = Vec::new();
    let exists = made(&setting.scratch.begin(&meta), &mut notices);
    let temp = redirect(client, &setting, &mut notices);
    tell(&setting, "SessionStart", exists, temp.as_deref(), &notices);
    record::session_line(client, &setting.home, Kind::SessionStart, payload.session(), Some(&setting.project));
    observe::began(&setting, payload.session());
    for problem in clean::sweep(&setting.home, &setting.policy) {
        complain(&problem);
    }
}

/// Whether there is a scratch folder now; why not is a notice.
fn made<T>(scratch: &Result<T, ScratchError>, notices: &mut Vec<String>) -> bool {
    if let Err(error) = scratch {
        complain(&error.to_string());
        notices.push(format!("The scratch folder could not be made: {error}."));
    }
    scratch.is_ok()
}

/// Points the temp variables of the agent's shell at HOME/cache/tmp, where the client has a way to; returns the folder.
fn redirect(client: Client, setting: &Setting, notices: &mut Vec<String>) -> Option<String> {
    if !setting.policy.redirect_temp {
        return None;
    }
    if client == Client::Codex {
        // It gives its shells what its own settings name; where that is this folder, it must be there. A file of exports in
        // the environment is another session's, where Codex was started from one.
        if let Err(error) = temp::prepare(&setting.home) {
            complain(&error.to_string());
        }
        return redirected(client, setting);
    }
    let file = std::env::var_os("CLAUDE_ENV_FILE").filter(|f| !f.is_empty())?;
    match temp::redirect(&setting.home, Path::new(&file)) {
        Ok(temp) => Some(temp),
        Err(error) => {
            complain(&error.to_string());
            notices.push(format!("TMPDIR is not redirected: {error}. The user can mend it: {}.", error.hint()));
            None
        }
    }
}

/// HOME/cache/tmp, where the temp variables of the agent's shell point there.
fn redirected(client: Client, setting: &Setting) -> Option<String> {
    let temp = setting.home.temp();
    let text = temp.to_str().filter(|_| setting.policy.redirect_temp && temp.is_dir())?;
    let model = setting.world.model();
    let named =
        || setting.world.env("TMPDIR").is_some_and(|dir| model.same(&model.normalize(&dir), &model.normalize(text)));
    (client != Client::Codex || named()).then(|| text.to_owned())
}

/// `SubagentStart`: a sub-agent shares its parent's session and does not get `SessionStart`'s context.
pub(crate) fn subagent(payload: &Payload<'_>) {
    let Some(setting) = load(payload) else { return };
    let (client, mut notices) = (payload.client(), Vec::new());
    let exists = made(&setting.scratch.ensure(&meta(client, &setting)), &mut notices);
    let temp = redirected(client, &setting);
    tell(&setting, "SubagentStart", exists, temp.as_deref(), &notices);
}

fn load(payload: &Payload<'_>) -> Option<Setting> {
    let model = Model::native();
    let cwd = payload.cwd().filter(|c| model.is_absolute(c)).map(|c| model.normalize(c)).unwrap_or_default();
    match setting(payload.client(), payload.session(), &cwd) {
        Ok(setting) => Some(setting),
        Err(error) => {
            complain(&error.to_string());
            None
        }
    }
}

fn meta(client: Client, setting: &Setting) -> SessionMeta<'_> {
    SessionMeta { harness: client.name(), cwd: &setting.project, pid: crate::sys::parent_id() }
}

fn tell(setting: &Setting, event: &'static str, exists: bool, temp: Option<&str>, notices: &[String]) {
    if !setting.policy.prompt || !setting.policy.gate {
        return;
    }
    let allowed = refuse_project(&setting.world, &setting.policy, &setting.project).is_none();
    let mut text = snippet(&Snippet {
        scratch: &setting.scratch.path().to_string_lossy(),
        exists,
        temp,
        project: allowed.then_some(setting.project.as_str()),
    });
    for notice in notices {
        text.push('\n');
        text.push_str(notice);
    }
    answer(&Answer::Context { event, text });
}
