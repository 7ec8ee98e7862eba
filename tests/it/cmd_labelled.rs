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
