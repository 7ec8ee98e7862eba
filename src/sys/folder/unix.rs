//! Folders by their descriptors.

use std::ffi::{CStr, CString, OsStr, OsString, c_int};
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd as _, IntoRawFd as _, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::unix_node::node_at;
use super::{Identity, Node, NodeKind};

/// How a folder is opened to find things in it: without the right to list it.
#[cfg(target_os = "linux")]
pub(super) const SEARCH: c_int = libc::O_PATH | libc::O_DIRECTORY;
/// How a folder is opened to find things in it.
#[cfg(not(target_os = "linux"))]
pub(super) const SEARCH: c_int = libc::O_RDONLY | libc::O_DIRECTORY;

/// A folder that was opened once. Whatever takes its name, it stays the same folder.
#[derive(Debug)]
pub struct Folder(OwnedFd);

impl From<OwnedFd> for Folder {
    fn from(fd: OwnedFd) -> Self {
        Self(fd)
    }
}

impl AsRawFd for Folder {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Whether an error says that a link, another mount or a way out was met.
pub fn leads_away(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ELOOP | libc::EXDEV))
}

/// Whether an error is what sockets, and devices without a driver, say when they are opened.
pub fn is_no_file(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENXIO | libc::EOPNOTSUPP | libc::ENODEV))
}

/// The error for a link that was met.
pub fn link_in_the_way() -> io::Error {
    io::Error::from_raw_os_error(libc::ELOOP)
}

/// The error for another mount that was met.
pub fn mount_in_the_way() -> io::Error {
    io::Error::from_raw_os_error(libc::EXDEV)
}

impl Folder {
    /// Opens the folder at `path`, any path of the system's. A link in its place is refused; links above it are followed.
    ///
    /// # Errors
    /// The system's.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = c_name(OsStr::from_bytes(last_name_last(path.as_os_str().as_bytes())))?;
        open(libc::AT_FDCWD, &path, SEARCH | libc::O_NOFOLLOW, 0).map(Self)
    }

    /// The same folder, opened anew.
    ///
    /// # Errors
    /// The system's.
    pub fn again(&self) -> io::Result<Self> {
        open(self.as_raw_fd(), c".", SEARCH | libc::O_NOFOLLOW, 0).map(Self)
    }

    /// Opens the folder `name`, a single name in this one.
    ///
    /// # Errors
    /// The system's; where a link stands there [`leads_away`].
    pub fn folder(&self, name: &OsStr) -> io::Result<Self> {
        let opened = open(self.as_raw_fd(), &c_name(name)?, SEARCH | libc::O_NOFOLLOW, 0);
        opened.map(Self).map_err(|error| match self.node(name) {
            // `O_DIRECTORY` makes a link what is no folder.
            Ok(node) if node.kind == NodeKind::Link => link_in_the_way(),
            _ => error,
        })
    }

    /// Opens what stands at `name`, a single name in this folder, to be read; a pipe does not block.
    ///
    /// # Errors
    /// The system's; where a link stands there [`leads_away`].
    pub fn file(&self, name: &OsStr) -> io::Result<File> {
        let flags = libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_NOFOLLOW;
        open(self.as_raw_fd(), &c_name(name)?, flags, 0).map(File::from)
    }

    /// Makes the file `name`, to write; nothing may stand there. For its owner only.
    ///
    /// # Errors
    /// The system's.
    pub fn create(&self, name: &OsStr) -> io::Result<File> {
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW;
        open(self.as_raw_fd(), &c_name(name)?, flags, 0o600).map(File::from)
    }

    /// Makes the folder `name`; nothing may stand there. For its owner only.
    ///
    /// # Errors
    /// The system's.
    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    pub fn make(&self, name: &OsStr) -> io::Result<()> {
        let name = c_name(name)?;
        // SAFETY: `name` ends with a zero.
        check(unsafe { libc::mkdirat(self.as_raw_fd(), name.as_ptr(), 0o700) })
    }

    /// Gives the file `temporary`, which was made here as `_file`, the name `name` in one step: over the file that has it, or
    /// where nothing may stand there.
    ///
    /// # Errors
    /// The system's.
    pub fn place(&self, _file: &File, temporary: &OsStr, name: &OsStr, over: bool) -> io::Result<()> {
        if over { self.rename(temporary, name) } else { self.rename_new(temporary, name) }
    }

    /// Closes and removes the file `temporary`, which was made here as `file`.
    ///
    /// # Errors
    /// The system's.
    pub fn discard(&self, file: File, temporary: &OsStr) -> io::Result<()> {
        drop(file);
        self.unlink(temporary, 0)
    }

    /// Gives `file` the permissions of a file here that was looked at as `old`, but not the bits that lend its owner's rights.
    ///
    /// # Errors
    /// The system's.
    pub fn keep_access(&self, _name: &OsStr, old: &Node, file: &File) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(old.mode))
    }

    /// Has the disk hold the name that `_file` was given. Where that needs a right that its owner may lack, or the file system
    /// knows nothing of it, the file system's own order has to do.
    ///
    /// # Errors
    /// The system's.
    pub fn sync_name(&self, _file: &File) -> io::Result<()> {
        self.sync_names()
    }

    pub(super) fn sync_names(&self) -> io::Result<()> {
        let synced = open(self.as_raw_fd(), c".", libc::O_RDONLY | libc::O_DIRECTORY, 0)
            .and_then(|folder| File::from(folder).sync_all());
        match synced {
            Err(error) if matches!(error.raw_os_error(), Some(libc::EACCES | libc::EINVAL | libc::EOPNOTSUPP)) => {
                Ok(())
            }
            synced => synced,
        }
    }

    /// Puts the file `from` in the place of `to`, in one step.
    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let (fd, from, to) = (self.as_raw_fd(), c_name(from)?, c_name(to)?);
        // SAFETY: both names end with a zero.
        check(unsafe { libc::renameat(fd, from.as_ptr(), fd, to.as_ptr()) })
    }

    /// Gives the file `from` the name `to`, where nothing may stand.
    fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        match self.rename_flagged(from, to, libc::RENAME_NOREPLACE) {
            // The kernel or the file system is too old for it, or a filter of system calls forbids it.
            Err(error) if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL | libc::EPERM)) => {}
            done => return done,
        }
        self.link(from, to)?;
        self.unlink(from, 0)
    }

    /// Exchanges what two names of this folder stand for.
    ///
    /// # Errors
    /// The system's.
    #[cfg(target_os = "linux")]
    pub fn exchange(&self, one: &OsStr, other: &OsStr) -> io::Result<()> {
        self.rename_flagged(one, other, libc::RENAME_EXCHANGE)
    }

    #[cfg(target_os = "linux")]
    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    fn rename_flagged(&self, from: &OsStr, to: &OsStr, flags: std::ffi::c_uint) -> io::Result<()> {
        let (fd, from, to) = (self.as_raw_fd(), c_name(from)?, c_name(to)?);
        // By its number: not every C library has a function for it.
        // SAFETY: both names end with a zero.
        let result = unsafe { libc::syscall(libc::SYS_renameat2, fd, from.as_ptr(), fd, to.as_ptr(), flags) };
        check(c_int::try_from(result).unwrap_or(-1))
    }

    /// Gives the file `from` another name; links are not followed.
    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let (fd, from, to) = (self.as_raw_fd(), c_name(from)?, c_name(to)?);
        // SAFETY: both names end with a zero.
        check(unsafe { libc::linkat(fd, from.as_ptr(), fd, to.as_ptr(), 0) })
    }

    /// Removes `name`, an empty folder too, where that is still `which`; whether it was. Whatever takes the name at the last
    /// moment, it is a name of this folder that goes, and never what a link leads to.
    ///
    /// # Errors
    /// The system's.
    pub fn remove_if(&self, name: &OsStr, which: Identity) -> io::Result<bool> {
        let node = self.node(name)?;
        if node.identity != which {
            return Ok(false);
        }
        self.unlink(name, if node.kind == NodeKind::Folder { libc::AT_REMOVEDIR } else { 0 })?;
        Ok(true)
    }

    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    pub(super) fn unlink(&self, name: &OsStr, flags: c_int) -> io::Result<()> {
        let name = c_name(name)?;
        // SAFETY: `name` ends with a zero.
        check(unsafe { libc::unlinkat(self.as_raw_fd(), name.as_ptr(), flags) })
    }

    /// What stands at `name`; a link is not followed.
    ///
    /// # Errors
    /// The system's.
    pub fn node(&self, name: &OsStr) -> io::Result<Node> {
        node_at(self.as_fd(), &c_name(name)?)
    }

    /// What stands at `name`, and through which mount it is reached wherever the system says so at all. Nothing is opened: a
    /// pipe's writer does not notice, and no right to read is needed.
    ///
    /// # Errors
    /// The system's.
    pub fn peek(&self, name: &OsStr) -> io::Result<Node> {
        // By a descriptor that is good for nothing else: of a name alone, older kernels do not tell the mount.
        #[cfg(target_os = "linux")]
        return open(self.as_raw_fd(), &c_name(name)?, libc::O_PATH | libc::O_NOFOLLOW, 0).and_then(super::node_of);
        #[cfg(not(target_os = "linux"))]
        self.node(name)
    }

    /// The folder itself.
    ///
    /// # Errors
    /// The system's.
    pub fn own_node(&self) -> io::Result<Node> {
        super::node_of(self.as_fd())
    }

    /// The names in it, in the system's order, but at most `most`; whether these are all.
    ///
    /// # Errors
    /// The system's.
    #[expect(unsafe_code, reason = "the standard library lists by paths alone")]
    pub fn names(&self, most: usize) -> io::Result<(Vec<OsString>, bool)> {
        // Opened anew: a descriptor to search can't be listed, and the place in the list belongs to this one.
        let fd = open(self.as_raw_fd(), c".", libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW, 0)?.into_raw_fd();
        // SAFETY: the descriptor is ours; from here on the stream owns it.
        let stream = unsafe { libc::fdopendir(fd) };
        if stream.is_null() {
            let error = io::Error::last_os_error();
            // SAFETY: there is no stream, so the descriptor is still ours.
            drop(unsafe { OwnedFd::from_raw_fd(fd) });
            return Err(error);
        }
        let mut names = Vec::new();
        let outcome = loop {
            clear_errno();
            // SAFETY: the stream is open and nobody else has it.
            let entry = unsafe { libc::readdir(stream) };
            if entry.is_null() {
                let error = io::Error::last_os_error();
                break if error.raw_os_error() == Some(0) { Ok(true) } else { Err(error) };
            }
            // SAFETY: the entry is valid until the next call, and its name ends with a zero.
            let name = unsafe { CStr::from_ptr((&raw const (*entry).d_name).cast()) };
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            if names.len() == most {
                break Ok(false);
            }
            names.push(OsString::from_vec(name.to_bytes().to_vec()));
        };
        // SAFETY: the stream is open and is not used again.
        unsafe { libc::closedir(stream) };
        outcome.map(|all| (names, all))
    }
}

/// Makes a pipe at `path`.
///
/// # Errors
/// The system's.
#[expect(unsafe_code, reason = "the standard library makes no pipes with names")]
pub fn make_pipe(path: &Path) -> io::Result<()> {
    let path = c_name(path.as_os_str())?;
    // SAFETY: `path` ends with a zero.
    check(unsafe { libc::mkfifo(path.as_ptr(), 0o600) })
}

/// `readdir` tells the end from a failure by this number alone.
#[expect(unsafe_code, reason = "the standard library does not set it")]
fn clear_errno() {
    #[cfg(any(target_os = "solaris", target_os = "illumos"))]
    use libc::___errno as errno;
    #[cfg(any(target_os = "android", target_os = "netbsd", target_os = "openbsd"))]
    use libc::__errno as errno;
    #[cfg(any(target_os = "linux", target_os = "dragonfly"))]
    use libc::__errno_location as errno;
    #[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
    use libc::__error as errno;
    // SAFETY: the place is this thread's own and always valid.
    unsafe { *errno() = 0 };
}

#[expect(unsafe_code, reason = "the standard library opens by paths alone")]
pub(super) fn open(folder: RawFd, name: &CStr, flags: c_int, mode: libc::c_uint) -> io::Result<OwnedFd> {
    loop {
        // SAFETY: `name` ends with a zero.
        let fd = unsafe { libc::openat(folder, name.as_ptr(), flags | libc::O_CLOEXEC, mode) };
        if fd >= 0 {
            // SAFETY: the call made this descriptor, and nobody else has it.
            return Ok(unsafe { OwnedFd::from_raw_fd(fd) });
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// The path without the separators and dots at its end, which would have a link in its place followed.
fn last_name_last(mut path: &[u8]) -> &[u8] {
    loop {
        path = match path {
            b"/." => b"/",
            [rest @ .., b'/'] | [rest @ .., b'/', b'.'] if !rest.is_empty() => rest,
            _ => return path,
        };
    }
}

pub(super) fn c_name(name: &OsStr) -> io::Result<CString> {
    CString::new(name.as_bytes()).map_err(|_| io::ErrorKind::InvalidInput.into())
}

pub(super) fn check(result: c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

    use std::fs;

    use super::*;

    #[test]
    fn names_are_listed_up_to_a_limit() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b", ".c"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let folder = Folder::open(dir.path()).unwrap();
        for _ in 0..2 {
            let (mut names, all) = folder.names(3).unwrap();
            names.sort();
            assert_eq!((names, all), ([".c", "a", "b"].map(OsString::from).to_vec(), true));
        }
        let (names, all) = folder.names(2).unwrap();
        assert_eq!((names.len(), all), (2, false));
    }

    #[test]
    fn a_new_name_takes_no_place() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "a").unwrap();
        fs::write(dir.path().join("b"), "b").unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let (a, b, c) = (OsStr::new("a"), OsStr::new("b"), OsStr::new("c"));
        assert_eq!(folder.rename_new(a, b).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(folder.link(a, b).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        folder.rename_new(a, c).unwrap();
        folder.rename(c, b).unwrap();
        let (is_b, is_folder) = (folder.node(b).unwrap().identity, folder.own_node().unwrap().identity);
        assert!(!folder.remove_if(b, is_folder).unwrap());
        assert_eq!(fs::read(dir.path().join("b")).unwrap(), b"a");
        assert_eq!(folder.names(9).unwrap().0.len(), 1);
        assert!(folder.remove_if(b, is_b).unwrap());
        assert_eq!(folder.names(9).unwrap().0.len(), 0);
    }
}
