//! Other mounts below the root.

use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;

#[cfg(target_os = "linux")]
use super::Place;
use super::{LINK, Root, code, skipped, ways};
use crate::path::guard::{Refusal, Rules};

/// Wine shows another mount of the machine below as a reparse point, which is what Windows makes of a volume that is mounted in
/// a folder.
#[test]
fn another_file_system_is_not_entered() {
    if !Path::new("/proc/self/status").exists() {
        skipped("no /proc, which is the other file system here");
        return;
    }
    for way in ways() {
        // The system's own mounts will do; a plain read has no trouble with them.
        let root = Root::open_by(Path::new("/"), Rules::Posix, way).unwrap();
        assert_eq!(code(root.read(b"proc/uptime", 99)), LINK);
        assert_eq!(code(root.read(b"proc/self/root/etc/passwd", 99)), LINK);
        assert_eq!(code(root.list(Some(b"proc"), 9)), LINK);
        assert_eq!(code(root.create(b"proc/x/y", b"x")), LINK);
        let listed = root.list(None, 9_999).unwrap();
        let proc = listed.entries.iter().find(|entry| entry.name == "proc");
        // Wine lists it for nobody.
        assert!(cfg!(windows) || proc.is_some());
        assert!(proc.is_none_or(|proc| proc.refusal == Some(Refusal::EscapesViaLink)), "{proc:?}");
    }
}

/// Set where the test below runs itself again, in a place with mounts of its own.
#[cfg(target_os = "linux")]
const STAGE: &str = "WSGUARD_TEST_MOUNTS";

/// A bind mount has the file system of the root; only the number of the mount tells it apart.
#[cfg(target_os = "linux")]
#[test]
fn a_bind_mount_is_not_entered() {
    if let Some(stage) = std::env::var_os(STAGE) {
        return inside(Path::new(&stage));
    }
    let place = Place::new();
    std::fs::create_dir(place.root.join("mount")).unwrap();
    std::fs::write(place.root.join("file"), "").unwrap();
    let script = r#"mount --bind "$1/../outside" "$1/mount" && mount --bind "$1/../outside/loot" "$1/file" && shift && exec "$@""#;
    let test = "contained::tests::mounts::a_bind_mount_is_not_entered";
    let probe = Command::new("unshare").args(["-rm", "true"]).output();
    if !probe.as_ref().is_ok_and(|out| out.status.success()) {
        skipped(&format!("no bind mounts without rights of one's own here: {probe:?}"));
        return;
    }
    let out = Command::new("unshare")
        .args(["-rm", "--", "sh", "-c", script, "sh"])
        .arg(&place.root)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(STAGE, &place.root)
        .output()
        .unwrap();
    assert!(out.status.success() && String::from_utf8_lossy(&out.stdout).contains("1 passed"), "{out:?}");
    place.assert_untouched();
}

#[cfg(target_os = "linux")]
fn inside(root: &Path) {
    assert_eq!(std::fs::read(root.join("mount/loot")).unwrap(), b"loot", "a plain read leaks");
    assert_eq!(std::fs::read(root.join("file")).unwrap(), b"loot", "a plain read leaks");
    for way in ways() {
        let root = Root::open_by(root, Rules::Portable, way).unwrap();
        for path in [&b"mount/loot"[..], b"file"] {
            assert_eq!(code(root.read(path, 9)), LINK);
            assert_eq!(code(root.replace(path, b"x")), LINK);
            assert_eq!(code(root.remove(path)), LINK);
        }
        assert_eq!(code(root.create(b"mount/new", b"x")), LINK);
        assert_eq!(code(root.create(b"mount/a/b/c", b"x")), LINK);
        assert_eq!(code(root.list(Some(b"mount"), 9)), LINK);
        let listed = root.list(None, 9).unwrap();
        let refused: Vec<_> = listed.entries.iter().filter(|entry| entry.refusal.is_some()).map(|e| &e.name).collect();
        assert_eq!(refused, ["file", "mount"]);
    }
}
