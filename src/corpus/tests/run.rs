//! The runner, with implementations that pass and that do not.

use std::fs;
use std::path::PathBuf;

use super::super::{Attempt, NotTried, Runner, Scenario, Subject, Verdict, sweep};
use crate::path::guard::PathGuard;

const MARKER: &str = "workspace-guard-escape-marker-0123456789abcdef0123456789abcdef";

/// Asks the guard and never writes.
struct Guarded;

impl Subject for Guarded {
    fn write(&mut self, path: &[u8], _: &[u8]) -> Attempt {
        match PathGuard::default().judge(path) {
            Ok(_) => Attempt::Accepted,
            Err(refusal) => Attempt::Refused(refusal.code().to_owned()),
        }
    }
}

/// Asks the guard, but forgets it for one path, which it joins to its root.
struct Careless {
    root: PathBuf,
}

impl Subject for Careless {
    fn write(&mut self, path: &[u8], content: &[u8]) -> Attempt {
        match path {
            b"../outside.txt" => match fs::write(self.root.join("../outside.txt"), content) {
                Ok(()) => Attempt::Accepted,
                Err(error) => Attempt::Failed(error.to_string()),
            },
            b"..." => Attempt::Refused("path_is_empty".to_owned()),
            b"/" => Attempt::Failed("is a folder".to_owned()),
            _ => Guarded.write(path, content),
        }
    }
}

fn root() -> (tempfile::TempDir, PathBuf) {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("around/workspace");
    fs::create_dir_all(&root).unwrap();
    (outer, root)
}

#[test]
fn the_guard_passes() {
    let (_outer, root) = root();
    let report = Runner::new(MARKER).run(&mut Guarded);
    assert!(!report.passed, "no pass without a sweep");
    let report = report.swept(sweep(&root, MARKER.as_bytes(), 1, 100).unwrap());
    assert!(report.passed, "{report}");
    assert!(report.to_string().ends_with("\npassed"), "{report}");
}

#[test]
fn what_gets_through_is_named() {
    let (_outer, root) = root();
    let report = Runner::new(MARKER).run(&mut Careless { root: root.clone() });
    let report = report.swept(sweep(&root, MARKER.as_bytes(), 1, 100).unwrap());
    assert!(!report.passed);
    let failures: Vec<_> = report.failures.iter().map(|failure| (failure.path, failure.verdict)).collect();
    let want = [("../outside.txt", Verdict::Accepted), ("...", Verdict::WrongCode), ("/", Verdict::Errored)];
    assert_eq!(failures, want);
    let strays = &report.sweep.as_ref().unwrap().strays;
    assert_eq!(strays.len(), 1);
    assert!(strays[0].ends_with("around/outside.txt"), "{strays:?}");
    let text = report.to_string();
    assert!(text.contains("WRITTEN") && text.contains("STRAY") && text.ends_with("NOT passed"), "{text}");
}

#[test]
fn a_sweep_that_is_cut_short_is_no_pass() {
    let (_outer, root) = root();
    for n in 0..5 {
        fs::write(root.join(format!("{n}")), "x").unwrap();
    }
    let marker = MARKER.as_bytes();
    assert!(sweep(&root, marker, 1, 5).unwrap().complete);
    let cut = sweep(&root, marker, 1, 4).unwrap();
    assert!(!cut.complete && cut.files == 4 && cut.gaps.len() == 1, "{cut:?}");
    let report = Runner::new(MARKER).run(&mut Guarded).swept(cut);
    assert!(report.failures.is_empty() && !report.passed, "{report}");
    assert_eq!(sweep(&root.join("gone"), marker, 1, 4).unwrap_err().code(), "sweep_root");
}

#[test]
fn only_the_marker_is_a_stray() {
    let (_outer, root) = root();
    let same_size = "x".repeat(MARKER.len());
    fs::write(root.join("same-size"), same_size).unwrap();
    fs::write(root.parent().unwrap().join("longer"), format!("{MARKER}\n")).unwrap();
    let found = sweep(&root, MARKER.as_bytes(), 2, 100).unwrap();
    assert!(found.strays.is_empty() && found.files == 2, "{found:?}");
    fs::write(root.join("in"), MARKER).unwrap();
    fs::write(root.parent().unwrap().parent().unwrap().join("out"), MARKER).unwrap();
    let found = sweep(&root, MARKER.as_bytes(), 2, 100).unwrap();
    assert_eq!(found.strays.len(), 2, "{found:?}");
}

/// Whoever works there at the same time, other runs too, makes no gap and blocks nothing.
#[cfg(unix)]
#[test]
fn a_sweep_takes_what_comes_and_goes() {
    use std::sync::atomic::{AtomicBool, Ordering};

    let (outer, root) = root();
    let pipe = outer.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let over = AtomicBool::new(false);
    let around = root.parent().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let name = around.join("of-the-marker's-size");
            while !over.load(Ordering::Acquire) {
                fs::create_dir_all(around.join("a/b/c/d")).unwrap();
                fs::write(&name, MARKER.replace('e', "E")).unwrap();
                fs::remove_dir_all(around.join("a")).unwrap();
                fs::rename(&pipe, &name).unwrap();
                fs::rename(&name, &pipe).unwrap();
            }
        });
        let swept: Vec<_> = (0..2_000).map(|_| sweep(&root, MARKER.as_bytes(), 1, 100).unwrap()).collect();
        over.store(true, Ordering::Release);
        let gaps: Vec<_> = swept.iter().filter(|swept| !swept.complete || !swept.strays.is_empty()).collect();
        assert!(gaps.is_empty(), "{gaps:?}");
    });
}

#[test]
fn a_scenario_that_did_not_hold_is_no_pass() {
    let (_outer, root) = root();
    let run = |passed, got: &str| {
        let tried = Scenario { hazard: "links", name: "read a link".to_owned(), passed, got: got.to_owned() };
        let not = NotTried { hazard: "mounts", reason: "no rights".to_owned() };
        let report = Runner::new(MARKER).run(&mut Guarded).tried(vec![tried], vec![not]);
        report.swept(sweep(&root, MARKER.as_bytes(), 1, 100).unwrap())
    };
    let (held, not) = (run(true, ""), run(false, "done"));
    assert!(held.passed && held.to_string().contains("not tried: mounts: no rights"), "{held}");
    assert!(!not.passed && not.to_string().contains("GOT THROUGH read a link: done"), "{not}");
}
