//! `wsguard config list`: what can be set.

use std::process::ExitCode;

use serde_json::{Value as Json, json};

use crate::cli::output;
use crate::config::{SETTINGS, manual, summary};

/// Explains every setting with its default.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard config list --json")]
pub(super) struct Args {
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print the manual, docs/CONFIG.md.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.json {
        output::print_json(&as_json())?;
    } else if args.markdown {
        output::print(manual())?;
    } else {
        output::print(summary())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json() -> Json {
    SETTINGS
        .iter()
        .map(|setting| {
            json!({
                "key": setting.key.name(),
                "alias": setting.alias,
                "env": setting.key.env_name(),
                "default": setting.default,
                "takes": setting.takes(),
                "project": setting.project,
                "doc": setting.doc,
            })
        })
        .collect()
}
