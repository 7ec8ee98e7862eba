//! `wsguard trash purge`.

use std::process::ExitCode;

use clap_complete::ArgValueCompleter;
use serde_json::{Value, json};

use crate::cli::failure::{Failure, Kind, show};
use crate::cli::output::{self, BAD, paint};
use crate::cli::place::operator_only;
use crate::cli::units::{bytes, one_line};
use crate::trash::{Trash, TrashError};

/// Removes items for good. No link in them is followed. For the operator. Without --confirm it only says what would happen.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard trash purge 3f9a --confirm")]
pub(super) struct Args {
    /// The items: their ids, or as much of each as tells it from the others.
    #[arg(required = true, value_name = "ID", add = ArgValueCompleter::new(super::ids))]
    ids: Vec<String>,
    /// Do it. There is no way back.
    #[arg(long)]
    confirm: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand. What is refused does not stop the others.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    operator_only("trash purge")?;
    let (_, trash) = super::open()?;
    let recovered = if args.confirm { super::say_recovered(&trash, args.json) } else { Vec::new() };
    let (mut shown, mut first) = (Vec::<Value>::new(), None::<Kind>);
    for id in &args.ids {
        match one(args, &trash, id) {
            Ok((value, text)) => {
                shown.push(value);
                if !args.json {
                    output::println(text)?;
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
        output::print_json(&json!({ "dryRun": !args.confirm, "items": shown, "recovered": recovered }))?;
    } else if !args.confirm && first.is_none() {
        output::hint("nothing was changed; add --confirm to remove it for good");
    }
    Ok(first.map_or(ExitCode::SUCCESS, Kind::exit_code))
}

fn one(args: &Args, trash: &Trash, id: &str) -> Result<(Value, String), TrashError> {
    let item = trash.find(id)?;
    let size =
        item.manifest.as_ref().and_then(|m| m.bytes).map(|size| format!(" ({})", bytes(size))).unwrap_or_default();
    if !args.confirm {
        trash.prove(&item)?;
        let path = item.manifest.as_ref().map(|m| m.original_path.clone()).unwrap_or_default();
        let text = format!("Would remove for good: {}{size}, item {}", one_line(&path, 400), item.id);
        return Ok((json!({ "asked": id, "ok": true, "id": item.id, "path": path }), text));
    }
    let done = trash.purge(&item)?;
    let path = one_line(&done.path.to_string_lossy(), 400);
    let text = format!("{} {path}{size}, {} entries", paint(BAD, "Removed for good:"), done.entries);
    let value =
        json!({ "asked": id, "ok": true, "id": done.id, "path": done.path.to_string_lossy(), "entries": done.entries });
    Ok((value, text))
}
