//! Labelled PowerShell commands, judged in described machines.

use std::{collections::BTreeSet, fs, path::Path};

use workspace_guard::{
    gate::{Standing, Verdict},
    hook::Described,
    shell::{Dialect, Target},
};

/// What a command would create against the rules, in the words of the tables.
fn refused(machine: &Described, command: &str) -> (bool, BTreeSet<String>) {
    let judgement = machine.explain(command, Dialect::PowerShell, None).unwrap().judgement;
    let mut paths = BTreeSet::new();
    for judged in &judgement.effects {
        if !matches!(judged.standing, Standing::Violation(_)) {
            continue;
        }
        paths.insert(match &judged.effect.target {
            Target::Path(path) => path.clone(),
            Target::Inside(folder) => {
                let separator = if folder.starts_with('/') { '/' } else { '\\' };
                format!("{}{separator}*", folder.trim_end_matches(separator))
            }
            Target::Opaque => "?".to_owned(),
        });
    }
    paths.extend(judgement.gaps.iter().map(|_| "!".to_owned()));
    (judgement.verdict == Verdict::Allow, paths)
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/powershell")
}

fn machine(name: &str) -> Described {
    Described::parse(&fs::read_to_string(folder().join(format!("{name}.json"))).unwrap()).unwrap()
}

/// Judges every row of a table; what is wrong.
fn check(name: &str) -> (usize, Vec<String>) {
    let machine = machine(name);
    let table = fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
    let rows: Vec<&str> = table.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let mut wrong = Vec::new();
    for row in &rows {
        let (label, command) = row.split_once(" | ").expect(row);
        let command = command.replace('⏎', "\n");
        let (allowed, paths) = refused(&machine, &command);
        let right = match label.strip_prefix("deny ") {
            Some(want) => !allowed && paths == want.split(", ").map(str::to_owned).collect(),
            None => label == "allow" && allowed,
        };
        if !right {
            wrong.push(format!("{row}\n    {} {paths:?}", if allowed { "allowed" } else { "denied" }));
        }
    }
    (rows.len(), wrong)
}

#[test]
fn labelled_commands_are_judged_as_labelled() {
    let (on_windows, mut wrong) = check("windows");
    let (on_linux, more) = check("posix");
    wrong.extend(more);
    assert!(on_windows + on_linux >= 300);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), on_windows + on_linux, wrong.join("\n"));
}
