//! The operator's commands: registration, other programs, variables, the console.

use std::fs;

use serde_json::{Value, json};

use super::native;
use crate::env::{TestEnv, run, text};
use crate::payload::SESSION;

#[test]
fn the_registration_is_the_form_without_a_shell() {
    let env = TestEnv::new();
    env.wsguard_ok(&["install", "claude-code"]);
    let settings = env.user_home().join(".claude").join("settings.json");
    let value: Value = serde_json::from_slice(&fs::read(settings).unwrap()).unwrap();
    let entry = &value["hooks"]["PreToolUse"][0]["hooks"][0];
    assert_eq!(entry["command"], env.program("wsguard-hook").to_str().unwrap());
    assert!(entry["args"].is_array());
    let report: Value = serde_json::from_str(&env.wsguard(&["doctor", "--json"]).stdout).unwrap();
    assert_eq!(report["ok"], true, "{report:#}");
    assert_eq!(report["probes"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_shell_form_without_a_shell_is_named() {
    let env = TestEnv::new();
    env.wsguard_ok(&["install", "claude-code"]);
    let settings = env.user_home().join(".claude").join("settings.json");
    let mut value: Value = serde_json::from_slice(&fs::read(&settings).unwrap()).unwrap();
    value["hooks"]["PreToolUse"][0]["hooks"][0] = json!({"type": "command", "command": format!("'{}'", text(&env.program("wsguard-hook"))), "timeout": 5, "onFailure": "block"});
    fs::write(&settings, value.to_string()).unwrap();
    let out = env.wsguard(&["doctor", "--json"]);
    assert!(out.stdout.contains("probe_failed") && out.stdout.contains("can't be started"), "{out:?}");
}

#[test]
fn run_passes_the_end_of_a_program_on() {
    let env = TestEnv::new();
    let script = "echo %TMPDIR%&echo %TEMP%&echo %WSGUARD_SESSION%&exit 7";
    let out = env.wsguard(&["run", "--session", SESSION, "--", "cmd", "/c", script]);
    assert_eq!(out.code, Some(7), "{out:?}");
    let temp = text(&env.guard_home().join("cache").join("tmp"));
    let lines: Vec<_> = out.stdout.lines().map(str::trim_end).collect();
    assert_eq!(lines, [temp.as_str(), temp.as_str(), SESSION]);
    assert_eq!(env.wsguard(&["run", "--", "cmd", "/c", "exit 2"]).code, Some(2), "it is the program's own");
    // More than a byte must not look like success.
    assert_eq!(env.wsguard(&["run", "--", "cmd", "/c", "exit 512"]).code, Some(255));
    assert_eq!(env.wsguard(&["run", "--", r"C:\no\such\program"]).code, Some(127));
}

#[test]
fn variables_for_its_shells() {
    let env = TestEnv::new();
    let temp = &native(&env, r"home\.wsguard\cache\tmp");
    let printed = |args: &[&str]| {
        run(
            {
                let mut c = env.command(env.program("wsguard"));
                c.args(args);
                c
            },
            b"",
        )
        .stdout
    };
    let lines = printed(&["env"]);
    assert!(lines.contains(&format!("$env:TEMP = '{temp}'")), "{lines}");
    let lines = printed(&["env", "--shell", "cmd"]);
    assert!(lines.contains(&format!("set \"TEMP={temp}\"")), "{lines}");
    // What cmd makes of it.
    let script = env.root().join("set.cmd");
    fs::write(&script, format!("@echo off\r\n{}echo %TMP%\r\n", lines.replace('\n', "\r\n"))).unwrap();
    let mut command = env.command("cmd");
    command.args(["/c", script.to_str().unwrap()]);
    assert_eq!(run(command, b"").stdout.trim_end(), *temp);
}

#[test]
fn output_is_utf8_without_colours_in_a_pipe() {
    let mut env = TestEnv::new();
    env.set("CLAUDE_PROJECT_DIR", env.root().join("project"));
    let name = "outside/naïve — 新しい.md";
    let reason = env.write(&text(&env.root().join(name))).assert_refused();
    assert!(reason.contains("naïve — 新しい.md"), "{reason}");
    let shown = env.wsguard_ok(&["explain", &format!("touch '{}'", text(&env.root().join(name)))]);
    assert!(shown.contains("新しい.md") && !shown.contains('\u{1b}'), "{shown}");
}

/// Most programs of the npm world are scripts there: `gemini.cmd`. A shell finds them by their bare name.
#[test]
fn run_finds_what_a_shell_finds() {
    let mut env = TestEnv::new();
    let tools = env.root().join("tools with a blank");
    fs::create_dir(&tools).unwrap();
    fs::write(tools.join("client.cmd"), "@echo off\r\necho %1 %2 in %WSGUARD_SESSION%\r\nexit /b 5\r\n").unwrap();
    let path = std::env::join_paths([tools.clone(), std::path::PathBuf::from(r"C:\windows\system32")]).unwrap();
    env.set("PATH", path);
    for name in ["client", "client.cmd", "CLIENT"] {
        let out = env.wsguard(&["run", "--session", "s1", "--", name, "a b", "c&d"]);
        assert_eq!((out.code, out.stdout.trim_end()), (Some(5), r#""a b" "c&d" in s1"#), "{name}: {out:?}");
    }
    let full = tools.join("client");
    let out = env.wsguard(&["run", "--session", "s1", "--", full.to_str().unwrap(), "a b", "c"]);
    assert_eq!((out.code, out.stdout.trim_end()), (Some(5), r#""a b" c in s1"#), "{out:?}");
    // What lies in the current folder is not started by a bare name: an agent may have put it there.
    fs::write(env.project().join("other.cmd"), "@echo no\r\n").unwrap();
    assert_eq!(env.wsguard(&["run", "--", "other"]).code, Some(127));
}

#[test]
fn colours_when_they_are_asked_for() {
    let mut env = TestEnv::new();
    let stdout = |env: &TestEnv| {
        let mut command = env.command(env.program("wsguard"));
        command.arg("doctor");
        run(command, b"").stdout
    };
    assert!(!stdout(&env).contains('\u{1b}'));
    env.set("CLICOLOR_FORCE", "1");
    assert!(stdout(&env).contains("\u{1b}["));
    env.set("NO_COLOR", "1");
    env.unset("CLICOLOR_FORCE");
    assert!(!stdout(&env).contains('\u{1b}'));
}

/// The plugin's folder holds a registration for all platforms; there it must name the program without `.exe`, and the
/// system finds it.
#[test]
fn a_bare_name_is_found_on_the_path() {
    let mut env = TestEnv::new();
    env.wsguard_ok(&["install", "claude-code"]);
    let settings = env.user_home().join(".claude").join("settings.json");
    let mut value: Value = serde_json::from_slice(&fs::read(&settings).unwrap()).unwrap();
    for event in value["hooks"].as_object_mut().unwrap().values_mut() {
        event[0]["hooks"][0]["command"] = json!("wsguard-hook");
    }
    fs::write(&settings, value.to_string()).unwrap();
    let path = std::env::join_paths([env.bin().to_owned(), std::path::PathBuf::from(r"C:\windows\system32")]).unwrap();
    env.set("PATH", path);
    let report: Value = serde_json::from_str(&env.wsguard(&["doctor", "--json"]).stdout).unwrap();
    let probes = report["probes"].as_array().unwrap();
    assert_eq!(probes.len(), 3, "{report:#}");
    assert!(report["findings"].as_array().unwrap().iter().all(|f| f["code"] != "probe_failed"), "{report:#}");
}
