//! A root that was opened once.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::ContainedError;
use crate::path::guard::{Fault, PathGuard, Refusal, Rules, SafePath};
use crate::sys::{Beneath, open_beneath, open_folder};

/// A folder below which files are read and written, and nowhere else.
///
/// Each path goes through the guard first. Then the kernel walks it from the folder that was opened, and refuses links, other
/// mounts and ways out itself; nothing is looked at by name and acted on later. The opened folder stays the root even when
/// another folder or a link takes its name.
///
/// What it can't hold: whoever can move a folder out of the root while it is being written to gets the write there.
#[derive(Debug)]
pub struct Root {
    folder: File,
    guard: PathGuard,
}

impl Root {
    /// Opens the folder `path` as a root. A link in its place is refused; links above it are the caller's own.
    ///
    /// # Errors
    /// [`ContainedError::Root`].
    pub fn open(path: &Path, rules: Rules) -> Result<Self, ContainedError> {
        let open = || {
            // A separator at the end would have the link followed.
            let bytes = path.as_os_str().as_bytes();
            let end = bytes.iter().rposition(|&b| b != b'/').map_or(bytes.len().min(1), |i| i + 1);
            open_folder(&c_string(&bytes[..end])?)
        };
        let folder = open().map_err(|source| ContainedError::Root { path: path.to_owned(), source })?;
        Ok(Self { folder, guard: PathGuard::new(rules) })
    }

    pub(super) fn admit<'a>(&self, raw: &'a [u8]) -> Result<SafePath<'a>, ContainedError> {
        self.guard.judge(raw).map_err(|refusal| ContainedError::refused(raw, refusal))
    }

    pub(super) fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// The file at `path`, open to be read: a regular one that has no other name.
    pub(super) fn file(&self, path: &SafePath<'_>) -> Result<File, ContainedError> {
        let raw = path.as_str().as_bytes();
        let wrap = |error| ContainedError::from_io(raw, Fault::ReadFailed, error);
        let file = c_string(raw).and_then(|name| open_beneath(self.folder(), &name, Beneath::Read)).map_err(wrap)?;
        check_regular(&file, raw)?;
        Ok(file)
    }
}

/// Refuses what is no regular file, and what has other names: those may lie anywhere. By the opened file, not by its name.
pub(super) fn check_regular(file: &File, raw: &[u8]) -> Result<(), ContainedError> {
    use std::os::unix::fs::MetadataExt as _;
    let meta = file.metadata().map_err(|error| ContainedError::from_io(raw, Fault::ReadFailed, error))?;
    if !meta.is_file() {
        let source = io::Error::other("it is a folder, a pipe, a socket or a device");
        return Err(ContainedError::failed(raw, Fault::NotARegularFile, source));
    }
    if meta.nlink() > 1 {
        return Err(ContainedError::refused(raw, Refusal::EscapesViaLink));
    }
    Ok(())
}

pub(super) fn c_string(bytes: &[u8]) -> io::Result<CString> {
    CString::new(bytes).map_err(|_| io::ErrorKind::InvalidInput.into())
}
