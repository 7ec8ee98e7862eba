//! What decides in Codex's surroundings whether the hook runs, and what its shells have that the hook has not.

use super::places::{CONFIG, HOOKS, MANAGED};
use crate::limits::MAX_SETTINGS_BYTES;
use crate::world::World;

/// Where the client keeps its state: `$CODEX_HOME`, else `~/.codex`.
pub(crate) fn state(world: &dyn World) -> Option<String> {
    let model = world.model();
    let named = world.env("CODEX_HOME").filter(|dir| model.is_absolute(dir)).map(|dir| model.normalize(&dir));
    named.or_else(|| world.home().map(|home| model.join(&home, ".codex")))
}

/// Every file that the client reads hooks, and whether they are trusted, from.
pub(crate) fn registrations(world: &dyn World, project: &str) -> Vec<String> {
    let model = world.model();
    let own = model.join(project, ".codex");
    let dirs = state(world).into_iter().chain([own]);
    let mut files: Vec<String> = dirs.flat_map(|dir| [HOOKS, CONFIG].map(|name| model.join(&dir, name))).collect();
    files.extend(MANAGED.iter().filter(|path| model.is_absolute(path)).map(|path| (*path).to_owned()));
    files
}

/// What begins the part of the settings about the agent's shells.
const SHELLS: &str = "shell_environment_policy";

/// The variables that the client gives the agent's shells and hooks don't have: `set` of the user's settings, then of the
/// project's.
pub(crate) fn shell_variables(world: &dyn World, project: &str) -> Vec<(String, String)> {
    let model = world.model();
    let mut found = Vec::new();
    for dir in state(world).into_iter().chain([model.join(project, ".codex")]) {
        let Some(text) = world.read_text(&model.join(&dir, CONFIG), MAX_SETTINGS_BYTES) else { continue };
        if !text.contains(SHELLS) {
            continue;
        }
        // What the client itself can't read sets nothing.
        let Ok(config) = text.parse::<toml::Table>() else { continue };
        let set = config.get(SHELLS).and_then(|part| part.get("set")).and_then(toml::Value::as_table);
        let named = set.into_iter().flatten().filter_map(|(name, value)| Some((name, value.as_str()?)));
        // Where the client's own folder is, its own environment says.
        for (name, value) in named.filter(|(name, _)| *name != "CODEX_HOME") {
            found.retain(|(known, _)| known != name);
            found.push((name.clone(), value.to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{registrations, shell_variables, state};
    use crate::path::Model;
    use crate::world::FakeWorld;

    #[test]
    fn shells_have_what_the_settings_set() {
        let world = |user: &str, project: &str| {
            let world = FakeWorld::new(Model::Posix).with_home("/h").dir("/h/.codex").dir("/w/.codex");
            world.file("/h/.codex/config.toml", user).file("/w/.codex/config.toml", project)
        };
        let check = |user: &str, project: &str, want: &[(&str, &str)]| {
            let found = shell_variables(&world(user, project), "/w");
            let found: Vec<(&str, &str)> = found.iter().map(|(name, value)| (&**name, &**value)).collect();
            assert_eq!(found, want, "{user} {project}");
        };
        check("model = \"x\"", "", &[]);
        check("[shell_environment_policy]\nset = { TMPDIR = \"/t\", N = 1 }", "", &[("TMPDIR", "/t")]);
        check(
            "[shell_environment_policy.set]\nA = 'a'\nB = 'b'",
            "shell_environment_policy.set.A = 'c'",
            &[("B", "b"), ("A", "c")],
        );
        check("[shell_environment_policy\n", "", &[]);
    }

    #[test]
    fn the_environment_names_the_places() {
        let world = FakeWorld::new(Model::Posix).with_home("/h");
        assert_eq!(state(&world).as_deref(), Some("/h/.codex"));
        let world = world.var("CODEX_HOME", "rel");
        assert_eq!(state(&world).as_deref(), Some("/h/.codex"));
        let world = world.var("CODEX_HOME", "/c/../d");
        let files = registrations(&world, "/w");
        for file in ["/d/hooks.json", "/d/config.toml", "/w/.codex/hooks.json", "/w/.codex/config.toml"] {
            assert!(files.iter().any(|f| f == file), "{file} in {files:?}");
        }
    }
}
