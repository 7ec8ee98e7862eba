//! What only Windows has: access lists, write protection, streams, names that Win32 reads otherwise, files that others hold.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::windows::fs::OpenOptionsExt as _;

use super::{LINK, Place, Root, code, link_to_folder, skipped, ways};
use crate::path::guard::{Refusal, Rules};
use crate::sys::{Folder, NodeKind, access_list, copy_access, create_private_folder};

#[test]
fn a_file_keeps_its_access_list() {
    for way in ways() {
        let place = Place::new();
        let (file, root) = (place.root.join("dir/notes"), place.open(way));
        let private = place.root.with_file_name("private");
        create_private_folder(&private).unwrap();
        let plain = access_list(&file).unwrap();
        copy_access(&private, &file).unwrap();
        let list = access_list(&file).unwrap();
        if list == plain {
            skipped("keeping access lists: Wine did not change the one of a file");
            return;
        }
        root.replace(b"dir/notes", b"new").unwrap();
        assert_eq!(access_list(&file).unwrap(), list);
        root.create(b"dir/other", b"x").unwrap();
        assert_eq!(access_list(&place.root.join("dir/other")).unwrap(), plain, "a new one follows its folder");
    }
}

#[test]
fn what_is_write_protected_is_neither_replaced_nor_removed() {
    for way in ways() {
        let place = Place::new();
        let (file, root) = (place.root.join("dir/notes"), place.open(way));
        let protect = |on: bool| {
            let mut rights = fs::metadata(&file).unwrap().permissions();
            rights.set_readonly(on);
            fs::set_permissions(&file, rights).unwrap();
        };
        protect(true);
        assert_eq!(code(root.replace(b"dir/notes", b"x")), "workspace_write_failed");
        assert_eq!(code(root.remove(b"dir/notes")), "workspace_delete_failed");
        assert_eq!(root.read(b"dir/notes", 9).unwrap(), b"notes");
        assert_eq!(fs::read_dir(place.root.join("dir")).unwrap().count(), 1, "nothing temporary stays");
        protect(false);
        root.replace(b"dir/notes", b"x").unwrap();
        root.remove(b"dir/notes").unwrap();
    }
}

/// A colon is a matter of the guard, but under the rules of POSIX alone it is none.
#[test]
fn no_rules_lead_into_a_stream() {
    for way in ways() {
        let place = Place::new();
        let root = Root::open_by(&place.root, Rules::Posix, way).unwrap();
        for path in ["dir/notes:stream", "dir/notes::$DATA", "dir:stream", "dir::$INDEX_ALLOCATION/notes", "new:x"] {
            assert!(root.create(path.as_bytes(), b"x").is_err(), "{path}");
            assert!(root.replace(path.as_bytes(), b"x").is_err(), "{path}");
            assert!(root.read(path.as_bytes(), 9).is_err() && root.remove(path.as_bytes()).is_err(), "{path}");
        }
        assert_eq!(fs::read(place.root.join("dir/notes")).unwrap(), b"notes");
        assert_eq!(fs::read_dir(&place.root).unwrap().count(), 1);
        assert_eq!(fs::read_dir(place.root.join("dir")).unwrap().count(), 1);
    }
}

/// Others' programs hold files in many ways; nobody waits for them for long, and nothing is half done.
#[test]
fn files_that_others_hold() {
    for way in ways() {
        let place = Place::new();
        let (file, root) = (place.root.join("dir/notes"), place.open(way).unwatched());
        let alone = fs::OpenOptions::new().read(true).share_mode(0).open(&file).unwrap();
        assert_eq!(code(root.read(b"dir/notes", 9)), "workspace_read_failed");
        assert_eq!(code(root.replace(b"dir/notes", b"x")), "workspace_write_failed");
        assert_eq!(code(root.remove(b"dir/notes")), "workspace_delete_failed");
        assert_eq!(root.list(Some(b"dir"), 9).unwrap().entries[0].len, 5, "it can be looked at");
        assert_eq!(fs::read_dir(place.root.join("dir")).unwrap().count(), 1, "nothing temporary stays");
        drop(alone);
        let shared = fs::File::open(&file).unwrap();
        assert_eq!(root.read(b"dir/notes", 9).unwrap(), b"notes");
        if root.replace(b"dir/notes", b"new").is_err() {
            skipped("replacing a file that a reader has open: Wine can't");
        }
        drop(shared);
        root.replace(b"dir/notes", b"new").unwrap();
        assert_eq!(root.read(b"dir/notes", 9).unwrap(), b"new");
    }
}

/// Names that Win32 takes for others, or for devices, are listed with the reason; the rest of the folder with them.
#[test]
fn folders_are_listed_with_what_keeps_an_entry_out() {
    for way in ways() {
        let place = Place::new();
        let folder = Folder::open(&place.root).unwrap();
        let names = [
            ("NUL", Some(Refusal::ReservedDeviceName)),
            ("con.txt", Some(Refusal::ReservedDeviceName)),
            ("dot.", Some(Refusal::EdgeDotOrSpace)),
            ("space ", Some(Refusal::EdgeDotOrSpace)),
            ("..x", Some(Refusal::TraversesOutside)),
            ("\u{202e}gpj.exe", Some(Refusal::InvisibleCharacter)),
            ("-rf", None),
            ("plain.txt", None),
        ];
        for (name, _) in names {
            drop(folder.create(OsStr::new(name)).unwrap());
        }
        fs::hard_link(place.outside.join("loot"), place.root.join("hard")).unwrap();
        let linked = link_to_folder(&place.outside, &place.root.join("link"));
        let root = place.open(way);
        let listed = root.list(None, 99).unwrap();
        let of = |name: &str| {
            let entry = listed.entries.iter().find(|entry| entry.name == name).unwrap();
            (entry.kind, entry.len, entry.refusal)
        };
        assert!(listed.complete);
        for (name, refusal) in names {
            assert_eq!(of(name), (NodeKind::File, 0, refusal), "{name}");
        }
        let out = Some(Refusal::EscapesViaLink);
        assert_eq!((of("dir"), of("hard")), ((NodeKind::Folder, 0, None), (NodeKind::File, 4, out)));
        assert_eq!(listed.entries.len(), names.len() + 2 + usize::from(linked));
        if linked {
            assert_eq!((of("link").0, of("link").2), (NodeKind::Link, out));
            assert_eq!(code(root.list(Some(b"link"), 9)), LINK);
            assert_eq!(code(root.list(Some(b"link/x"), 9)), LINK);
        }
        let cut = root.list(None, 2).unwrap();
        assert_eq!((cut.entries.len(), cut.complete), (2, false));
        assert_eq!(root.list(Some(b"dir"), 9).unwrap().entries.len(), 1);
        assert_eq!(code(root.list(Some(b"none"), 9)), "workspace_file_missing");
        assert_eq!(code(root.list(Some(b"plain.txt"), 9)), "workspace_read_failed");
        assert_eq!(code(root.list(Some(b".."), 9)), "path_traverses_outside_workspace");
    }
}

/// The file system finds a name by other spellings, and what is found is the one file.
#[test]
fn other_spellings_find_the_same_file() {
    for way in ways() {
        let place = Place::new();
        let root = place.open(way);
        assert_eq!(root.read(b"DIR/Notes", 9).unwrap(), b"notes");
        root.create(b"DIR/new", b"x").unwrap();
        assert!(place.root.join("dir/new").is_file());
        root.remove(b"Dir/NEW").unwrap();
        let names: Vec<OsString> = root.list(Some(b"DIR"), 9).unwrap().entries.into_iter().map(|e| e.name).collect();
        assert_eq!(names, ["notes"]);
    }
}
