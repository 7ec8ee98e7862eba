//! `wsguard corpus`: the path guard, asked about lists of paths.

mod base64;
mod judge;

use std::process::ExitCode;

/// Judges paths by the path guard.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  echo '{\"id\":1,\"path_b64\":\"Li4vZXRj\"}' | wsguard corpus judge")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Judge(judge::Args),
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Judge(args) => judge::run(args),
    }
}
