//! Files of the product's own: access lists, replacement while others read, locks, write protection, line ends.

use std::fs;
use std::os::windows::fs::OpenOptionsExt as _;

use serde_json::Value;

use super::native;
use crate::env::{TestEnv, run};
use crate::payload::Payload;

#[test]
fn home_is_for_its_user_alone() {
    let env = TestEnv::new();
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    for folder in [env.guard_home(), env.scratch(), env.guard_home().join("workspace-mgr")] {
        let list = workspace_guard::sys::access_list(&folder).unwrap();
        for everybody in [";;;WD)", ";;;BU)", ";;;AU)"] {
            assert!(!list.contains(everybody), "{}: {list}", folder.display());
        }
    }
    env.wsguard_ok(&["install", "claude-code"]);
    let report: Value = serde_json::from_str(&env.wsguard(&["doctor", "--json"]).stdout).unwrap();
    let home = report["findings"].as_array().unwrap().iter().find(|f| f["code"] == "home");
    assert!(home.is_some_and(|f| f["level"] == "ok"), "{report:#}");
}

/// Whether a file that somebody has open (and shares) can be replaced here; said so where not.
fn can_replace_open(env: &TestEnv) -> bool {
    let (old, new) = (env.root().join("old"), env.root().join("new"));
    fs::write(&old, "").unwrap();
    fs::write(&new, "").unwrap();
    let open = fs::File::open(&old).unwrap();
    let done = fs::rename(&new, &old).is_ok();
    drop(open);
    if !done {
        crate::report::skipped("replacing a file that a reader has open: Wine can't");
    }
    done
}

#[test]
fn access_lists_are_kept() {
    let env = TestEnv::new();
    let (private, plain) = (env.root().join("private"), env.root().join("plain"));
    workspace_guard::sys::create_private_folder(&private).unwrap();
    fs::create_dir(&plain).unwrap();
    let list = |path| workspace_guard::sys::access_list(path).unwrap();
    if !list(&private).contains("D:P") {
        return crate::report::skipped("keeping access lists: Wine makes them up from the mode of a file");
    }
    workspace_guard::sys::copy_access(&private, &plain).unwrap();
    assert_eq!(list(&private).split_once("D:"), list(&plain).split_once("D:"));
}

#[test]
fn the_owner_is_the_client_that_started_the_hook() {
    let env = TestEnv::new();
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    let owner: Value = serde_json::from_slice(&fs::read(env.scratch().join(".dsh-owner.json")).unwrap()).unwrap();
    assert_eq!(owner["pid"], std::process::id());
    assert_eq!(owner["cwd"], native(&env, "project"));
}

#[test]
fn files_are_replaced_while_others_read_them() {
    let env = TestEnv::new();
    env.config("gate = true\r\n# mine\r\n");
    let config = env.guard_home().join("config.toml");
    let reader = fs::File::open(&config).unwrap();
    let held = !can_replace_open(&env);
    if held {
        // Wine answers like a file system that knows no such replacement.
        drop(reader);
    }
    env.wsguard_ok(&["config", "set", "gate", "false"]);
    assert_eq!(fs::read_to_string(&config).unwrap(), "gate = false\r\n# mine\r\n");
    env.wsguard_ok(&["install", "claude-code"]);
    let settings = env.user_home().join(".claude").join("settings.json");
    let reader = fs::File::open(&settings).unwrap();
    if held {
        drop(reader);
    }
    env.wsguard_ok(&["uninstall", "claude-code"]);
    // One who shares with nobody: an error that says so, and nothing half done.
    let before = fs::read(&config).unwrap();
    let alone = fs::OpenOptions::new().read(true).share_mode(0).open(&config).unwrap();
    let out = env.wsguard(&["config", "set", "gate", "true"]);
    drop(alone);
    assert!(!matches!(out.code, Some(0 | 2)), "{out:?}");
    assert_eq!(fs::read(&config).unwrap(), before);
    let names: Vec<_> = fs::read_dir(env.guard_home()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(names.iter().all(|n| n == "config.toml" || n == "config.lock"), "{names:?}");
}

#[test]
fn what_is_write_protected_is_not_written() {
    let env = TestEnv::new();
    env.config("gate = true\n");
    let config = env.guard_home().join("config.toml");
    let protect = |path: &std::path::Path, on: bool| {
        let mut rights = fs::metadata(path).unwrap().permissions();
        rights.set_readonly(on);
        fs::set_permissions(path, rights).unwrap();
    };
    protect(&config, true);
    let out = env.wsguard(&["config", "set", "gate", "false"]);
    assert!(out.stderr.contains("error[config_read_only]"), "{out:?}");
    protect(&config, false);
    env.wsguard_ok(&["install", "claude-code"]);
    let settings = env.user_home().join(".claude").join("settings.json");
    protect(&settings, true);
    let out = env.wsguard(&["uninstall", "claude-code"]);
    assert!(out.stderr.contains("error[settings_read_only]"), "{out:?}");
    protect(&settings, false);
}

#[test]
fn settings_keep_their_line_ends_and_mark() {
    let env = TestEnv::new();
    let settings = env.user_home().join(".claude").join("settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let before = "\u{feff}{\r\n  \"model\": \"opus\"\r\n}\r\n";
    fs::write(&settings, before).unwrap();
    env.wsguard_ok(&["install", "claude-code"]);
    let after = fs::read_to_string(&settings).unwrap();
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
    assert!(after.starts_with('\u{feff}'));
    env.wsguard_ok(&["uninstall", "claude-code"]);
    assert_eq!(fs::read_to_string(&settings).unwrap(), before);
}

#[test]
fn a_session_whose_client_is_gone_may_be_cleaned() {
    let env = TestEnv::new();
    let start = |id: &str| Payload::session_start(&env.project(), "startup").session(id);
    env.hook(&start("of-this-process")).assert_context("SessionStart");
    // A client that starts the hook and ends: cmd.
    let payload = env.root().join("payload.json");
    fs::write(&payload, start("of-another").line()).unwrap();
    let script = env.root().join("client.cmd");
    let hook = env.program("wsguard-hook");
    fs::write(&script, format!("@\"{}\" --harness claude-code < \"{}\"\r\n", hook.display(), payload.display()))
        .unwrap();
    let mut command = env.command("cmd");
    command.arg("/c").arg(&script).env("WSGUARD_HOOK_DEADLINE_MS", "10000");
    let out = run(command, b"");
    assert!(out.stdout.contains("SessionStart"), "{out:?}");
    let owner = |id: &str| -> Value {
        let file = env.guard_home().join("scratch").join(id).join(".dsh-owner.json");
        serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
    };
    let (mine, other) = (owner("of-this-process"), owner("of-another"));
    assert_eq!(mine["pid"], std::process::id());
    let pid = u32::try_from(other["pid"].as_u64().unwrap()).unwrap();
    assert_ne!(pid, std::process::id());
    assert_eq!(workspace_guard::sys::process_start(pid), None, "cmd has ended");
    for id in ["of-this-process", "of-another"] {
        let past = std::time::SystemTime::now() - std::time::Duration::from_hours(24 * 366);
        let scratch = env.guard_home().join("scratch").join(id);
        let record = env.guard_home().join("workspace-mgr").join("sessions").join(format!("{id}.json"));
        for path in [scratch.join(".dsh-owner.json"), record, scratch] {
            crate::env::set_modified(&path, past);
        }
    }
    let out = env.wsguard(&["session", "--clean", "--yes"]);
    assert!(env.guard_home().join("scratch").join("of-this-process").is_dir(), "its client runs: {out:?}");
    assert!(!env.guard_home().join("scratch").join("of-another").exists(), "{out:?}");
}

/// What editors and shells of Windows write: marks, line ends, UTF-16.
#[test]
fn settings_in_the_encodings_of_windows() {
    let env = TestEnv::new();
    let file = env.guard_home().join("config.toml");
    let crlf = "# mine\r\nallow_roots = [\r\n  '~/notes',\r\n]\r\naction = 'deny'\r\n";
    for start in ["", "\u{feff}"] {
        env.config(&format!("{start}{crlf}"));
        env.write(&native(&env, r"home\notes\x.md")).assert_pass();
        env.write(&env.outside("x")).assert_refused();
        assert_eq!(env.wsguard(&["config", "check"]).code, Some(0));
        env.wsguard_ok(&["config", "set", "action", "ask"]);
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text, format!("{start}{}", crlf.replace("'deny'", "\"ask\"")), "{text:?}");
    }
    // A line of a project's file is named with its number, whatever its end.
    fs::write(env.project().join(".wsguard.toml"), "# x\r\nno_such_key = 1\r\n").unwrap();
    let out = env.wsguard(&["config", "check"]);
    assert!(format!("{}{}", out.stdout, out.stderr).contains(".wsguard.toml:2"), "{out:?}");
    fs::remove_file(env.project().join(".wsguard.toml")).unwrap();
    // What `>` of Windows PowerShell writes.
    fs::write(&file, "\u{feff}gate = true\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()).unwrap();
    let reason = env.bash("ls").assert_refused();
    assert!(reason.contains("UTF-8") && reason.contains("config.toml"), "{reason}");
}
