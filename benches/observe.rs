//! What observation costs, whole processes beside ones that do nothing: `cargo bench --bench observe`.
//!
//! Each round starts the programs that are compared in turn, so that the load of the machine meets them alike. Rounds begin
//! when the clock's grain has passed since the last change: as soon as that no agent calls again.
//! `-- --check` ends with code 1 when a ratio of medians is above its limit; `-- --runs N` sets the rounds.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a program for the terminal")]

#[path = "../tests/it/release.rs"]
mod release;

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::json;

/// Rounds unless the command line says otherwise.
const ROUNDS: usize = 300;
/// Scan roots, as many as the built-in list has on a usual machine.
const ROOTS: usize = 10;
/// Entries of each.
const ENTRIES: usize = 100;
/// Entries of the large folder.
const MANY: usize = 100_000;
/// Lines of the long journal.
const LINES: usize = 100_000;
/// Longer than the time of a folder may lag behind the clock.
const SETTLED: Duration = Duration::from_millis(30);

/// A home with its scan roots.
struct Machine {
    dir: PathBuf,
    hook: PathBuf,
    roots: Vec<PathBuf>,
    calls: usize,
}

impl Machine {
    fn new(dir: PathBuf, hook: &Path, roots: usize, entries: usize) -> Self {
        fs::create_dir_all(dir.join("project")).unwrap();
        fs::create_dir_all(dir.join(".wsguard/workspace-mgr")).unwrap();
        let roots: Vec<_> = (0..roots).map(|n| dir.join(format!("root-{n}"))).collect();
        for root in &roots {
            fs::create_dir(root).unwrap();
            (0..entries).for_each(|n| drop(fs::File::create(root.join(format!("entry-{n}"))).unwrap()));
        }
        let list: Vec<_> = roots.iter().map(|root| format!("'{}'", root.display())).collect();
        let settings = format!("observe = true\nscan_roots = [{}]\n", list.join(", "));
        fs::write(dir.join(".wsguard/config.toml"), settings).unwrap();
        let mut this = Self { dir, hook: hook.to_owned(), roots, calls: 0 };
        this.pre();
        this.post();
        this
    }

    fn run(&self, program: &Path, event: &str) -> Duration {
        self.run_command(program, event, "ls -la")
    }

    fn run_command(&self, program: &Path, event: &str, text: &str) -> Duration {
        let value = json!({
            "session_id": "0b6de1c5-beca-4b28-baea-e4ce81766f19", "transcript_path": "/none.jsonl",
            "cwd": self.dir.join("project"), "prompt_id": "3761fefc-8856-4057-903b-5b079f909463",
            "permission_mode": "default", "hook_event_name": event, "tool_name": "Bash",
            "tool_input": {"command": text, "description": "bench"}, "tool_use_id": format!("toolu_{}", self.calls),
        });
        let path = self.dir.join("payload.json");
        fs::write(&path, format!("{value}\n")).unwrap();
        let mut command = Command::new(program);
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", &self.dir);
        command.env("CLAUDE_PROJECT_DIR", self.dir.join("project")).current_dir(self.dir.join("project"));
        command.stdin(fs::File::open(&path).unwrap()).stdout(Stdio::null()).stderr(Stdio::null());
        time(command)
    }

    fn pre(&mut self) -> Duration {
        self.calls += 1;
        self.run(&self.hook, "PreToolUse")
    }

    fn post(&self) -> Duration {
        self.run(&self.hook, "PostToolUse")
    }

    /// A call that is refused.
    fn denied(&mut self) -> Duration {
        self.calls += 1;
        self.run_command(
            &self.hook,
            "PreToolUse",
            "mkdir -p /opt/wsg-bench-new/out && echo hi > /opt/wsg-bench-new/out/a.txt",
        )
    }

    /// What [`Machine::make`] makes next.
    fn made(&self) -> PathBuf {
        self.roots[0].join(format!("made-{}", self.calls))
    }

    /// Makes something in the first root.
    fn make(&self) {
        drop(fs::File::create(self.made()).unwrap());
    }

    /// A call while nothing changes, so long after the last change that the folders' times tell.
    fn settle(&mut self) {
        std::thread::sleep(SETTLED);
        self.pre();
        self.post();
    }

    fn journal(&self) -> PathBuf {
        self.dir.join(".wsguard/workspace-mgr/journal.jsonl")
    }

    /// Lines that the journal gained for what [`Machine::make`] made.
    fn appeared(&self) -> usize {
        fs::read_to_string(self.journal()).unwrap().matches("\"appeared\"").count()
    }
}

fn time(mut command: Command) -> Duration {
    let start = Instant::now();
    let status = command.status().unwrap();
    let took = start.elapsed();
    assert!(status.success(), "{command:?}");
    took
}

/// The median in microseconds.
fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}

/// Prints one comparison; whether it keeps its limit.
fn report(what: &str, mut times: Vec<Duration>, against: &str, mut base: Vec<Duration>, limit: f64) -> bool {
    let (time, base) = (median(&mut times), median(&mut base));
    let ratio = time / base;
    println!("{what:<46} {time:>8.0}   {against:<18} {base:>8.0}   ratio {ratio:>6.3}   limit {limit}");
    ratio <= limit
}

fn small(dir: &Path, hook: &Path, empty: &Path, rounds: usize) -> bool {
    let mut machine = Machine::new(dir.join("small"), hook, ROOTS, ENTRIES);
    let mut times: [Vec<Duration>; 6] = std::array::from_fn(|_| Vec::new());
    for _ in 0..rounds {
        machine.settle();
        let empty = machine.run(empty, "PreToolUse");
        let pre = machine.pre();
        let post = machine.post();
        let denied = machine.denied();
        machine.pre();
        let made = machine.made();
        machine.make();
        let changed = machine.post();
        let after = machine.pre();
        for (list, time) in times.iter_mut().zip([empty, pre, post, denied, changed, after]) {
            list.push(time);
        }
        // As many entries in each round.
        fs::remove_file(made).unwrap();
        machine.post();
    }
    assert_eq!(machine.appeared(), rounds, "each entry has its line");
    let [empty, pre, post, denied, changed, after] = times;
    let kept = [
        report("before a call, 10 roots with 100 entries", pre, "empty program", empty.clone(), 1.35),
        report("before one that is refused", denied, "empty program", empty.clone(), 1.35),
        report("after a call, nothing new", post, "empty program", empty.clone(), 1.6),
        report("after a call, a new entry", changed, "empty program", empty.clone(), 1.6),
        report("before the next, at once", after, "empty program", empty, 1.6),
    ];
    kept.iter().all(|kept| *kept)
}

fn large(dir: &Path, hook: &Path, rounds: usize) -> bool {
    let mut machine = Machine::new(dir.join("large"), hook, 1, MANY);
    let (mut listed, mut after) = (Vec::new(), Vec::new());
    for _ in 0..rounds.div_ceil(10) {
        machine.pre();
        machine.make();
        after.push(machine.post());
        let mut ls = Command::new("ls");
        ls.arg("-U").arg(&machine.roots[0]).stdout(Stdio::null());
        listed.push(time(ls));
    }
    assert_eq!(machine.appeared(), after.len(), "each entry has its line");
    report("after a call, 100,000 entries and a new one", after, "ls -U", listed, 2.0)
}

fn journals(dir: &Path, hook: &Path, rounds: usize) -> bool {
    let mut short = Machine::new(dir.join("short"), hook, ROOTS, ENTRIES);
    let mut long = Machine::new(dir.join("long"), hook, ROOTS, ENTRIES);
    let line = fs::read_to_string(long.journal()).unwrap().lines().next().unwrap().to_owned();
    let mut file = fs::File::options().append(true).open(long.journal()).unwrap();
    file.write_all(format!("{line}\n").repeat(LINES).as_bytes()).unwrap();
    let (mut few, mut many) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        for (machine, times) in [(&mut short, &mut few), (&mut long, &mut many)] {
            times.push(machine.pre() + machine.post());
        }
    }
    report("a call with 100,000 lines in the journal", many, "with few", few, 1.1)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let check = args.iter().any(|a| a == "--check");
    let rounds = args.iter().position(|a| a == "--runs").map_or(ROUNDS, |i| args[i + 1].parse().unwrap());
    let folder = if cfg!(unix) { PathBuf::from("/var/tmp") } else { std::env::temp_dir() };
    let dir = tempfile::Builder::new().prefix("wsg-").tempdir_in(folder).unwrap();
    let copied = |program: PathBuf, name: &str| {
        let copy = dir.path().join(name);
        fs::copy(program, &copy).expect("a program can be copied");
        copy
    };
    let (hook, empty) = (copied(release::hook(), "hook"), copied(release::empty(), "empty"));
    println!("{rounds} rounds; medians in microseconds, whole process");
    let kept = [
        small(dir.path(), &hook, &empty, rounds),
        large(dir.path(), &hook, rounds),
        journals(dir.path(), &hook, rounds),
    ];
    if check && kept.contains(&false) {
        println!("FAILED: a ratio is above its limit");
        // An exit drops nothing: the folders would stay.
        drop(dir);
        std::process::exit(1);
    }
}
