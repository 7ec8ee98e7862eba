//! What makes moving hard: rights, names that are no text, long names and paths, others at work in what is moved.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::env::run;
use crate::trash::{Yard, is_whole, parsed};

/// [`Yard::recycle`] of a path that may be no text, in the folder `cwd`.
fn recycle_in(yard: &Yard, cwd: &Path, path: &OsStr) -> Value {
    let mut command = yard.env.command(yard.env.program("wsguard"));
    command.arg("recycle").arg(path).args(["--confirm", "--json"]).current_dir(cwd);
    parsed(&run(command, b""))["entries"][0].clone()
}

#[test]
fn a_folder_that_may_not_be_written() {
    let yard = Yard::new();
    fs::create_dir(yard.env.outside("closed")).unwrap();
    let path = yard.folder("closed/data");
    let parent = path.parent().unwrap().to_owned();
    let mode = |mode| fs::set_permissions(&parent, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    assert_eq!(yard.refused(&path, &[]), "trash_denied");
    assert!(is_whole(&path) && yard.ids().is_empty());
    mode(0o755);
    let id = yard.recycled(&path);
    mode(0o555);
    let (_, item) = yard.trash(&["restore", &id]);
    assert_eq!(item["code"], "trash_denied", "{item:#}");
    assert_eq!(yard.item(&id)["state"], "whole");
    mode(0o755);
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert!(is_whole(&path));
}

#[test]
fn folders_that_their_owner_may_not_change() {
    let yard = Yard::new();
    let path = yard.folder("module");
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    // As Go leaves its modules.
    for folder in [path.join("inner/empty"), path.join("inner"), path.clone()] {
        mode(&folder, 0o555);
    }
    let now = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
    let id = yard.recycled(&path);
    let payload = PathBuf::from(yard.item(&id)["item"].as_str().unwrap()).join("payload");
    assert_eq!(now(&payload), 0o555);
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert_eq!((now(&path), now(&path.join("inner"))), (0o555, 0o555));
    assert!(is_whole(&path));
    let id = yard.recycled(&path);
    let (code, item) = yard.trash(&["purge", &id, "--confirm"]);
    assert_eq!((code, &item["entries"]), (Some(0), &json!(5)), "{item:#}");
}

#[test]
fn modes_and_times_and_attributes_stay() {
    let yard = Yard::new();
    let path = PathBuf::from(yard.env.outside("file"));
    fs::write(&path, "what was written").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4640)).unwrap();
    let past = std::time::UNIX_EPOCH + std::time::Duration::from_nanos(1_000_000_000_123_456_789);
    fs::File::options().write(true).open(&path).unwrap().set_modified(past).unwrap();
    #[cfg(target_os = "linux")]
    let given = crate::platform::set_attribute(&path, c"user.note", b"kept");
    yard.env.give_away(&yard.env.root().join("outside"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4640)).unwrap();
    yard.confirm(&path);
    let id = yard.recycled(&path);
    let manifest = yard.item(&id)["manifest"].clone();
    assert_eq!((&manifest["mode"], &manifest["kind"]), (&json!(0o4640), &json!("file")));
    assert_eq!(manifest["modified"], "1000000000123456789");
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    let meta = fs::metadata(&path).unwrap();
    assert_eq!((meta.mode() & 0o7777, meta.modified().unwrap()), (0o4640, past));
    #[cfg(target_os = "linux")]
    if given {
        assert_eq!(crate::platform::attribute(&path, c"user.note").as_deref(), Some(&b"kept"[..]));
    } else {
        crate::report::skipped("extended attributes in the trash: this volume has none");
    }
}

#[test]
fn another_command_at_work_is_waited_for_and_then_named() {
    let yard = Yard::new();
    let id = yard.recycled(&yard.folder("data"));
    let place = PathBuf::from(yard.item(&id)["item"].as_str().unwrap()).parent().unwrap().to_owned();
    let lock = fs::File::open(place.join(".lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(yard.ids(), [&*id], "one may look meanwhile");
    let (code, item) = yard.trash(&["restore", &id]);
    assert_eq!((code, &item["code"]), (Some(74), &json!("trash_busy")), "{item:#}");
    drop(lock);
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
}

#[test]
fn a_name_that_is_no_text() {
    let yard = Yard::new();
    let name = OsString::from_vec(b"raw-\xff\xfe\n\x1b[31m".to_vec());
    let path = Path::new(&yard.env.outside("x")).with_file_name(&name);
    fs::create_dir(&path).unwrap();
    fs::write(path.join("kept"), "kept").unwrap();
    yard.env.give_away(&yard.env.root().join("outside"));
    yard.confirm(&path);
    let entry = recycle_in(&yard, &yard.env.project(), path.as_os_str());
    assert_eq!(entry["ok"], true, "{entry:#}");
    assert!(!path.exists());
    let listed = yard.env.wsguard_ok(&["trash"]);
    assert!(listed.contains(r"\n\u{1b}[31m") && !listed.contains('\u{1b}'), "{listed}");
    assert_eq!(yard.trash(&["restore", entry["id"].as_str().unwrap()]).0, Some(0));
    assert_eq!(fs::read(path.join("kept")).unwrap(), b"kept");
    let names: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(names.contains(&name), "{names:?}");
}

#[test]
fn the_longest_names() {
    let yard = Yard::new();
    for name in ["n".repeat(255), "\u{1f980}".repeat(63) + "abc"] {
        assert_eq!(name.len(), 255);
        let path = yard.folder(&name);
        let id = yard.recycled(&path);
        assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
        assert!(is_whole(&path));
        let id = yard.recycled(&path);
        assert_eq!(yard.trash(&["purge", &id, "--confirm"]).0, Some(0));
    }
}

/// Folders below `from` down to a path of `length` bytes, the last of which is not made.
fn deep(from: &Path, length: usize) -> PathBuf {
    let mut path = from.to_owned();
    while path.as_os_str().len() + 260 < length {
        path.push("d".repeat(200));
    }
    let rest = length - path.as_os_str().len() - 1;
    let (folder, name) = if rest > 255 { (Some(rest - 21), 20) } else { (None, rest) };
    if let Some(folder) = folder {
        path.push("e".repeat(folder));
    }
    path.push("f".repeat(name));
    assert_eq!(path.as_os_str().len(), length);
    path
}

#[test]
fn the_longest_paths() {
    let yard = Yard::new();
    // The kernel takes 4,096 bytes with the zero at the end.
    let path = deep(&yard.env.root().join("outside"), 4095);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "deep").unwrap();
    yard.env.give_away(&yard.env.root().join("outside"));
    yard.confirm(&path);
    let id = yard.recycled(&path);
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert_eq!(fs::read(&path).unwrap(), b"deep");
    let id = yard.recycled(&path);
    fs::remove_dir_all(yard.env.root().join("outside").join("d".repeat(200))).unwrap();
    assert_eq!(yard.trash(&["restore", &id]).1["code"], "trash_parent_missing");
    assert_eq!(yard.trash(&["restore", &id, "--parents"]).0, Some(0));
    assert_eq!(fs::read(&path).unwrap(), b"deep");
    // A folder whose own paths are longer than that.
    let top = yard.env.root().join("outside").join("d".repeat(200));
    let nested = top.join("x".repeat(200)).join("y".repeat(200)).join("z".repeat(200));
    let moved = yard.env.root().join("outside/moved");
    fs::create_dir_all(&nested).unwrap();
    fs::rename(&nested, &moved).unwrap();
    let bottom = path.parent().unwrap();
    fs::write(moved.join("kept"), "kept").unwrap();
    // By a short name, since the long one is too long for the kernel.
    let link = yard.env.root().join("short");
    crate::env::symlink(bottom, &link);
    fs::rename(&moved, link.join("m".repeat(200))).unwrap();
    yard.env.give_away(&top);
    yard.confirm(&top);
    let id = yard.recycled(&top);
    assert_eq!(yard.trash(&["purge", &id, "--confirm"]).0, Some(0));
    assert!(yard.ids().is_empty());
}

#[test]
fn a_path_that_is_too_long_is_said_to_be() {
    let yard = Yard::new();
    let folder = deep(&yard.env.root().join("outside"), 4090);
    fs::create_dir_all(&folder).unwrap();
    // By a short name, since the long one is too long for the kernel.
    let short = yard.env.root().join("short");
    crate::env::symlink(&folder, &short);
    yard.env.give_away(&yard.env.root().join("outside"));
    fs::write(short.join("entry"), "kept").unwrap();
    yard.env.give_away(&short.join("entry"));
    yard.confirm(&short.join("entry"));
    for path in [short.join("entry"), folder.join("entry")] {
        let entry = recycle_in(&yard, &yard.env.project(), path.as_os_str());
        let code = entry["code"].as_str().unwrap();
        assert!(["trash_name_too_long", "recycle_not_listed"].contains(&code), "{entry:#}");
    }
    assert_eq!(fs::read(short.join("entry")).unwrap(), b"kept");
    let name = OsStr::from_bytes(&[b'n'; 256]);
    let entry = recycle_in(&yard, &yard.env.project(), yard.env.root().join("outside").join(name).as_os_str());
    assert_eq!(entry["code"], "trash_name_too_long", "{entry:#}");
}

/// Somebody writes on while the folder goes and comes: every word that was written is there in the end.
#[test]
fn files_that_change_meanwhile() {
    let yard = Yard::new();
    let path = yard.folder("data");
    let stop = AtomicBool::new(false);
    let written = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut file = fs::File::options().append(true).open(path.join("inner/file")).unwrap();
            let mut written = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                file.write_all(b"+").unwrap();
                written += 1;
                // In the folder too, wherever that is at the moment.
                drop(fs::write(path.join("inner/new"), "new"));
            }
            written
        });
        for _ in 0..10 {
            let id = yard.recycled(&path);
            assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
        }
        stop.store(true, Ordering::Relaxed);
        writer.join().unwrap()
    });
    let text = fs::read(path.join("inner/file")).unwrap();
    assert_eq!(text.len() as u64, "what was written".len() as u64 + written);
}

/// Somebody exchanges the entry for another one all the time: only the one that was confirmed is ever taken.
#[test]
fn an_entry_that_is_exchanged_meanwhile() {
    let yard = Yard::new();
    let path = yard.folder("data");
    let (other, spare) = (PathBuf::from(yard.env.outside("other")), PathBuf::from(yard.env.outside("spare")));
    fs::write(&other, "not meant").unwrap();
    yard.env.give_away(&other);
    let stop = AtomicBool::new(false);
    let mut taken = 0;
    let mut codes = std::collections::BTreeMap::<String, usize>::new();
    for _ in 0..20 {
        stop.store(false, Ordering::Relaxed);
        let entry = std::thread::scope(|scope| {
            let swapper = scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    // Either may be in the trash by now.
                    drop(fs::rename(&path, &spare));
                    drop(fs::rename(&other, &path));
                    drop(fs::rename(&path, &other));
                    drop(fs::rename(&spare, &path));
                    // Long enough to be met in its place.
                    std::thread::sleep(std::time::Duration::from_micros(500));
                }
            });
            let entry = yard.recycle(&path, &["--confirm"]).1;
            stop.store(true, Ordering::Relaxed);
            swapper.join().unwrap();
            entry
        });
        let ids = yard.ids();
        if entry["ok"] == true {
            taken += 1;
            assert_eq!(ids.len(), 1);
            assert!(is_whole(&PathBuf::from(entry["item"].as_str().unwrap()).join("payload")), "{entry:#}");
            // It was put somewhere by its swapper, perhaps: what is there stays.
            drop(fs::rename(&path, &spare));
            assert_eq!(yard.trash(&["restore", &ids[0]]).0, Some(0));
        } else {
            let code = entry["code"].as_str().unwrap();
            let fine = ["recycle_replaced", "recycle_missing", "trash_changed_meanwhile", "trash_io"];
            assert!(fine.contains(&code), "{entry:#}");
            assert!(ids.is_empty(), "{entry:#}");
            *codes.entry(code.to_owned()).or_default() += 1;
        }
        // One of each, by whatever name.
        let all = [&path, &other, &spare];
        assert_eq!(all.iter().filter(|path| is_whole(path)).count(), 1);
        assert_eq!(all.iter().filter(|path| fs::read(path).is_ok_and(|text| text == b"not meant")).count(), 1);
        for (from, to) in [(&path, &spare), (&spare, &path), (&other, &path)] {
            if is_whole(from) && from != &path && !path.exists() {
                fs::rename(from, to).unwrap();
            }
        }
        if !is_whole(&path) {
            let misplaced = all.into_iter().find(|path| is_whole(path)).unwrap();
            let keep = PathBuf::from(yard.env.outside("keep"));
            fs::rename(misplaced, &keep).unwrap();
            if path.exists() {
                fs::rename(&path, &spare).unwrap();
            }
            fs::rename(&keep, &path).unwrap();
        }
        if !other.exists() {
            fs::rename(&spare, &other).unwrap();
        }
    }
    crate::report::say(&format!("recycled {taken} of 20 times while it was exchanged, else {codes:?}"));
}
