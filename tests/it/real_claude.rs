//! The real Claude Code, headless, against a model that plays a script: what the guard says must reach the model.

use std::{fs, path::Path};

use serde_json::json;

use crate::{
    claude::{Run, Script, Use, client},
    env::{TestEnv, text},
    mock::Mock,
    payload::SESSION,
};

/// A name that no earlier run of the tests used.
fn fresh(prefix: &str) -> String {
    let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    format!("{prefix}-wsg-{nanos:x}-{}", std::process::id())
}

fn bash(command: &str) -> Use {
    Use("Bash", json!({"command": command, "description": "test"}))
}

fn write(path: &str) -> Use {
    Use("Write", json!({"file_path": path, "content": "# b\n"}))
}

/// The first line of a command's output; the client adds words of its own below.
fn first_line(seen: &str) -> &str {
    seen.trim().lines().next().unwrap_or("")
}

/// A machine with the guard installed by its own command.
fn guarded() -> TestEnv {
    let env = TestEnv::unprivileged();
    env.wsguard_ok(&["install", "claude-code"]);
    assert!(env.user_home().join(".claude/settings.json").is_file());
    env
}

/// The model was told why, and what to do instead.
#[track_caller]
fn assert_told(env: &TestEnv, seen: &str, tool: &str, path: &str) {
    assert!(seen.starts_with(&format!("PreToolUse:{tool} hook error: ")), "{seen}");
    assert!(seen.contains(path), "names {path}: {seen}");
    assert!(seen.contains(&text(&env.scratch())), "names the real scratch path: {seen}");
    assert!(seen.contains("wsguard allow"), "{seen}");
}

#[test]
fn a_session_is_kept_in_its_place() {
    let Some(program) = client() else { return };
    let env = guarded();
    let scratch = text(&env.scratch());
    let (opt, srv) = (fresh("/opt/zzz"), fresh("/srv/new"));
    let outside = env.outside("zzz");
    let make = |place: &str| bash(&format!("mkdir -p {place}/out && echo hi > {place}/out/a.txt"));
    let settings = text(&env.user_home().join(".claude/settings.json"));
    let script = Script {
        tag: "kept",
        main: vec![
            make(&opt),
            write(&format!("{srv}/b.md")),
            make(&outside),
            make(&scratch),
            write(&format!("{scratch}/b.md")),
            bash("mktemp"),
            Use("Read", json!({"file_path": env.inside("a.txt")})),
            Use("Edit", json!({"file_path": env.inside("a.txt"), "old_string": "inside", "new_string": "edited"})),
            bash("wsguard allow /srv/zzz"),
            bash(&format!("echo '{{}}' > {settings}")),
            Use(
                "Agent",
                json!({"description": "sub", "prompt": format!("{} please", Mock::SUB), "subagent_type": "general-purpose", "run_in_background": false}),
            ),
        ],
        sub: vec![bash("mktemp"), write(&env.outside("sub.md")), write(&format!("{scratch}/sub.md"))],
    };
    let before = fs::read_to_string(&settings).unwrap();
    let run = Run::play(&env, &program, script, &["--session-id", SESSION]);

    // Told before anything happens, in the main conversation and in the sub-agent's own.
    assert!(run.first_request_with(Mock::MAIN, "").contains(&scratch));
    assert!(run.first_request_with(Mock::SUB, Mock::MAIN).contains(&scratch));

    assert_told(&env, run.main(0), "Bash", &opt);
    assert_told(&env, run.main(1), "Write", &srv);
    assert_told(&env, run.main(2), "Bash", &outside);
    for path in [&opt, &srv, &outside] {
        assert!(!Path::new(path).exists(), "{path} was made");
    }

    assert!(!run.main(3).contains("hook error"), "{}", run.main(3));
    assert_eq!(fs::read_to_string(format!("{scratch}/out/a.txt")).unwrap(), "hi\n");
    assert!(!run.main(4).contains("hook error"), "{}", run.main(4));
    assert_eq!(fs::read_to_string(format!("{scratch}/b.md")).unwrap(), "# b\n");

    let temp = text(&env.guard_home().join("cache/tmp"));
    assert!(run.main(5).starts_with(&format!("{temp}/")), "{}", run.main(5));
    assert!(Path::new(first_line(run.main(5))).is_file());
    assert_eq!(fs::read_to_string(env.inside("a.txt")).unwrap(), "edited\n", "{}", run.main(7));

    assert!(run.main(8).contains("hook error"), "{}", run.main(8));
    assert!(run.main(9).contains("hook error"), "{}", run.main(9));
    assert_eq!(fs::read_to_string(&settings).unwrap(), before);

    assert!(run.sub(0).trim().starts_with(&format!("{temp}/")), "{}", run.sub(0));
    assert_told(&env, run.sub(1), "Write", &env.outside("sub.md"));
    assert_eq!(fs::read_to_string(format!("{scratch}/sub.md")).unwrap(), "# b\n", "{}", run.sub(2));
}

#[test]
fn a_resumed_session_keeps_its_scratch() {
    let Some(program) = client() else { return };
    let env = guarded();
    let scratch = text(&env.scratch());
    let first = Script { tag: "first", main: vec![write(&format!("{scratch}/kept.md"))], sub: vec![] };
    Run::play(&env, &program, first, &["--session-id", SESSION]);
    let second = Script {
        tag: "second",
        main: vec![bash(&format!("cat {scratch}/kept.md; mktemp")), write(&env.outside("x.md"))],
        sub: vec![],
    };
    let run = Run::play(&env, &program, second, &["--resume", SESSION]);
    let temp = text(&env.guard_home().join("cache/tmp"));
    assert!(run.main(0).starts_with("# b"), "{}", run.main(0));
    assert!(run.main(0).contains(&format!("{temp}/")), "{}", run.main(0));
    assert_told(&env, run.main(1), "Write", &env.outside("x.md"));
    let folders: Vec<_> = fs::read_dir(env.guard_home().join("scratch")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(folders, [env.scratch()]);
}

#[test]
fn a_broken_guard_stops_what_writes() {
    let Some(program) = client() else { return };
    let env = guarded();
    env.config("gate = \n");
    let script = Script {
        tag: "broken",
        main: vec![bash("touch made.txt"), Use("Read", json!({"file_path": env.inside("a.txt")}))],
        sub: vec![],
    };
    let run = Run::play(&env, &program, script.clone(), &["--session-id", SESSION]);
    assert!(run.main(0).contains("config.toml"), "{}", run.main(0));
    assert!(run.main(1).contains("inside"), "{}", run.main(1));
    assert!(!env.project().join("made.txt").exists());

    // A guard that is gone: the registration itself says that nothing may run then.
    fs::remove_file(env.bin().join("wsguard-hook")).unwrap();
    let other = "11111111-2222-4333-8444-555555555555";
    let run = Run::play(&env, &program, script, &["--session-id", other]);
    assert!(run.main(0).contains("onFailure"), "{}", run.main(0));
    assert!(!env.project().join("made.txt").exists());
}

/// What a script does that nobody looks into, the gate can't refuse; the session goes on guarded all the same.
#[test]
fn a_session_stays_guarded_when_its_settings_change() {
    let Some(program) = client() else { return };
    let env = guarded();
    let settings = env.user_home().join(".claude/settings.json");
    let files = [
        ("off.sh", format!("printf '{{\"disableAllHooks\":true}}' > '{}'\nsleep 4\n", text(&settings))),
        ("gone.sh", format!("rm '{}'\nsleep 4\n", text(&settings))),
    ];
    for (name, script) in files {
        fs::write(env.project().join(name), script).unwrap();
    }
    let outside = env.outside("zzz");
    let script = Script {
        tag: "unhooked",
        main: vec![
            bash("bash off.sh"),
            bash(&format!("mkdir {outside}")),
            bash("bash gone.sh"),
            write(&env.outside("x.md")),
        ],
        sub: vec![],
    };
    let run = Run::play(&env, &program, script, &["--session-id", SESSION]);
    assert!(!settings.exists(), "the scripts ran: {} {}", run.main(0), run.main(2));
    assert_told(&env, run.main(1), "Bash", &outside);
    assert_told(&env, run.main(3), "Write", &env.outside("x.md"));
    assert!(!Path::new(&outside).exists());
}

#[test]
fn without_the_guard_the_same_calls_work() {
    // Proves that the refusals above are the guard's and not the client's or the disk's.
    let Some(program) = client() else { return };
    let env = TestEnv::unprivileged();
    let path = env.outside("zzz");
    let script = Script {
        tag: "free",
        main: vec![bash(&format!("mkdir -p {path}/out && echo hi > {path}/out/a.txt")), write(&env.outside("b.md"))],
        sub: vec![],
    };
    let run = Run::play(&env, &program, script, &["--session-id", SESSION]);
    assert!(Path::new(&path).join("out/a.txt").is_file(), "{}", run.main(0));
    assert!(Path::new(&env.outside("b.md")).is_file(), "{}", run.main(1));
}
