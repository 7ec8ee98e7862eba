//! `wsguard session`: the sessions and their scratch folders.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;

use super::failure::{Failure, Kind};
use super::output;
use super::place::{Place, operator_only};
use crate::doctor::PROBE_SESSION;
use crate::ledger::stamp;
use crate::limits::{MAX_CLEAN_ENTRIES, MAX_SIZE_ENTRIES};
use crate::session::clean::{self, Folder, Keep, Life, Rules};
use crate::session::{SessionId, Size, measure};

/// Lists the sessions with their scratch folders, or shows one; removes those of old sessions when asked to.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  wsguard session\n  wsguard session --clean")]
pub struct Args {
    /// The session, as the harness spells its id.
    id: Option<String>,
    /// Remove the folders of old sessions (see `scratch_ttl_hours`), or of the named session if it has ended.
    #[arg(long)]
    clean: bool,
    /// Do not ask before removing.
    #[arg(long, requires = "clean")]
    yes: bool,
    /// Print JSON.
    #[arg(long, conflicts_with = "clean")]
    json: bool,
}

/// A session as it is shown.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    session_id: Option<String>,
    path: String,
    harness: String,
    cwd: String,
    created_at: String,
    last_event: String,
    state: Life,
    size: Size,
    /// Why the folder is never removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    keep: Option<Keep>,
}

impl Shown {
    fn of(folder: &Folder) -> Self {
        let owner = folder.owner.clone().unwrap_or_default();
        Self {
            session_id: folder.owner.is_some().then_some(owner.session_id),
            path: folder.path.to_string_lossy().into_owned(),
            harness: owner.harness,
            cwd: owner.cwd,
            created_at: owner.created_at,
            last_event: stamp::format_utc(stamp::to_ms(folder.last_event)),
            state: folder.life,
            size: measure(&folder.path, MAX_SIZE_ENTRIES),
            keep: folder.keep,
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let place = Place::find()?;
    let rules = Rules::from(&place.policy);
    let mut folders = clean::list(&place.home, &rules).map_err(Failure::from)?;
    if let Some(id) = &args.id {
        // The folder's own name will do too: it is what one sees.
        let name = SessionId::new(id).dir_name().to_owned();
        folders.retain(|f| f.name == name || f.name == *id);
        if folders.is_empty() {
            let text = format!("no session {id:?} has a scratch folder");
            return Err(Failure::msg(Kind::Missing, "session_missing", text).hint("wsguard session lists them").into());
        }
    }
    if args.clean {
        operator_only("session --clean")?;
        return remove(args, &place, folders);
    }
    // The doctor's own is no agent's; who names it sees it, and so does cleaning.
    let probed = |f: &Folder| f.owner.as_ref().is_some_and(|owner| owner.session_id == PROBE_SESSION);
    let shown: Vec<Shown> = folders.iter().filter(|f| args.id.is_some() || !probed(f)).map(Shown::of).collect();
    match (&args.id, shown.first()) {
        (Some(_), Some(one)) if args.json => output::print_json(one)?,
        (Some(_), Some(one)) => details(one)?,
        _ if args.json => output::print_json(&shown)?,
        (_, None) => output::println("No sessions.")?,
        _ => output::println(table(&shown))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn table(shown: &[Shown]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["SESSION", "STATE", "HARNESS", "LAST EVENT", "SIZE", "PROJECT"]);
    for one in shown {
        let session = one.session_id.as_ref().map_or_else(|| format!("? {}", one.path), |id| short(id));
        let event = one.last_event.clone();
        table.add_row([session, word(one.state).into(), one.harness.clone(), event, size(&one.size), one.cwd.clone()]);
    }
    table
}

/// An id on one line: it may hold anything.
fn short(id: &str) -> String {
    let text = id.escape_debug().to_string();
    if text.chars().count() <= 64 { text } else { text.chars().take(63).chain(['…']).collect() }
}

fn details(one: &Shown) -> anyhow::Result<()> {
    let session = one.session_id.as_deref().map_or_else(|| "unknown".to_owned(), short);
    let rows = [
        ("session", session),
        ("scratch", one.path.clone()),
        ("state", word(one.state).to_owned()),
        ("harness", one.harness.clone()),
        ("project", one.cwd.clone()),
        ("created", one.created_at.clone()),
        ("last event", one.last_event.clone()),
        ("size", size(&one.size)),
        ("kept", one.keep.map(why).unwrap_or_default().to_owned()),
    ];
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        output::println(format_args!("{name:<11} {value}"))?;
    }
    Ok(())
}

fn word(life: Life) -> &'static str {
    match life {
        Life::Live => "live",
        Life::Ended => "ended",
        Life::Stale => "stale",
    }
}

fn why(keep: Keep) -> &'static str {
    match keep {
        Keep::NoOwner => "it has no valid owner file",
        Keep::Foreign => "its owner file names another session",
        Keep::OtherUser => "it belongs to another user",
        Keep::Record => "its session's record is damaged",
    }
}

fn size(size: &Size) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let scaled = |unit: u64| size.bytes as f64 / unit as f64;
    let text = match size.bytes {
        0..1024 => format!("{} B", size.bytes),
        1024..1_048_576 => format!("{:.1} KiB", scaled(1 << 10)),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", scaled(1 << 20)),
        _ => format!("{:.1} GiB", scaled(1 << 30)),
    };
    let more = if size.partial { "more than " } else { "" };
    let files = if size.files == 1 { "file" } else { "files" };
    format!("{more}{text} in {} {files}", size.files)
}

/// Removes what may be removed, after asking.
fn remove(args: &Args, place: &Place, mut folders: Vec<Folder>) -> anyhow::Result<ExitCode> {
    let rules = Rules::from(&place.policy);
    let mut failed = false;
    if args.id.is_none() {
        // What an earlier removal had to leave.
        if let Err(error) = clean::resume_removals(&place.home, &rules, MAX_CLEAN_ENTRIES) {
            failed = true;
            output::error(&super::failure::show(&Failure::from(error).into()));
        }
        folders.retain(|f| f.life == Life::Stale);
        let (ours, kept): (Vec<_>, Vec<_>) = folders.into_iter().partition(|f| f.keep.is_none());
        for folder in &kept {
            let reason = folder.keep.map(why).unwrap_or_default();
            output::warn(format_args!("{} stays: {reason}", folder.path.display()));
        }
        folders = ours;
    }
    if folders.is_empty() {
        if failed {
            return Ok(ExitCode::FAILURE);
        }
        output::println("Nothing to remove.")?;
        return Ok(ExitCode::SUCCESS);
    }
    if !args.yes {
        let shown: Vec<Shown> = folders.iter().map(Shown::of).collect();
        output::complain(format_args!("{}\n", table(&shown)));
        if !confirmed(folders.len())? {
            output::println("Nothing was removed.")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    for folder in &folders {
        match clean::remove(&place.home, &rules, folder, MAX_CLEAN_ENTRIES) {
            Ok(()) => output::println(format_args!("Removed: {}", folder.path.display()))?,
            Err(error) => {
                failed = true;
                output::error(&super::failure::show(&Failure::from(error).into()));
            }
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn confirmed(count: usize) -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        let failure = Failure::msg(Kind::Usage, "not_confirmed", "removing needs a yes, and no terminal can give it");
        return Err(failure.hint("add --yes").into());
    }
    output::complain(format_args!("Remove {count} folder(s) for good? [y/N] "));
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

#[cfg(test)]
mod tests {
    use super::{Size, short, size};

    #[test]
    fn sizes() {
        let check = |bytes, want: &str| assert_eq!(size(&Size { bytes, files: 2, ..Size::default() }), want);
        check(0, "0 B in 2 files");
        check(1023, "1023 B in 2 files");
        check(1536, "1.5 KiB in 2 files");
        check(3 << 30, "3.0 GiB in 2 files");
    }

    #[test]
    fn ids_stay_on_their_line() {
        assert_eq!(short("a\nb\u{1b}[31m"), "a\\nb\\u{1b}[31m");
        assert_eq!(short(&"x".repeat(100)).chars().count(), 64);
    }
}
