//! `wsguard trash list`.

use std::ffi::OsStr;
use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap_complete::CompletionCandidate;
use comfy_table::{ContentArrangement, Table, presets};
use serde_json::{Value, json};

use crate::cli::output;
use crate::cli::units::{age, bytes, one_line};
use crate::ledger::stamp;
use crate::trash::{Item, Stage};

/// Characters of a session's id in the table.
const SESSION_COLUMNS: usize = 12;

/// Lists what is in the trash of every volume, the newest first.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard trash list --json")]
pub(super) struct Args {
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (_, trash) = super::open()?;
    let recovered = super::say_recovered(&trash, args.json);
    let mut listed = trash.list();
    for problem in &listed.problems {
        output::warn(problem);
    }
    let time = |item: &Item| item.manifest.as_ref().and_then(crate::trash::Manifest::time_ms);
    listed.items.sort_by_key(|item| std::cmp::Reverse(time(item)));
    let total: u64 = listed.items.iter().filter_map(|item| item.manifest.as_ref()?.bytes).sum();
    if args.json {
        let items: Vec<Value> = listed.items.iter().map(value).collect();
        output::print_json(&json!({ "items": items, "bytes": total, "recovered": recovered }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if listed.items.is_empty() {
        output::println("The trash is empty.")?;
        return Ok(ExitCode::SUCCESS);
    }
    output::println(table(&listed.items))?;
    let unknown = listed.items.iter().any(|item| item.manifest.as_ref().is_none_or(|m| m.bytes.is_none()));
    let taken = match (total, unknown) {
        (0, true) => "all of it still takes its room".to_owned(),
        (_, true) => format!("at least {} are still taken", bytes(total)),
        (_, false) => format!("{} are still taken", bytes(total)),
    };
    output::hint(format_args!("recycled is not freed: {taken}; wsguard trash purge ID --confirm frees an item's"));
    Ok(ExitCode::SUCCESS)
}

fn value(item: &Item) -> Value {
    json!({
        "id": item.id,
        "item": item.path().to_string_lossy(),
        "state": state(item),
        "manifest": item.manifest,
    })
}

fn table(items: &[Item]) -> Table {
    let mut table = Table::new();
    // As wide as the terminal; what is read by a program keeps its lines.
    let arrangement =
        if std::io::stdout().is_terminal() { ContentArrangement::Dynamic } else { ContentArrangement::Disabled };
    table.load_style(presets::NOTHING).set_content_arrangement(arrangement);
    table.set_header(["ID", "AGE", "SIZE", "SESSION", "PATH", ""]);
    let now = stamp::now_ms();
    for item in items {
        let manifest = item.manifest.clone().unwrap_or_default();
        let recycled = manifest.time_ms().map(|time| age(now.saturating_sub(time)));
        let path = if item.manifest.is_some() { &manifest.original_path } else { "?" };
        table.add_row([
            one_line(&item.id, 60),
            recycled.unwrap_or_else(|| "?".to_owned()),
            manifest.bytes.map_or_else(|| "?".to_owned(), bytes),
            one_line(manifest.session.as_deref().unwrap_or_default(), SESSION_COLUMNS),
            one_line(path, 400),
            note(item).to_owned(),
        ]);
    }
    table
}

/// The stored word.
fn state(item: &Item) -> &'static str {
    match item.stage {
        Stage::Whole if item.manifest.is_none() => "damaged",
        Stage::Whole if item.is_unchanged() == Some(false) => "exchanged",
        Stage::Whole => "whole",
        Stage::Recycling => "recycling",
        Stage::Restoring => "restoring",
        Stage::Purging => "purging",
    }
}

/// What is odd about it.
fn note(item: &Item) -> &'static str {
    match state(item) {
        "whole" => "",
        "damaged" => "its manifest can't be read",
        "exchanged" => "its payload is not what was recycled",
        _ => "an act on it is under way, or was cut short",
    }
}

/// The ids that begin like `current`, for shell completion.
pub(in crate::cli) fn ids(current: &OsStr) -> Vec<CompletionCandidate> {
    // A shell that completes a word has no use for an error.
    let (Some(current), Ok((_, trash))) = (current.to_str(), super::open()) else { return Vec::new() };
    let items = trash.list().items.into_iter().filter(|item| item.id.starts_with(current));
    items
        .map(|item| {
            let path = item.manifest.as_ref().map(|manifest| one_line(&manifest.original_path, 80));
            CompletionCandidate::new(item.id).help(path.map(Into::into))
        })
        .collect()
}
