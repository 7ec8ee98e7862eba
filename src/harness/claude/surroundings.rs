//! What Claude Code's environment says of a session: its project, the client's own folder, and the files that decide
//! whether the hook runs.

use super::places::{LOCAL_SETTINGS, MANAGED_SETTINGS, SETTINGS};
use crate::world::World;

/// The folder that the client was started in, where it says so.
pub(crate) fn project(world: &dyn World) -> Option<String> {
    absolute(world, "CLAUDE_PROJECT_DIR")
}

/// Where the client keeps its state: `$CLAUDE_CONFIG_DIR`, else `~/.claude`.
pub(crate) fn state(world: &dyn World) -> Option<String> {
    absolute(world, "CLAUDE_CONFIG_DIR").or_else(|| world.home().map(|home| world.model().join(&home, ".claude")))
}

/// What the client keeps in its own folder for the agent's shells, and the list of its plugins.
const SHELLS_OWN: [&str; 3] = ["session-env", "shell-snapshots", "plugins/installed_plugins.json"];

/// Every settings file that the client reads hooks from, what its shells start with, and the registration of a plugin that is the hook's.
pub(crate) fn registrations(world: &dyn World, project: &str) -> Vec<String> {
    let model = world.model();
    let mut files = Vec::with_capacity(8);
    let own = model.join(project, ".claude");
    for dir in state(world).iter().chain([&own]) {
        files.extend([SETTINGS, LOCAL_SETTINGS].map(|name| model.join(dir, name)));
    }
    files.extend(state(world).iter().flat_map(|dir| SHELLS_OWN.map(|name| model.join(dir, name))));
    if model.is_absolute(MANAGED_SETTINGS) {
        files.push(MANAGED_SETTINGS.to_owned());
    }
    // Set where the hook is a plugin's.
    if let Some(plugin) = absolute(world, "CLAUDE_PLUGIN_ROOT") {
        files.extend(["hooks/hooks.json", ".claude-plugin/plugin.json"].map(|name| model.join(&plugin, name)));
    }
    files
}

fn absolute(world: &dyn World, name: &str) -> Option<String> {
    let model = world.model();
    world.env(name).filter(|dir| model.is_absolute(dir)).map(|dir| model.normalize(&dir))
}

#[cfg(test)]
mod tests {
    use super::{project, registrations, state};
    use crate::path::Model;
    use crate::world::FakeWorld;

    #[test]
    fn the_environment_names_the_places() {
        let world = FakeWorld::new(Model::Posix).with_home("/h");
        assert_eq!((project(&world), state(&world).as_deref()), (None, Some("/h/.claude")));
        let world = world.var("CLAUDE_PROJECT_DIR", "/p/../w").var("CLAUDE_CONFIG_DIR", "rel");
        assert_eq!((project(&world).as_deref(), state(&world).as_deref()), (Some("/w"), Some("/h/.claude")));
        let world = world.var("CLAUDE_CONFIG_DIR", "/c").var("CLAUDE_PLUGIN_ROOT", "/c/plugins/w");
        assert_eq!(state(&world).as_deref(), Some("/c"));
        let files = registrations(&world, "/w");
        for file in [
            "/c/settings.json",
            "/c/settings.local.json",
            "/w/.claude/settings.json",
            "/w/.claude/settings.local.json",
            "/c/session-env",
            "/c/plugins/w/hooks/hooks.json",
            "/c/plugins/w/.claude-plugin/plugin.json",
        ] {
            assert!(files.iter().any(|f| f == file), "{file} in {files:?}");
        }
    }
}
