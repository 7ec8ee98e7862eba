//! Codex's calls: its payloads in, answers in exactly its form out. It drops an answer with a key that it does not know,
//! and then runs the tool.

use std::fs;

use serde_json::{Value, json};

use crate::{
    answer::Answer,
    env::{HookOutput, TestEnv, text},
    payload::{Payload, SESSION},
};

fn call(env: &TestEnv, tool: &str, input: Value) -> HookOutput {
    env.hook(&Payload::codex_pre(&env.project(), tool, input))
}

fn shell(env: &TestEnv, command: &str) -> HookOutput {
    call(env, "Bash", json!({"command": command}))
}

fn patch(env: &TestEnv, text: &str) -> HookOutput {
    call(env, "apply_patch", json!({"command": text}))
}

/// A patch with these lines.
fn of(lines: &str) -> String {
    format!("*** Begin Patch\n{lines}\n*** End Patch\n")
}

#[test]
fn the_answers_are_codexs_to_the_byte() {
    let env = TestEnv::new();
    let path = env.outside("new");
    for out in [shell(&env, &format!("mkdir '{path}'")), patch(&env, &of(&format!("*** Add File: {path}\n+x")))] {
        let reason = match Answer::read(out.raw.code, &out.raw.stdout) {
            Answer::Deny(reason) => reason,
            other => panic!("{other:?}"),
        };
        let want = format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":{}}}}}"#,
            json!(reason)
        );
        assert_eq!(out.raw.stdout, want);
        out.assert_denied(&path);
        // Codex puts its own full stop behind it.
        assert!(!reason.ends_with('.'), "{reason}");
    }
    for out in [shell(&env, "ls"), patch(&env, &of("*** Add File: b.txt\n+x"))] {
        assert_eq!((out.raw.code, &*out.raw.stdout, &*out.raw.stderr), (Some(0), "", ""));
    }
}

#[test]
fn the_payload_says_whose_it_is() {
    let env = TestEnv::new();
    let path = env.outside("new");
    let payload =
        Payload::codex_pre(&env.project(), "apply_patch", json!({"command": of(&format!("*** Add File: {path}\n+x"))}));
    // Codex drops what a plugin made for another client has for arguments.
    let check = |args: &[&str], payload: &Payload| {
        let mut command = env.command(env.program("wsguard-hook"));
        command.args(args).env("WSGUARD_HOOK_DEADLINE_MS", "10000");
        env.finish(command, &payload.line()).assert_denied(&path);
    };
    check(&[], &payload);
    check(&["--harness", "codex"], &payload);
    check(&["--harness", "claude-code"], &payload);
    check(&["--harness", "codex"], &payload.clone().without("turn_id").without("model"));
    check(&[], &payload.without("turn_id"));
    let claude = Payload::bash(&env.project(), &format!("mkdir '{path}'"));
    check(&["--harness", "codex"], &claude);
    let journal = fs::read_to_string(env.guard_home().join("workspace-mgr/journal.jsonl")).unwrap();
    let of = |name: &str| journal.lines().filter(|line| line.contains(&format!("\"harness\":\"{name}\""))).count();
    assert_eq!((of("codex"), of("claude-code")), (5, 1), "{journal}");
}

#[test]
fn every_file_of_a_patch_is_judged() {
    let env = TestEnv::new();
    let path = env.outside("new");
    let refused = |lines: &str| {
        let reason = patch(&env, lines).assert_refused();
        assert!(reason.contains("new"), "{lines}: {reason}");
    };
    refused(&of(&format!("*** Add File: {path}\n+x")));
    refused(&of(&format!("*** Add File: {path}/deep/a\n+x")));
    refused(&of("*** Add File: ../outside/new\n+x"));
    refused(&of("*** Add File: sub/../../outside/new\n+x"));
    refused(&of(&format!("*** Update File: a.txt\n*** Move to: {path}\n@@\n-inside\n+x")));
    refused(&of(&format!("*** Add File: ok.txt\n+x\n*** Delete File: a.txt\n*** Add File: {path}\n+x")));
    // Forms that Codex takes as well.
    refused(&of(&format!("  *** Add File: {path}  \n+x")));
    refused(&of(&format!("\u{a0}*** Add File: {path}\n+x")));
    refused(&of(&format!("*** Environment ID: e\n*** Add File: {path}\n+x")));
    refused(&of(&format!("*** Add File: {path}\n+x")).replace('\n', "\r\n"));
    refused(&format!("<<'EOF'\n{}EOF\n", of(&format!("*** Add File: {path}\n+x"))));
    refused(&format!("\n\n{}", of(&format!("*** Add File: {path}\n+x"))));
    // What is put between the lines of a file.
    refused(&of(&format!("*** Update File: a.txt\n@@\n-inside\n+x\n*** End of File\n*** Add File: {path}\n+x")));

    let passes = |lines: &str| patch(&env, &of(lines)).assert_pass();
    passes("*** Add File: b/c.txt\n+x");
    passes("*** Update File: a.txt\n@@\n-inside\n+x");
    passes("*** Update File: a.txt\n*** Move to: b.txt\n@@\n-inside\n+x");
    passes("*** Delete File: a.txt");
    // To Codex these are names in the project.
    passes("*** Add File: ~/new\n+x");
    passes("*** Add File: $HOME/new\n+x");
    // Lines of a file.
    passes(&format!("*** Add File: doc.md\n+*** Add File: {path}\n+*** End Patch"));
    passes(&format!("*** Update File: a.txt\n@@\n-*** Move to: {path}\n+inside"));
    passes(&format!("*** Add File: {}\n+x", text(&env.scratch().join("n.md"))));
}

#[test]
fn what_is_no_patch_is_refused() {
    let env = TestEnv::new();
    for text in ["", "x", "--- a\n+++ b\n", "*** Begin Patch\n*** End Patch\n", "*** Add File: a\n+x\n"] {
        let reason = patch(&env, text).assert_refused();
        assert!(reason.contains("*** Begin Patch"), "{reason}");
    }
    for input in [json!({}), json!({"command": 1}), json!({"command": null}), json!([]), json!("x")] {
        call(&env, "apply_patch", input).assert_refused();
    }
    let many: Vec<String> = (0..2000).map(|n| format!("*** Delete File: f{n}\n")).collect();
    assert!(patch(&env, &of(&many.concat())).assert_refused().contains("more than"));
    let nul = of("*** Add File: a\u{0}b\n+x");
    patch(&env, &nul).assert_refused();
}

#[test]
fn protected_files_are_protected_from_patches() {
    let env = TestEnv::new();
    env.config("protect_existing = true\n");
    let path = env.outside("existing.txt");
    for lines in [
        format!("*** Delete File: {path}"),
        format!("*** Update File: {path}\n@@\n-outside\n+x"),
        format!("*** Update File: {path}\n*** Move to: mine.txt\n@@\n-outside\n+x"),
    ] {
        let reason = patch(&env, &of(&lines)).assert_refused();
        assert!(reason.contains(&path), "{lines}: {reason}");
    }
}

/// Codex's shell on Windows is PowerShell; on POSIX it is the user's own.
#[test]
fn commands_are_judged_in_every_form() {
    let env = TestEnv::new();
    let path = env.outside("new");
    let make = format!("mkdir '{path}'");
    call(&env, "Bash", json!({"command": make})).assert_denied(&path);
    call(&env, "exec_command", json!({"cmd": make, "yield_time_ms": 1000})).assert_denied(&path);
    call(&env, "shell", json!({"command": ["bash", "-lc", make]})).assert_denied(&path);
    call(&env, "write_stdin", json!({"session_id": 1, "chars": format!("{make}\n")})).assert_denied(&path);
    let there = json!({"cmd": "mkdir new", "workdir": env.root().join("outside")});
    call(&env, "exec_command", there).assert_denied(&path);
    call(&env, "Bash", json!({"cmd": 1})).assert_refused();
    call(&env, "Bash", json!({})).assert_refused();
    call(&env, "write_stdin", json!({"session_id": 1, "chars": ""})).assert_pass();
    call(&env, "exec_command", json!({"cmd": "mkdir sub"})).assert_pass();
}

/// What Codex takes out of a command and applies by itself.
#[cfg(unix)]
#[test]
fn patches_in_commands_are_read() {
    let env = TestEnv::new();
    let path = env.outside("new");
    fs::create_dir(env.project().join("sub")).unwrap();
    let text = of(&format!("*** Add File: {path}\n+x"));
    for name in ["apply_patch", "applypatch"] {
        shell(&env, &format!("{name} <<'EOF'\n{text}EOF\n")).assert_denied(&path);
        shell(&env, &format!("cd sub && {name} <<EOF\n{text}EOF\n")).assert_denied(&path);
        shell(&env, &format!("{name} '{text}'")).assert_denied(&path);
        shell(&env, &format!("true; printf %s '{text}' | {name}")).assert_denied(&path);
    }
    shell(&env, "cd /; apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: new.txt\n+x\n*** End Patch\nEOF\n")
        .assert_denied("/new.txt");
    // No shell runs these, nothing in them is expanded, and a folder that is missing is made.
    shell(&env, &format!("cd nope && apply_patch <<'EOF'\n{text}EOF\n")).assert_denied(&path);
    let literal = |file: &str| of(&format!("*** Add File: {file}\n+x"));
    let elsewhere = format!("cd '{}' && apply_patch <<'EOF'\n{}EOF\n", env.outside("no"), literal("n.txt"));
    shell(&env, &elsewhere).assert_denied(&env.outside("no/n.txt"));
    let climbing = format!("apply_patch <<EOF\n{}EOF\n", literal("$HOME/../../outside/new"));
    assert!(shell(&env, &climbing).assert_refused().contains("outside/new"));
    // And these one does.
    shell(&env, &format!("cd nope; apply_patch <<'EOF'\n{text}EOF\n")).assert_denied(&path);
    shell(&env, &format!("apply_patch <<EOF\n{}EOF\n", literal(&format!("$(mkdir '{path}')")))).assert_denied(&path);
    let inside = of("*** Update File: a.txt\n@@\n-inside\n+x");
    shell(&env, &format!("apply_patch <<'EOF'\n{inside}EOF\n")).assert_pass();
    shell(&env, &format!("cd sub && apply_patch '{}'", of("*** Add File: ../b.txt\n+x"))).assert_pass();
}

#[test]
fn other_tools() {
    let env = TestEnv::new();
    let path = env.outside("new");
    call(&env, "mcp__fs__write_file", json!({"path": path})).assert_denied(&path);
    call(&env, "mcp__fs__read_file", json!({"path": path})).assert_pass();
    for tool in ["view_image", "spawn_agent", "update_plan"] {
        call(&env, tool, json!({"path": path, "message": "x"})).assert_pass();
    }
}

/// Codex takes the question for a failure of the hook, and runs the tool.
#[test]
fn what_would_be_asked_is_refused() {
    let env = TestEnv::new();
    let path = env.outside("new");
    env.config("action = \"ask\"\n");
    shell(&env, &format!("mkdir '{path}'")).assert_denied(&path);
    assert!(matches!(env.bash(&format!("mkdir '{path}'")).answer(), Answer::Ask(_)), "Claude Code can");
    env.config("action = \"warn\"\n");
    assert!(shell(&env, &format!("mkdir '{path}'")).assert_context("PreToolUse").contains(&path));
}

#[test]
fn failures_are_closed() {
    let mut env = TestEnv::new();
    env.config("gate = \n");
    let inside = of("*** Add File: b.txt\n+x");
    for out in [shell(&env, "ls"), patch(&env, &inside), call(&env, "mcp__x__save", json!({"path": "a"}))] {
        assert!(out.assert_refused().contains("config.toml"));
    }
    call(&env, "view_image", json!({"path": "x.png"})).assert_pass();
    for event in ["SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStart", "Stop", "SessionEnd", "Interrupt"]
    {
        env.hook(&Payload::codex(&env.project(), event)).assert_pass();
    }
    env.config("");
    let cwdless = Payload::codex_pre(&env.project(), "Bash", json!({"command": "ls"})).without("cwd");
    env.hook(&cwdless).assert_refused();
    let torn = Payload::codex_pre(&env.project(), "apply_patch", json!({"command": inside})).line();
    env.hook_bytes(&torn[..torn.len() / 2]).assert_refused();
    if cfg!(debug_assertions) {
        env.set("WSGUARD_FAILPOINT", "panic");
        assert!(patch(&env, &inside).assert_refused().contains("failed inside"));
        env.set("WSGUARD_FAILPOINT", "stack");
        patch(&env, &inside).assert_refused();
    }
}

#[test]
fn a_session_is_told_its_places() {
    let mut env = TestEnv::new();
    // Codex that was started from Claude Code's shell: none of this is its own.
    let (exports, elsewhere) = (env.root().join("exports.sh"), env.root().join("outside"));
    env.set("CLAUDE_ENV_FILE", exports.clone()).set("CLAUDE_PROJECT_DIR", elsewhere).set("CLAUDECODE", "1");
    let start = Payload::codex(&env.project(), "SessionStart").without("turn_id").with("source", json!("startup"));
    let told = env.hook(&start).assert_context("SessionStart");
    assert!(told.contains(&text(&env.scratch())) && told.contains(&text(&env.project())), "{told}");
    assert!(!told.contains("TMPDIR"), "this client can't be given variables: {told}");
    assert!(env.scratch().is_dir() && !exports.exists());
    // What Codex's own settings may name as its shells' TMPDIR is there.
    assert!(env.guard_home().join("cache/tmp").is_dir());
    let record = env.guard_home().join("workspace-mgr/sessions").join(format!("{SESSION}.json"));
    let record = fs::read_to_string(record).unwrap();
    assert!(record.contains("codex"), "{record}");
    let sub = env.hook(&Payload::codex(&env.project(), "SubagentStart")).assert_context("SubagentStart");
    assert!(sub.contains(&text(&env.scratch())), "{sub}");
    patch(&env, &of("*** Add File: b.txt\n+x")).assert_pass();
    let path = env.outside("new");
    shell(&env, &format!("mkdir '{path}'")).assert_denied(&path);
}

/// The cwd of a call is the folder that the call names.
#[test]
fn a_calls_own_folder_is_not_the_project() {
    let env = TestEnv::new();
    let elsewhere = env.root().join("outside");
    let make = |name: &str| Payload::codex_pre(&elsewhere, "Bash", json!({"command": format!("mkdir {name}")}));
    env.hook(&make("new")).assert_denied(&env.outside("new"));
    shell(&env, "mkdir sub").assert_pass();
    env.hook(&make("newer")).assert_denied(&env.outside("newer"));
}

#[test]
fn what_calls_leave_behind_is_noted_for_codex() {
    let env = TestEnv::new();
    let watched = env.root().join("watched");
    fs::create_dir(&watched).unwrap();
    env.config(&format!("scan_roots = ['{}']\n", watched.display()));
    let bash = |event: &str| {
        Payload::codex_pre(&env.project(), "Bash", json!({"command": "bash make.sh"}))
            .with("hook_event_name", json!(event))
            .with("tool_response", json!("made\n"))
    };
    env.hook(&bash("PreToolUse")).assert_pass();
    fs::create_dir(watched.join("left")).unwrap();
    env.hook(&bash("PostToolUse")).assert_pass();
    // No event follows a call that goes on or fails: the next one of any kind catches up.
    env.hook(&bash("PreToolUse").with("tool_use_id", json!("call_test_0002"))).assert_pass();
    fs::create_dir(watched.join("later")).unwrap();
    env.hook(&Payload::codex(&env.project(), "Stop")).assert_pass();
    let journal = fs::read_to_string(env.guard_home().join("workspace-mgr/journal.jsonl")).unwrap();
    for name in ["left", "later"] {
        let line =
            journal.lines().find(|line| line.contains(&format!("{name}\""))).unwrap_or_else(|| panic!("{journal}"));
        assert!(line.contains("\"harness\":\"codex\""), "{line}");
    }
}

#[test]
fn a_registration_of_either_client_is_fenced_from_both() {
    let mut env = TestEnv::new();
    fs::create_dir_all(env.user_home().join(".codex")).unwrap();
    let check = |env: &TestEnv, folder: &str, names: &[&str]| {
        for name in names {
            let path = text(&env.root().join(folder).join(name));
            let refusals = [
                patch(env, &of(&format!("*** Add File: {path}\n+x"))),
                patch(env, &of(&format!("*** Update File: a.txt\n*** Move to: {path}\n@@\n-inside\n+x"))),
                shell(env, &format!("rm '{path}'")),
                env.write(&path),
                env.bash(&format!("echo x > '{path}'")),
            ];
            for out in refusals {
                let reason = out.assert_refused();
                assert!(reason.contains("keeps this guard in place"), "{path}: {reason}");
            }
        }
    };
    check(&env, "home/.codex", &["hooks.json", "config.toml"]);
    check(&env, "project/.codex", &["hooks.json", "config.toml"]);
    check(&env, "home/.claude", &["settings.json"]);
    // What else Codex keeps there is its own.
    let skill = text(&env.user_home().join(".codex/skills/a/SKILL.md"));
    patch(&env, &of(&format!("*** Add File: {skill}\n+x"))).assert_pass();
    env.write(&skill).assert_denied(&skill);
    env.set("CODEX_HOME", env.root().join("home/elsewhere"));
    check(&env, "home/elsewhere", &["hooks.json", "config.toml"]);
    shell(&env, "wsguard uninstall codex").assert_refused();
    shell(&env, "wsguard install codex --trust").assert_refused();
    shell(&env, "wsguard doctor codex").assert_pass();
}
