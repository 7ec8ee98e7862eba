//! `wsguard ledger mark`.

use std::process::ExitCode;

use clap::ValueEnum;
use serde_json::json;

use crate::cli::allow::operator;
use crate::cli::failure::Failure;
use crate::cli::place::operator_only;
use crate::cli::{config, output};
use crate::ledger::{State, Store};

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Mark {
    /// Nobody has looked at it.
    Pending,
    /// It is an agent's: it may be recycled.
    Confirmed,
    /// It is none of our business, until something else takes its place.
    Dismissed,
}

/// Says what you think of entries. For the operator; each mark is audited.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  wsguard ledger mark confirmed /srv/data\n  wsguard ledger mark dismissed ~/.cache/x ~/notes"
)]
pub(super) struct Args {
    /// The state.
    #[arg(value_enum)]
    state: Mark,
    /// The entries.
    #[arg(required = true)]
    paths: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand. The first entry that can't be marked ends it; those before stay marked.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    operator_only("ledger mark")?;
    let store = Store::at(&config::home()?);
    let state = match args.state {
        Mark::Pending => State::Pending,
        Mark::Confirmed => State::Confirmed,
        Mark::Dismissed => State::Dismissed,
    };
    let by = operator();
    let mut done = Vec::new();
    for path in &args.paths {
        let full = super::entry_path(path)?;
        let (was, opened) = store.mark(&full, state, &by).map_err(Failure::from)?;
        super::warn_all(&opened.warnings);
        if args.json {
            done.push(json!({ "path": full, "from": was, "state": state }));
        } else if was == state {
            output::println(format_args!("{full}: {state} already"))?;
        } else {
            output::println(format_args!("{full}: {was} -> {state}"))?;
        }
    }
    if args.json {
        output::print_json(&done)?;
    }
    Ok(ExitCode::SUCCESS)
}
