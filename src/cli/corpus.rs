//! `wsguard corpus`: the path guard and the escape corpus.

mod base64;
mod judge;
mod list;
mod run;
mod scenarios;

use std::process::ExitCode;

/// Judges paths by the path guard, and holds folders against the escape corpus.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  echo '{\"id\":1,\"path_b64\":\"Li4vZXRj\"}' | wsguard corpus judge")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Judge(judge::Args),
    List(list::Args),
    Run(run::Args),
    #[cfg(unix)]
    #[command(hide = true)]
    Mounted(scenarios::mounts::Args),
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Judge(args) => judge::run(args),
        Command::List(args) => list::run(args),
        Command::Run(args) => run::run(args),
        #[cfg(unix)]
        Command::Mounted(args) => scenarios::mounts::answer(args),
    }
}
