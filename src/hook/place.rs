//! Where a session belongs, from what the client's environment and our own records say.

use std::path::Path;

use crate::config::PROJECT_FILE;
use crate::gate::Place;
use crate::harness::{Client, registrations};
use crate::home::Home;
use crate::path::Model;
use crate::session::Scratch;
use crate::session::temp::TEMP_VARIABLES;
use crate::world::World;

/// The project folder as known at the session's start: what the client says, else what was recorded when the
/// session was first seen, else the folder that it was started in: the hook's own in Codex, whose calls may name another
/// as their cwd, and the call's cwd elsewhere.
pub(crate) fn project_of(client: Client, world: &dyn World, scratch: &Scratch, cwd: &str) -> String {
    let model = world.model();
    if let Some(dir) = client.project(world) {
        return dir;
    }
    // A record that can't be read says nothing; the cwd then decides, as it would without one.
    match scratch.owner() {
        Ok(Some(owner)) if model.is_absolute(&owner.cwd) => model.normalize(&owner.cwd),
        _ if client == Client::Codex => started_in(model).unwrap_or_else(|| cwd.to_owned()),
        _ => cwd.to_owned(),
    }
}

/// The folder that this process was started in.
fn started_in(model: Model) -> Option<String> {
    let dir = std::env::current_dir().ok()?;
    dir.to_str().filter(|dir| model.is_absolute(dir)).map(|dir| model.normalize(dir))
}

/// The session's place.
pub(crate) fn of(client: Client, world: &dyn World, home: &Home, scratch: &Scratch, project: String) -> Place {
    let model = world.model();
    // Per-project settings only tighten, so removing them would loosen.
    let mut fenced = vec![model.join(&project, PROJECT_FILE)];
    fenced.extend(registrations(world, &project));
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
        harness_state: client.state(world).into_iter().collect(),
        fenced,
    }
}

/// A path of ours as the gate compares it. A path that is not Unicode can't be spelled in a tool call.
fn text(path: &Path, model: Model) -> String {
    model.normalize(&path.to_string_lossy())
}
