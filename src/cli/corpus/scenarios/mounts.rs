//! Bind mounts, made in name spaces of a process of our own so that they need no rights and nobody sees them.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output};

use super::super::super::output;
use super::hazards::code;
use super::place::Place;
use super::run::{MOUNTS as HAZARD, Tried};
use crate::contained::{ContainedError, Root, Way};
use crate::path::guard::{Refusal, Rules};

/// How the script below ends where a mount can't be made.
const NO_MOUNT: i32 = 91;

/// Mounts the folder outside and the file in it below the root, then hands over to this program.
const SCRIPT: &str = r#"mount --bind "$1" "$2/mount" && mount --bind "$1/loot" "$2/file" || exit 91
shift 2; exec "$@""#;

/// What the answer says of a way that the system lacks.
const UNSUPPORTED: &str = "unsupported";

type Try = (&'static str, fn(&Root) -> Result<(), ContainedError>);

const TRIES: [Try; 6] = [
    ("read below a bind mount", |root| root.read(b"mount/loot", 9).map(drop)),
    ("read a file that is a bind mount", |root| root.read(b"file", 9).map(drop)),
    ("write a new file below a bind mount", |root| root.create(b"mount/new", b"x")),
    ("write behind a bind mount and missing folders", |root| root.create(b"mount/a/b/c", b"x")),
    ("remove a file below a bind mount", |root| root.remove(b"mount/loot")),
    ("list a bind mount", |root| root.list(Some(b"mount"), 9).map(drop)),
];

/// Tries them in a process of their own.
pub(super) fn run(tried: &mut Tried, place: &Place) -> io::Result<()> {
    if !cfg!(target_os = "linux") {
        tried.skip(HAZARD, &"this system has no mounts for one process alone");
        return Ok(());
    }
    fs::create_dir(place.workspace.join("mount"))?;
    fs::write(place.workspace.join("file"), "")?;
    match unshare().arg("true").output() {
        Ok(out) if out.status.success() => {}
        Ok(out) => {
            tried.skip(HAZARD, &first_line(&out));
            return Ok(());
        }
        Err(error) => {
            tried.skip(HAZARD, &format!("unshare: {error}"));
            return Ok(());
        }
    }
    let words = [&place.outside, &place.workspace, &std::env::current_exe()?];
    let mut command = unshare();
    command.args(["sh", "-c", SCRIPT, "sh"]).args(words).args(["corpus", "mounted", "--root"]).arg(&place.workspace);
    let out = command.output()?;
    if out.status.code() == Some(NO_MOUNT) {
        tried.skip(HAZARD, &first_line(&out));
        return Ok(());
    }
    let text = String::from_utf8_lossy(&out.stdout);
    let mut answers = text.lines();
    for way in Way::ALL {
        for (name, _) in TRIES {
            let got = answers.next().unwrap_or("no answer");
            // That the system lacks a way was said with the links.
            if got != UNSUPPORTED {
                let passed = got == Refusal::EscapesViaLink.code();
                tried.ended(HAZARD, &format!("{name} ({})", way.name()), passed, got);
            }
        }
    }
    let changes = place.changes()?;
    tried.ended(HAZARD, "nothing outside changed", changes.is_empty(), changes);
    Ok(())
}

fn unshare() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "--"]);
    command
}

fn first_line(out: &Output) -> String {
    let text = String::from_utf8_lossy(&out.stderr);
    text.lines().next().map_or_else(|| out.status.to_string(), str::to_owned)
}

/// Used by `corpus run` alone, below mounts of its own: one answer a line.
#[derive(Debug, clap::Args)]
pub(in super::super) struct Args {
    #[arg(long, value_name = "DIR")]
    root: PathBuf,
}

/// Runs the hidden subcommand.
pub(in super::super) fn answer(args: &Args) -> anyhow::Result<ExitCode> {
    for way in Way::ALL {
        let root = Root::open_by(&args.root, Rules::Portable, way);
        for (_, attempt) in TRIES {
            output::println(root.as_ref().map_or(UNSUPPORTED, |root| code(attempt(root))))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
