//! One look at all roots: what is different, and what is to be stored of it.

use std::io;
use std::path::Path;

use super::book::Book;
use super::diff::{Change, diff};
use super::facts::{Facts, Stamp, facts_at};
use super::folder::{Blind, Known, Seen, Wanted, look, stamp};
use super::roots::{Only, Root, Surroundings, is_ignored};
use super::state::{Baseline, Note, Store, key_of};
use super::table::{Row, Table, letter};
use crate::config::Policy;
use crate::ledger::journal::Kind;
use crate::ledger::observed::EntryKind;
use crate::ledger::stamp::now_ms;
use crate::limits::{MAX_OBSERVED_FOLDERS, MAX_OBSERVED_LINES, OBSERVE_CAPPED_MS};
use crate::path::Model;

/// A difference.
#[derive(Debug)]
pub(crate) struct Difference {
    /// `Appeared`, `Vanished`, `Changed` or `Transient`.
    pub(crate) kind: Kind,
    pub(crate) path: String,
    pub(crate) entry_kind: EntryKind,
    pub(crate) signature: String,
    /// Milliseconds since 1970; 0: not known.
    pub(crate) birth: i64,
    pub(crate) changed: i64,
    /// The last change of the folder.
    pub(crate) latest: i64,
    pub(crate) own: Option<bool>,
    /// For a scratch folder: its name, which is the session's.
    pub(crate) session: Option<String>,
}

/// Something that the operator should know.
#[derive(Debug)]
pub(crate) struct Notice {
    pub(crate) code: &'static str,
    pub(crate) path: String,
    pub(crate) text: String,
}

/// What one look found.
#[derive(Debug, Default)]
pub(crate) struct Look {
    pub(crate) differences: Vec<Difference>,
    pub(crate) notices: Vec<Notice>,
    /// What is to be stored of the folders that changed.
    pub(crate) tables: Vec<(Note, String, Table)>,
    /// What is to be noted in the book.
    pub(crate) notes: Vec<Note>,
    /// Whether it was taken to its end.
    pub(crate) complete: bool,
}

/// How closely a look is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// Beside a call, which waits for it: entries that are there under their old numbers are taken for what they were
    /// where new ones alone explain that the folder changed.
    Quick,
    /// Each entry of a folder that changed is looked at, and of one in which a quick look left some out.
    Thorough,
}

/// Looks at `roots` and what lies below them as deep as each wants. `book` says what was looked at last.
pub(crate) fn look_at(
    store: &Store,
    book: &Book,
    policy: &Policy,
    around: &Surroundings<'_>,
    roots: Vec<Root>,
    care: Care,
) -> io::Result<Look> {
    let mut looking = Looking { store, book, policy, around, care, out: Look::default() };
    if book.is_damaged() {
        looking.notice("observe_damaged", around.home, "some of what was known of calls and watched folders is lost");
    }
    let mut queue = roots;
    let mut next = 0;
    while next < queue.len() {
        if next >= MAX_OBSERVED_FOLDERS {
            looking.notice("observe_folders", &queue[next].path, "too many folders to watch: lower scan_depth");
            break;
        }
        let below = looking.root(&queue[next])?;
        queue.extend(below);
        next += 1;
    }
    Ok(Look { complete: true, ..looking.out })
}

struct Looking<'a> {
    store: &'a Store,
    book: &'a Book,
    policy: &'a Policy,
    around: &'a Surroundings<'a>,
    care: Care,
    out: Look,
}

impl Looking<'_> {
    fn notice(&mut self, code: &'static str, path: &str, text: &str) {
        self.out.notices.push(Notice { code, path: path.to_owned(), text: text.to_owned() });
    }

    /// Looks at one folder; returns those below it that are to be looked at too.
    fn root(&mut self, root: &Root) -> io::Result<Vec<Root>> {
        let key = key_of(&[root.path.as_bytes()]);
        let old = self.book.notes().iter().find(|note| note.key == key).copied();
        let now = now_ms();
        let path = Path::new(&root.path);
        let stamp = match stamp(path) {
            Ok(stamp) => stamp,
            Err(blind) => {
                self.blind(root, key, old, Stamp::default(), now, blind);
                return Ok(Vec::new());
            }
        };
        let again = Note::FRESH | Note::UNSETTLED | if self.care == Care::Thorough { Note::TAKEN } else { 0 };
        let unchanged = old.is_some_and(|old| old.stamp == stamp && !old.has(again));
        if unchanged {
            return self.below_unchanged(root, key, old);
        }
        let waits = old.is_some_and(|old| old.has(Note::CAPPED) && now < old.read_at + OBSERVE_CAPPED_MS);
        if waits {
            return Ok(Vec::new());
        }
        let baseline = self.store.baseline(key, root.path.as_bytes(), old.as_ref())?;
        let bytes = baseline.as_ref().map_or(0, |baseline| baseline.table.as_bytes().len() + 256);
        let usable = |known: &&Baseline| self.care == Care::Quick && !known.note.has(Note::BLIND | Note::UNSETTLED);
        let known = baseline.as_ref().filter(usable);
        let known = known.map(|known| Known { table: &known.table, stamp: known.note.stamp });
        let wanted = Wanted { cap: self.policy.scan_cap as usize, takes: &|name| root.takes(name), room: bytes, known };
        match look(path, stamp, &wanted) {
            Ok(seen) => Ok(self.seen(root, key, old, baseline, now, seen)),
            Err(blind) => {
                self.blind(root, key, old, stamp, now, blind);
                Ok(Vec::new())
            }
        }
    }

    fn below_unchanged(&self, root: &Root, key: u64, old: Option<Note>) -> io::Result<Vec<Root>> {
        if root.depth <= 1 || old.is_some_and(|old| old.has(Note::BLIND)) {
            return Ok(Vec::new());
        }
        let baseline = self.store.baseline(key, root.path.as_bytes(), old.as_ref())?;
        Ok(baseline.map_or_else(Vec::new, |baseline| self.below(root, &baseline.table)))
    }

    /// A folder that can't be watched: said once.
    fn blind(&mut self, root: &Root, key: u64, old: Option<Note>, stamp: Stamp, now: u64, why: Blind) {
        let (flag, code, text) = match why {
            Blind::Capped => {
                let text = format!("more than {} entries (scan_cap): not watched", self.policy.scan_cap);
                (Note::CAPPED, "observe_capped", text)
            }
            Blind::NotAFolder => {
                (Note::NOT_A_FOLDER, "observe_not_a_folder", "no folder, or a link: not watched".to_owned())
            }
            Blind::Unreadable(e) => {
                (Note::UNREADABLE, "observe_unreadable", format!("can't be read: {e}; not watched"))
            }
        };
        if !old.is_some_and(|old| old.has(flag)) {
            self.notice(code, &root.path, &text);
        }
        // While it can't be watched its baseline stays: what happened meanwhile is seen when it can be again.
        let file = old.map_or(0, |old| old.flags & Note::SECOND);
        self.put_note(old, Note { key, stamp, read_at: now, flags: flag | file });
    }

    fn put_note(&mut self, old: Option<Note>, note: Note) {
        // When it was looked at matters only where it can't be watched.
        let says_more = |old: Note| {
            (old.stamp, old.flags) != (note.stamp, note.flags) || note.has(Note::BLIND) && old.read_at != note.read_at
        };
        if old.is_none_or(says_more) {
            self.out.notes.push(note);
        }
    }

    fn seen(
        &mut self,
        root: &Root,
        key: u64,
        old: Option<Note>,
        baseline: Option<Baseline>,
        now: u64,
        mut seen: Seen,
    ) -> Vec<Root> {
        let fresh = if seen.stamp.is_fresh(now) { Note::FRESH } else { 0 };
        let unsettled = if seen.settled { 0 } else { Note::UNSETTLED };
        // Beside the file that counts until now.
        let counts = old.or(baseline.as_ref().map(|baseline| baseline.note)).map_or(Note::SECOND, |note| note.flags);
        let file = counts & Note::SECOND;
        let taken = if seen.taken { Note::TAKEN } else { 0 };
        let mut note = Note { key, stamp: seen.stamp, read_at: now, flags: fresh | unsettled | taken | file };
        let differs = match (baseline, old) {
            (Some(baseline), _) => self.compare(root, &note, &baseline, &mut seen),
            // It was known to be missing.
            (None, Some(old)) if old.stamp == Stamp::default() && !old.has(Note::BLIND) => {
                self.compare(root, &note, &Baseline { note: old, table: Table::default() }, &mut seen);
                // An empty one needs a table as well: without it the next look would find what was known lost.
                seen.stamp != Stamp::default()
            }
            (None, Some(old)) if !old.has(Note::BLIND) => {
                self.notice(
                    "observe_damaged",
                    &root.path,
                    "what was known of this folder is lost; it is taken as it is now",
                );
                true
            }
            (None, _) => true,
        };
        let found = self.below(root, &seen.table);
        let missing = seen.stamp == Stamp::default() && seen.table.len() == 0 && old.is_none();
        if differs && !missing {
            note.flags ^= Note::SECOND;
            self.out.tables.push((note, root.path.clone(), seen.table));
        }
        self.put_note(old, note);
        found
    }

    /// The folders in `table` that are watched too.
    fn below(&self, root: &Root, table: &Table) -> Vec<Root> {
        if root.depth <= 1 {
            return Vec::new();
        }
        (0..table.len())
            .map(|i| table.row(i))
            .filter(|row| row.kind == EntryKind::Dir && !is_ignored(self.policy, self.around, &root.path, row.name))
            .filter_map(|row| std::str::from_utf8(row.name).ok())
            .map(|name| Root::new(child(self.around.model, &root.path, name), root.depth - 1, Only::All))
            .collect()
    }

    /// Whether the baseline is to be replaced.
    fn compare(&mut self, root: &Root, note: &Note, baseline: &Baseline, seen: &mut Seen) -> bool {
        let (was, is) = (baseline.note.stamp, note.stamp);
        let both = was != Stamp::default() && is != Stamp::default();
        if both && was.device != is.device {
            self.notice("observe_replaced", &root.path, "another file system is here now; it is taken as it is");
            return true;
        }
        let changes = diff(&baseline.table, &mut seen.table);
        let settled = seen.settled && !baseline.note.has(Note::UNSETTLED);
        if changes.is_empty()
            && both
            && settled
            && root.is_whole()
            && was.inode == is.inode
            && was.modified != is.modified
        {
            self.out.differences.push(Difference {
                kind: Kind::Transient,
                path: root.path.clone(),
                entry_kind: EntryKind::Other,
                signature: String::new(),
                birth: 0,
                changed: 0,
                latest: is.latest_ms(),
                own: None,
                session: None,
            });
        }
        for change in &changes {
            if self.out.differences.len() >= MAX_OBSERVED_LINES {
                let text = format!("{} differences at once: not all have a line", changes.len());
                self.notice("observe_many", &root.path, &text);
                break;
            }
            let row = match *change {
                Change::Appeared(j) | Change::Changed(_, j) => seen.table.row(j),
                Change::Vanished(i) => baseline.table.row(i),
            };
            if is_ignored(self.policy, self.around, &root.path, row.name) {
                continue;
            }
            let latest = if is == Stamp::default() { 0 } else { seen.latest };
            let facts = self.difference(root, was.device.max(is.device), latest, change, &row);
            // In a large folder the births of what is new are not in the listing.
            if let (Change::Appeared(j) | Change::Changed(_, j), Some(facts)) = (*change, facts) {
                seen.table.set_birth(j, facts.birth);
            }
        }
        seen.table != baseline.table
    }

    /// Notes one difference; its facts, where there are some.
    fn difference(&mut self, root: &Root, device: u64, latest: i64, change: &Change, row: &Row<'_>) -> Option<Facts> {
        let name = String::from_utf8_lossy(row.name);
        let path = child(self.around.model, &root.path, &name);
        let kind = match change {
            Change::Appeared(_) => Kind::Appeared,
            Change::Vanished(_) => Kind::Vanished,
            Change::Changed(..) => Kind::Changed,
        };
        let facts = match kind {
            Kind::Vanished => None,
            // Gone again, or under a name that is no text: then only the listing speaks.
            _ => facts_at(Path::new(&path)).ok(),
        };
        // Another one by now: what was listed is what appeared.
        let facts = facts.filter(|facts| facts.inode == row.inode || row.inode == 0);
        let entry_kind = facts.map_or(row.kind, |facts| facts.kind);
        let birth = facts.map_or(row.birth, |facts| facts.birth);
        let device = facts.map_or(device, |facts| facts.device);
        self.out.differences.push(Difference {
            kind,
            path,
            entry_kind,
            signature: signature(entry_kind, device, row.inode, birth),
            birth,
            changed: facts.map_or(0, |facts| facts.changed),
            latest,
            own: facts.and_then(|facts| facts.own),
            session: (root.only == Only::Sessions).then(|| name.into_owned()),
        });
        facts
    }
}

/// A short text that tells an entry from another of the same name.
pub(crate) fn signature(kind: EntryKind, device: u64, inode: u64, birth: i64) -> String {
    let letter = letter(kind);
    if birth == 0 { format!("{letter}:{device:x}:{inode:x}") } else { format!("{letter}:{device:x}:{inode:x}:{birth}") }
}

/// The path of an entry.
fn child(model: Model, folder: &str, name: &str) -> String {
    let mut path = String::with_capacity(folder.len() + 1 + name.len());
    path.push_str(folder);
    if !folder.ends_with(model.separator()) {
        path.push(model.separator());
    }
    path.push_str(name);
    path
}
