//! The trash on drives: each has its own, attributes stay, what programs hold open stays where it is.

use std::fs;
use std::os::windows::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::native;
use crate::report;
use crate::trash::{Yard, is_whole};

const READONLY: u32 = 1;
const HIDDEN: u32 = 2;
const SYSTEM: u32 = 4;

/// A folder on the second drive, removed when the test is over.
fn second_drive() -> Option<tempfile::TempDir> {
    let Some(drive) = std::env::var_os("WSGUARD_TEST_DRIVE") else {
        report::skipped("the trash of a second drive: WSGUARD_TEST_DRIVE names none");
        return None;
    };
    let root = format!("{}:\\", drive.to_str().unwrap());
    Some(tempfile::Builder::new().prefix("wsg-").tempdir_in(root).unwrap())
}

fn attributes(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().file_attributes() & (READONLY | HIDDEN | SYSTEM)
}

/// Sets attributes with the system's own program.
fn attrib(words: &[&str], path: &Path) {
    let out = Command::new("attrib").args(words).arg(path).output().unwrap();
    assert!(out.status.success(), "attrib {words:?} {}: {out:?}", path.display());
}

fn place_of(yard: &Yard, id: &str) -> String {
    let item = yard.item(id)["item"].as_str().unwrap().to_owned();
    item.rsplit_once('/').unwrap().0.to_owned()
}

#[test]
fn each_drive_has_its_own_trash() {
    let yard = Yard::new();
    let here = yard.folder("data");
    let id = yard.recycled(&here);
    assert!(place_of(&yard, &id).eq_ignore_ascii_case("C:/_dsh-trash"), "{}", place_of(&yard, &id));
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert!(is_whole(&here));
    let Some(disk) = second_drive() else { return };
    let there = disk.path().join("data");
    Yard::fill(&there);
    yard.confirm(&there);
    let id = yard.recycled(&there);
    let letter = disk.path().to_str().unwrap()[..1].to_owned();
    assert!(place_of(&yard, &id).eq_ignore_ascii_case(&format!("{letter}:/_dsh-trash")), "{}", place_of(&yard, &id));
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert!(is_whole(&there));
    let id = yard.recycled(&there);
    let (code, item) = yard.trash(&["purge", &id, "--confirm"]);
    assert_eq!((code, &item["entries"]), (Some(0), &json!(5)), "{item:#}");
}

#[test]
fn attributes_stay_and_protect_nothing_from_a_purge() {
    let yard = Yard::new();
    let path = yard.folder("data");
    attrib(&["+r"], &path.join("top"));
    attrib(&["+h", "+s"], &path.join("inner").join("file"));
    let before = [attributes(&path.join("top")), attributes(&path.join("inner").join("file"))];
    if before != [READONLY, HIDDEN | SYSTEM] {
        report::skipped(&format!("hidden and system attributes: this system keeps none of them: {before:?}"));
    }
    let id = yard.recycled(&path);
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert!(is_whole(&path));
    assert_eq!([attributes(&path.join("top")), attributes(&path.join("inner").join("file"))], before);
    // An entry that is write-protected itself.
    let file = PathBuf::from(native(&yard.env, "outside")).join("protected");
    fs::write(&file, "kept").unwrap();
    attrib(&["+r"], &file);
    yard.confirm(&file);
    let one = yard.recycled(&file);
    assert_eq!(yard.trash(&["restore", &one]).0, Some(0));
    assert_eq!((attributes(&file) & READONLY, fs::read(&file).unwrap()), (READONLY, b"kept".to_vec()));
    for path in [&path, &file] {
        let id = yard.recycled(path);
        let (code, item) = yard.trash(&["purge", &id, "--confirm"]);
        assert_eq!(code, Some(0), "{item:#}");
    }
    assert!(yard.ids().is_empty());
}

#[test]
fn what_a_program_holds_open_stays() {
    let yard = Yard::new();
    let file = PathBuf::from(native(&yard.env, "outside")).join("held");
    fs::write(&file, "kept").unwrap();
    yard.confirm(&file);
    let held = fs::OpenOptions::new().read(true).share_mode(0).open(&file).unwrap();
    let code = yard.refused(&file, &[]);
    assert!(["trash_file_busy", "trash_denied"].contains(&&*code), "{code}");
    let said = yard.env.wsguard(&["recycle", file.to_str().unwrap(), "--confirm"]);
    assert!(said.code == Some(74) || said.code == Some(77), "{said:?}");
    drop(held);
    assert_eq!(fs::read(&file).unwrap(), b"kept");
    let id = yard.recycled(&file);
    let payload = PathBuf::from(yard.item(&id)["item"].as_str().unwrap()).join("payload");
    let held = fs::OpenOptions::new().read(true).share_mode(0).open(&payload).unwrap();
    let (code, item) = yard.trash(&["restore", &id]);
    assert_ne!(code, Some(0), "{item:#}");
    drop(held);
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert_eq!(fs::read(&file).unwrap(), b"kept");
    // A folder in which something is open: Windows moves none, Wine does.
    let path = yard.folder("data");
    let held = fs::OpenOptions::new().read(true).share_mode(0).open(path.join("inner").join("file")).unwrap();
    let (code, entry) = yard.recycle(&path, &["--confirm"]);
    drop(held);
    if code == Some(0) {
        report::skipped("a folder in which a program has a file open stays where it is: Wine moves it");
        assert_eq!(yard.trash(&["restore", entry["id"].as_str().unwrap()]).0, Some(0));
    } else {
        let code = entry["code"].as_str().unwrap();
        assert!(["trash_file_busy", "trash_denied"].contains(&code), "{entry:#}");
    }
    assert!(is_whole(&path) && yard.ids().is_empty());
}

#[test]
fn a_purge_leaves_what_junctions_lead_to() {
    let yard = Yard::new();
    let (kept, path) = (yard.folder("kept"), yard.folder("data"));
    let junction = path.join("inner").join("junction");
    if let Err(error) = workspace_guard::sys::make_junction(&kept, &junction) {
        return report::skipped(&format!("junctions in the trash: {error}"));
    }
    let own = PathBuf::from(native(&yard.env, "outside")).join("link");
    workspace_guard::sys::make_junction(&kept, &own).unwrap();
    yard.confirm(&own);
    assert_eq!(yard.refused(&own, &[]), "recycle_link");
    let id = yard.recycled(&path);
    assert_eq!(yard.trash(&["purge", &id, "--confirm"]).0, Some(0));
    assert!(is_whole(&kept) && yard.ids().is_empty());
}

#[test]
fn paths_longer_than_usual() {
    let yard = Yard::new();
    let mut path = PathBuf::from(native(&yard.env, "outside"));
    while path.to_str().unwrap().len() < 400 {
        path.push("a-name-of-some-length");
    }
    let long = PathBuf::from(format!(r"\\?\{}", path.display()));
    fs::create_dir_all(&long).unwrap();
    fs::write(long.join("kept"), "kept").unwrap();
    if let Err(error) = fs::canonicalize(&long) {
        return report::skipped(&format!(
            "paths of more than 260 characters in the trash: Wine says no such file's name: {error}"
        ));
    }
    yard.confirm(&path);
    let id = yard.recycled(&path);
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert_eq!(fs::read(long.join("kept")).unwrap(), b"kept");
    let id = yard.recycled(&path);
    assert_eq!(yard.trash(&["purge", &id, "--confirm"]).0, Some(0));
}

#[test]
fn the_systems_own_folders() {
    let yard = Yard::new();
    for (path, code) in [
        ("C:\\", "recycle_drive_root"),
        ("c:/", "recycle_drive_root"),
        (r"C:\Windows", "recycle_system_folder"),
        (r"c:/WINDOWS/System32", "recycle_system_folder"),
        (r"\\?\C:\Windows", "recycle_system_folder"),
        (r"C:\Program Files", "recycle_system_folder"),
        (r"C:\ProgramData", "recycle_system_folder"),
        (r"C:\Users", "recycle_system_folder"),
        (r"C:\Users\Public", "recycle_user_home"),
    ] {
        assert_eq!(yard.refused(Path::new(path), &[]), code, "{path}");
    }
}
