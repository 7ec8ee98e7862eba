//! Whole-process time of the hook beside a program that does nothing: `cargo bench --bench process`.
//!
//! One loop starts the empty program, an allowed call and a refused call in turn, so that the load of the machine
//! meets all three alike. `-- --check` ends with code 1 when a ratio of medians is above the limit;
//! `-- --runs N` sets the rounds.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a program for the terminal")]

#[path = "../tests/it/release.rs"]
mod release;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::json;

/// Neither a refusal nor a pass may take longer than this, in times of the empty program.
const LIMIT: f64 = 1.35;
/// Rounds unless the command line says otherwise.
const ROUNDS: usize = 1000;

struct Case {
    name: &'static str,
    program: PathBuf,
    stdin: PathBuf,
    answers: bool,
    times: Vec<Duration>,
}

impl Case {
    fn command(&self, home: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", home);
        command.env("CLAUDE_PROJECT_DIR", home.join("project")).current_dir(home.join("project"));
        command.stdin(fs::File::open(&self.stdin).unwrap()).stderr(Stdio::null());
        command
    }

    /// Runs once and looks at the answer: a fast wrong answer is worth nothing.
    fn check(&self, home: &Path) {
        let out = self.command(home).output().unwrap();
        assert!(out.status.success(), "{}: {out:?}", self.name);
        let denies = String::from_utf8_lossy(&out.stdout).contains("\"permissionDecision\":\"deny\"");
        assert_eq!((denies, out.stdout.is_empty()), (self.answers, !self.answers), "{}: {out:?}", self.name);
    }

    fn time(&mut self, home: &Path) {
        let mut command = self.command(home);
        command.stdout(Stdio::null());
        let start = Instant::now();
        let status = command.status().unwrap();
        self.times.push(start.elapsed());
        assert!(status.success());
    }

    fn quantile(&mut self, part: f64) -> f64 {
        self.times.sort_unstable();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "an index"
        )]
        let index = ((self.times.len() - 1) as f64 * part) as usize;
        self.times[index].as_secs_f64() * 1e6
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let check = args.iter().any(|a| a == "--check");
    let rounds = args.iter().position(|a| a == "--runs").map_or(ROUNDS, |i| args[i + 1].parse().unwrap());

    // As deep as a user's home: each folder on the way to it is looked at, and a target folder may lie deep.
    let folder = if cfg!(unix) { PathBuf::from("/var/tmp") } else { std::env::temp_dir() };
    let home = tempfile::Builder::new().prefix("wsg-").tempdir_in(folder).unwrap();
    let home = home.path();
    fs::create_dir(home.join("project")).unwrap();
    let payload = |name: &str, command: &str| {
        let value = json!({
            "session_id": "0b6de1c5-beca-4b28-baea-e4ce81766f19", "transcript_path": "/none.jsonl",
            "cwd": home.join("project"), "prompt_id": "3761fefc-8856-4057-903b-5b079f909463",
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": command, "description": "bench"}, "tool_use_id": "toolu_bench",
        });
        let path = home.join(name);
        fs::write(&path, format!("{value}\n")).unwrap();
        path
    };
    let allowed = payload("allowed.json", "ls -la");
    let refused = payload("refused.json", "mkdir -p /opt/wsg-bench-new/out && echo hi > /opt/wsg-bench-new/out/a.txt");
    // Copied, as an installed program is: pages that a linker wrote are slower to map than those of a plain copy.
    let copied = |program: PathBuf, name: &str| {
        let copy = home.join(name);
        fs::copy(program, &copy).unwrap();
        copy
    };
    let (hook, empty) = (copied(release::hook(), "hook"), copied(release::empty(), "empty"));
    let case = |name, program: &Path, stdin: &Path, answers| Case {
        name,
        program: program.to_owned(),
        stdin: stdin.to_owned(),
        answers,
        times: Vec::with_capacity(rounds),
    };
    let mut cases = [
        case("empty", &empty, &allowed, false),
        case("allow", &hook, &allowed, false),
        case("deny", &hook, &refused, true),
    ];
    for case in &cases {
        case.check(home);
    }
    for _ in 0..rounds {
        for case in &mut cases {
            case.time(home);
        }
    }

    let base = cases[0].quantile(0.5);
    println!("{rounds} alternating runs of each; microseconds, whole process");
    println!("{:<7} {:>8} {:>8} {:>8} {:>8}", "", "median", "10 %", "90 %", "ratio");
    let mut worst = 0.0_f64;
    for case in &mut cases {
        let (median, low, high) = (case.quantile(0.5), case.quantile(0.1), case.quantile(0.9));
        let ratio = median / base;
        worst = worst.max(ratio);
        println!("{:<7} {median:>8.0} {low:>8.0} {high:>8.0} {ratio:>8.3}", case.name);
    }
    println!("limit of the ratio: {LIMIT}");
    if check && worst > LIMIT {
        println!("FAILED: {worst:.3} is above {LIMIT}");
        std::process::exit(1);
    }
}
