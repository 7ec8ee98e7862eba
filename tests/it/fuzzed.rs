//! The inputs that fuzzing found worth keeping, through the checks of the fuzz targets.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use crate::{in_process, report};

pub(crate) mod judged;
pub(crate) mod stored;

/// A build without optimisation on a busy machine takes some hundred times as long as the shipped one; what still takes
/// longer than this never ends.
const LIMIT: Duration = Duration::from_mins(2);

fn watch(judge: &mut dyn FnMut()) {
    let start = Instant::now();
    judge();
    assert!(start.elapsed() < LIMIT, "took {:?}", start.elapsed());
}

/// Feeds every file of a target's corpus to its check.
fn replay(target: &str, check: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let Ok(entries) = fs::read_dir(&folder) else {
        // The published package has no `fuzz`.
        return report::skipped(&format!("{} is not here; it was not replayed", folder.display()));
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        let data = fs::read(&file).unwrap();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&data)));
        assert!(outcome.is_ok(), "{} fails, see above", file.display());
    }
}

/// Feeds every file, which is text.
fn replay_texts(target: &str, check: impl Fn(&str)) {
    replay(target, |data| check(std::str::from_utf8(data).expect("an input of this target is text")));
}

#[test]
fn bash_parser() {
    replay_texts("bash_parser", |text| judged::bash(text, &watch));
}

#[test]
fn powershell_parser() {
    replay_texts("powershell_parser", |text| judged::powershell(text, &watch));
}

#[test]
fn cmd_parser() {
    replay_texts("cmd_parser", |text| judged::cmd(text, &watch));
}

#[test]
fn inline_script() {
    replay_texts("inline_script", |text| judged::inline(text, &watch));
}

#[test]
fn settings() {
    replay_texts("settings", |text| stored::settings(text, &watch));
}

#[test]
fn hook_stdin() {
    replay("hook_stdin", |data| {
        in_process::drive(data);
    });
}

#[test]
fn path_guard() {
    replay("path_guard", stored::path_guard);
}
