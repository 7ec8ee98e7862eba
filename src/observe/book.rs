//! HOME/workspace-mgr/observe/book: the calls that are open or ended lately and when each watched folder was last looked
//! at, as records that are only appended.
//!
//! An event reads one file and adds to it in one write: making a file costs some file systems as much as the whole hook.
//! A process that is killed while it writes leaves a torn record, which the next one cuts off. Now and then what still
//! counts is written anew in one step.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::PathBuf;

use super::calls::{Call, Known, Remembered};
use super::state::{Note, ROW};
use crate::ledger::files::{in_private_dir, private_options};
use crate::limits::{MAX_BOOK_BYTES, MAX_ENDED_CALLS, MAX_OBSERVED_FOLDERS, MAX_OPEN_CALLS, MIN_BOOK_BYTES};

const MAGIC: &[u8; 8] = b"WSGBOO1\n";

/// Bytes before a record's content: its length, then what it is.
const HEAD: usize = 8;
/// And after it: the length again, so that a torn record shows.
const TAIL: usize = 4;

/// Room for what an event usually adds.
const NEXT: usize = 1024;

const START: u32 = 1;
const END: u32 = 2;
const NOTE: u32 = 3;
const LOST: u32 = 4;
const LOOKED: u32 = 5;

/// A call in the book.
#[derive(Debug)]
struct Slot {
    key: u64,
    /// Where its stored form lies.
    text: Range<usize>,
    /// When it ended, in milliseconds since 1970, and whether the folders were looked at then.
    end: Option<(u64, bool)>,
}

/// The book as one process has it. Only a process that holds the lock may write it.
#[derive(Debug)]
pub(crate) struct Book {
    path: PathBuf,
    file: Option<File>,
    /// What the file should hold; what it does hold is the first `stored` bytes.
    bytes: Vec<u8>,
    stored: usize,
    notes: Vec<Note>,
    /// Open calls, and those that ended, the last ones last.
    open: Vec<Slot>,
    ended: Vec<Slot>,
    /// When calls may have been forgotten, in milliseconds since 1970; 0: never.
    lost: u64,
    /// Whether a part of it could not be read.
    damaged: bool,
    /// Whether the file holds that part still.
    torn: bool,
}

fn number(bytes: &[u8]) -> u64 {
    let mut eight = [0; 8];
    eight[..bytes.len().min(8)].copy_from_slice(&bytes[..bytes.len().min(8)]);
    u64::from_le_bytes(eight)
}

impl Book {
    /// Reads the book at `path`. One that is missing is empty.
    pub(crate) fn read(path: PathBuf) -> io::Result<Self> {
        let mut book = Self {
            path,
            file: None,
            bytes: Vec::new(),
            stored: 0,
            notes: Vec::new(),
            open: Vec::new(),
            ended: Vec::new(),
            lost: 0,
            damaged: false,
            torn: false,
        };
        let file = match private_options().read(true).write(true).open(&book.path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(book),
            Err(e) => return Err(e),
        };
        let length = file.metadata()?.len().min(MAX_BOOK_BYTES);
        book.bytes.reserve(usize::try_from(length).unwrap_or(0) + NEXT);
        (&file).take(length).read_to_end(&mut book.bytes)?;
        book.file = Some(file);
        let end = if book.bytes.starts_with(MAGIC) { book.replay() } else { 0 };
        book.damaged = end < book.bytes.len();
        book.torn = book.damaged;
        book.bytes.truncate(end);
        book.stored = end;
        Ok(book)
    }

    /// Reads the records; returns where the last whole one ends.
    fn replay(&mut self) -> usize {
        let mut at = MAGIC.len();
        while let Some(head) = self.bytes.get(at..at + HEAD) {
            let (length, kind) = (number(&head[..4]), number(&head[4..]));
            let Ok(length) = usize::try_from(length) else { break };
            let text = at + HEAD..(at + HEAD).saturating_add(length);
            let tail = self.bytes.get(text.end..text.end.saturating_add(TAIL));
            if tail != Some(&head[..4]) || !self.apply(u32::try_from(kind).unwrap_or(0), text.clone()) {
                break;
            }
            at = text.end + TAIL;
        }
        self.forget();
        at
    }

    /// Takes in one record; `false` where it is none.
    fn apply(&mut self, kind: u32, text: Range<usize>) -> bool {
        let content = &self.bytes[text.clone()];
        match (kind, content.len()) {
            (START, 8..) => {
                self.open.push(Slot { key: number(&content[..8]), text: text.start + 8..text.end, end: None });
            }
            (END, 24) => {
                let (key, end, looked) = (number(&content[..8]), number(&content[8..16]), number(&content[16..]));
                self.close(key, end, looked != 0);
            }
            (NOTE, ROW) => {
                let note = Note::from_bytes(content);
                match self.notes.iter_mut().find(|old| old.key == note.key) {
                    Some(old) => *old = note,
                    None => self.notes.push(note),
                }
            }
            (LOST, 8) => self.lost = number(content),
            (LOOKED, 0) => self.ended.iter_mut().filter_map(|slot| slot.end.as_mut()).for_each(|end| end.1 = true),
            // Of a later version.
            (LOOKED.., _) => {}
            _ => return false,
        }
        true
    }

    fn close(&mut self, key: u64, end: u64, looked: bool) {
        if let Some(at) = self.open.iter().position(|slot| slot.key == key) {
            let slot = self.open.remove(at);
            self.ended.push(Slot { end: Some((end, looked)), ..slot });
        }
    }

    /// Forgets the calls that ended first; those that nobody has looked after are kept for the look that comes.
    fn forget(&mut self) {
        let mut many = self.ended.len().saturating_sub(MAX_ENDED_CALLS);
        if many > 0 {
            self.ended.retain(|slot| {
                let goes = many > 0 && slot.end.is_some_and(|(_, looked)| looked);
                many -= usize::from(goes);
                !goes
            });
        }
        let many = self.ended.len().saturating_sub(MAX_OPEN_CALLS);
        // Nor are they forgotten in silence.
        let unseen = |slot: &Slot| slot.end.filter(|(_, looked)| !looked).map_or(0, |(end, _)| end);
        self.lost = self.ended.drain(..many).map(|slot| unseen(&slot)).fold(self.lost, u64::max);
    }

    fn record(&mut self, kind: u32, parts: &[&[u8]]) {
        if self.bytes.is_empty() {
            self.bytes.extend(MAGIC);
        }
        let length = u32::try_from(parts.iter().map(|part| part.len()).sum::<usize>()).unwrap_or(u32::MAX);
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(kind.to_le_bytes());
        let start = self.bytes.len();
        for part in parts {
            self.bytes.extend(*part);
        }
        let end = self.bytes.len();
        self.bytes.extend(length.to_le_bytes());
        self.apply(kind, start..end);
    }

    /// Whether there is none yet.
    pub(crate) fn is_new(&self) -> bool {
        self.file.is_none()
    }

    /// Whether a part of it could not be read.
    pub(crate) fn is_damaged(&self) -> bool {
        self.damaged
    }

    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes
    }

    pub(crate) fn is_open(&self, key: u64) -> bool {
        self.open.iter().any(|slot| slot.key == key)
    }

    pub(crate) fn has_ended(&self, key: u64) -> bool {
        self.ended.iter().any(|slot| slot.key == key)
    }

    /// Whether any call is open.
    pub(crate) fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Notes a call; the caller knows that it is neither open nor ended.
    pub(crate) fn start(&mut self, key: u64, call: &Call) {
        self.record(START, &[&key.to_le_bytes(), &call.to_bytes()]);
    }

    /// Notes the end of a call that is open.
    pub(crate) fn end(&mut self, key: u64, end: u64, looked: bool) {
        self.record(END, &[&key.to_le_bytes(), &end.to_le_bytes(), &u64::from(looked).to_le_bytes()]);
        self.forget();
    }

    /// Notes that the folders were looked at since every call ended that has.
    pub(crate) fn looked(&mut self) {
        if self.ended.iter().any(|slot| slot.end.is_some_and(|(_, looked)| !looked)) {
            self.record(LOOKED, &[]);
            self.forget();
        }
    }

    /// Notes a look at a folder.
    pub(crate) fn note(&mut self, note: &Note) {
        self.record(NOTE, &[&note.to_bytes()]);
    }

    /// Notes that there may be calls of which nothing is known.
    pub(crate) fn lose(&mut self, now: u64) {
        self.record(LOST, &[&now.to_le_bytes()]);
    }

    /// Every call that is remembered. What was lost before `horizon` (milliseconds since 1970) has ended by now.
    pub(crate) fn remembered(&self, horizon: u64) -> Remembered {
        let known = |slot: &Slot| {
            let call = Call::from_bytes(&self.bytes[slot.text.clone()])?;
            let (end, looked) = slot.end.map_or((None, false), |(end, looked)| (Some(end), looked));
            Some(Known { key: slot.key, call, end, looked })
        };
        let open: Vec<_> = self.open.iter().filter_map(known).take(MAX_OPEN_CALLS).collect();
        let more = open.len() < self.open.len() || self.lost > horizon;
        Remembered { open, ended: self.ended.iter().rev().filter_map(known).collect(), more }
    }

    /// Stores what was added.
    pub(crate) fn write(&mut self) -> io::Result<()> {
        if self.bytes.len() == self.stored && !self.torn {
            return Ok(());
        }
        let live = self.live();
        if self.torn || self.file.is_none() || self.bytes.len() > MIN_BOOK_BYTES.max(live * 2) {
            return self.rewrite(live);
        }
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(self.stored as u64))?;
            file.write_all(&self.bytes[self.stored..])?;
            self.stored = self.bytes.len();
        }
        Ok(())
    }

    /// Bytes of what still counts.
    fn live(&self) -> usize {
        let calls = self.open.iter().chain(&self.ended).map(|slot| slot.text.len() + 24 + 2 * (HEAD + TAIL));
        calls.sum::<usize>() + self.notes.len() * (ROW + HEAD + TAIL)
    }

    /// Replaces the file by what still counts. Of too many folders those are forgotten that were not looked at for longest.
    fn rewrite(&mut self, live: usize) -> io::Result<()> {
        let mut new = Self {
            path: std::mem::take(&mut self.path),
            file: None,
            bytes: Vec::with_capacity(live + 64),
            stored: 0,
            notes: Vec::new(),
            open: Vec::new(),
            ended: Vec::new(),
            lost: 0,
            damaged: self.damaged,
            torn: false,
        };
        if self.notes.len() > MAX_OBSERVED_FOLDERS * 2 {
            self.notes.sort_unstable_by_key(|note| std::cmp::Reverse(note.read_at));
            self.notes.truncate(MAX_OBSERVED_FOLDERS);
        }
        if self.lost > 0 {
            new.lose(self.lost);
        }
        for note in &self.notes {
            new.note(note);
        }
        for slot in self.ended.iter().chain(&self.open) {
            new.record(START, &[&slot.key.to_le_bytes(), &self.bytes[slot.text.clone()]]);
            if let Some((end, looked)) = slot.end {
                new.end(slot.key, end, looked);
            }
        }
        if new.bytes.is_empty() {
            new.bytes.extend(MAGIC);
        }
        if cfg!(windows) {
            // Not every file system there puts a file in the place of an open one.
            self.file = None;
        }
        new.file = Some(new.replace()?);
        new.stored = new.bytes.len();
        *self = new;
        Ok(())
    }

    fn replace(&self) -> io::Result<File> {
        let temp = self.path.with_extension("next");
        let open = || private_options().write(true).create(true).truncate(true).open(&temp);
        let mut file = in_private_dir(self.path.parent().unwrap_or(&self.path), open)?;
        file.write_all(&self.bytes)?;
        // Windows renames no open file.
        drop(file);
        crate::sys::rename_over(&temp, &self.path)?;
        private_options().read(true).write(true).open(&self.path)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use proptest::prelude::*;

    use super::{Book, MAGIC};
    use crate::limits::{MAX_ENDED_CALLS, MAX_OPEN_CALLS, MIN_BOOK_BYTES};
    use crate::observe::calls::Call;
    use crate::observe::state::Note;

    fn call(n: u64) -> Call {
        Call { session: format!("s{n}"), command: "x".repeat(usize::try_from(n).unwrap() % 50), ..Call::default() }
    }

    /// What is in it, as text that can be compared.
    fn told(book: &Book) -> String {
        let all = book.remembered(0);
        let calls = |calls: &[super::Known]| {
            calls.iter().map(|k| format!("{} {} {:?} {}", k.key, k.call.session, k.end, k.looked)).collect::<Vec<_>>()
        };
        format!("{:?} {:?} {:?} {}", book.notes(), calls(&all.open), calls(&all.ended), all.more)
    }

    fn note(key: u64, read_at: u64) -> Note {
        Note { key, read_at, ..Note::default() }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(steps in prop::collection::vec((0_u8..4, 0_u64..40, any::<bool>()), 0..400)) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("deep/book");
            let mut book = Book::read(path.clone()).unwrap();
            for (number, (what, key, stores)) in steps.iter().enumerate() {
                match what {
                    0 if !book.is_open(*key) && !book.has_ended(*key) => book.start(*key, &call(*key)),
                    1 if book.is_open(*key) => book.end(*key, number as u64, true),
                    2 => book.note(&note(*key, number as u64)),
                    _ => {}
                }
                if *stores {
                    book.write().unwrap();
                    let again = Book::read(path.clone()).unwrap();
                    prop_assert_eq!(told(&book), told(&again));
                    prop_assert!(!again.is_damaged());
                    book = again;
                }
            }
        }

        #[test]
        fn damage_loses_the_end_at_most(cut in any::<prop::sample::Index>(), junk in prop::collection::vec(any::<u8>(), 0..40)) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("book");
            let mut book = Book::read(path.clone()).unwrap();
            for key in 0..20 {
                book.start(key, &call(key));
            }
            book.write().unwrap();
            drop(book);
            let whole = fs::read(&path).unwrap();
            fs::write(&path, [&whole[..cut.index(whole.len())], &junk].concat()).unwrap();
            let mut torn = Book::read(path.clone()).unwrap();
            let left = torn.remembered(0).open.len() as u64;
            prop_assert!((0..left).all(|key| torn.is_open(key)));
            torn.start(99, &call(99));
            torn.write().unwrap();
            let again = Book::read(path).unwrap();
            prop_assert!(!again.is_damaged() && again.is_open(99));
            prop_assert_eq!(again.remembered(0).open.len() as u64, left + 1);
        }
    }

    #[test]
    fn it_stays_small_and_remembers_the_last() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("book");
        for key in 0..2_000 {
            let mut book = Book::read(path.clone()).unwrap();
            book.start(key, &call(key));
            book.note(&note(1, key));
            book.end(key, key, true);
            book.write().unwrap();
            assert!(fs::metadata(&path).unwrap().len() <= MIN_BOOK_BYTES as u64 + 1_000);
        }
        let book = Book::read(path.clone()).unwrap();
        let all = book.remembered(0);
        assert_eq!((all.open.len(), all.ended.len(), all.more), (0, MAX_ENDED_CALLS, false));
        assert!(all.ended.iter().map(|known| known.key).eq((0..2_000).rev().take(MAX_ENDED_CALLS)));
        assert_eq!(book.notes(), [note(1, 1_999)]);
        assert!(fs::read(path).unwrap().starts_with(MAGIC));
    }

    #[test]
    fn calls_that_nobody_looked_after_are_not_forgotten_in_silence() {
        let dir = tempfile::tempdir().unwrap();
        let mut book = Book::read(dir.path().join("book")).unwrap();
        let many = MAX_OPEN_CALLS as u64 + 1;
        for key in 0..many {
            assert!(!book.remembered(0).more, "{key}");
            book.start(key, &call(key));
            book.end(key, 1_000 + key, false);
        }
        assert!(book.remembered(0).more && !book.remembered(1_000).more);
        // All that are known are told until a look has seen what they did.
        assert_eq!(book.remembered(0).ended.len(), MAX_OPEN_CALLS);
        book.looked();
        book.write().unwrap();
        let path = dir.path().join("book");
        assert_eq!(told(&book), told(&Book::read(path).unwrap()));
        let ended = book.remembered(0).ended;
        assert!(ended.len() == MAX_ENDED_CALLS && ended.iter().all(|known| known.looked));
    }
}
