//! `wsguard config`: shows, checks and changes the settings.

mod check;
mod list;
mod show;
mod write;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value as Json, json};

use super::failure::{Failure, Kind};
use super::output;
use crate::config::{ConfigError, Context, Key, Problem, process_env, summary};
use crate::home::Home;
use crate::path::Model;

/// Shows, checks and changes the settings.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard config set action ask\n\nEvery setting is explained by --help.")]
#[command(after_long_help = format!("Settings:\n\n{}\nExample:\n  wsguard config set action ask", summary()))]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Show(show::Args),
    Set(write::SetArgs),
    Unset(write::UnsetArgs),
    /// Prints the path of the operator's file, which need not exist.
    #[command(after_help = "Example:\n  $EDITOR \"$(wsguard config path)\"")]
    Path,
    Check(check::Args),
    List(list::Args),
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Show(args) => show::run(args),
        Command::Set(args) => write::set(args),
        Command::Unset(args) => write::unset(args),
        Command::Path => path(),
        Command::Check(args) => check::run(args),
        Command::List(args) => list::run(args),
    }
}

fn path() -> anyhow::Result<ExitCode> {
    output::println(home()?.config().display())?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn home() -> anyhow::Result<Home> {
    let missing = || {
        Failure::msg(Kind::Config, "no_home", "no folder to keep anything in: no home folder is known")
            .hint("set WSGUARD_HOME to an absolute path")
    };
    Ok(Home::from_env().ok_or_else(missing)?)
}

fn context() -> Context<'static> {
    Context { model: Model::native(), env: &process_env }
}

/// The project whose file counts: the named folder, else the current one.
fn project(named: Option<&PathBuf>) -> anyhow::Result<PathBuf> {
    Ok(match named {
        Some(dir) => std::path::absolute(dir)?,
        None => super::current_dir()?,
    })
}

fn key(name: &str) -> anyhow::Result<Key> {
    Ok(Key::find(name).ok_or_else(|| failure(ConfigError::unknown_key(name)))?)
}

/// A configuration error as one of the command line. One that was typed is a usage error.
pub(super) fn failure(error: ConfigError) -> Failure {
    let kind = match (error.path(), error.problem()) {
        (Some(_), Problem::Unreadable { .. }) => Kind::Io,
        (Some(_), _) => Kind::Config,
        (None, _) => Kind::Usage,
    };
    let (code, hint) = (error.code(), error.hint());
    Failure::new(kind, code, error).hint(hint)
}

/// An error as data.
fn error_json(error: &ConfigError) -> Json {
    json!({
        "code": error.code(),
        "message": error.to_string(),
        "hint": error.hint(),
        "path": error.path().map(|p| p.to_string_lossy()),
        "variable": error.variable_name(),
        "line": error.line(),
        "column": error.column(),
        "key": error.key(),
        "nearest": error.nearest(),
    })
}

/// Errors as text: `path:line:column: error[code]: what`, and what to do.
fn print_errors(errors: &[ConfigError]) -> anyhow::Result<()> {
    for error in errors {
        let place = match (error.path(), error.line(), error.column()) {
            (Some(path), Some(line), Some(column)) => format!("{}:{line}:{column}: ", path.display()),
            (Some(path), ..) => format!("{}: ", path.display()),
            (None, ..) => error.variable_name().map_or_else(String::new, |name| format!("{name}: ")),
        };
        let label = format!("error[{}]:", error.code());
        output::println(format_args!("{place}{} {}", output::paint(output::BAD, label), error.problem()))?;
        output::println(format_args!("  {} {}", output::paint(output::BOLD, "hint:"), error.hint()))?;
    }
    Ok(())
}

/// Variables of the environment that look like misspelt settings: nothing reads them.
fn misspelt_variables() -> Vec<String> {
    let looks_misspelt = |name: &OsStr| {
        let name = name.to_str()?;
        let setting = name.strip_prefix("WSGUARD_")?.to_ascii_lowercase();
        let nearest = ConfigError::unknown_key(&setting).nearest()?;
        (nearest != setting).then(|| format!("{name} is no setting; did you mean WSGUARD_{}?", nearest.to_uppercase()))
    };
    let mut found: Vec<String> = std::env::vars_os().filter_map(|(name, _)| looks_misspelt(&name)).collect();
    found.sort();
    found
}
