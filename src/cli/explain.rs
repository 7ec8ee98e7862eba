//! `wsguard explain`: what a command would do, and what the gate says to it.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::ValueEnum;

use super::explain_batch::{self, Batch};
use super::explain_view;
use super::failure::{Failure, Kind};
use super::output;
use crate::hook::{Question, explain};
use crate::limits::MAX_COMMAND_BYTES;
use crate::path::Model;
use crate::shell::Dialect;

/// The session that is asked for where none is named; no client gives such an id.
const SESSION: &str = "wsguard-explain";

/// Shows what a shell command would do, and the verdict on it.
///
/// Every effect with the words that cause it. Runs and writes nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wsguard explain 'mkdir -p /srv/data && cp a.txt /srv/data/'
  wsguard explain --cwd ~/project --json 'tar xf x.tar -C ..'
  wsguard explain - < script.sh
  wsguard explain --batch < commands.jsonl
  wsguard explain --batch --world windows.json < commands.jsonl")]
pub struct Args {
    /// The command; `-` reads it from standard input.
    #[arg(allow_hyphen_values = true, required_unless_present = "batch", conflicts_with_all = ["batch", "world"])]
    command: Option<String>,
    /// Read JSON lines {"id", "command", "dialect", "cwd"} from standard input and answer each with a line {"id",
    /// "verdict", "rule", "reason", "corrected", "effects", "gaps"}, or {"id", "error"}; then the exit code is 65.
    #[arg(long)]
    batch: bool,
    /// With --batch: judge in the world that this JSON file describes instead of on this machine. Fields: model
    /// (posix or windows), cwd, project, home, temp, scratch, env, protected (drive letters, or folders), `allowed_roots`,
    /// paths (one that ends with a separator is a folder).
    #[arg(long, value_name = "FILE", requires = "batch")]
    world: Option<PathBuf>,
    /// The folder that it runs in, and its session's project.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// The shell that runs it.
    #[arg(long, value_enum, default_value = "bash")]
    dialect: DialectArg,
    /// A session, for its project, its scratch and its grants.
    #[arg(long, value_name = "ID", default_value = SESSION)]
    session: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DialectArg {
    /// bash, sh, zsh, dash.
    Bash,
    /// Windows `PowerShell` and `PowerShell` 7.
    Powershell,
    /// cmd.exe.
    Cmd,
}

impl From<DialectArg> for Dialect {
    fn from(arg: DialectArg) -> Self {
        match arg {
            DialectArg::Bash => Self::Bash,
            DialectArg::Powershell => Self::PowerShell,
            DialectArg::Cmd => Self::Cmd,
        }
    }
}

/// Runs the subcommand. The exit code says nothing about the verdict.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let cwd = cwd(args)?;
    if args.batch {
        return explain_batch::run(&Batch {
            world: args.world.as_deref(),
            dialect: args.dialect.into(),
            cwd: &cwd,
            session: &args.session,
        });
    }
    let command = match args.command.as_deref() {
        Some("-") => from_stdin()?,
        given => given.unwrap_or_default().to_owned(),
    };
    let question = Question { command: &command, dialect: args.dialect.into(), cwd: &cwd, session: &args.session };
    let explanation = explain(&question).map_err(|error| {
        let hint = error.hint().map(str::to_owned);
        let kind = match error.code() {
            "command_too_long" | "cwd_too_long" => Kind::Data,
            "config_unreadable" => Kind::Io,
            _ => Kind::Config,
        };
        Failure::new(kind, error.code(), error).maybe_hint(hint)
    })?;
    if args.json {
        output::print_json(&explain_view::json(&explanation, &command))?;
    } else {
        output::print(explain_view::text(&explanation, &command))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn from_stdin() -> anyhow::Result<String> {
    let mut text = String::new();
    let limit = MAX_COMMAND_BYTES as u64 + 1;
    std::io::stdin().take(limit).read_to_string(&mut text).context("standard input can't be read as text")?;
    Ok(text)
}

fn cwd(args: &Args) -> anyhow::Result<String> {
    let here = super::current_dir()?;
    let path = args.cwd.as_ref().map_or_else(|| here.clone(), |dir| here.join(dir));
    let text = path.to_str().ok_or_else(|| {
        Failure::msg(Kind::Data, "path_not_text", format_args!("the path {} is not UTF-8", path.display()))
    })?;
    Ok(Model::native().normalize(text))
}
