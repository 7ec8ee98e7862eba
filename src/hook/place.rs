//! Where a Claude Code session belongs, from what the client's environment and our own records say.

use std::path::Path;

use crate::config::PROJECT_FILE;
use crate::gate::Place;
use crate::harness::claude::surroundings;
use crate::home::Home;
use crate::path::Model;
use crate::session::Scratch;
use crate::session::temp::TEMP_VARIABLES;
use crate::world::World;

/// The project folder as known at the session's start: what the client says, else what was recorded when the
/// session was first seen, else the call's cwd.
pub(crate) fn project_of(world: &dyn World, scratch: &Scratch, cwd: &str) -> String {
    let model = world.model();
    if let Some(dir) = surroundings::project(world) {
        return dir;
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
    fenced.extend(surroundings::registrations(world, &project));
    if let Some(exe) = crate::sys::program() {
        fenced.push(text(&exe, model));
    }
    Place {
        home: text(home.path(), model),
        project: Some(project),
        scratch: text(scratch.path(), model),
        temp: text(&home.temp(), model),
        // As this process has them: the redirected ones are the agent's.
        system_temp: TEMP_VARIABLES
            .iter()
            .filter_map(|name| std::env::var(name).ok().filter(|dir| model.is_absolute(dir)))
            .map(|dir| model.normalize(&dir))
            .collect(),
        harness_state: surroundings::state(world).into_iter().collect(),
        fenced,
    }
}

/// A path of ours as the gate compares it. A path that is not Unicode can't be spelled in a tool call.
fn text(path: &Path, model: Model) -> String {
    model.normalize(&path.to_string_lossy())
}
