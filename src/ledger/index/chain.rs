//! The journal's files, oldest first: those that were put aside (`journal-000001.jsonl`, …) and the one that is written to.
//!
//! A file is known by its first bytes, which never change: so the place where the fold goes on is found again after the
//! file was renamed, at whatever moment a process was killed.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::{Index, Position};
use crate::home::Home;
use crate::ledger::audit::hex;
use crate::ledger::error::{LedgerError, on};
use crate::ledger::journal::{Event, Journal, Kind};
use crate::ledger::lines::Lines;
use crate::limits::MAX_DAMAGED_BYTES;

/// Bytes by which a file is known.
const HEAD_BYTES: u64 = 4096;

/// The journals of one HOME.
pub(super) struct Chain {
    archives: Vec<PathBuf>,
    current: PathBuf,
}

/// What reading found beside whole lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Oddities {
    /// Lines that can't be read, as far as there is room for them.
    pub(super) damaged: Vec<u8>,
    /// How many.
    pub(super) lines: usize,
    /// The file that the fold came to is not there any more.
    pub(super) lost: bool,
}

impl Chain {
    pub(super) fn of(home: &Home) -> Result<Self, LedgerError> {
        let current = Journal::at(home).path().to_owned();
        let folder = home.ledger();
        let mut archives = Vec::new();
        match fs::read_dir(&folder) {
            Ok(entries) => {
                for entry in entries {
                    let path = entry.map_err(on("read", &folder))?.path();
                    if number(&path).is_some() {
                        archives.push(path);
                    }
                }
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(on("read", &folder)(e)),
        }
        archives.sort_by_key(|path| number(path));
        Ok(Self { archives, current })
    }

    pub(super) fn archives(&self) -> &[PathBuf] {
        &self.archives
    }

    /// The name for the next file that is put aside.
    pub(super) fn next_archive(&self) -> PathBuf {
        let last = self.archives.last().and_then(|path| number(path)).unwrap_or(0);
        self.current.with_file_name(format!("journal-{:06}.jsonl", last.saturating_add(1)))
    }

    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.archives.iter().chain([&self.current])
    }

    /// Adds to `index` what it does not have yet.
    pub(super) fn fold(&self, index: &mut Index) -> Result<Oddities, LedgerError> {
        let mut position = index.position.take();
        let odd = self.advance(&mut position, |event| index.apply(&event));
        index.position = position;
        odd
    }

    /// Gives each line behind `position`, and moves it to the end.
    fn advance(&self, position: &mut Option<Position>, mut each: impl FnMut(Event)) -> Result<Oddities, LedgerError> {
        let mut odd = Oddities::default();
        let files: Vec<&PathBuf> = self.files().collect();
        let (first, mut offset) = match position.as_ref() {
            None => (0, 0),
            Some(position) => self.find(position)?.unwrap_or_else(|| {
                odd.lost = true;
                (files.len() - 1, 0)
            }),
        };
        if odd.lost {
            *position = None;
        }
        for (at, path) in files.iter().enumerate().skip(first) {
            let is_last = at + 1 == files.len();
            let start = std::mem::take(&mut offset);
            let end = read_from(path, start, is_last, &mut odd, &mut each)?;
            if let Some(end) = end.filter(|&end| end > 0) {
                *position = Some(position_at(path, end)?);
            }
        }
        Ok(odd)
    }

    /// The file that the position is in, by its place in the list.
    fn find(&self, position: &Position) -> Result<Option<(usize, u64)>, LedgerError> {
        let files: Vec<&PathBuf> = self.files().collect();
        // The newest is the likeliest.
        for (at, path) in files.iter().enumerate().rev() {
            if head(path, position.head_bytes)? == Some(position.head.clone()) {
                let length = fs::metadata(path).map_err(on("read", path))?.len();
                if length >= position.offset {
                    return Ok(Some((at, position.offset)));
                }
            }
        }
        Ok(None)
    }
}

fn number(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_prefix("journal-")?.strip_suffix(".jsonl")?.parse().ok()
}

/// SHA-256 of a file's first bytes. `None`: it is shorter, or not there.
fn head(path: &Path, bytes: u64) -> Result<Option<String>, LedgerError> {
    let fail = on("read", path);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(fail(e)),
    };
    let mut text = Vec::new();
    file.take(bytes.min(HEAD_BYTES)).read_to_end(&mut text).map_err(fail)?;
    Ok((text.len() as u64 == bytes).then(|| hex(&Sha256::digest(&text).into())))
}

fn position_at(path: &Path, offset: u64) -> Result<Position, LedgerError> {
    let head_bytes = offset.min(HEAD_BYTES);
    let head = head(path, head_bytes)?.unwrap_or_default();
    Ok(Position { head, head_bytes, offset })
}

/// Gives each whole line from `start` on; where the last of them ends. `None`: there is no such file.
///
/// In the file that is written to, a last line without an end is left for the next time: its writer may be at it.
fn read_from(
    path: &Path,
    start: u64,
    is_current: bool,
    odd: &mut Oddities,
    mut each: impl FnMut(Event),
) -> Result<Option<u64>, LedgerError> {
    let fail = on("read", path);
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(fail(e)),
    };
    file.seek(SeekFrom::Start(start)).map_err(&fail)?;
    let mut lines = Lines::new(file);
    let mut end = start;
    while let Some(line) = lines.next().map_err(&fail)? {
        let event = serde_json::from_slice(line.text).ok().filter(|_| line.text.starts_with(b"{") && !line.cut);
        if !line.ended && is_current {
            break;
        }
        match event {
            Some(event) => each(event),
            None if line.text.iter().all(u8::is_ascii_whitespace) => {}
            None => {
                odd.lines += 1;
                if odd.damaged.len() + line.text.len() < MAX_DAMAGED_BYTES {
                    odd.damaged.extend_from_slice(line.text);
                    odd.damaged.push(b'\n');
                }
            }
        }
        end = start + lines.consumed();
    }
    Ok(Some(end))
}

/// A call as the journal tells of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// Its session.
    pub session: String,
    /// Its id.
    pub call: String,
    /// The session's harness.
    pub harness: String,
    /// What kind of tool.
    pub tool: String,
    /// The beginning of what it runs or writes.
    pub excerpt: String,
    /// When it began, RFC 3339 UTC.
    pub started: String,
    /// When it ended; empty while it runs.
    pub ended: String,
    /// How.
    pub outcome: String,
}

/// The calls that `wanted` picks by session and id, in the order in which they began.
pub fn calls(home: &Home, wanted: impl Fn(&str, &str) -> bool) -> Result<Vec<Call>, LedgerError> {
    let mut found: Vec<Call> = Vec::new();
    let mut odd = Oddities::default();
    for path in Chain::of(home)?.files() {
        read_from(path, 0, false, &mut odd, |event| {
            let id = event.call.as_deref().unwrap_or_default();
            if !matches!(event.kind, Kind::CallStart | Kind::CallEnd) || !wanted(&event.session, id) {
                return;
            }
            let known = found.iter_mut().rev().find(|c| c.session == event.session && c.call == id);
            match (event.kind, known) {
                (Kind::CallEnd, Some(call)) if call.ended.is_empty() => {
                    call.ended = event.time;
                    call.outcome = event.outcome;
                }
                // The same event a second time.
                (Kind::CallEnd, _) => {}
                (_, Some(call)) if call.ended.is_empty() => {}
                _ => found.push(Call {
                    call: id.to_owned(),
                    session: event.session,
                    harness: event.harness,
                    tool: event.tool,
                    excerpt: event.excerpt,
                    started: event.time,
                    ..Call::default()
                }),
            }
        })?;
    }
    Ok(found)
}

/// Gives the lines that are added to the journal from a moment on, whatever becomes of its file.
#[derive(Debug)]
pub struct Tail {
    home: Home,
    position: Option<Position>,
}

impl Tail {
    /// From where `index` ends.
    pub fn after(home: &Home, index: &Index) -> Self {
        Self { home: home.clone(), position: index.position.clone() }
    }

    /// Gives each line that came since the last time.
    pub fn read(&mut self, each: impl FnMut(Event)) -> Result<(), LedgerError> {
        Chain::of(&self.home)?.advance(&mut self.position, each).map(|_| ())
    }
}
