//! What lies in a workspace to trouble whoever opens it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use super::{LINK, Place, Root, code, ways};
use crate::path::guard::{Refusal, Rules};
use crate::sys::make_pipe;

/// A program behind a pipe goes on waiting: opening it would have let that one run.
#[test]
fn who_waits_at_a_pipe_does_not_notice() {
    for way in ways() {
        let place = Place::new();
        let pipe = place.root.join("pipe");
        make_pipe(&pipe).unwrap();
        let (done, wait) = mpsc::channel();
        let waiting = pipe.clone();
        let writer = std::thread::spawn(move || {
            let opened = fs::OpenOptions::new().write(true).open(waiting);
            done.send(()).unwrap();
            opened
        });
        std::thread::sleep(Duration::from_millis(100));
        let root = place.open(way);
        for _ in 0..3 {
            assert_eq!(code(root.read(b"pipe", 9)), "workspace_not_a_regular_file");
            assert_eq!(code(root.replace(b"pipe", b"x")), "workspace_not_a_regular_file");
            assert_eq!(code(root.remove(b"pipe")), "workspace_not_a_regular_file");
        }
        assert!(wait.recv_timeout(Duration::from_millis(200)).is_err(), "the writer was let in");
        // A plain open lets it in.
        drop(fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(&pipe).unwrap());
        wait.recv_timeout(Duration::from_secs(20)).unwrap();
        drop(writer.join().unwrap());
    }
}

#[test]
fn an_endless_device_is_no_file() {
    let place = Place::new();
    let device = place.root.join("zero");
    let made = Command::new("mknod").arg(&device).args(["c", "1", "5"]).output();
    if !made.as_ref().is_ok_and(|out| out.status.success()) {
        eprintln!("SKIPPED: no devices can be made here: {made:?}");
        return;
    }
    for way in ways() {
        let root = place.open(way);
        assert_eq!(code(root.read(b"zero", 9)), "workspace_not_a_regular_file");
        assert_eq!(code(root.replace(b"zero", b"x")), "workspace_not_a_regular_file");
        assert_eq!(code(root.remove(b"zero")), "workspace_not_a_regular_file");
    }
}

/// Taking the place of a file is not writing to it: the kernel takes these bits away where one writes.
#[test]
fn nobody_s_rights_are_lent_to_what_is_written() {
    for way in ways() {
        let place = Place::new();
        let file = place.root.join("tool");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o6755)).unwrap();
        place.open(way).replace(b"tool", b"new").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o755);
    }
}

/// As for any program: what the folder allows.
#[test]
fn no_right_to_a_file_is_needed_to_remove_or_replace_it() {
    for way in ways() {
        let place = Place::new();
        let root = place.open(way);
        for name in ["a", "b"] {
            fs::write(place.root.join(name), "x").unwrap();
            fs::set_permissions(place.root.join(name), fs::Permissions::from_mode(0o000)).unwrap();
        }
        root.remove(b"a").unwrap();
        assert!(!place.root.join("a").exists());
        // Its permissions stay, so that the self-check can't read it; the owner may.
        root.unwatched().replace(b"b", b"new").unwrap();
        fs::set_permissions(place.root.join("b"), fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(fs::read(place.root.join("b")).unwrap(), b"new");
    }
}

/// Whatever is written behind its name, a link in the root's place is one.
#[test]
fn no_spelling_makes_a_link_a_root() {
    for way in ways() {
        let place = Place::new();
        let link = place.root.with_file_name("link");
        symlink(&place.outside, &link).unwrap();
        for end in ["", "/", "//", "/.", "/./", "//.//./"] {
            let path = format!("{}{end}", link.display());
            assert!(fs::read_dir(&path).unwrap().count() > 0, "a plain call goes through");
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

/// Names that no path can say are listed with the reason, and the rest of the folder with them.
#[test]
fn hostile_names_are_listed() {
    for way in ways() {
        let place = Place::new();
        let folder = place.root.join("names");
        fs::create_dir(&folder).unwrap();
        let names: [(&[u8], Option<Refusal>); 8] = [
            (b"\xff\xfe", Some(Refusal::NotUtf8)),
            (b"new\nline", Some(Refusal::ControlCharacter)),
            (b"\x1b[2J", Some(Refusal::ControlCharacter)),
            (b"..x", Some(Refusal::TraversesOutside)),
            (b"a\\..\\b", Some(Refusal::TraversesOutside)),
            ("\u{202e}gpj.exe".as_bytes(), Some(Refusal::InvisibleCharacter)),
            (b"-rf", None),
            (b"plain", None),
        ];
        for (name, _) in names {
            fs::write(folder.join(OsStr::from_bytes(name)), "x").unwrap();
        }
        let listed = place.open(way).list(Some(b"names"), 99).unwrap();
        let got: Vec<_> = listed.entries.iter().map(|entry| (entry.name.as_bytes(), entry.refusal)).collect();
        let mut want = names;
        want.sort_by_key(|(name, _)| *name);
        assert_eq!(got, want);
    }
}

#[test]
fn names_and_trees_at_their_limits() {
    for way in ways() {
        let place = Place::new();
        let root = place.open(way);
        let name = "n".repeat(255);
        let tree = format!("{}x", "d/".repeat(500));
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
        symlink(&place.outside, place.root.join("d/".repeat(500)).join("link")).unwrap();
        assert_eq!(code(root.create(format!("{}link/x", "d/".repeat(500)).as_bytes(), b"x")), LINK);
        place.assert_untouched();
    }
}
