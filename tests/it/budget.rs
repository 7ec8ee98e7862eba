//! What a call costs, in instructions: a number that does not swing with the load of the machine.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::{
    env::{Answer, TestEnv, run},
    payload::Payload,
    release,
    report::{say, skipped},
};

/// Instructions in user space of one allowed `ls -la`, the whole process, with its look at the watched folders; and of the
/// look after it.
const ALLOWED: u64 = 250_000;
/// The same of a refusal, which also resolves a path, makes a text and adds a line to the audit. valgrind has no SHA-256 in
/// hardware, which alone makes 100,000 of these.
const REFUSED: u64 = 600_000;

/// What is beyond the limits of a command must be answered in this time.
const AT_ONCE: Duration = Duration::from_millis(50);

/// Longer than the time of a folder may lag behind the clock.
const SETTLED: Duration = Duration::from_millis(60);

/// Instructions of one run under callgrind, and what the program answered.
fn count(env: &TestEnv, program: &Path, stdin: &[u8]) -> (u64, Answer) {
    let mut command = env.command("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}/callgrind.out", env.root().display()));
    command.arg(program);
    let out = run(command, stdin);
    let line = out.stderr.lines().find(|line| line.contains("Collected : "));
    let number = line.unwrap_or_else(|| panic!("callgrind gave no count: {out:?}")).rsplit(' ').next().unwrap();
    (number.parse().unwrap(), Answer::read(out.code, &out.stdout))
}

/// Whether a program can be started here.
fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

#[test]
fn a_call_stays_within_its_instructions() {
    if !has("valgrind") {
        return skipped("the instruction budget of the hook: valgrind is not installed");
    }
    if cfg!(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))) {
        return skipped("the instruction budget of the hook: it was set for statically linked x86-64 Linux");
    }
    let (hook, empty) = (release::hook(), release::empty());
    let env = TestEnv::new();
    // The usual state: the session has begun, a first refusal has made the scratch, and the watched folders, as many as the
    // built-in list has, are as they were. Those of the list itself are this machine's, and busy.
    let roots: Vec<_> = (0..10).map(|n| env.outside(&format!("root-{n}"))).collect();
    for root in &roots {
        fs::create_dir(root).unwrap();
    }
    let list: Vec<_> = roots.iter().map(|root| format!("'{root}'")).collect();
    env.config(&format!("observe = true\nscan_roots = [{}]\n", list.join(", ")));
    env.hook(&Payload::session_start(&env.project(), "startup"));
    let path = env.outside("new");
    env.write(&path).assert_denied(&path);
    thread::sleep(SETTLED);
    env.hook(&Payload::bash(&env.project(), "ls")).assert_pass();

    let (nothing, _) = count(&env, &empty, b"");
    let (allowed, answer) = count(&env, &hook, &Payload::bash(&env.project(), "ls -la").line());
    assert_eq!(answer, Answer::Pass);
    let (refused, answer) = count(&env, &hook, &Payload::bash(&env.project(), &format!("mkdir -p {path}/out")).line());
    assert!(matches!(answer, Answer::Deny(_)), "{answer:?}");
    let (ended, answer) = count(&env, &hook, &Payload::post_bash(&env.project(), "ls -la").line());
    assert_eq!(answer, Answer::Pass);
    env.config("observe = false\n");
    let (unwatched, answer) = count(&env, &hook, &Payload::bash(&env.project(), "ls -la").line());
    assert_eq!(answer, Answer::Pass);

    let report = format!(
        "instructions: empty program {nothing}, allowed {allowed}, refused {refused}, ended {ended}, \
         allowed without observation {unwatched}\n"
    );
    fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("instructions.txt"), &report).unwrap();
    say(&report);
    assert!(allowed <= ALLOWED && ended <= ALLOWED, "{report}");
    assert!(refused <= REFUSED, "{report}");
}

#[test]
fn what_is_beyond_the_limits_is_refused_at_once() {
    let hook = release::hook();
    let env = TestEnv::new();
    let brackets = |open: &str, close: &str| format!("{}ls{}", open.repeat(10_000), close.repeat(10_000));
    let commands = [
        ("1 MiB", "echo 0123456789; ".repeat((1 << 20) / 17 + 1)),
        ("1 MiB in one word", "x".repeat(1 << 20)),
        ("subshells", brackets("(", ")")),
        ("groups", brackets("{ ", "; }")),
        ("substitutions", brackets("$(", ")")),
        ("quoted substitutions", brackets("\"$(", ")\"")),
        ("arithmetic", brackets("$((", "))")),
        ("parameters", brackets("${x:-", "}")),
        ("process substitutions", brackets("<(", ")")),
        ("compound commands", brackets("if ", "; then :; fi")),
        ("never closed", "(".repeat(10_000)),
        ("here-documents", "cat <<E\n".repeat(10_000)),
        ("braces", brackets("{a,", "}")),
        ("back-quotes", "`".repeat(10_000)),
        ("a deep path", format!("mkdir /srv/{}", "a/".repeat(25_000))),
    ];
    let mut slow = Vec::new();
    for (name, command) in commands {
        let line = Payload::bash(&env.project(), &command).line();
        let once = || {
            let mut command = env.command(&hook);
            command.args(["--harness", "claude-code"]);
            let out = env.finish(command, &line);
            (!matches!(out.answer(), Answer::Pass), out.raw.took)
        };
        // The best of a few: the machine may be busy, the hook may not.
        let runs: Vec<_> = (0..7).map(|_| once()).collect();
        let best = runs.iter().map(|(_, took)| *took).min().unwrap();
        // These may well be understood (one body without an end, words, empty commands); the others can't be.
        let may_pass = ["here-documents", "braces", "back-quotes"].contains(&name);
        assert!(may_pass || runs.iter().all(|(refused, _)| *refused), "{name} must be refused");
        if best > AT_ONCE {
            slow.push((name, best));
        }
    }
    assert!(slow.is_empty(), "slower than {AT_ONCE:?}: {slow:?}");
}
