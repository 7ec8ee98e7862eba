//! Moving entries from one open folder to another, and what a move needs to know of them.

use std::ffi::{OsStr, c_void};
use std::io;
use std::os::windows::fs::MetadataExt as _;
use std::os::windows::io::AsRawHandle as _;

use super::windows::{DELETE, Folder, How, LOOK, dispose, units};
use super::{EntryFacts, Identity, node_of};
use crate::sys::file_facts::since_1970;
use crate::sys::ntapi::{IoStatus, NtSetInformationFile};

/// The class that removes a name in the way that its flags say.
const DISPOSITION_EX: u32 = 64;
const DISPOSITION_DELETE: u32 = 1;
/// The name goes at once, also where somebody has the file open.
const DISPOSITION_POSIX: u32 = 2;
/// A write-protected file too.
const DISPOSITION_PROTECTED: u32 = 0x10;

/// The class of times and attributes, and the one attribute that stands for "none of the others".
const BASIC: u32 = 4;
const ATTRIBUTE_NORMAL: u32 = 0x80;
const ATTRIBUTE_READONLY: u32 = 1;
const FILE_WRITE_ATTRIBUTES: u32 = 0x100;

/// `FILE_BASIC_INFORMATION`; a time of 0 leaves the old one.
#[repr(C)]
struct BasicInformation {
    times: [i64; 4],
    attributes: u32,
    padding: u32,
}

impl Folder {
    /// Moves what stands at `name` to the name `new` in the folder `to`, where nothing may stand, in one step, if it is
    /// still `which`; whether it was. By its handle, so nothing can take its place at the last moment. A link is moved
    /// itself.
    ///
    /// # Errors
    /// The system's; another volume is [`io::ErrorKind::CrossesDevices`], something that stands at `new`
    /// [`io::ErrorKind::AlreadyExists`]. While somebody has it, or a file in it, open without sharing: "access is denied"
    /// or a sharing violation.
    pub fn move_to(&self, name: &OsStr, which: Identity, to: &Self, new: &OsStr) -> io::Result<bool> {
        let file = self.open_at(&units(name)?, How::open(DELETE | LOOK))?;
        if node_of(&file)?.identity != which {
            return Ok(false);
        }
        to.rename(&file, &units(new)?, false).map(|()| true)
    }

    /// What stands at `name`, with its attributes and times; a link is not followed.
    ///
    /// # Errors
    /// The system's.
    pub fn facts(&self, name: &OsStr) -> io::Result<EntryFacts> {
        facts_of(&self.open_at(&units(name)?, How::open(LOOK))?)
    }

    /// The folder itself, with its attributes and times.
    ///
    /// # Errors
    /// The system's.
    pub fn own_facts(&self) -> io::Result<EntryFacts> {
        facts_of(&self.open_at(&[], How::open(LOOK))?)
    }

    /// Nothing: what may be done in a folder is not a matter of its mode here.
    ///
    /// # Errors
    /// None.
    pub const fn open_up(&self) -> io::Result<()> {
        Ok(())
    }

    /// Nothing: a move keeps attributes here.
    ///
    /// # Errors
    /// None.
    pub const fn set_own_mode(&self, _mode: u32) -> io::Result<()> {
        Ok(())
    }

    /// [`Folder::remove_if`], also where the entry is write-protected.
    ///
    /// # Errors
    /// The system's.
    pub fn remove_even_protected(&self, name: &OsStr, which: Identity) -> io::Result<bool> {
        let name = units(name)?;
        let file = self.open_at(&name, How::open(DELETE | LOOK))?;
        if node_of(&file)?.identity != which {
            return Ok(false);
        }
        let flags = DISPOSITION_DELETE | DISPOSITION_POSIX | DISPOSITION_PROTECTED;
        if set(&file, DISPOSITION_EX, (&raw const flags).cast(), 4) >= 0 {
            return Ok(true);
        }
        // The system may be too old for it: then the attribute has to go first.
        let attributes = file.metadata()?.file_attributes();
        if attributes & ATTRIBUTE_READONLY != 0 {
            let changer = self.open_at(&name, How::open(FILE_WRITE_ATTRIBUTES | LOOK))?;
            if node_of(&changer)?.identity != which {
                return Ok(false);
            }
            let attributes = (attributes & !ATTRIBUTE_READONLY) | ATTRIBUTE_NORMAL;
            let info = BasicInformation { times: [0; 4], attributes, padding: 0 };
            let length = u32::try_from(size_of::<BasicInformation>()).unwrap_or(0);
            set(&changer, BASIC, (&raw const info).cast(), length);
        }
        dispose(&file).map(|()| true)
    }

    /// Nothing: folders can't be synced here; the file system keeps the order of its own changes.
    ///
    /// # Errors
    /// None.
    pub const fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Sets `info`, which has the layout and the length of `class`, of an open file.
#[expect(unsafe_code, reason = "the standard library works by paths alone")]
fn set(file: &std::fs::File, class: u32, info: *const c_void, length: u32) -> i32 {
    let mut status = IoStatus::default();
    // SAFETY: the handle is open; the callers above give the layout and the length of the class.
    unsafe { NtSetInformationFile(file.as_raw_handle(), &raw mut status, info, length, class) }
}

fn facts_of(file: &std::fs::File) -> io::Result<EntryFacts> {
    let meta = file.metadata()?;
    let modified = since_1970(i64::try_from(meta.last_write_time()).unwrap_or(0));
    Ok(EntryFacts { node: node_of(file)?, mode: meta.file_attributes(), owner: None, modified })
}
