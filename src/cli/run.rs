//! `wsguard run`: starts a program in a session of its own.

#[cfg(any(windows, test))]
mod program;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher as _, RandomState};
use std::process::{Command, ExitCode, ExitStatus};

use super::env::variables;
use super::failure::{self, Failure, Kind};
use super::output;
use super::place::Place;
use crate::ledger::Journal;
use crate::ledger::journal::{Entry, Kind as Event};
use crate::session::{ScratchError, SessionMeta};

/// Starts a program with TEMP, TMP and TMPDIR pointing at HOME/cache/tmp and a scratch folder, `WSGUARD_SCRATCH`.
///
/// Ends with the program's exit code, or 128 and the number of the signal that ended it; 126 where it can't be
/// started, 127 where there is none.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard run -- gemini --prompt 'tidy up'")]
pub struct Args {
    /// The session; a new one where none is named.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Some((program, rest)) = args.command.split_first() else {
        return Err(Failure::msg(Kind::Usage, "no_command", "no program is named").into());
    };
    let place = Place::find()?;
    let session = args.session.clone().unwrap_or_else(new_id);
    let scratch = place.scratch(&session);
    let meta = SessionMeta { harness: "run", cwd: &place.cwd, pid: Some(std::process::id()) };
    scratch.begin(&meta).map_err(Failure::from)?;
    let variables = variables(&place, Some(&session))?;
    let journal = Journal::at(&place.home);
    let note = |kind| {
        let entry = Entry { harness: "run", path: Some(&place.cwd), ..Entry::new(kind, &session) };
        if let Err(error) = journal.append(&entry) {
            output::warn(error);
        }
    };
    note(Event::SessionStart);
    let mut command = Command::new(found(program));
    command.args(rest).envs(variables);
    let code = match command.spawn() {
        Ok(mut child) => {
            crate::sys::relay_signals(child.id());
            let status = child.wait()?;
            // Its number may be given to another process from here on.
            crate::sys::relay_signals(0);
            code(status)
        }
        Err(error) => {
            let (code, hint) = match error.kind() {
                std::io::ErrorKind::NotFound => (127, "check the spelling, or give the program's full path"),
                _ => (126, "check that it is a program and may be executed"),
            };
            let failure =
                Failure::msg(Kind::Io, "not_started", format_args!("cannot start {}: {error}", program.display()));
            output::error(&failure::show(&failure.hint(hint).into()));
            code
        }
    };
    note(Event::SessionEnd);
    match scratch.end() {
        Ok(()) | Err(ScratchError::Foreign { .. }) => {}
        Err(error) => output::warn(error),
    }
    Ok(ExitCode::from(code))
}

/// The file that `program` names. On Windows most programs of the npm world are scripts for cmd, which are found as
/// shells find them.
fn found(program: &OsStr) -> Cow<'_, OsStr> {
    #[cfg(windows)]
    if let Some(file) = program::find(program, &std::env::var_os("PATH").unwrap_or_default()) {
        return Cow::Owned(file.into_os_string());
    }
    Cow::Borrowed(program)
}

/// The exit code that shells give for a status.
fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(u8::MAX);
    }
    // Windows has codes beyond 255; none of them may look like success.
    status.code().map_or(1, |code| u8::try_from(code).unwrap_or(u8::MAX))
}

/// An id that no other session has: a random UUID (version 4).
fn new_id() -> String {
    // Two hashers with random keys of their own; the standard library seeds them from the system.
    let [a, b] = [0, 1].map(|n| RandomState::new().hash_one((n, std::process::id(), std::time::SystemTime::now())));
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xfff,
        b >> 48 & 0x3fff | 0x8000,
        b & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::new_id;
    use crate::session::SessionId;

    #[test]
    fn new_ids_are_plain_and_differ() {
        let (a, b) = (new_id(), new_id());
        assert_ne!(a, b);
        assert_eq!(a.len(), 36);
        assert_eq!(SessionId::new(&a).dir_name(), a);
    }
}
