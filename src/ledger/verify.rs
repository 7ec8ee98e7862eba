//! Whether the audit's chain is whole, and where it is not.

use std::collections::BTreeSet;
use std::collections::VecDeque;
use std::fs::File;
use std::io;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::audit::{Audit, End, GENESIS, Hash, Head, Phase, read_note, sum, unhex};
use super::error::{LedgerError, on};
use super::journal::lock;
use super::lines::Lines;

/// The first place where the chain is broken. Lines count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "what")]
pub enum Damage {
    /// This line is not as it was written.
    Changed {
        /// The line.
        line: u64,
    },
    /// Lines are missing before this line (or at the end).
    Removed {
        /// The line that follows the gap.
        line: u64,
        /// Number (`seq`) of the first that is missing.
        first: u64,
        /// Number of the last that is missing.
        last: u64,
    },
    /// This line was not written by us, or not here.
    Inserted {
        /// The line.
        line: u64,
    },
}

/// What [`Audit::verify`] finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whole lines up to the damage, or all of them.
    pub lines: u64,
    /// Fragments that killed writers left; they are part of the chain and no damage.
    pub torn: u64,
    /// The file ends in such a fragment.
    pub torn_tail: bool,
    /// The first damage.
    pub damage: Option<Damage>,
    /// Intents without an outcome, by number: acts that were cut short.
    pub open: Vec<u64>,
}

/// What the chain needs of one line.
struct Row {
    hash: Hash,
    ended: bool,
    head: Option<Parsed>,
}

struct Parsed {
    seq: u64,
    prev: Hash,
    after_torn: bool,
    phase: Phase,
    of: Option<u64>,
}

#[derive(Deserialize)]
struct Form {
    #[serde(flatten)]
    head: Head,
    phase: Phase,
    of: Option<u64>,
}

impl Row {
    fn read(lines: &mut Lines) -> io::Result<Option<Self>> {
        let Some(line) = lines.next()? else { return Ok(None) };
        let form: Option<Form> = serde_json::from_slice(line.text).ok().filter(|_| !line.cut);
        let head = form.and_then(|f| {
            let prev = unhex(&f.head.prev)?;
            Some(Parsed { seq: f.head.seq, prev, after_torn: f.head.after_torn, phase: f.phase, of: f.of })
        });
        Ok(Some(Self { hash: sum(line.text), ended: line.ended, head }))
    }

    fn follows(&self, hash: Hash) -> bool {
        self.head.as_ref().is_some_and(|h| h.prev == hash)
    }
}

/// The chain so far.
struct Chain {
    note: Option<End>,
    /// Hashes of the last line and of the one before it.
    before: Hash,
    before2: Hash,
    seq: u64,
    line: u64,
    report: Report,
    open: BTreeSet<u64>,
}

impl Chain {
    /// Takes the next line; `next` is the one after it.
    fn take(&mut self, row: &Row, next: Option<&Row>) -> Option<Damage> {
        self.line += 1;
        let line = self.line;
        let stands_alone = next.is_some_and(|n| n.follows(self.before));
        let Some(head) = &row.head else {
            let resumed = next.is_some_and(|n| n.follows(row.hash) && n.head.as_ref().is_some_and(|h| h.after_torn));
            if next.is_none() && !row.ended {
                self.report.torn_tail = true;
            } else if !resumed {
                return Some(if stands_alone { Damage::Inserted { line } } else { Damage::Changed { line } });
            }
            self.report.torn += 1;
            self.step(row);
            return None;
        };
        let expected = self.seq + 1;
        if head.prev == self.before {
            if head.seq != expected {
                return Some(Damage::Changed { line });
            }
            // What was noted under the lock is the last word on its line.
            if self.note.is_some_and(|n| n.seq == head.seq && n.hash != row.hash) {
                return Some(Damage::Changed { line });
            }
            self.seq = head.seq;
            self.count(head);
            self.step(row);
            return None;
        }
        Some(self.broken(line, row, head, next, stands_alone))
    }

    /// Names the break between the last line and `row`.
    fn broken(&self, line: u64, row: &Row, head: &Parsed, next: Option<&Row>, stands_alone: bool) -> Damage {
        let expected = self.seq + 1;
        let intact = match next {
            Some(next) => next.follows(row.hash),
            None => self.note.is_none_or(|n| n.hash == row.hash),
        };
        if stands_alone {
            return Damage::Inserted { line };
        }
        if line > 1 && head.prev == self.before2 && intact {
            return Damage::Inserted { line: line - 1 };
        }
        if head.seq < expected {
            return Damage::Inserted { line };
        }
        if head.seq > expected {
            return Damage::Removed { line, first: expected, last: head.seq - 1 };
        }
        // In order by number: either this line's text is not its own, or the one before is not.
        Damage::Changed { line: if intact && line > 1 { line - 1 } else { line } }
    }

    fn step(&mut self, row: &Row) {
        self.before2 = self.before;
        self.before = row.hash;
    }

    fn count(&mut self, head: &Parsed) {
        self.report.lines += 1;
        match (head.phase, head.of) {
            (Phase::Intent, _) => {
                self.open.insert(head.seq);
            }
            (Phase::Outcome, Some(of)) => {
                self.open.remove(&of);
            }
            _ => {}
        }
    }

    fn finish(mut self, damage: Option<Damage>) -> Report {
        let gone = self.note.filter(|n| n.seq > self.seq);
        let gone = gone.map(|n| Damage::Removed { line: self.line + 1, first: self.seq + 1, last: n.seq });
        self.report.damage = damage.or(gone);
        self.report.open = self.open.into_iter().collect();
        self.report
    }
}

impl Audit {
    /// Checks every line against the one before it, and the end against the note under the lock.
    pub fn verify(&self) -> Result<Report, LedgerError> {
        let fail = on("read", self.path());
        let folder = self.lock_path().parent();
        if folder.is_none_or(|dir| !dir.exists()) {
            return Ok(Report::default());
        }
        let mut lock = lock(self.lock_path())?;
        let note = read_note(&mut lock).map_err(&fail)?;
        let mut chain = Chain {
            note,
            before: GENESIS,
            before2: GENESIS,
            seq: 0,
            line: 0,
            report: Report::default(),
            open: BTreeSet::new(),
        };
        let mut lines = match File::open(self.path()) {
            Ok(file) => Lines::new(file),
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(chain.finish(None)),
            Err(e) => return Err(fail(e)),
        };
        let mut row = Row::read(&mut lines).map_err(&fail)?;
        while let Some(this) = row {
            let next = Row::read(&mut lines).map_err(&fail)?;
            if let Some(damage) = chain.take(&this, next.as_ref()) {
                return Ok(chain.finish(Some(damage)));
            }
            row = next;
        }
        Ok(chain.finish(None))
    }

    /// The last `count` lines as they are stored; what is no JSON is given as text.
    pub fn tail(&self, count: usize) -> Result<Vec<Value>, LedgerError> {
        let fail = on("read", self.path());
        let mut lines = match File::open(self.path()) {
            Ok(file) => Lines::new(file),
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(fail(e)),
        };
        let mut last: VecDeque<Vec<u8>> = VecDeque::new();
        while let Some(line) = lines.next().map_err(&fail)? {
            if last.len() == count {
                last.pop_front();
            }
            if count > 0 {
                last.push_back(line.text.to_owned());
            }
        }
        let value = |text: Vec<u8>| {
            let parsed = serde_json::from_slice(&text);
            parsed.unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&text).into_owned()))
        };
        Ok(last.into_iter().map(value).collect())
    }
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
        assert_eq!(report, Report { lines: 3, open: vec![3], ..Report::default() });
        let tail = audit.tail(2).unwrap();
        assert_eq!(
            (&tail[0]["of"], &tail[0]["phase"], &tail[1]["data"]["path"]),
            (&json!(1), &json!("outcome"), &json!("/b"))
        );
    }

    #[test]
    fn names_the_damaged_line() {
        type Edit = fn(&mut Vec<String>);
        let check = |edit: Edit, want: Damage| {
            let dir = tempfile::tempdir().unwrap();
            let audit = filled(dir.path(), 6);
            rewrite(&audit, edit);
            assert_eq!(audit.verify().unwrap().damage, Some(want));
            // Going on does not heal it.
            audit.fact("deny", &json!({"n": "later"})).unwrap();
            let after = audit.verify().unwrap().damage;
            assert!(after.is_some(), "{want:?} was healed");
        };
        check(|l| l[0] = l[0].replace("\"n\":0", "\"n\":9"), Damage::Changed { line: 1 });
        check(|l| l[2] = l[2].replace("\"n\":2", "\"n\":9"), Damage::Changed { line: 3 });
        check(|l| l[5] = l[5].replace("\"n\":5", "\"n\":9"), Damage::Changed { line: 6 });
        check(|l| l[5] = l[5].replace("\"n\":5", "\"n\":99999"), Damage::Changed { line: 6 });
        check(|l| l[2] = l[2].replace("\"seq\":3", "\"seq\":4"), Damage::Changed { line: 3 });
        check(|l| l[2] = "rubbish".into(), Damage::Changed { line: 3 });
        check(|l| drop(l.remove(0)), Damage::Removed { line: 1, first: 1, last: 1 });
        check(|l| drop(l.drain(2..4)), Damage::Removed { line: 3, first: 3, last: 4 });
        check(|l| l.truncate(4), Damage::Removed { line: 5, first: 5, last: 6 });
        check(Vec::clear, Damage::Removed { line: 1, first: 1, last: 6 });
        check(|l| l.insert(2, "rubbish".into()), Damage::Inserted { line: 3 });
        check(|l| l.insert(2, l[1].clone()), Damage::Inserted { line: 3 });
        check(|l| l.insert(2, l[2].replace("\"n\":2", "\"n\":7")), Damage::Inserted { line: 3 });
        check(|l| l.swap(2, 3), Damage::Inserted { line: 3 });
        // A forged line with the right number and hash.
        check(
            |l| {
                let hash = super::super::audit::hex(&super::sum(l[1].as_bytes()));
                let old = l[2].split("\"prev\":\"").nth(1).unwrap()[..64].to_owned();
                assert_eq!(old, hash);
                l.insert(2, l[2].replace("\"n\":2", "\"n\":8"));
            },
            Damage::Inserted { line: 3 },
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
            let want = Report { lines: 4 + complete, torn: 1 - complete, ..Report::default() };
            assert_eq!(report, want, "{keep}");
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
        assert_eq!(audit.verify().unwrap(), Report { lines: 4, ..Report::default() });
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
        assert_eq!(filled(dir.path(), 0).verify().unwrap(), Report { lines: WRITERS * 50, ..Report::default() });
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
