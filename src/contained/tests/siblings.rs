//! Names that another file system takes for one.

use std::fs;

use super::{LINK, Place, code, link_to_folder, ways};
#[cfg(unix)]
use crate::contained::Root;
#[cfg(unix)]
use crate::path::guard::Rules;

const COLLIDES: &str = "path_collides_with_sibling";

/// Where the file system takes both for one, as that of Windows.
#[test]
fn another_spelling_of_a_file_s_name_is_refused() {
    for way in ways() {
        let place = Place::new();
        fs::write(place.root.join("Caf\u{e9}.md"), "mine").unwrap();
        let root = place.open(way);
        for path in ["CAFE\u{301}.MD", "caf\u{e9}.md", "Cafe\u{301}.md", "dir/NOTES", "dir/Notes"] {
            assert_eq!(code(root.create(path.as_bytes(), b"x")), COLLIDES, "{path}");
            assert_eq!(code(root.replace(path.as_bytes(), b"x")), COLLIDES, "{path}");
        }
        let count = |folder: &str| fs::read_dir(place.root.join(folder)).unwrap().count();
        assert_eq!((count(""), count("dir")), (2, 1));
        for path in ["Caf\u{e9}.md", "dir/notes", "dir/new", "Cafe.md", "dire/x"] {
            root.replace(path.as_bytes(), b"new").unwrap();
            assert_eq!(root.read(path.as_bytes(), 9).unwrap(), b"new");
        }
    }
}

/// Where the file system tells them apart.
#[cfg(unix)]
#[test]
fn another_spelling_of_a_name_is_refused() {
    for way in ways() {
        let place = Place::new();
        fs::write(place.root.join("Caf\u{e9}.md"), "mine").unwrap();
        fs::write(place.root.join("dir/Notes"), "plain").unwrap();
        assert_eq!(fs::read_dir(place.root.join("dir")).unwrap().count(), 2, "a plain write makes both");
        let root = place.open(way);
        for path in ["CAFE\u{301}.MD", "caf\u{e9}.md", "Cafe\u{301}.md", "DIR/new", "Dir/deep/er", "dir/NOTES"] {
            assert_eq!(code(root.create(path.as_bytes(), b"x")), COLLIDES, "{path}");
            assert_eq!(code(root.replace(path.as_bytes(), b"x")), COLLIDES, "{path}");
        }
        // Nothing is half made, and what is there can still be written.
        assert_eq!(fs::read_dir(&place.root).unwrap().count(), 2);
        for path in ["Caf\u{e9}.md", "dir/notes", "dir/Notes", "dir/new", "Cafe.md", "dire/x"] {
            root.replace(path.as_bytes(), b"new").unwrap();
        }
        assert_eq!(root.read("Caf\u{e9}.md".as_bytes(), 9).unwrap(), b"new");
    }
}

#[cfg(unix)]
#[test]
fn posix_rules_tell_case_apart() {
    for way in ways() {
        let place = Place::new();
        let root = Root::open_by(&place.root, Rules::Posix, way).unwrap();
        root.create(b"dir/NOTES", b"x").unwrap();
        root.create(b"Dir/x", b"x").unwrap();
        let root = Root::open_by(&place.root, Rules::Windows, way).unwrap();
        assert_eq!(code(root.create(b"dir/nOTES", b"x")), COLLIDES);
    }
}

#[test]
fn a_link_that_collides_is_a_sibling_too() {
    for way in ways() {
        let place = Place::new();
        if !link_to_folder(&place.outside, &place.root.join("Link")) {
            return;
        }
        let root = place.open(way);
        // Windows finds the link by the other spelling.
        assert_eq!(code(root.create(b"link/x", b"x")), if cfg!(windows) { LINK } else { COLLIDES });
        assert_eq!(code(root.create(b"Link/x", b"x")), LINK);
    }
}
