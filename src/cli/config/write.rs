//! `wsguard config set` and `unset`: one line changes, all other bytes stay.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;

use crate::cli::failure::{Failure, Kind};
use crate::cli::output;
use crate::cli::place::operator_only;
use crate::config::{ConfigError, Key, check_text, read_file, typed, with_value, without};
use crate::home::Home;
use crate::ledger::files::Lock;

const HEADER: &str = "\
# workspace-guard: the operator's configuration.
# `wsguard config list` explains every setting, `wsguard config show` says what is in force.

";

/// Sets a value in the operator's file, which is created where it is missing.
///
/// Comments, order and all other lines stay as they are.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard config set allow_roots '[\"~/notes\", \"/srv/data\"]'")]
pub(super) struct SetArgs {
    /// The setting.
    key: String,
    /// Its value: TOML, or the bare word.
    #[arg(allow_hyphen_values = true)]
    value: String,
}

/// Removes a setting from the operator's file, so that the layers below count again.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard config unset action")]
pub(super) struct UnsetArgs {
    /// The setting.
    key: String,
}

pub(super) fn set(args: &SetArgs) -> anyhow::Result<ExitCode> {
    operator_only("config set")?;
    let key = super::key(&args.key)?;
    let value = typed(key, &args.value, super::context()).map_err(super::failure)?;
    let home = super::home()?;
    change(&home, |path, text| {
        let fresh = if path.exists() { text } else { HEADER };
        with_value(path, fresh, key, &value).map(Some)
    })?;
    output::println(format_args!("{} = {value}", key.name()))?;
    overridden(key);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn unset(args: &UnsetArgs) -> anyhow::Result<ExitCode> {
    operator_only("config unset")?;
    let key = super::key(&args.key)?;
    let home = super::home()?;
    let changed = home.path().is_dir() && change(&home, |path, text| without(path, text, key))?;
    let done = if changed { "is no longer set" } else { "was not set" };
    output::println(format_args!("{} {done} in {}", key.name(), home.config().display()))?;
    overridden(key);
    Ok(ExitCode::SUCCESS)
}

/// A variable that outranks what was just written must not be overlooked.
fn overridden(key: Key) {
    let name = key.env_name();
    if std::env::var_os(&name).is_some_and(|value| !value.is_empty()) {
        output::warn(format_args!("{name} is set and outranks the file"));
    }
}

/// Reads, changes and replaces the file, one writer at a time. Returns whether anything changed.
fn change(home: &Home, edit: impl FnOnce(&Path, &str) -> Result<Option<String>, ConfigError>) -> anyhow::Result<bool> {
    make_folder(home.path()).with_context(|| format!("making {}", home.path().display()))?;
    let lock = lock(home)?;
    let path = real_path(&home.config())?;
    let old = read_file(&path).map_err(super::failure)?.unwrap_or_default();
    let Some(new) = edit(&path, &old).map_err(super::failure)? else { return Ok(false) };
    refuse_new_errors(&path, &old, &new)?;
    if new != old {
        replace(&path, &new).with_context(|| format!("writing {}", path.display()))?;
    }
    // Held until the file is in place.
    drop(lock);
    Ok(new != old)
}

fn make_folder(path: &Path) -> io::Result<()> {
    crate::ledger::files::create_private_dir(path)
}

/// The lock is a file of its own, never removed: the configuration itself is replaced, and a lock on it with it.
fn lock(home: &Home) -> anyhow::Result<Lock> {
    let path = home.path().join("config.lock");
    Lock::acquire(&path).map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::TimedOut => "another wsguard changes the settings; try again when it has ended",
            _ => "check the permissions of the file and of its folder, or set WSGUARD_HOME",
        };
        Failure::msg(Kind::Io, "config_lock", format_args!("cannot lock {}: {error}", path.display())).hint(hint).into()
    })
}

/// Where the bytes are: a link, as dotfile managers make them, stays a link.
fn real_path(config: &Path) -> anyhow::Result<PathBuf> {
    if !config.is_symlink() {
        return Ok(config.to_owned());
    }
    crate::sys::real_path(config).with_context(|| format!("following {}", config.display()))
}

/// A change may leave old mistakes alone, but it may not add one.
fn refuse_new_errors(path: &Path, old: &str, new: &str) -> anyhow::Result<()> {
    let before: Vec<String> = check_text(path, old, super::context()).iter().map(|e| e.problem().to_string()).collect();
    let mut added = check_text(path, new, super::context());
    added.retain(|e| !before.contains(&e.problem().to_string()));
    match added.into_iter().next() {
        Some(error) => Err(super::failure(error).into()),
        None => Ok(()),
    }
}

/// Atomic, in the same folder, with the permissions and owner that the file had.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".config-").suffix(".toml").tempfile_in(dir)?;
    file.write_all(text.as_bytes())?;
    match fs::metadata(path) {
        Ok(meta) if meta.permissions().readonly() => {
            let failure = Failure::msg(Kind::Denied, "config_read_only", "the file is write-protected");
            return Err(failure.hint("make it writable first").into());
        }
        Ok(meta) => {
            keep_rights(path, &meta, &file)?;
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) => return Err(e.into()),
    }
    file.as_file().sync_all()?;
    let written = file.into_temp_path().keep().map_err(|e| e.error)?;
    crate::sys::rename_over(&written, path).inspect_err(|_| drop(fs::remove_file(&written)))?;
    #[cfg(unix)]
    fs::File::open(dir)?.sync_all()?;
    Ok(())
}

#[cfg(unix)]
fn keep_rights(_path: &Path, old: &fs::Metadata, file: &tempfile::NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let file = file.as_file();
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid()))?;
    }
    file.set_permissions(old.permissions())
}

#[cfg(windows)]
fn keep_rights(path: &Path, _old: &fs::Metadata, file: &tempfile::NamedTempFile) -> io::Result<()> {
    match crate::sys::copy_access(path, file.path()) {
        // A file system without lists.
        Err(e) if e.kind() == io::ErrorKind::Unsupported => Ok(()),
        outcome => outcome,
    }
}
