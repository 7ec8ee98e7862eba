//! Commands for cmd.exe, labelled by reading what cmd.exe and the programs document, judged in a described Windows
//! world by the code that judges them on Windows.

use std::collections::BTreeSet;

use workspace_guard::gate::{Standing, Verdict};
use workspace_guard::hook::{Described, Explanation};
use workspace_guard::shell::{Dialect, Target};

const WORLD: &str = include_str!("data/cmd_world.json");

/// One labelled command.
struct Row<'r> {
    denied: bool,
    command: String,
    /// What it creates outside, in lower case.
    outside: Option<BTreeSet<String>>,
    line: &'r str,
}

fn rows(text: &str) -> Vec<Row<'_>> {
    let lines = text.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let mut parts = line.split(" ## ");
            let verdict = parts.next().unwrap();
            assert!(matches!(verdict, "deny" | "allow"), "{line}");
            let command = parts.next().unwrap_or_else(|| panic!("{line}")).replace('⏎', "\n");
            let outside = parts.next().map(|p| p.split(" ; ").map(str::to_lowercase).collect());
            Row { denied: verdict == "deny", command, outside, line }
        })
        .collect()
}

fn outside(explanation: &Explanation) -> BTreeSet<String> {
    let judged = explanation.judgement.effects.iter().filter(|j| matches!(j.standing, Standing::Violation(_)));
    let mut out: BTreeSet<String> = judged
        .map(|j| match &j.effect.target {
            Target::Path(path) => path.to_lowercase(),
            Target::Inside(path) => format!("{}\\*", path.trim_end_matches('\\').to_lowercase()),
            Target::Opaque => "?".to_owned(),
        })
        .collect();
    if !explanation.judgement.gaps.is_empty() {
        out.insert("gap".to_owned());
    }
    out
}

/// Every row gets its verdict, and a denied one for what it creates.
fn check(world: &str, text: &str, dialect: Dialect) {
    let world = Described::parse(world).unwrap();
    let rows = rows(text);
    let harmless = rows.iter().filter(|r| !r.denied).count();
    assert!(rows.len() >= 300 && harmless * 2 >= rows.len(), "{} rows, {harmless} of them harmless", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let explanation = world.explain(&row.command, dialect, None).unwrap();
        let denied = explanation.judgement.verdict != Verdict::Allow;
        let found = outside(&explanation);
        if denied != row.denied || row.outside.as_ref().is_some_and(|want| *want != found) {
            wrong.push(format!("{}\n      got {} {found:?}", row.line, if denied { "deny" } else { "allow" }));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn labelled_commands() {
    check(WORLD, include_str!("data/cmd_labelled.txt"), Dialect::Cmd);
}

/// A reason offers the command with its paths moved into scratch only where that is certain and allowed.
#[test]
fn corrected_commands() {
    let world = Described::parse(WORLD).unwrap();
    let scratch = r"C:\Users\ann\.wsguard\scratch\s1";
    for (command, want) in [
        (r"md C:\out", Some(format!(r"md {scratch}\out"))),
        (r"md %OUT%", None),
        (r"md ..\x", None),
        (r"for %i in (a) do md C:\%i", None),
        (r"(md C:\out", None),
    ] {
        let Verdict::Deny { reason } = world.explain(command, Dialect::Cmd, None).unwrap().judgement.verdict else {
            panic!("{command} is allowed");
        };
        match want {
            Some(want) => assert!(reason.contains(&want), "{command}: {reason}"),
            None => assert!(!reason.contains(&format!(r"{scratch}\")), "{command}: {reason}"),
        }
    }
}

/// What another shell hands to cmd.exe is judged as such.
#[test]
fn from_other_shells() {
    let world = Described::parse(WORLD).unwrap();
    for (dialect, command, denied) in [
        (Dialect::Bash, r#"cmd /c "md C:\out""#, true),
        (Dialect::Bash, r"cmd //c md 'C:\out'", true),
        (Dialect::Bash, r#"cmd.exe /d /s /c "echo a & md C:\out""#, true),
        (Dialect::Bash, r"cmd.exe /v:on /c 'set X=C:\out& md !X!'", true),
        (Dialect::Bash, r"cmd //c md 'C:\my out'", true),
        (Dialect::Bash, r"X='C:\out' cmd /c 'md %X%'", true),
        (Dialect::Bash, r#"cmd /c "md build\x""#, false),
        (Dialect::Bash, r"cmd //c 'dir C:\'", false),
        (Dialect::Bash, r#"cmd //c "echo mkdir C:\out""#, false),
        (Dialect::PowerShell, r#"cmd /c "md C:\out""#, true),
        (Dialect::PowerShell, r"cmd /c md build\x", false),
        (Dialect::Cmd, r#"powershell -Command "New-Item -ItemType Directory C:\out""#, true),
        (Dialect::Cmd, r#"powershell -NoProfile -Command "Get-ChildItem C:\data""#, false),
        (Dialect::Cmd, r#"bash -c "echo x > /tmp/x""#, false),
    ] {
        let explanation = world.explain(command, dialect, None).unwrap();
        let is_denied = explanation.judgement.verdict != Verdict::Allow;
        assert_eq!(is_denied, denied, "{dialect:?} {command}: {explanation:?}");
    }
}
