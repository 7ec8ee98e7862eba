//! `wsguard install`: registers the hook with a harness.

use std::path::Path;
use std::process::ExitCode;

use super::edit_report::{self, Verb};
use super::failure::{Failure, Kind};
use super::hook_trust::{self, Standing};
use super::output;
use super::place::operator_only;
use super::target::Harness;
use super::target::{Scope, TargetArgs};
use crate::harness::hooks::Form;
use crate::harness::hooks::install::{Mode, Outcome, install};
use crate::harness::program::{fleeting_place, hook_file_name, hook_program, is_executable, on_path};
use crate::path::Model;

/// Registers the hook with a harness.
///
/// Everything else in the harness's settings keeps its bytes, and a copy of the file as it was is left beside it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wsguard install claude-code              your own settings, for every project
  wsguard install claude-code --dry-run    show the change as a diff
  wsguard install codex --trust            and have Codex trust the hook, without which it is off
  wsguard install claude-code --scope project")]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
    /// Codex: also say, in your name, that the hook may run. Codex runs no hook that was not trusted.
    #[arg(long, conflicts_with = "dry_run")]
    trust: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.trust {
        operator_only("install --trust")?;
        if args.target.harness != Harness::Codex {
            let text = "--trust is for Codex: no other client has hooks that must be trusted one by one";
            return Err(Failure::msg(Kind::Usage, "no_trust", text).hint("leave --trust out").into());
        }
    }
    let path = args.target.settings_path()?;
    let command = hook_command()?;
    let form = form(args.target.harness, &command)?;
    let mode = if args.target.dry_run { Mode::DryRun } else { Mode::Write };
    let outcome = install(&path, &form, mode, &super::timestamp()).map_err(edit_report::failure)?;
    let standing = standing(args, &outcome);
    edit_report::show(&outcome, &args.target, Verb::Install, standing.as_ref().and_then(|s| s.as_ref().ok()))?;
    if let Some(place) = fleeting_place(Path::new(&command)) {
        output::warn(format_args!("{command} lies in {place}; when it goes, every tool call is refused"));
        output::hint("install it for good: cargo install --locked --path ., then this command again");
    }
    if args.target.scope == Scope::Project && args.target.settings.is_none() {
        output::warn(
            "the registration names a path of this machine; on others it refuses every call until wsguard is there",
        );
        output::hint(
            "git commands for the whole tree (another branch, reset, stash, clean) can change or remove it; \
             your own settings are out of their reach",
        );
    }
    match standing {
        Some(Err(error)) => Err(error),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// What the client is told to start.
fn form(harness: Harness, command: &str) -> anyhow::Result<Form> {
    match harness {
        Harness::ClaudeCode => Ok(Form::claude(command)),
        Harness::Codex => {
            let found = on_path(&hook_file_name()).map(|path| path.to_string_lossy().into_owned());
            Form::codex(Model::native(), command, found.as_deref()).map_err(|error| {
                let hint = error.hint();
                Failure::new(Kind::Data, "hook_line", error).hint(hint).into()
            })
        }
    }
}

/// How what was written stands with a client that wants it trusted.
fn standing(args: &Args, outcome: &Outcome) -> Option<anyhow::Result<Standing>> {
    match args.target.harness {
        Harness::ClaudeCode => None,
        Harness::Codex if args.target.dry_run => None,
        Harness::Codex => Some(if args.trust { hook_trust::trust(outcome) } else { hook_trust::recorded(outcome) }),
    }
}

/// The hook program's path as it is registered.
fn hook_command() -> anyhow::Result<String> {
    let path = hook_program()?;
    if !is_executable(&path) {
        let text = format!("the hook program {} is not there or can't be run", path.display());
        return Err(Failure::msg(Kind::Missing, "hook_missing", text)
            .hint("both programs belong in one folder: cargo install --locked --path . puts them there")
            .into());
    }
    path.into_os_string().into_string().map_err(|path| {
        let text = format!("the path {} is not UTF-8, so no settings file can name it", path.display());
        Failure::msg(Kind::Data, "hook_path", text).hint("install it in another folder").into()
    })
}
