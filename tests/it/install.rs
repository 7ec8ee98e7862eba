//! Registration edits a file that belongs to somebody else: everything but our entries keeps its bytes.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::env::{RawOutput, TestEnv, copy_program, text};

const EVENTS: [&str; 9] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "ConfigChange",
    "Stop",
    "SessionEnd",
];

fn settings(env: &TestEnv) -> PathBuf {
    env.user_home().join(".claude/settings.json")
}

/// A user's settings file with this text.
fn with_settings(bytes: impl AsRef<[u8]>) -> (TestEnv, PathBuf) {
    let env = TestEnv::new();
    let path = settings(&env);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    (env, path)
}

fn install(env: &TestEnv) -> RawOutput {
    env.wsguard(&["install", "claude-code"])
}

fn uninstall(env: &TestEnv) -> RawOutput {
    env.wsguard(&["uninstall", "claude-code"])
}

/// As it stands in the settings.
fn hook_path(env: &TestEnv) -> String {
    env.program("wsguard-hook").to_str().unwrap().to_owned()
}

fn backups(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| text(p).contains("wsguard-backup"))
        .collect();
    found.sort();
    found
}

/// Everything in the file's folder, so that nothing is left lying about.
fn names(path: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(path.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn assert_registered(env: &TestEnv, settings: &Value) {
    for event in EVENTS {
        let groups = settings["hooks"][event].as_array().unwrap();
        let own: Vec<&Value> = groups
            .iter()
            .filter(|g| g["hooks"].as_array().unwrap().iter().any(|h| h["command"] == json!(hook_path(env))))
            .collect();
        assert_eq!(own.len(), 1, "{event}: {groups:?}");
        let mut entry = json!({
            "type": "command",
            "command": hook_path(env),
            "args": ["--harness", "claude-code"],
            "timeout": 10,
        });
        if event == "PreToolUse" {
            entry["onFailure"] = json!("block");
        }
        assert_eq!(own[0]["hooks"], json!([entry]), "{event}");
        let tool_event = ["PreToolUse", "PostToolUse", "PostToolUseFailure"].contains(&event);
        assert_eq!(own[0].get("matcher"), tool_event.then_some(&json!("*")), "{event}");
    }
}

#[test]
fn a_missing_file_is_made_and_the_second_run_writes_nothing() {
    let env = TestEnv::new();
    let path = settings(&env);
    assert_eq!(install(&env).code, Some(0));
    let first = fs::read(&path).unwrap();
    assert_registered(&env, &serde_json::from_slice(&first).unwrap());
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let again = install(&env);
    assert_eq!(again.code, Some(0));
    assert!(again.stdout.contains("already registered"), "{again:?}");
    assert_eq!(fs::read(&path).unwrap(), first);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), modified);
    assert_eq!(names(&path), ["settings.json"]);
    assert_eq!(uninstall(&env).code, Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap().trim(), "{}");
}

#[test]
fn everything_else_keeps_its_bytes() {
    let check = |what: &str, before: &str| {
        let (env, path) = with_settings(before);
        let out = install(&env);
        assert_eq!(out.code, Some(0), "{what}: {out:?}");
        let after = fs::read_to_string(&path).unwrap();
        // What was added is one or more insertions: the old text is left when they are taken out.
        let mut rest = after.chars();
        assert!(before.chars().all(|c| rest.any(|r| r == c)), "{what}: {after}");
        let backup = backups(&path);
        assert_eq!(backup.len(), 1, "{what}");
        assert_eq!(fs::read_to_string(&backup[0]).unwrap(), before, "{what}");
        let out = uninstall(&env);
        assert_eq!(out.code, Some(0), "{what}: {out:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), before, "{what}");
    };
    check("plain", "{\n  \"model\": \"opus\",\n  \"zeta\": 1,\n  \"alpha\": [1,2,   3]\n}\n");
    check("no line end", "{\n  \"model\": \"opus\"\n}");
    check("tabs", "{\n\t\"model\": \"opus\",\n\t\"env\": {\"A\": \"1\"}\n}\n");
    check("four spaces", "{\n    \"model\": \"opus\"\n}\n");
    check("one line", r#"{"model":"opus","env":{"A":"\u00e9\/"}}"#);
    check("carriage returns", "{\r\n  \"model\": \"opus\",\r\n  \"n\": 1.50\r\n}\r\n");
    check("byte order mark", "\u{feff}{\n  \"model\": \"opus\"\n}\n");
    check("comments", "// mine\n{\n  // why\n  \"model\": \"opus\", /* not sonnet */\n  \"n\": 1 // last\n}\n// end\n");
    check("odd layout", "{ \"model\"\n:\n\"opus\"\n,\"x\"  :  [ ]\n}");
    check(
        "other hooks",
        r#"{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "/opt/other/guard --x" } ] }
    ],
    "Notification": [{"hooks": [{"type": "command", "command": "notify-send wsguard-hook"}]}]
  },
  "permissions": {"deny": ["Read(./.env)"]}
}
"#,
    );
}

#[test]
fn what_is_no_settings_file_is_refused_and_kept() {
    let check = |before: &[u8], code: &str, place: &str| {
        let (env, path) = with_settings(before);
        for out in [install(&env), uninstall(&env), env.wsguard(&["install", "claude-code", "--dry-run"])] {
            let shown = String::from_utf8_lossy(before).into_owned();
            assert_eq!(out.code, Some(65), "{shown}: {out:?}");
            assert!(out.stderr.contains(&format!("error[{code}]")) && out.stderr.contains("hint:"), "{shown}: {out:?}");
            assert!(out.stderr.contains(place), "{shown}: {out:?}");
            assert_eq!(fs::read(&path).unwrap(), before);
            assert_eq!(names(&path), ["settings.json"]);
        }
    };
    check(br#"{"permissions":{"deny":["x"]},}"#, "settings_syntax", "line 1, column 30");
    check(b"{\n  \"a\": [1,\n}\n", "settings_syntax", "line 3");
    check(b"invalid json", "settings_syntax", "line 1");
    check(b"{\"a\": 1", "settings_syntax", "line 1");
    check(b"{\"a\": \"\xff\"}", "settings_not_text", "settings.json");
    check(b"[]", "settings_shape", "an array");
    check(b"{\"hooks\": []}", "settings_shape", "`hooks` is an array");
    check(b"{\"hooks\": \"off\"}", "settings_shape", "`hooks` is a string");
    check(b"{\"hooks\": null}", "settings_shape", "`hooks` is null");
    check(b"{\"hooks\": {\"PreToolUse\": {}}}", "settings_shape", "`hooks.PreToolUse` is an object");
    check(b"{\"hooks\": {},\n\"hooks\": {}}", "settings_duplicate_key", "line 2");
    check(b"{\"hooks\": {\"Stop\": [],\n\"Stop\": []}}", "settings_duplicate_key", "`Stop`");
    check("[".repeat(50_000).as_bytes(), "settings_syntax", "line 1");
    check(format!("{{\"a\": \"{}\"}}", "x".repeat(5 << 20)).as_bytes(), "settings_too_large", "bytes");
}

#[test]
fn an_empty_file_is_an_empty_object() {
    for before in ["", "\n\n", "{}", "{\n}\n", "\u{feff}"] {
        let (env, path) = with_settings(before);
        assert_eq!(install(&env).code, Some(0), "{before:?}");
        let after = fs::read_to_string(&path).unwrap();
        assert_registered(&env, &serde_json::from_str(after.trim_start_matches('\u{feff}')).unwrap());
        assert_eq!(uninstall(&env).code, Some(0));
    }
}

#[test]
fn a_large_file_keeps_its_bytes() {
    let rows: Vec<String> = (0..20_000).map(|i| format!("    \"key {i}\": \"value {i}\"")).collect();
    let before = format!("{{\n  \"env\": {{\n{}\n  }}\n}}\n", rows.join(",\n"));
    let (env, path) = with_settings(&before);
    assert_eq!(install(&env).code, Some(0));
    assert!(fs::read_to_string(&path).unwrap().starts_with(before.trim_end_matches("\n}\n")));
    assert_eq!(uninstall(&env).code, Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
}

#[test]
fn a_registration_that_went_wrong_is_repaired() {
    let good = {
        let env = TestEnv::new();
        install(&env);
        fs::read_to_string(settings(&env)).unwrap()
    };
    let hook = hook_path(&TestEnv::new());
    let check = |what: &str, change: &dyn Fn(&mut Value)| {
        let mut value: Value = serde_json::from_str(&good).unwrap();
        change(&mut value);
        assert_ne!(value, serde_json::from_str::<Value>(&good).unwrap(), "{what}");
        let (env, path) = with_settings(serde_json::to_string_pretty(&value).unwrap());
        let out = install(&env);
        assert_eq!(out.code, Some(0), "{what}: {out:?}");
        let after: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        assert_registered(&env, &after);
        assert!(install(&env).stdout.contains("already"), "{what}: {after}");
        assert_eq!(uninstall(&env).code, Some(0));
        assert!(!fs::read_to_string(&path).unwrap().contains(&hook), "{what}");
    };
    check("moved", &|v| v["hooks"]["Stop"][0]["hooks"][0]["command"] = json!("/old/bin/wsguard-hook"));
    check("moved, Windows", &|v| v["hooks"]["Stop"][0]["hooks"][0]["command"] = json!(r"C:\old\wsguard-hook.exe"));
    check("relative", &|v| v["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = json!("bin/wsguard-hook"));
    check("shell form", &|v| {
        v["hooks"]["PreToolUse"][0]["hooks"][0] =
            json!({"type": "command", "command": "X=1 bash '/old dir/wsguard-hook' --harness claude-code || exit 2"});
    });
    check("other args", &|v| v["hooks"]["Stop"][0]["hooks"][0]["args"] = json!(["--harness", "codex"]));
    check("fails open", &|v| {
        v["hooks"]["PreToolUse"][0]["hooks"][0].as_object_mut().unwrap().remove("onFailure");
    });
    check("blocks the user", &|v| v["hooks"]["UserPromptSubmit"][0]["hooks"][0]["onFailure"] = json!("block"));
    check("one tool only", &|v| v["hooks"]["PreToolUse"][0]["matcher"] = json!("Bash"));
    check("in the background", &|v| v["hooks"]["PreToolUse"][0]["hooks"][0]["async"] = json!(true));
    check("on a condition", &|v| v["hooks"]["PreToolUse"][0]["hooks"][0]["if"] = json!("Bash(rm *)"));
    check("hasty", &|v| v["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = json!(0.1));
    check("twice", &|v| {
        let group = v["hooks"]["PreToolUse"][0].clone();
        v["hooks"]["PreToolUse"].as_array_mut().unwrap().push(group);
    });
    check("an event is missing", &|v| {
        v["hooks"].as_object_mut().unwrap().remove("SubagentStart");
    });
    check("in another's group", &|v| {
        v["hooks"]["PreToolUse"][0]["matcher"] = json!("Write");
        let hooks = v["hooks"]["PreToolUse"][0]["hooks"].as_array_mut().unwrap();
        hooks.insert(0, json!({"type": "command", "command": "/opt/other"}));
    });
}

#[test]
fn a_setting_of_the_user_in_our_entry_stays() {
    let env = TestEnv::new();
    install(&env);
    let path = settings(&env);
    let mut value: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let entry = &mut value["hooks"]["PreToolUse"][0]["hooks"][0];
    entry["timeout"] = json!(30);
    entry["statusMessage"] = json!("guarding");
    entry["command"] = json!("/gone/wsguard-hook");
    fs::write(&path, serde_json::to_string_pretty(&value).unwrap()).unwrap();
    install(&env);
    value["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = json!(hook_path(&env));
    assert_eq!(serde_json::from_slice::<Value>(&fs::read(&path).unwrap()).unwrap(), value);
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let (env, path) = with_settings("{\n  \"model\": \"opus\"\n}\n");
    let out = env.wsguard(&["install", "claude-code", "--dry-run"]);
    assert_eq!(out.code, Some(0));
    for want in
        ["--- ", "+++ ", "@@", "-  \"model\": \"opus\"\n+  \"model\": \"opus\",\n+  \"hooks\": {\n", "wsguard-hook"]
    {
        assert!(out.stdout.contains(want), "{want}: {out:?}");
    }
    assert_eq!(names(&path), ["settings.json"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\n  \"model\": \"opus\"\n}\n");
    let none = TestEnv::new();
    let out = none.wsguard(&["install", "claude-code", "--dry-run"]);
    assert!(out.stdout.contains("--- /dev/null"), "{out:?}");
    assert!(!none.user_home().join(".claude").exists());
}

#[test]
fn scopes_lead_to_their_files() {
    let mut env = TestEnv::new();
    env.wsguard_ok(&["install", "claude-code", "--scope", "project"]);
    assert!(env.project().join(".claude/settings.json").exists());
    assert!(!settings(&env).exists());
    let elsewhere = env.user_home().join("claude config");
    env.set("CLAUDE_CONFIG_DIR", &elsewhere);
    env.wsguard_ok(&["install", "claude-code"]);
    assert!(elsewhere.join("settings.json").exists());
    let named = env.root().join("named/s.json");
    env.wsguard_ok(&["install", "claude-code", "--settings", &text(&named)]);
    assert!(named.exists());
    assert!(!settings(&env).exists());
}

#[test]
fn backups_stay_few_and_the_first_one_stays() {
    let (env, path) = with_settings("{\"n\":0}");
    for n in 1..8 {
        install(&env);
        uninstall(&env);
        fs::write(&path, format!("{{\"n\":{n}}}")).unwrap();
    }
    let kept = backups(&path);
    assert!(kept.len() <= 3, "{kept:?}");
    assert_eq!(fs::read_to_string(&kept[0]).unwrap(), "{\"n\":0}");
}

#[test]
fn two_installations_at_once_make_one_registration() {
    for _ in 0..5 {
        let (env, path) = with_settings("{\n  \"model\": \"opus\"\n}\n");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(install(&env).code, Some(0)));
            }
        });
        assert_registered(&env, &serde_json::from_slice(&fs::read(&path).unwrap()).unwrap());
        assert_eq!(backups(&path).len(), 1);
    }
}

#[test]
fn a_file_without_a_hook_program_beside_is_not_registered() {
    let env = TestEnv::new();
    let alone = env.root().join("alone");
    fs::create_dir(&alone).unwrap();
    let program = alone.join(env.program("wsguard").file_name().unwrap());
    copy_program(&env.program("wsguard"), &program);
    let mut command = env.command(program);
    command.args(["install", "claude-code"]);
    let out = crate::env::run(command, b"");
    assert_eq!(out.code, Some(66), "{out:?}");
    assert!(out.stderr.contains("error[hook_missing]") && out.stderr.contains("hint:"), "{out:?}");
    assert!(!settings(&env).exists());
}

#[test]
fn a_file_that_the_client_ignores_is_named() {
    let (env, _) = with_settings("{\n  // mine\n  \"model\": \"opus\"\n}\n");
    assert!(install(&env).stderr.contains("comments"));
    let (env, _) = with_settings("{\"disableAllHooks\": true}");
    assert!(install(&env).stderr.contains("disableAllHooks"));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn a_link_is_followed_and_stays() {
        let env = TestEnv::new();
        let real = env.root().join("dotfiles/claude.json");
        fs::create_dir_all(real.parent().unwrap()).unwrap();
        fs::write(&real, "{\"model\":\"opus\"}").unwrap();
        let path = settings(&env);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink("../../dotfiles/claude.json", &path).unwrap();
        assert_eq!(install(&env).code, Some(0));
        assert!(path.is_symlink());
        assert_registered(&env, &serde_json::from_slice(&fs::read(&real).unwrap()).unwrap());
        // A link that leads nowhere yet.
        fs::remove_file(&real).unwrap();
        assert_eq!(install(&env).code, Some(0));
        assert!(path.is_symlink() && real.exists());
        // A link that leads to itself.
        fs::remove_file(&path).unwrap();
        symlink("settings.json", &path).unwrap();
        assert_eq!(install(&env).code, Some(74));
    }

    #[test]
    fn mode_and_owner_stay() {
        for wanted in [0o600, 0o640, 0o644] {
            let (env, path) = with_settings("{\"model\":\"opus\"}");
            fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).unwrap();
            if crate::env::is_root() {
                std::os::unix::fs::chown(&path, Some(65534), Some(65534)).unwrap();
            }
            let owner = fs::metadata(&path).unwrap().uid();
            assert_eq!(install(&env).code, Some(0));
            assert_eq!((mode(&path), fs::metadata(&path).unwrap().uid()), (wanted, owner));
            assert_eq!(mode(&backups(&path)[0]), wanted);
        }
    }

    #[test]
    fn what_may_not_be_written_is_not_written() {
        let (env, path) = with_settings("{}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let out = install(&env);
        assert_eq!(out.code, Some(74), "{out:?}");
        assert!(out.stderr.contains("error[settings_read_only]"), "{out:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
        assert_eq!(names(&path), ["settings.json"]);

        let env = TestEnv::unprivileged();
        let path = settings(&env);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "{}").unwrap();
        env.give_away(&env.user_home());
        fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o555)).unwrap();
        let out = install(&env);
        fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(out.code, Some(74), "{out:?}");
        assert!(out.stderr.contains("error[settings_write]"), "{out:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
    }

    #[test]
    fn what_is_no_file_is_refused_at_once() {
        let env = TestEnv::new();
        let path = settings(&env);
        fs::create_dir_all(&path).unwrap();
        let out = install(&env);
        assert_eq!(out.code, Some(74), "{out:?}");
        assert!(out.stderr.contains("error[settings_not_a_file]"), "{out:?}");
    }
}

#[test]
fn an_agent_can_not_remove_the_registration() {
    let mut env = TestEnv::new();
    install(&env);
    let before = fs::read(settings(&env)).unwrap();
    env.set("CLAUDECODE", "1");
    let out = uninstall(&env);
    assert_eq!(out.code, Some(77), "{out:?}");
    assert!(out.stderr.contains("error[operator_only]"), "{out:?}");
    assert_eq!(fs::read(settings(&env)).unwrap(), before);
}

#[test]
fn programs_can_read_what_was_done() {
    let env = TestEnv::new();
    let json = |args: &[&str]| -> Value { serde_json::from_str(&env.wsguard_ok(args)).unwrap() };
    let planned = json(&["install", "claude-code", "--json", "--dry-run"]);
    assert_eq!((&planned["changed"], &planned["dryRun"]), (&json!(false), &json!(true)));
    assert!(planned["after"].as_str().unwrap().contains("PreToolUse"));
    let done = json(&["install", "claude-code", "--json"]);
    assert_eq!(done["changed"], true);
    assert_eq!(done["events"].as_array().unwrap().len(), EVENTS.len());
    assert_eq!(json(&["install", "claude-code", "--json"])["changed"], false);
}
