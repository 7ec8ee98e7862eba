//! The examination as a whole.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::activity::{Activity, ago};
use super::finding::{Finding, Level, Section};
use super::probe::{self, Came, Probe, ProbeKind};
use super::registration::{Registered, registrations};
use super::registration_check::install_hint;
use super::{home_state, registration_check, trust_check};
use crate::config::{Action, Fail, Policy, load_all};
use crate::harness::program::{fleeting_place, hook_program, is_executable};
use crate::harness::{Client, claude, codex};
use crate::home::Home;
use crate::ledger::Grants;
use crate::path::Model;
use crate::session::clean::Rules;

/// What the examination starts from.
#[derive(Debug)]
pub struct Surroundings {
    /// HOME, where one is known.
    pub home: Option<Home>,
    /// Where Claude Code keeps its settings.
    pub places: claude::places::Places,
    /// Where Codex keeps its hooks.
    pub codex: codex::places::Places,
}

/// What was found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Whether nothing is wrong.
    pub ok: bool,
    /// Everything that was looked at, in order.
    pub findings: Vec<Finding>,
    /// What came back from the registered command lines.
    pub probes: Vec<Probe>,
}

/// Looks at everything, of the clients at `only` where one is named. Runs the registered command lines and asks Codex which
/// hooks it runs, and writes no more than they do.
pub fn examine(around: &Surroundings, only: Option<Client>) -> Report {
    let mut findings = Vec::new();
    let mut probes = Vec::new();
    let env = |name: &str| std::env::var(name).ok();
    let policy = match &around.home {
        None => {
            let text = "no home folder is known: every call that writes is refused";
            Section::new("home", &mut findings).fail("no_home", text, "set WSGUARD_HOME to an absolute path");
            None
        }
        Some(home) => {
            home_state::check(home, &mut Section::new("home", &mut findings));
            check_config(home, &around.places.project, &env, &mut Section::new("config", &mut findings))
        }
    };
    check_program(&mut Section::new("program", &mut findings));
    let activity = around.home.as_ref().map(|home| {
        let rules = policy.as_ref().map_or(Rules { root: None, ttl_hours: 24, auto: false }, Rules::from);
        Activity::read(home, &rules)
    });
    let activity = activity.unwrap_or_default();
    let found = registrations(around);
    for (client, needed) in chosen(around, &found, only) {
        let found: Vec<&Registered> = found.iter().filter(|r| r.client == client).collect();
        let mut section = Section::new(client.name(), &mut findings);
        registration_check::check(client, &found, needed, &mut section);
        if client == Client::Codex {
            trust_check::check(&found, &around.codex, &mut section);
        }
        if let Some(home) = &around.home {
            probes.extend(probe_all(home, policy.as_ref(), &found, &mut section));
        }
        if needed {
            check_activity(client, &activity, &mut section);
        }
    }
    Report { ok: findings.iter().all(|f| f.level != Level::Fail), findings, probes }
}

/// The clients to look at, and whether something is wrong where one has no registration: with the one that is asked for,
/// and with those that have one. Of the others those that are in use are looked at; all of them, where none has any.
fn chosen(around: &Surroundings, found: &[Registered], only: Option<Client>) -> Vec<(Client, bool)> {
    if let Some(client) = only {
        return vec![(client, true)];
    }
    let registered = |client: Client| found.iter().any(|r| r.client == client && r.events() > 0);
    let is_used = |client: Client| {
        let dir = match client {
            Client::ClaudeCode => &around.places.config_dir,
            Client::Codex => &around.codex.config_dir,
        };
        dir.as_ref().is_some_and(|dir| dir.is_dir())
    };
    let nowhere = !Client::ALL.into_iter().any(registered);
    let looked_at = |client: Client| registered(client) || is_used(client) || nowhere && client == Client::default();
    Client::ALL.into_iter().filter(|&c| looked_at(c)).map(|c| (c, nowhere || registered(c))).collect()
}

fn check_config(
    home: &Home,
    project: &Path,
    env: &dyn Fn(&str) -> Option<String>,
    section: &mut Section<'_>,
) -> Option<Policy> {
    let loaded = load_all(home, Some(project), env);
    for error in &loaded.errors {
        section.fail(
            error.code(),
            format!("{error}; until it is mended every call that writes is refused"),
            error.hint(),
        );
    }
    if let Err(error) = Grants::load(home) {
        section.fail(error.code(), error.to_string(), error.hint());
    }
    if !loaded.errors.is_empty() {
        return None;
    }
    if !loaded.policy.gate {
        section.fail("gate_off", "gate = false: nothing is judged", "run `wsguard config set gate true`");
    } else if loaded.policy.action == Action::Warn {
        let hint = "run `wsguard config set action deny`";
        section.warn("action_warn", "action = \"warn\": calls against the rules run", hint);
    } else {
        let file = home.config();
        let what =
            if file.exists() { file.display().to_string() } else { "no config.toml, so the defaults".to_owned() };
        section.ok("config", format!("{what}; gate on, action = \"{}\"", loaded.policy.action.word()));
    }
    if loaded.policy.fail == Fail::Open {
        let hint = "run `wsguard config set fail closed`";
        section.warn("fail_open", "fail = \"open\": a call passes when the hook itself fails", hint);
    }
    Some(loaded.policy)
}

/// The hook program that belongs to this command: there, executable, the same version.
fn check_program(section: &mut Section<'_>) {
    let hint = "install both programs again: cargo install --locked --path .";
    let path = match hook_program() {
        Ok(path) => path,
        Err(e) => return section.fail("program_missing", format!("this program can't be located: {e}"), hint),
    };
    let shown = path.display();
    if !is_executable(&path) {
        return section.fail("program_missing", format!("{shown} is not there or can't be run"), hint);
    }
    let wanted = concat!("wsguard-hook ", env!("CARGO_PKG_VERSION"));
    match version(&path) {
        Ok(version) if version == wanted => section.ok("program", format!("{shown} {}", env!("CARGO_PKG_VERSION"))),
        Ok(other) => section.fail("program_version", format!("{shown} says \"{other}\", not \"{wanted}\""), hint),
        Err(e) => section.fail("program_broken", format!("{shown} can't be run: {e}"), hint),
    }
    if let Some(place) = fleeting_place(&path) {
        let text = format!("{shown} lies in {place}; when it goes, every call is refused");
        section.warn("program_fleeting", text, "install it for good: cargo install --locked --path .");
    }
}

fn version(path: &Path) -> std::io::Result<String> {
    let out = std::process::Command::new(path).arg("--version").stdin(std::process::Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&out.stdout);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Runs the probes through every registration that the client would use.
fn probe_all(home: &Home, policy: Option<&Policy>, found: &[&Registered], section: &mut Section<'_>) -> Vec<Probe> {
    let project = match tempfile::Builder::new().prefix("wsguard-doctor-").tempdir() {
        Ok(dir) => dir,
        Err(e) => {
            section.fail("probe_impossible", format!("no temporary folder for the probe: {e}"), "make TMPDIR writable");
            return Vec::new();
        }
    };
    let root = crate::sys::real_path(project.path()).unwrap_or_else(|_| project.path().to_owned());
    let mut calls = Vec::new();
    match outside(policy) {
        Some(path) => calls.push((ProbeKind::MustDeny, path)),
        None if policy.is_some() => {
            let text = "the settings allow writes everywhere (protect_drives or allow_roots)";
            section.warn("nothing_protected", text, "run `wsguard config show` to see what says so");
        }
        None => {}
    }
    calls.push((ProbeKind::MustDenyFence, home.config().to_string_lossy().into_owned()));
    calls.push((ProbeKind::MustAllow, root.join("probe.txt").to_string_lossy().into_owned()));
    let mut probes = Vec::new();
    let mut done: Vec<String> = Vec::new();
    for registered in found {
        for entry in registered.own("PreToolUse") {
            // The client runs the same command once, wherever it is registered.
            let key = entry.value.to_string();
            if done.contains(&key) {
                continue;
            }
            done.push(key);
            for (kind, path) in &calls {
                let probe = probe::run(*kind, path, &entry, registered, &root);
                judge(registered.client, &probe, policy, section);
                probes.push(probe);
            }
        }
    }
    probes
}

/// A path that these settings don't allow, that nobody has, and that needs no rights to be judged.
fn outside(policy: Option<&Policy>) -> Option<String> {
    let model = Model::native();
    let Some(policy) = policy else { return Some(default_outside(model)) };
    let root = policy.protect_drives.first()?;
    let root = match model {
        Model::Posix => root.clone(),
        Model::Windows => format!("{}:\\", root.get(..1)?),
    };
    let path = model.join(&root, "wsguard-doctor/must-be-denied.txt");
    let allowed = policy.allow_roots.iter().any(|dir| model.is_within(&path, dir));
    (!allowed).then_some(path)
}

fn default_outside(model: Model) -> String {
    let root = if model == Model::Windows { r"C:\" } else { "/" };
    model.join(root, "wsguard-doctor/must-be-denied.txt")
}

/// Whether what came back is what must come back.
fn judge(client: Client, probe: &Probe, policy: Option<&Policy>, section: &mut Section<'_>) {
    const DENY: &str = "run `wsguard config set action deny`";
    let install = install_hint(client);
    let what = format!("{}: a {} of {}", probe.kind.label(), probe::written_by(client), probe.path);
    let gate = policy.is_none_or(|p| p.gate);
    let action = policy.map_or(Action::Deny, |p| p.action);
    let mut said = "";
    match (&probe.came, probe.kind) {
        (Came::Failed { what: how }, _) => {
            section.fail("probe_failed", format!("{what} got no valid answer: {how}"), install);
        }
        (Came::Deny { reason }, kind) => {
            said = reason;
            match kind {
                ProbeKind::MustAllow => {
                    let hint = "the reason says what is broken";
                    section.fail("probe_refused", format!("{what} was refused, though it is harmless"), hint);
                }
                _ => section.ok("probe_denied", format!("{what} was denied")),
            }
        }
        (Came::Pass | Came::Note { .. }, ProbeKind::MustAllow) => {
            section.ok("probe_passed", format!("{what} passed"));
        }
        (Came::Ask { reason }, ProbeKind::MustDeny) if action == Action::Ask => {
            said = reason;
            section.ok("probe_asked", format!("{what} is left to the user, as action = \"ask\" says"));
        }
        (Came::Note { text }, ProbeKind::MustDeny) if action == Action::Warn => {
            said = text;
            section.warn("probe_warned", format!("{what} passed with a warning, as action = \"warn\" says"), DENY);
        }
        (Came::Pass | Came::Note { .. }, _) if !gate => {
            let hint = "run `wsguard config set gate true`";
            section.fail("probe_open", format!("{what} passed, as gate = false says"), hint);
        }
        (Came::Pass | Came::Note { .. } | Came::Ask { .. }, _) => {
            section.fail("probe_open", format!("{what} was not denied: nothing is guarded"), install);
        }
    }
    section.detail(format!("ran: {}", probe.command));
    if !said.is_empty() {
        section.detail(format!("said: {said}"));
    }
}

fn check_activity(client: Client, activity: &Activity, section: &mut Section<'_>) {
    let variable = match client {
        Client::ClaudeCode => "CLAUDE_CODE_SESSION_ID",
        Client::Codex => "CODEX_SESSION_ID",
    };
    let look = format!("look at /hooks in {}", client.title());
    if let Some(id) = std::env::var(variable).ok().filter(|id| !id.is_empty())
        && !activity.sessions.iter().any(|s| s.id == id)
    {
        let text = format!("this very session ({id}) has never reached the hook");
        return section.fail("session_unguarded", text, format!("start the session again, and {look}"));
    }
    match activity.last_of(client.name()) {
        Some(time) => section.ok("last_event", format!("last hook event {}", ago(time))),
        None => section.warn(
            "no_event",
            "no hook event has been seen yet",
            format!("start a session; if this stays, {look}"),
        ),
    }
}

/// HOME and places as this process sees them.
impl Surroundings {
    /// From the environment; `project` is the folder that the client would be started in.
    pub fn from_env(project: PathBuf) -> Self {
        let codex = codex::places::Places::from_env(project.clone());
        Self { home: Home::from_env(), places: claude::places::Places::from_env(project), codex }
    }
}
