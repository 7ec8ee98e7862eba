//! `wsguard doctor`: whether the guard really guards.

use std::fmt::Write as _;
use std::process::ExitCode;

use super::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};
use super::target::Harness;
use crate::doctor::{Finding, Level, Report, Surroundings, examine};

/// Shows whether the guard really guards.
///
/// Checks home, configuration, program and registration, and runs the registered command line with calls that
/// must be denied and allowed. Exits with 1 when something is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wsguard doctor
  wsguard doctor codex
  wsguard doctor claude-code --json | jq '.findings[] | select(.level == \"fail\")'")]
pub struct Args {
    /// The harness to look at; all that are in use where none is named.
    harness: Option<Harness>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let around = Surroundings::from_env(super::current_dir()?);
    let report = examine(&around, args.harness.map(Harness::client));
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(text(&report))?;
    }
    Ok(if report.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn text(report: &Report) -> String {
    let mut out = String::new();
    let mut section = "";
    for finding in &report.findings {
        if finding.section != section {
            section = finding.section;
            line(&mut out, paint(BOLD, section));
        }
        show(&mut out, finding);
    }
    let count = |level| report.findings.iter().filter(|f| f.level == level).count();
    let verdict = match (count(Level::Fail), count(Level::Warn)) {
        (0, 0) => paint(GOOD, "everything is right".to_owned()).to_string(),
        (0, warn) => paint(GOOD, format!("nothing is wrong, {warn} to look at")).to_string(),
        (fail, _) => paint(BAD, format!("{fail} wrong")).to_string(),
    };
    line(&mut out, verdict);
    out
}

fn line(out: &mut String, text: impl std::fmt::Display) {
    // Writing to a String does not fail.
    let _infallible = writeln!(out, "{text}");
}

fn show(out: &mut String, finding: &Finding) {
    let mark = match finding.level {
        Level::Ok => paint(GOOD, "ok  ").to_string(),
        Level::Warn => paint(WARN, "warn").to_string(),
        Level::Fail => paint(BAD, "FAIL").to_string(),
    };
    line(out, format_args!("  {mark}  {}", one_line(&finding.text)));
    for detail in &finding.detail {
        line(out, paint(DIM, format_args!("        {}", one_line(detail))));
    }
    if let Some(hint) = &finding.hint {
        line(out, paint(DIM, format_args!("        hint: {hint}")));
    }
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
