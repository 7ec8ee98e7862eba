//! What is wrong with a registration.

use std::path::Path;

use serde_json::Value;

use super::finding::{Level, Section};
use super::registration::{Registered, Source};
use crate::harness::Client;
use crate::harness::hooks::Event;
use crate::harness::hooks::entry::{Entry, Fault, is_hook_program, program};
use crate::harness::hooks::install::foreign_key;
use crate::harness::program::{is_executable, on_path};

/// Looks at every place of `client` together, then at each. `needed`: without a registration something is wrong.
pub(crate) fn check(client: Client, found: &[&Registered], needed: bool, section: &mut Section<'_>) {
    for registered in found {
        check_file(registered, section);
    }
    let active: Vec<&Registered> = found.iter().copied().filter(|r| !r.own("PreToolUse").is_empty()).collect();
    if active.is_empty() {
        let text = format!("no settings of {} register the hook: nothing is guarded", client.title());
        let level = if needed { Level::Fail } else { Level::Warn };
        section.add(level, "not_registered", text, Some(install_hint(client)));
    }
    for registered in &active {
        check_events(registered, section);
    }
    let by_plugin = active.iter().filter(|r| matches!(r.source, Source::Plugin(_))).count();
    if by_plugin > 0 && active.len() > by_plugin {
        let hint = "keep one: `wsguard uninstall claude-code`, or `claude plugin uninstall workspace-guard`";
        section.warn(
            "registered_twice",
            "a plugin and settings both register the hook: every call is judged twice",
            hint,
        );
    }
    if client == Client::ClaudeCode {
        check_switches(found, &active, section);
    }
    for registered in found {
        check_others(registered, section);
    }
}

/// What to do where nothing is registered, or nothing works.
pub(super) fn install_hint(client: Client) -> String {
    format!("run `wsguard install {}`", client.name())
}

/// What to do where an entry is wrong. What stands in Codex's config.toml was put there by hand.
fn repair_hint(registered: &Registered) -> String {
    match registered.source {
        Source::Settings(_, "config") => {
            "take the entry out of config.toml and run `wsguard install codex`, which keeps hooks in hooks.json"
                .to_owned()
        }
        _ => format!("{} again, with the same --scope: it repairs the entry", install_hint(registered.client)),
    }
}

fn shown(registered: &Registered) -> String {
    format!("{} ({})", registered.path.display(), registered.source.label())
}

/// A file that the client ignores as a whole, though it may hold our hook.
fn check_file(registered: &Registered, section: &mut Section<'_>) {
    let (name, client) = (shown(registered), registered.client.title());
    if let Some(error) = &registered.error {
        let (error, hint) = error;
        let text = format!("{client} can't read its {name}: {error}");
        return section.fail("settings_broken", text, hint);
    }
    if !registered.strict {
        let text = format!("{name} holds comments: {client} ignores the whole file");
        return section.fail("settings_ignored", text, "take the comments out of the file");
    }
    let hooks = registered.settings.get("hooks");
    let odd = match hooks {
        None => !registered.settings.is_object(),
        // Codex keeps what is trusted there too, and passes over what it does not know.
        Some(Value::Object(_)) if registered.client == Client::Codex => false,
        Some(Value::Object(events)) => events.values().any(|groups| !groups.is_array()),
        Some(_) => true,
    };
    if odd {
        let text = format!("{name} is not shaped as {client} wants it: it ignores the whole file");
        section.fail("settings_ignored", text, "`hooks` must be an object of arrays");
    }
    let is_hooks = registered.client == Client::Codex && matches!(registered.source, Source::Settings(_, "hooks"));
    if let Some(key) = foreign_key(&registered.settings).filter(|_| is_hooks) {
        let text = format!("{name} holds the key \"{key}\" beside \"hooks\": {client} ignores the whole file");
        section.fail("settings_ignored", text, "take that key out of the file");
    }
}

fn check_events(registered: &Registered, section: &mut Section<'_>) {
    let name = shown(registered);
    let (client, hint) = (registered.client, repair_hint(registered));
    let mut wrong = 0;
    for &event in client.events() {
        let own = registered.own(event.name);
        let mut report = |level: Level, code: &'static str, text: String| {
            wrong += 1;
            section.add(level, code, format!("{}: {text} in {name}", event.name), Some(hint.clone()));
        };
        match own.as_slice() {
            [] => report(Level::Warn, "event_missing", "no hook".to_owned()),
            [_] => {}
            _ => report(Level::Warn, "event_repeated", "several hooks".to_owned()),
        }
        for entry in &own {
            for fault in entry.faults(client, event, None) {
                let (level, code) = weight(&fault, event);
                report(level, code, fault.text());
            }
            if let Err((code, text)) = locate(entry, registered) {
                report(Level::Fail, code, text);
            }
        }
    }
    if wrong == 0 {
        section.ok("registered", format!("all {} events are registered in {name}", client.events().len()));
    }
}

/// How much a fault matters: what lets a call pass unjudged, or blocks the user, is wrong.
fn weight(fault: &Fault, event: Event) -> (Level, &'static str) {
    let if_blocking = if event.blocks { Level::Fail } else { Level::Warn };
    match fault {
        Fault::Type => (if_blocking, "entry_type"),
        Fault::Command => (Level::Warn, "entry_command"),
        Fault::Args => (Level::Warn, "entry_args"),
        Fault::Timeout => (Level::Warn, "entry_timeout"),
        Fault::OpenOnFailure | Fault::OpenLine => (Level::Fail, "entry_fails_open"),
        Fault::BlocksUser | Fault::BlockingLine => (Level::Fail, "entry_blocks_user"),
        Fault::Matcher => (if_blocking, "entry_matcher"),
        Fault::Repeated => (Level::Warn, "event_repeated"),
        Fault::Key(_) => (if_blocking, "entry_condition"),
    }
}

/// Whether the program that an entry starts can be started from any folder.
fn locate(entry: &Entry, registered: &Registered) -> Result<(), (&'static str, String)> {
    let Some(program) = program(&entry.value) else { return Ok(()) };
    let expanded = expand(&program, registered.plugin_root.as_deref(), Path::new("/"));
    let path = Path::new(&expanded);
    if path.is_absolute() {
        return match (path.exists(), is_executable(path)) {
            (_, true) => Ok(()),
            (true, false) => Err(("program_not_executable", format!("{program} can't be run"))),
            (false, false) => Err(("program_missing", format!("{program} is not there"))),
        };
    }
    if program.contains(['/', '\\']) {
        let text = format!("the command {program} is relative: it is off as soon as the agent changes its folder");
        return Err(("command_relative", text));
    }
    match on_path(&program) {
        Some(_) => Ok(()),
        None => Err(("program_missing", format!("{program} is not on the PATH"))),
    }
}

/// Claude Code's own variables in commands and arguments.
pub(crate) fn expand(text: &str, plugin_root: Option<&Path>, project: &Path) -> String {
    let plugin = plugin_root.map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
    text.replace("${CLAUDE_PLUGIN_ROOT}", &plugin)
        .replace("${CLAUDE_PROJECT_DIR}", &project.to_string_lossy())
        .replace("$CLAUDE_PROJECT_DIR", &project.to_string_lossy())
}

/// Settings that switch hooks off.
fn check_switches(found: &[&Registered], active: &[&Registered], section: &mut Section<'_>) {
    for registered in found.iter().filter(|r| r.is_set("disableAllHooks")) {
        let text = format!("\"disableAllHooks\": true in {}: nothing is guarded", shown(registered));
        section.fail("hooks_disabled", text, "remove that line");
    }
    let managed = |r: &Registered| matches!(r.source, Source::Settings("managed", _));
    let managed_only = found.iter().any(|r| managed(r) && r.is_set("allowManagedHooksOnly"));
    if managed_only && !active.iter().any(|r| managed(r)) {
        let text = "the administrator's settings allow managed hooks only: other registrations are ignored";
        section.fail("hooks_managed_only", text, "ask the administrator to register the hook");
    }
}

/// Hooks of other tools that are off after the first change of folder, as ours would be.
fn check_others(registered: &Registered, section: &mut Section<'_>) {
    let Some(events) = registered.settings.get("hooks").and_then(Value::as_object) else { return };
    let groups = events.values().filter_map(Value::as_array).flatten();
    let hooks = groups.filter_map(|g| g.get("hooks")?.as_array()).flatten();
    let mut named: Vec<&str> = Vec::new();
    for hook in hooks {
        let Some(program) = program(hook) else { continue };
        let Some(command) = hook.get("command").and_then(Value::as_str) else { continue };
        let relative = program.contains('/') && !program.starts_with(['/', '~', '$', '%']) && !program.contains("://");
        if relative && !is_hook_program(&program) && !named.contains(&command) {
            named.push(command);
            let text = format!("another hook's command is relative and stops working after a cd: {command}");
            section.warn("other_relative", text, "start it as \"${CLAUDE_PROJECT_DIR}\"/…");
        }
    }
}
