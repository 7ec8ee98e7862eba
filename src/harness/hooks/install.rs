//! Registration as one operation on a settings file.

use std::path::{Path, PathBuf};

use super::form::Form;
use super::register::{Done, register, unregister};
use crate::harness::Client;
use crate::harness::settings::{JsonText, SettingsError, SettingsFile};

/// Whether the file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It is.
    Write,
    /// Only what would change is worked out.
    DryRun,
}

/// What a registration or its removal did, or would do.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The settings file.
    pub path: PathBuf,
    /// Whether there was a file.
    pub existed: bool,
    /// Its text before.
    pub before: String,
    /// Its text afterwards.
    pub after: String,
    /// What was done, event by event; empty where nothing had to be.
    pub done: Vec<Done>,
    /// The copy of the file as it was.
    pub backup: Option<PathBuf>,
    /// Remarks on the file that the user should know.
    pub remarks: Vec<Remark>,
}

/// Something about a settings file that keeps a correct registration from working.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Clients ignore a settings file with comments, all of it (Claude Code 2.1.332, Codex 0.171.0).
    Comments,
    /// Codex 0.171.0 ignores a file of hooks with further keys beside `hooks`, all of it.
    ForeignKey,
    /// `"disableAllHooks": true`.
    HooksDisabled,
}

/// Registers the hook in the settings file at `path`, in the form of its client. `now` names the backup.
pub fn install(path: &Path, form: &Form, mode: Mode, now: &str) -> Result<Outcome, SettingsError> {
    edit(path, form.client, mode, now, |doc| register(doc, path, form))
}

/// Removes our entries from the settings file at `path`. A file that the registration made stays, as `{}`.
pub fn uninstall(path: &Path, client: Client, mode: Mode, now: &str) -> Result<Outcome, SettingsError> {
    edit(path, client, mode, now, |doc| unregister(doc, path, client))
}

fn edit(
    path: &Path,
    client: Client,
    mode: Mode,
    now: &str,
    change: impl FnOnce(&mut JsonText) -> Result<Vec<Done>, SettingsError>,
) -> Result<Outcome, SettingsError> {
    // Read before the lock as well: a file that can't be edited is refused before its folder is made.
    let mut file = SettingsFile::read(path)?;
    let lock = match mode {
        Mode::Write => Some(SettingsFile::lock(path)?),
        Mode::DryRun => None,
    };
    if lock.is_some() {
        file = SettingsFile::read(path)?;
    }
    let mut doc =
        JsonText::parse(file.text()).map_err(|source| SettingsError::Syntax { path: path.to_owned(), source })?;
    let done = change(&mut doc)?;
    let mut outcome = Outcome {
        path: path.to_owned(),
        existed: file.exists(),
        before: file.text().to_owned(),
        after: if done.is_empty() { file.text().to_owned() } else { doc.to_text() },
        remarks: remarks(client, &doc),
        done,
        backup: None,
    };
    if mode == Mode::Write && !outcome.done.is_empty() {
        outcome.backup = file.replace(&outcome.after, now)?;
    }
    drop(lock);
    Ok(outcome)
}

/// What is remarkable about these settings.
pub fn remarks(client: Client, doc: &JsonText) -> Vec<Remark> {
    let value = doc.value();
    let (disabled, foreign) = match client {
        Client::ClaudeCode => (value.get("disableAllHooks").and_then(serde_json::Value::as_bool) == Some(true), false),
        Client::Codex => (false, foreign_key(&value).is_some()),
    };
    [(!doc.is_strict(), Remark::Comments), (disabled, Remark::HooksDisabled), (foreign, Remark::ForeignKey)]
        .into_iter()
        .filter_map(|(there, remark)| there.then_some(remark))
        .collect()
}

/// A key for which Codex ignores a whole file of hooks.
pub fn foreign_key(hooks: &serde_json::Value) -> Option<&str> {
    hooks.as_object()?.keys().map(String::as_str).find(|key| !["description", "hooks"].contains(key))
}
