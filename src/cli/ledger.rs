//! `wsguard ledger`: what agents made outside of their places, and what the operator thinks of it.

mod exchange;
mod list;
mod mark;
mod select;
mod show;

use std::process::ExitCode;

use super::failure::{Failure, Kind};
use super::output;
use crate::ledger::IndexError;
use crate::path::Model;
pub(super) use list::grade;

/// Lists what appeared on the watched folders, tells the story of an entry, and marks entries.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  wsguard ledger list\n  wsguard ledger show /srv/data\n  wsguard ledger mark dismissed /srv/data"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    List(list::Args),
    Show(show::Args),
    Mark(mark::Args),
    Export(exchange::ExportArgs),
    Import(exchange::ImportArgs),
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::List(args) => list::run(args),
        Command::Show(args) => show::run(args),
        Command::Mark(args) => mark::run(args),
        Command::Export(args) => exchange::export(args),
        Command::Import(args) => exchange::import(args),
    }
}

/// Says what was found damaged.
pub(super) fn warn_all(warnings: &[String]) {
    for warning in warnings {
        output::warn(warning);
    }
}

/// `text` as entries are named: absolute and normal; links are entries themselves, so none is followed.
pub(super) fn entry_path(text: &str) -> anyhow::Result<String> {
    let cwd = super::current_dir()?;
    let model = Model::native();
    Ok(model.join(&cwd.to_string_lossy(), text))
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        let kind = match &error {
            IndexError::Ledger(_) => Kind::Io,
            IndexError::Missing { .. } | IndexError::Gone { .. } => Kind::Missing,
            IndexError::TooLarge { .. } | IndexError::NoIndex { .. } => Kind::Data,
        };
        let (code, hint) = (error.code(), error.hint());
        Self::new(kind, code, error).hint(hint)
    }
}
