//! A whole path in one call: the kernel walks it, so no link, mount or race leads out.

use std::ffi::{OsStr, c_int};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};

use super::Node;
use super::unix::{Folder, SEARCH, c_name};
use crate::limits::MAX_OPEN_RETRIES;

/// The kernel's `struct open_how`.
#[repr(C)]
struct OpenHow {
    flags: u64,
    mode: u64,
    resolve: u64,
}

impl Folder {
    /// Opens the folder at `path` (relative, of any length) beneath this one.
    ///
    /// # Errors
    /// As for [`Folder::file_beneath`].
    pub fn folder_beneath(&self, path: &OsStr) -> io::Result<Self> {
        self.open_beneath(path, SEARCH).map(Self::from)
    }

    /// Opens what stands at `path` (relative, of any length) beneath this folder to be read; a pipe does not block.
    ///
    /// # Errors
    /// `ELOOP`: a link is in the way. `EXDEV`: another mount, or a way out. `ENOSYS`, `EPERM`: this kernel can't (Linux before
    /// 5.6), or a filter of system calls forbids it.
    pub fn file_beneath(&self, path: &OsStr) -> io::Result<File> {
        self.open_beneath(path, libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOCTTY).map(File::from)
    }

    /// What stands at `path` (relative, of any length) beneath this folder; nothing is opened, as in [`Folder::peek`].
    ///
    /// # Errors
    /// As for [`Folder::file_beneath`].
    pub fn peek_beneath(&self, path: &OsStr) -> io::Result<Node> {
        self.open_beneath(path, libc::O_PATH).and_then(super::node_of)
    }

    /// Opens the folder at `path` (relative, of any length) beneath this one so that it can be listed.
    ///
    /// # Errors
    /// As for [`Folder::file_beneath`].
    pub fn listed_beneath(&self, path: &OsStr) -> io::Result<Self> {
        self.open_beneath(path, libc::O_RDONLY | libc::O_DIRECTORY).map(Self::from)
    }

    #[expect(unsafe_code, reason = "the standard library opens by paths alone")]
    fn open_beneath(&self, path: &OsStr, flags: c_int) -> io::Result<OwnedFd> {
        let path = c_name(path)?;
        let how = OpenHow {
            // No `O_NOFOLLOW`: with `O_DIRECTORY` a link would be `ENOTDIR`; `RESOLVE_NO_SYMLINKS` says `ELOOP`. The flags are
            // small positive numbers.
            flags: u64::from((flags | libc::O_CLOEXEC).cast_unsigned()),
            mode: 0,
            resolve: libc::RESOLVE_BENEATH
                | libc::RESOLVE_NO_SYMLINKS
                | libc::RESOLVE_NO_MAGICLINKS
                | libc::RESOLVE_NO_XDEV,
        };
        for _ in 0..MAX_OPEN_RETRIES {
            // SAFETY: `path` ends with a zero, `how` outlives the call and its size is passed with it.
            let fd = unsafe {
                libc::syscall(libc::SYS_openat2, self.as_raw_fd(), path.as_ptr(), &raw const how, size_of::<OpenHow>())
            };
            if let Ok(fd) = c_int::try_from(fd)
                && fd >= 0
            {
                // SAFETY: the call made this descriptor, and nobody else has it.
                return Ok(unsafe { OwnedFd::from_raw_fd(fd) });
            }
            let error = io::Error::last_os_error();
            // The kernel saw a rename on the way and could not prove that the walk stayed beneath.
            if !matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EINTR)) {
                return Err(error);
            }
        }
        Err(io::Error::from_raw_os_error(libc::EAGAIN))
    }
}
