//! What a copy keeps beside the contents.

use std::ffi::{CStr, OsStr, OsString};
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::time::SystemTime;

use super::EntryFacts;
use super::unix::{Folder, c_name, check, open};

impl Folder {
    /// Where the link `name` leads to, as it is written.
    ///
    /// # Errors
    /// The system's.
    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    pub fn read_link(&self, name: &OsStr) -> io::Result<OsString> {
        let name = c_name(name)?;
        let mut buffer = vec![0_u8; 256];
        loop {
            // SAFETY: `name` ends with a zero; the buffer is valid for writes of its length.
            let length =
                unsafe { libc::readlinkat(self.as_raw_fd(), name.as_ptr(), buffer.as_mut_ptr().cast(), buffer.len()) };
            let length = usize::try_from(length).map_err(|_| io::Error::last_os_error())?;
            if length < buffer.len() {
                buffer.truncate(length);
                return Ok(OsString::from_vec(buffer));
            }
            buffer.resize(buffer.len() * 2, 0);
        }
    }

    /// Makes the link `name`, which leads to `target`; nothing may stand there.
    ///
    /// # Errors
    /// The system's.
    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    pub fn make_link(&self, name: &OsStr, target: &OsStr) -> io::Result<()> {
        let (name, target) = (c_name(name)?, c_name(target)?);
        // SAFETY: both texts end with a zero.
        check(unsafe { libc::symlinkat(target.as_ptr(), self.as_raw_fd(), name.as_ptr()) })
    }

    /// The folder itself, open to be read.
    ///
    /// # Errors
    /// The system's.
    pub fn opened(&self) -> io::Result<File> {
        open(self.as_raw_fd(), c".", libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW, 0).map(File::from)
    }

    /// Sets the time of its last change.
    ///
    /// # Errors
    /// The system's.
    pub fn set_modified(&self, time: SystemTime) -> io::Result<()> {
        self.opened()?.set_modified(time)
    }
}

/// Gives `file` owner, group and mode of what was looked at as `facts`. Whose it is only root may say: where that is refused
/// it stays this user's, without the bits that lend the owner's rights.
///
/// # Errors
/// The system's.
pub fn set_owner_and_mode(file: &File, facts: &EntryFacts) -> io::Result<()> {
    let mut mode = facts.mode;
    if let Some(owner) = facts.owner {
        match std::os::unix::fs::fchown(file, Some(owner.user), Some(owner.group)) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => mode &= 0o1777,
            set => set?,
        }
    }
    file.set_permissions(Permissions::from_mode(mode))
}

/// Gives `to` the extended attributes of `from`, access lists among them. Those that only the system's own programs may set
/// are left out where it refuses them.
///
/// # Errors
/// The system's.
#[cfg(target_os = "linux")]
pub fn copy_attributes(from: &File, to: &File) -> io::Result<()> {
    let is_none = |error: &io::Error| matches!(error.raw_os_error(), Some(libc::EOPNOTSUPP | libc::ENODATA));
    let names = match sized(|buffer| list(from, buffer)) {
        Err(error) if is_none(&error) => return Ok(()),
        names => names?,
    };
    for name in names.split_inclusive(|&b| b == 0) {
        let Ok(name) = CStr::from_bytes_with_nul(name) else { continue };
        let value = match sized(|buffer| get(from, name, buffer)) {
            Err(error) if is_none(&error) => continue,
            value => value?,
        };
        let own = [&b"user."[..], b"system."].iter().any(|space| name.to_bytes().starts_with(space));
        match set(to, name, &value) {
            Err(error) if !own && matches!(error.raw_os_error(), Some(libc::EPERM | libc::EOPNOTSUPP)) => {}
            set => set?,
        }
    }
    Ok(())
}

/// Not known here.
///
/// # Errors
/// None.
#[cfg(not(target_os = "linux"))]
pub fn copy_attributes(_from: &File, _to: &File) -> io::Result<()> {
    Ok(())
}

/// What `read` gives, which says how much that is when the buffer is empty.
#[cfg(target_os = "linux")]
fn sized(read: impl Fn(&mut [u8]) -> io::Result<usize>) -> io::Result<Vec<u8>> {
    loop {
        let length = read(&mut [])?;
        let mut buffer = vec![0; length];
        if length == 0 {
            return Ok(buffer);
        }
        match read(&mut buffer) {
            // It grew meanwhile.
            Err(error) if error.raw_os_error() == Some(libc::ERANGE) => {}
            read => {
                buffer.truncate(read?);
                return Ok(buffer);
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no counterpart in std")]
fn list(file: &File, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: the descriptor is open; the buffer is valid for writes of its length.
    let length = unsafe { libc::flistxattr(file.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len()) };
    usize::try_from(length).map_err(|_| io::Error::last_os_error())
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no counterpart in std")]
fn get(file: &File, name: &CStr, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: the descriptor is open; `name` ends with a zero; the buffer is valid for writes of its length.
    let length = unsafe { libc::fgetxattr(file.as_raw_fd(), name.as_ptr(), buffer.as_mut_ptr().cast(), buffer.len()) };
    usize::try_from(length).map_err(|_| io::Error::last_os_error())
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no counterpart in std")]
fn set(file: &File, name: &CStr, value: &[u8]) -> io::Result<()> {
    // SAFETY: the descriptor is open; `name` ends with a zero; `value` is valid for reads of its length.
    check(unsafe { libc::fsetxattr(file.as_raw_fd(), name.as_ptr(), value.as_ptr().cast(), value.len(), 0) })
}
