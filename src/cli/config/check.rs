//! `wsguard config check`: everything that is wrong.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value as Json, json};

use crate::cli::failure::{Failure, Kind};
use crate::cli::output;
use crate::config::{ConfigError, check_file, load_all, process_env};

/// Names everything that is wrong with the configuration, or with one file.
///
/// Without FILE: the operator's file, the environment and the project's file. Exits with 1 when something is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard config check ./profiles/ci.toml")]
pub(super) struct Args {
    /// A file to check instead.
    file: Option<PathBuf>,
    /// The project whose `.wsguard.toml` counts; the current folder where it is left out.
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    project: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (errors, warnings) = match &args.file {
        Some(file) => (one_file(file)?, Vec::new()),
        None => in_force(args.project.as_ref())?,
    };
    if args.json {
        let errors: Vec<Json> = errors.iter().map(super::error_json).collect();
        output::print_json(&json!({ "errors": errors, "warnings": warnings }))?;
    } else {
        super::print_errors(&errors)?;
        warnings.iter().for_each(output::warn);
        if errors.is_empty() {
            output::println("the configuration is sound")?;
        }
    }
    Ok(if errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn one_file(file: &Path) -> anyhow::Result<Vec<ConfigError>> {
    let missing = || Failure::msg(Kind::Missing, "config_missing", format!("{} is not there", file.display()));
    Ok(check_file(file, super::context()).ok_or_else(missing)?)
}

fn in_force(project: Option<&PathBuf>) -> anyhow::Result<(Vec<ConfigError>, Vec<String>)> {
    let (home, project) = (super::home()?, super::project(project)?);
    let loaded = load_all(&home, Some(&project), &process_env);
    let mut warnings = super::misspelt_variables();
    warnings.extend(super::show::ignored(&loaded, None).map(super::show::notice));
    Ok((loaded.errors, warnings))
}
