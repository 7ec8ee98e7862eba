//! Old scratch folders: reported, and removed only where the operator switched that on.
//!
//! Only a folder is removed that proves to be ours (a valid owner file whose session id gives just this name, no
//! link, directly below the scratch root, of this user) and has no live session. It is first moved aside under a
//! name that says what it is, and its owner file goes last, so that a removal that was cut short is taken up again.

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

/// Why a folder was not removed.
#[derive(Debug, thiserror::Error)]
pub enum CleanError {
    /// It does not prove to be ours.
    #[error("`{}` does not prove to be a scratch folder of ours", path.display())]
    NotOurs {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        keep: Keep,
    },
    /// Its session lives.
    #[error("the session of `{}` is live", path.display())]
    Live {
        /// The folder.
        path: PathBuf,
    },
    /// Something else is mounted in it.
    #[error("something is mounted in `{}`", path.display())]
    Mount {
        /// The folder.
        path: PathBuf,
    },
    /// It holds more than is removed here, or what can't be looked at.
    #[error("`{}` is too large to be removed in passing, or not all of it can be read", path.display())]
    Unmeasured {
        /// The folder.
        path: PathBuf,
    },
    /// The system refused.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
}

impl CleanError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotOurs { .. } => "clean_not_ours",
            Self::Live { .. } => "clean_live",
            Self::Mount { .. } => "clean_mount",
            Self::Unmeasured { .. } => "clean_unmeasured",
            Self::Scratch(e) => e.code(),
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotOurs { .. } => "look at it and remove it by hand",
            Self::Live { .. } => "end the session first",
            Self::Mount { .. } => "unmount it first",
            Self::Unmeasured { .. } => "run `wsguard session --clean`, or remove it by hand",
            Self::Scratch(e) => e.hint(),
        }
    }
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
fn resume_removals(home: &Home, rules: &Rules<'_>) -> Result<(), CleanError> {
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
                check_contents(&path, MAX_SWEEP_ENTRIES)?;
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
    problems.extend(resume_removals(home, &rules).err().map(|e| e.to_string()));
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
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    use super::{GONE, Keep, Life, Rules, list, remove, report, resume_removals, sweep};
    use crate::config::Policy;
    use crate::home::Home;
    use crate::ledger::files::Lock;
    use crate::session::{OWNER_FILE, Scratch, SessionId, SessionMeta};

    const RULES: Rules<'static> = Rules { root: None, ttl_hours: 24, auto: true };

    struct Place {
        _dir: tempfile::TempDir,
        home: Home,
    }

    impl Place {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let home = Home::at(dir.path().join("h"));
            Self { _dir: dir, home }
        }

        fn session(&self, id: &str, pid: Option<u32>) -> Scratch {
            let scratch = Scratch::new(&self.home, None, SessionId::new(id));
            scratch.begin(&SessionMeta { harness: "claude-code", cwd: "/w", pid }).unwrap();
            fs::create_dir(scratch.path().join("sub")).unwrap();
            fs::write(scratch.path().join("sub/work.txt"), "x").unwrap();
            scratch
        }

        fn age(&self, id: &str) {
            let past = SystemTime::now() - Duration::from_hours(25);
            let name = SessionId::new(id).dir_name().to_owned();
            let dir = self.home.scratch().join(&name);
            for path in [self.home.ledger().join(format!("sessions/{name}.json")), dir.join(OWNER_FILE), dir] {
                if path.symlink_metadata().is_ok_and(|m| !m.is_symlink()) {
                    fs::File::open(path).unwrap().set_modified(past).unwrap();
                }
            }
        }

        fn stale(&self) -> Vec<(String, Option<Keep>)> {
            report(&self.home, &RULES).unwrap().into_iter().map(|f| (f.name, f.keep)).collect()
        }

        fn remove_all(&self) -> Vec<&'static str> {
            let removed = list(&self.home, &RULES).unwrap();
            removed.iter().filter_map(|f| remove(&self.home, &RULES, f, 1000).err()).map(|e| e.code()).collect()
        }
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn only_old_sessions_are_stale() {
        let place = Place::new();
        assert!(place.stale().is_empty());
        place.session("new", None);
        place.session("old", None);
        place.session("Old Two", None).end().unwrap();
        place.session("running", Some(std::process::id()));
        place.session("ended", None).end().unwrap();
        for id in ["old", "Old Two", "running"] {
            place.age(id);
        }
        let two = SessionId::new("Old Two").dir_name().to_owned();
        assert_eq!(place.stale(), [("old".to_owned(), None), (two, None)]);
        let lives: Vec<_> = list(&place.home, &RULES).unwrap().into_iter().map(|f| f.life).collect();
        assert_eq!(lives, [Life::Ended, Life::Live, Life::Stale, Life::Stale, Life::Live]);
    }

    #[test]
    fn a_later_process_with_the_same_id_is_not_the_session() {
        let place = Place::new();
        place.session("old", Some(std::process::id()));
        let record = place.home.ledger().join("sessions/old.json");
        let text = fs::read_to_string(&record).unwrap();
        let start = crate::sys::process_start(std::process::id()).unwrap();
        fs::write(&record, text.replace(&format!("\"pidStart\":{start}"), "\"pidStart\":1")).unwrap();
        place.age("old");
        assert_eq!(place.stale().len(), 1);
    }

    #[test]
    fn removes_the_folder_and_its_record_and_nothing_else() {
        let place = Place::new();
        place.session("old", None);
        place.session("new", None);
        place.age("old");
        assert_eq!(place.remove_all(), ["clean_live"]);
        assert_eq!(names(&place.home.scratch()), ["new"]);
        assert_eq!(names(&place.home.ledger().join("sessions")), ["new.json"]);
        // The next session with that id starts afresh.
        assert!(place.session("old", None).path().is_dir());
    }

    #[test]
    fn what_does_not_prove_to_be_ours_stays() {
        let place = Place::new();
        let root = place.home.scratch();
        let check = |id: &str, keep: Keep, spoil: &dyn Fn(&Path)| {
            place.session(id, None);
            spoil(&root.join(id));
            place.age(id);
            let stale = place.stale();
            assert_eq!(stale, [(id.to_owned(), Some(keep))], "{id}");
            assert_eq!(place.remove_all(), ["clean_not_ours"], "{id}");
            assert!(root.join(id).join("sub/work.txt").is_file());
            fs::remove_dir_all(root.join(id)).unwrap();
        };
        check("no-owner", Keep::NoOwner, &|d| fs::remove_file(d.join(OWNER_FILE)).unwrap());
        check("empty-owner", Keep::NoOwner, &|d| fs::write(d.join(OWNER_FILE), "").unwrap());
        check("rubbish", Keep::NoOwner, &|d| fs::write(d.join(OWNER_FILE), "{}").unwrap());
        check("copied", Keep::Foreign, &|d| fs::write(d.join(OWNER_FILE), r#"{"sessionId":"x"}"#).unwrap());
        check("record", Keep::Record, &|_| {
            fs::write(place.home.ledger().join("sessions/record.json"), "{").unwrap();
        });
        #[cfg(unix)]
        {
            check("link-owner", Keep::NoOwner, &|d| {
                fs::rename(d.join(OWNER_FILE), d.join("o")).unwrap();
                std::os::unix::fs::symlink("o", d.join(OWNER_FILE)).unwrap();
            });
            if crate::sys::user_id() == Some(0) {
                check("other-user", Keep::OtherUser, &|d| std::os::unix::fs::chown(d, Some(12345), None).unwrap());
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let place = Place::new();
        let outside = place.home.path().join("outside");
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("precious"), "x").unwrap();
        let scratch = place.session("old", None);
        std::os::unix::fs::symlink(&outside, scratch.path().join("link")).unwrap();
        std::os::unix::fs::symlink(&outside, scratch.path().join("sub/link")).unwrap();
        place.age("old");
        // A link below the root that looks like a session.
        std::os::unix::fs::symlink(&outside, place.home.scratch().join("linked")).unwrap();
        assert!(place.remove_all().is_empty());
        assert_eq!(names(&outside), ["precious"]);
        assert_eq!(names(&place.home.scratch()), ["linked"]);
    }

    #[test]
    fn a_session_that_was_resumed_meanwhile_stays() {
        let place = Place::new();
        let scratch = place.session("old", None);
        place.age("old");
        let listed = report(&place.home, &RULES).unwrap();
        scratch.touch().unwrap();
        assert_eq!(remove(&place.home, &RULES, &listed[0], 1000).unwrap_err().code(), "clean_live");
        assert!(scratch.path().join("sub/work.txt").is_file());
    }

    #[test]
    fn too_much_is_not_removed_in_passing() {
        let place = Place::new();
        place.session("old", None);
        place.age("old");
        let listed = report(&place.home, &RULES).unwrap();
        assert_eq!(remove(&place.home, &RULES, &listed[0], 1).unwrap_err().code(), "clean_unmeasured");
        assert_eq!(names(&place.home.scratch()), ["old"]);
    }

    #[test]
    fn a_sweep_removes_only_where_it_is_switched_on() {
        let place = Place::new();
        place.session("old", None);
        place.session("new", None);
        place.age("old");
        let mut policy = Policy::for_model(crate::path::Model::native());
        policy.scratch_ttl_hours = 24;
        policy.auto_clean_scratch = false;
        assert!(sweep(&place.home, &policy).is_empty());
        assert_eq!(names(&place.home.scratch()), ["new", "old"]);
        policy.auto_clean_scratch = true;
        let held = Lock::acquire(&place.home.ledger().join("sweep.lock")).unwrap();
        assert!(sweep(&place.home, &policy).is_empty());
        assert_eq!(names(&place.home.scratch()), ["new", "old"], "another one is at it");
        drop(held);
        assert!(sweep(&place.home, &policy).is_empty());
        assert_eq!(names(&place.home.scratch()), ["new"]);
    }

    #[test]
    fn removals_that_were_cut_short_are_finished() {
        let place = Place::new();
        let root = place.home.scratch();
        for id in ["half", "foreign"] {
            place.session(id, None);
        }
        fs::rename(root.join("half"), root.join(format!("{GONE}half"))).unwrap();
        fs::create_dir(root.join(format!("{GONE}empty"))).unwrap();
        fs::rename(root.join("foreign"), root.join(format!("{GONE}other"))).unwrap();
        fs::create_dir_all(root.join(format!("{GONE}unproven/sub"))).unwrap();
        resume_removals(&place.home, &RULES).unwrap();
        assert_eq!(names(&root), [format!("{GONE}other"), format!("{GONE}unproven")]);
        assert!(list(&place.home, &RULES).unwrap().is_empty());
    }
}
