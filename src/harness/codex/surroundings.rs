//! What decides in Codex's surroundings whether the hook runs.

use super::places::{CONFIG, HOOKS, MANAGED};
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

#[cfg(test)]
mod tests {
    use super::{registrations, state};
    use crate::path::Model;
    use crate::world::FakeWorld;

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
