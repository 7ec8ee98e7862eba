//! One look at a folder: its stamp, its names, and what lstat says of them where they are few.

use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

use super::facts::{Stamp, facts_of, kind_of, listed_inode, stamp_of};
use super::table::{Row, Table};
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
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => Ok(stamp_of(&meta)),
        Ok(_) => Err(Blind::NotAFolder),
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
    /// Whether it is not reported.
    pub(crate) ignores: &'a dyn Fn(&[u8]) -> bool,
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

fn list(path: &Path, wanted: &Wanted<'_>) -> Result<Table, Blind> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Table::default()),
        Err(e) => return Err(Blind::Unreadable(e)),
    };
    let mut table = Table::default();
    let mut few = Vec::new();
    for (count, entry) in entries.enumerate() {
        let entry = entry.map_err(Blind::Unreadable)?;
        if count >= wanted.cap {
            return Err(Blind::Capped);
        }
        let name = entry.file_name();
        if !(wanted.takes)(name.as_encoded_bytes()) {
            continue;
        }
        if table.len() == 0 && few.len() < MAX_OBSERVED_LSTAT {
            few.push(entry);
        } else {
            for early in few.drain(..) {
                push(&mut table, &early, wanted, cfg!(windows));
            }
            push(&mut table, &entry, wanted, cfg!(windows));
        }
    }
    for entry in few {
        push(&mut table, &entry, wanted, true);
    }
    Ok(table)
}

/// Adds `entry`, with its birth where it is to be asked. One that is gone by now is left out.
fn push(table: &mut Table, entry: &DirEntry, wanted: &Wanted<'_>, ask: bool) {
    let name = entry.file_name();
    let name = name.as_encoded_bytes();
    let ignored = (wanted.ignores)(name);
    let listed = || {
        let kind = entry.file_type().map(kind_of).unwrap_or_default();
        Row { kind, ignored, inode: listed_inode(entry), birth: 0, name }
    };
    if !ask {
        return table.push(&listed());
    }
    match entry.metadata() {
        Ok(meta) => {
            let facts = facts_of(&meta);
            table.push(&Row { kind: facts.kind, ignored, inode: facts.inode, birth: facts.birth, name });
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(_) => table.push(&listed()),
    }
}
