//! The audit's lines across its files, as far as the chain needs them.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::archives::{Archive, archive_name, archives};
use super::audit::{Hash, Head, Phase, is_fragment, sum, unhex};
use super::lines::{Lines, RawLine};

/// Where a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The file's number in the list.
    pub(super) file: usize,
    /// From 1.
    pub(super) line: u64,
}

/// What the chain needs of one line.
pub(super) struct Row {
    pub(super) place: Place,
    pub(super) hash: Hash,
    pub(super) ended: bool,
    /// `None`: it is a fragment, or no line of ours.
    pub(super) head: Option<Parsed>,
    /// It is none, and looks like the beginning of one of ours.
    pub(super) fragment: bool,
}

pub(super) struct Parsed {
    pub(super) seq: u64,
    pub(super) prev: Hash,
    pub(super) after_torn: bool,
    pub(super) file: Option<u64>,
    pub(super) is_intent: bool,
    pub(super) outcome_of: Option<u64>,
}

#[derive(Deserialize)]
struct Form {
    #[serde(flatten)]
    head: Head,
    phase: Phase,
    of: Option<u64>,
}

impl Row {
    fn of(line: &RawLine<'_>, place: Place) -> Self {
        let form: Option<Form> = serde_json::from_slice(line.text).ok().filter(|_| !line.cut);
        let head = form.and_then(|f| {
            Some(Parsed {
                seq: f.head.seq,
                prev: unhex(&f.head.prev)?,
                after_torn: f.head.after_torn,
                file: f.head.file,
                is_intent: f.phase == Phase::Intent,
                outcome_of: f.of.filter(|_| f.phase == Phase::Outcome),
            })
        });
        let fragment = head.is_none() && is_fragment(line.text);
        Self { place, hash: sum(line.text), ended: line.ended, head, fragment }
    }

    /// Whether what it says of the file that it begins is so.
    pub(super) fn belongs(&self) -> bool {
        let number = self.place.file as u64 + 1;
        let begins = (self.place.line == 1 && number > 1).then_some(number);
        self.head.as_ref().is_none_or(|head| head.file == begins)
    }

    pub(super) fn follows(&self, hash: Hash) -> bool {
        self.head.as_ref().is_some_and(|h| h.prev == hash)
    }
}

/// The lines of all files, oldest first. What is added after this was made is not among them.
pub(super) struct Rows {
    archives: Vec<Archive>,
    current: PathBuf,
    /// The file that is written to, with its length: it may be put aside while it is read.
    open: Option<(File, u64)>,
    lines: Option<Lines>,
    next: Place,
}

impl Rows {
    /// The caller holds the lock.
    pub(super) fn open(current: &Path) -> io::Result<Self> {
        let open = match File::open(current) {
            Ok(file) => {
                let bytes = file.metadata()?.len();
                Some((file, bytes))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(e),
        };
        let next = Place { file: 0, line: 1 };
        Ok(Self { archives: archives(current)?, current: current.to_owned(), open, lines: None, next })
    }

    /// The next line.
    pub(super) fn next(&mut self) -> io::Result<Option<Row>> {
        loop {
            if let Some(lines) = &mut self.lines {
                if let Some(line) = lines.next()? {
                    let row = Row::of(&line, self.next);
                    self.next.line += 1;
                    return Ok(Some(row));
                }
                self.lines = None;
                self.next = Place { file: self.next.file + 1, line: 1 };
            }
            if let Some(archive) = self.archives.get(self.next.file) {
                self.lines = Some(Lines::new(File::open(&archive.path)?));
            } else if let Some((file, bytes)) = self.open.take() {
                self.lines = Some(Lines::within(file, bytes));
            } else {
                return Ok(None);
            }
        }
    }

    /// The number of the file that is written to.
    pub(super) fn current(&self) -> usize {
        self.archives.len()
    }

    /// A file's name.
    pub(super) fn name(&self, file: usize) -> String {
        let path = self.archives.get(file).map_or(&self.current, |archive| &archive.path);
        path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The name that a file at this place was given.
    pub(super) fn given_name(&self, file: usize) -> String {
        if file < self.archives.len() { archive_name(file as u64 + 1) } else { self.name(file) }
    }

    /// The file whose first line follows `hash`.
    pub(super) fn beginning_after(&self, hash: Hash) -> io::Result<Option<usize>> {
        let paths = self.archives.iter().map(|archive| &archive.path).chain([&self.current]);
        for (file, path) in paths.enumerate() {
            let mut lines = match File::open(path) {
                Ok(opened) => Lines::new(opened),
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                Err(e) => return Err(e),
            };
            let place = Place { file, line: 1 };
            if lines.next()?.is_some_and(|line| Row::of(&line, place).follows(hash)) {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }
}
