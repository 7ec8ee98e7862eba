//! HOME/workspace-mgr/observe: what each folder looked like last, two files a folder, of which the book says the one that
//! counts. The other one is written over, so that no look makes a file: that costs more than all the rest.
//!
//! Files are written without waiting for the disk: after a power cut one may be damaged, which is noticed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::facts::Stamp;
use super::table::Table;
use crate::ledger::files::{in_private_dir, private_options};
use crate::limits::MAX_JOINED_BYTES;

const MAGIC: &[u8; 8] = b"WSGTAB2\n";

/// Bytes of a folder's note.
pub(crate) const ROW: usize = 56;

/// Bytes before the folder's path: the magic, its note, the lengths of the path and of the rows.
const HEAD: usize = MAGIC.len() + ROW + 4 + 4;

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
    /// The second of its files counts.
    pub(crate) const SECOND: u64 = 32;
    /// Some of what was there before was not looked at again; see [`super::folder::Names`].
    pub(crate) const TAKEN: u64 = 64;
    /// The folder can't be watched.
    pub(crate) const BLIND: u64 = Self::CAPPED | Self::UNREADABLE | Self::NOT_A_FOLDER;

    pub(crate) fn has(&self, flags: u64) -> bool {
        self.flags & flags != 0
    }

    pub(crate) fn to_bytes(self) -> [u8; ROW] {
        let Stamp { device, inode, modified, changed } = self.stamp;
        let numbers =
            [self.key, device, inode, modified.cast_unsigned(), changed.cast_unsigned(), self.read_at, self.flags];
        let mut bytes = [0; ROW];
        for (slot, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            slot.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
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

/// A number for stored bytes, by which damage shows.
fn sum_of(parts: [&[u8]; 2]) -> u64 {
    let mut sum = 0x9e37_79b9_7f4a_7c15_u64;
    let mut add = |word: u64| sum = (sum ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29);
    for part in parts {
        let words = part.chunks_exact(8);
        let mut last = [0; 8];
        last[..words.remainder().len()].copy_from_slice(words.remainder());
        for word in words {
            let mut eight = [0; 8];
            eight.copy_from_slice(word);
            add(u64::from_le_bytes(eight));
        }
        add(u64::from_le_bytes(last));
    }
    sum
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

    fn table_path(&self, key: u64, second: bool) -> PathBuf {
        self.dir.join(format!("{key:016x}.{}", u8::from(second)))
    }

    /// What was seen last in the folder at `path`, of which the book has `note`; `None` where nothing readable is stored.
    /// Without a note the later one of the two counts.
    pub(crate) fn baseline(&self, key: u64, path: &[u8], note: Option<&Note>) -> io::Result<Option<Baseline>> {
        if let Some(note) = note {
            let found = self.read(key, path, note.has(Note::SECOND))?;
            // What was seen since the table was written is in the book alone.
            return Ok(found.map(|found| Baseline { note: *note, ..found }));
        }
        let both = [self.read(key, path, false)?, self.read(key, path, true)?];
        Ok(both.into_iter().flatten().max_by_key(|found| found.note.read_at))
    }

    fn read(&self, key: u64, path: &[u8], second: bool) -> io::Result<Option<Baseline>> {
        match fs::read(self.table_path(key, second)) {
            Ok(bytes) => Ok(parse(bytes, key, path)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Stores what was seen in a folder beside what counts until now; `note` says where.
    pub(crate) fn put_baseline(&self, note: &Note, path: &[u8], table: &Table) -> io::Result<()> {
        let rows = table.as_bytes();
        let length = |part: &[u8]| u32::try_from(part.len()).map_err(|_| io::ErrorKind::InvalidInput);
        let mut head = Vec::with_capacity(HEAD + path.len() + rows.len().min(MAX_JOINED_BYTES) + 8);
        head.extend(MAGIC);
        head.extend(note.to_bytes());
        head.extend(length(path)?.to_le_bytes());
        head.extend(length(rows)?.to_le_bytes());
        head.extend(path);
        let sum = sum_of([&head, rows]).to_le_bytes();
        let mut file = self.open(&self.table_path(note.key, note.has(Note::SECOND)))?;
        if rows.len() > MAX_JOINED_BYTES {
            file.write_all(&head)?;
            file.write_all(rows)?;
            return file.write_all(&sum);
        }
        head.extend(rows);
        head.extend(sum);
        file.write_all(&head)
    }

    /// A table's file, with what it held before.
    fn open(&self, path: &Path) -> io::Result<File> {
        in_private_dir(&self.dir, || private_options().write(true).create(true).truncate(false).open(path))
    }

    /// Removes what versions before the book kept here, and whether there was any: a file a call and a folder, and one with
    /// the stamps of all. What is not theirs stays.
    pub(crate) fn clear_older(&self) -> io::Result<bool> {
        let mut any = false;
        for (path, name) in entries(&self.dir)? {
            match &*name {
                "open" | "ended" => {
                    for (path, _) in entries(&path)?.into_iter().filter(|(_, name)| is_key(name)) {
                        fs::remove_file(path)?;
                    }
                    match fs::remove_dir(path) {
                        Err(e) if e.kind() == io::ErrorKind::DirectoryNotEmpty => {}
                        other => other?,
                    }
                }
                "state" | "next" => fs::remove_file(path)?,
                _ if name.strip_suffix(".folder").is_some_and(is_key) => fs::remove_file(path)?,
                _ => continue,
            }
            any = true;
        }
        Ok(any)
    }
}

/// Whether `name` is that of a call or a folder.
fn is_key(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|b| b.is_ascii_hexdigit())
}

/// What the folder `dir` holds, none where it is missing; names that are no text are nobody's.
fn entries(dir: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(e),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        found.extend(entry.file_name().into_string().ok().map(|name| (entry.path(), name)));
    }
    Ok(found)
}

/// The table in a file of the folder `path`. What follows it is left from a longer one.
fn parse(mut bytes: Vec<u8>, key: u64, path: &[u8]) -> Option<Baseline> {
    let number = |at: usize| {
        let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(four)).ok()
    };
    let (length, rows) = (number(HEAD - 8)?, number(HEAD - 4)?);
    let first = HEAD.checked_add(length)?;
    let end = first.checked_add(rows)?;
    let sum: [u8; 8] = bytes.get(end..end.checked_add(8)?)?.try_into().ok()?;
    let note = Note::from_bytes(&bytes[MAGIC.len()..MAGIC.len() + ROW]);
    // Another path with the same number is another folder.
    let is_it = bytes.starts_with(MAGIC) && note.key == key && &bytes[HEAD..first] == path;
    if !is_it || u64::from_le_bytes(sum) != sum_of([&bytes[..first], &bytes[first..end]]) {
        return None;
    }
    bytes.truncate(end);
    Table::from_bytes(bytes, first).map(|table| Baseline { note, table })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use super::{Note, Store};
    use crate::ledger::observed::EntryKind;
    use crate::observe::table::{Row, Table};

    fn table(names: &[&str]) -> Table {
        let mut table = Table::default();
        for name in names {
            table.push(&Row { kind: EntryKind::File, inode: 7, birth: 9, name: name.as_bytes() });
        }
        table
    }

    #[test]
    fn the_file_that_counts() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::at(dir.path().join("observe"));
        let note = |flags, read_at| Note { key: 5, flags, read_at, ..Note::default() };
        let (long, short) = (table(&["one", "two", "three"]), table(&["x"]));
        assert!(store.baseline(5, b"/p", None).unwrap().is_none());
        store.put_baseline(&note(Note::SECOND, 1), b"/p", &long).unwrap();
        store.put_baseline(&note(0, 2), b"/p", &short).unwrap();
        let read = |note: Option<&Note>| store.baseline(5, b"/p", note).unwrap().map(|found| found.table);
        assert_eq!(read(Some(&note(Note::SECOND, 3))), Some(long.clone()));
        assert_eq!(read(Some(&note(0, 3))), Some(short.clone()));
        assert_eq!(read(None), Some(short.clone()));
        // Shorter than what was there.
        store.put_baseline(&note(Note::SECOND, 9), b"/p", &short).unwrap();
        assert_eq!(read(Some(&note(Note::SECOND, 3))), Some(short));
        assert!(store.baseline(5, b"/q", None).unwrap().is_none());
    }

    #[test]
    fn damage_shows() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::at(dir.path().to_owned());
        let note = Note { key: 5, ..Note::default() };
        store.put_baseline(&note, b"/p", &table(&["one", "two"])).unwrap();
        let path = store.table_path(5, false);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            fs::write(&path, &bytes).unwrap();
            assert!(store.baseline(5, b"/p", Some(&note)).unwrap().is_none(), "{at}");
            fs::write(&path, &whole[..at]).unwrap();
            assert!(store.baseline(5, b"/p", Some(&note)).unwrap().is_none(), "{at}");
        }
    }
}
