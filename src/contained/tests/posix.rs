//! What only POSIX has: pipes, sockets, devices, modes, names that are no text.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use super::{LINK, Place, code, skipped, ways};
use crate::path::guard::Refusal;
use crate::sys::{NodeKind, make_pipe};

#[test]
fn neither_pipes_nor_loops_hang() {
    for way in ways() {
        let place = Place::new();
        make_pipe(&place.root.join("pipe")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(place.root.join("socket")).unwrap();
        symlink("loop", place.root.join("loop")).unwrap();
        let root = place.open(way);
        let (done, wait) = mpsc::channel();
        std::thread::spawn(move || {
            let kinds =
                [root.read(b"pipe", 9), root.replace(b"pipe", b"x").map(|()| Vec::new()), root.read(b"socket", 9)];
            done.send((kinds.map(code), code(root.read(b"loop/x", 9)))).unwrap();
        });
        let codes = wait.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(codes, (["workspace_not_a_regular_file"; 3], LINK));
    }
}

#[test]
fn a_file_keeps_its_permissions() {
    for way in ways() {
        let place = Place::new();
        let (file, root) = (place.root.join("dir/notes"), place.open(way));
        let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        root.replace(b"dir/notes", b"#!/bin/sh").unwrap();
        assert_eq!(mode(), 0o755);
        root.remove(b"dir/notes").unwrap();
        root.create(b"dir/notes", b"x").unwrap();
        assert_eq!(mode(), 0o600);
    }
}

#[test]
fn folders_are_listed_with_what_keeps_an_entry_out() {
    for way in ways() {
        let place = Place::new();
        symlink(&place.outside, place.root.join("link")).unwrap();
        fs::hard_link(place.outside.join("loot"), place.root.join("hard")).unwrap();
        make_pipe(&place.root.join("pipe")).unwrap();
        fs::write(place.root.join("NUL"), "").unwrap();
        fs::write(place.root.join("plain.txt"), "four").unwrap();
        let root = place.open(way);
        let listed = root.list(None, 9).unwrap();
        assert!(listed.complete);
        let got: Vec<_> = listed.entries.iter().map(|e| (e.name.to_str().unwrap(), e.kind, e.len, e.refusal)).collect();
        let out = Some(Refusal::EscapesViaLink);
        let of = |name: &str| got.iter().find(|entry| entry.0 == name).copied().unwrap();
        assert_eq!(got.len(), 6);
        assert_eq!(of("NUL"), ("NUL", NodeKind::File, 0, Some(Refusal::ReservedDeviceName)));
        assert_eq!(of("hard"), ("hard", NodeKind::File, 4, out));
        assert_eq!(of("plain.txt"), ("plain.txt", NodeKind::File, 4, None));
        assert_eq!((of("dir").1, of("dir").3), (NodeKind::Folder, None));
        assert_eq!((of("link").1, of("link").3), (NodeKind::Link, out));
        assert_eq!((of("pipe").1, of("pipe").3), (NodeKind::Other, None));
        let cut = root.list(None, 2).unwrap();
        assert_eq!((cut.entries.len(), cut.complete), (2, false));
        assert_eq!(root.list(Some(b"dir"), 9).unwrap().entries.len(), 1);
        assert_eq!(code(root.list(Some(b"link"), 9)), LINK);
        assert_eq!(code(root.list(Some(b"link/x"), 9)), LINK);
        assert_eq!(code(root.list(Some(b"none"), 9)), "workspace_file_missing");
        assert_eq!(code(root.list(Some(b"plain.txt"), 9)), "workspace_read_failed");
        assert_eq!(code(root.list(Some(b".."), 9)), "path_traverses_outside_workspace");
        assert_eq!(code(root.list(Some(b""), 9)), "path_is_empty");
    }
}

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
        skipped(&format!("no devices can be made here: {made:?}"));
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
