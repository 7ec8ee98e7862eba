//! Opening beneath a folder that is already open: the kernel walks the path, so no link, mount or race leads out of it.

use std::ffi::{CStr, c_int, c_uint};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};

use crate::limits::MAX_OPEN_RETRIES;

/// The kernel's `struct open_how`.
#[repr(C)]
struct OpenHow {
    flags: u64,
    mode: u64,
    resolve: u64,
}

/// How something beneath a folder is opened. Never through a link, into another mount, or so that it blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beneath {
    /// A folder, to work in.
    Folder,
    /// A file, to read.
    Read,
    /// A new file, to write; it must not exist. The mode is for the file's owner only.
    Create,
}

/// Opens `path` (relative) beneath `folder`.
///
/// `ELOOP`: a link is in the way. `EXDEV`: another mount, or a way out. `ENOSYS`: this kernel can't (Linux before 5.6).
#[expect(unsafe_code, reason = "the standard library opens by paths alone")]
pub fn open_beneath(folder: BorrowedFd<'_>, path: &CStr, how: Beneath) -> io::Result<File> {
    let (flags, mode) = match how {
        Beneath::Folder => (libc::O_RDONLY | libc::O_DIRECTORY, 0),
        Beneath::Read => (libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOCTTY, 0),
        Beneath::Create => (libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL, 0o600),
    };
    let how = OpenHow {
        // No `O_NOFOLLOW`: with `O_DIRECTORY` a link would be `ENOTDIR`; `RESOLVE_NO_SYMLINKS` says `ELOOP`. The flags are small
        // positive numbers.
        flags: u64::from((flags | libc::O_CLOEXEC).cast_unsigned()),
        mode,
        resolve: libc::RESOLVE_BENEATH
            | libc::RESOLVE_NO_SYMLINKS
            | libc::RESOLVE_NO_MAGICLINKS
            | libc::RESOLVE_NO_XDEV,
    };
    for _ in 0..MAX_OPEN_RETRIES {
        // SAFETY: `path` ends with a zero, `how` outlives the call and its size is passed with it.
        let fd = unsafe {
            libc::syscall(libc::SYS_openat2, folder.as_raw_fd(), path.as_ptr(), &raw const how, size_of::<OpenHow>())
        };
        if let Ok(fd) = c_int::try_from(fd)
            && fd >= 0
        {
            // SAFETY: the call made this descriptor, and nobody else has it.
            return Ok(File::from(unsafe { OwnedFd::from_raw_fd(fd) }));
        }
        let error = io::Error::last_os_error();
        // The kernel saw a rename on the way and could not prove that the walk stayed beneath.
        if !matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EINTR)) {
            return Err(error);
        }
    }
    Err(io::Error::from_raw_os_error(libc::EAGAIN))
}

/// Opens the folder at `path` itself: a link in its place is refused (`ENOTDIR`, `ELOOP`).
#[expect(unsafe_code, reason = "the standard library opens by paths alone")]
pub fn open_folder(path: &CStr) -> io::Result<File> {
    let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    // SAFETY: `path` ends with a zero.
    let fd = unsafe { libc::open(path.as_ptr(), flags) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call made this descriptor, and nobody else has it.
    Ok(File::from(unsafe { OwnedFd::from_raw_fd(fd) }))
}

/// Makes the folder `name`, one component, in `folder`. The mode is for the folder's owner only.
#[expect(unsafe_code, reason = "the standard library works by paths alone")]
pub fn make_folder_at(folder: BorrowedFd<'_>, name: &CStr) -> io::Result<()> {
    // SAFETY: `name` ends with a zero.
    check(unsafe { libc::mkdirat(folder.as_raw_fd(), name.as_ptr(), 0o700) })
}

/// Puts `from` in the place of `to`, both single components of `folder`. With `exclusive` nothing may stand there.
#[expect(unsafe_code, reason = "the standard library works by paths alone")]
pub fn rename_at(folder: BorrowedFd<'_>, from: &CStr, to: &CStr, exclusive: bool) -> io::Result<()> {
    let flags: c_uint = if exclusive { libc::RENAME_NOREPLACE } else { 0 };
    let fd = folder.as_raw_fd();
    // By its number: not every C library has a function for it.
    // SAFETY: both names end with a zero.
    let result = unsafe { libc::syscall(libc::SYS_renameat2, fd, from.as_ptr(), fd, to.as_ptr(), flags) };
    check(c_int::try_from(result).unwrap_or(-1))
}

/// Exchanges what two names of `folder` stand for.
#[cfg(test)]
#[expect(unsafe_code, reason = "the standard library can't exchange names")]
pub fn swap_at(folder: BorrowedFd<'_>, one: &CStr, other: &CStr) -> io::Result<()> {
    let fd = folder.as_raw_fd();
    // SAFETY: both names end with a zero.
    let result =
        unsafe { libc::syscall(libc::SYS_renameat2, fd, one.as_ptr(), fd, other.as_ptr(), libc::RENAME_EXCHANGE) };
    check(c_int::try_from(result).unwrap_or(-1))
}

/// Removes `name`, one component of `folder`: a file (or link, never what it leads to), or an empty folder.
#[expect(unsafe_code, reason = "the standard library works by paths alone")]
pub fn remove_at(folder: BorrowedFd<'_>, name: &CStr, is_folder: bool) -> io::Result<()> {
    let flags = if is_folder { libc::AT_REMOVEDIR } else { 0 };
    // SAFETY: `name` ends with a zero.
    check(unsafe { libc::unlinkat(folder.as_raw_fd(), name.as_ptr(), flags) })
}

fn check(result: c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
