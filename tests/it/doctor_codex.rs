//! The doctor sees every way in which a guard of Codex can be off. With the client itself: `real_codex.rs`.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::env::{TestEnv, text};

fn hooks(env: &TestEnv) -> PathBuf {
    env.user_home().join(".codex/hooks.json")
}

fn installed() -> TestEnv {
    let env = TestEnv::new();
    env.wsguard_ok(&["install", "codex"]);
    env
}

fn changed(change: impl FnOnce(&mut Value)) -> TestEnv {
    let env = installed();
    let path = hooks(&env);
    let mut value: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut value);
    fs::write(&path, value.to_string()).unwrap();
    env
}

/// What the doctor says of a client: the findings as `section level code`.
fn examine(env: &TestEnv, args: &[&str]) -> (Option<i32>, Vec<String>, Value) {
    let out = env.wsguard(&[&["doctor", "--json"], args].concat());
    let report: Value = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let word = |f: &Value, key: &str| f[key].as_str().unwrap().to_owned();
    let line = |f: &Value| [word(f, "section"), word(f, "level"), word(f, "code")].join(" ");
    (out.code, report["findings"].as_array().unwrap().iter().map(line).collect(), report)
}

#[track_caller]
fn assert_finds(env: &TestEnv, want: &str) {
    let (code, findings, report) = examine(env, &["codex"]);
    assert!(findings.contains(&format!("codex {want}")), "no {want}: {findings:#?}\n{report:#}");
    assert_eq!(code, Some(i32::from(findings.iter().any(|f| f.contains(" fail ")))), "{findings:#?}");
    assert!(!findings.iter().any(|f| f.starts_with("claude-code")), "{findings:#?}");
    for finding in report["findings"].as_array().unwrap() {
        let hint = finding["hint"].as_str().is_some_and(|hint| !hint.is_empty());
        assert!(finding["level"] == "ok" || hint, "{finding}");
    }
}

fn entry<'v>(value: &'v mut Value, event: &str) -> &'v mut Value {
    &mut value["hooks"][event][0]["hooks"][0]
}

#[test]
fn a_fresh_registration_works_and_is_off() {
    let env = installed();
    for want in ["ok registered", "fail untrusted", "ok probe_denied", "ok probe_passed", "warn no_event"] {
        assert_finds(&env, want);
    }
    let (_, _, report) = examine(&env, &["codex"]);
    let probes = report["probes"].as_array().unwrap();
    let answers: Vec<&str> = probes.iter().map(|probe| probe["answer"].as_str().unwrap()).collect();
    assert_eq!(answers, ["deny", "deny", "pass"], "{report:#}");
    let shown = env.wsguard(&["doctor", "codex"]).stdout;
    assert!(shown.contains("nothing is guarded") && shown.contains("no `codex` on PATH"), "{shown}");
}

#[test]
fn every_broken_registration_is_named() {
    let check = |want: &str, change: &dyn Fn(&mut Value)| assert_finds(&changed(change), want);
    let missing = if cfg!(windows) { "C:/no/such/wsguard-hook.exe --harness codex" } else { "/no/such/wsguard-hook" };
    check("fail program_missing", &|v| entry(v, "PreToolUse")["command"] = json!(missing));
    check("fail probe_failed", &|v| entry(v, "PreToolUse")["command"] = json!(missing));
    check("fail command_relative", &|v| entry(v, "PreToolUse")["command"] = json!("bin/wsguard-hook"));
    check("fail entry_matcher", &|v| v["hooks"]["PreToolUse"][0]["matcher"] = json!("Bash"));
    check("fail entry_condition", &|v| entry(v, "PreToolUse")["async"] = json!(true));
    check("fail entry_condition", &|v| entry(v, "PreToolUse")["commandWindows"] = json!("exit 0"));
    check("fail entry_type", &|v| entry(v, "PreToolUse")["type"] = json!("prompt"));
    check("warn entry_timeout", &|v| entry(v, "PreToolUse")["timeout"] = json!(1));
    check("warn event_missing", &|v| {
        v["hooks"].as_object_mut().unwrap().remove("SessionStart");
    });
    check("fail not_registered", &|v| {
        v["hooks"].as_object_mut().unwrap().remove("PreToolUse");
    });
    check("fail settings_ignored", &|v| v["$schema"] = json!("x"));
    check("warn other_relative", &|v| {
        v["hooks"]["Stop"][0]["hooks"][0] = json!({"type": "command", "command": "bash .codex/g.sh"});
    });
}

/// A failing hook lets the call pass in this client, unless the line itself says otherwise.
#[cfg(unix)]
#[test]
fn a_line_that_lets_calls_pass_is_named() {
    let env = changed(|v| {
        let line = entry(v, "Stop")["command"].clone();
        entry(v, "PreToolUse")["command"] = line;
    });
    assert_finds(&env, "fail entry_fails_open");
    let env = changed(|v| {
        let line = entry(v, "PreToolUse")["command"].clone();
        entry(v, "UserPromptSubmit")["command"] = line;
    });
    assert_finds(&env, "fail entry_blocks_user");
}

/// Codex drops such answers, and then runs the tool.
#[cfg(unix)]
#[test]
fn answers_that_codex_drops_are_no_denials() {
    let check = |name: &str, script: &str, want: &str| {
        let env = installed();
        let program = env.root().join("wsguard-hook");
        fs::write(&program, format!("#!/bin/sh\ncat > {name}.stdin\n{script}\n")).unwrap();
        fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let path = hooks(&env);
        let mut value: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        entry(&mut value, "PreToolUse")["command"] = json!(text(&program));
        fs::write(&path, value.to_string()).unwrap();
        assert_finds(&env, want);
    };
    let deny = r#"{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}"#;
    check("deny", &format!("echo '{{\"hookSpecificOutput\":{deny}}}'"), "ok probe_denied");
    check("key", &format!("echo '{{\"hookSpecificOutput\":{deny},\"reason\":\"x\"}}'"), "fail probe_failed");
    let ask = deny.replace("deny", "ask");
    check("ask", &format!("echo '{{\"hookSpecificOutput\":{ask}}}'"), "fail probe_failed");
    check("silent", "exit 2", "fail probe_failed");
    check("loud", "echo no >&2; exit 2", "ok probe_denied");
    check("open", "exit 0", "fail probe_open");
}

#[test]
fn what_the_clients_settings_say_counts() {
    let env = installed();
    let config = env.user_home().join(".codex/config.toml");
    fs::write(&config, "[features]\nhooks = false\n").unwrap();
    assert_finds(&env, "fail hooks_disabled");
    fs::write(&config, "[[[").unwrap();
    assert_finds(&env, "fail settings_broken");
    fs::remove_file(&config).unwrap();

    // Hooks may stand there too.
    fs::remove_file(hooks(&env)).unwrap();
    assert_finds(&env, "fail not_registered");
    let program = text(&env.program("wsguard-hook"));
    let table = "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ntimeout = 10\n";
    fs::write(&config, format!("{table}command = '{program} --harness codex'\n")).unwrap();
    assert_finds(&env, "ok probe_denied");
    assert_finds(&env, "warn event_missing");
}

#[test]
fn a_projects_hooks_need_a_trusted_project() {
    let env = TestEnv::new();
    env.wsguard_ok(&["install", "codex", "--scope", "project"]);
    assert_finds(&env, "fail project_untrusted");
    let config = env.user_home().join(".codex/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    let project = env.project().display().to_string();
    fs::write(&config, format!("[projects.'{project}']\ntrust_level = \"trusted\"\n")).unwrap();
    assert_finds(&env, "fail untrusted");
}

#[test]
fn clients_are_looked_at_where_they_are_in_use() {
    let sections = |env: &TestEnv| {
        let (_, findings, _) = examine(env, &[]);
        ["claude-code", "codex"].map(|name| findings.iter().any(|f| f.starts_with(name)))
    };
    let env = TestEnv::new();
    assert_eq!(sections(&env), [true, false]);
    env.wsguard_ok(&["install", "codex"]);
    assert_eq!(sections(&env), [false, true]);
    fs::create_dir(env.user_home().join(".claude")).unwrap();
    let (_, findings, _) = examine(&env, &[]);
    assert!(findings.contains(&"claude-code warn not_registered".to_owned()), "{findings:#?}");
    env.wsguard_ok(&["install", "claude-code"]);
    assert_eq!(sections(&env), [true, true]);
    let (_, findings, _) = examine(&env, &["claude-code"]);
    assert!(!findings.iter().any(|f| f.starts_with("codex")), "{findings:#?}");
    let status = env.wsguard_ok(&["status"]);
    assert!(status.contains("claude-code by user settings, 9 events"), "{status}");
    assert!(status.contains("codex by user hooks, 7 events") && status.contains("not trusted"), "{status}");
}
