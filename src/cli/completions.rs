//! `wsguard completions`: completions for a shell.

use std::process::ExitCode;

use clap::CommandFactory as _;

use super::{app::Cli, output};

/// Prints completions for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard completions bash > ~/.local/share/bash-completion/completions/wsguard")]
pub struct Args {
    /// The shell.
    shell: clap_complete::Shell,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wsguard", &mut text);
    output::print_bytes(&text)?;
    Ok(ExitCode::SUCCESS)
}
