//! What no text shows: links and hard links that lead out, tried on the disk.

use std::path::Path;

use crate::corpus::Scenario;

/// Hazards that are not tried here: making them needs rights that a user may lack, or is no matter of one call.
pub(super) const NOT_RUN: &[&str] = if cfg!(target_os = "linux") {
    &["mounts", "FIFOs", "races"]
} else {
    &["links", "hard links", "mounts", "FIFOs", "races"]
};

/// Tries each in a folder of its own below `root`, which is removed again.
#[cfg(target_os = "linux")]
pub(super) fn run(root: &Path) -> std::io::Result<Vec<Scenario>> {
    let place = tempfile::Builder::new().prefix(".wsguard-corpus-").tempdir_in(root)?;
    let found = linux::run(place.path())?;
    place.close()?;
    Ok(found)
}

/// None so far.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "as on Linux")]
pub(super) fn run(_: &Path) -> std::io::Result<Vec<Scenario>> {
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::io;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use crate::contained::{ContainedError, Root};
    use crate::corpus::Scenario;
    use crate::path::guard::{Refusal, Rules};

    pub(super) fn run(place: &Path) -> io::Result<Vec<Scenario>> {
        let (workspace, outside) = (place.join("workspace"), place.join("outside"));
        fs::create_dir(&workspace)?;
        fs::create_dir(&outside)?;
        fs::write(outside.join("loot"), "loot")?;
        symlink(&outside, workspace.join("folder"))?;
        symlink(outside.join("new"), workspace.join("dangling"))?;
        symlink("../outside/loot", workspace.join("file"))?;
        symlink("loop", workspace.join("loop"))?;
        fs::hard_link(outside.join("loot"), workspace.join("hard"))?;
        let root = Root::open(&workspace, Rules::Portable).map_err(io::Error::other)?;
        let deep = format!("folder/{}x", "d/".repeat(64));
        let tries = [
            ("write through a dangling link", root.create(b"dangling", b"x")),
            ("write through a link to a file", root.replace(b"file", b"x")),
            ("write through a link to a folder", root.create(b"folder/new", b"x")),
            ("write behind a link and 64 missing folders", root.create(deep.as_bytes(), b"x")),
            ("write to another name of an outside file", root.replace(b"hard", b"x")),
            ("read through a link to a file", root.read(b"file", 9).map(drop)),
            ("read through a link to a folder", root.read(b"folder/loot", 9).map(drop)),
            ("read another name of an outside file", root.read(b"hard", 9).map(drop)),
            ("read through a link that leads to itself", root.read(b"loop/x", 9).map(drop)),
            ("remove through a link to a folder", root.remove(b"folder/loot")),
        ];
        let mut found: Vec<Scenario> = tries.into_iter().map(|(name, result)| judged(name, result)).collect();
        let untouched = fs::read_dir(&outside)?.count() == 1 && fs::read(outside.join("loot"))? == b"loot";
        let got = if untouched { "" } else { "something outside changed" };
        found.push(Scenario { name: "nothing outside changed", passed: untouched, got: got.to_owned() });
        let link = place.join("link");
        symlink(&outside, &link)?;
        let opened = Root::open(&link, Rules::Portable);
        let got = opened.as_ref().map_or_else(ContainedError::code, |_| "opened").to_owned();
        found.push(Scenario { name: "a link in the root's place", passed: opened.is_err(), got });
        Ok(found)
    }

    fn judged(name: &'static str, result: Result<(), ContainedError>) -> Scenario {
        let got = result.map_or_else(|error| error.code(), |()| "done");
        Scenario { name, passed: got == Refusal::EscapesViaLink.code(), got: got.to_owned() }
    }
}
