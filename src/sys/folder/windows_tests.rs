#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use std::fs;
use std::os::windows::fs::OpenOptionsExt as _;

use super::*;

fn made(dir: &Path, name: &str) -> OsString {
    fs::write(dir.join(name), name).unwrap();
    OsString::from(name)
}

#[test]
fn names_are_listed_up_to_a_limit() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::open(dir.path()).unwrap();
    assert_eq!(folder.names(3).unwrap(), (Vec::new(), true));
    for n in 0..900 {
        made(dir.path(), &format!("{n:03}{}\u{e9}", "x".repeat(n % 100)));
    }
    for folder in [&folder, &folder.again().unwrap(), &folder] {
        let (mut names, all) = folder.names(900).unwrap();
        let mut plain: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        plain.sort();
        assert!(all && names == plain);
    }
    let (names, all) = folder.names(899).unwrap();
    assert_eq!((names.len(), all), (899, false));
}

/// The system would take each for a path, a stream or the folder itself.
#[test]
fn only_single_names_are_taken() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("a")).unwrap();
    made(dir.path(), "a/b");
    let folder = Folder::open(dir.path()).unwrap();
    for name in ["", ".", "..", r"a\b", "a/b", "a:b", "::$DATA", r"\a", "a\0", r"\??\C:\x"] {
        let name = OsStr::new(name);
        assert!(folder.node(name).is_err() && folder.create(name).is_err() && folder.make(name).is_err(), "{name:?}");
        assert!(folder.file(name).is_err() && folder.folder(name).is_err(), "{name:?}");
        let (file, temporary) = (folder.create("t".as_ref()).unwrap(), OsStr::new("t"));
        assert!(folder.place(&file, temporary, name, false).is_err(), "{name:?}");
        folder.discard(file, temporary).unwrap();
    }
    assert_eq!(folder.names(9).unwrap().0, ["a"]);
}

#[test]
fn a_new_name_takes_no_place() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::open(dir.path()).unwrap();
    let (t, b, c) = (OsStr::new("t"), made(dir.path(), "b"), OsStr::new("c"));
    let file = folder.create(t).unwrap();
    assert_eq!(folder.create(t).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(folder.place(&file, t, &b, false).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(dir.path().join("b")).unwrap(), b"b");
    folder.place(&file, t, c, false).unwrap();
    folder.place(&file, c, &b, true).unwrap();
    folder.sync_name(&file).unwrap();
    drop(file);
    assert_eq!((folder.names(9).unwrap().0, fs::read(dir.path().join("b")).unwrap()), (vec![b.clone()], Vec::new()));
    let (is_b, is_folder) = (folder.node(&b).unwrap().identity, folder.own_node().unwrap().identity);
    assert!(!folder.remove_if(&b, is_folder).unwrap());
    assert!(folder.remove_if(&b, is_b).unwrap());
    assert_eq!(folder.node(&b).unwrap_err().kind(), io::ErrorKind::NotFound);
    folder.make(c).unwrap();
    assert_eq!(folder.make(c).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert!(folder.remove_if(c, folder.node(c).unwrap().identity).unwrap());
    assert_eq!(folder.names(9).unwrap().0.len(), 0);
}

#[test]
fn a_folder_stays_what_was_opened() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("a")).unwrap();
    let folder = Folder::open(&dir.path().join("a")).unwrap();
    fs::rename(dir.path().join("a"), dir.path().join("b")).unwrap();
    fs::create_dir(dir.path().join("a")).unwrap();
    drop(folder.create("x".as_ref()).unwrap());
    assert!(dir.path().join("b/x").is_file() && !dir.path().join("a/x").exists());
}

#[test]
fn what_a_handle_says() {
    let dir = tempfile::tempdir().unwrap();
    let a = made(dir.path(), "a");
    fs::hard_link(dir.path().join("a"), dir.path().join("b")).unwrap();
    let folder = Folder::open(dir.path()).unwrap();
    let by_name = folder.node("b".as_ref()).unwrap();
    assert_eq!((by_name.kind, by_name.len, by_name.links), (NodeKind::File, 1, 2));
    assert_eq!(node_of(folder.file(&a).unwrap()).unwrap(), by_name);
    assert!(by_name.shares_mount(&folder.own_node().unwrap()));
    assert_eq!(folder.own_node().unwrap().kind, NodeKind::Folder);
    assert!(folder.folder(&a).is_err_and(|error| error.kind() == io::ErrorKind::NotADirectory));
    assert!(Folder::open(&dir.path().join("a")).is_err());
    // No right to it is needed to look at it.
    let alone = OpenOptions::new().read(true).share_mode(0).open(dir.path().join("a")).unwrap();
    assert_eq!(folder.node(&a).unwrap(), by_name);
    assert!(folder.file(&a).is_err());
    drop(alone);
}

/// Whoever holds the old file open without sharing it is waited for, and not for ever.
#[test]
fn a_replacement_waits_for_a_reader() {
    let dir = tempfile::tempdir().unwrap();
    let (old, t) = (made(dir.path(), "old"), OsStr::new("t"));
    let folder = Folder::open(dir.path()).unwrap();
    let alone = || OpenOptions::new().read(true).share_mode(1).open(dir.path().join("old")).unwrap();
    let file = folder.create(t).unwrap();
    let held = alone();
    assert!(folder.place(&file, t, &old, true).is_err_and(|error| is_busy(&error)));
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(REPLACE_WAIT_MS / 4));
            drop(held);
        });
        folder.place(&file, t, &old, true).unwrap();
    });
    assert_eq!(fs::metadata(dir.path().join("old")).unwrap().len(), 0);
}
