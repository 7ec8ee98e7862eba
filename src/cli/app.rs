//! The frame: which subcommands there are, and how their failures end.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::failure::{self, Kind};
use super::{
    allow, audit, completions, config, corpus, doctor, env, explain, grants, hook, install, ledger, output, prompt,
    recycle, revoke, run, scan, session, status, trash, uninstall, watch,
};

/// Keeps the work of AI coding agents where it belongs.
#[derive(Debug, Parser)]
#[command(name = "wsguard", version, max_term_width = 100)]
#[command(after_help = "Example:\n  wsguard install claude-code && wsguard doctor")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Explain(explain::Args),
    Install(install::Args),
    Uninstall(uninstall::Args),
    Doctor(doctor::Args),
    Status(status::Args),
    Session(session::Args),
    Env(env::Args),
    Prompt(prompt::Args),
    Run(run::Args),
    Allow(allow::Args),
    Grants(grants::Args),
    Revoke(revoke::Args),
    Scan(scan::Args),
    Watch(watch::Args),
    Ledger(ledger::Args),
    Recycle(recycle::Args),
    Trash(trash::Args),
    Audit(audit::Args),
    Config(config::Args),
    Corpus(corpus::Args),
    Hook(hook::Args),
    Completions(completions::Args),
}

impl Command {
    fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Explain(args) => explain::run(&args),
            Self::Install(args) => install::run(&args),
            Self::Uninstall(args) => uninstall::run(&args),
            Self::Doctor(args) => doctor::run(&args),
            Self::Status(args) => status::run(&args),
            Self::Hook(args) => Ok(hook::run(&args)),
            Self::Session(args) => session::run(&args),
            Self::Env(args) => env::run(&args),
            Self::Prompt(args) => prompt::run(&args),
            Self::Run(args) => run::run(&args),
            Self::Allow(args) => allow::run(&args),
            Self::Grants(args) => grants::run(&args),
            Self::Revoke(args) => revoke::run(&args),
            Self::Scan(args) => scan::run(&args),
            Self::Watch(args) => watch::run(&args),
            Self::Ledger(args) => ledger::run(&args),
            Self::Recycle(args) => recycle::run(&args),
            Self::Trash(args) => trash::run(&args),
            Self::Audit(args) => audit::run(&args),
            Self::Completions(args) => completions::run(&args),
            Self::Config(args) => config::run(&args),
            Self::Corpus(args) => corpus::run(&args),
        }
    }
}

/// Runs the command line of this process.
///
/// Exit codes: 0 done, 1 the answer is no (`doctor` found something), 130 called off with Ctrl-C (`scan`), else one of [`Kind`]; never 2.
pub fn main() -> ExitCode {
    match completions::answer() {
        Ok(false) => {}
        answered => return finish(answered.map(|_| ExitCode::SUCCESS)),
    }
    match Cli::try_parse() {
        Ok(cli) => finish(cli.command.run()),
        Err(error) => usage(&error),
    }
}

fn finish(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if failure::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let shown = failure::show(&error);
            output::error(&shown);
            shown.kind.exit_code()
        }
    }
}

/// Help and version are answers; everything else that the parser reports is a usage error.
fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render();
    if error.use_stderr() {
        output::complain(format_args!("{}", text.ansi()));
        return Kind::Usage.exit_code();
    }
    finish(output::print(text.ansi()).map(|()| ExitCode::SUCCESS))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_help_has_an_example() {
        let mut todo = vec![Cli::command()];
        while let Some(command) = todo.pop() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "{} has no example", command.get_name());
            // What the program calls itself is nobody's to read about.
            todo.extend(command.get_subcommands().filter(|sub| !sub.is_hide_set()).cloned());
        }
    }
}
