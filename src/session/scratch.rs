//! A session's own folder.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::owner::{self, OWNER_FILE, Owner};
use super::{ScratchError, SessionId};
use crate::home::Home;
use crate::ledger::{files, stamp};
use crate::limits::TOUCH_SECONDS;

/// What is known of a session when it is first seen.
#[derive(Clone, Copy, Debug)]
pub struct SessionMeta<'a> {
    /// The harness's short name (`claude-code`).
    pub harness: &'a str,
    /// The project folder, absolute.
    pub cwd: &'a str,
    /// The harness's process, where known ([`crate::sys::parent_id`] of a hook).
    pub pid: Option<u32>,
}

/// A session's scratch folder and its record.
///
/// The folder with its owner file is the published form. The record, HOME/workspace-mgr/sessions/NAME.json, says
/// the same where the agent may not write: an agent that clears its scratch loses no project folder by it, and
/// one that edits the owner file gains nothing.
#[derive(Clone, Debug)]
pub struct Scratch {
    id: SessionId,
    root: PathBuf,
    path: PathBuf,
    record: PathBuf,
}

impl Scratch {
    /// The scratch of the session `id` under `root` (an absolute folder), else under HOME/scratch.
    pub fn new(home: &Home, root: Option<&str>, id: SessionId) -> Self {
        let root = scratch_root(home, root);
        let path = root.join(id.dir_name());
        let record = record_path(home, &id);
        Self { id, root, path, record }
    }

    /// The folder. It exists after [`Scratch::ensure`].
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The session.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// The session's record, else the owner file's data; `None` for a session never seen.
    pub fn owner(&self) -> Result<Option<Owner>, ScratchError> {
        match self.checked(&self.record)? {
            Some(owner) => Ok(Some(owner)),
            None => self.checked(&self.path.join(OWNER_FILE)),
        }
    }

    /// Makes sure that the folder and its owner file exist, and returns whose they are.
    ///
    /// Where they exist this reads one small file and writes nothing. The first caller's `cwd` stays, whatever
    /// later ones say. Refuses a link in the folder's place, and a folder of another session or user.
    pub fn ensure(&self, meta: &SessionMeta<'_>) -> Result<Owner, ScratchError> {
        let record = self.checked(&self.record)?;
        let present = self.folder_present()?;
        let owner_path = self.path.join(OWNER_FILE);
        match record {
            Some(owner) if present && is_filled(&owner_path) => Ok(owner),
            record => self.create(record, present, meta),
        }
    }

    fn create(&self, record: Option<Owner>, present: bool, meta: &SessionMeta<'_>) -> Result<Owner, ScratchError> {
        let owner_path = self.path.join(OWNER_FILE);
        // Before anything is written: what is there may be someone else's.
        let found = if present { self.checked(&owner_path)? } else { None };
        let known = record.is_some();
        let fresh = || Owner::new(self.id.raw(), meta, stamp::format_utc(stamp::now_ms()));
        let mut owner = record.or_else(|| found.clone()).unwrap_or_else(fresh);
        if owner.cwd.is_empty() {
            meta.cwd.clone_into(&mut owner.cwd);
        }
        if !known {
            let parent = self.record.parent().unwrap_or(&self.record);
            files::create_private_dir(parent).map_err(io_error("create", parent))?;
            owner = self.put(&self.record, owner)?;
        }
        if !present {
            files::create_private_dir(&self.root).map_err(io_error("create", &self.root))?;
            match files::create_new_private_dir(&self.path) {
                Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(io_error("create", &self.path)(e)),
                _ => {}
            }
            // Someone else may have been quicker, with something else.
            self.folder_present()?;
        }
        if found.is_none() {
            self.put(&owner_path, owner.clone())?;
        }
        Ok(owner)
    }

    /// Creates the file `path` with `owner`, unless another process did: then what that one wrote.
    fn put(&self, path: &Path, owner: Owner) -> Result<Owner, ScratchError> {
        let bytes = owner.to_bytes().map_err(io_error("write", path))?;
        if files::create_exclusive(path, &bytes).map_err(io_error("write", path))? {
            return Ok(owner);
        }
        if let Some(theirs) = self.checked(path)? {
            return Ok(theirs);
        }
        // Empty, as a power cut leaves it.
        files::replace(path, &bytes).map_err(io_error("write", path))?;
        Ok(owner)
    }

    /// The owner data in `path`, if it is this session's.
    fn checked(&self, path: &Path) -> Result<Option<Owner>, ScratchError> {
        match owner::read(path)? {
            Some(owner) if owner.session_id != self.id.raw() => {
                Err(ScratchError::Foreign { path: path.to_owned(), other: owner.session_id })
            }
            other => Ok(other),
        }
    }

    /// Whether the folder is there, and a folder of this user.
    fn folder_present(&self) -> Result<bool, ScratchError> {
        let path = || self.path.clone();
        match fs::symlink_metadata(&self.path) {
            Ok(meta) if meta.is_symlink() => Err(ScratchError::Link { path: path() }),
            Ok(meta) if !meta.is_dir() => Err(ScratchError::NotAFolder { path: path() }),
            Ok(meta) if !is_own(&meta) => Err(ScratchError::OtherUser { path: path() }),
            Ok(_) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(e) => Err(io_error("look at", &self.path)(e)),
        }
    }

    /// [`Scratch::ensure`] at a session's start or resume: also notes the process that now runs it, and that it
    /// lives again. Meant for after the answer.
    pub fn begin(&self, meta: &SessionMeta<'_>) -> Result<Owner, ScratchError> {
        let mut owner = self.ensure(meta)?;
        let start = meta.pid.and_then(crate::sys::process_start);
        if owner.ended_at.is_none() && owner.pid == meta.pid && owner.pid_start == start {
            self.touch()?;
            return Ok(owner);
        }
        owner.ended_at = None;
        owner.pid = meta.pid;
        owner.pid_start = start;
        self.rewrite(&owner)?;
        Ok(owner)
    }

    /// Notes that the session is live now, unless that was noted a moment ago. Meant for after the answer.
    pub fn touch(&self) -> Result<(), ScratchError> {
        let fail = io_error("touch", &self.record);
        let noted = fs::metadata(&self.record).and_then(|meta| meta.modified()).map_err(&fail)?;
        if noted.elapsed().is_ok_and(|age| age.as_secs() < TOUCH_SECONDS) {
            return Ok(());
        }
        File::options().write(true).open(&self.record).and_then(|f| f.set_modified(SystemTime::now())).map_err(fail)
    }

    /// Notes that the session has ended. One that was never seen is left so.
    pub fn end(&self) -> Result<(), ScratchError> {
        let Some(mut owner) = self.checked(&self.record)? else { return Ok(()) };
        owner.ended_at = Some(stamp::format_utc(stamp::now_ms()));
        self.rewrite(&owner)
    }

    fn rewrite(&self, owner: &Owner) -> Result<(), ScratchError> {
        let path = &self.record;
        let old = owner::read_bytes(path)?.unwrap_or_default();
        let bytes = owner.merge_into(&old).map_err(io_error("write", path))?;
        files::replace(path, &bytes).map_err(io_error("write", path))
    }
}

fn is_filled(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|m| m.is_file() && m.len() > 0)
}

/// The parent of the scratch folders.
pub(crate) fn scratch_root(home: &Home, root: Option<&str>) -> PathBuf {
    root.map_or_else(|| home.scratch(), PathBuf::from)
}

/// Folder of the sessions' records.
pub(crate) fn records(home: &Home) -> PathBuf {
    home.ledger().join("sessions")
}

pub(crate) fn record_path(home: &Home, id: &SessionId) -> PathBuf {
    records(home).join(format!("{}.json", id.dir_name()))
}

/// Whether this user owns what `meta` describes.
#[cfg(unix)]
pub(crate) fn is_own(meta: &fs::Metadata) -> bool {
    crate::sys::user_id().is_none_or(|id| id == std::os::unix::fs::MetadataExt::uid(meta))
}

/// Always so: the platform has no user numbers, and the folders' access lists keep others out.
#[cfg(not(unix))]
pub(crate) const fn is_own(_meta: &fs::Metadata) -> bool {
    true
}

pub(crate) fn io_error<'a>(action: &'static str, path: &'a Path) -> impl Fn(io::Error) -> ScratchError + use<'a> {
    move |source| ScratchError::Io { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    use super::{Scratch, SessionMeta};
    use crate::home::Home;
    use crate::session::{OWNER_FILE, Owner, SessionId};

    const META: SessionMeta<'static> = SessionMeta { harness: "claude-code", cwd: "/w/p", pid: None };

    fn scratch(home: &Path, id: &str) -> Scratch {
        Scratch::new(&Home::at(home), None, SessionId::new(id))
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn creates_the_published_layout() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("not yet");
        let s = scratch(&home, "s1");
        let owner = s.ensure(&META).unwrap();
        assert_eq!(s.path(), home.join("scratch").join("s1"));
        assert_eq!((owner.session_id.as_str(), owner.cwd.as_str()), ("s1", "/w/p"));
        let on_disk: Owner = serde_json::from_slice(&fs::read(s.path().join(OWNER_FILE)).unwrap()).unwrap();
        assert_eq!(on_disk, owner);
        assert_eq!(names(s.path()), [OWNER_FILE]);
    }

    #[cfg(unix)]
    #[test]
    fn is_for_this_user_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let s = scratch(&dir.path().join("home"), "s1");
        s.ensure(&META).unwrap();
        let mode = |p: &Path| fs::metadata(p).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(s.path()), 0o700);
        assert_eq!(mode(s.path().parent().unwrap()), 0o700);
        assert_eq!(mode(&s.path().join(OWNER_FILE)), 0o600);
    }

    #[test]
    fn again_changes_nothing_and_keeps_the_first_project() {
        let dir = tempfile::tempdir().unwrap();
        let s = scratch(dir.path(), "s1");
        let first = s.ensure(&META).unwrap();
        fs::write(s.path().join("work.txt"), "x").unwrap();
        let again = s.ensure(&SessionMeta { cwd: "/srv", harness: "other", pid: Some(1) }).unwrap();
        assert_eq!(first, again);
        assert_eq!(names(s.path()), [OWNER_FILE, "work.txt"]);
    }

    #[test]
    fn an_agent_that_clears_or_edits_its_scratch_moves_no_fence() {
        let dir = tempfile::tempdir().unwrap();
        let s = scratch(dir.path(), "s1");
        let drifted = SessionMeta { cwd: "/srv", ..META };
        s.ensure(&META).unwrap();
        fs::remove_dir_all(s.path()).unwrap();
        assert_eq!(s.ensure(&drifted).unwrap().cwd, "/w/p");
        assert_eq!(names(s.path()), [OWNER_FILE]);
        fs::remove_file(s.path().join(OWNER_FILE)).unwrap();
        assert_eq!(s.ensure(&drifted).unwrap().cwd, "/w/p");
        for text in [r#"{"sessionId":"s1","cwd":"/"}"#, "rubbish", "null"] {
            fs::write(s.path().join(OWNER_FILE), text).unwrap();
            assert_eq!(s.ensure(&drifted).unwrap().cwd, "/w/p", "{text}");
            assert_eq!(s.owner().unwrap().unwrap().cwd, "/w/p", "{text}");
        }
    }

    #[test]
    fn takes_over_a_published_owner_file() {
        let dir = tempfile::tempdir().unwrap();
        let s = scratch(dir.path(), "s1");
        fs::create_dir_all(s.path()).unwrap();
        let text = r#"{"sessionId":"s1","cwd":"/old","pid":12,"createdAt":"2025-01-01T00:00:00.000Z","later":1}"#;
        fs::write(s.path().join(OWNER_FILE), text).unwrap();
        let owner = s.ensure(&META).unwrap();
        assert_eq!((owner.cwd.as_str(), owner.created_at.as_str()), ("/old", "2025-01-01T00:00:00.000Z"));
        assert_eq!(fs::read_to_string(s.path().join(OWNER_FILE)).unwrap(), text);
    }

    #[test]
    fn what_a_kill_leaves_is_completed() {
        let dir = tempfile::tempdir().unwrap();
        let check = |id: &str, before: &dyn Fn(&Scratch)| {
            let s = scratch(dir.path(), id);
            before(&s);
            assert_eq!(s.ensure(&META).unwrap().cwd, "/w/p", "{id}");
            assert_eq!(s.ensure(&SessionMeta { cwd: "/x", ..META }).unwrap().cwd, "/w/p", "{id}");
            let owner: Owner = serde_json::from_slice(&fs::read(s.path().join(OWNER_FILE)).unwrap()).unwrap();
            assert_eq!(owner.session_id, id);
        };
        let record_dir = |s: &Scratch| fs::create_dir_all(s.record.parent().unwrap()).unwrap();
        check("only-the-record", &|s| {
            s.ensure(&META).unwrap();
            fs::remove_dir_all(s.path()).unwrap();
        });
        check("only-the-folder", &|s| fs::create_dir_all(s.path()).unwrap());
        check("empty-owner", &|s| {
            fs::create_dir_all(s.path()).unwrap();
            fs::write(s.path().join(OWNER_FILE), "").unwrap();
        });
        check("zeroed-record", &|s| {
            record_dir(s);
            fs::write(&s.record, [0; 64]).unwrap();
        });
        check("left-over-temp", &|s| {
            record_dir(s);
            for n in 0..50 {
                let name = format!(".{}-{n}.wsguard-tmp", std::process::id());
                fs::write(s.record.parent().unwrap().join(name), "x").unwrap();
            }
        });
    }

    #[test]
    fn refuses_what_is_not_this_sessions() {
        let dir = tempfile::tempdir().unwrap();
        let check = |id: &str, code: &str, before: &dyn Fn(&Scratch)| {
            let s = scratch(dir.path(), id);
            fs::create_dir_all(s.path().parent().unwrap()).unwrap();
            before(&s);
            let err = s.ensure(&META).unwrap_err();
            assert_eq!(err.code(), code, "{id}: {err}");
            assert!(!err.hint().is_empty());
        };
        check("file", "scratch_not_a_folder", &|s| fs::write(s.path(), "").unwrap());
        check("foreign", "scratch_foreign", &|s| {
            fs::create_dir_all(s.path()).unwrap();
            fs::write(s.path().join(OWNER_FILE), r#"{"sessionId":"other"}"#).unwrap();
        });
        check("damaged", "scratch_damaged", &|s| {
            fs::create_dir_all(s.path()).unwrap();
            fs::write(s.path().join(OWNER_FILE), "{").unwrap();
        });
        check("huge", "scratch_io", &|s| {
            fs::create_dir_all(s.path()).unwrap();
            fs::write(s.path().join(OWNER_FILE), vec![b' '; crate::limits::MAX_OWNER_BYTES + 1]).unwrap();
        });
        #[cfg(unix)]
        {
            let elsewhere = tempfile::tempdir().unwrap();
            let to = elsewhere.path().to_owned();
            check("link", "scratch_link", &|s| std::os::unix::fs::symlink(&to, s.path()).unwrap());
            check("dangling", "scratch_link", &|s| std::os::unix::fs::symlink("nowhere", s.path()).unwrap());
            check("owner-link", "scratch_io", &|s| {
                fs::create_dir_all(s.path()).unwrap();
                fs::write(to.join("o.json"), r#"{"sessionId":"owner-link","cwd":"/"}"#).unwrap();
                std::os::unix::fs::symlink(to.join("o.json"), s.path().join(OWNER_FILE)).unwrap();
            });
            check("replaced-by-a-link", "scratch_link", &|s| {
                s.ensure(&META).unwrap();
                fs::remove_dir_all(s.path()).unwrap();
                std::os::unix::fs::symlink(&to, s.path()).unwrap();
            });
            assert_eq!(names(&to), ["o.json"]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn refuses_another_users_folder() {
        if crate::sys::user_id() != Some(0) {
            // Only root can give a folder away.
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let s = scratch(dir.path(), "s1");
        s.ensure(&META).unwrap();
        std::os::unix::fs::chown(s.path(), Some(12345), None).unwrap();
        assert_eq!(s.ensure(&META).unwrap_err().code(), "scratch_other_user");
    }

    #[test]
    fn a_home_that_is_no_folder_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("home");
        fs::write(&home, "").unwrap();
        assert_eq!(scratch(&home, "s1").ensure(&META).unwrap_err().code(), "scratch_io");
        let long = dir.path().join("l".repeat(300));
        assert_eq!(scratch(&long, "s1").ensure(&META).unwrap_err().code(), "scratch_io");
        // A quote is no character for a name on Windows.
        let quote = if cfg!(windows) { "" } else { "\"" };
        let odd = dir.path().join(format!("ho\u{301}me \u{202e}\u{1f980} '{quote}$x"));
        scratch(&odd, "s1").ensure(&META).unwrap();
    }

    #[test]
    fn hostile_ids_stay_below_the_root() {
        let dir = tempfile::tempdir().unwrap();
        for id in ["", "..", "../../x", "/etc", "a\0b", "CON", "🦀", "s1 ", &"x".repeat(10_000)] {
            let s = scratch(dir.path(), id);
            assert_eq!(s.ensure(&META).unwrap().session_id, id);
            assert_eq!(s.path().parent(), Some(dir.path().join("scratch").as_path()));
        }
        assert_eq!(names(&dir.path().join("scratch")).len(), 9);
        assert_ne!(scratch(dir.path(), "S1").path(), scratch(dir.path(), "s1").path());
    }

    #[test]
    fn two_at_once_agree() {
        let dir = tempfile::tempdir().unwrap();
        for round in 0..20 {
            let id = format!("s{round}");
            let all: Vec<Owner> = std::thread::scope(|scope| {
                let racers: Vec<_> = (0..4)
                    .map(|n| {
                        let s = scratch(dir.path(), &id);
                        scope.spawn(move || s.ensure(&SessionMeta { cwd: &format!("/w/{n}"), ..META }).unwrap())
                    })
                    .collect();
                racers.into_iter().map(|r| r.join().unwrap()).collect()
            });
            assert!(all.iter().all(|o| *o == all[0]), "{all:?}");
            let s = scratch(dir.path(), &id);
            let on_disk: Owner = serde_json::from_slice(&fs::read(s.path().join(OWNER_FILE)).unwrap()).unwrap();
            assert_eq!(on_disk, all[0]);
            assert_eq!(names(s.path()), [OWNER_FILE]);
        }
    }

    #[test]
    fn end_and_resume() {
        let dir = tempfile::tempdir().unwrap();
        let s = scratch(dir.path(), "s1");
        s.end().unwrap();
        assert!(!s.path().exists());
        s.begin(&META).unwrap();
        s.end().unwrap();
        assert!(s.owner().unwrap().unwrap().ended_at.is_some());
        let me = std::process::id();
        let owner = s.begin(&SessionMeta { cwd: "/other", pid: Some(me), ..META }).unwrap();
        assert_eq!((owner.cwd.as_str(), owner.ended_at, owner.pid), ("/w/p", None, Some(me)));
        assert!(s.owner().unwrap().unwrap().process_runs());
    }

    #[test]
    fn touch_moves_the_time() {
        let dir = tempfile::tempdir().unwrap();
        let s = scratch(dir.path(), "s1");
        assert!(s.touch().is_err());
        s.ensure(&META).unwrap();
        let old = SystemTime::now() - Duration::from_hours(10);
        fs::File::options().write(true).open(&s.record).unwrap().set_modified(old).unwrap();
        s.touch().unwrap();
        assert!(fs::metadata(&s.record).unwrap().modified().unwrap() > old + Duration::from_hours(9));
    }
}
