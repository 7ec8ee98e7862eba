//! HOME/workspace-mgr/observe: what each folder looked like last (a file a folder), and one file with all their stamps,
//! so that folders in which nothing happened cost one system call each.
//!
//! Both are replaced in one step, without waiting for the disk: after a power cut they may be empty, which is noticed.
//! The stamp in a folder's own file counts; the common file only says which of them need not be opened.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::facts::Stamp;
use super::table::Table;
use crate::ledger::files::{create_private_dir, private_options};
use crate::limits::MAX_OBSERVED_FOLDERS;

const STATE_MAGIC: &[u8; 8] = b"WSGSTA1\n";
const TABLE_MAGIC: &[u8; 8] = b"WSGTAB1\n";
const END_MAGIC: &[u8; 8] = b"\nWSGEND\n";

/// Bytes of a folder's row in the common file, and of the stamp in its own.
const ROW: usize = 56;

/// What is noted of one folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Note {
    /// [`key_of`] its path.
    pub(crate) key: u64,
    pub(crate) stamp: Stamp,
    /// Milliseconds since 1970 of the look.
    pub(crate) read_at: u64,
    pub(crate) flags: u64,
}

impl Note {
    /// The stamp was so fresh that the folder may change without another one.
    pub(crate) const FRESH: u64 = 1;
    /// The folder did not hold still while it was read.
    pub(crate) const UNSETTLED: u64 = 2;
    pub(crate) const CAPPED: u64 = 4;
    pub(crate) const UNREADABLE: u64 = 8;
    pub(crate) const NOT_A_FOLDER: u64 = 16;
    /// The folder can't be watched.
    pub(crate) const BLIND: u64 = Self::CAPPED | Self::UNREADABLE | Self::NOT_A_FOLDER;

    pub(crate) fn has(&self, flags: u64) -> bool {
        self.flags & flags != 0
    }

    fn to_bytes(self) -> [u8; ROW] {
        let Stamp { device, inode, modified, changed } = self.stamp;
        let numbers =
            [self.key, device, inode, modified.cast_unsigned(), changed.cast_unsigned(), self.read_at, self.flags];
        let mut bytes = [0; ROW];
        for (slot, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            slot.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let mut numbers = [0_u64; ROW / 8];
        for (number, chunk) in numbers.iter_mut().zip(bytes.chunks_exact(8)) {
            let mut eight = [0; 8];
            eight.copy_from_slice(chunk);
            *number = u64::from_le_bytes(eight);
        }
        let [key, device, inode, modified, changed, read_at, flags] = numbers;
        let stamp = Stamp { device, inode, modified: modified.cast_signed(), changed: changed.cast_signed() };
        Self { key, stamp, read_at, flags }
    }
}

/// A number for a text, the same in every version and on every platform (FNV-1a).
pub(crate) fn key_of(parts: &[&[u8]]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        // Each part ends, so that `ab`, `c` is not `a`, `bc`.
        for byte in part.iter().copied().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// The folder of everything here.
#[derive(Debug)]
pub(crate) struct Store {
    dir: PathBuf,
}

/// What a look at a folder found the time before.
pub(crate) struct Baseline {
    pub(crate) note: Note,
    pub(crate) table: Table,
}

impl Store {
    pub(crate) fn at(dir: PathBuf) -> Self {
        Self { dir }
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    fn table_path(&self, key: u64) -> PathBuf {
        self.dir.join(format!("{key:016x}.folder"))
    }

    /// The notes of all folders, and whether the file was damaged.
    pub(crate) fn notes(&self) -> io::Result<(Vec<Note>, bool)> {
        let bytes = match fs::read(self.dir.join("state")) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), false)),
            Err(e) => return Err(e),
        };
        match bytes.strip_prefix(STATE_MAGIC) {
            Some(rows) if rows.len().is_multiple_of(ROW) => {
                Ok((rows.chunks_exact(ROW).map(Note::from_bytes).collect(), false))
            }
            _ => Ok((Vec::new(), true)),
        }
    }

    /// Replaces the common file. Of too many folders those are forgotten that were not read for longest.
    pub(crate) fn put_notes(&self, notes: &mut Vec<Note>) -> io::Result<()> {
        if notes.len() > MAX_OBSERVED_FOLDERS * 2 {
            notes.sort_unstable_by_key(|note| std::cmp::Reverse(note.read_at));
            for old in notes.drain(MAX_OBSERVED_FOLDERS..) {
                ignore_missing(fs::remove_file(self.table_path(old.key)))?;
            }
        }
        let mut bytes = Vec::with_capacity(8 + notes.len() * ROW);
        bytes.extend(STATE_MAGIC);
        for note in notes.iter() {
            bytes.extend(note.to_bytes());
        }
        self.replace(&self.dir.join("state"), &[&bytes])
    }

    /// What was seen in the folder at `path` last; `None` where nothing readable is stored.
    pub(crate) fn baseline(&self, key: u64, path: &[u8]) -> io::Result<Option<Baseline>> {
        let mut bytes = match fs::read(self.table_path(key)) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e),
        };
        let head = 8 + ROW + 4;
        let whole = bytes.starts_with(TABLE_MAGIC) && bytes.len() >= head + 8 && bytes.ends_with(END_MAGIC);
        if !whole {
            return Ok(None);
        }
        let note = Note::from_bytes(&bytes[8..8 + ROW]);
        let mut length = [0; 4];
        length.copy_from_slice(&bytes[8 + ROW..head]);
        let length = u32::from_le_bytes(length) as usize;
        // Another path with the same number is another folder.
        if note.key != key || bytes.get(head..head + length) != Some(path) {
            return Ok(None);
        }
        bytes.truncate(bytes.len() - END_MAGIC.len());
        bytes.drain(..(head + length).min(bytes.len()));
        Ok(Table::from_bytes(bytes).map(|table| Baseline { note, table }))
    }

    /// Replaces what is stored of a folder.
    pub(crate) fn put_baseline(&self, note: &Note, path: &[u8], table: &Table) -> io::Result<()> {
        let length = u32::try_from(path.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        let head = [&TABLE_MAGIC[..], &note.to_bytes(), &length.to_le_bytes(), path].concat();
        self.replace(&self.table_path(note.key), &[&head, table.as_bytes(), END_MAGIC])
    }

    /// Replaces a file in one step; the caller holds the lock, so there is one who writes.
    fn replace(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        let temp = self.dir.join("next");
        let open = || private_options().write(true).create(true).truncate(true).open(&temp);
        let mut file = match open() {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                create_private_dir(&self.dir)?;
                open()?
            }
            other => other?,
        };
        match parts {
            [one] => file.write_all(one)?,
            many => file.write_all(&many.concat())?,
        }
        drop(file);
        crate::sys::rename_over(&temp, path)
    }
}

/// Something that is gone need not be removed.
pub(crate) fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
