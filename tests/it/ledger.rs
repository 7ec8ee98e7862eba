//! The index by its commands: what appeared is listed, told of, marked, measured, exported and imported.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::env::{TestEnv, text};

/// The journal's file.
fn journal(env: &TestEnv) -> PathBuf {
    env.guard_home().join("workspace-mgr/journal.jsonl")
}

/// Writes lines as hooks do.
pub(crate) fn write_lines(env: &TestEnv, lines: &[Value]) {
    let path = journal(env);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    for line in lines {
        writeln!(file, "{line}").unwrap();
    }
}

/// A line that says that `path` appeared, made by call `call` of session `session`.
pub(crate) fn appeared(path: &str, signature: &str, session: &str, call: &str) -> Value {
    json!({
        "v": 2, "time": "2026-01-02T00:00:01.000Z", "kind": "appeared", "session": session, "harness": "claude-code",
        "call": call, "tool": "shell", "path": path, "excerpt": "mkdir it", "entryKind": "dir", "signature": signature,
        "attribution": {"grade": "certain", "evidence": ["onlyCall", "bornWithin"],
            "candidates": [{"session": session, "call": call}]},
    })
}

fn call(kind: &str, session: &str, call: &str, time: &str) -> Value {
    json!({
        "v": 2, "time": time, "kind": kind, "session": session, "harness": "claude-code", "call": call,
        "tool": "shell", "excerpt": "mkdir it",
    })
}

/// A folder outside with some files, and its line in the journal.
fn made(env: &TestEnv, name: &str, files: usize, session: &str) -> String {
    let path = env.outside(name);
    fs::create_dir_all(format!("{path}/inner")).unwrap();
    for n in 0..files {
        fs::write(format!("{path}/inner/{n}"), "0123456789").unwrap();
    }
    write_lines(env, &[appeared(&path, &format!("d:{name}"), session, "c1")]);
    // A scan looks at nothing but a folder in which nothing happens: on this machine others are at work.
    if !env.guard_home().join("config.toml").exists() {
        env.config(&format!("scan_roots = [{:?}]\n", env.project().to_string_lossy()));
    }
    path
}

pub(crate) fn json_of(env: &TestEnv, args: &[&str]) -> Value {
    let out = env.wsguard_ok(args);
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
}

/// The names of what `ledger list` lists with these options, in its order.
fn listed(env: &TestEnv, options: &[&str]) -> Vec<String> {
    let mut args = vec!["ledger", "list", "--json"];
    args.extend(options);
    let entries = json_of(env, &args)["entries"].as_array().unwrap().clone();
    entries.iter().map(|e| e["path"].as_str().unwrap().rsplit(['/', '\\']).next().unwrap().to_owned()).collect()
}

#[test]
fn entries_are_listed_by_every_filter_and_order() {
    let env = TestEnv::new();
    assert!(env.wsguard_ok(&["ledger", "list"]).contains("Nothing to list"));
    made(&env, "small", 1, "s1");
    made(&env, "large", 30, "s2");
    let gone = made(&env, "gone", 1, "s1");
    let mut line = appeared(&gone, "d:gone", "s3", "c9");
    line["kind"] = "vanished".into();
    write_lines(&env, &[line]);
    env.wsguard_ok(&["scan"]);
    let check = |options: &[&str], want: &[&str]| assert_eq!(listed(&env, options), want, "{options:?}");
    check(&["--sort", "path"], &["large", "small"]);
    check(&["--sort", "size"], &["large", "small"]);
    check(&["--sort", "size", "--reverse"], &["small", "large"]);
    check(&["--sort", "session", "-n", "1"], &["small"]);
    check(&["--session", "s1"], &["small"]);
    check(&["--harness", "claude-code", "--sort", "path"], &["large", "small"]);
    check(&["--harness", "codex"], &[]);
    check(&["--root", &env.outside("large")], &["large"]);
    check(&["--root", &text(&env.project())], &[]);
    check(&["--state", "gone"], &["gone"]);
    check(&["--state", "all", "--sort", "path"], &["gone", "large", "small"]);
    check(&["--state", "dismissed"], &[]);
    check(&["--grade", "certain", "--min-size", "20"], &["large"]);
    check(&["--max-size", "20"], &["small"]);
    check(&["--grade", "likely,ambiguous"], &[]);
    check(&["--older", "1h", "--sort", "path"], &["large", "small"]);
    check(&["--newer", "1h"], &[]);
    let table = env.wsguard_ok(&["ledger", "list"]);
    assert!(table.contains("PATH") && table.contains("large") && table.contains("300 B"), "{table}");
    assert_eq!(env.wsguard(&["ledger", "list", "--older", "soon"]).code, Some(64));
}

#[test]
fn the_whole_story_of_an_entry() {
    let env = TestEnv::new();
    write_lines(&env, &[call("callStart", "s1", "c1", "2026-01-02T00:00:00.000Z")]);
    let path = made(&env, "x", 1, "s1");
    write_lines(&env, &[call("callEnd", "s1", "c1", "2026-01-02T00:00:02.000Z")]);
    env.wsguard_ok(&["ledger", "mark", "confirmed", &path]);
    let told = env.wsguard_ok(&["ledger", "show", &path]);
    for part in [
        "confirmed",
        "certain",
        "onlyCall, bornWithin",
        "s1",
        "c1",
        "mkdir it",
        "claude-code",
        "2026-01-02T00:00:00.000Z to 2026-01-02T00:00:02.000Z",
        "not measured",
        "appeared",
        "marked confirmed",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let value = json_of(&env, &["ledger", "show", &path, "--json"]);
    assert_eq!(
        (&value["state"], &value["calls"][0]["ended"]),
        (&json!("confirmed"), &json!("2026-01-02T00:00:02.000Z"))
    );
    assert_eq!(value["story"].as_array().map(Vec::len), Some(2));
    let missing = env.wsguard(&["ledger", "show", &env.outside("none")]);
    assert_eq!(missing.code, Some(66), "{missing:?}");
    assert!(missing.stderr.contains("entry_missing"), "{missing:?}");
}

#[test]
fn candidates_are_all_named() {
    let env = TestEnv::new();
    let path = env.outside("y");
    let mut line = appeared(&path, "d:y", "", "");
    line["attribution"] = json!({"grade": "ambiguous", "evidence": ["callsOpen"],
        "candidates": [{"session": "one", "call": "c1"}, {"session": "two", "call": "c2"}]});
    write_lines(&env, &[call("callStart", "two", "c2", "2026-01-02T00:00:00.000Z"), line]);
    let told = env.wsguard_ok(&["ledger", "show", &path]);
    assert!(told.contains("may have made it") && told.contains("two  c2  mkdir it"), "{told}");
    assert_eq!(listed(&env, &["--session", "two"]), ["y"]);
    assert!(env.wsguard_ok(&["ledger", "list"]).contains("one of 2"));
}

#[test]
fn a_dismissed_entry_comes_back_when_something_else_takes_its_place() {
    let env = TestEnv::new();
    let path = made(&env, "x", 1, "s1");
    env.wsguard_ok(&["ledger", "mark", "dismissed", &path]);
    assert!(listed(&env, &[]).is_empty());
    // The same line again says nothing new.
    write_lines(&env, &[appeared(&path, "d:x", "s1", "c1")]);
    assert!(listed(&env, &[]).is_empty());
    let mut line = appeared(&path, "d:other", "s9", "c9");
    line["kind"] = "changed".into();
    write_lines(&env, &[line]);
    assert_eq!(listed(&env, &["--state", "pending", "--session", "s9"]), ["x"]);
    let audit = env.wsguard_ok(&["audit", "verify"]);
    assert!(audit.contains("whole: 2 lines"), "{audit}");
}

#[test]
fn marks_are_for_the_operator() {
    let mut env = TestEnv::new();
    let path = made(&env, "x", 1, "s1");
    env.set("CLAUDECODE", "1");
    for args in [&["ledger", "mark", "dismissed", &*path][..], &["ledger", "import", "x.json"]] {
        let refused = env.wsguard(args);
        assert_eq!(refused.code, Some(77), "{refused:?}");
    }
    assert_eq!(listed(&env, &["--state", "pending"]), ["x"]);
    env.bash(&format!("wsguard ledger mark dismissed {path}")).assert_refused();
    env.bash("wsguard ledger list").assert_pass();
}

#[test]
fn a_scan_measures_and_remembers() {
    let env = TestEnv::new();
    let path = made(&env, "x", 20, "s1");
    let scan = json_of(&env, &["scan", "--json"]);
    assert_eq!((&scan["scan"]["measured"], &scan["scan"]["total"]["files"]), (&json!(1), &json!(20)));
    let value = json_of(&env, &["ledger", "show", &path, "--json"]);
    assert_eq!((&value["bytes"], &value["files"], &value["partial"]), (&json!(200), &json!(20), &Value::Null));
    assert!(value["lastScan"].is_string());
    // What changed is seen, whatever is remembered.
    fs::write(format!("{path}/inner/new"), "12345").unwrap();
    env.wsguard_ok(&["scan", &path]);
    assert_eq!(json_of(&env, &["ledger", "show", &path, "--json"])["bytes"], 205);
    env.wsguard_ok(&["ledger", "mark", "dismissed", &path]);
    assert_eq!(json_of(&env, &["scan", "--json"])["scan"]["entries"], 0);
    assert_eq!(json_of(&env, &["scan", "--all", "--full", "--json"])["scan"]["entries"], 1);
    fs::remove_dir_all(&path).unwrap();
    assert_eq!(json_of(&env, &["scan", "--all", "--json"])["scan"]["missing"], 1);
    assert_eq!(env.wsguard(&["scan", &env.outside("none")]).code, Some(66));
}

#[cfg(unix)]
#[test]
fn a_scan_follows_no_link() {
    let env = TestEnv::new();
    let path = made(&env, "x", 1, "s1");
    std::os::unix::fs::symlink(env.project(), format!("{path}/project")).unwrap();
    let link = env.outside("link");
    std::os::unix::fs::symlink(env.project(), &link).unwrap();
    write_lines(&env, &[appeared(&link, "l:1", "s1", "c2")]);
    let scan = json_of(&env, &["scan", "--json"]);
    // The file, the link in the folder and the link itself.
    assert_eq!((&scan["scan"]["total"]["files"], &scan["scan"]["total"]["folders"]), (&json!(3), &json!(2)));
}

#[test]
fn exported_and_imported_again() {
    let env = TestEnv::new();
    made(&env, "a", 3, "s1");
    let b = made(&env, "b", 1, "s2");
    env.wsguard_ok(&["ledger", "mark", "confirmed", &b]);
    env.wsguard_ok(&["scan"]);
    let file = text(&env.project().join("out.json"));
    env.wsguard_ok(&["ledger", "export", "--output", &file]);
    assert_eq!(env.wsguard(&["ledger", "export", "--output", &file]).code, Some(64), "nothing is written over");
    let exported: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(exported, json_of(&env, &["ledger", "export"]));
    let mut fields: Vec<_> = exported["entries"][0].as_object().unwrap().keys().cloned().collect();
    fields.sort_unstable();
    let published = [
        "attribution",
        "bytes",
        "call",
        "files",
        "firstSeen",
        "lastScan",
        "observedAt",
        "path",
        "session",
        "signature",
        "state",
    ];
    assert_eq!(fields, published);
    let other = TestEnv::new();
    let done = json_of(&other, &["ledger", "import", &file, "--json"]);
    assert_eq!(done, json!({"added": 2, "completed": 0, "kept": 0}));
    assert_eq!(json_of(&other, &["ledger", "export"]), exported);
    assert_eq!(listed(&other, &["--state", "confirmed"]), ["b"]);
    assert_eq!(json_of(&other, &["ledger", "import", &file, "--json"])["completed"], 2);
    fs::write(&file, "no index").unwrap();
    assert_eq!(other.wsguard(&["ledger", "import", &file]).code, Some(65));
}

#[test]
fn damage_harms_nothing_and_is_told() {
    let env = TestEnv::new();
    let path = made(&env, "x", 1, "s1");
    env.wsguard_ok(&["ledger", "mark", "confirmed", &path]);
    env.wsguard_ok(&["scan"]);
    let index = env.guard_home().join("workspace-mgr/index.json");
    let whole = fs::read(&index).unwrap();
    fs::write(&index, &whole[..whole.len() / 2]).unwrap();
    let mut lines = fs::read(journal(&env)).unwrap();
    lines.extend(b"{\"torn\": \n\xff\xff\n");
    fs::write(journal(&env), lines).unwrap();
    let out = env.wsguard(&["ledger", "list"]);
    assert!(out.code == Some(0) && out.stderr.contains("damaged") && out.stdout.contains("confirmed"), "{out:?}");
    assert_eq!(fs::read(&index).unwrap().len(), whole.len() / 2, "listing writes nothing");
    let out = env.wsguard(&["scan"]);
    assert!(out.code == Some(0) && out.stderr.contains("index-damaged-"), "{out:?}");
    let value = json_of(&env, &["ledger", "show", &path, "--json"]);
    assert_eq!((&value["state"], &value["bytes"]), (&json!("confirmed"), &json!(10)));
    let notices = env.wsguard_ok(&["ledger", "list", "--notices"]);
    assert!(notices.contains("index_damaged") && notices.contains("journal_damaged"), "{notices}");
    assert!(std::path::Path::new(&path).is_dir());
}

#[cfg(unix)]
#[test]
fn a_scan_ends_well_on_ctrl_c_and_goes_on() {
    let env = TestEnv::new();
    // Enough of them that one is under way when the signal comes, or all are done: both are fine.
    for name in ["a", "b", "c"] {
        let path = made(&env, name, 1, "s1");
        for n in 0..300 {
            fs::create_dir_all(format!("{path}/{}/{n}/deep", n % 10)).unwrap();
        }
    }
    let mut command = env.command(env.program("wsguard"));
    command.args(["scan", "--json"]).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
    let child = crate::process::spawn(&mut command);
    std::thread::sleep(std::time::Duration::from_millis(15));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.is_ok());
    let out = child.wait_with_output().unwrap();
    // Before its handler stands, the signal ends it as it ends any process.
    if let Some(code) = out.status.code() {
        let scan: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(code == 130, scan["scan"]["interrupted"] == true, "{scan}");
    }
    let scan = json_of(&env, &["scan", "--json"]);
    assert_eq!((&scan["scan"]["measured"], &scan["scan"]["interrupted"]), (&json!(3), &json!(false)));
    assert_eq!(scan["scan"]["total"]["folders"], 3 * (2 + 10 + 600));
}

#[test]
fn a_scan_looks_at_the_watched_folders_now() {
    let env = TestEnv::new();
    env.config(&format!("scan_roots = [{:?}]\n", env.outside("")));
    env.wsguard_ok(&["scan"]);
    assert!(listed(&env, &["--state", "all"]).is_empty(), "what was there before is nobody's news");
    fs::create_dir(env.outside("new")).unwrap();
    fs::write(env.outside("new/file"), "12345").unwrap();
    let scan = json_of(&env, &["scan", "--json"]);
    assert_eq!(scan["scan"]["total"]["bytes"], 5);
    assert_eq!(listed(&env, &["--state", "pending", "--grade", "unattributed"]), ["new"]);
    fs::remove_dir_all(env.outside("new")).unwrap();
    env.wsguard_ok(&["scan"]);
    assert_eq!(listed(&env, &["--state", "gone"]), ["new"]);
}
