//! Every hole of a plain join, closed; each test shows first that the plain join has it.

#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod races;

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use super::{ContainedError, Root};
use crate::path::guard::Rules;

struct Place {
    _outer: tempfile::TempDir,
    root: PathBuf,
    outside: PathBuf,
}

impl Place {
    fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let (root, outside) = (outer.path().join("workspace"), outer.path().join("outside"));
        fs::create_dir_all(root.join("dir")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("loot"), "loot").unwrap();
        fs::write(root.join("dir/notes"), "notes").unwrap();
        Self { _outer: outer, root, outside }
    }

    fn open(&self) -> Root {
        Root::open(&self.root, Rules::Portable).unwrap()
    }

    /// What lies outside, by name.
    fn loot(&self) -> Vec<(String, String)> {
        let mut found: Vec<_> = fs::read_dir(&self.outside)
            .unwrap()
            .map(|e| e.unwrap().path())
            .map(|p| {
                (p.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&p).unwrap_or_default())
            })
            .collect();
        found.sort();
        found
    }

    fn assert_untouched(&self) {
        assert_eq!(self.loot(), [("loot".to_owned(), "loot".to_owned())]);
    }
}

fn code<T: std::fmt::Debug>(result: Result<T, ContainedError>) -> &'static str {
    result.unwrap_err().code()
}

const LINK: &str = "path_escapes_workspace_via_link";

#[test]
fn files_are_written_read_and_removed() {
    let place = Place::new();
    let root = place.open();
    root.create(b"a/b/c.txt", b"one").unwrap();
    assert_eq!(root.read(b"a\\b\\c.txt", 10).unwrap(), b"one");
    assert_eq!(code(root.create(b"a/b/c.txt", b"x")), "workspace_write_failed");
    root.replace(b"a/b/c.txt", b"two").unwrap();
    assert_eq!(fs::read(place.root.join("a/b/c.txt")).unwrap(), b"two");
    assert_eq!(code(root.read(b"a/b/c.txt", 2)), "workspace_file_too_large");
    root.remove(b"a/b/c.txt").unwrap();
    assert_eq!(code(root.remove(b"a/b/c.txt")), "workspace_file_missing");
    assert_eq!(code(root.read(b"none/x", 9)), "workspace_file_missing");
    assert_eq!(code(root.read(b"dir", 9)), "workspace_not_a_regular_file");
    assert_eq!(code(root.replace(b"dir", b"x")), "workspace_not_a_regular_file");
    assert_eq!(code(root.replace(b"dir/notes/x", b"x")), "workspace_write_failed");
    assert_eq!(fs::read_dir(place.root.join("a/b")).unwrap().count(), 0, "nothing temporary stays");
    for path in [&b"../outside/loot"[..], b"/etc/passwd", b"a/../b", b"\xff", b"."] {
        assert!(code(root.read(path, 9)).starts_with("path_") && code(root.replace(path, b"x")).starts_with("path_"));
    }
    place.assert_untouched();
}

#[test]
fn a_dangling_link_is_not_written_through() {
    let place = Place::new();
    symlink(place.outside.join("new"), place.root.join("link")).unwrap();
    fs::write(place.root.join("link"), "x").unwrap();
    assert_eq!(place.loot().len(), 2, "a plain write goes through");
    fs::remove_file(place.outside.join("new")).unwrap();
    let root = place.open();
    assert_eq!(code(root.create(b"link", b"x")), LINK);
    assert_eq!(code(root.replace(b"link", b"x")), LINK);
    assert_eq!(code(root.remove(b"link")), LINK);
    place.assert_untouched();
}

#[test]
fn many_missing_folders_hide_no_link() {
    let place = Place::new();
    symlink(&place.outside, place.root.join("link")).unwrap();
    let deep = format!("link/{}x", "d/".repeat(100));
    let root = place.open();
    assert_eq!(code(root.create(deep.as_bytes(), b"x")), LINK);
    assert_eq!(code(root.create(b"link/x", b"x")), LINK);
    assert_eq!(code(root.read(b"link/loot", 9)), LINK);
    assert_eq!(code(root.remove(b"link/loot")), LINK);
    place.assert_untouched();
    fs::create_dir_all(place.root.join(&deep)).unwrap();
    assert!(place.outside.join("d/d/d").is_dir(), "a plain call goes through");
}

#[test]
fn a_link_within_the_root_is_refused_too() {
    let place = Place::new();
    symlink("dir/notes", place.root.join("alias")).unwrap();
    assert_eq!(fs::read(place.root.join("alias")).unwrap(), b"notes");
    assert_eq!(code(place.open().read(b"alias", 9)), LINK);
}

#[test]
fn another_name_of_an_outside_file_is_refused() {
    let place = Place::new();
    fs::hard_link(place.outside.join("loot"), place.root.join("hard")).unwrap();
    assert_eq!(fs::read(place.root.join("hard")).unwrap(), b"loot", "a plain read leaks");
    let root = place.open();
    assert_eq!(code(root.read(b"hard", 9)), LINK);
    assert_eq!(code(root.replace(b"hard", b"x")), LINK);
    assert_eq!(code(root.remove(b"hard")), LINK);
    place.assert_untouched();
}

#[test]
fn a_root_that_is_a_link_is_none() {
    let place = Place::new();
    let link = place.root.parent().unwrap().join("link");
    symlink(&place.outside, &link).unwrap();
    for path in [link.clone(), link.join(""), PathBuf::from(format!("{}//", link.display()))] {
        assert_eq!(code(Root::open(&path, Rules::Portable)), "workspace_root_unusable", "{}", path.display());
    }
    assert_eq!(code(Root::open(&place.root.join("dir/notes"), Rules::Portable)), "workspace_root_unusable");
    assert!(Root::open(&place.root.join(""), Rules::Portable).is_ok());
    assert!(Root::open(Path::new("/"), Rules::Portable).is_ok());
}

#[test]
fn a_root_that_is_replaced_stays_what_was_opened() {
    let place = Place::new();
    let root = place.open();
    let moved = place.root.with_file_name("moved");
    fs::rename(&place.root, &moved).unwrap();
    symlink(&place.outside, &place.root).unwrap();
    assert_eq!(fs::read(place.root.join("loot")).unwrap(), b"loot", "a plain read leaks");
    assert_eq!(code(root.read(b"loot", 9)), "workspace_file_missing");
    root.create(b"new", b"x").unwrap();
    assert!(moved.join("new").is_file());
    place.assert_untouched();
}

#[test]
fn neither_pipes_nor_loops_hang() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.root.join("pipe")).status().unwrap();
    assert!(made.success());
    symlink("loop", place.root.join("loop")).unwrap();
    let root = place.open();
    let (done, wait) = mpsc::channel();
    std::thread::spawn(move || {
        done.send([code(root.read(b"pipe", 9)), code(root.replace(b"pipe", b"x")), code(root.read(b"loop/x", 9))])
            .unwrap();
    });
    let codes = wait.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!(codes, ["workspace_not_a_regular_file", "workspace_not_a_regular_file", LINK]);
}

#[test]
fn another_mount_is_not_entered() {
    // The system's own mounts will do; a plain read has no trouble with them.
    let root = Root::open(Path::new("/"), Rules::Posix).unwrap();
    if fs::metadata("/proc/self/status").is_err_and(|e| e.kind() == io::ErrorKind::NotFound) {
        return;
    }
    assert_eq!(code(root.read(b"proc/uptime", 99)), LINK);
    assert_eq!(code(root.read(b"proc/self/root/etc/passwd", 99)), LINK);
}
