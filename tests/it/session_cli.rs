//! The operator's commands for sessions, their variables, grants and the audit.

use std::fs;

use serde_json::Value;

use crate::{
    env::{TestEnv, run, set_modified, symlink, text},
    payload::{Payload, SESSION},
};

fn json(out: &str) -> Value {
    serde_json::from_str(out).unwrap_or_else(|e| panic!("{e}: {out}"))
}

#[test]
fn sessions_are_listed_and_shown() {
    let env = TestEnv::new();
    assert_eq!(json(&env.wsguard_ok(&["session", "--json"])), Value::Array(vec![]));
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    let list = json(&env.wsguard_ok(&["session", "--json"]));
    assert_eq!(list.as_array().map(Vec::len), Some(1));
    let one = json(&env.wsguard_ok(&["session", SESSION, "--json"]));
    assert_eq!(one, list[0]);
    assert_eq!(one["sessionId"], SESSION);
    assert_eq!(one["path"], text(&env.scratch()));
    assert_eq!(one["cwd"], text(&env.project()));
    assert_eq!((&one["harness"], &one["state"]), (&"claude-code".into(), &"live".into()));
    assert!(env.wsguard_ok(&["session", SESSION]).contains(&text(&env.scratch())));
    let missing = env.wsguard(&["session", "no-such-session"]);
    assert_eq!(missing.code, Some(66), "{missing:?}");
}

#[test]
fn an_ended_session_says_so_and_a_resumed_one_lives() {
    let env = TestEnv::new();
    let state = || json(&env.wsguard_ok(&["session", SESSION, "--json"]))["state"].clone();
    env.hook(&Payload::session_start(&env.project(), "startup"));
    env.hook(&Payload::event(&env.project(), "SessionEnd").with("reason", "other".into())).assert_pass();
    assert_eq!(state(), "ended");
    env.hook(&Payload::session_start(&env.project(), "resume"));
    assert_eq!(state(), "live");
}

#[test]
fn cleaning_needs_a_yes_and_takes_only_old_sessions() {
    let env = TestEnv::new();
    env.wsguard_ok(&["prompt", "--session", "old"]);
    env.wsguard_ok(&["prompt", "--session", "new"]);
    let old = env.guard_home().join("scratch/old");
    let past = std::time::SystemTime::now() - std::time::Duration::from_hours(24 * 366);
    let record = env.guard_home().join("workspace-mgr/sessions/old.json");
    for path in [old.join(".dsh-owner.json"), record, old.clone()] {
        set_modified(&path, past);
    }
    let unasked = env.wsguard(&["session", "--clean"]);
    assert_eq!(unasked.code, Some(64), "{unasked:?}");
    assert!(old.is_dir());
    assert!(env.wsguard_ok(&["session", "--clean", "--yes"]).contains(&text(&old)));
    assert!(!old.exists() && env.guard_home().join("scratch/new").is_dir());
    let live = env.wsguard(&["session", "new", "--clean", "--yes"]);
    assert_eq!(live.code, Some(1), "{live:?}");
    assert!(live.stderr.contains("clean_live"), "{live:?}");
}

/// A folder that could not be emptied is taken up again, and said so until it is gone.
#[cfg(unix)]
#[test]
fn a_removal_that_failed_is_taken_up_again() {
    use std::os::unix::fs::PermissionsExt as _;

    let env = TestEnv::unprivileged();
    env.wsguard_ok(&["prompt", "--session", "old"]);
    let old = env.guard_home().join("scratch/old");
    let closed = old.join("cache/read-only");
    fs::create_dir_all(&closed).unwrap();
    fs::write(closed.join("module"), "").unwrap();
    env.give_away(&old);
    let past = std::time::SystemTime::now() - std::time::Duration::from_hours(24 * 366);
    let record = env.guard_home().join("workspace-mgr/sessions/old.json");
    for path in [old.join(".dsh-owner.json"), record, old.clone()] {
        set_modified(&path, past);
    }
    let mode = |path: &std::path::Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(&closed, 0o500);
    for _ in 0..2 {
        let out = env.wsguard(&["session", "--clean", "--yes"]);
        assert_eq!(out.code, Some(1), "{out:?}");
        assert!(out.stderr.contains("read-only") || out.stderr.contains("cache"), "{out:?}");
        assert!(!out.stdout.contains("Nothing to remove"), "{out:?}");
    }
    let left = env.guard_home().join("scratch/.wsguard-gone-old");
    mode(&left.join("cache/read-only"), 0o700);
    env.wsguard_ok(&["session", "--clean", "--yes"]);
    assert!(!left.exists());
}

#[test]
fn env_is_read_by_the_shell_that_it_is_for() {
    let env = TestEnv::new();
    let temp = text(&env.guard_home().join("cache/tmp"));
    let check = |shell: &str, name: &str, script: &str| {
        // Under Wine the files of the system below are there too, but none of its programs can be waited for.
        if cfg!(windows) || !std::path::Path::new(shell).exists() {
            return;
        }
        let exports = env.wsguard_ok(&["env", "--shell", name, "--session", "it's a $session"]);
        let mut command = env.command(shell);
        command.arg("-c").arg(format!("{exports}\n{script}"));
        let seen = run(command, b"").stdout;
        assert_eq!(seen, format!("{temp}|{temp}|{temp}|it's a $session"), "{name}");
    };
    let script = "printf '%s|%s|%s|%s' \"$TMPDIR\" \"$TMP\" \"$TEMP\" \"$WSGUARD_SESSION\"";
    for (shell, name) in
        [("/bin/bash", "bash"), ("/bin/sh", "bash"), ("/usr/bin/zsh", "zsh"), ("/usr/bin/fish", "fish")]
    {
        check(shell, name, script);
    }
    assert!(env.wsguard_ok(&["env", "--shell", "pwsh"]).starts_with("$env:TMPDIR = '"));
    assert!(env.wsguard_ok(&["env", "--shell", "cmd"]).starts_with("set \"TMPDIR="));
}

#[test]
fn a_temp_folder_too_long_for_sockets_is_a_notice() {
    let mut env = TestEnv::new();
    let long = env.root().join("l".repeat(100));
    env.set("WSGUARD_HOME", &long);
    let out = env.wsguard(&["env", "--shell", "bash"]);
    assert_eq!((out.code, out.stdout.as_str()), (Some(0), ""), "{out:?}");
    assert!(out.stderr.contains("WSGUARD_HOME"), "{out:?}");
}

#[test]
fn prompt_names_a_folder_that_exists() {
    let env = TestEnv::new();
    let told = env.wsguard_ok(&["prompt", "--session", SESSION]);
    assert!(told.contains(&text(&env.scratch())), "{told}");
    assert!(env.scratch().join(".dsh-owner.json").is_file());
    assert!(told.len() < 2000);
    // Without a session, one that is the project's own.
    let first = env.wsguard_ok(&["prompt"]);
    assert_eq!(first, env.wsguard_ok(&["prompt"]));
    assert!(!first.contains(SESSION));
}

#[cfg(unix)]
#[test]
fn run_gives_the_program_its_place_and_passes_its_end_on() {
    let env = TestEnv::new();
    let script = "echo $TMPDIR; test -d \"$WSGUARD_SCRATCH\" && echo $WSGUARD_SESSION; mktemp; exit 7";
    let out = env.wsguard(&["run", "--session", SESSION, "--", "/bin/sh", "-c", script]);
    assert_eq!(out.code, Some(7), "{out:?}");
    let temp = text(&env.guard_home().join("cache/tmp"));
    let lines: Vec<_> = out.stdout.lines().collect();
    assert_eq!(&lines[..2], [temp.as_str(), SESSION]);
    assert!(lines[2].starts_with(&temp), "{lines:?}");
    assert_eq!(env.wsguard(&["run", "--", "/bin/sh", "-c", "kill -9 $$"]).code, Some(137));
    let missing = env.wsguard(&["run", "--", "/no/such/program"]);
    assert_eq!(missing.code, Some(127));
    assert!(missing.stderr.contains("error[not_started]") && missing.stderr.contains("hint:"), "{missing:?}");
    assert_eq!(env.wsguard(&["run", "--", "/etc"]).code, Some(126));
    assert_eq!(env.wsguard(&["run"]).code, Some(64));
    assert_eq!(env.wsguard(&["run", "--", "/bin/sh", "-c", "exit 2"]).code, Some(2), "it is the program's own");
}

#[cfg(unix)]
#[test]
fn run_passes_a_termination_on() {
    let env = TestEnv::new();
    let mut command = env.command(env.program("wsguard"));
    let script = "trap 'echo got it; exit 5' TERM; echo ready; while :; do sleep 0.05; done";
    command.args(["run", "--", "/bin/sh", "-c", script]).stdout(std::process::Stdio::piped());
    let mut child = crate::env::spawn(&mut command);
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    assert_eq!(line, "ready\n");
    let mut kill = env.command("/bin/sh");
    kill.arg("-c").arg(format!("kill -TERM {}", child.id()));
    run(kill, b"");
    line.clear();
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    assert_eq!((line.as_str(), child.wait().unwrap().code()), ("got it\n", Some(5)));
}

#[test]
fn what_is_too_wide_is_not_allowed_in_passing() {
    let env = TestEnv::new();
    let link = env.outside("to-home");
    let (home, root) = (text(&env.user_home()), text(env.root()));
    let mut wide = vec![home.as_str(), root.as_str(), "~", "~/", "$HOME", "../home", "/", "/.."];
    wide.extend(if cfg!(windows) { ["C:/", r"c:\.."] } else { ["//", "///"] });
    if symlink(env.user_home(), &link) {
        wide.push(&link);
    }
    for path in wide {
        let out = env.wsguard(&["allow", path]);
        assert_eq!(out.code, Some(64), "{path}: {out:?}");
        assert!(out.stderr.contains("allow_wide"), "{path}: {out:?}");
    }
    env.wsguard_ok(&["allow", &home, "--force"]);
    let own = text(&env.guard_home().join("config.toml"));
    assert_eq!(env.wsguard(&["allow", &own, "--force"]).code, Some(64));
    assert_eq!(env.wsguard(&["allow", ""]).code, Some(64));
    assert_eq!(json(&env.wsguard_ok(&["grants", "--json"])).as_array().map(Vec::len), Some(1));
}

#[test]
fn a_grant_holds_where_the_path_leads() {
    let env = TestEnv::new();
    fs::create_dir(env.outside("real")).unwrap();
    if !symlink(env.outside("real"), env.inside("link")) {
        return;
    }
    env.wsguard_ok(&["allow", "link/new"]);
    env.write(&env.outside("real/new/f")).assert_pass();
    env.write(&env.inside("link/new/f")).assert_pass();
    env.write(&env.outside("real/other")).assert_refused();
    env.wsguard_ok(&["revoke", "link/new"]);
    env.write(&env.inside("link/new/f")).assert_refused();
}

#[test]
fn revoke_takes_all_that_is_named_or_nothing() {
    let env = TestEnv::new();
    env.wsguard_ok(&["allow", &env.outside("a")]);
    let out = env.wsguard(&["revoke", "1", &env.outside("b")]);
    assert_eq!(out.code, Some(66), "{out:?}");
    assert!(env.wsguard_ok(&["grants"]).contains(&env.outside("a")));
    env.wsguard_ok(&["revoke", "1"]);
    assert_eq!(json(&env.wsguard_ok(&["grants", "--json"])), Value::Array(vec![]));
}

#[test]
fn agents_may_not_decide_whatever_they_are() {
    for variable in ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "GEMINI_CLI", "WSGUARD_SESSION"] {
        let mut env = TestEnv::new();
        env.set(variable, "1");
        let path = env.outside("x");
        for args in [&["allow", &path][..], &["revoke", "1"], &["session", "--clean", "--yes"]] {
            let out = env.wsguard(args);
            assert_eq!(out.code, Some(77), "{variable} {args:?}: {out:?}");
            assert!(out.stderr.contains("operator_only"), "{out:?}");
        }
    }
}

#[test]
fn the_audit_names_what_was_changed() {
    let env = TestEnv::new();
    env.wsguard_ok(&["allow", &env.outside("a")]);
    env.wsguard_ok(&["revoke", "1"]);
    assert_eq!(env.wsguard(&["audit", "verify"]).code, Some(0));
    let tail = json(&env.wsguard_ok(&["audit", "tail", "--json"]));
    let acts: Vec<_> = tail.as_array().unwrap().iter().map(|l| (l["act"].clone(), l["phase"].clone())).collect();
    let want = [("grant", "intent"), ("grant", "outcome"), ("revoke", "intent"), ("revoke", "outcome")];
    assert_eq!(acts, want.map(|(a, p)| (Value::from(a), Value::from(p))));
    let file = env.guard_home().join("workspace-mgr/audit.jsonl");
    let changed = fs::read_to_string(&file).unwrap().replacen("\"id\":1", "\"id\":2", 1);
    fs::write(&file, changed).unwrap();
    let out = env.wsguard(&["audit", "verify"]);
    assert_eq!((out.code, out.stdout.as_str()), (Some(1), "Line 2 of audit.jsonl was changed.\n"));
}

#[test]
fn a_grant_that_can_not_be_audited_is_not_given() {
    let env = TestEnv::new();
    let ledger = env.guard_home().join("workspace-mgr");
    fs::create_dir_all(ledger.join("audit.jsonl")).unwrap();
    let out = env.wsguard(&["allow", &env.outside("a")]);
    assert_eq!(out.code, Some(74), "{out:?}");
    assert!(!ledger.join("grants.json").exists());
}

#[test]
fn damaged_grants_grant_nothing_and_are_named() {
    let env = TestEnv::new();
    let path = env.outside("a");
    env.wsguard_ok(&["allow", &path]);
    fs::write(env.guard_home().join("workspace-mgr/grants.json"), "{").unwrap();
    env.write(&path).assert_refused();
    let out = env.wsguard(&["grants"]);
    assert_eq!(out.code, Some(65), "{out:?}");
    assert!(out.stderr.contains("grants_damaged"), "{out:?}");
}
