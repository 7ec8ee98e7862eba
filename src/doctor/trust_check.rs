//! Whether Codex runs the hooks that are registered with it. Those that its user has not trusted it passes over in silence.

use std::path::Path;

use super::finding::{Level, Section};
use super::registration::Registered;
use crate::harness::codex::app_server::{AppServer, Listed, ServerError};
use crate::harness::codex::places::Places;
use crate::harness::codex::trust::{Recorded, Trust, key};
use crate::harness::hooks::entry::Entry;

const TRUST: &str = "start `codex` and choose to trust the hooks (later: /hooks, then t), or run \
                     `wsguard install codex --trust`";

/// Looks at every entry of ours.
pub(crate) fn check(found: &[&Registered], places: &Places, section: &mut Section<'_>) {
    // Told as the file's own trouble already.
    let Ok(recorded) = Recorded::read(places) else { return };
    if recorded.hooks_off() {
        let text = "`hooks = false` below [features] in Codex's config.toml: nothing is guarded";
        return section.fail("hooks_disabled", text, "remove that line");
    }
    let ours: Vec<&&Registered> = found.iter().filter(|registered| registered.events() > 0).collect();
    if ours.is_empty() {
        return;
    }
    let listed = listed(&places.project);
    for registered in ours {
        check_file(registered, &recorded, listed.as_ref(), places, section);
        match &listed {
            Ok(_) => section.detail("as Codex itself says"),
            Err(error) => section.detail(format!("as its config.toml says; {error}")),
        }
    }
}

fn listed(project: &Path) -> Result<Listed, ServerError> {
    AppServer::start(project)?.hooks(project)
}

fn check_file(
    registered: &Registered,
    recorded: &Recorded,
    listed: Result<&Listed, &ServerError>,
    places: &Places,
    section: &mut Section<'_>,
) {
    let shown = format!("{} ({})", registered.path.display(), registered.source.label());
    let of_project = !places.config_dir.as_ref().is_some_and(|dir| registered.path.starts_with(dir));
    if of_project && !recorded.trusts_project(&places.project) {
        let text = format!("Codex reads {shown} only where the user trusts the project, and this one it does not know");
        return section.fail("project_untrusted", text, "start `codex` in this folder once and trust it");
    }
    let mut off = Vec::new();
    let mut level = Level::Ok;
    let mut number = 0;
    for event in registered.client.events() {
        for entry in registered.own(event.name) {
            number += 1;
            let word = match listed {
                Ok(listed) => in_list(listed, &registered.path, event.name, &entry).map(Trust::word),
                Err(_) => Some(recorded.of(&registered.path, event.name, &entry).word()),
            };
            if word != Some(Trust::Trusted.word()) {
                level = level.max(if event.blocks { Level::Fail } else { Level::Warn });
                off.push(format!("{}: {}", event.name, word.unwrap_or("not listed by Codex")));
            }
        }
    }
    if off.is_empty() {
        return section.ok("trusted", format!("Codex trusts all {number} hooks in {shown}"));
    }
    let nothing = if level == Level::Fail { ": nothing is guarded" } else { "" };
    let text = format!("Codex passes over {} of {number} hooks in {shown}{nothing}", off.len());
    section.add(level, "untrusted", text, Some(TRUST.to_owned()));
    for line in off {
        section.detail(line);
    }
}

fn in_list(listed: &Listed, file: &Path, event: &str, entry: &Entry) -> Option<Trust> {
    let real = crate::sys::real_path(file).ok();
    let keys = [Some(file), real.as_deref()].map(|file| file.map(|file| key(file, event, entry)));
    listed.hooks.iter().find(|hook| keys.iter().flatten().any(|key| *key == hook.key)).map(Trust::listed)
}
