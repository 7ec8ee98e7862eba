//! Tool calls as a client on Windows sends them, by each of its shells.

use serde_json::json;

use super::{git_bash, native};
use crate::env::{Answer, TestEnv, text};
use crate::payload::SESSION;

#[test]
fn the_reason_speaks_as_windows_does() {
    let env = TestEnv::new();
    let path = native(&env, r"outside\a b.md");
    let raw = env.write(&path).raw.stdout;
    let Answer::Deny(reason) = Answer::read(Some(0), &raw) else { panic!("{raw}") };
    for part in [&path, &native(&env, r"home\.wsguard\scratch"), &native(&env, "project")] {
        assert!(reason.contains(part.as_str()), "{part}: {reason}");
    }
    // In one way that cmd, PowerShell and Git Bash read alike.
    assert!(reason.contains(&format!("wsguard allow \"{}\"", path.replace('\\', "/"))), "{reason}");
    env.wsguard_ok(&["allow", &path.replace('\\', "/")]);
    env.write(&path).assert_pass();
}

#[test]
fn git_bash_commands() {
    let env = TestEnv::new();
    let (unix, mixed, native) = (git_bash(&env, "outside/zzz"), env.outside("zzz"), native(&env, r"outside\zzz"));
    for command in [
        format!("mkdir {unix}"),
        format!("mkdir {mixed}"),
        format!("mkdir '{native}'"),
        format!("mkdir \"{native}\""),
        format!("mkdir {}", native.replace('\\', r"\\")),
        format!("echo hi > {unix}"),
        format!("cd {} && mkdir zzz", git_bash(&env, "outside")),
        format!("cp a.txt {unix}"),
        format!("node -e \"require('fs').writeFileSync('{}', '')\"", native.replace('\\', r"\\\\")),
        format!("python -c \"open(r'{native}', 'w')\""),
        format!("mkdir /cygdrive{unix}"),
    ] {
        let reason = env.bash(&command).assert_refused();
        assert!(reason.contains(&mixed), "{command}: {reason}");
    }
    for command in [
        "ls -la > /dev/null 2>&1".to_owned(),
        format!("mkdir {}", git_bash(&env, "project/new")),
        "echo x > /tmp/x && cat /proc/version".to_owned(),
        "echo x > \"$TEMP/x\"".to_owned(),
        format!("cat {unix}"),
        "git status && cargo build 2>/dev/null".to_owned(),
    ] {
        env.bash(&command).assert_pass();
    }
}

#[test]
fn a_file_with_a_devices_name_is_not_made() {
    let env = TestEnv::new();
    for command in ["ls > nul", "ls 2> NUL", "dir &> nul", "touch aux.txt", "echo x | tee con", "mkdir -p src/prn"] {
        let reason = env.bash(command).assert_refused();
        assert!(reason.contains("/dev/null"), "{command}: {reason}");
    }
    // Programs of Windows get the device.
    env.bash("curl -s -o nul https://example.org/").assert_pass();
    env.write("nul").assert_pass();
    env.bash("rm -f nul; ls null").assert_pass();
}

#[test]
fn powershell_and_cmd_calls_are_answered() {
    let env = TestEnv::new();
    let path = native(&env, r"outside\zzz");
    for command in [format!("New-Item -ItemType Directory '{path}'"), format!("Set-Content -Path {path} -Value x")] {
        env.tool("PowerShell", json!({"command": command, "description": "test"})).assert_refused();
    }
    for command in [format!("cmd /c \"mkdir {path}\""), format!("cmd //c \"echo x > {path}\"")] {
        env.bash(&command).assert_refused();
    }
}

#[test]
fn the_published_examples() {
    let env = TestEnv::new();
    env.config(
        "profile = 'dsh'\nprotectDrives = ['C']\nscratchRoot = 'C:\\dsh-test\\scratch'\n"
            .replace("C:\\dsh-test", &native(&env, "dsh"))
            .as_str(),
    );
    // `C:\` is protected.
    for path in [r"C:\out", r"C:\new\deep\x.txt"] {
        env.write(path).assert_refused();
        env.bash(&format!("mkdir '{path}'")).assert_refused();
    }
    // A path in a program's string.
    env.bash(r#"node -e "require('fs').mkdirSync('C:\\out\\x')""#).assert_refused();
    env.bash(r#"node -e "console.log('hi')""#).assert_pass();
    // The scratch root may be anywhere.
    let scratch = env.root().join("dsh").join("scratch").join(SESSION);
    let path = native(&env, r"outside\x");
    let reason = env.write(&path).assert_refused();
    assert!(reason.contains(&text(&scratch)), "{reason}");
    assert!(scratch.is_dir());
    env.write(scratch.join("x").to_str().unwrap()).assert_pass();
}
