//! Decisions under the rules of Windows, on any platform.

use super::super::{Inputs, Judgement, Place, Rule, Tool, ToolCall, Verdict, judge};
use crate::config::Policy;
use crate::path::Model;
use crate::shell::Dialect;
use crate::world::FakeWorld;

fn judged(tool: Tool) -> Judgement {
    let world = FakeWorld::new(Model::Windows)
        .with_home(r"C:\Users\Long Name")
        .var("TEMP", r"C:\Users\LONGNA~1\AppData\Local\Temp")
        .dir(r"C:\Users\Long Name\AppData\Local\Temp")
        .dir(r"C:\Users\Long Name\proj\src")
        .dir(r"C:\Users\Long Name\.wsguard\scratch\s1")
        .file(r"C:\Users\Long Name\.wsguard\config.toml", "")
        .file(r"C:\data\old.txt", "")
        .dir(r"D:\data")
        .link(r"C:\Users\Long Name\proj\out", r"\\?\C:\data")
        .link(r"C:\Users\Long Name\proj\far", r"D:\data")
        .short(r"C:\Users\LONGNA~1", "Long Name")
        .subst('S', r"C:\data")
        .subst('P', r"C:\Users\Long Name\proj");
    let policy = Policy::for_model(Model::Windows);
    let place = Place {
        home: r"C:\Users\Long Name\.wsguard".into(),
        project: Some(r"C:\Users\Long Name\proj".into()),
        scratch: r"C:\Users\Long Name\.wsguard\scratch\s1".into(),
        temp: r"C:\Users\Long Name\.wsguard\cache\tmp".into(),
        system_temp: vec![r"C:\Users\LONGNA~1\AppData\Local\Temp".into()],
        harness_state: vec![],
        fenced: vec![r"C:\Users\Long Name\.claude\settings.json".into()],
    };
    let call = ToolCall {
        writes: Vec::new(),
        harness: "claude-code",
        session: "s1".into(),
        call: None,
        cwd: r"C:\Users\Long Name\proj".into(),
        tool,
    };
    judge(&Inputs { call: &call, world: &world, policy: &policy, place: &place, granted: &|_| false })
}

fn written(path: &str) -> Option<Rule> {
    judged(Tool::Write { paths: vec![path.to_owned()], known: true }).broken.map(|(rule, _)| rule)
}

fn run(dialect: Dialect, command: &str) -> Option<Rule> {
    judged(Tool::Shell { dialect, command: command.to_owned(), workdir: None }).broken.map(|(rule, _)| rule)
}

#[test]
fn spellings_of_a_place() {
    let check = |path: &str, want: Option<Rule>| assert_eq!(written(path), want, "{path}");
    for path in [
        r"C:\data\new",
        "c:/DATA/new",
        r"\data\new",
        r"..\..\..\data\new",
        r"\\?\C:\data\new",
        r"\\.\C:\data\new",
        r"\\localhost\c$\data\new",
        r"C:\data\new:stream",
        r"C:\data\new. .",
        r"out\new",
        r"S:\new",
        r"s:\deep\new",
        r"\\?\Volume{1}\new",
    ] {
        check(path, Some(Rule::CreatesOutside));
    }
    for path in [
        r"new",
        r"C:new",
        r"C:\USERS\long name\PROJ\new",
        r"C:\Users\LONGNA~1\proj\new",
        r"\\?\C:\Users\Long Name\proj\new",
        r"P:\new",
        r"far\new",
        r"D:\data\new",
        r"\\server\share\new",
        r"C:\Users\Long Name\AppData\Local\Temp\x",
        r"C:\Users\LONGNA~1\AppData\Local\Temp\x",
        r"C:\Windows\Temp\x",
        r"c:\program files\x",
        r"\\.\pipe\x",
        "nul",
        r"C:\data\NUL.txt",
    ] {
        check(path, None);
    }
}

#[test]
fn the_fence_by_every_name() {
    for path in [
        r"C:\Users\Long Name\.wsguard\config.toml",
        r"c:\users\LONGNA~1\.WSGUARD\CONFIG.TOML",
        r"C:\Users\Long Name\.wsguard.\config.toml",
        r"C:\Users\Long Name\.wsguard::$INDEX_ALLOCATION\config.toml",
        r"C:\Users\Long Name\.wsguard\config.toml::$DATA",
        r"\\localhost\C$\Users\Long Name\.wsguard\config.toml",
        r"C:\Users\Long Name\.claude\settings.json. ",
    ] {
        assert_eq!(written(path), Some(Rule::Fence), "{path}");
    }
}

#[test]
fn git_bash() {
    let check = |command: &str, want: Option<Rule>| assert_eq!(run(Dialect::Bash, command), want, "{command}");
    for command in [
        "mkdir /c/data/new",
        "mkdir C:/data/new",
        r"mkdir 'C:\data\new'",
        r"mkdir C:\\data\\new",
        "mkdir /cygdrive/c/data/new",
        "cd /c/data && touch new",
        "echo x > S:/new",
        r#"node -e "require('fs').writeFileSync('C:\\\\data\\\\new', '')""#,
    ] {
        check(command, Some(Rule::CreatesOutside));
    }
    for command in [
        "ls > /dev/null 2>&1",
        "echo x > /tmp/x",
        "mkdir /p/new",
        "mkdir -p src/new",
        "curl -so nul https://example.org/",
        "rm -f nul",
        "cat /c/data/new",
        "cat /proc/version",
    ] {
        check(command, None);
    }
    for command in ["ls > nul", "dir 2> NUL", "touch src/aux.c", "echo x | tee con"] {
        check(command, Some(Rule::DeviceName));
    }
}

#[test]
fn a_reason_that_every_shell_can_be_given() {
    let reason = |path: &str| match judged(Tool::Write { paths: vec![path.to_owned()], known: true }).verdict {
        Verdict::Deny { reason } => reason,
        other => panic!("{other:?}"),
    };
    let check = |path: &str, want: &str| {
        let reason = reason(path);
        assert!(reason.contains(want), "{want}: {reason}");
    };
    check(r"C:\data\new", "wsguard allow C:/data/new");
    check(r"C:\data\a b", "wsguard allow \"C:/data/a b\"");
    check(r"C:\data\$x", r"wsguard allow 'C:\data\$x'");
}
