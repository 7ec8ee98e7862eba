//! What is never recycled, purged or restored: one test a code, and all of them named in `docs/TRASH.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use workspace_guard::trash::Refusal;

use crate::env::TestEnv;
#[cfg(unix)]
use crate::env::{is_root, symlink, text};
use crate::trash::{Yard, is_whole};

#[test]
fn every_code_is_in_the_manual() {
    let manual = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/TRASH.md")).unwrap();
    let mut after = 0;
    for refusal in Refusal::ALL {
        let row = format!("| `{}` |", refusal.code());
        let at = manual.find(&row).unwrap_or_else(|| panic!("docs/TRASH.md has no row for {}", refusal.code()));
        assert!(at > after, "docs/TRASH.md has {} out of order", refusal.code());
        after = at;
    }
    let rows = manual.lines().filter(|line| line.starts_with("| `recycle_") || line.starts_with("| `trash_")).count();
    assert_eq!(rows, Refusal::ALL.len(), "docs/TRASH.md has a row of no refusal");
}

#[test]
fn what_the_index_does_not_say() {
    let yard = Yard::new();
    let path = yard.folder("data");
    for (state, code) in [("pending", "recycle_not_confirmed"), ("dismissed", "recycle_not_confirmed")] {
        yard.note(&path, state);
        assert_eq!(yard.refused(&path, &[]), code, "{state}");
        let said = yard.env.wsguard(&["recycle", path.to_str().unwrap()]);
        assert!(said.stderr.contains("wsguard ledger mark confirmed") && said.stderr.contains(state), "{said:?}");
    }
    yard.confirm(&path);
    assert_eq!(yard.refused(&path.join("inner"), &[]), "recycle_not_listed");
    assert_eq!(yard.refused(&PathBuf::from(yard.env.outside("existing.txt")), &[]), "recycle_not_listed");
    assert_eq!(yard.refused(&PathBuf::from(yard.env.outside("none")), &[]), "recycle_missing");
    assert_eq!(yard.refused(&PathBuf::from(yard.env.outside("none/none")), &[]), "recycle_missing");
    // Something else takes its place.
    fs::rename(&path, yard.env.outside("moved")).unwrap();
    fs::create_dir(&path).unwrap();
    yard.env.give_away(&path);
    assert_eq!(yard.refused(&path, &[]), "recycle_replaced");
    assert!(is_whole(Path::new(&yard.env.outside("moved"))));
}

#[cfg(unix)]
#[test]
fn the_systems_own_folders() {
    let yard = Yard::new();
    for (path, code) in [
        ("/", "recycle_drive_root"),
        ("/usr/..", "recycle_drive_root"),
        ("/usr", "recycle_system_folder"),
        ("/etc", "recycle_system_folder"),
        ("/home", "recycle_system_folder"),
        ("/var", "recycle_system_folder"),
        ("/opt", "recycle_system_folder"),
        ("/opt/", "recycle_system_folder"),
        ("/usr/../opt/.", "recycle_system_folder"),
        ("/usr/bin/env", "recycle_system_folder"),
        ("/var/lib", "recycle_system_folder"),
        ("/tmp", "recycle_system_folder"),
    ] {
        assert_eq!(yard.refused(Path::new(path), &[]), code, "{path}");
    }
    if Path::new("/proc/self/mounts").exists() {
        assert_eq!(yard.refused(Path::new("/proc"), &[]), "recycle_mount_point");
    }
}

#[test]
fn places_of_people_and_of_this_guard() {
    let mut yard = Yard::new();
    let (home, root) = (yard.env.user_home(), yard.env.root().to_owned());
    assert_eq!(yard.refused(&home, &[]), "recycle_user_home");
    assert_eq!(yard.refused(&root, &[]), "recycle_user_home", "it holds the home folder");
    assert_eq!(yard.refused(&yard.env.guard_home(), &[]), "recycle_own_state");
    assert_eq!(yard.refused(&yard.env.guard_home().join("workspace-mgr"), &[]), "recycle_own_state");
    assert_eq!(yard.refused(&yard.env.project(), &[]), "recycle_current_folder");
    let id = yard.recycled(&yard.folder("data"));
    let item = PathBuf::from(yard.item(&id)["item"].as_str().unwrap());
    for inside in [&*item, item.parent().unwrap(), &item.join("payload")] {
        assert_eq!(yard.refused(inside, &[]), "recycle_trash", "{}", inside.display());
    }
    // Elsewhere than in the home folder.
    let scratch = yard.folder("state/scratch").parent().unwrap().to_owned();
    yard.env.config(&format!("scratch_root = {:?}\n", scratch.join("scratch").to_str().unwrap()));
    assert_eq!(yard.refused(&scratch.join("scratch"), &[]), "recycle_scratch_root");
    assert_eq!(yard.refused(&scratch, &[]), "recycle_scratch_root");
    let temp = yard.folder("temporary/tmp");
    for variable in ["TMPDIR", "TEMP", "TMP"] {
        yard.env.set(variable, &temp);
    }
    assert_eq!(yard.refused(&temp, &[]), "recycle_temp_folder");
    assert_eq!(yard.refused(temp.parent().unwrap(), &[]), "recycle_temp_folder");
    assert!(is_whole(&temp));
}

#[test]
fn a_folder_in_which_a_session_works() {
    let yard = Yard::new();
    let path = yard.folder("work");
    let sessions = yard.env.guard_home().join("scratch/live-1");
    fs::create_dir_all(&sessions).unwrap();
    let owner = json!({"sessionId": "live-1", "harness": "claude-code", "cwd": path.join("inner"), "pid": null,
        "createdAt": "2026-01-01T00:00:00.000Z", "version": "0", "format": 1});
    fs::write(sessions.join(".dsh-owner.json"), owner.to_string()).unwrap();
    yard.env.give_away(&yard.env.guard_home());
    assert_eq!(yard.refused(&path, &[]), "recycle_in_use");
    // A stray in a project may go.
    let stray = yard.folder("work/inner/stray");
    yard.recycled(&stray);
    let mut ended: Value = owner;
    ended["endedAt"] = "2026-01-01T00:00:00.000Z".into();
    fs::write(sessions.join(".dsh-owner.json"), ended.to_string()).unwrap();
    yard.recycled(&path);
}

#[cfg(unix)]
#[test]
fn links_and_other_peoples_files() {
    let yard = Yard::new();
    let path = yard.folder("data");
    let link = PathBuf::from(yard.env.outside("link"));
    symlink("data", &link);
    yard.env.give_away(&link);
    yard.confirm(&link);
    assert_eq!(yard.refused(&link, &[]), "recycle_link");
    assert_eq!(yard.refused(&PathBuf::from(format!("{}/", link.display())), &[]), "recycle_link");
    // By way of a link it is the same entry.
    symlink("outside", yard.env.root().join("way"));
    let (code, entry) = yard.recycle(&yard.env.root().join("way/data"), &[]);
    assert_eq!((code, &entry["path"]), (Some(0), &json!(text(&path))), "{entry:#}");
    // A place by another name is still that place.
    symlink(".", yard.env.root().join("self"));
    assert_eq!(yard.refused(&yard.env.root().join("self/home"), &[]), "recycle_user_home");
    if !is_root() {
        crate::report::skipped("files of another user: only root can make them");
        return;
    }
    std::os::unix::fs::lchown(&path, Some(12345), Some(12345)).unwrap();
    assert_eq!(yard.refused(&path, &[]), "recycle_other_user");
    assert!(is_whole(&path));
}

/// Whether git did what it was told.
fn git(env: &TestEnv, dir: &Path, args: &[&str]) -> bool {
    let identity = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "safe.directory=*"];
    let mut command = Command::new("git");
    command.args(identity).arg("-C").arg(dir).args(args);
    let done = command.output().is_ok_and(|out| out.status.success());
    env.give_away(dir);
    done
}

#[test]
fn a_repository_with_work_that_is_nowhere_else() {
    let yard = Yard::new();
    let path = yard.folder("repository");
    if !git(&yard.env, &path, &["init", "."]) {
        crate::report::skipped("repositories: there is no git");
        return;
    }
    assert_eq!(yard.refused(&path, &[]), "recycle_repository");
    let said = yard.env.wsguard(&["recycle", path.to_str().unwrap()]);
    assert!(said.stderr.contains("not committed") && said.stderr.contains("--with-repository"), "{said:?}");
    assert!(git(&yard.env, &path, &["add", "."]) && git(&yard.env, &path, &["commit", "-m", "all"]));
    assert_eq!(yard.refused(&path, &[]), "recycle_repository");
    let said = yard.env.wsguard(&["recycle", path.to_str().unwrap()]);
    assert!(said.stderr.contains("on no remote"), "{said:?}");
    let (code, entry) = yard.recycle(&path, &["--confirm", "--with-repository"]);
    assert_eq!((code, &entry["ok"]), (Some(0), &json!(true)), "{entry:#}");
}

#[test]
fn what_does_not_prove_to_be_an_item_is_not_purged() {
    let yard = Yard::new();
    let made = |name: &str| {
        let id = yard.recycled(&yard.folder(name));
        let folder = PathBuf::from(yard.item(&id)["item"].as_str().unwrap());
        (id, folder)
    };
    let check = |id: &str, code: &str| {
        let (exit, item) = yard.trash(&["purge", id, "--confirm"]);
        assert_ne!(exit, Some(0), "{item:#}");
        assert_eq!(item["code"], code, "{item:#}");
    };
    // Another payload than the one that was recycled.
    let (id, folder) = made("exchanged");
    fs::rename(folder.join("payload"), yard.env.outside("kept")).unwrap();
    fs::create_dir(folder.join("payload")).unwrap();
    fs::write(folder.join("payload/precious"), "").unwrap();
    yard.env.give_away(&folder);
    check(&id, "trash_not_ours");
    assert!(folder.join("payload/precious").exists());
    assert_eq!(yard.item(&id)["state"], "exchanged");
    // Something beside it.
    let (id, folder) = made("more");
    fs::write(folder.join("notes"), "").unwrap();
    check(&id, "trash_not_ours");
    // No manifest: neither purged nor restored.
    let (id, folder) = made("lost");
    fs::write(folder.join("manifest.json"), "{").unwrap();
    check(&id, "trash_not_ours");
    assert_eq!(yard.trash(&["restore", &id]).1["code"], "trash_manifest_damaged");
    assert!(is_whole(&folder.join("payload")));
    check("nothing", "trash_item_missing");
    check(&id[..0], "trash_item_missing");
}

#[test]
fn a_manifest_is_not_trusted_with_a_way_out() {
    let yard = Yard::new();
    let id = yard.recycled(&yard.folder("data"));
    let folder = PathBuf::from(yard.item(&id)["item"].as_str().unwrap());
    let file = folder.join("manifest.json");
    let whole: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let home = yard.env.guard_home();
    for (path, code) in [
        (home.join("config.toml"), "recycle_own_state"),
        (home.join("trash/x"), "recycle_trash"),
        (PathBuf::from("../../../home/x/.bashrc"), "trash_path_unsafe"),
        (yard.env.root().join("outside/../home/x"), "trash_path_unsafe"),
        (PathBuf::from(if cfg!(windows) { r"C:\" } else { "/" }), "trash_path_unsafe"),
    ] {
        let mut changed = whole.clone();
        changed["originalPath"] = json!(path);
        fs::write(&file, changed.to_string()).unwrap();
        let (_, item) = yard.trash(&["restore", &id, "--parents"]);
        assert_eq!(item["code"], code, "{}", path.display());
        assert!(is_whole(&folder.join("payload")));
    }
}

#[cfg(unix)]
#[test]
fn a_purge_follows_no_link() {
    let yard = Yard::new();
    let kept = yard.folder("kept");
    let path = yard.folder("data");
    symlink(&kept, path.join("inner/link"));
    symlink("/nowhere", path.join("dangling"));
    fs::hard_link(kept.join("top"), path.join("hard")).unwrap();
    let id = yard.recycled(&path);
    assert_eq!(yard.trash(&["purge", &id, "--confirm"]).0, Some(0));
    assert!(is_whole(&kept) && yard.ids().is_empty());
    assert_eq!(fs::read(kept.join("top")).unwrap(), b"x");
}
