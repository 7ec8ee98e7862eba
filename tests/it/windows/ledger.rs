//! What appears on drives and in `%TEMP%`, and the index of it: numbers of files, other names of one entry, junctions.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::names::{junction, second_drive};
use super::native;
use crate::env::{TestEnv, text};
use crate::ledger::json_of;
use crate::observe::{Call, journal, watched};
use crate::payload::{Payload, SESSION};

fn call<'a>(env: &'a TestEnv, id: &'a str, command: &'a str) -> Call<'a> {
    Call { env, session: SESSION, id, command }
}

/// Kind and grade of each line about `path`, spelled as [`text`] does.
fn said(env: &TestEnv, path: &str) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let lines = journal(env).into_iter().filter(|line| line["path"] == json!(path));
    lines.map(|line| (word(&line["kind"]), word(&line["attribution"]["grade"]))).collect()
}

/// A folder of a drive of the tests' own, which no other test has.
struct OnDrive(String);

impl OnDrive {
    fn new(name: &str) -> Option<Self> {
        let path = format!("{}\\{name}-{}", second_drive()?, std::process::id());
        drop(fs::remove_dir_all(&path));
        Some(Self(path))
    }

    fn text(&self) -> String {
        text(Path::new(&self.0))
    }
}

impl Drop for OnDrive {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

#[test]
fn what_appears_at_the_top_of_a_drive() {
    let Some(new) = OnDrive::new("wsg-top") else { return };
    let env = TestEnv::new();
    let drive = &new.0[..1];
    env.config(&format!("observe = true\nprotect_drives = ['C', '{}:\\']\n", drive.to_lowercase()));
    env.hook(&Payload::session_start(&env.project(), "startup"));
    let one = call(&env, "c1", "./build");
    one.start();
    fs::create_dir_all(Path::new(&new.0).join("inner")).unwrap();
    fs::write(Path::new(&new.0).join("inner").join("file"), "12345").unwrap();
    fs::create_dir(env.user_home().join("in-the-profile")).unwrap();
    one.end();
    let certain = |path: &str| assert_eq!(said(&env, path), [("appeared".to_owned(), "certain".to_owned())], "{path}");
    certain(&new.text());
    certain(&text(&env.user_home().join("in-the-profile")));
    // The index knows it by every spelling, and there is one entry.
    env.wsguard_ok(&["ledger", "mark", "confirmed", &new.0.to_uppercase()]);
    for name in [new.0.clone(), new.0.to_lowercase(), new.text(), format!(r"{}\x\..\", new.0), format!("{}.", new.0)] {
        let shown = json_of(&env, &["ledger", "show", &name, "--json"]);
        assert_eq!((&shown["state"], &shown["path"]), (&json!("confirmed"), &json!(new.text())), "{name}");
    }
    env.wsguard_ok(&["scan", &new.0.to_lowercase()]);
    let root = format!("{drive}:/");
    let listed = json_of(&env, &["ledger", "list", "--root", &root.to_lowercase(), "--state", "confirmed", "--json"]);
    assert_eq!(listed["entries"].as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!((&listed["entries"][0]["bytes"], &listed["entries"][0]["files"]), (&json!(5), &json!(1)), "{listed}");
    // It goes, and comes back as another one: pending again.
    let two = call(&env, "c2", "./clean");
    two.start();
    fs::remove_dir_all(&new.0).unwrap();
    two.end();
    let gone = json_of(&env, &["ledger", "list", "--state", "gone", "--root", &new.0, "--json"]);
    assert_eq!(gone["entries"].as_array().map(Vec::len), Some(1), "{gone}");
    let three = call(&env, "c3", "./build");
    three.start();
    fs::create_dir(&new.0).unwrap();
    three.end();
    assert_eq!(json_of(&env, &["ledger", "show", &new.0, "--json"])["state"], "pending");
}

#[test]
fn an_index_goes_to_another_machine_and_back() {
    let (env, other) = (TestEnv::new(), TestEnv::new());
    // As the published plugin wrote it.
    let entry = |path: &str, state: &str| {
        json!({"path": path, "firstSeen": "2026-01-02T00:00:00.000Z", "lastScan": "2026-01-02T00:00:00.000Z", "bytes": 10,
            "files": 1, "signature": "", "state": state, "session": "s1", "call": null,
            "observedAt": "2026-01-02T00:00:00.000Z", "attribution": "unattributed"})
    };
    let file = env.project().join("index.json");
    let entries = [entry(r"E:\Data\one", "pending"), entry("e:/data/TWO", "confirmed"), entry(r"C:\x", "dismissed")];
    fs::write(&file, json!({"version": 1, "entries": entries}).to_string().replace("},{", "},\r\n{")).unwrap();
    let done = json_of(&env, &["ledger", "import", &native(&env, r"project\index.json"), "--json"]);
    assert_eq!(done, json!({"added": 3, "completed": 0, "kept": 0}));
    // The same entries by other names are no others.
    let again = [entry(r"e:\DATA\ONE", "pending"), entry(r"E:\data\.\two\", "confirmed")];
    fs::write(&file, json!({"version": 1, "entries": again}).to_string()).unwrap();
    let done = json_of(&env, &["ledger", "import", &native(&env, r"project\index.json"), "--json"]);
    assert_eq!(done, json!({"added": 0, "completed": 2, "kept": 0}));
    let listed = json_of(&env, &["ledger", "list", "--root", r"E:\DATA", "--state", "all", "--sort", "path", "--json"]);
    assert_eq!(listed["entries"].as_array().map(Vec::len), Some(2), "{listed}");
    let out = native(&env, r"project\out.json");
    env.wsguard_ok(&["ledger", "export", "--state", "all", "--output", &out]);
    let exported: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert!(exported["entries"].as_array().unwrap().iter().any(|entry| entry["path"] == r"E:\Data\one"), "{exported}");
    assert_eq!(json_of(&other, &["ledger", "import", &out, "--json"])["added"], 3);
    assert_eq!(json_of(&other, &["ledger", "show", "e:/DATA/two", "--json"])["state"], "confirmed");
}

/// With the roots that are watched where none are named.
#[test]
fn folders_of_agents_in_the_temp_folder() {
    let env = TestEnv::new();
    env.config("observe = true\nprotect_drives = ['C']\n");
    env.hook(&Payload::session_start(&env.project(), "startup"));
    let temp = env.user_home().join("AppData").join("Local").join("Temp");
    let one = call(&env, "c1", "./build");
    one.start();
    for name in ["claude-77-cwd", "codex-1", "dsh-x", "somebody-else"] {
        fs::create_dir(temp.join(name)).unwrap();
    }
    fs::create_dir(env.project().join("tmpclaude-1")).unwrap();
    fs::create_dir(env.project().join("src")).unwrap();
    one.end();
    let appeared = |path: &Path| said(&env, &text(path)).iter().filter(|(kind, _)| kind == "appeared").count();
    for (name, times) in [("claude-77-cwd", 1), ("codex-1", 1), ("dsh-x", 1), ("somebody-else", 0)] {
        assert_eq!(appeared(&temp.join(name)), times, "{name}: {:#?}", journal(&env));
    }
    assert_eq!((appeared(&env.project().join("tmpclaude-1")), appeared(&env.project().join("src"))), (1, 0));
}

/// By the number of a file, whatever times it is given: programs set them, and Windows itself gives what is made anew the
/// birth of what had the name before.
#[test]
fn another_file_in_the_place_of_one_is_seen() {
    let env = watched("");
    let (old, new) = (env.root().join("outside").join("x.txt"), env.project().join("y.txt"));
    fs::write(&old, "old").unwrap();
    fs::write(&new, "new").unwrap();
    call(&env, "c0", "ls").start().end();
    let one = call(&env, "c1", "./swap");
    one.start();
    let when = fs::metadata(&old).unwrap().modified().unwrap();
    fs::remove_file(&old).unwrap();
    fs::rename(&new, &old).unwrap();
    crate::env::set_modified(&old, when);
    one.end();
    let kinds: Vec<_> = said(&env, &env.outside("x.txt")).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["appeared", "changed"]);
    // Neither a change of its contents nor of its times makes it another.
    let two = call(&env, "c2", "./touch");
    two.start();
    fs::write(&old, "more than before").unwrap();
    crate::env::set_modified(&old, std::time::UNIX_EPOCH + std::time::Duration::from_hours(24 * 365 * 30));
    two.end();
    assert_eq!(said(&env, &env.outside("x.txt")).len(), 2, "{:#?}", journal(&env));
}

#[test]
fn a_file_with_two_names_counts_once() {
    let env = watched("");
    let one = call(&env, "c1", "./build");
    one.start();
    let folder = env.root().join("outside").join("x");
    fs::create_dir_all(folder.join("inner")).unwrap();
    fs::write(folder.join("a"), "0123456789").unwrap();
    fs::hard_link(folder.join("a"), folder.join("inner").join("b")).unwrap();
    one.end();
    let scan = json_of(&env, &["scan", "--json"]);
    assert_eq!((&scan["scan"]["total"]["files"], &scan["scan"]["total"]["bytes"]), (&json!(1), &json!(10)), "{scan}");
}

#[test]
fn junctions_are_neither_watched_nor_measured() {
    let env = watched("scan_depth = 2\n");
    let elsewhere = env.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("large"), [0; 1000]).unwrap();
    let one = call(&env, "c1", "./build");
    one.start();
    let folder = env.root().join("outside").join("x");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a"), "0123456789").unwrap();
    if !junction(&env, &folder.join("leads-away"), &elsewhere) {
        return;
    }
    assert!(junction(&env, &env.root().join("outside").join("top"), &elsewhere));
    one.end();
    let two = call(&env, "c2", "./more");
    two.start();
    fs::create_dir(elsewhere.join("new")).unwrap();
    two.end();
    let lines = journal(&env);
    assert!(!lines.iter().any(|line| line["path"].as_str().is_some_and(|path| path.ends_with("/new"))), "{lines:#?}");
    let top = lines.iter().find(|line| line["path"] == json!(env.outside("top"))).unwrap();
    assert_eq!(top["entryKind"], "link");
    let scan = json_of(&env, &["scan", "--json"]);
    assert_eq!(scan["scan"]["total"]["bytes"], 10, "{scan}");
    // A root that is one is not watched, and said so.
    env.config(&format!("observe = true\nscan_roots = ['{}']\n", native(&env, r"outside\top")));
    call(&env, "c3", "ls").start().end();
    let notices = journal(&env).into_iter().filter(|line| line["code"] == "observe_not_a_folder").count();
    assert_eq!(notices, 1);
}

/// Paths beyond the limit of 260 characters that most of Windows has.
#[test]
fn long_paths_are_watched_and_measured() {
    let env = watched("scan_depth = 2\n");
    let name = "a-folder-with-a-rather-long-name-".repeat(4);
    let top = env.root().join("outside").join(&name);
    fs::create_dir(&top).unwrap();
    call(&env, "c0", "ls").start().end();
    let one = call(&env, "c1", "./build");
    one.start();
    let deep = top.join(&name).join(&name);
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("file"), "12345").unwrap();
    one.end();
    let path = env.outside(&format!("{name}/{name}"));
    assert_eq!(said(&env, &path), [("appeared".to_owned(), "likely".to_owned())]);
    env.wsguard_ok(&["scan", &path]);
    let shown = json_of(&env, &["ledger", "show", &path, "--json"]);
    assert_eq!((&shown["bytes"], &shown["files"], &shown["partial"]), (&json!(5), &json!(1), &Value::Null), "{shown}");
}
