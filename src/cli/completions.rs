//! `wsguard completions`: completions for a shell, which asks this program for them while one types.

use std::process::ExitCode;

use clap::{CommandFactory as _, ValueEnum};
use clap_complete::env::{Bash, CompleteEnv, Elvish, EnvCompleter, Fish, Powershell, Zsh};

use super::{app::Cli, output};

/// The variable by which a shell asks for completions.
const VARIABLE: &str = "WSGUARD_COMPLETE";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

/// Prints what makes a shell complete commands, options and ids of trash items.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard completions bash > ~/.local/share/bash-completion/completions/wsguard")]
pub struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let shell: &dyn EnvCompleter = match args.shell {
        Shell::Bash => &Bash,
        Shell::Elvish => &Elvish,
        Shell::Fish => &Fish,
        Shell::Powershell => &Powershell,
        Shell::Zsh => &Zsh,
    };
    let mut text = Vec::new();
    shell.write_registration(VARIABLE, "wsguard", "wsguard", "wsguard", &mut text)?;
    output::print_bytes(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Answers a shell that asks for completions; whether one did.
pub(super) fn answer() -> anyhow::Result<bool> {
    if std::env::var_os(VARIABLE).is_none() {
        return Ok(false);
    }
    let cwd = std::env::current_dir().ok();
    Ok(CompleteEnv::with_factory(Cli::command).var(VARIABLE).try_complete(std::env::args_os(), cwd.as_deref())?)
}
