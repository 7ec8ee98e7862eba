//! `wsguard corpus run`: the escape corpus against a real folder.

use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::super::failure::{Failure, Kind};
use super::super::output;
use super::scenarios;
use crate::contained::{ContainedError, Root};
use crate::corpus::{Attempt, Runner, Subject, sweep};
use crate::limits::{CORPUS_SWEEP_LEVELS, MAX_CORPUS_SWEEP_FILES};
use crate::path::guard::Rules;

/// Tries to write every path of the escape corpus below a folder, through the path guard, then looks for what got out.
///
/// Each attempt has to be refused with its own code. Then all files around the folder are looked at for the run's marker;
/// where that is cut short, the run does not pass. A run that passes writes nothing. Links, hard links, mounts, pipes and races
/// are tried too, in a folder below DIR that is removed again; what can't be tried here is named with the reason. Ends with 1
/// where something got through, and says what.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mkdir -p /tmp/a/b/c/d && wsguard corpus run --root /tmp/a/b/c/d --above 2")]
pub(super) struct Args {
    /// The folder: it should lie in folders of its own, so that looking around is quick.
    #[arg(long, value_name = "DIR")]
    root: PathBuf,
    /// How many levels above the folder are looked at.
    #[arg(long, value_name = "LEVELS", default_value_t = CORPUS_SWEEP_LEVELS)]
    above: usize,
    /// How many files are looked at before the run does not pass.
    #[arg(long, value_name = "NUMBER", default_value_t = MAX_CORPUS_SWEEP_FILES)]
    max_files: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if !fs::metadata(&args.root).is_ok_and(|meta| meta.is_dir()) {
        let text = format!("{} is no folder", args.root.display());
        return Err(Failure::msg(Kind::Missing, "corpus_root", text).hint("create it first").into());
    }
    let mut subject = Guarded::open(&args.root)?;
    let runner = Runner::new(marker());
    let tried = scenarios::run(&args.root);
    let report = runner.run(&mut subject);
    let found = sweep(&args.root, runner.marker().as_bytes(), args.above, args.max_files)
        .map_err(|e| Failure::new(Kind::Io, e.code(), e))?;
    let report = report.tried(tried.scenarios, tried.not_tried).swept(found);
    if args.json {
        output::print_json(&report)?;
    } else {
        output::println(&report)?;
    }
    Ok(if report.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What writes below the folder as the product does.
struct Guarded {
    root: Root,
}

impl Guarded {
    fn open(root: &Path) -> anyhow::Result<Self> {
        let root = Root::open(root, Rules::Portable).map_err(|e| {
            Failure::new(Kind::Io, "corpus_root", e).hint("a link is no root: give the folder that it leads to")
        })?;
        Ok(Self { root })
    }
}

impl Subject for Guarded {
    fn write(&mut self, path: &[u8], content: &[u8]) -> Attempt {
        // Only what is new: a fault of the guard must not cost anyone a file.
        match self.root.create(path, content) {
            Ok(()) => Attempt::Accepted,
            Err(ContainedError::Refused { source, .. }) => Attempt::Refused(source.code().to_owned()),
            Err(error) => Attempt::Failed(error.to_string()),
        }
    }
}

/// A text that no other file holds: of another run neither.
fn marker() -> String {
    // The standard library's random keys.
    let part = || RandomState::new().hash_one(std::process::id());
    format!("workspace-guard-escape-marker-{:016x}{:016x}", part(), part())
}
