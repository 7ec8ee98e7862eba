//! `ConfigChange`: a settings file was changed while a session runs. A change that would switch the guard off for the
//! running session is kept out of it, whatever made it.
//!
//! Contract (measured on 2.1.332): the client reads a changed settings file again at once, and a session whose hooks
//! went with it calls them no more; with `{"decision": "block"}` as the answer to `ConfigChange` it goes on with the
//! settings that it had, after a change and after a removal.

use serde_json::Value;

use super::places::{LOCAL_SETTINGS, MANAGED_SETTINGS, SETTINGS};
use super::surroundings;
use crate::harness::Client;
use crate::harness::hooks::entry::{Entry, Fault, entries, is_hook_program, program};
use crate::limits::MAX_SETTINGS_BYTES;
use crate::world::World;

/// The variables that say where this product keeps its state and how it judges begin so.
const OWN_VARIABLES: [&str; 2] = ["WSGUARD_", "DSH_HOME"];

/// Why the change of `file`, the settings that `source` names, would switch the guard off in a running session.
/// `None`: it would not, or the client does not ask about such a file.
pub(crate) fn disarms(world: &dyn World, project: &str, source: &str, file: Option<&str>) -> Option<&'static str> {
    let model = world.model();
    let state = surroundings::state(world);
    let own = model.join(project, ".claude");
    let of_user = state.map(|dir| model.join(&dir, SETTINGS));
    let places = [
        ("user_settings", of_user),
        ("project_settings", Some(model.join(&own, SETTINGS))),
        ("local_settings", Some(model.join(&own, LOCAL_SETTINGS))),
        ("policy_settings", Some(MANAGED_SETTINGS.to_owned()).filter(|path| model.is_absolute(path))),
    ];
    if places.iter().all(|(name, _)| *name != source) {
        return None;
    }
    let settings: Vec<Value> = places
        .into_iter()
        // The client may show a copy of what is to become the settings.
        .filter_map(|(name, path)| if name == source { file.map(str::to_owned).or(path) } else { path })
        .filter_map(|path| world.read_text(&path, MAX_SETTINGS_BYTES))
        // What is no JSON the client does not read either.
        .filter_map(|text| serde_json::from_str(&text).ok())
        .collect();
    let any = |holds: &dyn Fn(&Value) -> bool| settings.iter().any(holds);
    if any(&|value| value.get("disableAllHooks").and_then(Value::as_bool) == Some(true)) {
        return Some("it switches all hooks off");
    }
    if any(&|value| moves_home(world, value)) {
        return Some("it sets variables that this guard goes by");
    }
    let guarded = match world.env("CLAUDE_PLUGIN_ROOT") {
        // The plugin's own files say what it runs; settings only switch it off.
        Some(_) => !any(&switches_plugin_off),
        None => any(&|value| registers(world, value)),
    };
    (!guarded).then_some("it takes the hook's registration away")
}

/// Whether calls are judged by this very program as these settings have it.
fn registers(world: &dyn World, settings: &Value) -> bool {
    let client = Client::ClaudeCode;
    let Some(&event) = client.events().iter().find(|event| event.blocks) else { return false };
    let keeps_it_out =
        |fault: &Fault| matches!(fault, Fault::Type | Fault::Matcher | Fault::OpenOnFailure | Fault::Key(_));
    let guards = |entry: &Entry| {
        entry.ours
            && is_this_program(world, &entry.value)
            && !entry.faults(client, event, None).iter().any(keeps_it_out)
    };
    entries(settings, event.name).iter().any(guards)
}

/// A program of our name in another place may be anything; one without a folder is looked up by the client.
fn is_this_program(world: &dyn World, entry: &Value) -> bool {
    let model = world.model();
    let Some(named) = program(entry).filter(|name| is_hook_program(name)) else { return false };
    let Some(running) = crate::sys::program() else { return true };
    !model.is_absolute(&named) || {
        let real = |path: &str| crate::path::resolve(world, path, true).path;
        model.same(&real(&named), &real(&model.normalize(&running.to_string_lossy())))
    }
}

/// A variable of ours that differs from what this session has.
fn moves_home(world: &dyn World, settings: &Value) -> bool {
    let Some(Value::Object(env)) = settings.get("env") else { return false };
    env.iter().any(|(name, value)| {
        OWN_VARIABLES.iter().any(|own| name.starts_with(own)) && world.env(name).as_deref() != value.as_str()
    })
}

fn switches_plugin_off(settings: &Value) -> bool {
    let Some(Value::Object(plugins)) = settings.get("enabledPlugins") else { return false };
    plugins.iter().any(|(name, on)| name.split('@').next() == Some("workspace-guard") && on.as_bool() == Some(false))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::disarms;
    use crate::harness::hooks::Form;
    use crate::path::Model;
    use crate::world::FakeWorld;

    fn hooks_object(hook: &str) -> Value {
        Form::claude(hook).hooks_object()
    }

    fn check(world: &FakeWorld, source: &str, file: &str, want: Option<&str>) {
        let found = disarms(world, "/w", source, Some(file));
        assert_eq!(found.is_some(), want.is_some(), "{source} {file}: {found:?}");
        if let (Some(found), Some(want)) = (found, want) {
            assert!(found.contains(want), "{found}");
        }
    }

    /// A machine whose user settings are `user` and whose project settings are `project`.
    fn machine(user: Option<&Value>, project: Option<&Value>) -> FakeWorld {
        let mut world = FakeWorld::new(Model::Posix).with_home("/h").dir("/h/.claude").dir("/w/.claude");
        for (path, settings) in [("/h/.claude/settings.json", user), ("/w/.claude/settings.json", project)] {
            if let Some(settings) = settings {
                world = world.file(path, &settings.to_string());
            }
        }
        world
    }

    const USER: (&str, &str) = ("user_settings", "/h/.claude/settings.json");
    const PROJECT: (&str, &str) = ("project_settings", "/w/.claude/settings.json");

    #[test]
    fn what_keeps_the_registration_passes() {
        let registered = json!({"hooks": hooks_object("wsguard-hook"), "model": "x"});
        let other = json!({"permissions": {"allow": ["Bash(ls)"]}});
        check(&machine(Some(&registered), None), USER.0, USER.1, None);
        check(&machine(Some(&registered), Some(&other)), PROJECT.0, PROJECT.1, None);
        check(&machine(Some(&registered), None), PROJECT.0, PROJECT.1, None);
        check(&machine(Some(&other), Some(&registered)), USER.0, USER.1, None);
        check(&machine(None, Some(&registered)), USER.0, USER.1, None);
        check(&machine(None, None), "skills", "/h/.claude/skills/a/SKILL.md", None);
    }

    #[test]
    fn what_takes_it_away_is_kept_out() {
        let mut narrow = json!({"hooks": hooks_object("wsguard-hook")});
        narrow["hooks"]["PreToolUse"][0]["matcher"] = json!("Read");
        let mut open = json!({"hooks": hooks_object("wsguard-hook")});
        open["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"] = Value::Null;
        let mut other = json!({"hooks": hooks_object("/tmp/x/wsguard-hook")});
        other["model"] = json!("x");
        for settings in [&json!({}), &json!([]), &narrow, &open, &other] {
            check(&machine(Some(settings), None), USER.0, USER.1, Some("registration"));
        }
        check(&machine(None, None), USER.0, USER.1, Some("registration"));
        let torn = machine(None, None).file("/h/.claude/settings.json", "{\"hooks\": ");
        check(&torn, USER.0, USER.1, Some("registration"));
    }

    #[test]
    fn what_switches_it_off_is_kept_out() {
        let registered = json!({"hooks": hooks_object("wsguard-hook")});
        let off = json!({"disableAllHooks": true});
        check(&machine(Some(&registered), Some(&off)), PROJECT.0, PROJECT.1, Some("all hooks"));
        let moved = json!({"env": {"WSGUARD_HOME": "/tmp/x"}});
        check(&machine(Some(&registered), Some(&moved)), PROJECT.0, PROJECT.1, Some("variables"));
        let same = machine(Some(&registered), Some(&moved)).var("WSGUARD_HOME", "/tmp/x");
        check(&same, PROJECT.0, PROJECT.1, None);
    }

    #[test]
    fn a_plugin_is_registered_by_its_own_files() {
        let plugin = |settings: &Value| machine(Some(settings), None).var("CLAUDE_PLUGIN_ROOT", "/h/.claude/plugins/g");
        check(&plugin(&json!({})), USER.0, USER.1, None);
        let off = json!({"enabledPlugins": {"workspace-guard@here": false}});
        check(&plugin(&off), USER.0, USER.1, Some("registration"));
        let on = json!({"enabledPlugins": {"workspace-guard@here": true, "other@x": false}});
        check(&plugin(&on), USER.0, USER.1, None);
    }

    #[test]
    fn a_copy_shown_before_it_is_written_counts() {
        let registered = json!({"hooks": hooks_object("wsguard-hook")});
        let world = machine(Some(&registered), None).file("/h/.claude/settings.json.new", "{}");
        check(&world, USER.0, "/h/.claude/settings.json.new", Some("registration"));
    }
}
