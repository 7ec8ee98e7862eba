//! Every event that the hook is registered for, and those that it is not.

use std::fs;

use serde_json::json;

use crate::{
    env::{Answer, TestEnv, text},
    payload::{Payload, SESSION},
};

#[test]
fn allowed_call_passes_in_silence() {
    let env = TestEnv::new();
    let out = env.bash("ls -la");
    out.assert_pass();
    assert_eq!(out.raw.stderr, "");
}

#[test]
fn refusal_is_exactly_the_clients_form() {
    let env = TestEnv::new();
    let path = env.outside("new/out");
    let out = env.bash(&format!("mkdir -p {path}"));
    out.assert_denied(&path);
    let answer: serde_json::Value = serde_json::from_str(&out.raw.stdout).unwrap();
    let reason = &answer["hookSpecificOutput"]["permissionDecisionReason"];
    assert!(reason.is_string(), "{answer}");
    let expected = json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}});
    // The order of the keys is a person's matter; that nothing else is printed is the client's.
    assert_eq!(answer, expected);
    assert!(
        out.raw.stdout.starts_with(r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","#),
        "{}",
        out.raw.stdout
    );
    assert!(!out.raw.stderr.contains('{'), "one channel only: {}", out.raw.stderr);
}

#[test]
fn what_a_refused_agent_reads() {
    let env = TestEnv::new();
    insta::assert_snapshot!(env.write(&env.outside("existing.txt")).stable(), @r##"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"workspace-guard: this call would write [ENV]/outside/existing.txt, outside this session's folders. Work in your scratch folder [ENV]/home/.wsguard/scratch/0b6de1c5-beca-4b28-baea-e4ce81766f19 instead, or in the project [ENV]/project. The user can allow it: wsguard allow [ENV]/outside/existing.txt, or allow_roots"}}"##);
    insta::assert_snapshot!(env.bash("wsguard allow /srv/zzz").stable(), @r##"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"workspace-guard: this command belongs to the operator of the guard. Only the user may do this, in a terminal of their own; go on without it"}}"##);
    insta::assert_snapshot!(env.bash("if true; then").stable(), @r##"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"workspace-guard: the command can't be judged because its syntax is not valid; write it in a simpler way, in several calls. Work in your scratch folder [ENV]/home/.wsguard/scratch/0b6de1c5-beca-4b28-baea-e4ce81766f19 instead, or in the project [ENV]/project"}}"##);
    insta::assert_snapshot!(env.hook_bytes(b"{").stable(), @r##"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"workspace-guard can't judge this call and refuses it: the hook's input is not valid: EOF while parsing an object at line 1 column 1"}}"##);
    env.config("gate = true\nprotect_existin = true\n");
    insta::assert_snapshot!(env.bash("ls").stable(), @r##"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"workspace-guard can't judge this call and refuses it: config.toml:2: unknown key \"protect_existin\"; did you mean \"protect_existing\"? run `wsguard config check`"}}"##);
}

#[test]
fn session_start_tells_scratch_and_redirects_temp() {
    let mut env = TestEnv::new();
    let file = env.root().join("session-env.sh");
    env.set("CLAUDE_ENV_FILE", &file);
    let out = env.hook(&Payload::session_start(&env.project(), "startup"));
    let context = out.assert_context("SessionStart");
    assert!(context.contains(&text(&env.scratch())), "{context}");
    assert!(context.len() < 2000, "{} bytes", context.len());
    assert!(env.scratch().is_dir());
    let temp = env.guard_home().join("cache/tmp");
    assert!(temp.is_dir(), "the folder exists before it is announced");
    let exports = fs::read_to_string(&file).unwrap();
    for name in ["TEMP", "TMP", "TMPDIR"] {
        assert_eq!(exports.matches(&format!("export {name}=")).count(), 1, "{exports}");
    }
    let temp = text(&temp);
    if cfg!(windows) {
        // For Git Bash, in which slashes are what they are and backslashes are not.
        assert_eq!(exports.matches(&format!("='{temp}'")).count(), 3, "{exports}");
        return;
    }
    // What a shell makes of the file, not what it looks like.
    let mut shell = env.command("/bin/bash");
    shell.arg("-c").arg(". \"$1\"; printf '%s|%s|%s|' \"$TMPDIR\" \"$TMP\" \"$TEMP\"; mktemp").arg("-").arg(&file);
    let seen = crate::env::run(shell, b"").stdout;
    assert!(seen.starts_with(&format!("{temp}|{temp}|{temp}|{temp}/")), "{seen}");
}

#[test]
fn resume_keeps_the_scratch_and_does_not_repeat_the_exports() {
    let mut env = TestEnv::new();
    let file = env.root().join("session-env.sh");
    env.set("CLAUDE_ENV_FILE", &file);
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    fs::write(env.scratch().join("work.txt"), "kept").unwrap();
    let first = fs::read_to_string(&file).unwrap();
    let context = env.hook(&Payload::session_start(&env.project(), "resume")).assert_context("SessionStart");
    assert!(context.contains(&text(&env.scratch())));
    assert_eq!(fs::read_to_string(env.scratch().join("work.txt")).unwrap(), "kept");
    assert_eq!(fs::read_to_string(&file).unwrap(), first, "the same exports, once");
    assert_eq!(fs::read_dir(env.guard_home().join("scratch")).unwrap().count(), 1);
}

#[test]
fn others_exports_in_the_env_file_survive() {
    let mut env = TestEnv::new();
    let file = env.root().join("session-env.sh");
    fs::write(&file, "export OTHER_TOOL=1\n").unwrap();
    env.set("CLAUDE_ENV_FILE", &file);
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    let exports = fs::read_to_string(&file).unwrap();
    assert!(exports.contains("export OTHER_TOOL=1\n"), "{exports}");
    assert!(exports.contains("TMPDIR"), "{exports}");
}

#[test]
fn temp_redirect_can_be_switched_off() {
    let mut env = TestEnv::new();
    let file = env.root().join("session-env.sh");
    env.set("CLAUDE_ENV_FILE", &file);
    env.config("redirect_temp = false\n");
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    assert!(!file.exists() || !fs::read_to_string(&file).unwrap().contains("TMPDIR"));
}

#[test]
fn sub_agent_is_told_too() {
    let env = TestEnv::new();
    let start = Payload::event(&env.project(), "SubagentStart")
        .with("agent_id", json!("a0c5be88d95501185"))
        .with("agent_type", json!("general-purpose"));
    let context = env.hook(&start).assert_context("SubagentStart");
    assert!(context.contains(&text(&env.scratch())), "{context}");
    assert!(context.len() < 2000);
    assert!(env.scratch().is_dir(), "named, so it exists");
}

#[test]
fn prompt_can_be_switched_off() {
    let env = TestEnv::new();
    env.config("prompt = false\n");
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_pass();
}

#[test]
fn quiet_events_say_nothing() {
    let env = TestEnv::new();
    let cwd = env.project();
    let failed = Payload::bash(&cwd, "exit 3")
        .with("hook_event_name", json!("PostToolUseFailure"))
        .with("error", json!("Exit code 3"))
        .with("is_interrupt", json!(false));
    let stop = Payload::event(&cwd, "Stop").with("stop_hook_active", json!(false));
    let end = Payload::event(&cwd, "SessionEnd").with("reason", json!("other"));
    let prompt = Payload::event(&cwd, "UserPromptSubmit").with("prompt", json!("mkdir /opt/zzz, please"));
    for payload in [Payload::post_bash(&cwd, "ls"), failed, stop, end, prompt] {
        env.hook(&payload).assert_pass();
    }
}

#[test]
fn events_that_nobody_registered_pass() {
    let env = TestEnv::new();
    for name in ["Notification", "PreCompact", "PostToolBatch", "SubagentStop", "SomethingNewIn2030"] {
        env.hook(&Payload::event(&env.project(), name)).assert_pass();
    }
}

#[test]
fn tools_that_do_not_touch_the_disk_pass() {
    let env = TestEnv::new();
    let agent = json!({"description": "sub", "prompt": "write to /srv/zzz", "subagent_type": "general-purpose"});
    env.tool("Agent", agent).assert_pass();
    env.tool("WebFetch", json!({"url": "https://example.org/srv/a", "prompt": "x"})).assert_pass();
    env.tool("TodoWrite", json!({"todos": [{"content": "mkdir /srv/zzz", "status": "pending"}]})).assert_pass();
    env.tool("ToolSearch", json!({"query": "select:Monitor"})).assert_pass();
    env.tool("Read", json!({"file_path": env.outside("existing.txt")})).assert_pass();
    env.tool("Read", json!({"file_path": env.outside("missing.txt")})).assert_pass();
    env.tool("Glob", json!({"pattern": "**/*.rs", "path": env.outside("")})).assert_pass();
    env.tool("Grep", json!({"pattern": "/opt/zzz", "path": env.outside("")})).assert_pass();
}

#[test]
fn calls_of_a_sub_agent_are_judged_for_its_parent() {
    let env = TestEnv::new();
    let path = env.outside("sub.txt");
    let payload = Payload::write(&env.project(), &path)
        .with("agent_id", json!("a0c5be88d95501185"))
        .with("agent_type", json!("general-purpose"));
    env.hook(&payload).assert_denied(&path);
}

#[test]
fn same_call_twice_is_answered_alike() {
    let env = TestEnv::new();
    let path = env.outside("twice");
    let first = env.bash(&format!("mkdir {path}")).assert_denied(&path);
    assert_eq!(env.bash(&format!("mkdir {path}")).assert_denied(&path), first);
}

#[test]
fn doubled_spellings_of_a_field_are_parsed() {
    // A payload that has a field both ways must not fall through as unreadable (and open).
    let env = TestEnv::new();
    let path = env.outside("new");
    let input = json!({"command": format!("mkdir {path}")});
    let payload = Payload::bash(&env.project(), &format!("mkdir {path}"))
        .with("toolName", json!("Bash"))
        .with("toolInput", input);
    env.hook(&payload).assert_denied(&path);
}

#[test]
fn wrong_flags_do_not_lock_the_agent_out() {
    let env = TestEnv::new();
    for flags in [["--no-such-flag", "x"], ["--harness", "no-such-harness"], ["--event", "Nonsense"]] {
        let mut command = env.command(env.program("wsguard-hook"));
        command.args(flags);
        let out = env.finish(command, &Payload::tool_read(&env.project(), &env.outside("existing.txt")).line());
        assert_ne!(out.raw.code, Some(2), "exit 2 blocks in the client: {out:?}");
        assert_eq!(out.answer(), Answer::Pass, "{flags:?}");
    }
}

#[test]
fn scratch_is_the_sessions_own() {
    let env = TestEnv::new();
    let other = "11111111-2222-4333-8444-555555555555";
    let mine = env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    let theirs =
        env.hook(&Payload::session_start(&env.project(), "startup").session(other)).assert_context("SessionStart");
    assert!(mine.contains(SESSION) && !mine.contains(other));
    assert!(theirs.contains(other) && !theirs.contains(SESSION));
}
