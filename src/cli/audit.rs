//! `wsguard audit`: what was done, and whether the record of it is whole.

use std::process::ExitCode;

use serde_json::Value;

use super::failure::Failure;
use super::{config, output};
use crate::ledger::{Audit, Damage, Report};

/// Shows what was done, and checks that the record of it is whole.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard audit verify")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Tail(Tail),
    Verify(Verify),
}

/// Shows the last lines.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard audit tail --lines 50")]
struct Tail {
    /// How many.
    #[arg(short = 'n', long, default_value_t = 20, value_name = "NUMBER")]
    lines: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Checks each line against the one before it, across all files. Ends with 1 where a line was changed, removed, inserted or
/// moved, or a file removed, emptied or renamed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard audit verify --json")]
struct Verify {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let audit = Audit::at(&config::home()?);
    match &args.command {
        Command::Tail(args) => tail(&audit, args),
        Command::Verify(args) => verify(&audit, args),
    }
}

fn tail(audit: &Audit, args: &Tail) -> anyhow::Result<ExitCode> {
    let lines = audit.tail(args.lines).map_err(Failure::from)?;
    if args.json {
        output::print_json(&lines)?;
        return Ok(ExitCode::SUCCESS);
    }
    for line in &lines {
        output::println(one_line(line))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// `TIME  ACT PHASE  DATA`
fn one_line(line: &Value) -> String {
    let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or("?");
    match line {
        Value::Object(fields) => {
            let data = fields.get("data").map(Value::to_string).unwrap_or_default();
            format!("{}  {:<8} {:<7}  {data}", text("time"), text("act"), text("phase"))
        }
        // A fragment of a writer that was killed. Escaped: it may hold anything.
        other => format!("(unreadable)  {}", other.to_string().escape_debug()),
    }
}

fn verify(audit: &Audit, args: &Verify) -> anyhow::Result<ExitCode> {
    let report = audit.verify().map_err(Failure::from)?;
    if args.json {
        output::print_json(&report)?;
    } else {
        for line in text(&report) {
            output::println(line)?;
        }
    }
    Ok(if report.damage.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn text(report: &Report) -> Vec<String> {
    let mut lines = vec![match &report.damage {
        None if report.files > 1 => format!("The audit is whole: {} lines in {} files.", report.lines, report.files),
        None => format!("The audit is whole: {} lines.", report.lines),
        Some(Damage::Changed { file, line }) => format!("Line {line} of {file} was changed."),
        Some(Damage::Inserted { file, line }) => format!("Line {line} of {file} was inserted."),
        Some(Damage::Removed { file, line, first, last }) if first == last => {
            format!("An entry was removed before line {line} of {file}: number {first}.")
        }
        Some(Damage::Removed { file, line, first, last }) => {
            format!("Entries were removed before line {line} of {file}: numbers {first} to {last}.")
        }
        Some(Damage::Moved { file, line }) => format!("Line {line} of {file} was moved there from another file."),
        Some(Damage::FileRemoved { file }) => format!("{file} was removed, or replaced by another."),
        Some(Damage::FileEmptied { file }) => format!("{file} was emptied."),
        Some(Damage::FileRenamed { file, was }) => format!("{file} was renamed: it is what {was} was."),
    }];
    if report.torn_tail {
        lines.push("The last line is torn: its writer was killed. That is no damage.".to_owned());
    } else if report.torn > 0 {
        lines.push(format!("Torn lines of killed writers: {}. That is no damage.", report.torn));
    }
    if !report.open.is_empty() {
        let numbers: Vec<_> = report.open.iter().take(20).map(u64::to_string).collect();
        lines.push(format!("Begun but not finished: {}.", numbers.join(", ")));
    }
    lines
}
