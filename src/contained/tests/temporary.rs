//! Files that are being written, and what writers leave that are killed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use super::super::temporary;
use super::{Place, ways};
use crate::contained::Root;
use crate::limits::TEMPORARY_LIFE_S;
use crate::path::guard::Rules;

fn age(file: &Path) {
    let past = SystemTime::now() - Duration::from_secs(TEMPORARY_LIFE_S + 60);
    File::options().write(true).open(file).unwrap().set_modified(past).unwrap();
}

/// The files that are being written in a folder, or were.
fn temporaries(folder: &Path) -> Vec<PathBuf> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| temporary::is_ours(name)).map(|name| folder.join(name)).collect()
}

fn listed(root: &Root) -> Vec<String> {
    root.list(Some(b"dir"), 99).unwrap().entries.iter().map(|e| e.name.to_string_lossy().into_owned()).collect()
}

#[test]
fn what_is_left_goes_and_what_is_not_ours_stays() {
    for way in ways() {
        let place = Place::new();
        let root = place.open(way);
        let dir = place.root.join("dir");
        let made = |name: &std::ffi::OsStr| {
            fs::write(dir.join(name), "part").unwrap();
            dir.join(name)
        };
        let (old, young, linked) = (made(&temporary::name()), made(&temporary::name()), made(&temporary::name()));
        let others = [".wsguard-0123456789abcdef", ".wsguard-0123456789abcdef-0123456789abcdef", ".wsguard-mine"];
        for other in others {
            age(&made(other.as_ref()));
        }
        let folder = dir.join(temporary::name());
        fs::create_dir(&folder).unwrap();
        fs::hard_link(&linked, place.root.join("its-other-name")).unwrap();
        age(&old);
        age(&linked);
        let shown = [&others[..], &["notes"]].concat();
        assert_eq!(listed(&root), shown, "what is left is nothing to look at");
        assert!(old.exists(), "looking changes nothing");
        root.replace(b"dir/notes", b"new").unwrap();
        assert!(!old.exists());
        assert!(young.exists() && linked.exists() && folder.exists());
        assert_eq!(listed(&root), shown);
    }
}

/// Set where the test below runs itself again, as the writer.
const STAGE: &str = "WSGUARD_TEST_WRITER";

static CONTENTS: [[u8; 1 << 20]; 2] = [[b'a'; 1 << 20], [b'b'; 1 << 20]];

/// Killed at whatever moment: the old content or the new one, and what is left is known for ours.
#[test]
fn a_writer_that_is_killed_leaves_the_old_content_or_the_new() {
    const ROUNDS: usize = if cfg!(windows) { 5 } else { 25 };
    if let Some(stage) = std::env::var_os(STAGE) {
        let root = Root::open(Path::new(&stage), Rules::Portable).unwrap().unwatched();
        loop {
            for content in &CONTENTS {
                root.replace(b"dir/big", content).unwrap();
            }
        }
    }
    let place = Place::new();
    let (root, dir) = (Root::open(&place.root, Rules::Portable).unwrap().unwatched(), place.root.join("dir"));
    root.create(b"dir/big", &CONTENTS[0]).unwrap();
    let mut left = 0;
    for round in 0..ROUNDS {
        let mut writer = writer(&place.root);
        // Each time at another moment.
        while temporaries(&dir).len() == left {
            assert!(writer.try_wait().unwrap().is_none(), "the writer goes on until it is killed");
            std::thread::sleep(Duration::from_micros(50 * round as u64));
        }
        writer.kill().unwrap();
        writer.wait().unwrap();
        left = temporaries(&dir).len();
        let held = root.read(b"dir/big", 2 << 20).unwrap();
        assert!(CONTENTS.iter().any(|content| held == content), "{} bytes of {:?}", held.len(), held.first());
        assert_eq!(listed(&root), ["big", "notes"]);
    }
    assert!(left > 0, "at least one was killed while it wrote");
    for file in temporaries(&dir) {
        age(&file);
    }
    root.create(b"dir/next", b"x").unwrap();
    let names: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

fn writer(root: &Path) -> Child {
    let test = "contained::tests::temporary::a_writer_that_is_killed_leaves_the_old_content_or_the_new";
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(STAGE, root).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}
