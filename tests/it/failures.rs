//! Failures inside the hook: calls that write or run something are refused, calls that only read pass, and the
//! exit code is always 0.

use std::{fs, process::Stdio, time::Duration};

use serde_json::json;

use crate::{
    env::{TestEnv, text},
    payload::Payload,
    report::skipped,
};

/// With the hook broken: writers are refused, readers pass, quiet events stay quiet.
#[track_caller]
fn assert_closed(env: &TestEnv) {
    let cwd = env.project();
    let reason = env.bash("ls -la").assert_refused();
    assert!(!reason.contains('\n'), "one line: {reason}");
    assert!(reason.contains("wsguard"), "says how to mend it: {reason}");
    env.write(&env.inside("a.txt")).assert_refused();
    env.tool("Edit", json!({"file_path": env.inside("a.txt"), "old_string": "a", "new_string": "b"})).assert_refused();
    env.tool("mcp__fs__write_file", json!({"path": env.inside("a.txt")})).assert_refused();
    env.tool("Read", json!({"file_path": env.inside("a.txt")})).assert_pass();
    env.tool("Grep", json!({"pattern": "x", "path": env.inside("")})).assert_pass();
    env.tool("WebFetch", json!({"url": "https://example.org", "prompt": "x"})).assert_pass();
    for event in ["UserPromptSubmit", "Stop", "SessionEnd"] {
        env.hook(&Payload::event(&cwd, event)).assert_pass();
    }
    env.hook(&Payload::post_bash(&cwd, "ls")).assert_pass();
}

#[test]
fn a_broken_configuration_closes() {
    let env = TestEnv::new();
    for text in ["gate = ", "gate = \"yes please\"", "\u{0}", "action = \"perhaps\"", "hook_deadline_ms = -1", "[[[["] {
        env.config(text);
        assert_closed(&env);
    }
}

#[test]
fn a_configuration_that_is_not_text_closes() {
    let env = TestEnv::new();
    fs::create_dir_all(env.guard_home()).unwrap();
    fs::write(env.guard_home().join("config.toml"), b"gate = true\n# \xff\xfe\n").unwrap();
    assert_closed(&env);
}

#[test]
fn a_configuration_that_is_a_folder_closes() {
    let env = TestEnv::new();
    fs::create_dir_all(env.guard_home().join("config.toml")).unwrap();
    assert_closed(&env);
}

#[test]
fn a_huge_configuration_closes() {
    let env = TestEnv::new();
    env.config(&"# comment\n".repeat(200_000));
    assert_closed(&env);
}

#[test]
fn an_unreadable_configuration_closes() {
    let env = TestEnv::unprivileged();
    env.config("gate = true\n");
    let file = env.guard_home().join("config.toml");
    #[cfg(unix)]
    {
        let rights = std::os::unix::fs::PermissionsExt::from_mode(0o000);
        fs::set_permissions(&file, rights).unwrap();
    }
    // Another program has it open and does not share it.
    #[cfg(windows)]
    let _open = {
        let mut alone = fs::OpenOptions::new();
        std::os::windows::fs::OpenOptionsExt::share_mode(alone.read(true), 0);
        alone.open(&file).unwrap()
    };
    assert_closed(&env);
}

#[test]
fn an_unknown_key_is_named_with_its_line() {
    let env = TestEnv::new();
    env.config("gate = true\nprotect_existin = true\n");
    let reason = env.bash("ls").assert_refused();
    assert!(reason.contains("protect_existin"), "{reason}");
    assert!(reason.contains("protect_existing"), "{reason}");
    assert!(reason.contains('2'), "{reason}");
}

#[test]
fn fail_open_passes_where_it_can_be_read() {
    let env = TestEnv::new();
    env.config("fail = \"open\"\n");
    env.hook_bytes(b"{not json").assert_pass();
    env.hook_bytes(b"").assert_pass();
    env.tool("Bash", json!({"command": 7})).assert_pass();
    // A command that does not parse is no failure of the hook.
    env.bash("echo 'open").assert_refused();
}

#[test]
fn fail_open_that_cannot_be_read_counts_as_closed() {
    let env = TestEnv::new();
    env.config("fail = \"open\"\ngate = \n");
    assert_closed(&env);
}

/// The failpoints exist in debug builds of the hook only.
#[cfg(debug_assertions)]
mod failpoints {
    use super::*;

    #[test]
    fn a_panic_closes() {
        let mut env = TestEnv::new();
        env.set("WSGUARD_FAILPOINT", "panic");
        assert_closed(&env);
    }

    #[test]
    fn a_hang_closes_at_the_deadline() {
        let mut env = TestEnv::new();
        env.config("hook_deadline_ms = 200\n");
        env.set("WSGUARD_FAILPOINT", "hang");
        assert_closed(&env);
        let out = env.bash("ls");
        out.assert_refused();
        assert!(out.raw.took >= Duration::from_millis(150), "{:?}", out.raw.took);
        // The start of a process is counted too, and Wine takes its time.
        let longest = Duration::from_secs(if cfg!(windows) { 15 } else { 3 });
        assert!(out.raw.took < longest, "{:?}", out.raw.took);
    }

    /// No tool call waits for a session's start, and a busy disk takes its time to write the folders.
    #[test]
    fn a_slow_start_still_tells() {
        let mut env = TestEnv::new();
        env.set("WSGUARD_FAILPOINT", "slow");
        env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
        if cfg!(windows) {
            return skipped("a slow call: debug builds for Windows give any call as long as the start of a session");
        }
        assert_closed(&env);
    }

    #[test]
    fn an_exhausted_stack_closes() {
        let mut env = TestEnv::new();
        env.set("WSGUARD_FAILPOINT", "stack");
        assert_closed(&env);
    }
}

#[test]
fn input_that_is_no_payload_is_refused() {
    let env = TestEnv::new();
    let deep = "[".repeat(100_000);
    let deep_object = "{\"a\":".repeat(50_000);
    let cases: Vec<&[u8]> = vec![
        b"",
        b" ",
        b"\n",
        b"\0",
        b"null",
        b"true",
        b"7",
        b"\"Bash\"",
        b"[]",
        b"[{}]",
        b"{",
        b"}",
        b"{}{}",
        b"{\"a\":",
        b"{not json}",
        b"\xff\xfe{\0}\0",
        b"\xef\xbb\xbf",
        b"{\"tool_name\":}",
        b"{'tool_name':'Bash'}",
        b"nul",
        b"{\"hook_event_name\":\"PreToolUse\"}",
        b"{\"tool_name\":\"Bash\"}",
        b"{\"hook_event_name\":7}",
        b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":[\"Bash\"],\"tool_input\":{\"command\":\"ls\"}}",
        deep.as_bytes(),
        deep_object.as_bytes(),
    ];
    for case in cases {
        let out = env.hook_bytes(case);
        let reason = out.assert_refused();
        assert!(!reason.contains('\n'), "{reason}");
    }
}

#[test]
fn a_payload_that_is_cut_off_is_refused() {
    let env = TestEnv::new();
    let line = Payload::bash(&env.project(), &format!("mkdir {}", env.outside("x"))).line();
    for end in (1..line.len() - 1).step_by(7) {
        env.hook_bytes(&line[..end]).assert_refused();
    }
}

#[test]
fn text_around_the_payload_is_refused() {
    let env = TestEnv::new();
    let line = Payload::bash(&env.project(), "ls").line();
    let twice = [line.clone(), line.clone()].concat();
    let after = [line.as_slice(), b"x"].concat();
    let before = [b"x".as_slice(), &line].concat();
    for case in [twice, after, before] {
        env.hook_bytes(&case).assert_refused();
    }
    let spaced = [b" \r\n\t".as_slice(), &line, b" \r\n\n"].concat();
    env.hook_bytes(&spaced).assert_pass();
}

#[test]
fn a_doubled_key_never_hides_a_call() {
    let env = TestEnv::new();
    let path = env.outside("x");
    let cwd = text(&env.project());
    let bash = format!(r#""tool_name":"Bash","tool_input":{{"command":"mkdir {path}"}}"#);
    let read = r#""tool_name":"Read","tool_input":{"file_path":"/etc/hostname"}"#;
    let head = format!(r#""session_id":"s","cwd":"{cwd}","hook_event_name":"PreToolUse""#);
    // JavaScript takes the last one, others the first.
    for body in [
        format!("{{{head},{bash},{read}}}"),
        format!("{{{head},{read},{bash}}}"),
        format!(r#"{{{head},"tool_name":"Bash","tool_input":{{"command":"ls","command":"mkdir {path}"}}}}"#),
        format!(r#"{{{head},"tool_name":"Bash","tool_input":{{"command":"mkdir {path}","command":"ls"}}}}"#),
        format!(r#"{{{head},"hook_event_name":"Stop",{bash}}}"#),
    ] {
        env.hook_bytes(body.as_bytes()).assert_refused();
    }
}

#[test]
fn escaped_spellings_are_the_same_call() {
    let env = TestEnv::new();
    let (cwd, path) = (text(&env.project()), env.outside("x"));
    let body = format!(
        r#"{{"session_id":"s","cwd":"{cwd}","hook_event_name":"Pre\u0054oolUse","tool_\u006eame":"B\u0061sh","tool_input":{{"c\u006fmmand":"\u006dkdir {path}"}}}}"#
    );
    env.hook_bytes(body.as_bytes()).assert_refused();
    let lone = format!(
        r#"{{"session_id":"s","cwd":"{cwd}","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"mkdir {path}\ud800"}}}}"#
    );
    env.hook_bytes(lone.as_bytes()).assert_refused();
}

#[test]
fn a_call_whose_event_is_not_named_is_judged() {
    let env = TestEnv::new();
    let call = || Payload::bash(&env.project(), &format!("mkdir {}", env.outside("x")));
    for event in [json!(null), json!("")] {
        env.hook(&call().with("hook_event_name", event)).assert_refused();
    }
    env.hook(&call().without("hook_event_name")).assert_refused();
}

#[test]
fn a_missing_or_relative_cwd_is_refused_for_what_writes() {
    let env = TestEnv::new();
    for cwd in [json!(null), json!(""), json!("relative/folder"), json!(7), json!("/no/such/folder/\0")] {
        env.hook(&Payload::bash(&env.project(), "mkdir zzz").with("cwd", cwd)).assert_refused();
    }
    env.hook(&Payload::bash(&env.project(), "mkdir zzz").without("cwd")).assert_refused();
}

#[test]
fn oversized_input_is_refused() {
    let env = TestEnv::new();
    let mut line = Payload::bash(&env.project(), "ls").line();
    line.resize((64 << 20) + 4096, b' ');
    env.hook_bytes(&line).assert_refused();
}

#[test]
fn a_large_file_can_be_written() {
    let env = TestEnv::new();
    let content = "0123456789abcde\n".repeat(1 << 18);
    let input = json!({"file_path": env.inside("big.txt"), "content": content});
    env.tool("Write", input).assert_pass();
    let path = env.outside("big.txt");
    env.tool("Write", json!({"file_path": path, "content": content})).assert_denied(&path);
}

#[test]
fn a_command_of_one_mebibyte_is_answered_closed() {
    let env = TestEnv::new();
    let out = env.bash(&"echo 0123456789; ".repeat(1 << 16));
    out.assert_refused();
    assert_quick(&out);
}

#[test]
fn ten_thousand_brackets_are_answered_closed() {
    let env = TestEnv::new();
    for (open, close) in [
        ("(", ")"),
        ("{ ", "; }"),
        ("$(", ")"),
        ("\"$(", ")\""),
        ("$((", "))"),
        ("[[ (", ") ]]"),
        ("[ \"$(", ")\" ]"),
        ("${x:-", "}"),
        ("<(", ")"),
        ("if ", "; then :; fi"),
        ("case x in (x) ", ";; esac"),
    ] {
        let command = format!("{}ls{}", open.repeat(10_000), close.repeat(10_000));
        for command in [command, open.repeat(10_000)] {
            let out = env.bash(&command);
            assert!(matches!(out.answer(), crate::env::Answer::Deny(_)), "{open} … {close}: {out:?}");
            assert_quick(&out);
        }
    }
}

/// In a release build the answer must come within 50 ms; elsewhere it must only come.
#[track_caller]
fn assert_quick(out: &crate::env::HookOutput) {
    if !cfg!(debug_assertions) {
        assert!(out.raw.took < Duration::from_millis(50), "{:?}", out.raw.took);
    }
}

#[test]
fn a_home_that_is_a_file_still_gives_a_verdict() {
    let env = TestEnv::new();
    fs::write(env.guard_home(), "not a folder").unwrap();
    env.tool("Read", json!({"file_path": env.inside("a.txt")})).assert_pass();
    env.write(&env.outside("x")).assert_refused();
}

#[cfg(unix)]
#[test]
fn without_any_home_a_verdict_still_comes() {
    // As `nobody`, whose account has no home: without a usable HOME the account's counts, and that of the user who runs
    // the tests is not ours to write.
    let mut env = TestEnv::unprivileged();
    let nobody = crate::env::is_root();
    if !nobody {
        skipped("an empty, a relative and no HOME: only root can run them as a user without a home");
    }
    let values: &[_] = if nobody { &["/proc/no/such/home", "", "relative/home"] } else { &["/proc/no/such/home"] };
    for value in values {
        env.set("HOME", *value);
        env.tool("Read", json!({"file_path": env.inside("a.txt")})).assert_pass();
        env.write(&env.outside("x")).assert_refused();
        env.bash(&format!("mkdir {}", env.outside("x"))).assert_refused();
    }
    if nobody {
        env.unset("HOME");
        env.write(&env.outside("x")).assert_refused();
    }
}

#[cfg(unix)]
#[test]
fn a_home_that_cannot_be_written_still_gives_the_same_verdicts() {
    let env = TestEnv::unprivileged();
    fs::create_dir(env.guard_home()).unwrap();
    for dir in [env.guard_home(), env.user_home()] {
        let mut rights = fs::metadata(&dir).unwrap().permissions();
        rights.set_readonly(true);
        fs::set_permissions(&dir, rights).unwrap();
    }
    env.bash("ls -la").assert_pass();
    env.write(&env.inside("b.txt")).assert_pass();
    let path = env.outside("x");
    let reason = env.bash(&format!("mkdir {path}")).assert_refused();
    assert!(reason.contains(&path), "{reason}");
    assert!(!env.scratch().exists());
    assert!(reason.contains("The scratch folder could not be made"), "{reason}");
    let text = env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    assert!(text.contains("could not be made") && !text.contains("It exists"), "{text}");
    // The folder must be removable again.
    for dir in [env.guard_home(), env.user_home()] {
        let mut rights = fs::metadata(&dir).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o755);
        fs::set_permissions(&dir, rights).unwrap();
    }
}

#[test]
fn a_journal_that_cannot_be_written_does_not_cost_the_verdict() {
    let env = TestEnv::new();
    fs::create_dir_all(env.guard_home()).unwrap();
    fs::write(env.guard_home().join("workspace-mgr"), "in the way").unwrap();
    env.bash("ls").assert_pass();
    let path = env.outside("x");
    let reason = env.bash(&format!("mkdir {path}")).assert_refused();
    assert!(reason.contains(&path), "{reason}");
    assert!(env.scratch().is_dir() || reason.contains("The scratch folder could not be made"), "{reason}");
    env.hook(&Payload::post_bash(&env.project(), "ls")).assert_pass();
}

#[test]
fn an_env_file_that_cannot_be_written_does_not_cost_the_snippet() {
    let mut env = TestEnv::new();
    env.set("CLAUDE_ENV_FILE", if cfg!(windows) { r"Q:\no\such\file.sh" } else { "/proc/no/such/file.sh" });
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
}

/// A limit on the size of files is met by a signal, which must not end the hook before it answers.
#[cfg(unix)]
#[test]
fn a_limit_on_file_sizes_does_not_cost_the_verdict() {
    let env = TestEnv::new();
    for blocks in ["0", "1"] {
        let hook = |payload: &Payload| {
            let mut command = env.command("/bin/sh");
            let script = format!("ulimit -f {blocks}; exec \"$0\" --harness claude-code");
            command.arg("-c").arg(script).arg(env.program("wsguard-hook"));
            env.finish(command, &payload.line())
        };
        hook(&Payload::bash(&env.project(), &format!("mkdir {}", env.outside("zzz")))).assert_refused();
        hook(&Payload::bash(&env.project(), "ls")).assert_pass();
        hook(&Payload::event(&env.project(), "SessionEnd")).assert_pass();
    }
}

#[test]
fn a_closed_output_is_no_panic() {
    let env = TestEnv::new();
    let path = env.outside("x");
    let mut command = env.hook_command();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &Payload::write(&env.project(), &path).line()).unwrap();
    let out = child.wait_with_output().unwrap();
    // Nobody can hear the verdict any more; a client counts another exit code as "not blocked", and 2 as blocked.
    assert!(matches!(out.status.code(), Some(0 | 2)), "{out:?}");
    assert!(!String::from_utf8_lossy(&out.stderr).contains("panicked"), "{out:?}");
}

/// A client that never reads the answer does not keep the hook.
#[cfg(any(target_os = "linux", windows))]
#[test]
fn an_output_that_nobody_reads_is_no_hang() {
    let mut env = TestEnv::new();
    let payload = Payload::bash(&env.project(), &format!("mkdir {}", env.outside("zzz"))).line();
    // With the answer ready, and when the deadline finds nothing ready.
    for failpoint in [None, Some("hang")] {
        if let Some(kind) = failpoint {
            env.set("WSGUARD_FAILPOINT", kind);
        }
        let (reader, writer) = std::io::pipe().unwrap();
        // More than a pipe takes, so the thread waits until the pipe is closed.
        let mut filler = writer.try_clone().unwrap();
        let filler = std::thread::spawn(move || std::io::Write::write_all(&mut filler, &vec![b' '; 1 << 20]));
        std::thread::sleep(Duration::from_millis(200));
        let mut command = env.hook_command();
        let mut child = command.stdin(Stdio::piped()).stdout(writer).stderr(Stdio::null()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), &payload).unwrap();
        let longest = Duration::from_secs(if cfg!(windows) { 40 } else { 15 });
        let ends = std::time::Instant::now() + longest;
        while child.try_wait().unwrap().is_none() {
            if ends < std::time::Instant::now() {
                child.kill().unwrap();
                panic!("{failpoint:?} hangs");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(child.wait().unwrap().code(), Some(0));
        drop(reader);
        assert!(filler.join().unwrap().is_err(), "the pipe was full");
    }
}

#[cfg(windows)]
#[test]
fn an_input_that_is_none_is_refused() {
    let env = TestEnv::new();
    let out = env.hook_command().stdin(Stdio::null()).output().unwrap();
    let answer = crate::env::Answer::read(out.status.code(), &String::from_utf8(out.stdout).unwrap());
    assert!(matches!(answer, crate::env::Answer::Deny(_)), "{answer:?}");
}

#[cfg(unix)]
#[test]
fn a_closed_input_is_refused() {
    let env = TestEnv::new();
    let mut command = env.command("/bin/sh");
    command.arg("-c").arg("exec \"$0\" --harness claude-code <&-").arg(env.program("wsguard-hook"));
    env.finish(command, b"").assert_refused();
}

#[test]
fn input_that_never_ends_meets_the_deadline() {
    let env = TestEnv::new();
    env.config("hook_deadline_ms = 300\n");
    let mut child = env.hook_command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut &stdin, b"{\"hook_event_name\":\"PreToolUse\",").unwrap();
    let start = std::time::Instant::now();
    // The pipe stays open for as long as the hook runs.
    let out = child.wait_with_output().unwrap();
    drop(stdin);
    // Debug builds for Windows wait longer, for Wine on a busy machine.
    let longest = Duration::from_secs(if cfg!(windows) { 20 } else { 8 });
    assert!(start.elapsed() < longest, "{:?}", start.elapsed());
    let answer = crate::env::Answer::read(out.status.code(), &String::from_utf8(out.stdout).unwrap());
    assert!(matches!(answer, crate::env::Answer::Deny(_)), "{answer:?}");
}

#[test]
fn many_hooks_at_once_agree() {
    let env = TestEnv::new();
    let path = env.outside("x");
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..8)
            .map(|i| {
                let (env, path) = (&env, &path);
                scope.spawn(move || {
                    for k in 0..5 {
                        let id = json!(format!("toolu_{i}_{k}"));
                        let call = Payload::write(&env.project(), path).with("tool_use_id", id);
                        env.hook(&call).assert_denied(path);
                        env.hook(&Payload::post_bash(&env.project(), "ls")).assert_pass();
                    }
                })
            })
            .collect();
        for handle in handles {
            handle.join().unwrap();
        }
    });
    // Every line that was appended at once is whole.
    let folder = env.guard_home().join("workspace-mgr");
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            for line in fs::read_to_string(&path).unwrap().lines() {
                serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|e| panic!("{path:?}: {e}: {line}"));
            }
        }
    }
}

/// Locks are files of their own: Windows forbids others even to read what is locked.
#[test]
fn a_lock_that_somebody_holds_ends_a_change_and_no_verdict() {
    let env = TestEnv::new();
    env.config("gate = true\n");
    env.wsguard_ok(&["config", "set", "action", "ask"]);
    let held = |path: &std::path::Path| {
        let file = fs::OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).unwrap();
        file.lock().unwrap();
        file
    };
    let lock = held(&env.guard_home().join("config.lock"));
    let out = env.wsguard(&["config", "set", "action", "deny"]);
    assert!(!matches!(out.code, Some(0 | 2)) && out.stderr.contains("error["), "{out:?}");
    env.write(&env.outside("x")).answer();
    drop(lock);
    env.wsguard_ok(&["config", "set", "action", "deny"]);
    // Bookkeeping never holds up a verdict.
    env.bash(&format!("mkdir {}", env.outside("zzz"))).assert_refused();
    let folder = env.guard_home().join("workspace-mgr");
    let names = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path());
    let locks: Vec<_> = names.filter(|path| path.extension().is_some_and(|e| e == "lock")).collect();
    assert!(!locks.is_empty(), "no lock in {}", folder.display());
    let all: Vec<_> = locks.iter().map(|path| held(path)).collect();
    env.bash(&format!("mkdir {}", env.outside("zzz"))).assert_denied(&env.outside("zzz"));
    drop(all);
}
