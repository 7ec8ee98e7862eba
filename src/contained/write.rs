//! Writing and removing below a root.

use std::ffi::CString;
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;

use super::root::c_string;
use super::{ContainedError, Root};
use crate::path::guard::{Fault, SafePath};
use crate::sys::{Beneath, make_folder_at, open_beneath, remove_at, rename_at};

impl Root {
    /// Writes a new file; missing folders are made.
    ///
    /// # Errors
    /// As for [`Root::replace`], and a fault where something stands there already.
    pub fn create(&self, path: &[u8], content: &[u8]) -> Result<(), ContainedError> {
        self.publish(path, content, true)
    }

    /// Writes a file, new or in the place of an old one; missing folders are made. Whoever reads at the same time gets the
    /// old content or the new one, never a part.
    ///
    /// # Errors
    /// `path_…` codes where the path or what stands at it is refused: links, other mounts, files with other names. Faults
    /// where writing fails.
    pub fn replace(&self, path: &[u8], content: &[u8]) -> Result<(), ContainedError> {
        self.publish(path, content, false)
    }

    /// Removes a file that has no other name.
    ///
    /// # Errors
    /// As for [`Root::read`].
    pub fn remove(&self, path: &[u8]) -> Result<(), ContainedError> {
        let safe = self.admit(path)?;
        let wrap = |error| ContainedError::from_io(path, Fault::DeleteFailed, error);
        self.file(&safe)?;
        let (folder, name) = self.parent(&safe, false).map_err(wrap)?;
        // Removes a name of this folder, whatever took it meanwhile; never what a link leads to.
        remove_at(folder.as_fd(), &name, false).map_err(wrap)
    }

    fn publish(&self, path: &[u8], content: &[u8], exclusive: bool) -> Result<(), ContainedError> {
        let safe = self.admit(path)?;
        let wrap = |error| ContainedError::from_io(path, Fault::WriteFailed, error);
        let (folder, name) = self.parent(&safe, true).map_err(wrap)?;
        match self.file(&safe) {
            Ok(_) if exclusive => {
                return Err(ContainedError::failed(path, Fault::WriteFailed, io::ErrorKind::AlreadyExists.into()));
            }
            Ok(_) | Err(ContainedError::Failed { fault: Fault::FileMissing, .. }) => {}
            Err(error) => return Err(error),
        }
        let temporary = temporary_name();
        let mut file = open_beneath(folder.as_fd(), &temporary, Beneath::Create).map_err(wrap)?;
        // The rename swaps a name of this folder: what a link there leads to is never touched.
        let written = file.write_all(content).and_then(|()| rename_at(folder.as_fd(), &temporary, &name, exclusive));
        written.map_err(|error| {
            // What was asked for has failed already; a temporary file that stays is the lesser trouble.
            drop(remove_at(folder.as_fd(), &temporary, false));
            wrap(error)
        })
    }

    /// The folder that holds `path`, open, and the last name.
    fn parent(&self, path: &SafePath<'_>, make: bool) -> io::Result<(File, CString)> {
        let text = path.as_str();
        let (parents, name) = text.rsplit_once('/').unwrap_or((".", text));
        let name = c_string(name.as_bytes())?;
        match open_beneath(self.folder(), &c_string(parents.as_bytes())?, Beneath::Folder) {
            Err(error) if make && error.kind() == io::ErrorKind::NotFound => {}
            opened => return Ok((opened?, name)),
        }
        let mut folder = open_beneath(self.folder(), c".", Beneath::Folder)?;
        for part in parents.split('/') {
            let part = c_string(part.as_bytes())?;
            match make_folder_at(folder.as_fd(), &part) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                // A link that stands there is refused by the opening.
                _ => folder = open_beneath(folder.as_fd(), &part, Beneath::Folder)?,
            }
        }
        Ok((folder, name))
    }
}

/// A name that nothing has.
fn temporary_name() -> CString {
    let random = RandomState::new().hash_one(std::process::id());
    CString::new(format!(".wsguard-{random:016x}")).unwrap_or_default()
}
