//! `PreToolUse`: from payload to answer.

use std::path::Path;

use super::place;
use crate::config::{self, ConfigError, Environment, Policy};
use crate::gate::{Inputs, Judgement, Rule, Tool, ToolCall, Verdict, foresee, weigh};
use crate::harness::{Answer, Client, Payload};
use crate::home::Home;
use crate::ledger::Asked;
use crate::limits::{MAX_COMMAND_BYTES, MAX_PATH_BYTES};
use crate::path::Model;
use crate::session::{Scratch, ScratchError, SessionId, SessionMeta};
use crate::world::RealWorld;

/// Why a call could not be judged. The text names what is broken; the caller adds how it is answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unjudged {
    #[error("no home folder is known; set WSGUARD_HOME to an absolute path")]
    NoHome,
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("the tool's input does not have its usual form ({0})")]
    Input(#[from] serde_json::Error),
    #[error("the command is longer than {} KiB; put the data in a file with the Write tool first", MAX_COMMAND_BYTES >> 10)]
    TooLong,
    #[error("the call does not say in which folder it runs")]
    NoCwd,
    #[error("the path of the folder that it runs in is longer than {MAX_PATH_BYTES} bytes; run it in a folder above")]
    LongCwd,
    #[error("the call names no tool")]
    NoTool,
}

/// A decided call and what its bookkeeping needs.
pub(crate) struct Decided {
    pub(crate) answer: Answer,
    pub(crate) home: Home,
    pub(crate) policy: Policy,
    pub(crate) scratch: Scratch,
    pub(crate) project: String,
    pub(crate) call: ToolCall,
    /// The rule broken first, and on which path.
    pub(crate) broken: Option<(Rule, Option<String>)>,
    /// Grants for one call that this call uses up.
    pub(crate) used_grants: Vec<u64>,
}

/// What the environment and the configuration say.
pub(crate) struct Setting {
    pub(crate) home: Home,
    pub(crate) policy: Policy,
    pub(crate) world: RealWorld,
    pub(crate) scratch: Scratch,
    pub(crate) project: String,
}

/// Loads what every event needs. `cwd` is the payload's.
pub(crate) fn setting(client: Client, session: &str, cwd: &str) -> Result<Setting, Unjudged> {
    if cwd.len() > MAX_PATH_BYTES {
        return Err(Unjudged::LongCwd);
    }
    let home = Home::from_env().ok_or(Unjudged::NoHome)?;
    let bare = RealWorld::default();
    // Where scratch lies is a setting, and the project's own settings lie in the project: both are needed
    // before the last layer is known. The record is under HOME whatever the setting says.
    let first = Scratch::new(&home, None, SessionId::new(session));
    let project = place::project_of(client, &bare, &first, cwd);
    let policy = policy(&home, Some(Path::new(&project)))?;
    let scratch = match policy.scratch_root.as_deref() {
        None => first,
        root => Scratch::new(&home, root, SessionId::new(session)),
    };
    let world = RealWorld::new(overlay(client, &bare, &home, &policy, &project));
    Ok(Setting { home, policy, world, scratch, project })
}

/// Variables of ours that are no settings.
const NO_SETTINGS: &[&[u8]] = &[b"WSGUARD_HOME", b"WSGUARD_SESSION", b"WSGUARD_FAILPOINT"];

/// The policy under this process's environment.
pub(crate) fn policy(home: &Home, project: Option<&Path>) -> Result<Policy, ConfigError> {
    let overrides = crate::sys::has_variable(b"WSGUARD_", NO_SETTINGS);
    config::load(home, project, &Environment { get: &config::process_env, overrides })
}

/// The agent's shell has these, and the hook's process does not: from the session's start, or, where the client can give its
/// shells nothing then, from the client's own settings.
fn overlay(client: Client, world: &RealWorld, home: &Home, policy: &Policy, project: &str) -> Vec<(String, String)> {
    if client == Client::Codex {
        return client.shell_variables(world, project);
    }
    let temp = home.temp();
    if !policy.redirect_temp || !temp.is_dir() {
        return Vec::new();
    }
    let temp = temp.to_string_lossy().into_owned();
    ["TMPDIR", "TMP", "TEMP"].map(|name| (name.to_owned(), temp.clone())).to_vec()
}

/// Judges a `PreToolUse` payload.
pub(crate) fn decide(payload: &Payload<'_>) -> Result<Decided, Unjudged> {
    let name = payload.tool().ok_or(Unjudged::NoTool)?;
    let client = payload.client();
    let tool = client.tool_of(name, payload.input())?;
    if let Tool::Shell { command, .. } = &tool
        && command.len() > MAX_COMMAND_BYTES
    {
        return Err(Unjudged::TooLong);
    }
    let writes = client.writes_besides(&tool)?;
    let model = Model::native();
    let cwd = payload.cwd().filter(|c| model.is_absolute(c)).ok_or(Unjudged::NoCwd)?;
    let cwd = model.normalize(cwd);
    let Setting { home, policy, world, scratch, project } = setting(client, payload.session(), &cwd)?;
    crate::sys::set_deadline(policy.hook_deadline_ms);
    super::run::obey_fail(policy.fail);
    let call = ToolCall {
        harness: client.name(),
        session: payload.session().to_owned(),
        call: payload.call().map(str::to_owned),
        cwd,
        tool,
        writes,
    };
    let foresight = foresee(&call, &world, &policy);
    if foresight.is_idle(&policy) {
        let (answer, broken) = (Answer::Pass, None);
        return Ok(Decided { answer, home, policy, scratch, project, call, broken, used_grants: Vec::new() });
    }
    let place = place::of(client, &world, &home, &scratch, project.clone());
    let asked = Asked::new(&home, &call.session, call.call.as_deref());
    let inputs =
        Inputs { call: &call, world: &world, policy: &policy, place: &place, granted: &|path| asked.allows(path) };
    let judgement = weigh(&inputs, foresight);
    let answer = answer_of(&judgement, &scratch, &call, &project).fit_for(client);
    if let Some(error) = asked.error() {
        super::run::complain(&error.to_string());
    }
    // A grant is used up only by a call that runs because of it.
    let used_grants = if judgement.verdict == Verdict::Allow { asked.used() } else { Vec::new() };
    Ok(Decided { answer, home, policy, scratch, project, call, broken: judgement.broken, used_grants })
}

fn answer_of(judgement: &Judgement, scratch: &Scratch, call: &ToolCall, project: &str) -> Answer {
    let answer = match (&judgement.verdict, &judgement.warning) {
        (Verdict::Allow, None) => return Answer::Pass,
        (Verdict::Allow, Some(text)) => Answer::Context { event: "PreToolUse", text: text.clone() },
        (Verdict::Deny { reason }, _) => Answer::Deny { reason: reason.clone() },
        (Verdict::Ask { reason }, _) => Answer::Ask { reason: reason.clone() },
    };
    // The reason names the scratch folder, so it must exist before the answer is read.
    match ensure(scratch, call, project) {
        Ok(()) => answer,
        Err(error) => with_note(answer, &error),
    }
}

fn ensure(scratch: &Scratch, call: &ToolCall, project: &str) -> Result<(), ScratchError> {
    let meta = SessionMeta { harness: call.harness, cwd: project, pid: crate::sys::parent_id() };
    scratch.ensure(&meta).map(|_| ())
}

/// A verdict stands whatever happens to the scratch folder; the agent is told not to rely on it.
fn with_note(answer: Answer, error: &ScratchError) -> Answer {
    let note = |text: String| {
        let mut text: String = text.chars().take(crate::limits::MAX_REASON_CHARS - 120).collect();
        text.push_str(". The scratch folder could not be made: ");
        let cause = error.to_string();
        // The number says nothing to an agent, and there is little room.
        text.extend(cause.split(" (os error").next().unwrap_or_default().chars().take(80));
        text
    };
    match answer {
        answer @ (Answer::Pass | Answer::Block { .. }) => answer,
        Answer::Deny { reason } => Answer::Deny { reason: note(reason) },
        Answer::Ask { reason } => Answer::Ask { reason: note(reason) },
        Answer::Context { event, text } => Answer::Context { event, text: note(text) },
    }
}
