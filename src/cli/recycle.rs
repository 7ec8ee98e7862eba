//! `wsguard recycle`: puts entries of the index into the trash of their volume.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::failure::{Failure, Kind, show};
use super::ledger::warn_all;
use super::output::{self, BOLD, GOOD, paint};
use super::place::operator_only;
use super::trash::{open, say_recovered};
use super::units::{bytes, one_line};
use crate::ledger::{Index, Store};
use crate::trash::{Plan, Trash};

/// Puts entries that you confirmed (`wsguard ledger mark confirmed`) into the trash at the top of their volume: one rename,
/// whatever they hold. For the operator. Without --confirm it only says what would happen.
///
/// What is in the trash still takes its room: `wsguard trash purge` frees it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wsguard recycle /srv/data                what would happen
  wsguard recycle /srv/data --confirm
  wsguard trash restore 3f9a               brings it back")]
pub struct Args {
    /// The entries.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Do it.
    #[arg(long)]
    confirm: bool,
    /// Where the volume has no trash folder that you may write: copy to HOME/trash, compare, then remove.
    #[arg(long)]
    across_volumes: bool,
    /// Also a repository with changes or commits that are nowhere else.
    #[arg(long)]
    with_repository: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand. What is refused does not stop the others.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    operator_only("recycle")?;
    let (place, trash) = open()?;
    if args.confirm {
        say_recovered(&trash, args.json);
    }
    let opened = Store::at(&place.home).read().map_err(Failure::from)?;
    warn_all(&opened.warnings);
    let mut shown = Vec::new();
    let mut first = None;
    for path in &args.paths {
        match one(args, &trash, &opened.index, path) {
            Ok(value) => shown.push(value),
            Err(error) => {
                let error = show(&error);
                if args.json {
                    let (code, text) = (error.code, &error.text);
                    shown.push(json!({ "asked": path.to_string_lossy(), "ok": false, "code": code, "error": text, "hint": error.hint }));
                } else {
                    output::error(&error);
                }
                first.get_or_insert(error.kind);
            }
        }
    }
    if args.json {
        output::print_json(&json!({ "dryRun": !args.confirm, "entries": shown }))?;
    } else if !args.confirm && first.is_none() {
        output::hint("nothing was changed; add --confirm to do it");
    }
    Ok(first.map_or(ExitCode::SUCCESS, Kind::exit_code))
}

fn one(args: &Args, trash: &Trash, index: &Index, path: &std::path::Path) -> anyhow::Result<Value> {
    let plan = trash.plan(index, path, args.with_repository).map_err(Failure::from)?;
    let entry = json!({
        "asked": path.to_string_lossy(), "ok": true, "path": plan.path.to_string_lossy(), "bytes": plan.row.bytes, "files": plan.row.files,
        "session": plan.row.session,
    });
    let Value::Object(mut entry) = entry else { return Ok(entry) };
    if args.confirm {
        let done = trash.recycle(&plan, args.across_volumes).map_err(Failure::from)?;
        entry.insert("id".to_owned(), json!(done.id));
        entry.insert("item".to_owned(), json!(done.item.to_string_lossy()));
        entry.insert("manifest".to_owned(), json!(done.manifest));
        entry.insert("recovered".to_owned(), json!(done.recovered));
        if !args.json {
            let path = one_line(&plan.path.to_string_lossy(), 400);
            output::println(format_args!("{} {path}{}", paint(GOOD, "Recycled:"), size(&plan)))?;
            output::println(format_args!("  item {}, in {}", paint(BOLD, &done.id), done.item.display()))?;
            output::hint(format_args!(
                "it still takes its room; wsguard trash restore {} brings it back, wsguard trash purge {} --confirm frees it",
                done.id, done.id
            ));
        }
    } else {
        entry.insert("to".to_owned(), json!(plan.to.as_ref().map(|to| to.to_string_lossy())));
        if !args.json {
            let path = one_line(&plan.path.to_string_lossy(), 400);
            let to = match &plan.to {
                Some(to) => format!("to {}", to.display()),
                None if args.across_volumes => "to HOME/trash on another volume, as a copy".to_owned(),
                None => "but no trash folder on its volume may be written; see --across-volumes".to_owned(),
            };
            output::println(format_args!("Would recycle: {path}{} {to}", size(&plan)))?;
        }
    }
    Ok(Value::Object(entry))
}

/// What it holds, as last measured.
fn size(plan: &Plan) -> String {
    match (plan.row.bytes, plan.row.files) {
        (Some(size), Some(files)) => format!(" ({} in {files} file(s))", bytes(size)),
        (Some(size), None) => format!(" ({})", bytes(size)),
        _ => " (not measured)".to_owned(),
    }
}
