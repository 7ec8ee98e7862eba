//! Moving entries from one open folder to another, and what a move needs to know of them.

use std::ffi::{OsStr, c_int};
use std::io;
use std::os::fd::AsRawFd as _;

use super::unix::{Folder, c_name, check};
use super::{EntryFacts, Identity, NodeKind, Owner};

impl Folder {
    /// Moves what stands at `name` to the name `new` in the folder `to`, where nothing may stand, in one step, if it is
    /// still `which`; whether it was. What took its place at the last moment is put back. A link is moved itself.
    ///
    /// # Errors
    /// The system's; another volume or mount is [`io::ErrorKind::CrossesDevices`], and something that stands at `new`
    /// [`io::ErrorKind::AlreadyExists`].
    pub fn move_to(&self, name: &OsStr, which: Identity, to: &Self, new: &OsStr) -> io::Result<bool> {
        if self.node(name)?.identity != which {
            return Ok(false);
        }
        self.rename_to(name, to, new)?;
        if to.node(new)?.identity == which {
            return Ok(true);
        }
        to.rename_to(new, self, name)?;
        Ok(false)
    }

    /// Gives what stands at `name` the name `new` in `to`, where nothing may stand.
    fn rename_to(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        match self.rename_new_to(name, to, new) {
            // The kernel or the file system is too old for it.
            Err(error) if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL)) => {}
            done => return done,
        }
        if self.node(name)?.kind == NodeKind::Folder {
            // An empty folder may be renamed over, and this one is there only if nothing was.
            to.make(new)?;
            return self.rename_over_to(name, to, new).inspect_err(|_| {
                // An empty folder that stays where nothing was is the lesser trouble.
                to.unlink(new, libc::AT_REMOVEDIR).unwrap_or_default();
            });
        }
        self.link_to(name, to, new)?;
        self.unlink(name, 0)
    }

    #[cfg(target_os = "linux")]
    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    fn rename_new_to(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        let (name, new) = (c_name(name)?, c_name(new)?);
        let (from, to) = (self.as_raw_fd(), to.as_raw_fd());
        // SAFETY: both names end with a zero.
        let result = unsafe {
            libc::syscall(libc::SYS_renameat2, from, name.as_ptr(), to, new.as_ptr(), libc::RENAME_NOREPLACE)
        };
        check(c_int::try_from(result).unwrap_or(-1))
    }

    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    fn rename_over_to(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        let (name, new) = (c_name(name)?, c_name(new)?);
        // SAFETY: both names end with a zero.
        check(unsafe { libc::renameat(self.as_raw_fd(), name.as_ptr(), to.as_raw_fd(), new.as_ptr()) })
    }

    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    fn link_to(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        let (name, new) = (c_name(name)?, c_name(new)?);
        // SAFETY: both names end with a zero.
        check(unsafe { libc::linkat(self.as_raw_fd(), name.as_ptr(), to.as_raw_fd(), new.as_ptr(), 0) })
    }

    /// What stands at `name`, with its owner and times; a link is not followed.
    ///
    /// # Errors
    /// The system's.
    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    pub fn facts(&self, name: &OsStr) -> io::Result<EntryFacts> {
        let node = self.peek(name)?;
        let c_name = c_name(name)?;
        let mut found = std::mem::MaybeUninit::<libc::stat>::zeroed();
        // SAFETY: `c_name` ends with a zero; `found` is valid for writes.
        check(unsafe {
            libc::fstatat(self.as_raw_fd(), c_name.as_ptr(), found.as_mut_ptr(), libc::AT_SYMLINK_NOFOLLOW)
        })?;
        // SAFETY: all zeroes are valid, and the call has filled it.
        let found = unsafe { found.assume_init() };
        // As the standard library widens them; how wide they are is the platform's business.
        #[expect(clippy::unnecessary_cast, reason = "not on every platform")]
        let (number, seconds, nanos) = (found.st_ino as u64, found.st_mtime as i64, found.st_mtime_nsec as i64);
        if number != node.identity.number {
            return Err(io::Error::other("another entry took its place meanwhile"));
        }
        #[expect(clippy::useless_conversion, reason = "not on every platform")]
        let mode = u32::from(found.st_mode) & 0o7777;
        Ok(EntryFacts {
            node,
            mode,
            owner: Some(Owner { user: found.st_uid, group: found.st_gid }),
            modified: seconds.saturating_mul(1_000_000_000).saturating_add(nanos),
        })
    }

    /// The folder itself, with its owner and times.
    ///
    /// # Errors
    /// The system's.
    pub fn own_facts(&self) -> io::Result<EntryFacts> {
        self.facts(OsStr::new("."))
    }

    /// Lets the owner of this folder list and change it, whatever its mode said.
    ///
    /// # Errors
    /// The system's.
    pub fn open_up(&self) -> io::Result<()> {
        self.set_own_mode(self.own_node()?.mode | 0o700)
    }

    /// Gives this folder the mode `mode` (twelve bits).
    ///
    /// # Errors
    /// The system's.
    #[cfg(target_os = "linux")]
    pub fn set_own_mode(&self, mode: u32) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt as _;
        // A descriptor to search can't be given a mode; its name in /proc is that very folder.
        let path = format!("/proc/self/fd/{}", self.as_raw_fd());
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
    }

    /// Gives this folder the mode `mode` (twelve bits).
    ///
    /// # Errors
    /// The system's.
    #[cfg(not(target_os = "linux"))]
    #[expect(unsafe_code, reason = "the standard library works by paths alone")]
    pub fn set_own_mode(&self, mode: u32) -> io::Result<()> {
        let mode = libc::mode_t::try_from(mode).map_err(|_| io::ErrorKind::InvalidInput)?;
        // SAFETY: the descriptor is open.
        check(unsafe { libc::fchmod(self.as_raw_fd(), mode) })
    }

    /// [`Folder::remove_if`], also where the entry is write-protected by an attribute (Windows).
    ///
    /// # Errors
    /// The system's.
    pub fn remove_even_protected(&self, name: &OsStr, which: Identity) -> io::Result<bool> {
        self.remove_if(name, which)
    }

    /// Has the disk hold this folder's names. Where that needs a right that its owner may lack, or the file system knows
    /// nothing of it, the file system's own order has to do.
    ///
    /// # Errors
    /// The system's.
    pub fn sync(&self) -> io::Result<()> {
        self.sync_names()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

    use std::fs;

    use super::*;

    fn two() -> (tempfile::TempDir, Folder, Folder) {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        let [a, b] = ["a", "b"].map(|name| Folder::open(&dir.path().join(name)).unwrap());
        (dir, a, b)
    }

    type Move = fn(&Folder, &OsStr, &Folder, &OsStr) -> io::Result<()>;

    /// Both ways of a move: the kernel's own, and what does without it.
    fn ways() -> [Move; 2] {
        fn plain(from: &Folder, name: &OsStr, to: &Folder, new: &OsStr) -> io::Result<()> {
            if from.node(name)?.kind == NodeKind::Folder {
                to.make(new)?;
                return from.rename_over_to(name, to, new);
            }
            from.link_to(name, to, new)?;
            from.unlink(name, 0)
        }
        [Folder::rename_to, plain]
    }

    #[test]
    fn nothing_is_moved_over() {
        for way in ways() {
            let (dir, a, b) = two();
            fs::create_dir_all(dir.path().join("a/folder/inner")).unwrap();
            fs::write(dir.path().join("a/file"), "1").unwrap();
            std::os::unix::fs::symlink("/nowhere", dir.path().join("a/link")).unwrap();
            fs::create_dir(dir.path().join("b/empty")).unwrap();
            fs::write(dir.path().join("b/taken"), "2").unwrap();
            for name in ["folder", "file", "link"] {
                for taken in ["empty", "taken"] {
                    let error = way(&a, name.as_ref(), &b, taken.as_ref()).unwrap_err();
                    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{name} {taken}");
                }
                way(&a, name.as_ref(), &b, name.as_ref()).unwrap();
            }
            assert_eq!(fs::read(dir.path().join("b/taken")).unwrap(), b"2");
            assert_eq!(fs::read_link(dir.path().join("b/link")).unwrap().to_str(), Some("/nowhere"));
            assert!(dir.path().join("b/folder/inner").is_dir() && a.names(9).unwrap().0.is_empty());
        }
    }

    #[test]
    fn only_the_entry_that_is_meant_is_moved() {
        let (dir, a, b) = two();
        fs::write(dir.path().join("a/one"), "1").unwrap();
        fs::write(dir.path().join("a/other"), "2").unwrap();
        let which = a.node("one".as_ref()).unwrap().identity;
        assert!(!a.move_to("other".as_ref(), which, &b, "x".as_ref()).unwrap());
        assert!(a.move_to("one".as_ref(), which, &b, "x".as_ref()).unwrap());
        assert_eq!(fs::read(dir.path().join("b/x")).unwrap(), b"1");
        assert_eq!(fs::read(dir.path().join("a/other")).unwrap(), b"2");
    }

    #[test]
    fn facts_are_those_of_the_link_itself() {
        let (dir, a, _) = two();
        std::os::unix::fs::symlink("/", dir.path().join("a/link")).unwrap();
        let facts = a.facts("link".as_ref()).unwrap();
        assert_eq!(facts.node.kind, NodeKind::Link);
        assert!(facts.modified > 0 && facts.owner.is_some());
        assert!(a.facts("none".as_ref()).is_err());
    }

    #[test]
    fn a_folder_is_opened_up() {
        use std::os::unix::fs::PermissionsExt as _;
        let (dir, a, _) = two();
        let path = dir.path().join("a");
        a.set_own_mode(0o555).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o555);
        a.open_up().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o755);
    }
}
