//! `wsguard corpus list`: the escape corpus, case by case.

use std::fmt::Write as _;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::super::output;
use crate::corpus::{VERSION, cases, classes};

/// Shows every path of the escape corpus: its class, the code it is refused with, what an unguarded join does with it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard corpus list --json")]
pub(super) struct Args {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.json {
        output::print_json(&json!({ "corpus_version": VERSION, "cases": json_cases() }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let all: Vec<_> = cases().collect();
    let mut text = format!("corpus version {VERSION}: {} paths; POSIX / Windows without a guard\n", all.len());
    for class in classes() {
        writeln!(text, "\n{}: {}", class.name, class.sentence)?;
        for case in all.iter().filter(|case| case.class == class) {
            let outcomes = format!("{} / {}", case.posix.name(), case.windows.name());
            writeln!(text, "  {:<24} {:<19} {}", case.id, outcomes, case.shown)?;
            writeln!(text, "  {:<24} {}", "", case.refusal.code())?;
            if let Some(cost) = case.cost {
                writeln!(text, "  {:<24} costs: {cost}", "")?;
            }
        }
    }
    output::print(text)?;
    Ok(ExitCode::SUCCESS)
}

fn json_cases() -> Vec<Value> {
    let row = |case: crate::corpus::Case| {
        json!({
            "id": case.id, "class": case.class.name, "path": case.shown, "path_b64": super::base64::encode(&case.path),
            "code": case.refusal.code(), "posix": case.posix.name(), "windows": case.windows.name(), "cost": case.cost,
        })
    };
    cases().map(row).collect()
}
