//! Folders by their handles. Names go to the system as they are: what Win32 makes of dots, spaces and devices is not made
//! here.

use std::ffi::{OsStr, OsString, c_void};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::windows_access::copy_access;
use super::{Identity, Node, NodeKind, node_of};
use crate::limits::{LISTING_BYTES, MAX_OPEN_RETRIES, REPLACE_WAIT_MS};
use crate::sys::ntapi::{
    IoStatus, MAX_NAME_UNITS, NtCreateFile, NtQueryDirectoryFile, NtSetInformationFile, ObjectAttributes,
    RenameInformation, STATUS_NO_MORE_FILES, STATUS_NO_SUCH_FILE, STATUS_OPLOCK_BREAK_IN_PROGRESS, UnicodeString,
    check, error,
};
use crate::sys::winapi::{
    FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FILE_LIST_DIRECTORY, FILE_READ_ATTRIBUTES,
};

const SYNCHRONIZE: u32 = 0x0010_0000;
pub(super) const DELETE: u32 = 0x0001_0000;
const READ_CONTROL: u32 = 0x0002_0000;
const WRITE_DAC: u32 = 0x0004_0000;
const FILE_TRAVERSE: u32 = 0x20;
const FILE_GENERIC_READ: u32 = 0x0012_0089;
const FILE_GENERIC_WRITE: u32 = 0x0012_0116;
/// How a folder is opened to find things in it: without the right to list it.
const SEARCH: u32 = FILE_TRAVERSE | FILE_READ_ATTRIBUTES | SYNCHRONIZE;
/// How a name is looked at: no right but that, so others may hold it open in whatever way.
pub(super) const LOOK: u32 = FILE_READ_ATTRIBUTES | SYNCHRONIZE;

const FILE_SHARE_READ: u32 = 1;
const SHARE_ALL: u32 = 7;

const FILE_OPEN: u32 = 1;
const FILE_CREATE: u32 = 2;

const FILE_DIRECTORY_FILE: u32 = 0x1;
const FILE_SYNCHRONOUS_IO_NONALERT: u32 = 0x20;
const FILE_NON_DIRECTORY_FILE: u32 = 0x40;
/// Does not wait for whoever holds the file by an oplock.
const FILE_COMPLETE_IF_OPLOCKED: u32 = 0x100;
const FILE_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

const OBJ_CASE_INSENSITIVE: u32 = 0x40;
/// Fails where a link would be followed: also where the open folder itself became one meanwhile.
const OBJ_DONT_REPARSE: u32 = 0x1000;

/// Classes of what is set of a file, and of a folder's names.
const RENAME: u32 = 10;
const DISPOSITION: u32 = 13;
const DISPOSITION_EX: u32 = 64;
const RENAME_EX: u32 = 65;
const NAMES: u32 = 12;

const RENAME_OVER: u32 = 1;
/// Also where somebody has the old file open who shares it.
const RENAME_POSIX: u32 = 2;
const DISPOSITION_DELETE: u32 = 1;
/// The name goes at once, also where somebody has the file open.
const DISPOSITION_POSIX: u32 = 2;

/// "The object manager encountered a reparse point", "the path goes through a symbolic link".
const LINK_CODES: [i32; 2] = [4395, 681];
/// "Not the same disk drive".
const MOUNT_CODE: i32 = 17;
/// "Access is denied" and "it is being used by another process".
const BUSY_CODES: [i32; 2] = [5, 32];

/// A folder that was opened once. Whatever takes its name, it stays the same folder.
#[derive(Debug)]
pub struct Folder(File);

/// How something is opened.
#[derive(Clone, Copy)]
pub(super) struct How {
    access: u32,
    share: u32,
    disposition: u32,
    options: u32,
}

impl How {
    pub(super) const fn open(access: u32) -> Self {
        Self { access, share: SHARE_ALL, disposition: FILE_OPEN, options: 0 }
    }
}

/// Whether an error says that a link, another mount or a way out was met.
pub fn leads_away(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| LINK_CODES.contains(&code) || code == MOUNT_CODE)
}

/// Whether an error says that what stands there can't be opened as files are: every name can.
pub const fn is_no_file(_error: &io::Error) -> bool {
    false
}

/// The error for a link that was met.
pub fn link_in_the_way() -> io::Error {
    io::Error::from_raw_os_error(LINK_CODES[0])
}

/// The error for another mount that was met.
pub fn mount_in_the_way() -> io::Error {
    io::Error::from_raw_os_error(MOUNT_CODE)
}

impl Folder {
    /// Opens the folder at `path`, any path of the system's. A link in its place is refused; links above it are followed.
    ///
    /// # Errors
    /// The system's.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Without separators and dots at its end, which would have a link in its place followed.
        let path: PathBuf = std::path::absolute(path)?.components().collect();
        // The root of a drive lies in no folder, so nothing stands in its place.
        let itself = if path.file_name().is_some() { FILE_FLAG_OPEN_REPARSE_POINT } else { 0 };
        let opened =
            OpenOptions::new().access_mode(SEARCH).custom_flags(FILE_FLAG_BACKUP_SEMANTICS | itself).open(path)?;
        Self::checked(opened)
    }

    /// The same folder, opened anew.
    ///
    /// # Errors
    /// The system's.
    pub fn again(&self) -> io::Result<Self> {
        Self::checked(self.open_at(&[], How::open(SEARCH))?)
    }

    /// Opens the folder `name`, a single name in this one.
    ///
    /// # Errors
    /// The system's; where a link stands there [`leads_away`].
    pub fn folder(&self, name: &OsStr) -> io::Result<Self> {
        Self::checked(self.open_at(&units(name)?, How::open(SEARCH))?)
    }

    /// By the open handle, not by the name.
    fn checked(file: File) -> io::Result<Self> {
        match node_of(&file)?.kind {
            NodeKind::Folder => Ok(Self(file)),
            NodeKind::Link => Err(link_in_the_way()),
            NodeKind::File | NodeKind::Other => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Opens what stands at `name`, a single name in this folder, to be read; a link itself, which [`node_of`] tells. Does
    /// not wait for others who hold it.
    ///
    /// # Errors
    /// The system's.
    pub fn file(&self, name: &OsStr) -> io::Result<File> {
        self.open_at(&units(name)?, How::open(FILE_GENERIC_READ))
    }

    /// Makes the file `name`, to write; nothing may stand there. Who may open it is the folder's rule; until it is closed
    /// nobody else writes to it, renames or removes it.
    ///
    /// # Errors
    /// The system's.
    pub fn create(&self, name: &OsStr) -> io::Result<File> {
        let how = How {
            access: FILE_GENERIC_WRITE | FILE_READ_ATTRIBUTES | DELETE | READ_CONTROL | WRITE_DAC,
            share: FILE_SHARE_READ,
            disposition: FILE_CREATE,
            options: FILE_NON_DIRECTORY_FILE,
        };
        self.open_at(&units(name)?, how)
    }

    /// Makes the folder `name`; nothing may stand there. Who may open it is the folder's rule.
    ///
    /// # Errors
    /// The system's.
    pub fn make(&self, name: &OsStr) -> io::Result<()> {
        let how = How { disposition: FILE_CREATE, options: FILE_DIRECTORY_FILE, ..How::open(SEARCH) };
        self.open_at(&units(name)?, how).map(drop)
    }

    /// Gives `file`, which was made here as `_temporary`, the name `name` in one step: over the file that has it, or where
    /// nothing may stand there. Windows refuses while somebody has the old file open without sharing it: that is waited for.
    ///
    /// # Errors
    /// The system's.
    pub fn place(&self, file: &File, _temporary: &OsStr, name: &OsStr, over: bool) -> io::Result<()> {
        let end = Instant::now() + Duration::from_millis(REPLACE_WAIT_MS);
        let mut pause = Duration::from_millis(1);
        let units = units(name)?;
        loop {
            match self.rename(file, &units, over) {
                Err(error) if over && is_busy(&error) && !self.is_in_vain(name) && Instant::now() < end => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(20));
                }
                outcome => return outcome,
            }
        }
    }

    /// Whether waiting for a replacement changes nothing: a folder, or a file that is write-protected.
    fn is_in_vain(&self, name: &OsStr) -> bool {
        self.node(name).is_ok_and(|node| node.kind != NodeKind::File || node.is_protected())
    }

    /// By the handle: whatever took the file's name meanwhile stays where it is.
    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    pub(super) fn rename(&self, file: &File, name: &[u16], over: bool) -> io::Result<()> {
        let mut info = RenameInformation {
            flags: if over { RENAME_OVER | RENAME_POSIX } else { RENAME_POSIX },
            root: self.0.as_raw_handle(),
            length: bytes(name),
            name: [0; MAX_NAME_UNITS],
        };
        info.name.get_mut(..name.len()).ok_or(io::ErrorKind::InvalidFilename)?.copy_from_slice(name);
        let length = u32::try_from(size_of::<RenameInformation>()).unwrap_or(0);
        let mut set = |class: u32, flags: u32| {
            info.flags = flags;
            let mut status = IoStatus::default();
            // SAFETY: the handle of the file is open, and that of the folder within `info`, which has the layout of both
            // classes and lives on; `length` is its size.
            check(unsafe {
                NtSetInformationFile(file.as_raw_handle(), &raw mut status, (&raw const info).cast(), length, class)
            })
        };
        let flags = if over { RENAME_OVER } else { 0 };
        match set(RENAME_EX, flags | RENAME_POSIX) {
            // That is an answer. Anything else may mean that the file system is too old for it.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) => set(RENAME, flags),
            done => done,
        }
    }

    /// Closes and removes `file`, which was made here as `_temporary`.
    ///
    /// # Errors
    /// The system's.
    pub fn discard(&self, file: File, _temporary: &OsStr) -> io::Result<()> {
        let disposed = dispose(&file);
        drop(file);
        disposed
    }

    /// Gives `file` the access list of the file `name`, which was looked at as `old`.
    ///
    /// # Errors
    /// The system's, and where another took the name meanwhile.
    pub fn keep_access(&self, name: &OsStr, old: &Node, file: &File) -> io::Result<()> {
        if old.is_protected() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is write-protected"));
        }
        let from = self.open_at(&units(name)?, How::open(READ_CONTROL | LOOK))?;
        if node_of(&from)?.identity != old.identity {
            return Err(io::Error::other("another file took its place meanwhile"));
        }
        copy_access(&from, file)
    }

    /// Has the disk hold the name that `file` was given.
    ///
    /// # Errors
    /// The system's.
    pub fn sync_name(&self, file: &File) -> io::Result<()> {
        // Folders can't be synced; syncing a file writes what the file system noted about it until then.
        file.sync_all()
    }

    /// Removes `name`, an empty folder too, where that is still `which`; a link and never what it leads to. Whether it was.
    ///
    /// # Errors
    /// The system's.
    pub fn remove_if(&self, name: &OsStr, which: Identity) -> io::Result<bool> {
        let file = self.open_at(&units(name)?, How::open(DELETE | LOOK))?;
        // By the open handle, so nothing can take its place any more.
        if node_of(&file)?.identity != which {
            return Ok(false);
        }
        dispose(&file).map(|()| true)
    }

    /// What stands at `name`; a link is not followed.
    ///
    /// # Errors
    /// The system's.
    pub fn node(&self, name: &OsStr) -> io::Result<Node> {
        node_of(self.open_at(&units(name)?, How::open(LOOK))?)
    }

    /// What stands at `name`; no right to read is needed.
    ///
    /// # Errors
    /// The system's.
    pub fn peek(&self, name: &OsStr) -> io::Result<Node> {
        self.node(name)
    }

    /// The folder itself.
    ///
    /// # Errors
    /// The system's.
    pub fn own_node(&self) -> io::Result<Node> {
        node_of(&self.0)
    }

    /// The names in it, in the system's order, but at most `most`; whether these are all.
    ///
    /// # Errors
    /// The system's.
    #[expect(unsafe_code, reason = "the standard library lists by paths alone")]
    pub fn names(&self, most: usize) -> io::Result<(Vec<OsString>, bool)> {
        // Opened anew: a handle to search can't be listed, and the place in the list belongs to this one.
        let folder = self.open_at(&[], How::open(FILE_LIST_DIRECTORY | LOOK))?;
        // Numbers of eight bytes, because the system wants it aligned so.
        let mut buffer = vec![0_u64; LISTING_BYTES / 8];
        let length = u32::try_from(LISTING_BYTES).unwrap_or(0);
        let mut names = Vec::new();
        loop {
            let mut status = IoStatus::default();
            // SAFETY: the handle is open and waits; the buffer is valid for writes of `length` bytes.
            let listed = unsafe {
                NtQueryDirectoryFile(
                    folder.as_raw_handle(),
                    std::ptr::null_mut(),
                    std::ptr::null(),
                    std::ptr::null(),
                    &raw mut status,
                    buffer.as_mut_ptr().cast(),
                    length,
                    NAMES,
                    0,
                    std::ptr::null(),
                    0,
                )
            };
            if matches!(listed, STATUS_NO_MORE_FILES | STATUS_NO_SUCH_FILE) {
                return Ok((names, true));
            }
            check(listed)?;
            // SAFETY: the buffer is initialised, and bytes need no alignment.
            let bytes = unsafe { std::slice::from_raw_parts(buffer.as_ptr().cast::<u8>(), LISTING_BYTES) };
            for name in listed_names(bytes).filter(|name| name != "." && name != "..") {
                if names.len() == most {
                    return Ok((names, false));
                }
                names.push(name);
            }
        }
    }

    /// Opens what stands at `name` in this folder, a link itself; or the folder itself for no name, which fails where it became
    /// a link meanwhile.
    #[expect(unsafe_code, reason = "the standard library opens by paths alone")]
    pub(super) fn open_at(&self, name: &[u16], how: How) -> io::Result<File> {
        let length = u16::try_from(bytes(name)).map_err(|_| io::ErrorKind::InvalidFilename)?;
        let itself = if name.is_empty() { 0 } else { FILE_OPEN_REPARSE_POINT };
        let name = UnicodeString { length, maximum: length, buffer: name.as_ptr() };
        let attributes = ObjectAttributes {
            length: u32::try_from(size_of::<ObjectAttributes>()).unwrap_or(0),
            root: self.0.as_raw_handle(),
            name: &raw const name,
            attributes: OBJ_CASE_INSENSITIVE | OBJ_DONT_REPARSE,
            descriptor: std::ptr::null(),
            quality: std::ptr::null(),
        };
        let options = how.options | FILE_SYNCHRONOUS_IO_NONALERT | FILE_COMPLETE_IF_OPLOCKED | itself;
        for _ in 0..MAX_OPEN_RETRIES {
            let mut handle = std::ptr::null_mut();
            let mut status = IoStatus::default();
            // SAFETY: `attributes` and what it points to live on, and the folder's handle in it is open; both places to
            // write to are valid.
            let opened = unsafe {
                NtCreateFile(
                    &raw mut handle,
                    how.access,
                    &raw const attributes,
                    &raw mut status,
                    std::ptr::null(),
                    0,
                    how.share,
                    how.disposition,
                    options,
                    std::ptr::null(),
                    0,
                )
            };
            check(opened)?;
            // SAFETY: the call made this handle, and nobody else has it.
            let file = unsafe { File::from_raw_handle(handle) };
            if opened != STATUS_OPLOCK_BREAK_IN_PROGRESS {
                return Ok(file);
            }
            // Reading would wait for whoever holds it.
            drop(file);
            std::thread::sleep(Duration::from_millis(1));
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }
}

/// Removes what the handle stands for.
#[expect(unsafe_code, reason = "the standard library works by paths alone")]
pub(super) fn dispose(file: &File) -> io::Result<()> {
    let set = |class: u32, info: *const c_void, length: u32| {
        let mut status = IoStatus::default();
        // SAFETY: the handle is open; the callers below give the layout and the length of the class.
        unsafe { NtSetInformationFile(file.as_raw_handle(), &raw mut status, info, length, class) }
    };
    let flags = DISPOSITION_DELETE | DISPOSITION_POSIX;
    if set(DISPOSITION_EX, (&raw const flags).cast(), 4) >= 0 {
        return Ok(());
    }
    // The file system may be too old for it.
    let delete = 1_u8;
    match set(DISPOSITION, (&raw const delete).cast(), 1) {
        done if done >= 0 => Ok(()),
        status => Err(error(status)),
    }
}

/// A single name as the system takes it. What is none is refused: it would be a path, a stream or nothing.
pub(super) fn units(name: &OsStr) -> io::Result<Vec<u16>> {
    let units: Vec<u16> = name.encode_wide().collect();
    let is_apart = |unit: &u16| [0, u16::from(b'\\'), u16::from(b'/'), u16::from(b':')].contains(unit);
    if name.is_empty() || name == "." || name == ".." || units.iter().any(is_apart) {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    Ok(units)
}

fn bytes(name: &[u16]) -> u32 {
    u32::try_from(size_of_val(name)).unwrap_or(u32::MAX)
}

fn is_busy(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| BUSY_CODES.contains(&code))
}

/// The names that the system wrote (`FILE_NAMES_INFORMATION`).
fn listed_names(bytes: &[u8]) -> impl Iterator<Item = OsString> {
    const LENGTH_AT: usize = 8;
    const NAME_AT: usize = 12;
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let entry = rest?;
        let word = |at: usize| {
            let word = entry.get(at..at + 4)?.try_into().ok()?;
            usize::try_from(u32::from_le_bytes(word)).ok()
        };
        let (next, length) = (word(0)?, word(LENGTH_AT)?);
        let name = entry.get(NAME_AT..NAME_AT.saturating_add(length))?;
        rest = if next == 0 { None } else { entry.get(next..) };
        let units: Vec<u16> = name.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        Some(OsString::from_wide(&units))
    })
}

#[cfg(test)]
#[path = "windows_tests.rs"]
mod tests;
