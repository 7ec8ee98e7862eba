//! `SessionStart` and `SubagentStart`: scratch, temp folder, snippet.

use super::decide::{HARNESS, Setting, setting};
use super::run::{answer, complain};
use crate::gate::refuse_project;
use crate::harness::claude::{Answer, Payload};
use crate::path::Model;
use crate::session::{SessionMeta, Snippet, snippet};

/// `SessionStart`: makes the session's place before it is named, redirects its temp folder, tells the agent.
pub(crate) fn run(payload: &Payload<'_>) {
    let Some(setting) = load(payload) else { return };
    let meta = meta(&setting);
    let mut notices = Vec::new();
    if let Err(error) = setting.scratch.begin(&meta) {
        complain(&error.to_string());
        notices.push(format!("The scratch folder could not be made: {error}."));
    }
    let redirected = false;
    tell(&setting, "SessionStart", redirected, &notices);
}

/// `SubagentStart`: a sub-agent shares its parent's session and does not get `SessionStart`'s context.
pub(crate) fn subagent(payload: &Payload<'_>) {
    let Some(setting) = load(payload) else { return };
    let mut notices = Vec::new();
    if let Err(error) = setting.scratch.ensure(&meta(&setting)) {
        complain(&error.to_string());
        notices.push(format!("The scratch folder could not be made: {error}."));
    }
    tell(&setting, "SubagentStart", setting.policy.redirect_temp && setting.home.temp().is_dir(), &notices);
}

fn load(payload: &Payload<'_>) -> Option<Setting> {
    let model = Model::native();
    let cwd = payload.cwd().filter(|c| model.is_absolute(c)).map(|c| model.normalize(c)).unwrap_or_default();
    match setting(payload.session(), &cwd) {
        Ok(setting) => Some(setting),
        Err(error) => {
            complain(&error.to_string());
            None
        }
    }
}

fn meta(setting: &Setting) -> SessionMeta<'_> {
    SessionMeta { harness: HARNESS, cwd: &setting.project, pid: crate::sys::parent_id() }
}

fn tell(setting: &Setting, event: &'static str, redirected: bool, notices: &[String]) {
    if !setting.policy.prompt || !setting.policy.gate {
        return;
    }
    let temp = setting.home.temp();
    let temp = temp.to_string_lossy();
    let allowed = refuse_project(&setting.world, &setting.policy, &setting.project).is_none();
    let mut text = snippet(&Snippet {
        scratch: &setting.scratch.path().to_string_lossy(),
        temp: redirected.then_some(temp.as_ref()),
        project: allowed.then_some(setting.project.as_str()),
    });
    for notice in notices {
        text.push('\n');
        text.push_str(notice);
    }
    answer(&Answer::Context { event, text });
}
