//! The trash of other volumes: a second file system, bind mounts, full and read-only ones, and copies across.
//!
//! Each test runs itself again in a place with mounts of its own, where that is permitted, and says so where not.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::env::text;
use crate::platform::{attribute, set_attribute};
use crate::report;
use crate::trash::{Yard, is_whole, parsed};
use crate::trash_kill::{Killed, can_trace, each_call, words};

/// Set where a test runs itself again.
const STAGE: &str = "WSGUARD_TEST_TRASH_MOUNTS";

/// Whether this is the place with mounts of its own. Elsewhere it runs `test` there.
fn is_on_stage(test: &str) -> bool {
    if std::env::var_os(STAGE).is_some() {
        return true;
    }
    let namespaces = if crate::env::is_root() { "-m" } else { "-rm" };
    let probe = Command::new("unshare").args([namespaces, "sh", "-c", "mount -t tmpfs none /mnt"]).output();
    if !probe.as_ref().is_ok_and(|out| out.status.success()) {
        report::skipped(&format!("the trash of other volumes ({test}): no mounts of its own here: {probe:?}"));
        return false;
    }
    let mut command = Command::new("unshare");
    command.args([namespaces, "--"]).arg(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("trash_volumes::{test}"), "--nocapture"]).env(STAGE, "1");
    let out = command.output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success() && said.contains("1 passed"), "{said}");
    false
}

fn mount(args: &[&str], at: &Path) {
    fs::create_dir_all(at).unwrap();
    let out = Command::new("mount").args(args).arg(at).output().unwrap();
    assert!(out.status.success(), "mount {args:?} {}: {out:?}", at.display());
}

/// A machine whose own folders are a mount, so that the trash at its top is the test's own.
fn yard() -> Yard {
    let yard = Yard::privileged();
    let root = text(yard.env.root());
    mount(&["--bind", &root], yard.env.root());
    yard
}

fn folder_in(yard: &Yard, parent: &Path) -> PathBuf {
    let path = parent.join("data");
    Yard::fill(&path);
    yard.confirm(&path);
    path
}

/// The trash folder of an item.
fn place_of(yard: &Yard, id: &str) -> PathBuf {
    PathBuf::from(yard.item(id)["item"].as_str().unwrap()).parent().unwrap().to_owned()
}

#[test]
fn each_volume_has_its_own_trash() {
    if !is_on_stage("each_volume_has_its_own_trash") {
        return;
    }
    let yard = yard();
    let disk = yard.env.root().join("disk");
    mount(&["-t", "tmpfs", "none"], &disk);
    let (here, there) = (yard.folder("data"), folder_in(&yard, &disk.join("deep/er")));
    let (one, two) = (yard.recycled(&here), yard.recycled(&there));
    assert_eq!(place_of(&yard, &one), yard.env.root().join("_dsh-trash"));
    assert_eq!(place_of(&yard, &two), disk.join("_dsh-trash"));
    let mode = fs::metadata(disk.join("_dsh-trash")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o700, "for its user alone");
    let listed = yard.env.wsguard_ok(&["trash"]);
    assert!(listed.contains(&one) && listed.contains(&two), "{listed}");
    for (id, path) in [(&one, &here), (&two, &there)] {
        assert_eq!(yard.trash(&["restore", id]).0, Some(0));
        assert!(is_whole(path));
    }
    // A place that others may change is not used.
    fs::set_permissions(disk.join("_dsh-trash"), fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(yard.refused(&there, &[]), "trash_no_place");
    assert!(is_whole(&there));
}

#[test]
fn a_bind_mount_is_a_place_of_its_own() {
    if !is_on_stage("a_bind_mount_is_a_place_of_its_own") {
        return;
    }
    let yard = yard();
    let (bound, real) = (yard.env.root().join("bound"), yard.env.root().join("outside/real"));
    fs::create_dir_all(&real).unwrap();
    mount(&["--bind", &text(&real)], &bound);
    assert_eq!(fs::metadata(&bound).unwrap().dev(), fs::metadata(yard.env.root()).unwrap().dev());
    let path = folder_in(&yard, &bound);
    let id = yard.recycled(&path);
    assert_eq!(place_of(&yard, &id), bound.join("_dsh-trash"));
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert!(is_whole(&path));
    // Where its own place can't be used, the device number speaks for HOME, and the rename against it.
    fs::remove_dir_all(bound.join("_dsh-trash")).unwrap();
    fs::write(bound.join("_dsh-trash"), "in the way").unwrap();
    assert_eq!(yard.refused(&path, &[]), "trash_other_volume");
    let said = yard.env.wsguard(&["recycle", path.to_str().unwrap(), "--confirm"]);
    assert!(said.stderr.contains("another volume") && said.stderr.contains("--across-volumes"), "{said:?}");
    assert!(is_whole(&path) && yard.ids().is_empty());
    // The mount itself, and what holds it.
    for (path, code) in [(&*bound, "recycle_mount_point"), (yard.env.root(), "recycle_mount_point")] {
        assert_eq!(yard.refused(path, &[]), code, "{}", path.display());
    }
    let holds = yard.folder("holds");
    mount(&["-t", "tmpfs", "none"], &holds.join("inner/empty"));
    assert_eq!(yard.refused(&holds, &[]), "recycle_mount_inside");
    assert!(is_whole(&holds));
}

#[test]
fn a_copy_across_is_whole() {
    if !is_on_stage("a_copy_across_is_whole") {
        return;
    }
    let yard = yard();
    let disk = yard.env.root().join("disk");
    mount(&["-t", "tmpfs", "none"], &disk);
    fs::write(disk.join("_dsh-trash"), "in the way").unwrap();
    let path = folder_in(&yard, &disk);
    crate::env::symlink("/nowhere", path.join("inner/link"));
    fs::set_permissions(path.join("top"), fs::Permissions::from_mode(0o2640)).unwrap();
    fs::set_permissions(path.join("inner"), fs::Permissions::from_mode(0o1750)).unwrap();
    std::os::unix::fs::chown(path.join("top"), Some(0), Some(7)).unwrap();
    let past = std::time::UNIX_EPOCH + std::time::Duration::from_nanos(1_000_000_000_123_456_789);
    fs::File::open(path.join("inner")).unwrap().set_modified(past).unwrap();
    let given = set_attribute(&path.join("top"), c"trusted.note", b"kept");
    assert_eq!(yard.refused(&path, &[]), "trash_no_place");
    let (code, entry) = yard.recycle(&path, &["--confirm", "--across-volumes"]);
    assert_eq!((code, &entry["manifest"]["acrossVolumes"]), (Some(0), &json!(true)), "{entry:#}");
    let id = entry["id"].as_str().unwrap().to_owned();
    assert_eq!(fs::read_dir(&disk).unwrap().count(), 1, "nothing is left behind");
    assert_eq!(place_of(&yard, &id), yard.env.guard_home().join("trash"));
    let (_, item) = yard.trash(&["restore", &id]);
    assert_eq!(item["code"], "trash_other_volume", "{item:#}");
    assert_eq!(yard.trash(&["restore", &id, "--across-volumes"]).0, Some(0));
    assert!(is_whole(&path) && yard.ids().is_empty());
    assert_eq!(fs::read_dir(&disk).unwrap().count(), 2, "nothing is left behind");
    let (top, inner) = (fs::metadata(path.join("top")).unwrap(), fs::metadata(path.join("inner")).unwrap());
    assert_eq!((top.mode() & 0o7777, top.gid(), inner.mode() & 0o7777), (0o2640, 7, 0o1750));
    assert_eq!(inner.modified().unwrap(), past);
    assert_eq!(fs::read_link(path.join("inner/link")).unwrap(), Path::new("/nowhere"));
    if given {
        assert_eq!(attribute(&path.join("top"), c"trusted.note").as_deref(), Some(&b"kept"[..]));
    } else {
        report::skipped("extended attributes of a copy: only root gives such, and not to every volume");
    }
    let row = yard.row(&path);
    assert_eq!((&row["gone"], &row["trash"]), (&Value::Null, &Value::Null), "{row:#}");
    // Again, since it is another entry by its number now; and what can't be copied stays.
    yard.recycled_across(&path);
    let pipe = folder_in(&yard, &disk.join("with"));
    workspace_guard::sys::make_pipe(&pipe.join("pipe")).unwrap();
    assert_eq!(yard.refused(&pipe, &["--across-volumes"]), "trash_io");
    assert!(is_whole(&pipe) && yard.ids().len() == 1);
    assert_eq!(fs::read_dir(disk.join("with")).unwrap().count(), 1);
}

#[test]
fn a_read_only_volume() {
    if !is_on_stage("a_read_only_volume") {
        return;
    }
    let yard = yard();
    let disk = yard.env.root().join("disk");
    mount(&["-t", "tmpfs", "none"], &disk);
    let path = folder_in(&yard, &disk);
    let other = disk.join("other");
    Yard::fill(&other);
    yard.confirm(&other);
    mount(&["-o", "remount,ro"], &disk);
    for options in [&[][..], &["--across-volumes"]] {
        assert_eq!(yard.refused(&path, options), "trash_read_only", "{options:?}");
    }
    assert!(is_whole(&path) && yard.ids().is_empty());
    mount(&["-o", "remount,rw"], &disk);
    let id = yard.recycled(&path);
    mount(&["-o", "remount,ro"], &disk);
    assert_eq!(yard.refused(&other, &[]), "trash_read_only");
    for act in [&["restore", &*id][..], &["purge", &id, "--confirm"]] {
        let (_, item) = yard.trash(act);
        assert_eq!(item["code"], "trash_read_only", "{item:#}");
        assert_eq!(yard.item(&id)["state"], "whole");
    }
    mount(&["-o", "remount,rw"], &disk);
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert!(is_whole(&path) && is_whole(&other));
}

#[test]
fn a_full_volume() {
    if !is_on_stage("a_full_volume") {
        return;
    }
    let yard = yard();
    let disk = yard.env.root().join("disk");
    mount(&["-t", "tmpfs", "-o", "size=256k", "none"], &disk);
    let path = folder_in(&yard, &disk);
    let filler = disk.join("filler");
    // As much as there is room for.
    drop(fs::write(&filler, vec![1; 1 << 20]));
    assert_eq!(yard.refused(&path, &[]), "trash_disk_full");
    assert!(is_whole(&path) && yard.ids().is_empty());
    fs::remove_file(&filler).unwrap();
    let id = yard.recycled(&path);
    // Coming back takes no room.
    drop(fs::write(&filler, vec![1; 1 << 20]));
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert!(is_whole(&path));
    fs::remove_file(&filler).unwrap();
    let id = yard.recycled(&path);
    drop(fs::write(&filler, vec![1; 1 << 20]));
    assert_eq!(yard.trash(&["purge", &id, "--confirm"]).0, Some(0), "it makes room");
    assert!(yard.ids().is_empty());
}

/// An act whose intent can't be written does not run.
#[test]
fn a_full_home() {
    if !is_on_stage("a_full_home") {
        return;
    }
    let yard = yard();
    mount(&["-t", "tmpfs", "-o", "size=256k", "none"], &yard.env.guard_home());
    fs::create_dir_all(yard.env.guard_home().join("workspace-mgr")).unwrap();
    let (path, gone) = (yard.folder("data"), yard.folder("gone"));
    let id = yard.recycled(&gone);
    drop(fs::write(yard.env.guard_home().join("filler"), vec![1; 1 << 20]));
    // What is left of the pages of its files.
    let audit = yard.env.guard_home().join("workspace-mgr/audit.jsonl");
    let room = 4096 - fs::metadata(&audit).unwrap().len() % 4096;
    let mut file = fs::File::options().append(true).open(&audit).unwrap();
    std::io::Write::write_all(&mut file, &vec![b' '; usize::try_from(room).unwrap()]).unwrap();
    for args in [&["recycle", path.to_str().unwrap(), "--confirm", "--json"][..], &["trash", "restore", &id, "--json"]]
    {
        let out = yard.env.wsguard(args);
        let value = parsed(&out);
        let code = value["entries"][0]["code"].as_str().or_else(|| value["items"][0]["code"].as_str());
        assert_eq!((out.code, code), (Some(74), Some("ledger_io")), "{out:?}");
    }
    assert!(is_whole(&path) && !gone.exists());
    fs::remove_file(yard.env.guard_home().join("filler")).unwrap();
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert!(is_whole(&gone));
}

/// A disk without a trash folder, with an entry that only goes elsewhere.
fn closed_disk(yard: &Yard) -> PathBuf {
    let disk = yard.env.root().join("disk");
    mount(&["-t", "tmpfs", "none"], &disk);
    fs::write(disk.join("_dsh-trash"), "in the way").unwrap();
    let path = folder_in(yard, &disk);
    crate::env::symlink("/nowhere", path.join("inner/link"));
    path
}

#[test]
fn a_copy_away_is_killed_at_every_call() {
    if !can_trace() || !is_on_stage("a_copy_away_is_killed_at_every_call") {
        return;
    }
    let yard = yard();
    let path = closed_disk(&yard);
    let shown = text(&path);
    let back = |yard: &Yard, item: Option<String>| {
        let back = |id: &String| assert_eq!(yard.trash(&["restore", id, "--across-volumes"]).0, Some(0));
        item.inspect(back).unwrap_or_default()
    };
    let args = |_: &str| words(&["recycle", &shown, "--confirm", "--across-volumes"]);
    each_call(&yard, Killed { path: &path, act: "recycle", copies: true }, &args, &back);
}

#[test]
fn a_copy_back_is_killed_at_every_call() {
    if !can_trace() || !is_on_stage("a_copy_back_is_killed_at_every_call") {
        return;
    }
    let yard = yard();
    let path = closed_disk(&yard);
    let away = |yard: &Yard, item: Option<String>| item.unwrap_or_else(|| yard.recycled_across(&path));
    let args = |id: &str| words(&["trash", "restore", id, "--across-volumes"]);
    each_call(&yard, Killed { path: &path, act: "restore", copies: true }, &args, &away);
}

/// Somebody makes up, in a trash folder of their own, an act that was cut short, for whoever has more rights to finish.
#[test]
fn what_another_user_made_up_is_not_believed() {
    if !is_on_stage("what_another_user_made_up_is_not_believed") {
        return;
    }
    let yard = yard();
    let disk = yard.env.root().join("disk");
    mount(&["-t", "tmpfs", "none"], &disk);
    let trash = disk.join("_dsh-trash");
    let target = PathBuf::from(yard.env.outside("planted"));
    let manifest =
        json!({"version": 1, "id": "0123456789ab", "originalPath": target, "identity": "1:1", "kind": "file"});
    for (n, word) in ["", ".recycling", ".restoring", ".purging"].iter().enumerate() {
        let item = trash.join(format!("20260101T000000Z-x-0123456789a{n}{word}"));
        fs::create_dir_all(&item).unwrap();
        fs::write(item.join("manifest.json"), manifest.to_string()).unwrap();
        fs::write(item.join("payload"), "planted").unwrap();
    }
    if std::os::unix::fs::chown(&trash, Some(12345), Some(12345)).is_err() {
        report::skipped("a trash folder of another user: it can't be made here");
        return;
    }
    let listed = parsed(&yard.env.wsguard(&["trash", "list", "--json"]));
    assert_eq!(listed["recovered"], json!([]), "{listed:#}");
    let (_, item) = yard.trash(&["restore", "20260101T000000Z-x-0123456789a0"]);
    assert_eq!(item["code"], "trash_not_ours", "{item:#}");
    let (_, item) = yard.trash(&["purge", "20260101T000000Z-x-0123456789a0", "--confirm"]);
    assert_eq!(item["code"], "trash_not_ours", "{item:#}");
    assert!(!target.exists());
    assert_eq!(fs::read_dir(&trash).unwrap().filter(|e| e.as_ref().unwrap().path().is_dir()).count(), 4);
    // One that is this user's, but open to others, is listed and restored from, and nothing more.
    std::os::unix::fs::chown(&trash, Some(0), Some(0)).unwrap();
    fs::set_permissions(&trash, fs::Permissions::from_mode(0o777)).unwrap();
    let listed = parsed(&yard.env.wsguard(&["trash", "list", "--json"]));
    assert_eq!(listed["recovered"], json!([]), "{listed:#}");
    assert!(!target.exists());
}
