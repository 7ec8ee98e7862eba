//! How long the fuzzers' inputs take in the shipped build, by the thread's own time: `cargo bench --bench inputs` judges
//! what is committed, and what a fuzzer noted as slow (`fuzz/slow`); `-- TARGET FOLDER...` the files of other folders.
//! `-- --check` ends with code 1 when a judgement takes more than 50 ms.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a program for the terminal")]

#[path = "../src/busy.rs"]
mod busy;
#[path = "../tests/it/fuzzed/judged.rs"]
mod judged;

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use busy::Busy;
use judged::Watch;

/// For one judgement.
const LONGEST: Duration = Duration::from_millis(50);
/// How often one is timed that seems to take longer, since machines have slow moments.
const TRIES: usize = 5;

type Target = (&'static str, fn(&str, Watch<'_>));
const TARGETS: [Target; 4] = [
    ("bash_parser", judged::bash),
    ("powershell_parser", judged::powershell),
    ("cmd_parser", judged::cmd),
    ("inline_script", judged::inline),
];

/// The longest judgement of all that one input is put to.
fn longest(target: Target, text: &str) -> Duration {
    let longest = Cell::new(Duration::ZERO);
    target.1(text, &|judge| {
        let mut least = Duration::MAX;
        for _ in 0..TRIES {
            let start = Busy::start();
            judge();
            least = least.min(start.elapsed());
            if least <= LONGEST {
                break;
            }
        }
        longest.set(longest.get().max(least));
    });
    longest.get()
}

/// Judges the files of the folders, and says which took longest; how many took too long.
fn measure(target: Target, folders: &[PathBuf]) -> usize {
    let mut times = Vec::new();
    for entry in folders.iter().filter(|folder| folder.is_dir()).flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        let data = fs::read(&path).unwrap();
        // A fuzzer takes what is text at the beginning.
        let text = str::from_utf8(&data).unwrap_or_else(|error| str::from_utf8(&data[..error.valid_up_to()]).unwrap());
        times.push((longest(target, text), path));
    }
    times.sort();
    println!("{}: {} inputs", target.0, times.len());
    for (time, path) in times.iter().rev().take(3) {
        println!("{:>9.1} ms  {}", time.as_secs_f64() * 1e3, path.display());
    }
    times.iter().filter(|(time, _)| *time > LONGEST).count()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let check = args.iter().any(|arg| arg == "--check");
    let mut named = args.iter().filter(|arg| *arg != "--check");
    let slow: usize = if let Some(name) = named.next() {
        let Some(target) = TARGETS.into_iter().find(|(known, _)| known == name) else {
            println!("no target is called {name}");
            std::process::exit(64);
        };
        let folders: Vec<PathBuf> = named.map(PathBuf::from).collect();
        measure(target, &folders)
    } else {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
        let folders = |name| ["corpus", "slow"].map(|folder| fuzz.join(folder).join(name));
        TARGETS.into_iter().map(|target| measure(target, &folders(target.0))).sum()
    };
    if slow > 0 {
        println!("FAILED: {slow} inputs take more than {} ms for one judgement", LONGEST.as_millis());
    }
    if check && slow > 0 {
        std::process::exit(1);
    }
}
