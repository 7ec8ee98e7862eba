//! `wsguard watch`: follows what appears on the watched folders.

use std::process::ExitCode;

use super::failure::{Failure, Kind};
use super::ledger::grade;
use super::looking::Looking;
use super::output;
use super::place::Place;
use super::units::one_line;
use crate::ledger::journal::{Event, Kind as Line};
use crate::scan::{WatchError, Watched, watch};
use crate::sys::{interrupted, on_interrupt};

/// Shows what appears on the watched folders as it happens, with the session that made it. Ctrl-C ends it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  wsguard watch\n  wsguard watch --json | jq .path")]
pub struct Args {
    /// Print JSON, one object a line.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    on_interrupt();
    let place = Place::find()?;
    let home = place.home.clone();
    let looking = Looking::new(place);
    let outcome = watch(&home, &looking.roots(), interrupted(), || looking.look(), |watched| show(watched, args.json));
    outcome.map_err(|error: anyhow::Error| match error.downcast::<WatchError>() {
        Ok(error) => Failure::from(error).into(),
        Err(other) => other,
    })?;
    Ok(ExitCode::SUCCESS)
}

fn show(watched: Watched, as_json: bool) -> anyhow::Result<()> {
    match watched {
        Watched::Ready => output::hint("watching; Ctrl-C ends it"),
        Watched::Unnoticed(folder, why) => output::warn(format_args!(
            "no notices of changes in {}: {why}; it is looked at every few seconds",
            folder.display()
        )),
        Watched::Line(event) if !is_shown(event.kind) => {}
        Watched::Line(event) if as_json => output::println(serde_json::to_string(&*event)?)?,
        Watched::Line(event) => output::println(text(&event))?,
    }
    Ok(())
}

fn is_shown(kind: Line) -> bool {
    matches!(kind, Line::Appeared | Line::Changed | Line::Vanished | Line::Transient | Line::Notice)
}

fn text(event: &Event) -> String {
    let path = one_line(event.path.as_deref().unwrap_or_default(), 400);
    let what = match event.kind {
        Line::Appeared => "appeared",
        Line::Changed => "changed",
        Line::Vanished => "vanished",
        Line::Transient => "came and went in",
        _ => return format!("{}  {}  {path}  {}", event.time, event.code, one_line(&event.text, 400)),
    };
    let attribution = &event.observed.attribution;
    let maker = match (&*event.session, attribution.candidates.len()) {
        ("", 0) => String::new(),
        ("", several) => format!(", one of {several} calls"),
        (session, _) => format!(", session {}", one_line(session, 80)),
    };
    let command = one_line(&event.excerpt, 120);
    format!("{}  {what}  {path}  {}{maker}  {command}", event.time, grade(attribution.grade)).trim_end().to_owned()
}

impl From<WatchError> for Failure {
    fn from(error: WatchError) -> Self {
        match error {
            WatchError::Index(error) => error.into(),
            WatchError::Ledger(error) => error.into(),
            WatchError::Notices(_) => Self::new(Kind::Io, "watch_notices", error)
                .hint("raise fs.inotify.max_user_instances, or use `wsguard scan`"),
        }
    }
}
