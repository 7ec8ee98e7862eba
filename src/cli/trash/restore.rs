//! `wsguard trash restore`.

use std::process::ExitCode;

use clap_complete::ArgValueCompleter;
use serde_json::json;

use crate::cli::failure::{Failure, Kind, show};
use crate::cli::output::{self, GOOD, paint};
use crate::cli::place::operator_only;
use crate::cli::units::one_line;
use crate::trash::{Item, Trash, TrashError};

/// Brings items back to where they were. Nothing is ever written over or merged. For the operator.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  wsguard trash restore 3f9a --parents\n  wsguard trash restore /srv/data")]
pub(super) struct Args {
    /// The items: their ids, or as much of each as tells it from the others, or the paths where they were.
    #[arg(required = true, value_name = "ID", add = ArgValueCompleter::new(super::ids))]
    ids: Vec<String>,
    /// Make the folders anew that held it and are gone.
    #[arg(long)]
    parents: bool,
    /// Where it belongs on another volume: copy it, compare, then remove it here.
    #[arg(long)]
    across_volumes: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The item that is meant: an id holds no separator, and a path has one.
fn find(trash: &Trash, asked: &str) -> Result<Item, TrashError> {
    if asked.contains(std::path::is_separator) {
        let path = std::path::absolute(asked).unwrap_or_else(|_| asked.into());
        return trash.find_by_path(&path);
    }
    trash.find(asked)
}

/// Runs the subcommand. What is refused does not stop the others.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    operator_only("trash restore")?;
    let (_, trash) = super::open()?;
    let recovered = super::say_recovered(&trash, args.json);
    let (mut shown, mut first) = (Vec::<serde_json::Value>::new(), None::<Kind>);
    for id in &args.ids {
        let done = find(&trash, id).and_then(|item| trash.restore(&item, args.parents, args.across_volumes));
        match done {
            Ok(done) => {
                shown.push(
                    json!({ "asked": id, "ok": true, "id": done.id, "path": done.path.to_string_lossy(), "exchanged": done.exchanged }),
                );
                if !args.json {
                    let path = one_line(&done.path.to_string_lossy(), 400);
                    output::println(format_args!("{} {path}", paint(GOOD, "Restored:")))?;
                }
                if done.exchanged {
                    output::warn("it is not what was put into the trash: it was exchanged in there");
                }
            }
            Err(error) => {
                let error = show(&Failure::from(error).into());
                let (code, text) = (error.code, &error.text);
                shown.push(json!({ "asked": id, "ok": false, "code": code, "error": text, "hint": error.hint }));
                if !args.json {
                    output::error(&error);
                }
                first.get_or_insert(error.kind);
            }
        }
    }
    if args.json {
        output::print_json(&json!({ "items": shown, "recovered": recovered }))?;
    }
    Ok(first.map_or(ExitCode::SUCCESS, Kind::exit_code))
}
