//! `wsguard grants`: what was allowed.

use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};

use super::allow::holds;
use super::failure::Failure;
use super::{config, output};
use crate::ledger::{Grant, Grants, stamp};

/// Lists the paths that agents may create in because the operator allowed them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard grants --json")]
pub struct Args {
    /// Also those that hold no more.
    #[arg(long)]
    all: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let grants = Grants::load(&config::home()?).map_err(Failure::from)?;
    let now = stamp::now_ms();
    let shown: Vec<&Grant> = grants.iter().filter(|g| args.all || !g.is_spent(now)).collect();
    if args.json {
        output::print_json(&shown)?;
    } else if shown.is_empty() {
        output::println("Nothing is allowed beyond the rules.")?;
        output::hint("wsguard allow PATH allows a path");
    } else {
        output::println(table(&shown))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(grants: &[&Grant]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["NUMBER", "PATH", "HOLDS", "GIVEN", "BY"]);
    for grant in grants {
        table.add_row([&grant.id.to_string(), &grant.path, &holds(grant), &grant.created_at, &grant.by]);
    }
    table
}
