//! One look at a folder: its stamp, its names, and what lstat says of them where they are few.

use std::io;
use std::path::Path;

use super::facts::{Stamp, stamp_at};
use super::list::list;
use super::table::Table;
use crate::limits::{MAX_OBSERVED_LSTAT, OBSERVE_RETRIES};

/// Why a folder can't be watched.
#[derive(Debug)]
pub(crate) enum Blind {
    /// It has more entries than the cap.
    Capped,
    /// A link, or no folder.
    NotAFolder,
    Unreadable(io::Error),
}

/// The stamp of the folder at `path`, all zero where nothing is.
pub(crate) fn stamp(path: &Path) -> Result<Stamp, Blind> {
    match stamp_at(path) {
        Ok(Some(stamp)) => Ok(stamp),
        Ok(None) => Err(Blind::NotAFolder),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Stamp::default()),
        Err(e) => Err(Blind::Unreadable(e)),
    }
}

/// What is wanted of a folder's names.
pub(crate) struct Wanted<'a> {
    /// Entries that are counted, wanted or not.
    pub(crate) cap: usize,
    /// Whether a name is looked at at all.
    pub(crate) takes: &'a dyn Fn(&[u8]) -> bool,
    /// Bytes of the table that is expected.
    pub(crate) room: usize,
}

/// A folder as it was at one moment.
pub(crate) struct Seen {
    pub(crate) stamp: Stamp,
    pub(crate) table: Table,
    /// Whether nothing happened while it was read.
    pub(crate) settled: bool,
}

/// Reads the folder at `path` until it holds still, a few times at most.
pub(crate) fn look(path: &Path, first: Stamp, wanted: &Wanted<'_>) -> Result<Seen, Blind> {
    let mut before = first;
    let mut rounds = 0;
    loop {
        rounds += 1;
        let table = if before == Stamp::default() { Table::default() } else { list(path, wanted)? };
        let after = stamp(path)?;
        let settled = after == before;
        // A large folder is not read again at once: it takes too long.
        if settled || rounds >= OBSERVE_RETRIES || table.len() > MAX_OBSERVED_LSTAT {
            // The earlier stamp: what happened since makes the next look read again.
            return Ok(Seen { stamp: before, table, settled });
        }
        before = after;
    }
}
