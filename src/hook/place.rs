//! Where a Claude Code session belongs, from what the client's environment and our own records say.

use std::path::Path;

use crate::config::PROJECT_FILE;
use crate::gate::Place;
use crate::home::Home;
use crate::path::Model;
use crate::session::Scratch;
use crate::world::World;

/// The project folder as known at the session's start: what the client says, else what was recorded when the
/// session was first seen, else the call's cwd.
pub(crate) fn project_of(world: &dyn World, scratch: &Scratch, cwd: &str) -> String {
    let model = world.model();
    if let Some(dir) = world.env("CLAUDE_PROJECT_DIR").filter(|d| model.is_absolute(d)) {
        return model.normalize(&dir);
    }
    // A record that can't be read says nothing; the cwd then decides, as it would without one.
    match scratch.owner() {
        Ok(Some(owner)) if model.is_absolute(&owner.cwd) => model.normalize(&owner.cwd),
        _ => cwd.to_owned(),
    }
}

/// The session's place.
pub(crate) fn of(world: &dyn World, home: &Home, scratch: &Scratch, project: String) -> Place {
    let model = world.model();
    // Per-project settings only tighten, so removing them would loosen.
    let mut fenced = vec![model.join(&project, PROJECT_FILE)];
    let mut harness_state = Vec::new();
    let user_state = match world.env("CLAUDE_CONFIG_DIR").filter(|d| model.is_absolute(d)) {
        Some(dir) => Some(model.normalize(&dir)),
        None => world.home().map(|home| model.join(&home, ".claude")),
    };
    for dir in user_state.iter().chain([&model.join(&project, ".claude")]) {
        fenced.push(model.join(dir, "settings.json"));
        fenced.push(model.join(dir, "settings.local.json"));
    }
    harness_state.extend(user_state);
    if let Ok(exe) = std::env::current_exe() {
        fenced.push(text(&exe, model));
    }
    Place {
        home: text(home.path(), model),
        project: Some(project),
        scratch: text(scratch.path(), model),
        temp: text(&home.temp(), model),
        harness_state,
        fenced,
    }
}

/// A path of ours as the gate compares it. A path that is not Unicode can't be spelled in a tool call.
fn text(path: &Path, model: Model) -> String {
    model.normalize(&path.to_string_lossy())
}
