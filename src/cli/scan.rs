//! `wsguard scan`: looks at the watched folders now and measures the entries of the index.

use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::failure::Failure;
use super::looking::Looking;
use super::place::Place;
use super::units::{bytes, one_line};
use super::{ledger, output};
use crate::scan::{Scope, Summary, Told, scan};
use crate::sys::{interrupted, on_interrupt};

/// The exit code of a process that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// Looks at the watched folders now, and measures how much each entry of the index holds.
///
/// Links are not followed and other mounts not entered. Ctrl-C ends it and keeps what it has; the next scan goes on from
/// there, and does not read folders again that are as they were. (A file that grew in place after lying still is only
/// noticed with --full.)
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  wsguard scan\n  wsguard scan /srv/data --full")]
pub struct Args {
    /// Measure only these entries.
    paths: Vec<String>,
    /// Also measure entries that were dismissed.
    #[arg(long)]
    all: bool,
    /// Read every folder, also those that seem to be as they were.
    #[arg(long)]
    full: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    on_interrupt();
    let place = Place::find()?;
    let home = place.home.clone();
    let looking = Looking::new(place);
    looking.look()?;
    let paths = args.paths.iter().map(|path| ledger::entry_path(path)).collect::<anyhow::Result<_>>()?;
    let scope = Scope { paths, dismissed: args.all, full: args.full };
    let bar = ProgressBar::hidden();
    let outcome = scan(&home, &scope, interrupted(), |told| show(&bar, told));
    bar.finish_and_clear();
    let (summary, warnings) = outcome.map_err(Failure::from)?;
    ledger::warn_all(&warnings);
    if args.json {
        output::print_json(&json!({ "scan": summary, "warnings": warnings }))?;
    } else {
        output::println(text(&summary))?;
    }
    if summary.interrupted {
        output::hint("wsguard scan goes on from here");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows on a terminal how far it is.
fn show(bar: &ProgressBar, told: Told<'_>) {
    match told {
        Told::Begin(entries) => {
            bar.set_length(entries as u64);
            if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len} entries  {elapsed}  {wide_msg}") {
                bar.set_style(style);
            }
            // Nothing is drawn where standard error is no terminal.
            bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Told::Seen(seen) => bar.set_message(format!("{seen} files and folders")),
        Told::Done(path) => {
            bar.inc(1);
            bar.set_message(one_line(path, 200));
        }
    }
}

fn text(summary: &Summary) -> String {
    let Summary { entries, measured, total, missing, .. } = summary;
    let mut lines = vec![format!(
        "Measured {measured} of {entries} entries: {} in {} files and {} folders.",
        bytes(total.bytes),
        total.files,
        total.folders
    )];
    let also = [
        (total.reused, "folders are as they were at the last scan and were not read again"),
        (*missing as u64, "entries are gone"),
        (total.mounts, "folders are other mounts and were not entered"),
        (total.unreadable, "files or folders could not be read"),
    ];
    lines.extend(also.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}.")));
    if total.partial {
        lines.push("A limit was reached: some entries hold more.".to_owned());
    }
    lines.join("\n")
}
