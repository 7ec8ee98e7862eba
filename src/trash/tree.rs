//! Copies of trees, and whether one is whole. No link is followed, no other mount entered.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};

use crate::limits::{MAX_COPY_LEVELS, MAX_COPY_NAMES};
use crate::sys::{
    EntryFacts, Folder, Node, NodeKind, copy_attributes, is_no_file, mount_in_the_way, node_of, raise_open_files,
    set_owner_and_mode,
};

/// A folder that is being copied or compared.
struct Level {
    from: Folder,
    to: Folder,
    facts: EntryFacts,
    names: std::vec::IntoIter<OsString>,
}

/// Copies what stands at `name` in `from` to `new` in `to`, where nothing may stand: contents, modes, times, owners where
/// that is permitted, extended attributes; links as links. A file with several names becomes several files.
///
/// # Errors
/// The system's; pipes, sockets and devices can't be copied, nor what is changed meanwhile.
pub(crate) fn copy_tree(from: &Folder, name: &OsStr, to: &Folder, new: &OsStr) -> io::Result<()> {
    // Folders are held open on both sides.
    raise_open_files();
    let top = from.facts(name)?;
    let Some(first) = copy_one(from, name, to, new, &top)? else { return to.sync() };
    let mut stack = vec![first];
    while let Some(level) = stack.last_mut() {
        let Some(name) = level.names.next() else {
            if let Some(done) = stack.pop() {
                settle_folder(&done)?;
            }
            continue;
        };
        let facts = level.from.facts(&name)?;
        if !facts.node.shares_mount(&top.node) {
            return Err(mount_in_the_way());
        }
        if let Some(inner) = copy_one(&level.from, &name, &level.to, &name, &facts)? {
            if stack.len() >= MAX_COPY_LEVELS {
                return Err(too_deep());
            }
            stack.push(inner);
        }
    }
    to.sync()
}

fn too_deep() -> io::Error {
    io::Error::other(format!("it is nested deeper than the {MAX_COPY_LEVELS} folders that are copied"))
}

/// Copies one entry; of a folder itself alone, to be gone on with.
fn copy_one(from: &Folder, name: &OsStr, to: &Folder, new: &OsStr, facts: &EntryFacts) -> io::Result<Option<Level>> {
    match facts.node.kind {
        NodeKind::Folder => {
            to.make(new)?;
            let folder = from.folder(name)?;
            if folder.own_node()?.identity != facts.node.identity {
                return Err(changed());
            }
            let names = names(&folder)?;
            Ok(Some(Level { from: folder, to: to.folder(new)?, facts: *facts, names: names.into_iter() }))
        }
        NodeKind::File => {
            let mut file = opened(from, name, &facts.node)?;
            let mut copy = to.create(new)?;
            io::copy(&mut file, &mut copy)?;
            copy_attributes(&file, &copy)?;
            set_owner_and_mode(&copy, facts)?;
            copy.set_modified(time(facts.modified))?;
            copy.sync_all()?;
            Ok(None)
        }
        NodeKind::Link => {
            let target = from.read_link(name)?;
            to.make_link(new, &target)?;
            Ok(None)
        }
        NodeKind::Other => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("{} is neither file, folder nor link, and can't be copied", name.display()),
        )),
    }
}

fn changed() -> io::Error {
    io::Error::other("it changed while it was copied")
}

fn opened(folder: &Folder, name: &OsStr, node: &Node) -> io::Result<File> {
    let file = match folder.file(name) {
        Err(error) if is_no_file(&error) => return Err(changed()),
        file => file?,
    };
    if node_of(&file)?.identity == node.identity { Ok(file) } else { Err(changed()) }
}

/// What a folder keeps once all of it is there.
fn settle_folder(done: &Level) -> io::Result<()> {
    let (from, to) = (done.from.opened()?, done.to.opened()?);
    copy_attributes(&from, &to)?;
    done.to.set_modified(time(done.facts.modified))?;
    set_owner_and_mode(&to, &done.facts)?;
    done.to.sync()
}

fn time(nanos: i64) -> SystemTime {
    let distance = Duration::from_nanos(nanos.unsigned_abs());
    let moved = if nanos < 0 { UNIX_EPOCH.checked_sub(distance) } else { UNIX_EPOCH.checked_add(distance) };
    moved.unwrap_or(UNIX_EPOCH)
}

fn names(folder: &Folder) -> io::Result<Vec<OsString>> {
    let (mut names, all) = folder.names(MAX_COPY_NAMES)?;
    if !all {
        return Err(io::Error::other(format!("a folder holds more than {MAX_COPY_NAMES} names")));
    }
    names.sort();
    Ok(names)
}

/// Whether both trees hold the same: names, kinds, contents by their SHA-256, where links lead.
pub(crate) fn is_same_tree(one: &Folder, name: &OsStr, other: &Folder, new: &OsStr) -> io::Result<bool> {
    let facts = one.facts(name)?;
    let mut stack = Vec::new();
    if !compare(one, name, other, new, &facts, &mut stack)? {
        return Ok(false);
    }
    while let Some(level) = stack.last_mut() {
        let Some(name) = level.names.next() else {
            stack.pop();
            continue;
        };
        let facts = level.from.facts(&name)?;
        let (from, to) = (level.from.again()?, level.to.again()?);
        if !compare(&from, &name, &to, &name, &facts, &mut stack)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn compare(
    one: &Folder,
    name: &OsStr,
    other: &Folder,
    new: &OsStr,
    facts: &EntryFacts,
    stack: &mut Vec<Level>,
) -> io::Result<bool> {
    let node = match other.node(new) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        node => node?,
    };
    if node.kind != facts.node.kind {
        return Ok(false);
    }
    Ok(match node.kind {
        NodeKind::File => {
            node.len == facts.node.len && sum(opened(one, name, &facts.node)?)? == sum(opened(other, new, &node)?)?
        }
        NodeKind::Link => one.read_link(name)? == other.read_link(new)?,
        NodeKind::Other => false,
        NodeKind::Folder => {
            if stack.len() >= MAX_COPY_LEVELS {
                return Err(too_deep());
            }
            let (from, to) = (one.folder(name)?, other.folder(new)?);
            let names = names(&from)?;
            let same = self::names(&to)? == names;
            stack.push(Level { from, to, facts: *facts, names: names.into_iter() });
            same
        }
    })
}

fn sum(mut file: File) -> io::Result<[u8; 32]> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 128 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.finalize().into()),
            read => hash.update(&buffer[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use super::{copy_tree, is_same_tree};
    use crate::sys::Folder;

    #[test]
    fn a_copy_is_whole_or_it_shows() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("a/inner/empty")).unwrap();
        fs::write(dir.path().join("a/inner/f"), vec![7; 300_000]).unwrap();
        fs::write(dir.path().join("a/g"), "").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("/nowhere", dir.path().join("a/link")).unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let copy = || copy_tree(&folder, "a".as_ref(), &folder, "b".as_ref());
        let same = || is_same_tree(&folder, "a".as_ref(), &folder, "b".as_ref()).unwrap();
        copy().unwrap();
        assert!(same());
        assert!(copy().is_err(), "nothing is written over");
        let modified = |path: &str| fs::metadata(dir.path().join(path)).unwrap().modified().unwrap();
        assert_eq!(modified("a/inner/f"), modified("b/inner/f"));
        assert_eq!(modified("a/inner"), modified("b/inner"));
        fs::write(dir.path().join("b/inner/f"), vec![8; 300_000]).unwrap();
        assert!(!same());
        fs::write(dir.path().join("b/inner/f"), vec![7; 300_000]).unwrap();
        assert!(same());
        fs::write(dir.path().join("b/more"), "").unwrap();
        assert!(!same());
        fs::remove_file(dir.path().join("b/more")).unwrap();
        fs::remove_file(dir.path().join("b/g")).unwrap();
        assert!(!same());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_copied() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("a")).unwrap();
        crate::sys::make_pipe(&dir.path().join("a/pipe")).unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let error = copy_tree(&folder, "a".as_ref(), &folder, "b".as_ref()).unwrap_err();
        assert!(error.to_string().contains("pipe"), "{error}");
    }
}
