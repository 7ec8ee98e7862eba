//! Removing a tree for good, folder by open folder: no link is followed, no other mount is entered.

use std::ffi::{OsStr, OsString};
use std::io;

use crate::limits::{MAX_OPEN_LEVELS, REMOVE_BATCH};
use crate::sys::{Folder, Identity, Node, NodeKind, link_in_the_way, mount_in_the_way};

/// A folder that is being emptied.
struct Level {
    folder: Folder,
    /// Its name in the folder above, and which it is.
    name: OsString,
    which: Identity,
    names: std::vec::IntoIter<OsString>,
    /// Whether `names` were all.
    all: bool,
}

/// Removes what stands at `name` in `parent`, with all that it holds, if it is `which`. Gives how many entries went.
/// What is gone already is no error: another may have begun.
pub(crate) fn remove_tree(parent: &Folder, name: &OsStr, which: Identity) -> io::Result<u64> {
    let node = match parent.node(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        node => node?,
    };
    if node.identity != which {
        return Err(io::Error::other("another entry took its place"));
    }
    if node.kind != NodeKind::Folder {
        return remove_one(parent, name, which).map(u64::from);
    }
    let root = enter(parent, name, &node, None)?;
    let top = root.folder.own_node()?;
    let mut removed = 0;
    let mut moved = 0_u64;
    let mut stack = vec![root];
    loop {
        let depth = stack.len();
        let Some(level) = stack.last_mut() else { return Ok(removed) };
        let Some(name) = level.names.next() else {
            if !level.all {
                (level.names, level.all) = list(&level.folder)?;
                continue;
            }
            let Some(done) = stack.pop() else { return Ok(removed) };
            let above = stack.last().map_or(parent, |level| &level.folder);
            match remove_one(above, &done.name, done.which) {
                // Something was put into it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => stack.push(again(done)?),
                gone => removed += u64::from(gone?),
            }
            continue;
        };
        let node = match level.folder.node(&name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            node => node?,
        };
        if node.kind != NodeKind::Folder {
            removed += u64::from(remove_one(&level.folder, &name, node.identity)?);
            continue;
        }
        if depth >= MAX_OPEN_LEVELS {
            // Beside the others at the top, where it is met when they are done.
            let (Some(first), Some(level)) = (stack.first(), stack.last()) else { return Ok(removed) };
            moved += 1;
            // A folder that its owner may not change can't be moved to another.
            level.folder.folder(&name)?.open_up().unwrap_or_default();
            level.folder.move_to(
                &name,
                node.identity,
                &first.folder,
                free_name(&first.folder, &mut moved)?.as_ref(),
            )?;
            if let Some(first) = stack.first_mut() {
                first.all = false;
            }
            continue;
        }
        let inner = enter(&level.folder, &name, &node, Some(&top))?;
        stack.push(inner);
    }
}

/// A name for a deep folder at the top.
fn free_name(top: &Folder, from: &mut u64) -> io::Result<OsString> {
    loop {
        let name = OsString::from(format!(".wsguard-deep-{from}"));
        match top.node(&name) {
            Ok(_) => *from += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(name),
            Err(error) => return Err(error),
        }
    }
}

fn remove_one(folder: &Folder, name: &OsStr, which: Identity) -> io::Result<bool> {
    let gone = match folder.remove_even_protected(name, which) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            // A folder that its owner may not change; whose it is has been proven.
            folder.open_up().map_err(|_| error)?;
            folder.remove_even_protected(name, which)
        }
        gone => gone,
    };
    match gone {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Ok(false) => Err(io::Error::other("another entry took its place")),
        gone => gone,
    }
}

/// Opens the folder `name`, which was looked at as `node`, to be emptied.
fn enter(parent: &Folder, name: &OsStr, node: &Node, top: Option<&Node>) -> io::Result<Level> {
    if top.is_some_and(|top| !node.shares_mount(top)) {
        return Err(mount_in_the_way());
    }
    let folder = parent.folder(name)?;
    if folder.own_node()?.identity != node.identity {
        return Err(link_in_the_way());
    }
    let (names, all) = list(&folder)?;
    Ok(Level { folder, name: name.to_owned(), which: node.identity, names, all })
}

fn again(level: Level) -> io::Result<Level> {
    let (names, all) = list(&level.folder)?;
    Ok(Level { names, all, ..level })
}

fn list(folder: &Folder) -> io::Result<(std::vec::IntoIter<OsString>, bool)> {
    let names = match folder.names(REMOVE_BATCH) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            folder.open_up().map_err(|_| error)?;
            folder.names(REMOVE_BATCH)
        }
        names => names,
    };
    names.map(|(names, all)| (names.into_iter(), all))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;
    use std::path::Path;

    use super::remove_tree;
    use crate::limits::MAX_OPEN_LEVELS;
    use crate::sys::Folder;

    fn remove(dir: &Path, name: &str) -> std::io::Result<u64> {
        let parent = Folder::open(dir)?;
        let which = parent.node(name.as_ref())?.identity;
        remove_tree(&parent, name.as_ref(), which)
    }

    #[test]
    fn trees_of_every_shape_go() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("x/a/b")).unwrap();
        fs::create_dir_all(at("x/c")).unwrap();
        fs::write(at("x/a/b/f"), "1").unwrap();
        fs::write(at("x/g"), "1").unwrap();
        assert_eq!(remove(dir.path(), "x").unwrap(), 6);
        fs::write(at("f"), "").unwrap();
        assert_eq!(remove(dir.path(), "f").unwrap(), 1);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_tree_deeper_than_what_is_held_open_goes() {
        let dir = tempfile::tempdir().unwrap();
        let mut path = dir.path().join("x");
        fs::create_dir(&path).unwrap();
        fs::write(path.join(".wsguard-deep-1"), "somebody's").unwrap();
        for _ in 0..MAX_OPEN_LEVELS * 3 {
            path.push("d");
            fs::create_dir(&path).unwrap();
            fs::write(path.join("f"), "").unwrap();
        }
        remove(dir.path(), "x").unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn more_names_than_are_read_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("x")).unwrap();
        for n in 0..crate::limits::REMOVE_BATCH * 2 + 3 {
            fs::write(dir.path().join(format!("x/{n}")), "").unwrap();
        }
        remove(dir.path(), "x").unwrap();
        assert!(!dir.path().join("x").exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_go_and_what_they_lead_to_stays() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("keep/inner")).unwrap();
        fs::create_dir_all(dir.path().join("x/closed/inner")).unwrap();
        symlink("../keep", dir.path().join("x/link")).unwrap();
        symlink("nowhere", dir.path().join("x/closed/dangling")).unwrap();
        fs::set_permissions(dir.path().join("x/closed"), fs::Permissions::from_mode(0o555)).unwrap();
        remove(dir.path(), "x").unwrap();
        assert!(!dir.path().join("x").exists() && dir.path().join("keep/inner").is_dir());
        let parent = Folder::open(dir.path()).unwrap();
        let other = parent.node("keep".as_ref()).unwrap().identity;
        fs::create_dir(dir.path().join("y")).unwrap();
        assert!(remove_tree(&parent, "y".as_ref(), other).is_err());
    }
}
