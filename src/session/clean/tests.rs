//! Old scratch folders, and what is never removed.

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
                set_modified(&path, past);
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

fn set_modified(path: &Path, time: SystemTime) {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    options.read(true);
    // The right to change attributes, and what lets a folder be opened.
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        options.access_mode(0x100).custom_flags(0x0200_0000);
    }
    options.open(path).unwrap().set_modified(time).unwrap();
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
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
    resume_removals(&place.home, &RULES, 100).unwrap();
    assert_eq!(names(&root), [format!("{GONE}other"), format!("{GONE}unproven")]);
    assert!(list(&place.home, &RULES).unwrap().is_empty());
}
