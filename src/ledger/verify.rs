//! Whether the audit's chain is whole, and where it is not.

use std::collections::{BTreeSet, VecDeque};
use std::fs::File;
use std::io;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::archives::{archive_name, archives};
use super::audit::{Audit, End, GENESIS, Hash, read_note};
use super::error::{LedgerError, on};
use super::journal::lock;
use super::lines::Lines;
use super::rows::{Parsed, Place, Row, Rows};

/// The first place where the chain is broken. Lines count from 1 in each file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "what")]
pub enum Damage {
    /// This line is not as it was written.
    Changed {
        /// The file's name.
        file: String,
        /// The line.
        line: u64,
    },
    /// Lines are missing before this line (or at the end).
    Removed {
        /// The file's name.
        file: String,
        /// The line that follows the gap.
        line: u64,
        /// Number (`seq`) of the first that is missing.
        first: u64,
        /// Number of the last that is missing.
        last: u64,
    },
    /// This line was not written by us, or not here.
    Inserted {
        /// The file's name.
        file: String,
        /// The line.
        line: u64,
    },
    /// This line is in its order, but belongs into the file before or behind this one.
    Moved {
        /// The file's name.
        file: String,
        /// The line.
        line: u64,
    },
    /// A file that was put aside is not there any more, or another is there under its name.
    FileRemoved {
        /// The file's name.
        file: String,
    },
    /// A file that was put aside holds nothing any more.
    FileEmptied {
        /// The file's name.
        file: String,
    },
    /// A file is there under another name than it was given.
    FileRenamed {
        /// The name that it has.
        file: String,
        /// The name that it was given.
        was: String,
    },
}

/// What [`Audit::verify`] finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whole lines up to the damage, or all of them.
    pub lines: u64,
    /// Files with lines among them.
    pub files: u64,
    /// Fragments that killed writers left; they are part of the chain and no damage.
    pub torn: u64,
    /// The audit ends in such a fragment.
    pub torn_tail: bool,
    /// The first damage.
    pub damage: Option<Damage>,
    /// Intents without an outcome, by number: acts that were cut short.
    pub open: Vec<u64>,
}

/// The chain so far.
struct Chain {
    rows: Rows,
    note: Option<End>,
    /// Hashes of the last line and of the one before it.
    before: Hash,
    before2: Hash,
    seq: u64,
    /// The last line's.
    place: Option<Place>,
    /// The first of fragments whose next line is no whole one either, and their number.
    torn: Option<(Place, u64)>,
    /// The first of the fragments that the next line goes on from.
    resumed: Option<Place>,
    report: Report,
    open: BTreeSet<u64>,
}

impl Chain {
    fn changed(&self, place: Place) -> Damage {
        Damage::Changed { file: self.rows.name(place.file), line: place.line }
    }

    fn inserted(&self, place: Place) -> Damage {
        Damage::Inserted { file: self.rows.name(place.file), line: place.line }
    }

    fn removed(&self, place: Place, last: u64) -> Damage {
        Damage::Removed { file: self.rows.name(place.file), line: place.line, first: self.seq + 1, last }
    }

    fn read(&mut self) -> io::Result<Option<Damage>> {
        let mut row = self.rows.next()?;
        while let Some(this) = row {
            let next = self.rows.next()?;
            if this.place.line == 1 {
                self.report.files += 1;
                if let Some(damage) = self.begin_file(&this)? {
                    return Ok(Some(damage));
                }
            }
            if let Some(damage) = self.take(&this, next.as_ref()) {
                return Ok(Some(damage));
            }
            row = next;
        }
        Ok(self.emptied(self.rows.current()))
    }

    /// Looks at files by their names, where `row` is the first line of one.
    fn begin_file(&self, row: &Row) -> io::Result<Option<Damage>> {
        let (rows, at) = (&self.rows, row.place.file);
        if let Some(damage) = self.emptied(at) {
            return Ok(Some(damage));
        }
        let named = |file| Damage::FileRenamed { file: rows.name(file), was: rows.given_name(at) };
        if row.follows(self.before) {
            return Ok((rows.name(at) != rows.given_name(at)).then(|| named(at)));
        }
        if let Some(other) = rows.beginning_after(self.before)?.filter(|other| *other != at) {
            return Ok(Some(named(other)));
        }
        let begins = row.head.as_ref().and_then(|head| head.file);
        let gap = rows.name(at) != rows.given_name(at) || begins.is_some_and(|number| number > at as u64 + 1);
        Ok(gap.then(|| Damage::FileRemoved { file: archive_name(at as u64 + 1) }))
    }

    /// The first file that was put aside and has no line, between the last line's and `until`.
    fn emptied(&self, until: usize) -> Option<Damage> {
        let first = self.place.map_or(0, |place| place.file + 1);
        (first < until).then(|| Damage::FileEmptied { file: self.rows.name(first) })
    }

    /// Takes the next line; `next` is the one after it.
    fn take(&mut self, row: &Row, next: Option<&Row>) -> Option<Damage> {
        let stands_alone = next.is_some_and(|n| n.follows(self.before));
        let Some(head) = &row.head else {
            let resumed = next.is_some_and(|n| n.follows(row.hash) && n.head.as_ref().is_some_and(|h| h.after_torn));
            if !resumed {
                match next {
                    None if !row.ended || row.fragment => self.report.torn_tail = true,
                    // Writers were killed one after another. The numbers show whether a whole line was among these.
                    Some(next) if row.fragment && next.head.is_none() => {
                        self.torn = self.torn.map(|(first, n)| (first, n + 1)).or(Some((row.place, 1)));
                        return None;
                    }
                    _ => {
                        let place = self.torn.map_or(row.place, |(first, _)| first);
                        return Some(if stands_alone { self.inserted(place) } else { self.changed(place) });
                    }
                }
            }
            let (first, more) = self.torn.take().unwrap_or((row.place, 0));
            self.report.torn += 1 + more;
            self.step(row);
            self.resumed = Some(first);
            return None;
        };
        if head.prev != self.before {
            return Some(self.broken(row, head, next, stands_alone));
        }
        // What was noted under the lock is the last word on its line.
        let is_not_noted = self.note.is_some_and(|n| n.seq == head.seq && n.hash != row.hash);
        if head.seq != self.seq + 1 || is_not_noted {
            // A number that is missing was that of a line that only looks like a fragment.
            let cut = self.resumed.filter(|_| head.seq > self.seq + 1);
            return Some(self.changed(cut.unwrap_or(row.place)));
        }
        if !row.belongs() {
            return Some(Damage::Moved { file: self.rows.name(row.place.file), line: row.place.line });
        }
        self.seq = head.seq;
        self.count(head);
        self.step(row);
        None
    }

    /// Names the break between the last line and `row`.
    fn broken(&self, row: &Row, head: &Parsed, next: Option<&Row>, stands_alone: bool) -> Damage {
        let expected = self.seq + 1;
        let intact = match next {
            Some(next) => next.follows(row.hash),
            None => self.note.is_none_or(|n| n.hash == row.hash),
        };
        if stands_alone {
            return self.inserted(row.place);
        }
        if let Some(last) = self.place.filter(|_| head.prev == self.before2 && intact) {
            return self.inserted(last);
        }
        if head.seq < expected {
            return self.inserted(row.place);
        }
        if head.seq > expected {
            return self.removed(row.place, head.seq - 1);
        }
        // In order by number: either this line's text is not its own, or the one before is not.
        self.changed(self.place.filter(|_| intact).unwrap_or(row.place))
    }

    fn step(&mut self, row: &Row) {
        self.before2 = self.before;
        self.before = row.hash;
        self.place = Some(row.place);
        self.resumed = None;
    }

    fn count(&mut self, head: &Parsed) {
        self.report.lines += 1;
        if head.is_intent {
            self.open.insert(head.seq);
        } else if let Some(of) = head.outcome_of {
            self.open.remove(&of);
        }
    }

    fn finish(mut self, damage: Option<Damage>) -> Report {
        let current = self.rows.current();
        let line = self.place.filter(|place| place.file == current).map_or(1, |place| place.line + 1);
        let gone = self.note.filter(|n| n.seq > self.seq);
        self.report.damage = damage.or_else(|| gone.map(|n| self.removed(Place { file: current, line }, n.seq)));
        self.report.open = self.open.into_iter().collect();
        self.report
    }
}

impl Audit {
    /// Checks every line against the one before it, each file against its name, and the end against the note under the
    /// lock. Writers wait only until it is known what there is to read.
    pub fn verify(&self) -> Result<Report, LedgerError> {
        let fail = on("read", self.path());
        let folder = self.lock_path().parent();
        if folder.is_none_or(|dir| !dir.exists()) {
            return Ok(Report::default());
        }
        let mut lock = lock(self.lock_path())?;
        let note = read_note(&mut lock).map_err(&fail)?;
        let rows = Rows::open(self.path()).map_err(&fail)?;
        drop(lock);
        let mut chain = Chain {
            rows,
            note,
            before: GENESIS,
            before2: GENESIS,
            seq: 0,
            place: None,
            torn: None,
            resumed: None,
            report: Report::default(),
            open: BTreeSet::new(),
        };
        let damage = chain.read().map_err(&fail)?;
        Ok(chain.finish(damage))
    }

    /// The last `count` lines as they are stored; what is no JSON is given as text.
    pub fn tail(&self, count: usize) -> Result<Vec<Value>, LedgerError> {
        let fail = on("read", self.path());
        let mut rounds = 0;
        let lines = loop {
            let before = archives(self.path()).map_err(&fail)?;
            let lines = last_lines(self.path(), before.iter().map(|a| &*a.path), count).map_err(&fail)?;
            // A file that was put aside meanwhile may have been missed.
            rounds += 1;
            if rounds > 5 || archives(self.path()).map_err(&fail)? == before {
                break lines;
            }
        };
        let value = |text: Vec<u8>| {
            let parsed = serde_json::from_slice(&text);
            parsed.unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&text).into_owned()))
        };
        Ok(lines.into_iter().map(value).collect())
    }
}

/// The last `count` lines of the file that is written to and, where it has fewer, of those before.
fn last_lines<'a>(
    current: &'a Path,
    archives: impl DoubleEndedIterator<Item = &'a Path>,
    count: usize,
) -> io::Result<VecDeque<Vec<u8>>> {
    let mut found: VecDeque<Vec<u8>> = VecDeque::new();
    for path in [current].into_iter().chain(archives.rev()) {
        let missing = count - found.len();
        if missing == 0 {
            break;
        }
        let mut lines = match File::open(path) {
            Ok(file) => Lines::new(file),
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            Err(e) => return Err(e),
        };
        let mut last = VecDeque::new();
        while let Some(line) = lines.next()? {
            if last.len() == missing {
                last.pop_front();
            }
            last.push_back(line.text.to_owned());
        }
        last.append(&mut found);
        found = last;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use proptest::prelude::*;
    use serde_json::json;

    use super::{Audit, Damage, Report};
    use crate::home::Home;

    fn filled(dir: &std::path::Path, lines: usize) -> Audit {
        let audit = Audit::at(&Home::at(dir));
        for n in 0..lines {
            audit.fact("deny", &json!({"n": n})).unwrap();
        }
        audit
    }

    fn rewrite(audit: &Audit, edit: impl FnOnce(&mut Vec<String>)) {
        let text = fs::read_to_string(audit.path()).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        edit(&mut lines);
        let text: String = lines.into_iter().map(|l| l + "\n").collect();
        fs::write(audit.path(), text).unwrap();
    }

    #[test]
    fn nothing_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let audit = Audit::at(&Home::at(dir.path().join("none")));
        assert_eq!(audit.verify().unwrap(), Report::default());
        assert!(audit.tail(5).unwrap().is_empty());
    }

    #[test]
    fn intent_and_outcome() {
        let dir = tempfile::tempdir().unwrap();
        let audit = Audit::at(&Home::at(dir.path().join("h")));
        audit.intent("grant", &json!({"path": "/a"})).unwrap().outcome(&json!({"ok": true})).unwrap();
        let cut_short = audit.intent("grant", &json!({"path": "/b"})).unwrap();
        drop(cut_short);
        let report = audit.verify().unwrap();
        assert_eq!(report, Report { lines: 3, files: 1, open: vec![3], ..Report::default() });
        let tail = audit.tail(2).unwrap();
        assert_eq!(
            (&tail[0]["of"], &tail[0]["phase"], &tail[1]["data"]["path"]),
            (&json!(1), &json!("outcome"), &json!("/b"))
        );
    }

    #[test]
    fn names_the_damaged_line() {
        type Edit = fn(&mut Vec<String>);
        let file = || "audit.jsonl".to_owned();
        let changed = |line| Damage::Changed { file: file(), line };
        let inserted = |line| Damage::Inserted { file: file(), line };
        let removed = |line, first, last| Damage::Removed { file: file(), line, first, last };
        let check = |edit: Edit, want: Damage| {
            let dir = tempfile::tempdir().unwrap();
            let audit = filled(dir.path(), 6);
            rewrite(&audit, edit);
            assert_eq!(audit.verify().unwrap().damage.as_ref(), Some(&want));
            // Going on does not heal it.
            audit.fact("deny", &json!({"n": "later"})).unwrap();
            let after = audit.verify().unwrap().damage;
            assert!(after.is_some(), "{want:?} was healed");
        };
        check(|l| l[0] = l[0].replace("\"n\":0", "\"n\":9"), changed(1));
        check(|l| l[2] = l[2].replace("\"n\":2", "\"n\":9"), changed(3));
        check(|l| l[5] = l[5].replace("\"n\":5", "\"n\":9"), changed(6));
        check(|l| l[5] = l[5].replace("\"n\":5", "\"n\":99999"), changed(6));
        check(|l| l[2] = l[2].replace("\"seq\":3", "\"seq\":4"), changed(3));
        check(|l| l[2] = "rubbish".into(), changed(3));
        check(|l| drop(l.remove(0)), removed(1, 1, 1));
        check(|l| drop(l.drain(2..4)), removed(3, 3, 4));
        check(|l| l.truncate(4), removed(5, 5, 6));
        check(Vec::clear, removed(1, 1, 6));
        check(|l| l.insert(2, "rubbish".into()), inserted(3));
        check(|l| l.insert(2, l[1].clone()), inserted(3));
        check(|l| l.insert(2, l[2].replace("\"n\":2", "\"n\":7")), inserted(3));
        check(|l| l.swap(2, 3), inserted(3));
        // A forged line with the right number and hash.
        check(
            |l| {
                let hash = super::super::audit::hex(&super::super::audit::sum(l[1].as_bytes()));
                let old = l[2].split("\"prev\":\"").nth(1).unwrap()[..64].to_owned();
                assert_eq!(old, hash);
                l.insert(2, l[2].replace("\"n\":2", "\"n\":8"));
            },
            inserted(3),
        );
    }

    #[test]
    fn a_torn_line_is_no_damage() {
        for keep in [1, 40, usize::MAX] {
            // As a kill leaves it: two lines and a note of them, then a part of the third.
            let dir = tempfile::tempdir().unwrap();
            let audit = filled(dir.path(), 2);
            let note = fs::read(audit.lock_path()).unwrap();
            let two = fs::read(audit.path()).unwrap().len();
            audit.fact("deny", &json!({})).unwrap();
            let whole = fs::read(audit.path()).unwrap();
            let end = two.saturating_add(keep).min(whole.len() - 1);
            fs::write(audit.path(), &whole[..end]).unwrap();
            fs::write(audit.lock_path(), note).unwrap();
            // A line that lacks nothing but its end counts.
            let complete = u64::from(end == whole.len() - 1);
            let report = audit.verify().unwrap();
            assert_eq!((report.damage, report.torn_tail, report.lines), (None, complete == 0, 2 + complete), "{keep}");
            audit.fact("deny", &json!({})).unwrap();
            audit.fact("deny", &json!({})).unwrap();
            let report = audit.verify().unwrap();
            let want = Report { lines: 4 + complete, files: 1, torn: 1 - complete, ..Report::default() };
            assert_eq!(report, want, "{keep}");
        }
    }

    #[test]
    fn writers_killed_one_after_another() {
        for (fragments, torn) in [
            (&["{\"v\":2,\"seq\":3", "\n{\"v\":2,\"se", "\n{"][..], 3),
            (&["{\"v\":2,\"seq\":3", "\n"], 1),
            (&["{\"v", "\n", "{\"v\":2,"], 2),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let audit = filled(dir.path(), 2);
            let whole = fs::read_to_string(audit.path()).unwrap();
            fs::write(audit.path(), whole.clone() + &fragments.concat()).unwrap();
            let report = audit.verify().unwrap();
            assert_eq!((report.damage, report.torn, report.torn_tail), (None, torn, true), "{fragments:?}");
            audit.fact("deny", &json!({})).unwrap();
            audit.fact("deny", &json!({})).unwrap();
            assert_eq!(
                audit.verify().unwrap(),
                Report { lines: 4, files: 1, torn, ..Report::default() },
                "{fragments:?}"
            );
            // Among them no whole line is turned into such a fragment.
            rewrite(&audit, |l| l[1].truncate(20));
            let damage = Damage::Changed { file: "audit.jsonl".into(), line: 2 };
            assert_eq!(audit.verify().unwrap().damage, Some(damage), "{fragments:?}");
        }
    }

    #[test]
    fn a_kill_between_line_and_note_is_no_damage() {
        let dir = tempfile::tempdir().unwrap();
        let audit = filled(dir.path(), 2);
        let note = fs::read(audit.lock_path()).unwrap();
        audit.fact("deny", &json!({})).unwrap();
        fs::write(audit.lock_path(), note).unwrap();
        assert_eq!(audit.verify().unwrap().damage, None);
        audit.fact("deny", &json!({})).unwrap();
        assert_eq!(audit.verify().unwrap(), Report { lines: 4, files: 1, ..Report::default() });
        for note in [&b""[..], b"torn", b"\xff"] {
            fs::write(audit.lock_path(), note).unwrap();
            assert_eq!(audit.verify().unwrap().damage, None);
            audit.fact("deny", &json!({})).unwrap();
            assert_eq!(audit.verify().unwrap().damage, None);
        }
    }

    #[test]
    fn writers_at_once_keep_the_chain() {
        // Locks are asked for in turns that nobody keeps: on a slow machine (Wine) too many starve one.
        const WRITERS: u64 = if cfg!(windows) { 3 } else { 8 };
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let audit = Audit::at(&Home::at(dir.path()));
                scope.spawn(move || {
                    for n in 0..50 {
                        audit.fact("deny", &json!({"w": writer, "n": n})).unwrap();
                    }
                });
            }
        });
        assert_eq!(
            filled(dir.path(), 0).verify().unwrap(),
            Report { lines: WRITERS * 50, files: 1, ..Report::default() }
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_changed_byte_is_found(at in any::<prop::sample::Index>(), to in any::<u8>()) {
            let dir = tempfile::tempdir().unwrap();
            let audit = filled(dir.path(), 4);
            let mut bytes = fs::read(audit.path()).unwrap();
            let at = at.index(bytes.len());
            prop_assume!(bytes[at] != to);
            bytes[at] = to;
            fs::write(audit.path(), bytes).unwrap();
            let report = audit.verify().unwrap();
            prop_assert!(report.damage.is_some() || report.torn_tail, "byte {} to {}", at, to);
        }
    }
}
