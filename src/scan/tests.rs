#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use super::{Measured, Memo, Progress, Want, measure};

fn now() -> i64 {
    i64::try_from(crate::ledger::stamp::now_ms() / 1000).unwrap()
}

/// Measures one path, with what is remembered and so many seconds from now.
fn one(path: &Path, memo: Option<Memo>, later: i64) -> (Measured, Option<Memo>) {
    let mut found = None;
    let wants = vec![Want { path: path.to_owned(), memo }];
    measure(wants, now() + later, &AtomicBool::new(false), |progress| {
        if let Progress::Done(at, outcome) = progress {
            assert_eq!(at, 0);
            found = Some(outcome.unwrap());
        }
    });
    found.unwrap()
}

/// `folders` folders with `files` files of ten bytes each, changed long ago.
fn tree(root: &Path, folders: usize, files: usize) {
    for folder in 0..folders {
        let folder = root.join(format!("d{}", folder % 7)).join(format!("e{folder}"));
        fs::create_dir_all(&folder).unwrap();
        for file in 0..files {
            let path = folder.join(format!("f{file}"));
            fs::write(&path, [b'x'; 10]).unwrap();
            let past = SystemTime::now() - Duration::from_hours(1);
            File::options().write(true).open(&path).unwrap().set_modified(past).unwrap();
        }
    }
}

#[test]
fn counts_files_folders_and_links_without_following() {
    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), 30, 5);
    fs::write(dir.path().join("g"), [0; 5]).unwrap();
    let (seen, memo) = one(dir.path(), None, 0);
    let want = Measured { bytes: 30 * 5 * 10 + 5, files: 151, folders: 38, ..Measured::default() };
    assert_eq!(Measured { allocated: 0, ..seen }, want);
    assert!(memo.is_some());
    assert_eq!(one(&dir.path().join("g"), None, 0).0.bytes, 5);
    let mut missing = false;
    let wants = vec![Want { path: dir.path().join("none"), memo: None }];
    measure(wants, now(), &AtomicBool::new(false), |p| missing |= matches!(p, Progress::Done(0, Err(_))));
    assert!(missing);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/", dir.path().join("d0/l")).unwrap();
        assert_eq!(one(dir.path(), None, 0).0.files, 152);
        let link = dir.path().join("top");
        std::os::unix::fs::symlink(dir.path().join("d0"), &link).unwrap();
        assert_eq!((one(&link, None, 0).0.files, one(&link, None, 0).0.folders), (1, 0), "a link is only a link");
        let before = one(dir.path(), None, 0).0;
        fs::hard_link(dir.path().join("g"), dir.path().join("d1/h")).unwrap();
        let seen = one(dir.path(), None, 0).0;
        assert_eq!((seen.files, seen.bytes), (before.files, before.bytes), "a file with two names counts once");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn agrees_with_du_and_enters_no_other_mount() {
    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), 40, 3);
    fs::create_dir(dir.path().join("flat")).unwrap();
    for n in 0..3000 {
        File::create(dir.path().join(format!("flat/a-name-of-some-length-{n}"))).unwrap();
    }
    let du = std::process::Command::new("du").args(["-s", "-B1"]).arg(dir.path()).output().unwrap();
    let text = String::from_utf8(du.stdout).unwrap();
    let blocks: u64 = text.split_whitespace().next().unwrap().parse().unwrap();
    assert_eq!(one(dir.path(), None, 0).0.allocated, blocks);
    // A test's process can't mount anything, but every system has mounts.
    if Path::new("/dev/pts/ptmx").exists() {
        assert!(one(Path::new("/dev"), None, 0).0.mounts > 0);
    }
}

#[test]
fn unchanged_folders_are_not_read_again() {
    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), 30, 5);
    // One folder alone: making many may take longer than that moment.
    let new = tempfile::tempdir().unwrap();
    fs::write(new.path().join("f"), "").unwrap();
    let seen = one(new.path(), one(new.path(), None, 0).1, 10).0;
    assert_eq!(seen.reused, 0, "what was changed a moment before it was read is doubtful");
    // As if time had passed:
    let (first, memo) = one(dir.path(), None, 10);
    let (again, memo) = one(dir.path(), memo, 20);
    assert_eq!(again, Measured { reused: first.folders, ..first });
    // Through the stored form.
    let memo = Memo::parse(&memo.unwrap().to_text()).unwrap();
    assert_eq!(one(dir.path(), Some(memo.clone()), 5000).0, again);
    // A new file is found; only its folder is read.
    fs::write(dir.path().join("d0/e0/new"), [0; 7]).unwrap();
    let (more, _) = one(dir.path(), Some(memo), 30);
    assert_eq!((more.files, more.bytes), (first.files + 1, first.bytes + 7));
    assert_eq!(more.reused, first.folders - 1);
}

#[test]
fn files_that_are_still_written_are_looked_at_again() {
    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), 3, 2);
    fs::write(dir.path().join("d0/log"), "1").unwrap();
    let memo = one(dir.path(), None, 10).1;
    let grown = |memo: &Option<Memo>, later| one(dir.path(), memo.clone(), later).0.bytes;
    let before = grown(&memo, 11);
    fs::OpenOptions::new()
        .append(true)
        .open(dir.path().join("d0/log"))
        .map(|mut f| std::io::Write::write_all(&mut f, b"234"))
        .unwrap()
        .unwrap();
    assert_eq!(grown(&memo, 12), before, "within the same scan");
    assert_eq!(grown(&memo, 2000), before + 3);
}

#[test]
fn what_was_called_off_is_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), 3000, 0);
    let stop = AtomicBool::new(false);
    let mut begun = None;
    let wants = vec![Want { path: dir.path().to_owned(), memo: None }];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(5));
            stop.store(true, Ordering::Relaxed);
        });
        measure(wants, now() + 10, &stop, |progress| match progress {
            Progress::Begun(0, memo) => begun = Some(memo),
            // It was quicker.
            Progress::Done(0, Ok((_, memo))) => begun = memo,
            _ => {}
        });
    });
    let whole = one(dir.path(), None, 10).0;
    let rest = one(dir.path(), begun, 20).0;
    assert_eq!(Measured { reused: 0, ..rest }, whole);
}

#[test]
fn damaged_memos_are_no_memos() {
    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), 9, 1);
    let text = one(dir.path(), None, 10).1.unwrap().to_text();
    assert_eq!(Memo::parse(&text).unwrap().to_text(), text);
    assert!(Memo::parse("").is_err() && Memo::parse("wsguard-measured 2\n").is_err());
    let line = text.lines().nth(2).unwrap();
    for bad in ["", "x", "0 1 2", "7 1 1 1 1 1 1 1 1 1 =a", "0 1 1 1 1 1 1 1 1 1 =a/b", "0 1 1 1 1 1 1 1 1 1 =%0"] {
        assert!(Memo::parse(&text.replacen(line, bad, 1)).is_err(), "{bad}");
    }
    for end in 0..text.len() {
        assert!(Memo::parse(&text[..end]).is_err(), "{end}");
    }
}
