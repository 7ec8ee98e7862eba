//! `wsguard ledger list`.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::json;

use super::select::Select;
use crate::cli::failure::Failure;
use crate::cli::units::{age, bytes, one_line};
use crate::cli::{config, output};
use crate::ledger::index::Notice;
use crate::ledger::observed::Grade;
use crate::ledger::{Row, Store, stamp};

/// Characters of a session's id in the table.
const SESSION_COLUMNS: usize = 12;

/// Lists what appeared on the watched folders: the newest first, without what was dismissed or is gone.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wsguard ledger list --session 01a22b44-d425-7073-9b92-d63a9d9093ba
  wsguard ledger list --older 7d --min-size 100M --sort size
  wsguard ledger list --state gone,dismissed --json")]
pub(super) struct Args {
    #[command(flatten)]
    select: Select,
    /// What the observation itself has to say (unreadable folders, damaged lines), instead of entries.
    #[arg(long)]
    notices: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let opened = Store::at(&config::home()?).read().map_err(Failure::from)?;
    super::warn_all(&opened.warnings);
    if args.notices {
        return notices(opened.index.notices(), args.json);
    }
    let now = stamp::now_ms();
    let rows = args.select.pick(opened.index.rows(), now)?;
    if args.json {
        output::print_json(&json!({ "entries": rows, "notices": opened.index.notices().len() }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if rows.is_empty() {
        output::println("Nothing to list.")?;
    } else {
        output::println(table(&rows, now))?;
    }
    if !opened.index.notices().is_empty() {
        let count = opened.index.notices().len();
        output::hint(format_args!("{count} notice(s): wsguard ledger list --notices"));
    }
    Ok(ExitCode::SUCCESS)
}

fn notices(notices: &[Notice], as_json: bool) -> anyhow::Result<ExitCode> {
    if as_json {
        output::print_json(&notices)?;
    } else if notices.is_empty() {
        output::println("No notices.")?;
    } else {
        for notice in notices {
            let Notice { time, code, path, text, .. } = notice;
            let path = one_line(path, 200);
            output::println(format_args!("{time}  {code}  {path}  {}", one_line(text, 400)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn table(rows: &[&Row], now: u64) -> Table {
    let mut table = Table::new();
    // As wide as the terminal; what is read by a program keeps its lines.
    let arrangement =
        if std::io::stdout().is_terminal() { ContentArrangement::Dynamic } else { ContentArrangement::Disabled };
    table.load_style(presets::NOTHING).set_content_arrangement(arrangement);
    table.set_header(["PATH", "STATE", "AGE", "SIZE", "MAKER", "SESSION"]);
    for row in rows {
        let seen = row.seen_ms().map(|seen| age(now.saturating_sub(seen)));
        let size = row.bytes.map(|size| if row.partial { format!("> {}", bytes(size)) } else { bytes(size) });
        table.add_row([
            one_line(&row.path, 400),
            state(row).to_owned(),
            seen.unwrap_or_default(),
            size.unwrap_or_else(|| "?".to_owned()),
            grade(row.attribution.grade).to_owned(),
            maker(row),
        ]);
    }
    table
}

/// The state, or that it is gone.
pub(super) fn state(row: &Row) -> &'static str {
    if row.is_present() { row.state.as_str() } else { "gone" }
}

/// The grade as a word.
pub(in crate::cli) fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Certain => "certain",
        Grade::Likely => "likely",
        Grade::Ambiguous => "ambiguous",
        Grade::Unattributed => "unknown",
    }
}

/// The session, or how many may have been it.
fn maker(row: &Row) -> String {
    match (&row.session, row.attribution.candidates.len()) {
        (Some(session), _) => one_line(session, SESSION_COLUMNS),
        (None, 0) => String::new(),
        (None, 1) => format!("{}?", one_line(&row.attribution.candidates[0].session, SESSION_COLUMNS)),
        (None, several) => format!("one of {several}"),
    }
}
