//! `wsguard uninstall`: removes the hook's registration from a harness.

use std::process::ExitCode;

use super::edit_report::{self, Verb};
use super::place::operator_only;
use super::target::TargetArgs;
use crate::harness::hooks::install::{Mode, uninstall};

/// Removes the hook's registration from a harness.
///
/// For the operator. Nothing else in the harness's settings is touched.
/// A settings file that the registration made stays, as an empty object.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wsguard uninstall claude-code
  wsguard uninstall codex
  wsguard uninstall claude-code --scope project --dry-run")]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if !args.target.dry_run {
        operator_only("uninstall")?;
    }
    let path = args.target.settings_path()?;
    let mode = if args.target.dry_run { Mode::DryRun } else { Mode::Write };
    let outcome =
        uninstall(&path, args.target.harness.client(), mode, &super::timestamp()).map_err(edit_report::failure)?;
    edit_report::show(&outcome, &args.target, Verb::Uninstall, None)?;
    Ok(ExitCode::SUCCESS)
}
