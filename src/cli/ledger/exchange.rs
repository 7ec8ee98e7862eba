//! `wsguard ledger export` and `import`: the published form of the index.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use super::select::Select;
use crate::cli::allow::operator;
use crate::cli::failure::{Failure, Kind};
use crate::cli::place::operator_only;
use crate::cli::{config, output};
use crate::ledger::files::create_exclusive;
use crate::ledger::index::{Import, export as exported};
use crate::ledger::{Audit, Store, stamp};

/// Writes the index in the published form, as dsh-workspace-mgr reads it.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  wsguard ledger export --state all > index.json\n  wsguard ledger export --output index.json"
)]
pub(super) struct ExportArgs {
    /// Into this file, which must not exist, instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    select: Select,
}

/// Takes over the entries of another index, also that of dsh-workspace-mgr. What is known already is only completed.
/// For the operator; audited.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard ledger import ~/.dsh/workspace-mgr/index.json")]
pub(super) struct ImportArgs {
    /// The other index.
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `export`.
pub(super) fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let opened = Store::at(&config::home()?).read().map_err(Failure::from)?;
    super::warn_all(&opened.warnings);
    let rows = args.select.pick(opened.index.rows(), stamp::now_ms())?;
    let value = exported(rows.into_iter());
    match &args.output {
        None => output::print_json(&value)?,
        Some(path) => write(path, &(serde_json::to_string_pretty(&value)? + "\n"))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let path = super::super::current_dir()?.join(path);
    let new = create_exclusive(&path, text.as_bytes()).map_err(|e| {
        Failure::new(Kind::Io, "export_write", anyhow::Error::new(e).context(path.display().to_string()))
    })?;
    if new {
        return Ok(());
    }
    let text = format!("{} exists and is left alone", path.display());
    Err(Failure::msg(Kind::Usage, "export_exists", text).hint("name a file that does not exist").into())
}

/// Runs `import`.
pub(super) fn import(args: &ImportArgs) -> anyhow::Result<ExitCode> {
    operator_only("ledger import")?;
    let home = config::home()?;
    let import = Import::open(&args.file).map_err(Failure::from)?;
    if import.damaged > 0 {
        output::warn(format_args!("{} holds entries that can't be read; the others are taken", args.file.display()));
    }
    let audit = Audit::at(&home);
    let data = json!({ "file": args.file.to_string_lossy(), "entries": import.len(), "by": operator() });
    let intent = audit.intent("import", &data).map_err(Failure::from)?;
    let outcome = Store::at(&home).update(|index| Ok(import.into_index(index)));
    intent.outcome(&json!({ "ok": outcome.is_ok() })).map_err(Failure::from)?;
    let (done, opened) = outcome.map_err(Failure::from)?;
    super::warn_all(&opened.warnings);
    if args.json {
        output::print_json(&done)?;
    } else {
        let (added, completed, kept) = (done.added, done.completed, done.kept);
        output::println(format_args!(
            "{added} added, {completed} known already, {kept} left alone because something else stands there now."
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
