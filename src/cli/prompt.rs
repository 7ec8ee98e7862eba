//! `wsguard prompt`: what an agent is told about its place.

use std::process::ExitCode;

use super::output;
use super::place::Place;
use crate::session::{Snippet, snippet, temp};

/// Prints the workspace rules for an agent, for harnesses that can't ask for them at a session's start.
///
/// The scratch folder that they name is created first. Without a session the current folder has one of its own.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard prompt --session s1 >> GEMINI.md")]
pub struct Args {
    /// The session, as the harness spells its id.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let place = Place::find()?;
    let session = Place::session(args.session.as_deref()).unwrap_or_else(|| format!("project:{}", place.cwd));
    let scratch = place.scratch(&session);
    let owner = place.ensure(&scratch)?;
    let temp = if place.policy.redirect_temp { temp::prepare(&place.home).ok() } else { None };
    let text = snippet(&Snippet {
        scratch: &scratch.path().to_string_lossy(),
        exists: true,
        temp: temp.as_deref().filter(|t| std::env::var("TMPDIR").is_ok_and(|v| v == *t)),
        project: Some(owner.cwd.as_str()).filter(|p| place.is_project(p)),
    });
    output::print(text)?;
    Ok(ExitCode::SUCCESS)
}
