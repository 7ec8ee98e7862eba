//! Commands of our own, each run in a throw-away root: what the disk shows afterwards is held against what the engine
//! said before. No expectation is written by hand; the table holds commands, and for each known disagreement a reason.
//!
//! `WSGUARD_ORACLE_ONLY=TEXT` runs the commands that hold TEXT (or stand in that file) and shows each in full.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

mod compare;
mod jail;
mod machine;
mod snapshot;
mod table;

use std::{
    collections::BTreeMap,
    io::Write as _,
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use compare::{Finding, examine};
use table::Entry;

const TABLE: [(&str, &str); 5] = [
    ("files.txt", include_str!("table/files.txt")),
    ("shell.txt", include_str!("table/shell.txt")),
    ("programs.txt", include_str!("table/programs.txt")),
    ("wrappers.txt", include_str!("table/wrappers.txt")),
    ("scripts.txt", include_str!("table/scripts.txt")),
];

/// To the terminal itself: the test runner keeps what a passing test prints to itself.
fn say(text: &str) {
    // A closed terminal is no reason to fail.
    let _closed = writeln!(std::io::stderr(), "{text}");
}

fn entries() -> Vec<Entry> {
    TABLE.iter().flat_map(|(file, text)| table::parse(file, text)).collect()
}

/// The GNU programs are what the table was written for.
fn is_gnu() -> bool {
    let version = |program: &str| Command::new(program).arg("--version").output();
    ["cp", "bash", "timeout", "tar"]
        .into_iter()
        .all(|p| version(p).is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("GNU")))
}

#[test]
fn what_the_engine_says_is_what_happens() {
    if !is_gnu() {
        return say("SKIPPED: the execution oracle: there are no GNU bash, coreutils and tar here");
    }
    if let Some(passed) = jail::reenter("what_the_engine_says_is_what_happens") {
        return assert!(passed, "see the report above");
    }
    let only = std::env::var("WSGUARD_ORACLE_ONLY").ok();
    let wanted = |e: &Entry| only.as_ref().is_none_or(|text| e.command.contains(text) || e.at.starts_with(text));
    let (mut runnable, mut skipped) = (Vec::new(), BTreeMap::<String, usize>::new());
    for entry in entries().into_iter().filter(wanted) {
        let needs = entry.needs.iter().chain(&entry.shell);
        match needs.filter(|program| !machine::has(program)).max() {
            Some(missing) => *skipped.entry(missing.clone()).or_default() += 1,
            None => runnable.push(entry),
        }
    }
    assert!(only.is_some() || runnable.len() >= 400, "only {} commands could be run", runnable.len());
    let findings = examine_all(&runnable, only.is_some());
    for (program, count) in &skipped {
        say(&format!("SKIPPED: {count} commands of the execution oracle: {program} is not installed"));
    }
    say(&format!("the execution oracle ran {} commands", runnable.len()));
    assert!(findings.is_empty(), "{} of {} commands:\n{}", findings.len(), runnable.len(), shown(&findings));
}

/// Every command, on all processors.
fn examine_all(entries: &[Entry], verbose: bool) -> Vec<Finding> {
    let next = AtomicUsize::new(0);
    let findings = Mutex::new(Vec::new());
    let template = machine::Template::new();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, Into::into) {
            scope.spawn(|| {
                while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = examine(&template, entry, verbose);
                    findings.lock().unwrap().extend(found);
                }
            });
        }
    });
    let mut findings = findings.into_inner().unwrap();
    findings.sort_by(|a, b| a.at.cmp(&b.at));
    findings
}

fn shown(findings: &[Finding]) -> String {
    let lines = findings.iter().map(|f| format!("{}\n  {}\n  {}\n", f.at, f.command, f.what.join("\n  ")));
    lines.collect::<Vec<_>>().concat()
}

/// The table itself: enough commands, none twice.
#[test]
fn the_table_is_large_and_without_repetition() {
    let entries = entries();
    assert!(entries.len() >= 1000, "{}", entries.len());
    let mut seen = BTreeMap::new();
    for entry in &entries {
        let key = (&entry.command, &entry.shell, &entry.cwd, &entry.setup);
        if let Some(first) = seen.insert(key, &entry.at) {
            panic!("{} repeats {first}", entry.at);
        }
    }
}
