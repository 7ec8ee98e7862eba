//! Registration with Codex: its own file, its own form, and nothing else in it touched.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

#[cfg(windows)]
use crate::env::copy_program;
use crate::env::{RawOutput, TestEnv, text};

const EVENTS: [&str; 7] =
    ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "Stop", "SessionEnd"];

fn hooks(env: &TestEnv) -> PathBuf {
    env.user_home().join(".codex/hooks.json")
}

fn with_hooks(content: &str) -> (TestEnv, PathBuf) {
    let env = TestEnv::new();
    let path = hooks(&env);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    (env, path)
}

fn install(env: &TestEnv) -> RawOutput {
    env.wsguard(&["install", "codex"])
}

fn read(path: &PathBuf) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The line of an event, in the form that runs on this system.
fn line(env: &TestEnv, event: &str) -> String {
    let program = env.program("wsguard-hook").to_str().unwrap().to_owned();
    let closing = event == "PreToolUse" && cfg!(unix);
    let end = if closing { " || { echo 'wsguard: the guard failed, the call is refused' >&2; exit 2; }" } else { "" };
    format!("{program} --harness codex{end}")
}

#[track_caller]
fn assert_registered(env: &TestEnv, value: &Value) {
    for event in EVENTS {
        let groups = value["hooks"][event].as_array().unwrap();
        let is_own = |group: &&Value| group["hooks"][0]["command"] == json!(line(env, event));
        let own: Vec<&Value> = groups.iter().filter(is_own).collect();
        assert_eq!(own.len(), 1, "{event}: {groups:?}");
        let entry = json!({"type": "command", "command": line(env, event), "timeout": 10});
        assert_eq!(own[0]["hooks"], json!([entry]), "{event}");
        let is_about_tools = ["PreToolUse", "PostToolUse"].contains(&event);
        assert_eq!(own[0].get("matcher"), is_about_tools.then_some(&json!("*")), "{event}");
    }
}

fn names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path.parent().unwrap()).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_missing_file_is_made_and_the_second_run_writes_nothing() {
    let env = TestEnv::new();
    let path = hooks(&env);
    let dry = env.wsguard_ok(&["install", "codex", "--dry-run"]);
    assert!(dry.contains("+++") && dry.contains("PreToolUse") && !path.exists(), "{dry}");
    let out = install(&env);
    assert_eq!(out.code, Some(0), "{out:?}");
    assert!(out.stderr.contains("the guard is off") && out.stderr.contains("--trust"), "{out:?}");
    let first = fs::read(&path).unwrap();
    assert_registered(&env, &read(&path));
    let again = install(&env);
    assert!(again.stdout.contains("already registered") && again.stderr.contains("the guard is off"), "{again:?}");
    assert_eq!(fs::read(&path).unwrap(), first);
    assert_eq!(names(&path), ["hooks.json"]);
    env.wsguard_ok(&["uninstall", "codex"]);
    assert_eq!(fs::read_to_string(&path).unwrap().trim(), "{}");
}

#[test]
fn everything_else_keeps_its_bytes() {
    let check = |before: &str| {
        let (env, path) = with_hooks(before);
        assert_eq!(install(&env).code, Some(0), "{before}");
        let after = fs::read_to_string(&path).unwrap();
        let mut rest = after.chars();
        assert!(before.chars().all(|c| rest.any(|r| r == c)), "{after}");
        assert_registered(&env, &read(&path));
        let backup = names(&path).into_iter().find(|name| name.contains("wsguard-backup")).unwrap();
        assert_eq!(fs::read_to_string(path.with_file_name(backup)).unwrap(), before);
        env.wsguard_ok(&["uninstall", "codex"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
    };
    check("{\n  \"description\": \"mine\"\n}\n");
    check(r#"{"description":"mine","hooks":{}}"#.replace(",\"hooks\":{}", "").as_str());
    check(
        "{\n\t\"hooks\": {\n\t\t\"PreToolUse\": [ {\"matcher\": \"Bash\", \"hooks\": [ {\"type\": \"command\", \"command\": \"/opt/other --x\"} ]} ]\n\t}\n}\n",
    );
    check(
        "{\r\n  \"hooks\": {\r\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"notify wsguard-hook\"}]}]\r\n  }\r\n}\r\n",
    );
}

#[test]
fn changed_entries_are_put_right() {
    let check = |want: &str, change: &dyn Fn(&mut Value)| {
        let env = TestEnv::new();
        install(&env);
        let path = hooks(&env);
        let mut value = read(&path);
        change(&mut value);
        fs::write(&path, value.to_string()).unwrap();
        let out = install(&env);
        assert!(out.stdout.contains("repaired") || out.stdout.contains("added"), "{want}: {out:?}");
        assert!(out.stdout.contains(want), "{want}: {out:?}");
        assert_registered(&env, &read(&path));
    };
    let entry = |v: &mut Value, event: &str, key: &str, to: Value| v["hooks"][event][0]["hooks"][0][key] = to;
    check("another program", &|v| entry(v, "PreToolUse", "command", json!("/old/bin/wsguard-hook --harness codex")));
    check("another program", &|v| entry(v, "Stop", "command", json!("wsguard-hook --harness claude-code")));
    check("timeout", &|v| entry(v, "PreToolUse", "timeout", json!(1)));
    check("async", &|v| entry(v, "PreToolUse", "async", json!(true)));
    check("commandWindows", &|v| entry(v, "PreToolUse", "commandWindows", json!("exit 0")));
    check("matcher", &|v| v["hooks"]["PreToolUse"][0]["matcher"] = json!("Bash"));
    check("several times", &|v| {
        let group = v["hooks"]["PreToolUse"][0].clone();
        v["hooks"]["PreToolUse"].as_array_mut().unwrap().push(group);
    });
    check("added", &|v| {
        v["hooks"].as_object_mut().unwrap().remove("SessionEnd");
    });
}

#[test]
fn each_client_has_its_own_registration() {
    let env = TestEnv::new();
    env.wsguard_ok(&["install", "claude-code"]);
    let claude = env.user_home().join(".claude/settings.json");
    let before = fs::read(&claude).unwrap();
    assert_eq!(install(&env).code, Some(0));
    assert_registered(&env, &read(&hooks(&env)));
    env.wsguard_ok(&["uninstall", "codex"]);
    assert_eq!(fs::read(&claude).unwrap(), before);
    install(&env);
    let codex = fs::read(hooks(&env)).unwrap();
    env.wsguard_ok(&["uninstall", "claude-code"]);
    assert_eq!(fs::read(hooks(&env)).unwrap(), codex);
}

#[test]
fn places() {
    let mut env = TestEnv::new();
    let project = env.project().join(".codex/hooks.json");
    env.wsguard_ok(&["install", "codex", "--scope", "project"]);
    assert_registered(&env, &read(&project));
    assert!(!hooks(&env).exists());
    env.wsguard_ok(&["uninstall", "codex", "--scope", "project"]);
    let named = env.root().join("home/named.json");
    env.wsguard_ok(&["install", "codex", "--settings", &text(&named)]);
    assert_registered(&env, &read(&named));
    let home = env.root().join("home/elsewhere");
    env.set("CODEX_HOME", home.clone());
    env.wsguard_ok(&["install", "codex"]);
    assert_registered(&env, &read(&home.join("hooks.json")));
    assert!(!hooks(&env).exists());
}

#[test]
fn a_file_that_codex_ignores_is_said_so() {
    let (env, _) = with_hooks("{\"$schema\": \"x\"}\n");
    let out = install(&env);
    assert!(out.stderr.contains("further keys") && out.stderr.contains("Codex"), "{out:?}");
    let (env, _) = with_hooks("// mine\n{}\n");
    let out = install(&env);
    assert!(out.stderr.contains("Codex ignores"), "{out:?}");
    let (env, path) = with_hooks("{\"hooks\": []}\n");
    let out = install(&env);
    assert_ne!(out.code, Some(0), "{out:?}");
    assert_eq!(fs::read_to_string(path).unwrap(), "{\"hooks\": []}\n");
}

#[test]
fn trust_needs_the_client_and_the_operator() {
    let mut env = TestEnv::new();
    let out = env.wsguard(&["install", "codex", "--trust"]);
    assert!(out.code != Some(0) && out.stderr.contains("no `codex` on PATH"), "{out:?}");
    assert!(hooks(&env).exists(), "registered all the same");
    let out = env.wsguard(&["install", "claude-code", "--trust"]);
    assert!(out.code == Some(64) && out.stderr.contains("--trust is for Codex"), "{out:?}");
    let out = env.wsguard(&["install", "codex", "--trust", "--dry-run"]);
    assert_eq!(out.code, Some(64), "{out:?}");
    let json: Value = serde_json::from_str(&env.wsguard_ok(&["install", "codex", "--json"])).unwrap();
    assert_eq!((json["trust"]["hooks"].as_u64(), json["trust"]["off"].as_array().map(Vec::len)), (Some(7), Some(7)));
    env.set("CODEX_SESSION_ID", "s");
    let out = env.wsguard(&["install", "codex", "--trust"]);
    assert!(out.stderr.contains("for the operator"), "{out:?}");
    assert!(env.wsguard(&["uninstall", "codex"]).stderr.contains("for the operator"));
}

/// Where a path would have to be quoted, PowerShell prints it instead of running it; a bare name runs.
#[cfg(windows)]
#[test]
fn a_program_on_path_is_registered_by_its_name() {
    let mut env = TestEnv::new();
    let bin = env.root().join("with blank");
    fs::create_dir(&bin).unwrap();
    for name in ["wsguard.exe", "wsguard-hook.exe"] {
        copy_program(&env.bin().join(name), &bin.join(name));
    }
    let run = |env: &TestEnv| {
        let mut command = env.command(bin.join("wsguard.exe"));
        command.args(["install", "codex"]);
        crate::env::run(command, b"")
    };
    let out = run(&env);
    assert!(out.code != Some(0) && out.stderr.contains("on PATH"), "{out:?}");
    assert!(!hooks(&env).exists());
    env.set("PATH", bin.clone());
    assert_eq!(run(&env).code, Some(0));
    let value = read(&hooks(&env));
    assert_eq!(value["hooks"]["PreToolUse"][0]["hooks"][0]["command"], json!("wsguard-hook --harness codex"));
}
