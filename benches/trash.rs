//! `wsguard recycle` and `trash restore` of a folder of a million files beside those of one file, and beside `mv` of the same
//! folders on the same volume: `cargo bench --bench trash`.
//!
//! All take turns, so that the load of the machine meets them alike. `-- --files N` sets the number of files, `-- --runs N` the
//! rounds; `-- --check` ends with code 1 when a million files take more than the limit's times what one file takes. `mv` itself
//! takes a rename and no more; an act of ours also starts a larger program and has the disk hold intent, manifest and outcome,
//! which costs the same for any size and is what the plain ratio to `mv` shows.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a program for the terminal")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// A folder of many files may take as many times what a folder with one takes.
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

/// A folder with its HOME, and the times of `mv` there and back, of recycle and of restore.
struct Side {
    dir: tempfile::TempDir,
    times: [Vec<Duration>; 4],
}

impl Side {
    fn new(files: usize) -> Self {
        let folder = if cfg!(unix) { "/var/tmp".into() } else { std::env::temp_dir() };
        let dir = tempfile::Builder::new().prefix("wsg-").tempdir_in(folder).unwrap();
        let (home, tree) = (dir.path().join("home/workspace-mgr"), dir.path().join("tree"));
        make_tree(&tree, files);
        fs::create_dir_all(&home).unwrap();
        let line = |kind: &str| {
            let line = json!({"v": 2, "time": "2026-01-01T00:00:00.000Z", "kind": kind, "session": "s", "state": "confirmed",
                "path": tree, "entryKind": "dir", "signature": signature(&tree)});
            format!("{line}\n")
        };
        fs::write(home.join("journal.jsonl"), line("appeared") + &line("mark")).unwrap();
        Self { dir, times: [const { Vec::new() }; 4] }
    }

    fn wsguard(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wsguard"));
        let dir = self.dir.path();
        command.env_clear().env("WSGUARD_HOME", dir.join("home")).env("HOME", dir.join("user")).env("USER", "you");
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).current_dir(dir.parent().unwrap()).args(args);
        command
    }

    fn round(&mut self) {
        let (tree, away) = (self.dir.path().join("tree"), self.dir.path().join("away"));
        let mv = |from: &Path, to: &Path| {
            let mut command = Command::new("mv");
            command.arg(from).arg(to);
            command
        };
        time(&mut self.times[0], mv(&tree, &away));
        time(&mut self.times[1], mv(&away, &tree));
        let recycle = self.wsguard(&["recycle", tree.to_str().unwrap(), "--confirm", "--json"]);
        let done: Value = serde_json::from_str(&time(&mut self.times[2], recycle)).unwrap();
        assert!(!tree.exists());
        let restore = self.wsguard(&["trash", "restore", done["entries"][0]["id"].as_str().unwrap()]);
        time(&mut self.times[3], restore);
        // A fast wrong answer is worth nothing.
        assert!(tree.join("a0/b0/file-0.txt").exists());
    }
}

/// What was written before is on the disk: else the first to sync pays for it.
fn settle() {
    if cfg!(unix) {
        assert!(Command::new("sync").status().unwrap().success());
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let has = |name: &str| args.iter().any(|a| a == name);
    let number = |name: &str| args.iter().position(|a| a == name).map(|i| args[i + 1].parse::<usize>().unwrap());
    let files = number("--files").unwrap_or(FILES);
    let rounds = number("--runs").unwrap_or(ROUNDS);
    let (mut one, mut many) = (Side::new(1), Side::new(files));
    settle();
    for _ in 0..rounds {
        one.round();
        many.round();
    }
    println!("{rounds} rounds in turn; milliseconds, whole process, median");
    println!("{:<10} {:>10} {:>16} {:>8} {:>12}", "", "one file", format!("{files} files"), "ratio", "beside mv");
    let (one_ms, many_ms) = (one.times.each_mut().map(|t| median(t)), many.times.each_mut().map(|t| median(t)));
    let mut failed = false;
    for (n, name) in ["mv there", "mv back", "recycle", "restore"].iter().enumerate() {
        let ratio = many_ms[n] / one_ms[n];
        println!(
            "{name:<10} {:>10.2} {:>16.2} {ratio:>8.3} {:>12.2}",
            one_ms[n],
            many_ms[n],
            many_ms[n] / many_ms[n % 2]
        );
        failed |= n >= 2 && ratio > LIMIT;
    }
    println!("limit of the ratio: {LIMIT}");
    drop((one, many));
    if has("--check") && failed {
        println!("FAILED: above {LIMIT}");
        std::process::exit(1);
    }
}
