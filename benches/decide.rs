//! Time of one decision in process: `cargo bench --bench decide`.
//!
//! First the median over everyday commands: those of `benches/commands.jsonl`, or of the file that `-- --commands FILE`
//! names (a JSON object with `command` and, where it matters, `cwd` a line). Then hostile commands of growing length:
//! time has to grow no faster than they do, and none may take long. `-- --check` ends with code 1 when something is above
//! its limit; `-- --only NAME` looks at the hostile kinds whose name holds the word.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a program for the terminal")]

#[path = "../src/busy.rs"]
mod busy;
#[path = "../tests/it/hostile.rs"]
mod hostile;

use std::{
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

use busy::Busy;
use serde::Deserialize;
use workspace_guard::{
    config::Policy,
    gate::{Inputs, Place, Tool, ToolCall, judge},
    path::Model,
    shell::Dialect,
    world::FakeWorld,
};

/// For half of the everyday commands.
const MEDIAN: Duration = Duration::from_micros(60);
/// For any command.
const LONGEST: Duration = Duration::from_millis(50);
/// Sizes of the hostile commands, in bytes. The last but one is the longest that is judged.
const SIZES: [usize; 7] = [1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 512 << 10, 1 << 20];
/// How much longer a command of four times the length may take. It outgrows caches, so up to six and a half times were
/// seen where the instructions grew fourfold; with the square of the length it would be sixteen.
const GROWTH: f64 = 8.0;
/// Below this the growth says nothing.
const SHORT: Duration = Duration::from_millis(1);
/// How often a kind is measured that seems to take too long, since machines have slow moments.
const TRIES: usize = 4;

#[derive(Deserialize)]
struct Line {
    command: String,
    cwd: Option<String>,
}

struct Machine {
    world: FakeWorld,
    place: Place,
    policy: Policy,
}

impl Machine {
    fn new() -> Self {
        let world = FakeWorld::new(Model::Posix)
            .with_home("/home/dev")
            .dir("/home/dev/project/src")
            .dir("/home/dev/project/tests")
            .dir("/home/dev/project/.git")
            .file("/home/dev/project/README.md", "# Project\n")
            .file("/home/dev/project/package.json", "{}")
            .dir("/home/dev/other")
            .dir("/srv/data")
            .dir("/usr/bin")
            .dir("/etc")
            .dir("/opt")
            .dir("/tmp")
            .var("PATH", "/usr/local/bin:/usr/bin:/bin")
            .var("USER", "dev");
        let place = Place {
            home: "/home/dev/.wsguard".into(),
            project: Some("/home/dev/project".into()),
            scratch: "/home/dev/.wsguard/scratch/s".into(),
            temp: "/home/dev/.wsguard/cache/tmp".into(),
            system_temp: vec!["/tmp".into()],
            harness_state: vec!["/home/dev/.claude".into()],
            fenced: vec!["/home/dev/.claude/settings.json".into()],
        };
        Self { world, place, policy: Policy::for_model(Model::Posix) }
    }

    fn decide(&self, call: &ToolCall) {
        let granted = |_: &str| false;
        let inputs = Inputs { call, world: &self.world, policy: &self.policy, place: &self.place, granted: &granted };
        black_box(judge(black_box(&inputs)));
    }
}

fn call(command: String, cwd: Option<String>) -> ToolCall {
    ToolCall {
        writes: Vec::new(),
        harness: "bench",
        session: "bench".to_owned(),
        call: None,
        cwd: cwd.unwrap_or_else(|| "/home/dev/project".to_owned()),
        tool: Tool::Shell { dialect: Dialect::Bash, command, workdir: None },
    }
}

/// The shortest of at least three decisions, and of as many as 40 ms hold; the processor's time counts.
fn shortest(machine: &Machine, call: &ToolCall) -> Duration {
    let all = Busy::start();
    let (mut least, mut runs) = (Duration::MAX, 0);
    while runs < 3 || all.elapsed() < Duration::from_millis(40) {
        let one = Busy::start();
        machine.decide(call);
        least = least.min(one.elapsed());
        runs += 1;
    }
    least
}

/// The shortest of a few decisions.
fn best(machine: &Machine, call: &ToolCall) -> Duration {
    let once = || {
        let start = Instant::now();
        machine.decide(call);
        start.elapsed()
    };
    (0..9).map(|_| once()).min().unwrap_or_default()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Says how long everyday commands take; whether that is too long.
fn everyday(machine: &Machine, file: Option<&str>) -> bool {
    let text = file.map(|file| fs::read_to_string(file).unwrap());
    let lines = text.as_deref().unwrap_or(include_str!("commands.jsonl"));
    let mut times: Vec<(Duration, String)> = Vec::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let line: Line = serde_json::from_str(line).unwrap();
        let call = call(line.command.clone(), line.cwd);
        times.push((best(machine, &call), line.command));
    }
    times.sort();
    let at = |percent: usize| micros(times[(times.len() - 1) * percent / 100].0);
    println!("{} everyday commands; microseconds for one decision", times.len());
    println!("median {:.1}, 90 % {:.1}, 99 % {:.1}, longest {:.1}", at(50), at(90), at(99), at(100));
    for (time, command) in times.iter().rev().take(3) {
        println!("  {:>9.1}  {}", micros(*time), command.chars().take(90).collect::<String>().escape_debug());
    }
    let slow = times[times.len() / 2].0 > MEDIAN;
    if slow {
        println!("FAILED: the median is above {} us", MEDIAN.as_micros());
    }
    slow
}

/// How much longer a command of four times the length took at most.
fn growth(times: &[Duration; SIZES.len()]) -> f64 {
    let mut most = 0.0_f64;
    for (pair, sizes) in times.windows(2).zip(SIZES.windows(2)) {
        if pair[1] > SHORT {
            // Twice the length between the last ones that are judged.
            let step = if sizes[1] == 4 * sizes[0] { 1.0 } else { 2.0 };
            most = most.max(step * pair[1].as_secs_f64() / pair[0].max(Duration::from_nanos(1)).as_secs_f64());
        }
    }
    most
}

fn is_bad(times: &[Duration; SIZES.len()]) -> bool {
    growth(times) > GROWTH || times.iter().any(|time| *time > LONGEST)
}

/// Says how long hostile commands take; how many of them take too long.
fn hostile(machine: &Machine, only: &str) -> usize {
    println!("\nhostile commands; milliseconds for one decision");
    print!("{:<36}", "");
    for size in SIZES {
        print!("{:>8}K", size >> 10);
    }
    println!("  growth");
    let mut failed = 0;
    for kind in hostile::KINDS.iter().filter(|kind| kind.name.contains(only)) {
        let mut times = [Duration::MAX; SIZES.len()];
        for _ in 0..TRIES {
            for (time, size) in times.iter_mut().zip(SIZES) {
                *time = shortest(machine, &call(kind.command(size), None)).min(*time);
            }
            if !is_bad(&times) {
                break;
            }
        }
        print!("{:<36}", kind.name);
        for time in times {
            print!("{:>9.3}", micros(time) / 1e3);
        }
        let bad = is_bad(&times);
        println!("{:>8.1}{}", growth(&times), if bad { "  FAILED" } else { "" });
        failed += usize::from(bad);
    }
    failed
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).map(|at| args[at + 1].as_str());
    let machine = Machine::new();
    let slow = everyday(&machine, value("--commands"));
    let failed = hostile(&machine, value("--only").unwrap_or_default());
    if failed > 0 {
        println!("FAILED: {failed} kinds take more than {} ms or grow faster than their length", LONGEST.as_millis());
    }
    if args.iter().any(|arg| arg == "--check") && (slow || failed > 0) {
        std::process::exit(1);
    }
}
