//! The names in one folder with their numbers, as Windows lists them: without opening what is in it.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::ffi::OsStringExt as _;
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::AsRawHandle as _;
use std::path::Path;

use super::file_facts::{facts_of, is_name};
use super::winapi::{
    FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_REPARSE_POINT, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT,
    FILE_LIST_DIRECTORY, FILE_READ_ATTRIBUTES, GetFileInformationByHandleEx,
};
use crate::limits::LISTING_BYTES;

/// `FileIdBothDirectoryInfo`, which goes on, and `FileIdBothDirectoryRestartInfo`, which begins anew.
const LIST_ON: u32 = 10;
const LIST_ANEW: u32 = 11;

/// Where the parts of an entry begin (`FILE_ID_BOTH_DIR_INFO`).
const ATTRIBUTES_AT: usize = 56;
const NAME_LENGTH_AT: usize = 60;
/// Of a reparse point this is its tag.
const TAG_AT: usize = 64;
const INODE_AT: usize = 96;
const NAME_AT: usize = 104;

/// The system's words for the end of a list, and for a list without anything, which the root of a drive may be.
const NO_MORE_FILES: i32 = 18;
const FILE_NOT_FOUND: i32 = 2;
/// And of a file system that knows no numbers: invalid function, not supported, invalid parameter, invalid level.
const NO_NUMBERS: [i32; 4] = [1, 50, 87, 124];

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, a junction or a mounted volume.
    Link,
}

/// One entry.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// Its name, as the standard library encodes it.
    pub name: &'a [u8],
    /// Its number.
    pub inode: u64,
    /// What it is.
    pub kind: ListedKind,
}

/// An open folder.
#[derive(Debug)]
pub struct Listing {
    folder: File,
}

impl Listing {
    /// Opens the folder at `path`, which may not be a link itself.
    pub fn open(path: &Path) -> io::Result<Self> {
        let folder = OpenOptions::new()
            .access_mode(FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES)
            .custom_flags(FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS)
            .open(path)?;
        if facts_of(&folder)?.is_folder { Ok(Self { folder }) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// Gives each entry but `.` and `..` to `each`, until that says `false`. [`io::ErrorKind::Unsupported`]: this file
    /// system can't list numbers.
    #[expect(unsafe_code, reason = "the standard library lists no numbers")]
    pub fn each(&self, mut each: impl FnMut(Listed<'_>) -> bool) -> io::Result<()> {
        // Numbers of eight bytes, because the system wants it aligned so.
        let mut buffer = vec![0_u64; LISTING_BYTES / 8];
        let length = u32::try_from(LISTING_BYTES).unwrap_or(0);
        let mut class = LIST_ANEW;
        loop {
            // SAFETY: the handle is open; the buffer is valid for writes of `length` bytes.
            let done = unsafe {
                let handle = self.folder.as_raw_handle();
                GetFileInformationByHandleEx(handle, class, buffer.as_mut_ptr().cast(), length)
            };
            if done == 0 {
                let error = io::Error::last_os_error();
                return match error.raw_os_error() {
                    Some(NO_MORE_FILES) => Ok(()),
                    Some(FILE_NOT_FOUND) if class == LIST_ANEW => Ok(()),
                    Some(code) if NO_NUMBERS.contains(&code) => Err(io::ErrorKind::Unsupported.into()),
                    _ => Err(error),
                };
            }
            // SAFETY: the buffer is initialised, and bytes need no alignment.
            let bytes = unsafe { std::slice::from_raw_parts(buffer.as_ptr().cast::<u8>(), LISTING_BYTES) };
            if !entries(bytes, &mut each) {
                return Ok(());
            }
            class = LIST_ON;
        }
    }
}

/// Each entry in what the system wrote; `false` where there is to be no more.
fn entries(bytes: &[u8], each: &mut impl FnMut(Listed<'_>) -> bool) -> bool {
    let mut rest = bytes;
    loop {
        let Some(head) = rest.get(..NAME_AT) else { return true };
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let next = usize::try_from(word(0)).unwrap_or(0);
        let length = usize::try_from(word(NAME_LENGTH_AT)).unwrap_or(usize::MAX);
        let Some(name) = rest.get(NAME_AT..NAME_AT.saturating_add(length)) else { return true };
        let units: Vec<u16> = name.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let name = std::ffi::OsString::from_wide(&units).into_encoded_bytes();
        let kind = match word(ATTRIBUTES_AT) {
            bits if bits & FILE_ATTRIBUTE_REPARSE_POINT != 0 && is_name(word(TAG_AT)) => ListedKind::Link,
            bits if bits & FILE_ATTRIBUTE_DIRECTORY != 0 => ListedKind::Folder,
            _ => ListedKind::File,
        };
        let inode = u64::from(word(INODE_AT + 4)) << 32 | u64::from(word(INODE_AT));
        if !matches!(&*name, b"." | b"..") && !each(Listed { name: &name, inode, kind }) {
            return false;
        }
        if next == 0 {
            return true;
        }
        rest = rest.get(next..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::collections::BTreeMap;
    use std::fs;

    use super::{ListedKind, Listing};
    use crate::sys::file_facts;

    #[test]
    fn agrees_with_what_is_said_of_each() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("listed");
        fs::create_dir(&path).unwrap();
        for n in 0..600 {
            // Names of many lengths, beyond what one answer of the system holds.
            fs::write(path.join(format!("{n:04}{}é", "x".repeat(n % 120))), "").unwrap();
        }
        fs::create_dir(path.join("folder")).unwrap();
        let listing = Listing::open(&path).unwrap();
        for _ in 0..2 {
            let mut found = BTreeMap::new();
            listing
                .each(|entry| {
                    found.insert(entry.name.to_owned(), (entry.inode, entry.kind));
                    true
                })
                .unwrap();
            assert_eq!(found.len(), 601);
            for entry in fs::read_dir(&path).unwrap() {
                let entry = entry.unwrap();
                let facts = file_facts(&entry.path()).unwrap();
                let kind = if facts.is_folder { ListedKind::Folder } else { ListedKind::File };
                let name = entry.file_name();
                assert_eq!(found[name.as_encoded_bytes()], (facts.inode, kind), "{}", name.display());
            }
        }
        let mut count = 0;
        listing
            .each(|_| {
                count += 1;
                count < 10
            })
            .unwrap();
        assert_eq!(count, 10);
        assert!(Listing::open(&path.join("none")).is_err());
        let file = fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()).find(|path| path.is_file()).unwrap();
        assert!(Listing::open(&file).is_err_and(|e| e.kind() == std::io::ErrorKind::NotADirectory));
    }

    #[test]
    fn an_empty_folder_has_no_entries() {
        let dir = tempfile::tempdir().unwrap();
        Listing::open(dir.path()).unwrap().each(|_| unreachable!("it is empty")).unwrap();
    }
}
