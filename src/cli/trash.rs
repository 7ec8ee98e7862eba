//! `wsguard trash`: what was recycled, brought back or removed for good.

mod list;
mod purge;
mod restore;

use std::path::Path;
use std::process::ExitCode;

use super::allow::operator;
use super::failure::{Failure, Kind, show};
use super::output;
use super::place::{Place, is_agents_shell};
use super::units::one_line;
use crate::trash::{Around, Recovered, Refusal, Trash, TrashError};

pub(super) use list::ids;

/// Lists what was recycled, on all volumes; brings an item back; removes one for good.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  wsguard trash\n  wsguard trash restore 3f9a\n  wsguard trash purge 3f9a --confirm"
)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    List(list::Args),
    Restore(restore::Args),
    Purge(purge::Args),
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        None => list::run(&list::Args { json: args.json }),
        Some(Command::List(args)) => list::run(args),
        Some(Command::Restore(args)) => restore::run(args),
        Some(Command::Purge(args)) => purge::run(args),
    }
}

/// The trash, as it is here and now.
pub(super) fn open() -> anyhow::Result<(Place, Trash)> {
    let place = Place::find()?;
    let around = Around::find(&place.home, &place.policy, Path::new(&place.cwd));
    let trash = Trash::new(&place.home, around, &operator());
    Ok((place, trash))
}

/// Puts right what was cut short, and says so. An agent's shell changes nothing.
pub(super) fn say_recovered(trash: &Trash, quiet: bool) -> Vec<Recovered> {
    if is_agents_shell() {
        return Vec::new();
    }
    let (done, failed) = trash.recover();
    if !quiet {
        done.iter().for_each(say);
    }
    for error in failed {
        let text = show(&Failure::from(error).into()).text;
        output::warn(format_args!("an act that was cut short could not be put right: {text}"));
    }
    done
}

/// Says what became of one act.
pub(super) fn say(recovered: &Recovered) {
    let path = if recovered.path.is_empty() { "an entry".to_owned() } else { one_line(&recovered.path, 400) };
    let (act, result) = (recovered.act.word(), recovered.result.word());
    output::warn(format_args!("a {act} of {path} (item {}) had been cut short; it is {result} now", recovered.id));
}

impl From<TrashError> for Failure {
    fn from(error: TrashError) -> Self {
        let kind = match &error {
            TrashError::Ledger(_) => Kind::Io,
            TrashError::Index(_) => return error.into_index(),
            TrashError::Refused { refusal, .. } | TrashError::Io { refusal, .. } => match refusal {
                Refusal::Missing | Refusal::ItemMissing | Refusal::Ambiguous => Kind::Missing,
                Refusal::NoManifest => Kind::Data,
                Refusal::Io | Refusal::DiskFull | Refusal::Busy | Refusal::FileBusy | Refusal::Changed => Kind::Io,
                _ => Kind::Denied,
            },
        };
        let (code, hint) = (error.code(), error.hint());
        Self::new(kind, code, error).hint(hint)
    }
}

impl TrashError {
    fn into_index(self) -> Failure {
        match self {
            Self::Index(error) => error.into(),
            other => Failure::msg(Kind::Internal, "trash_internal", other),
        }
    }
}
