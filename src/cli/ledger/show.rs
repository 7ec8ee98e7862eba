//! `wsguard ledger show`: the whole story of one entry.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::list::{grade, state};
use crate::cli::failure::Failure;
use crate::cli::units::{bytes, one_line};
use crate::cli::{config, output};
use crate::ledger::index::{Call, Step, Told, calls};
use crate::ledger::observed::EntryKind;
use crate::ledger::{IndexError, Row, Store};

/// Candidates that are shown of many.
const MAX_SHOWN: usize = 20;

/// Tells all that is known of an entry: who made it, when and by which command, why that is believed, who else may have,
/// and what happened to it since.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard ledger show /srv/data --json")]
pub(super) struct Args {
    /// The entry.
    path: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let home = config::home()?;
    let opened = Store::at(&home).read().map_err(Failure::from)?;
    super::warn_all(&opened.warnings);
    let path = super::entry_path(&args.path)?;
    let found = opened.index.get(&args.path).or_else(|| opened.index.get(&path));
    let row = found.ok_or_else(|| Failure::from(IndexError::Missing { path }))?;
    let concerned = |session: &str, call: &str| {
        let own = row.session.as_deref() == Some(session) && row.call.as_deref().unwrap_or_default() == call;
        own || row.attribution.candidates.iter().any(|c| c.session == session && c.call == call)
    };
    let calls = calls(&home, concerned).map_err(Failure::from)?;
    if args.json {
        let mut value = serde_json::to_value(row)?;
        if let Value::Object(fields) = &mut value {
            fields.insert("calls".to_owned(), json!(calls));
        }
        output::print_json(&value)?;
    } else {
        output::print(text(row, &calls))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(row: &Row, calls: &[Call]) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            out.push(format!("{name:<12} {value}"));
        }
    };
    line("entry", &format!("{} ({})", one_line(&row.path, 4096), kind(row.entry_kind)));
    line("state", state(row));
    line("first seen", row.first_seen.as_deref().unwrap_or_default());
    if row.observed_at != row.first_seen {
        line("as it is", &format!("since {}", row.observed_at.as_deref().unwrap_or_default()));
    }
    line("born", row.birth.as_deref().unwrap_or_default());
    line("gone since", row.gone.as_deref().unwrap_or_default());
    line("trash item", row.trash.as_deref().unwrap_or_default());
    line("size", &size(row));
    line(
        "maker",
        &format!("{}{}", grade(row.attribution.grade), if row.between { ", while no call was open" } else { "" }),
    );
    let evidence: Vec<String> = row.attribution.evidence.iter().map(word).collect();
    line("because", &evidence.join(", "));
    line("session", &one_line(row.session.as_deref().unwrap_or_default(), 200));
    line("harness", &row.harness);
    line("call", &one_line(row.call.as_deref().unwrap_or_default(), 200));
    line("tool", &one_line(&row.tool, 80));
    line("command", &one_line(&row.excerpt, 600));
    let own = |c: &&Call| row.session.as_deref() == Some(&*c.session) && row.call.as_deref() == Some(&*c.call);
    if let Some(call) = calls.iter().rfind(own) {
        let end = if call.ended.is_empty() { "still open" } else { &call.ended };
        line("ran", &format!("{} to {end}", call.started));
    }
    let others = row.attribution.candidates.len();
    if others > 1 || row.session.is_none() && others > 0 {
        out.push("\nmay have made it:".to_owned());
        for candidate in row.attribution.candidates.iter().take(MAX_SHOWN) {
            let known = calls.iter().rfind(|c| c.session == candidate.session && c.call == candidate.call);
            let command = known.map(|c| one_line(&c.excerpt, 120)).unwrap_or_default();
            let (session, call) = (one_line(&candidate.session, 80), one_line(&candidate.call, 80));
            out.push(format!("  {session}  {call}  {command}"));
        }
        if others > MAX_SHOWN {
            out.push(format!("  … and {} more", others - MAX_SHOWN));
        }
    }
    if !row.story.is_empty() {
        out.push("\nstory:".to_owned());
        out.extend(row.story.iter().map(story));
    }
    out.join("\n") + "\n"
}

fn story(told: &Told) -> String {
    let what = match told.step {
        Step::Appeared => "appeared".to_owned(),
        Step::Changed => "replaced by something else".to_owned(),
        Step::Vanished => "vanished".to_owned(),
        Step::Returned => "came back as it was".to_owned(),
        Step::Marked => format!("marked {}", told.state),
        Step::Imported => format!("imported as {}", told.state),
        Step::Recycled => "put into the trash".to_owned(),
        Step::Restored => "taken out of the trash".to_owned(),
        Step::Purged => "removed from the trash for good".to_owned(),
        Step::Other => "something that this version does not know".to_owned(),
    };
    let by = if told.by.is_empty() { String::new() } else { format!(" by {}", one_line(&told.by, 80)) };
    let maker = match (&*told.session, &*told.call) {
        ("", _) => String::new(),
        (session, call) => format!("  session {} {}", one_line(session, 80), one_line(call, 80)),
    };
    let line = format!("  {}  {what}{by}{maker}  {}", told.time, one_line(&told.excerpt, 120));
    line.trim_end().to_owned()
}

fn size(row: &Row) -> String {
    let Some(size) = row.bytes else { return "not measured; `wsguard scan` does".to_owned() };
    let files = row.files.unwrap_or_default();
    let more = if row.partial { "more than " } else { "" };
    let on_disk = row.allocated.map(|a| format!(", {} on the volume", bytes(a))).unwrap_or_default();
    let when = row.last_scan.as_deref().map(|t| format!(", measured {t}")).unwrap_or_default();
    format!("{more}{} in {files} file(s){on_disk}{when}", bytes(size))
}

fn kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::File => "file",
        EntryKind::Dir => "folder",
        EntryKind::Link => "link",
        EntryKind::Other => "neither file nor folder",
    }
}

/// The stored word.
fn word(evidence: &impl serde::Serialize) -> String {
    serde_json::to_value(evidence).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}
