//! The doctor sees every way in which a guard can be off.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::env::{TestEnv, text};
use crate::payload::Payload;

fn settings(env: &TestEnv) -> PathBuf {
    env.user_home().join(".claude/settings.json")
}

/// An environment with a registration, as the installer makes it.
fn installed() -> TestEnv {
    let env = TestEnv::new();
    env.wsguard_ok(&["install", "claude-code"]);
    env
}

/// The registration with a change.
fn changed(change: impl FnOnce(&mut Value)) -> TestEnv {
    let env = installed();
    let path = settings(&env);
    let mut value: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut value);
    fs::write(&path, value.to_string()).unwrap();
    env
}

/// What the doctor says: its exit code, and the findings as `level code`.
fn examine(env: &TestEnv) -> (Option<i32>, Vec<String>, Value) {
    let out = env.wsguard(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let findings = report["findings"].as_array().unwrap();
    let line = |f: &Value| format!("{} {}", f["level"].as_str().unwrap(), f["code"].as_str().unwrap());
    (out.code, findings.iter().map(line).collect(), report)
}

#[track_caller]
fn assert_finds(env: &TestEnv, want: &str) {
    let (code, findings, report) = examine(env);
    assert!(findings.iter().any(|f| f == want), "no {want}: {findings:#?}\n{report:#}");
    let fails = findings.iter().any(|f| f.starts_with("fail"));
    assert_eq!(code, Some(i32::from(fails)), "{findings:#?}");
    assert_eq!(report["ok"], json!(!fails));
    for finding in report["findings"].as_array().unwrap() {
        let needs_hint = finding["level"] != "ok";
        assert!(!needs_hint || finding["hint"].as_str().is_some_and(|h| !h.is_empty()), "{finding}");
    }
}

/// A program that is not there.
const MISSING: &str = if cfg!(windows) { "C:/no/such/wsguard-hook.exe" } else { "/no/such/wsguard-hook" };

/// The first entry of an event.
fn entry<'v>(settings: &'v mut Value, event: &str) -> &'v mut Value {
    &mut settings["hooks"][event][0]["hooks"][0]
}

#[test]
fn a_fresh_registration_is_right() {
    let env = installed();
    let (code, findings, report) = examine(&env);
    assert_eq!(code, Some(0), "{report:#}");
    for want in
        ["ok home", "ok config", "ok program", "ok registered", "ok probe_denied", "ok probe_passed", "warn no_event"]
    {
        assert!(findings.iter().any(|f| f == want), "{want}: {findings:#?}");
    }
    let probes = report["probes"].as_array().unwrap();
    assert_eq!(probes.len(), 3);
    assert_eq!(probes[0]["answer"], "deny");
    assert!(probes[0]["reason"].as_str().unwrap().contains("wsguard-doctor"), "{report:#}");
    let shown = env.wsguard(&["doctor"]);
    assert_eq!(shown.code, Some(0));
    assert!(shown.stdout.contains("must-deny") && shown.stdout.contains("nothing is wrong"), "{shown:?}");
}

#[test]
fn no_registration_is_wrong() {
    let env = TestEnv::new();
    assert_finds(&env, "fail not_registered");
    env.wsguard_ok(&["install", "claude-code", "--scope", "project"]);
    assert_finds(&env, "ok registered");
    env.wsguard_ok(&["uninstall", "claude-code", "--scope", "project"]);
    assert_finds(&env, "fail not_registered");
}

#[test]
fn every_broken_registration_is_named() {
    let check = |want: &str, change: &dyn Fn(&mut Value)| assert_finds(&changed(change), want);
    check("fail command_relative", &|v| entry(v, "PreToolUse")["command"] = json!("bin/wsguard-hook"));
    check("fail command_relative", &|v| entry(v, "Stop")["command"] = json!("./wsguard-hook"));
    check("fail command_relative", &|v| {
        *entry(v, "PreToolUse") = json!({"type": "command", "command": "bash .claude/hooks/wsguard-hook", "onFailure": "block", "timeout": 10});
    });
    check("fail program_missing", &|v| entry(v, "PreToolUse")["command"] = json!(MISSING));
    check("fail probe_failed", &|v| entry(v, "PreToolUse")["command"] = json!(MISSING));
    check("fail program_missing", &|v| entry(v, "PreToolUse")["command"] = json!("wsguard-hook"));
    check("fail entry_fails_open", &|v| {
        entry(v, "PreToolUse").as_object_mut().unwrap().remove("onFailure");
    });
    check("fail entry_fails_open", &|v| entry(v, "PreToolUse")["onFailure"] = json!("continue"));
    check("fail entry_blocks_user", &|v| entry(v, "UserPromptSubmit")["onFailure"] = json!("block"));
    check("fail entry_matcher", &|v| v["hooks"]["PreToolUse"][0]["matcher"] = json!("Bash"));
    check("warn entry_matcher", &|v| v["hooks"]["PostToolUse"][0]["matcher"] = json!("Bash"));
    check("fail entry_condition", &|v| entry(v, "PreToolUse")["async"] = json!(true));
    check("fail entry_condition", &|v| entry(v, "PreToolUse")["if"] = json!("Bash(rm *)"));
    check("fail entry_type", &|v| entry(v, "PreToolUse")["type"] = json!("prompt"));
    check("warn entry_args", &|v| entry(v, "PreToolUse")["args"] = json!([]));
    check("warn entry_timeout", &|v| entry(v, "PreToolUse")["timeout"] = json!(0.5));
    check("warn event_missing", &|v| {
        v["hooks"].as_object_mut().unwrap().remove("SessionStart");
    });
    check("fail not_registered", &|v| {
        v["hooks"].as_object_mut().unwrap().remove("PreToolUse");
    });
    check("warn event_repeated", &|v| {
        let group = v["hooks"]["PreToolUse"][0].clone();
        v["hooks"]["PreToolUse"].as_array_mut().unwrap().push(group);
    });
    check("fail hooks_disabled", &|v| v["disableAllHooks"] = json!(true));
    check("fail settings_ignored", &|v| v["hooks"]["Notification"] = json!("x"));
    check("warn other_relative", &|v| {
        v["hooks"]["Notification"] = json!([{"hooks": [{"type": "command", "command": "bash .claude/hooks/g.sh"}]}]);
    });
}

#[test]
fn settings_that_the_client_ignores_are_named() {
    let env = installed();
    let path = settings(&env);
    let good = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("// mine\n{good}")).unwrap();
    assert_finds(&env, "fail settings_ignored");
    fs::write(&path, good.replacen('}', "},", 1)).unwrap();
    assert_finds(&env, "fail settings_broken");
    fs::write(&path, &good).unwrap();
    let local = env.project().join(".claude/settings.local.json");
    fs::create_dir_all(local.parent().unwrap()).unwrap();
    fs::write(&local, "{\"disableAllHooks\": true}").unwrap();
    assert_finds(&env, "fail hooks_disabled");
}

#[cfg(unix)]
#[test]
fn the_shell_form_is_run_through_a_shell() {
    let env = installed();
    let hook = text(&env.program("wsguard-hook"));
    let mut value: Value = serde_json::from_slice(&fs::read(settings(&env)).unwrap()).unwrap();
    let form = |command: String| json!({"type": "command", "command": command, "timeout": 10, "onFailure": "block"});
    *entry(&mut value, "PreToolUse") = form(format!("X=1 '{hook}' --harness claude-code || exit 2"));
    fs::write(settings(&env), value.to_string()).unwrap();
    assert_finds(&env, "ok probe_denied");
    // Something that looks like the guard and lets everything pass.
    let fake = env.root().join("wsguard-hook");
    fs::write(&fake, "cat > /dev/null; exit 0\n").unwrap();
    *entry(&mut value, "PreToolUse") = form(format!("sh '{}'", text(&fake)));
    fs::write(settings(&env), value.to_string()).unwrap();
    assert_finds(&env, "fail probe_open");
    for (script, want) in [
        ("cat > /dev/null; echo no JSON\n", "fail probe_failed"),
        ("exit 1\n", "fail probe_failed"),
        ("kill -9 $$\n", "fail probe_failed"),
        ("cat > /dev/null; echo no >&2; exit 2\n", "fail probe_refused"),
    ] {
        fs::write(&fake, script).unwrap();
        assert_finds(&env, want);
    }
    // One that hangs is not waited for.
    fs::write(&fake, "exec sleep 100\n").unwrap();
    entry(&mut value, "PreToolUse")["timeout"] = json!(0.2);
    fs::write(settings(&env), value.to_string()).unwrap();
    assert_finds(&env, "fail probe_failed");
}

#[test]
fn the_configuration_is_looked_at() {
    let check = |config: &str, want: &str| {
        let env = installed();
        env.config(config);
        assert_finds(&env, want);
    };
    check("gate = false\n", "fail gate_off");
    check("gate = false\n", "fail probe_open");
    check("shel = \"strict\"\n", "fail config_unknown_key");
    check("action = \"ask\"\n", "ok probe_asked");
    check("action = \"warn\"\n", "warn probe_warned");
    let everything = if cfg!(windows) { "C:/" } else { "/" };
    check(&format!("allow_roots = [\"{everything}\"]\n"), "warn nothing_protected");
    check("fail = \"open\"\n", "warn fail_open");
}

#[test]
fn the_last_event_is_looked_at() {
    let mut env = installed();
    env.hook(&Payload::session_start(&env.project(), "startup"));
    assert_finds(&env, "ok last_event");
    env.set("CLAUDE_CODE_SESSION_ID", "a-session-without-a-hook");
    assert_finds(&env, "fail session_unguarded");
}

#[test]
fn a_plugin_counts_as_a_registration() {
    let mut env = TestEnv::new();
    let config = env.user_home().join(".claude");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks/claude-code");
    fs::create_dir_all(config.join("plugins")).unwrap();
    fs::write(settings(&env), json!({"enabledPlugins": {"workspace-guard@workspace-guard": true}}).to_string())
        .unwrap();
    let list =
        json!({"version": 2, "plugins": {"workspace-guard@workspace-guard": [{"scope": "user", "installPath": root}]}});
    fs::write(config.join("plugins/installed_plugins.json"), list.to_string()).unwrap();
    assert_finds(&env, "fail program_missing");
    let old = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(env.bin().to_owned()).chain(std::env::split_paths(&old));
    env.set("PATH", std::env::join_paths(folders).unwrap());
    assert_finds(&env, "ok registered");
    assert_finds(&env, "ok probe_denied");
    env.wsguard_ok(&["install", "claude-code"]);
    assert_finds(&env, "warn registered_twice");
}

#[cfg(unix)]
#[test]
fn home_must_be_ours_and_writable() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &std::path::Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let env = installed();
    fs::create_dir(env.guard_home()).unwrap();
    mode(&env.guard_home(), 0o777);
    assert_finds(&env, "fail home_exposed");
    fs::remove_dir_all(env.guard_home()).unwrap();
    fs::write(env.guard_home(), "").unwrap();
    assert_finds(&env, "fail home_no_folder");

    let env = TestEnv::unprivileged();
    fs::create_dir(env.guard_home()).unwrap();
    env.give_away(&env.user_home());
    mode(&env.guard_home(), 0o500);
    assert_finds(&env, "fail home_not_writable");
    mode(&env.guard_home(), 0o700);
    if crate::env::is_root() {
        std::os::unix::fs::chown(env.guard_home(), Some(0), Some(0)).unwrap();
        mode(&env.guard_home(), 0o755);
        let (code, findings, _) = examine(&env);
        assert_eq!(code, Some(1));
        assert!(findings.iter().any(|f| f == "fail home_foreign" || f == "fail home_not_writable"), "{findings:?}");
    }
}

#[test]
fn status_is_one_screen_of_facts() {
    let env = installed();
    env.hook(&Payload::session_start(&env.project(), "startup"));
    let outside = env.outside("new.txt");
    env.write(&outside).assert_denied(&outside);
    env.config("profile = \"strict\"\n");
    let shown = env.wsguard_ok(&["status"]);
    for want in [
        text(&env.guard_home()),
        text(&env.scratch()),
        text(&env.project()),
        "profile strict".to_owned(),
        text(&settings(&env)),
    ] {
        assert!(shown.contains(&want), "{want}: {shown}");
    }
    let value: Value = serde_json::from_str(&env.wsguard_ok(&["status", "--json"])).unwrap();
    assert_eq!(value["harnesses"][0]["registered"][0]["events"], 9);
    assert_eq!(value["sessions"][0]["live"], true);
    assert_eq!(value["gate"]["on"], true);
    assert!(value["harnesses"][0]["lastEvent"].is_string());
    // A machine where nothing is set up yet.
    let bare = TestEnv::new();
    assert!(bare.wsguard_ok(&["status"]).contains("not registered"));
    assert!(!bare.guard_home().exists());
}
