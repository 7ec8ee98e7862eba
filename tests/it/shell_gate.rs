//! The shell gate, end to end. What each construct and each program does is tested beside the code; here is
//! what an agent really sends.

use std::fs;

use serde_json::json;

use crate::{env::TestEnv, payload::Payload};

/// `@` in a command stands for the outside folder, `~p` for the project.
fn command(env: &TestEnv, pattern: &str) -> String {
    pattern
        .replace('@', env.outside("").trim_end_matches('/'))
        .replace("~p", &env.inside("")[..env.inside("").len() - 1])
}

#[test]
fn creations_outside_are_refused() {
    let env = TestEnv::new();
    fs::create_dir(env.root().join("outside/data")).unwrap();
    // command, the path that the reason names
    let cases = [
        ("mkdir -p @/zzz/out && echo hi > @/zzz/out/a.txt", "@/zzz"),
        ("mkdir @/zzz", "@/zzz"),
        ("touch @/zzz", "@/zzz"),
        ("echo hi > @/zzz.txt", "@/zzz.txt"),
        ("echo hi >> @/zzz.txt", "@/zzz.txt"),
        ("echo hi | tee @/zzz.txt", "@/zzz.txt"),
        ("cat <<'EOF' > @/zzz.py\nprint(1)\nEOF", "@/zzz.py"),
        ("cp a.txt @/data/", "@/data/a.txt"),
        ("mv a.txt @/moved.txt", "@/moved.txt"),
        ("ln -s ~p/a.txt @/link", "@/link"),
        ("cd @ && touch zzz", "@/zzz"),
        ("cd @; mkdir zzz", "@/zzz"),
        ("(cd @ && echo x > zzz)", "@/zzz"),
        ("D=@/zzz; mkdir -p \"$D\"", "@/zzz"),
        ("bash -c 'mkdir @/zzz'", "@/zzz"),
        ("sudo mkdir @/zzz", "@/zzz"),
        ("env X=1 timeout 5 mkdir @/zzz", "@/zzz"),
        ("for i in 1 2; do mkdir @/zzz$i; done", "@/zzz1"),
        ("mkdir @/{a,b}", "@/a"),
        ("if true; then mkdir @/zzz; fi", "@/zzz"),
        ("f() { mkdir \"$1\"; }; f @/zzz", "@/zzz"),
        ("git clone https://example.org/r.git @/zzz", "@/zzz"),
        ("python3 -c \"open('@/zzz','w').write('x')\"", "@/zzz"),
        ("node -e \"require('fs').writeFileSync('@/zzz','x')\"", "@/zzz"),
        ("mkdir ../outside/zzz", "@/zzz"),
        ("echo $(mkdir @/zzz)", "@/zzz"),
        ("some-unknown-program --out @/zzz", "@/zzz"),
    ];
    for (pattern, path) in cases {
        let path = command(&env, path);
        let reason = env.bash(&command(&env, pattern)).assert_refused();
        assert!(reason.contains(&path), "{pattern}: names {path}: {reason}");
        env.bash(&command(&env, pattern)).assert_denied(&path);
    }
    let names: Vec<_> = fs::read_dir(env.root().join("outside")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "judging creates nothing: {names:?}");
}

#[test]
fn work_in_the_project_and_reads_pass() {
    let env = TestEnv::new();
    let cases = [
        "ls -la",
        "pwd",
        "true",
        "",
        "# only a comment",
        "mkdir -p src/new && echo x > src/new/a.rs",
        "echo hi > ~p/b.txt",
        "cat @/existing.txt",
        "cat @/missing.txt",
        "ls @ | head -3",
        "test -e @/missing || echo no",
        "[ -d @/missing ] && ls @/missing",
        "grep -rn 'TODO' @",
        "find @ -name '*.txt'",
        "git status && git diff",
        "git commit -m 'write to @/zzz later'",
        "echo 'mkdir @/zzz'",
        "cat <<'EOF'\nmkdir @/zzz\nEOF",
        "echo x >> @/existing.txt",
        "curl -s https://example.org/srv/zzz/a | head",
        "sed -n '/opt\\/zzz/p' a.txt",
        "echo x > /dev/null 2>&1",
        "cargo build 2>&1 | tail -5",
        "mkdir -p /tmp/wsg-test-new && touch /tmp/wsg-test-new/x",
        "T=$(mktemp -d) && echo x > \"$T/f\"",
        "awk '/srv/ {print $1}' a.txt",
        "python3 -c 'print(1)'",
        "docker run -v ~p:/data/zzz img",
        "ssh host 'mkdir /srv/zzz'",
        "cd @ && ls",
    ];
    for pattern in cases {
        let out = env.bash(&command(&env, pattern));
        assert_eq!(out.raw.stdout, "", "{pattern}");
        out.assert_pass();
    }
}

#[test]
fn work_in_scratch_passes() {
    let env = TestEnv::new();
    let scratch = crate::env::text(&env.scratch());
    for command in [
        format!("mkdir -p {scratch}/out && echo hi > {scratch}/out/a.txt"),
        format!("cd {scratch} && git clone https://example.org/r.git"),
        format!("cp a.txt {scratch}/"),
    ] {
        env.bash(&command).assert_pass();
    }
}

#[test]
fn a_command_with_nul_is_refused() {
    let env = TestEnv::new();
    env.bash(&format!("mkdir {}\0x", env.outside("new"))).assert_refused();
    env.bash("ls\0").assert_refused();
}

#[test]
fn what_does_not_parse_is_refused() {
    let env = TestEnv::new();
    for text in ["echo 'open", "if true; then", "mkdir \"a", "for", ")", "case x in"] {
        env.bash(text).assert_refused();
    }
}

#[test]
fn a_command_of_the_wrong_type_is_refused() {
    let env = TestEnv::new();
    for command in [json!(null), json!(1), json!(["mkdir", "/srv/zzz"]), json!({"a": 1})] {
        env.tool("Bash", json!({"command": command})).assert_refused();
    }
    env.tool("Bash", json!({})).assert_refused();
    env.tool("Bash", json!(null)).assert_refused();
}

#[test]
fn the_shell_of_monitor_is_judged_too() {
    let env = TestEnv::new();
    let path = env.outside("zzz");
    let input =
        json!({"command": format!("mkdir {path}"), "description": "m", "timeout_ms": 5000, "persistent": false});
    env.tool("Monitor", input).assert_denied(&path);
}

#[test]
fn background_commands_are_judged() {
    let env = TestEnv::new();
    let path = env.outside("zzz");
    let input = json!({"command": format!("mkdir {path}"), "run_in_background": true});
    env.tool("Bash", input).assert_denied(&path);
}

#[test]
fn a_drifted_cwd_is_where_relative_names_start() {
    let env = TestEnv::new();
    let outside = env.root().join("outside");
    env.hook(&Payload::bash(&outside, "mkdir zzz")).assert_denied(&env.outside("zzz"));
    env.hook(&Payload::bash(&outside, "ls")).assert_pass();
}

#[test]
fn home_and_root_are_no_projects() {
    let mut env = TestEnv::new();
    let home = env.user_home();
    let root = if cfg!(windows) { "C:\\" } else { "/" };
    for start in [home.as_path(), std::path::Path::new(root)] {
        env.set("CLAUDE_PROJECT_DIR", start);
        let path = crate::env::text(&start.join("wsg-test-new"));
        env.hook(&Payload::bash(start, &format!("mkdir {path}"))).assert_denied(&path);
    }
    env.set("CLAUDE_PROJECT_DIR", &home);
    env.config("allow_home_as_project = true\n");
    env.hook(&Payload::bash(&home, "mkdir wsg-test-new")).assert_pass();
}

#[test]
fn strict_mode_is_the_published_rule() {
    let env = TestEnv::new();
    env.config("shell = \"strict\"\n");
    env.bash(&command(&env, "cat @/missing.txt")).assert_denied(&env.outside("missing.txt"));
    env.bash(&command(&env, "cat @/existing.txt")).assert_pass();
    env.config("shell = \"precise\"\n");
    env.bash(&command(&env, "cat @/missing.txt")).assert_pass();
}

#[test]
fn package_installs_follow_their_setting() {
    let env = TestEnv::new();
    let reason = env.bash("pip install requests").assert_asked();
    assert!(reason.contains("config set package_installs allow"), "{reason}");
    env.config("package_installs = \"allow\"\n");
    env.bash("pip install requests").assert_pass();
    env.config("package_installs = \"deny\"\n");
    env.bash("pip install requests").assert_refused();
}

#[test]
fn protect_existing_covers_changes_and_removals() {
    let env = TestEnv::new();
    let path = env.outside("existing.txt");
    env.bash(&format!("rm {path}")).assert_pass();
    env.bash(&format!("sed -i s/a/b/ {path}")).assert_pass();
    env.config("protect_existing = true\n");
    env.bash(&format!("rm {path}")).assert_refused();
    env.bash(&format!("sed -i s/a/b/ {path}")).assert_refused();
    env.bash(&format!("cat {path}")).assert_pass();
}

#[test]
fn a_reason_stays_short_however_long_the_path() {
    let env = TestEnv::new();
    // Every part of the path is looked at, which takes long under Wine.
    let longest = if cfg!(windows) { 100 } else { 300 };
    for length in [5, 10, 20, 40, longest] {
        let path = env.outside(&"long-name/".repeat(length));
        let reason = env.bash(&format!("mkdir -p {path}")).assert_refused();
        assert!(reason.contains("wsguard allow"), "{reason}");
        assert!(reason.contains(&crate::env::text(&env.scratch())), "{reason}");
    }
}
