//! What lies in a workspace to trouble whoever opens it.

use std::fs;
use std::path::Path;

use super::{LINK, Place, Root, code, link_to_folder, ways};
use crate::path::guard::Rules;

/// Whatever is written behind its name, a link in the root's place is one.
#[test]
fn no_spelling_makes_a_link_a_root() {
    for way in ways() {
        let place = Place::new();
        let link = place.root.with_file_name("link");
        let linked = link_to_folder(&place.outside, &link);
        let of_windows: &[&str] = if cfg!(windows) { &[r"\", r"\.", r"\\", ".", ". ", r".\"] } else { &[] };
        for end in ["", "/", "//", "/.", "/./", "//.//./"].iter().chain(of_windows) {
            let path = format!("{}{end}", link.display());
            assert!(!linked || fs::read_dir(&path).unwrap().count() > 0, "a plain call goes through");
            assert_eq!(
                code(Root::open_by(Path::new(&path), Rules::Portable, way)),
                "workspace_root_unusable",
                "{path}"
            );
            let path = format!("{}{end}", place.root.display());
            assert!(Root::open_by(Path::new(&path), Rules::Portable, way).is_ok(), "{path}");
        }
        for path in ["/", "//", "/.", "/./", ".", "./", "./."] {
            assert!(Root::open_by(Path::new(path), Rules::Portable, way).is_ok(), "{path}");
        }
        assert_eq!(code(Root::open_by(Path::new(""), Rules::Portable, way)), "workspace_root_unusable");
    }
}

/// Files from which git runs programs.
#[test]
fn git_s_own_folder_is_only_read() {
    const GIT: &str = "path_leads_into_git_folder";
    for way in ways() {
        let place = Place::new();
        fs::create_dir_all(place.root.join("dir/.git/hooks")).unwrap();
        fs::write(place.root.join("dir/.git/config"), "mine").unwrap();
        let root = Root::open_by(&place.root, Rules::Posix, way).unwrap();
        for path in [
            "dir/.git/config",
            "dir/.git/hooks/post-checkout",
            ".git/config",
            ".git",
            ".GIT/config",
            ".Git/hooks/x",
            "new/.git/config",
            r"dir\.git\config",
            "GIT~1/config",
            "git~1",
            ".git./config",
            ".git /config",
            ".git::$INDEX_ALLOCATION/config",
        ] {
            assert_eq!(code(root.create(path.as_bytes(), b"x")), GIT, "{path}");
            assert_eq!(code(root.replace(path.as_bytes(), b"x")), GIT, "{path}");
            assert_eq!(code(root.remove(path.as_bytes())), GIT, "{path}");
        }
        assert!(!place.root.join("new").exists() && !place.root.join(".git").exists());
        assert_eq!(root.read(b"dir/.git/config", 9).unwrap(), b"mine");
        assert_eq!(root.list(Some(b"dir/.git"), 9).unwrap().entries.len(), 2);
        for path in [".gitignore", ".github/x", "git/x", "x.git/y", ".git-x", "gitx~1"] {
            root.create(path.as_bytes(), b"x").unwrap();
        }
    }
}

#[test]
fn names_and_trees_at_their_limits() {
    // Each takes several walks, which are slow under Wine.
    const DEPTH: usize = if cfg!(windows) { 100 } else { 500 };
    for way in ways() {
        let place = Place::new();
        // Wine names no long paths, which the self-check asks for.
        let root = if cfg!(windows) { place.open(way).unwatched() } else { place.open(way) };
        let name = "n".repeat(255);
        let tree = format!("{}x", "d/".repeat(DEPTH));
        let wide = format!("{}{name}", format!("{name}/").repeat(3));
        assert!(wide.len() <= 1024);
        for path in [&name, &tree, &wide] {
            root.create(path.as_bytes(), b"one").unwrap();
            root.replace(path.as_bytes(), b"two").unwrap();
            assert_eq!(root.read(path.as_bytes(), 9).unwrap(), b"two");
            root.remove(path.as_bytes()).unwrap();
        }
        assert_eq!(code(root.create("n".repeat(256).as_bytes(), b"x")), "path_segment_too_long");
        assert_eq!(code(root.create(format!("{name}/{wide}").as_bytes(), b"x")), "path_too_long");
        if !link_to_folder(&place.outside, &place.root.join("d/".repeat(DEPTH)).join("link")) {
            return;
        }
        assert_eq!(code(root.create(format!("{}link/x", "d/".repeat(DEPTH)).as_bytes(), b"x")), LINK);
        place.assert_untouched();
    }
}
