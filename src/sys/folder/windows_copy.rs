//! What a copy keeps beside the contents.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::time::SystemTime;

use super::EntryFacts;
use super::windows::{Folder, How, LOOK};

const FILE_WRITE_ATTRIBUTES: u32 = 0x100;
const ATTRIBUTE_READONLY: u32 = 1;

impl Folder {
    /// Links are not read here: one that is made anew may need a right that few have.
    ///
    /// # Errors
    /// [`io::ErrorKind::Unsupported`].
    pub fn read_link(&self, name: &OsStr) -> io::Result<OsString> {
        let text = format!("{} is a link or a junction, and can't be copied", name.display());
        Err(io::Error::new(io::ErrorKind::Unsupported, text))
    }

    /// See [`Folder::read_link`].
    ///
    /// # Errors
    /// [`io::ErrorKind::Unsupported`].
    pub fn make_link(&self, name: &OsStr, _target: &OsStr) -> io::Result<()> {
        self.read_link(name).map(drop)
    }

    /// The folder itself, open to be looked at.
    ///
    /// # Errors
    /// The system's.
    pub fn opened(&self) -> io::Result<File> {
        self.open_at(&[], How::open(LOOK))
    }

    /// Sets the time of its last change.
    ///
    /// # Errors
    /// The system's.
    pub fn set_modified(&self, time: SystemTime) -> io::Result<()> {
        self.open_at(&[], How::open(FILE_WRITE_ATTRIBUTES | LOOK))?.set_modified(time)
    }
}

/// Write-protects `file` where what was looked at as `facts` is; other attributes a new file has of its own.
///
/// # Errors
/// The system's.
pub fn set_owner_and_mode(file: &File, facts: &EntryFacts) -> io::Result<()> {
    let meta = file.metadata()?;
    if meta.is_dir() || facts.mode & ATTRIBUTE_READONLY == 0 {
        return Ok(());
    }
    let mut permissions = meta.permissions();
    permissions.set_readonly(true);
    file.set_permissions(permissions)
}

/// Streams beside the contents are not copied.
///
/// # Errors
/// None.
pub const fn copy_attributes(_from: &File, _to: &File) -> io::Result<()> {
    Ok(())
}
