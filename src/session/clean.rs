//! Old scratch folders: reported, and removed only where the operator switched that on.
//!
//! Only a folder is removed that proves to be ours (a valid owner file whose session id gives just this name, no
//! link, directly below the scratch root, of this user) and has no live session. It is first moved aside under a
//! name that says what it is, and its owner file goes last, so that a removal that was cut short is taken up again.

mod error;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::measure::measure;
use super::owner::{self, OWNER_FILE, Owner};
use super::scratch::{io_error, is_own, record_path, records, scratch_root};
use super::{ScratchError, SessionId};
use crate::config::Policy;
use crate::home::Home;
use crate::ledger::files::{self, Lock};
use crate::limits::{MAX_SWEEP_ENTRIES, MAX_SWEEP_FOLDERS};

pub use error::CleanError;

/// Beginning of the name of a folder that is being removed; the folder's own name follows.
const GONE: &str = ".wsguard-gone-";

/// What cleaning needs of the configuration.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// Parent of the scratch folders; `None`: HOME/scratch.
    pub root: Option<&'a str>,
    /// Hours without an event after which a session counts as old.
    pub ttl_hours: u32,
    /// Whether anything is removed without being asked for.
    pub auto: bool,
}

impl<'a> From<&'a Policy> for Rules<'a> {
    fn from(policy: &'a Policy) -> Self {
        Self {
            root: policy.scratch_root.as_deref(),
            ttl_hours: policy.scratch_ttl_hours,
            auto: policy.auto_clean_scratch,
        }
    }
}

/// How a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Life {
    /// It may still go on.
    Live,
    /// It has ended; it may be resumed.
    Ended,
    /// No event for longer than the time to live, and its process is gone.
    Stale,
}

/// Why a folder is never removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Keep {
    /// It has no valid owner file.
    NoOwner,
    /// Its owner file names a session to which another folder belongs.
    Foreign,
    /// It belongs to another user.
    OtherUser,
    /// Its session's record can't be read or names another session.
    Record,
}

/// A folder below the scratch root.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Its name.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// Whose it is, where that is known.
    pub owner: Option<Owner>,
    /// When the session was last heard of.
    pub last_event: SystemTime,
    /// How the session stands.
    pub life: Life,
    /// Why it is never removed.
    pub keep: Option<Keep>,
}

/// Every folder below the scratch root, by name. A missing root holds none.
pub fn list(home: &Home, rules: &Rules<'_>) -> Result<Vec<Folder>, ScratchError> {
    let root = scratch_root(home, rules.root);
    let entries = match fs::read_dir(&root) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(io_error("list", &root)(e)),
    };
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry.map_err(io_error("list", &root))?;
        // The names of our folders are ASCII; those of folders that are being removed start with a dot.
        let Ok(name) = entry.file_name().into_string() else { continue };
        if !name.starts_with('.') {
            folders.extend(look(home, rules, &root, &name));
        }
    }
    folders.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(folders)
}

/// The folders whose sessions are old: what is reported, and what a sweep would remove.
pub fn report(home: &Home, rules: &Rules<'_>) -> Result<Vec<Folder>, ScratchError> {
    let mut folders = list(home, rules)?;
    folders.retain(|f| f.life == Life::Stale);
    Ok(folders)
}

/// What is known of the folder `name`; `None` where it is none (a file, a link) or gone by now.
fn look(home: &Home, rules: &Rules<'_>, root: &Path, name: &str) -> Option<Folder> {
    let path = root.join(name);
    let meta = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_dir)?;
    let mut times = vec![meta.modified().ok()];
    let owner_path = path.join(OWNER_FILE);
    let owner_time = fs::symlink_metadata(&owner_path).ok().filter(fs::Metadata::is_file);
    times.push(owner_time.and_then(|m| m.modified().ok()));
    let mut owner = owner::read(&owner_path).unwrap_or_default();
    let mut keep = None;
    if let Some(id) = owner.as_ref().map(|o| SessionId::new(&o.session_id)).filter(|id| id.dir_name() == name) {
        let record = record_path(home, &id);
        times.push(fs::symlink_metadata(&record).and_then(|m| m.modified()).ok());
        match owner::read(&record) {
            Ok(None) => {}
            Ok(Some(record)) if record.session_id == id.raw() => owner = Some(record),
            Ok(Some(_)) | Err(_) => keep = Some(Keep::Record),
        }
    } else {
        keep = Some(if owner.is_some() { Keep::Foreign } else { Keep::NoOwner });
    }
    if !is_own(&meta) {
        keep = Some(Keep::OtherUser);
    }
    // No time at all counts as just now.
    let last_event = times.into_iter().flatten().max().unwrap_or_else(SystemTime::now);
    let life = life(owner.as_ref(), last_event, rules.ttl_hours);
    Some(Folder { name: name.to_owned(), path, owner, last_event, life, keep })
}

fn life(owner: Option<&Owner>, last_event: SystemTime, ttl_hours: u32) -> Life {
    let ttl = Duration::from_hours(u64::from(ttl_hours));
    // A time in the future is no age.
    let age = SystemTime::now().duration_since(last_event).unwrap_or_default();
    if age > ttl && !owner.is_some_and(Owner::process_runs) {
        return Life::Stale;
    }
    if owner.is_some_and(|o| o.ended_at.is_some()) { Life::Ended } else { Life::Live }
}

/// Removes one folder of [`list`] whose session has ended or is old, and its record. At most `limit` entries.
pub fn remove(home: &Home, rules: &Rules<'_>, folder: &Folder, limit: usize) -> Result<(), CleanError> {
    let root = scratch_root(home, rules.root);
    // As it is now, not as it was listed.
    let path = || folder.path.clone();
    let Some(now) = look(home, rules, &root, &folder.name) else { return Ok(()) };
    if let Some(keep) = now.keep {
        return Err(CleanError::NotOurs { path: path(), keep });
    }
    if now.life == Life::Live || now.life != folder.life {
        return Err(CleanError::Live { path: path() });
    }
    check_contents(&folder.path, limit)?;
    let aside = root.join(format!("{GONE}{}", folder.name));
    fs::rename(&folder.path, &aside).map_err(io_error("move aside", &folder.path))?;
    // It may have been resumed in between: its record then has a later time, and it gets its folder back.
    let id = SessionId::new(&now.owner.as_ref().map_or(String::new(), |o| o.session_id.clone()));
    let record = record_path(home, &id);
    let touched = fs::symlink_metadata(&record).and_then(|m| m.modified()).ok();
    if touched.is_some_and(|t| t > now.last_event) {
        fs::rename(&aside, &folder.path).map_err(io_error("move back", &aside))?;
        return Err(CleanError::Live { path: path() });
    }
    finish(&aside)?;
    match fs::remove_file(&record) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(io_error("remove", &record)(e).into()),
        _ => Ok(()),
    }
}

fn check_contents(path: &Path, limit: usize) -> Result<(), CleanError> {
    let size = measure(path, limit);
    if size.mount {
        return Err(CleanError::Mount { path: path.to_owned() });
    }
    if size.partial {
        return Err(CleanError::Unmeasured { path: path.to_owned() });
    }
    Ok(())
}

/// Empties and removes a folder that was moved aside; the owner file goes last.
fn finish(aside: &Path) -> Result<(), ScratchError> {
    let fail = |path: &Path| {
        let path = path.to_owned();
        move |source| ScratchError::Io { action: "remove", path, source }
    };
    // What was looked at before may have been exchanged since: a link would lead out of the scratch root.
    if !fs::symlink_metadata(aside).map_err(io_error("look at", aside))?.is_dir() {
        return Err(ScratchError::NotAFolder { path: aside.to_owned() });
    }
    for entry in fs::read_dir(aside).map_err(io_error("list", aside))? {
        let entry = entry.map_err(io_error("list", aside))?;
        if entry.file_name() == OWNER_FILE {
            continue;
        }
        let path = entry.path();
        let kind = entry.file_type().map_err(io_error("look at", &path))?;
        // Neither follows a link.
        let outcome = if kind.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        outcome.map_err(fail(&path))?;
    }
    let owner = aside.join(OWNER_FILE);
    match fs::remove_file(&owner) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(fail(&owner)(e)),
        _ => {}
    }
    fs::remove_dir(aside).map_err(fail(aside))
}

/// Takes up removals that were cut short. Only what still has its own owner file, or is empty.
pub fn resume_removals(home: &Home, rules: &Rules<'_>, limit: usize) -> Result<(), CleanError> {
    let root = scratch_root(home, rules.root);
    let Ok(entries) = fs::read_dir(&root) else { return Ok(()) };
    for entry in entries.flatten() {
        let Ok(file_name) = entry.file_name().into_string() else { continue };
        let Some(name) = file_name.strip_prefix(GONE) else { continue };
        let path = entry.path();
        let ours = fs::symlink_metadata(&path).is_ok_and(|m| m.is_dir() && is_own(&m));
        if !ours {
            continue;
        }
        match owner::read(&path.join(OWNER_FILE)) {
            Ok(Some(owner)) if SessionId::new(&owner.session_id).dir_name() == name => {
                check_contents(&path, limit)?;
                finish(&path)?;
            }
            // Killed between the owner file and the folder; a folder that is not empty stays.
            _ => drop(fs::remove_dir(&path)),
        }
    }
    Ok(())
}

/// Removes old scratch folders where the configuration says so, at most [`MAX_SWEEP_FOLDERS`] at a time, and
/// returns what went wrong, for the user. Meant for after the answer to a session's start.
pub fn sweep(home: &Home, policy: &Policy) -> Vec<String> {
    let rules = Rules::from(policy);
    if !rules.auto || !home.ledger().is_dir() {
        return Vec::new();
    }
    let mut problems = Vec::new();
    // Another session's start that sweeps at this moment does it for us.
    let _lock = match Lock::try_acquire(&home.ledger().join("sweep.lock")) {
        Ok(Some(lock)) => lock,
        Ok(None) => return problems,
        Err(error) => return vec![format!("cannot lock for cleaning: {error}")],
    };
    problems.extend(resume_removals(home, &rules, MAX_SWEEP_ENTRIES).err().map(|e| e.to_string()));
    match report(home, &rules) {
        Ok(folders) => {
            let removable = folders.iter().filter(|f| f.keep.is_none()).take(MAX_SWEEP_FOLDERS);
            for folder in removable {
                problems.extend(remove(home, &rules, folder, MAX_SWEEP_ENTRIES).err().map(|e| e.to_string()));
            }
        }
        Err(error) => problems.push(error.to_string()),
    }
    forget_temporary(&records(home));
    problems
}

/// Removes what killed writers left among the records.
fn forget_temporary(dir: &Path) {
    let hour = Duration::from_hours(1);
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let old = entry.metadata().and_then(|m| m.modified()).is_ok_and(|t| t.elapsed().is_ok_and(|age| age > hour));
        if old && entry.file_name().to_str().is_some_and(files::is_temp_name) {
            // The next sweep tries again.
            drop(fs::remove_file(entry.path()));
        }
    }
}

#[cfg(test)]
mod tests;
