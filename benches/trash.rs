//! `wsguard recycle` and `trash restore` beside `mv` of the same folder on the same volume: `cargo bench --bench trash`.
//!
//! They take turns, so that the load of the machine meets all alike. `-- --files N` sets the number of files (a million is the
//! default), `-- --runs N` the rounds; `-- --check` ends with code 1 when the ratio of medians is above the limit, beyond what
//! starting the program and writing the intent durably costs for one file.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a program for the terminal")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// An act may take as much of the time of `mv`, beside what it takes for one file.
const LIMIT: f64 = 1.2;
const FILES: usize = 1_000_000;
const ROUNDS: usize = 11;
/// Files of one folder, and folders of one folder.
const WIDTH: usize = 100;

fn make_tree(root: &Path, files: usize) {
    let folders = files.div_ceil(WIDTH);
    for folder in 0..folders {
        let path = root.join(format!("a{}/b{}", folder / WIDTH, folder % WIDTH));
        fs::create_dir_all(&path).unwrap();
        for file in (folder * WIDTH)..((folder + 1) * WIDTH).min(files) {
            fs::write(path.join(format!("file-{file}.txt")), "x").unwrap();
        }
    }
}

#[cfg(unix)]
fn signature(path: &Path) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let meta = fs::symlink_metadata(path).unwrap();
    format!("d:{:x}:{:x}", meta.dev(), meta.ino())
}

#[cfg(not(unix))]
const fn signature(_path: &Path) -> String {
    String::new()
}

fn time(times: &mut Vec<Duration>, mut command: Command) -> String {
    command.stdin(Stdio::null());
    let start = Instant::now();
    let out = command.output().unwrap();
    times.push(start.elapsed());
    assert!(out.status.success(), "{out:?}");
    String::from_utf8(out.stdout).unwrap()
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// Medians in milliseconds: `mv` there and back, recycle and restore.
fn round_trips(files: usize, rounds: usize) -> [f64; 4] {
    let folder = if cfg!(unix) { "/var/tmp".into() } else { std::env::temp_dir() };
    let dir = tempfile::Builder::new().prefix("wsg-").tempdir_in(folder).unwrap();
    let (home, tree, away) = (dir.path().join("home"), dir.path().join("tree"), dir.path().join("away"));
    make_tree(&tree, files);
    fs::create_dir_all(home.join("workspace-mgr")).unwrap();
    let about = json!({"path": tree, "entryKind": "dir", "signature": signature(&tree)});
    let line = |kind: &str| {
        let mut line =
            json!({"v": 2, "time": "2026-01-01T00:00:00.000Z", "kind": kind, "session": "s", "state": "confirmed"});
        line.as_object_mut().unwrap().extend(about.as_object().unwrap().clone());
        format!("{line}\n")
    };
    fs::write(home.join("workspace-mgr/journal.jsonl"), line("appeared") + &line("mark")).unwrap();
    let wsguard = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wsguard"));
        command.env_clear().env("WSGUARD_HOME", &home).env("HOME", dir.path().join("user")).env("USER", "you");
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).current_dir(dir.path().parent().unwrap());
        command.args(args);
        command
    };
    let mv = |from: &Path, to: &Path| {
        let mut command = Command::new("mv");
        command.arg(from).arg(to);
        command
    };
    let shown = tree.to_str().unwrap();
    let [mut there, mut back, mut recycle, mut restore] = [const { Vec::new() }; 4];
    for _ in 0..rounds {
        time(&mut there, mv(&tree, &away));
        time(&mut back, mv(&away, &tree));
        let done: Value =
            serde_json::from_str(&time(&mut recycle, wsguard(&["recycle", shown, "--confirm", "--json"]))).unwrap();
        assert!(!tree.exists());
        time(&mut restore, wsguard(&["trash", "restore", done["entries"][0]["id"].as_str().unwrap()]));
        // A fast wrong answer is worth nothing.
        assert!(tree.join("a0/b0/file-0.txt").exists());
    }
    [&mut there, &mut back, &mut recycle, &mut restore].map(|times| median(times))
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let has = |name: &str| args.iter().any(|a| a == name);
    let number = |name: &str| args.iter().position(|a| a == name).map(|i| args[i + 1].parse::<usize>().unwrap());
    let files = number("--files").unwrap_or(FILES);
    let rounds = number("--runs").unwrap_or(ROUNDS);
    let one = round_trips(1, rounds);
    let many = round_trips(files, rounds);
    println!("{rounds} rounds in turn; milliseconds, whole process, median");
    println!("{:<12} {:>12} {:>18}", "", "one file", format!("{files} files"));
    let names = ["mv there", "mv back", "recycle", "restore"];
    for ((name, one), many) in names.iter().zip(one).zip(many) {
        println!("{name:<12} {one:>12.2} {many:>18.2}");
    }
    let mut failed = false;
    for (n, beside) in [(2, 0), (3, 1)] {
        // What starting and writing down costs is the same for any size.
        let ratio = (many[n] - one[n] + one[beside]) / many[beside];
        println!("{} / {}: {ratio:.3} (without what it costs for one file: limit {LIMIT})", names[n], names[beside]);
        failed |= ratio > LIMIT;
    }
    if has("--check") && failed {
        println!("FAILED: above {LIMIT}");
        std::process::exit(1);
    }
}
