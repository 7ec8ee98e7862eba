//! `wsguard scan` beside `du -s` over the same tree, with a warm cache: `cargo bench --bench scan`.
//!
//! The two take turns, so that the load of the machine meets both alike. `-- --files N` sets the number of files (a million:
//! `-- --million`), `-- --runs N` the rounds; `-- --check` ends with code 1 when the ratio of medians is above the limit.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a program for the terminal")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// A scan may take as much of the time of `du`.
const LIMIT: f64 = 0.6;
const FILES: usize = 100_000;
const MILLION: usize = 1_000_000;
const ROUNDS: usize = 7;
/// Files of one folder, and folders of one folder.
const WIDTH: usize = 40;

fn make_tree(root: &Path, files: usize) {
    let folders = files.div_ceil(WIDTH);
    for folder in 0..folders {
        let path = root.join(format!("a{}/b{}/c{}", folder / WIDTH / WIDTH, folder / WIDTH % WIDTH, folder % WIDTH));
        fs::create_dir_all(&path).unwrap();
        for file in (folder * WIDTH)..((folder + 1) * WIDTH).min(files) {
            fs::write(path.join(format!("file-{file}.txt")), [b'x'; 100]).unwrap();
        }
    }
}

struct Side {
    name: &'static str,
    times: Vec<Duration>,
}

impl Side {
    fn time(&mut self, mut command: Command) -> String {
        command.stdin(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        let out = command.output().unwrap();
        self.times.push(start.elapsed());
        assert!(out.status.success(), "{}: {out:?}", self.name);
        String::from_utf8(out.stdout).unwrap()
    }

    fn median(&mut self) -> f64 {
        self.times.sort_unstable();
        self.times[self.times.len() / 2].as_secs_f64() * 1e3
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let has = |name: &str| args.iter().any(|a| a == name);
    let number = |name: &str| args.iter().position(|a| a == name).map(|i| args[i + 1].parse::<usize>().unwrap());
    let files = number("--files").unwrap_or(if has("--million") { MILLION } else { FILES });
    let rounds = number("--runs").unwrap_or(ROUNDS);

    let folder = if cfg!(unix) { "/var/tmp".into() } else { std::env::temp_dir() };
    let dir = tempfile::Builder::new().prefix("wsg-").tempdir_in(folder).unwrap();
    let (home, tree) = (dir.path().join("home"), dir.path().join("tree"));
    make_tree(&tree, files);
    fs::create_dir_all(home.join("workspace-mgr")).unwrap();
    let line = json!({"v": 2, "time": "2026-01-01T00:00:00.000Z", "kind": "appeared", "session": "s", "path": tree,
        "entryKind": "dir", "signature": "d:1"});
    fs::write(home.join("workspace-mgr/journal.jsonl"), format!("{line}\n")).unwrap();

    let wsguard = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wsguard"));
        command.env_clear().env("WSGUARD_HOME", &home).env("WSGUARD_OBSERVE", "false").env("HOME", dir.path());
        command.arg("scan").arg(&tree).args(["--json"]).args(options);
        command
    };
    let du = || {
        let mut command = Command::new("du");
        command.args(["-s", "-B1"]).arg(&tree);
        command
    };
    let side = |name| Side { name, times: Vec::new() };
    let [mut theirs, mut ours, mut again] = ["du -s", "scan --full", "scan"].map(side);
    for _ in 0..rounds {
        let blocks = theirs.time(du());
        let seen: Value = serde_json::from_str(&ours.time(wsguard(&["--full"]))).unwrap();
        again.time(wsguard(&[]));
        // A fast wrong answer is worth nothing.
        let total = &seen["scan"]["total"];
        let blocks: u64 = blocks.split_whitespace().next().unwrap().parse().unwrap();
        assert_eq!((total["allocated"].as_u64(), total["files"].as_u64()), (Some(blocks), Some(files as u64)));
    }
    let base = theirs.median();
    println!("{files} files, {rounds} rounds in turn; milliseconds, whole process, median");
    let ratio = ours.median() / base;
    for side in [&mut theirs, &mut ours, &mut again] {
        let median = side.median();
        println!("{:<12} {median:>9.1} {:>7.3}", side.name, median / base);
    }
    println!("limit of the ratio: {LIMIT}");
    if has("--check") && ratio > LIMIT {
        println!("FAILED: {ratio:.3} is above {LIMIT}");
        // An exit drops nothing: a tree of a million files would stay.
        drop(dir);
        std::process::exit(1);
    }
}
