//! The audit across its files.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{archive_name, archives, number};
use crate::home::Home;
use crate::ledger::audit::{GENESIS, hex, sum};
use crate::ledger::{Audit, Damage, Report};

/// Bytes of some six lines.
const SIZE: u64 = 900;

fn small(dir: &Path) -> Audit {
    Audit::of_size(&Home::at(dir), SIZE)
}

fn filled(dir: &Path, lines: usize) -> Audit {
    let audit = small(dir);
    for n in 0..lines {
        audit.fact("deny", &json!({"n": n})).unwrap();
    }
    audit
}

/// All files, oldest first.
fn files(audit: &Audit) -> Vec<PathBuf> {
    let aside = archives(audit.path()).unwrap().into_iter().map(|a| a.path);
    aside.chain([audit.path().to_owned()]).collect()
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

fn write(path: &Path, lines: &[String]) {
    fs::write(path, lines.iter().flat_map(|l| [l, "\n"]).collect::<String>()).unwrap();
}

#[test]
fn names_have_one_spelling() {
    assert_eq!(archive_name(7), "audit-000007.jsonl");
    assert_eq!([1, 999_999, 1_000_000].map(|n| number(&archive_name(n))), [Some(1), Some(999_999), Some(1_000_000)]);
    for name in ["audit-7.jsonl", "audit-0000007.jsonl", "audit-000000.jsonl", "audit-+00007.jsonl", "audit.jsonl"] {
        assert_eq!(number(name), None, "{name}");
    }
}

#[test]
fn the_chain_goes_on_in_the_next_file() {
    let dir = tempfile::tempdir().unwrap();
    let audit = filled(dir.path(), 40);
    let files = files(&audit);
    assert!(files.len() > 4, "{files:?}");
    assert_eq!(
        audit.verify().unwrap(),
        Report { lines: 40, files: files.len() as u64, ..Report::default() },
        "{files:?}"
    );
    let mut before = hex(&GENESIS);
    let mut seq = 0;
    for (n, path) in files.iter().enumerate() {
        assert!(fs::metadata(path).unwrap().len() < SIZE + 400);
        for (at, text) in lines(path).iter().enumerate() {
            let line: Value = serde_json::from_str(text).unwrap();
            seq += 1;
            assert_eq!((&line["prev"], &line["seq"]), (&json!(before), &json!(seq)));
            let begins = if at == 0 && n > 0 { json!(n + 1) } else { Value::Null };
            assert_eq!(line["file"], begins);
            before = hex(&sum(text.as_bytes()));
        }
    }
    for count in [0, 1, 7, 39, 40, 99] {
        let tail = audit.tail(count).unwrap();
        let numbers: Vec<_> = tail.iter().map(|line| line["data"]["n"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (40 - count.min(40) as u64..40).collect::<Vec<_>>());
    }
}

#[test]
fn intents_end_in_a_later_file() {
    let dir = tempfile::tempdir().unwrap();
    let audit = small(dir.path());
    let act = audit.intent("recycle", &json!({"path": "/a"})).unwrap();
    filled(dir.path(), 20);
    assert_eq!(audit.verify().unwrap().open, [1]);
    act.outcome(&json!({"ok": true})).unwrap();
    assert_eq!(audit.verify().unwrap().open, [0_u64; 0]);
}

#[test]
fn a_file_of_an_earlier_version_is_put_aside_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let big = Audit::at(&Home::at(dir.path()));
    (0..20).for_each(|n| big.fact("deny", &json!({"n": n})).unwrap());
    // Its lines say nothing of files, and say they are of version 1.
    let mut before = hex(&GENESIS);
    let mut old = Vec::new();
    for text in lines(big.path()) {
        let mut line: Value = serde_json::from_str(&text).unwrap();
        (line["v"], line["prev"]) = (json!(1), json!(before));
        let text = line.to_string();
        before = hex(&sum(text.as_bytes()));
        old.push(text);
    }
    write(big.path(), &old);
    let text = format!("{:020} {:020} {before}", fs::metadata(big.path()).unwrap().len(), 20);
    fs::write(big.lock_path(), format!("{text} {}\n", hex(&sum(text.as_bytes())))).unwrap();
    assert_eq!(big.verify().unwrap(), Report { lines: 20, files: 1, ..Report::default() });
    filled(dir.path(), 3);
    assert_eq!(big.verify().unwrap(), Report { lines: 23, files: 2, ..Report::default() });
    assert_eq!(lines(&files(&big)[0]), old);
}

#[test]
fn an_append_reads_no_lines() {
    let dir = tempfile::tempdir().unwrap();
    let audit = filled(dir.path(), 14);
    let last = lines(audit.path()).pop().unwrap();
    for path in files(&audit) {
        let length = fs::read(&path).unwrap().len();
        fs::write(&path, vec![b'x'; length]).unwrap();
    }
    audit.fact("deny", &json!({})).unwrap();
    let text = fs::read_to_string(audit.path()).unwrap();
    // It is the noted end that it follows.
    assert!(text.contains(&hex(&sum(last.as_bytes()))), "{text}");
    assert!(text.contains("\"seq\":15"), "{text}");
}

/// What a kill leaves at each moment of putting a file aside.
#[test]
fn killed_while_a_file_is_put_aside() {
    let check = |torn: &[u8], new: Option<usize>, note: Option<&[u8]>| {
        let dir = tempfile::tempdir().unwrap();
        let audit = filled(dir.path(), 1);
        while fs::metadata(audit.path()).unwrap().len() < SIZE {
            audit.fact("deny", &json!({})).unwrap();
        }
        let whole = audit.verify().unwrap().lines;
        let noted = fs::read(audit.lock_path()).unwrap();
        let mut old = fs::read(audit.path()).unwrap();
        old.extend(torn);
        fs::write(audit.path(), old).unwrap();
        audit.fact("deny", &json!({})).unwrap();
        let first = fs::read(audit.path()).unwrap();
        assert_eq!(files(&audit).len(), 2, "{}", first.len());
        let kept = match new {
            None => {
                fs::remove_file(audit.path()).unwrap();
                0
            }
            Some(bytes) => {
                fs::write(audit.path(), &first[..bytes.min(first.len())]).unwrap();
                bytes
            }
        };
        fs::write(audit.lock_path(), note.unwrap_or(&noted)).unwrap();
        let case = format!("{torn:?} {new:?} {note:?}");
        let complete = u64::from(kept >= first.len() - 1);
        let report = audit.verify().unwrap();
        assert_eq!((report.damage, report.lines), (None, whole + complete), "{case}");
        audit.fact("deny", &json!({})).unwrap();
        audit.fact("deny", &json!({})).unwrap();
        let report = audit.verify().unwrap();
        let torn = u64::from(!torn.is_empty()) + u64::from(kept > 0 && complete == 0);
        assert_eq!(
            report,
            Report { lines: whole + complete + 2, files: 2, torn, ..Report::default() },
            "{case}: {:#?}",
            files(&audit).iter().map(|f| fs::read_to_string(f).unwrap()).collect::<Vec<_>>()
        );
    };
    for torn in [&b""[..], b"{\"v\":2,\"se"] {
        for note in [None, Some(&b""[..]), Some(b"torn")] {
            check(torn, None, note);
            for bytes in [0, 1, 50, 100, 150, usize::MAX] {
                check(torn, Some(bytes), note);
            }
        }
    }
    for bytes in (0..200).step_by(13) {
        check(b"", Some(bytes), None);
    }
}

#[test]
fn names_the_damaged_file() {
    type Edit = fn(&[PathBuf]);
    let check = |edit: Edit, want: Damage| {
        let dir = tempfile::tempdir().unwrap();
        let audit = filled(dir.path(), 23);
        let files = files(&audit);
        let counts: Vec<u64> = files.iter().map(|f| lines(f).len() as u64).collect();
        assert_eq!(counts, [6, 6, 6, 5]);
        edit(&files);
        assert_eq!(audit.verify().unwrap().damage.as_ref(), Some(&want));
        for _ in 0..20 {
            audit.fact("deny", &json!({"n": "later"})).unwrap();
        }
        let after = audit.verify().unwrap().damage;
        assert!(after.is_some(), "{want:?} was healed");
    };
    // The number of a line.
    let n = |file: u64, line: u64| 6 * file + line;
    let removed = |file: &str, line, first, last| Damage::Removed { file: file.to_owned(), line, first, last };
    let gone = |n| Damage::FileRemoved { file: archive_name(n) };
    let empty = |n| Damage::FileEmptied { file: archive_name(n) };
    let renamed = |file: &str, was: &str| Damage::FileRenamed { file: file.to_owned(), was: was.to_owned() };
    // Whole files.
    check(|f| fs::remove_file(&f[0]).unwrap(), gone(1));
    check(|f| fs::remove_file(&f[1]).unwrap(), gone(2));
    check(|f| fs::remove_file(&f[2]).unwrap(), gone(3));
    check(|f| fs::remove_file(&f[3]).unwrap(), removed("audit.jsonl", 1, n(3, 1), 23));
    check(|f| f.iter().for_each(|f| fs::remove_file(f).unwrap()), removed("audit.jsonl", 1, 1, 23));
    check(|f| fs::write(&f[0], "").unwrap(), empty(1));
    check(|f| fs::write(&f[1], "").unwrap(), empty(2));
    check(|f| fs::write(&f[2], "").unwrap(), empty(3));
    check(|f| fs::write(&f[3], "").unwrap(), removed("audit.jsonl", 1, n(3, 1), 23));
    check(|f| f.iter().for_each(|f| fs::write(f, "").unwrap()), empty(1));
    check(|f| fs::rename(&f[0], f[0].with_file_name("old")).unwrap(), gone(1));
    check(|f| fs::rename(&f[2], f[2].with_file_name(archive_name(5))).unwrap(), {
        renamed("audit-000005.jsonl", "audit-000003.jsonl")
    });
    check(|f| fs::rename(&f[0], f[0].with_file_name(archive_name(5))).unwrap(), {
        renamed("audit-000005.jsonl", "audit-000001.jsonl")
    });
    check(|f| fs::rename(&f[3], f[3].with_file_name(archive_name(9))).unwrap(), {
        renamed("audit-000009.jsonl", "audit-000004.jsonl")
    });
    check(|f| swap(&f[0], &f[1]), renamed("audit-000002.jsonl", "audit-000001.jsonl"));
    check(|f| swap(&f[1], &f[3]), renamed("audit.jsonl", "audit-000002.jsonl"));
    check(|f| copy(&f[0], &f[1]), Damage::Inserted { file: archive_name(2), line: 1 });
    check(|f| copy(&f[2], &f[1]), gone(2));
    // Lines.
    check(|f| edit(&f[1], |l| l[2] = l[2].replace("deny", "want")), Damage::Changed { file: archive_name(2), line: 3 });
    check(|f| edit(&f[1], |l| drop(l.pop())), removed("audit-000003.jsonl", 1, n(2, 0), n(2, 0)));
    check(|f| edit(&f[1], |l| drop(l.remove(0))), removed("audit-000002.jsonl", 1, n(1, 1), n(1, 1)));
    check(|f| edit(&f[3], |l| drop(l.pop())), removed("audit.jsonl", 23 - n(3, 0), 23, 23));
    check(cut_short, Damage::Changed { file: archive_name(2), line: 6 });
    check(|f| move_line(&f[1], usize::MAX, &f[2], 0), Damage::Moved { file: archive_name(3), line: 1 });
    check(|f| move_line(&f[2], 0, &f[1], usize::MAX), Damage::Moved { file: archive_name(2), line: n(2, 1) - n(1, 0) });
    check(|f| move_line(&f[3], 0, &f[2], usize::MAX), Damage::Moved { file: archive_name(3), line: n(3, 1) - n(2, 0) });
    check(|f| move_line(&f[1], 3, &f[2], 3), removed("audit-000002.jsonl", 4, n(1, 4), n(1, 4)));
}

fn copy(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

fn swap(a: &Path, b: &Path) {
    let (left, right) = (fs::read(a).unwrap(), fs::read(b).unwrap());
    fs::write(a, right).unwrap();
    fs::write(b, left).unwrap();
}

fn edit(path: &Path, edit: impl FnOnce(&mut Vec<String>)) {
    let mut all = lines(path);
    edit(&mut all);
    write(path, &all);
}

/// The last line of the second file loses its end.
fn cut_short(files: &[PathBuf]) {
    let bytes = fs::read(&files[1]).unwrap();
    fs::write(&files[1], &bytes[..bytes.len() - 30]).unwrap();
}

fn move_line(from: &Path, line: usize, to: &Path, at: usize) {
    let (mut source, mut target) = (lines(from), lines(to));
    let text = source.remove(line.min(source.len() - 1));
    target.insert(at.min(target.len()), text);
    write(from, &source);
    write(to, &target);
}

#[test]
fn writers_and_readers_at_once() {
    // Locks are asked for in turns that nobody keeps: on a slow machine (Wine) too many starve one.
    const WRITERS: u64 = if cfg!(windows) { 2 } else { 6 };
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let audit = small(dir.path());
                scope.spawn(move || {
                    for n in 0..40 {
                        audit.fact("deny", &json!({"w": writer, "n": n})).unwrap();
                    }
                })
            })
            .collect();
        let audit = small(dir.path());
        while writers.iter().any(|w| !w.is_finished()) {
            assert_eq!(audit.verify().unwrap().damage, None);
            let tail = audit.tail(30).unwrap();
            let numbers: Vec<_> = tail.iter().filter_map(|line| line["seq"].as_u64()).collect();
            assert!(numbers.windows(2).all(|w| w[0] + 1 == w[1]), "{numbers:?}");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    });
    let audit = small(dir.path());
    let files = files(&audit).len() as u64;
    assert_eq!(audit.verify().unwrap(), Report { lines: WRITERS * 40, files, ..Report::default() });
    assert!(files > 5 || cfg!(windows), "{files}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_changed_byte_of_any_file_is_found(file in 0..3_usize, at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let dir = tempfile::tempdir().unwrap();
        let audit = filled(dir.path(), 14);
        let path = &files(&audit)[file];
        let mut bytes = fs::read(path).unwrap();
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != to);
        bytes[at] = to;
        fs::write(path, bytes).unwrap();
        let report = audit.verify().unwrap();
        prop_assert!(report.damage.is_some() || report.torn_tail, "byte {} to {}", at, to);
    }

    #[test]
    fn any_cut_of_any_file_is_found(file in 0..3_usize, at in any::<prop::sample::Index>()) {
        let dir = tempfile::tempdir().unwrap();
        let audit = filled(dir.path(), 14);
        let path = &files(&audit)[file];
        let bytes = fs::read(path).unwrap();
        // A line that lacks nothing but its end is whole.
        let at = at.index(bytes.len() - 1);
        fs::write(path, &bytes[..at]).unwrap();
        let report = audit.verify().unwrap();
        prop_assert!(report.damage.is_some(), "cut to {} of {}", at, bytes.len());
    }
}
