//! Walking a folder tree beside open handles (Linux): no link is followed, no mount entered, and nothing but names and
//! `statx` data is read.

use std::ffi::{CStr, CString, OsStr, c_int};
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::folder::{Folder, mount_in_the_way};
use super::tree_facts::{TreeFacts, TreeKind};

/// Bytes of folder entries that are asked for at a time.
const BUFFER: usize = 64 << 10;
/// Where a name begins in an entry (`struct linux_dirent64`).
const NAME_AT: usize = 19;

/// The name of an entry, in the form that the system's calls take.
pub type TreeName = CString;

/// A name from its bytes. `None`: no name can have them.
pub fn tree_name(bytes: Vec<u8>) -> Option<TreeName> {
    CString::new(bytes).ok().filter(|name| !name.as_bytes().contains(&b'/'))
}

/// The bytes of a name.
pub fn tree_name_bytes(name: &TreeName) -> &[u8] {
    name.as_bytes()
}

/// An open folder.
#[derive(Debug)]
pub struct TreeFolder {
    folder: Folder,
}

/// Reads a folder's entries.
#[derive(Debug)]
pub struct TreeReader<'a> {
    folder: &'a TreeFolder,
}

/// Entries of a folder as the kernel gave them.
#[derive(Debug)]
pub struct TreeBatch {
    bytes: Vec<u8>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct TreeEntry<'a> {
    name: &'a CStr,
    kind: TreeKind,
}

impl TreeFolder {
    /// Opens the folder at `path`, which may itself be a mount point but no link.
    pub fn open(path: &Path) -> io::Result<Self> {
        open_listed(libc::AT_FDCWD, &CString::new(path.as_os_str().as_bytes())?)
    }

    /// Opens the folder `name` in it. `EXDEV`: something else is mounted there.
    pub fn child(&self, name: &TreeName) -> io::Result<Self> {
        match self.folder.listed_beneath(OsStr::from_bytes(name.as_bytes())) {
            Ok(folder) => Ok(Self { folder }),
            // Linux before 5.6, or a filter that does not know the call.
            Err(e) if matches!(e.raw_os_error(), Some(libc::ENOSYS | libc::EPERM)) => self.child_plain(name),
            Err(e) => Err(e),
        }
    }

    fn child_plain(&self, name: &TreeName) -> io::Result<Self> {
        let child = open_listed(self.folder.as_raw_fd(), name)?;
        if child.facts()?.device == self.facts()?.device { Ok(child) } else { Err(mount_in_the_way()) }
    }

    /// Facts about the folder itself.
    pub fn facts(&self) -> io::Result<TreeFacts> {
        statx(&self.folder, c"", libc::AT_EMPTY_PATH)
    }

    /// Facts about what has this name in it; of a link about the link.
    pub fn facts_named(&self, name: &CStr) -> io::Result<TreeFacts> {
        statx(&self.folder, name, libc::AT_SYMLINK_NOFOLLOW | libc::AT_NO_AUTOMOUNT)
    }

    /// Facts about one of its entries; of a link about the link.
    pub fn facts_of(&self, entry: &TreeEntry<'_>) -> io::Result<TreeFacts> {
        self.facts_named(entry.name)
    }

    /// Its entries, from the first; only one reader at a time.
    pub fn reader(&self) -> TreeReader<'_> {
        TreeReader { folder: self }
    }
}

impl TreeReader<'_> {
    /// The next entries. `None` at the end.
    #[expect(unsafe_code, reason = "the standard library reads folders by paths alone")]
    pub fn next_batch(&mut self) -> io::Result<Option<TreeBatch>> {
        let mut bytes = Vec::with_capacity(BUFFER);
        // SAFETY: the buffer is valid for writes of the length given.
        let read =
            unsafe { libc::syscall(libc::SYS_getdents64, self.folder.folder.as_raw_fd(), bytes.as_mut_ptr(), BUFFER) };
        let Ok(read) = usize::try_from(read) else { return Err(io::Error::last_os_error()) };
        // SAFETY: the kernel filled as many bytes, at most the capacity.
        unsafe { bytes.set_len(read.min(BUFFER)) };
        Ok((read > 0).then_some(TreeBatch { bytes }))
    }
}

impl TreeBatch {
    /// Each entry but `.` and `..`.
    pub fn entries(&self) -> impl Iterator<Item = TreeEntry<'_>> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            loop {
                // Number (8), offset (8), length of the entry (2), type (1), name with a zero at its end.
                let length = usize::from(u16::from_ne_bytes([*rest.get(16)?, *rest.get(17)?]));
                let (entry, after) = rest.split_at_checked(length.max(NAME_AT))?;
                rest = after;
                let name = CStr::from_bytes_until_nul(&entry[NAME_AT..]).ok()?;
                if matches!(name.to_bytes(), b"." | b"..") {
                    continue;
                }
                let kind = match entry[NAME_AT - 1] {
                    libc::DT_DIR => TreeKind::Folder,
                    libc::DT_UNKNOWN => TreeKind::Unknown,
                    _ => TreeKind::Other,
                };
                return Some(TreeEntry { name, kind });
            }
        })
    }
}

impl TreeEntry<'_> {
    /// What it is.
    pub fn kind(&self) -> TreeKind {
        self.kind
    }

    /// Its name, for longer.
    pub fn name(&self) -> TreeName {
        self.name.to_owned()
    }
}

/// Facts about whatever is at `path` itself: of a link about the link.
pub fn tree_facts(path: &Path) -> io::Result<TreeFacts> {
    use std::os::unix::fs::MetadataExt as _;
    let meta = std::fs::symlink_metadata(path)?;
    Ok(TreeFacts {
        is_folder: meta.is_dir(),
        bytes: meta.size(),
        allocated: meta.blocks().saturating_mul(512),
        links: meta.nlink(),
        device: meta.dev(),
        inode: meta.ino(),
        changed: meta.ctime().saturating_mul(1_000_000_000).saturating_add(meta.ctime_nsec()),
        modified: meta.mtime(),
    })
}

#[expect(unsafe_code, reason = "the standard library opens by paths alone")]
fn open_listed(folder: RawFd, name: &CStr) -> io::Result<TreeFolder> {
    let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    // SAFETY: `name` ends with a zero.
    let fd = unsafe { libc::openat(folder, name.as_ptr(), flags) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call made this descriptor, and nobody else has it.
    Ok(TreeFolder { folder: Folder::from(unsafe { OwnedFd::from_raw_fd(fd) }) })
}

#[expect(unsafe_code, reason = "the standard library asks by paths alone")]
fn statx(folder: &Folder, name: &CStr, flags: c_int) -> io::Result<TreeFacts> {
    const MASK: u32 = libc::STATX_BASIC_STATS;
    let mut facts = std::mem::MaybeUninit::<libc::statx>::uninit();
    // SAFETY: `name` ends with a zero and `facts` is valid for a write of its type.
    let result = unsafe {
        let flags = flags | libc::AT_STATX_DONT_SYNC;
        // By its number: not every C library has a function for it.
        libc::syscall(libc::SYS_statx, folder.as_raw_fd(), name.as_ptr(), flags, MASK, facts.as_mut_ptr())
    };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call that did not fail filled it, and every pattern of bits is a value of it.
    let facts = unsafe { facts.assume_init() };
    Ok(TreeFacts {
        is_folder: u32::from(facts.stx_mode) & libc::S_IFMT == libc::S_IFDIR,
        bytes: facts.stx_size,
        allocated: facts.stx_blocks.saturating_mul(512),
        links: u64::from(facts.stx_nlink),
        device: libc::makedev(facts.stx_dev_major, facts.stx_dev_minor),
        inode: facts.stx_ino,
        changed: (facts.stx_ctime.tv_sec.saturating_mul(1_000_000_000))
            .saturating_add(i64::from(facts.stx_ctime.tv_nsec)),
        modified: facts.stx_mtime.tv_sec,
    })
}

/// Lets this process have as many open files as it may: each folder with others waiting in it stays open.
#[expect(unsafe_code, reason = "no counterpart in std")]
pub fn raise_open_files() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is valid for a write; a failure leaves it as it is.
    if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } == 0 && limit.rlim_cur < limit.rlim_max {
        limit.rlim_cur = limit.rlim_max;
        // SAFETY: `limit` is valid. Where it is refused the old limit stays, which is no harm.
        let _as_before = unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) };
    }
}
