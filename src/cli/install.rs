//! `wsguard install`: registers the hook with a harness.

use std::path::Path;
use std::process::ExitCode;

use super::edit_report::{self, Verb};
use super::failure::{Failure, Kind};
use super::output;
use super::target::{Scope, TargetArgs};
use crate::harness::claude::install::{Mode, install};
use crate::harness::program::{fleeting_place, hook_program, is_executable};

/// Registers the hook with a harness.
///
/// Everything else in the harness's settings keeps its bytes, and a copy of the file as it was is left beside it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wsguard install claude-code              your own settings, for every project
  wsguard install claude-code --dry-run    show the change as a diff
  wsguard install claude-code --scope project")]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let path = args.target.settings_path()?;
    let command = hook_command()?;
    let mode = if args.target.dry_run { Mode::DryRun } else { Mode::Write };
    let outcome = install(&path, &command, mode, &super::timestamp()).map_err(edit_report::failure)?;
    edit_report::show(&outcome, &args.target, Verb::Install)?;
    if let Some(place) = fleeting_place(Path::new(&command)) {
        output::warn(format_args!("{command} lies in {place}; when it goes, every tool call is refused"));
        output::hint("install it for good: cargo install --locked --path . && wsguard install claude-code");
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
    Ok(ExitCode::SUCCESS)
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
