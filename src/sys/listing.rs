//! The names in one folder, as the kernel lists them, and facts beside the open folder (Linux).

use std::ffi::{CStr, CString, c_int};
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::limits::LISTING_BYTES;

/// Where a name begins in an entry (`struct linux_dirent64`).
const NAME_AT: usize = 19;

/// Bytes of the longest name, with the zero at its end.
const NAME_BYTES: usize = 256;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// Something else.
    Other,
    /// The file system does not say so in the folder.
    Unknown,
}

/// One entry.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// Its number.
    pub inode: u64,
    /// What it is.
    pub kind: ListedKind,
}

/// What is known of an entry itself; of a link about the link. Times are milliseconds since 1970, 0 where not known.
#[derive(Clone, Copy, Debug)]
pub struct ListedFacts {
    /// What it is.
    pub kind: ListedKind,
    /// The volume.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// When it was made.
    pub birth: i64,
    /// The last change of its state.
    pub changed: i64,
    /// The user whom it belongs to.
    pub owner: u32,
}

/// An open folder.
#[derive(Debug)]
pub struct Listing {
    folder: OwnedFd,
}

impl Listing {
    /// Opens the folder at `path`, which may not be a link itself.
    #[expect(unsafe_code, reason = "the standard library reads folders by paths alone")]
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = CString::new(path.as_os_str().as_bytes())?;
        let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
        // SAFETY: `path` ends with a zero.
        let fd = unsafe { libc::open(path.as_ptr(), flags) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call made this descriptor, and nobody else has it.
        Ok(Self { folder: unsafe { OwnedFd::from_raw_fd(fd) } })
    }

    /// Gives each entry but `.` and `..` to `each`, until that says `false`.
    #[expect(unsafe_code, reason = "the standard library reads folders by paths alone")]
    pub fn each(&self, mut each: impl FnMut(Listed<'_>) -> bool) -> io::Result<()> {
        let mut bytes: Vec<u8> = Vec::with_capacity(LISTING_BYTES);
        loop {
            // SAFETY: the buffer is valid for writes of the length given.
            let read = unsafe {
                libc::syscall(libc::SYS_getdents64, self.folder.as_raw_fd(), bytes.as_mut_ptr(), LISTING_BYTES)
            };
            let Ok(read) = usize::try_from(read) else { return Err(io::Error::last_os_error()) };
            if read == 0 {
                return Ok(());
            }
            // SAFETY: the kernel filled as many bytes, at most the capacity.
            unsafe { bytes.set_len(read.min(LISTING_BYTES)) };
            if !entries(&bytes, &mut each) {
                return Ok(());
            }
        }
    }

    /// Facts about what has this name in it.
    #[expect(unsafe_code, reason = "the standard library asks by paths alone")]
    pub fn facts(&self, name: &[u8]) -> io::Result<ListedFacts> {
        const MASK: u32 = libc::STATX_TYPE | libc::STATX_INO | libc::STATX_UID | libc::STATX_CTIME | libc::STATX_BTIME;
        const FLAGS: c_int = libc::AT_SYMLINK_NOFOLLOW | libc::AT_NO_AUTOMOUNT | libc::AT_STATX_DONT_SYNC;
        let mut text = [0; NAME_BYTES];
        let Some(part) = text[..NAME_BYTES - 1].get_mut(..name.len()) else {
            return Err(io::ErrorKind::InvalidFilename.into());
        };
        part.copy_from_slice(name);
        let name = CStr::from_bytes_until_nul(&text).map_err(|_| io::ErrorKind::InvalidFilename)?;
        let mut facts = std::mem::MaybeUninit::<libc::statx>::uninit();
        // SAFETY: `name` ends with a zero and `facts` is valid for a write of its type.
        let result = unsafe {
            let folder = self.folder.as_raw_fd();
            libc::syscall(libc::SYS_statx, folder, name.as_ptr(), FLAGS, MASK, facts.as_mut_ptr())
        };
        if result < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call that did not fail filled it, and every pattern of bits is a value of it.
        let facts = unsafe { facts.assume_init() };
        let ms = |time: &libc::statx_timestamp| {
            time.tv_sec.saturating_mul(1000).saturating_add(i64::from(time.tv_nsec) / 1_000_000)
        };
        let known = |flag: u32, time: &libc::statx_timestamp| if facts.stx_mask & flag == 0 { 0 } else { ms(time) };
        Ok(ListedFacts {
            kind: match u32::from(facts.stx_mode) & libc::S_IFMT {
                libc::S_IFREG => ListedKind::File,
                libc::S_IFDIR => ListedKind::Folder,
                libc::S_IFLNK => ListedKind::Link,
                _ => ListedKind::Other,
            },
            device: libc::makedev(facts.stx_dev_major, facts.stx_dev_minor),
            inode: facts.stx_ino,
            birth: known(libc::STATX_BTIME, &facts.stx_btime),
            changed: known(libc::STATX_CTIME, &facts.stx_ctime),
            owner: facts.stx_uid,
        })
    }
}

/// Each entry in what the kernel wrote; `false` where there is to be no more.
fn entries(bytes: &[u8], each: &mut impl FnMut(Listed<'_>) -> bool) -> bool {
    let mut rest = bytes;
    // Number (8), offset (8), length of the entry (2), type (1), name with a zero at its end and bytes to fill up.
    while let Some((head, _)) = rest.split_first_chunk::<NAME_AT>() {
        let length = usize::from(u16::from_ne_bytes([head[16], head[17]]));
        let Some((entry, after)) = rest.split_at_checked(length.max(NAME_AT + 1)) else { break };
        rest = after;
        let name = &entry[NAME_AT..];
        // The zero is among the last eight bytes.
        let from = name.len().saturating_sub(8);
        let end = name[from..].iter().position(|b| *b == 0).map_or(name.len(), |at| from + at);
        let name = &name[..end];
        if matches!(name, b"." | b"..") {
            continue;
        }
        let kind = match head[18] {
            libc::DT_REG => ListedKind::File,
            libc::DT_DIR => ListedKind::Folder,
            libc::DT_LNK => ListedKind::Link,
            libc::DT_UNKNOWN => ListedKind::Unknown,
            _ => ListedKind::Other,
        };
        let mut inode = [0; 8];
        inode.copy_from_slice(&head[..8]);
        if !each(Listed { name, inode: u64::from_ne_bytes(inode), kind }) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::collections::BTreeMap;
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, symlink};
    use std::time::UNIX_EPOCH;

    use super::{ListedKind, Listing};

    #[test]
    fn agrees_with_the_standard_library() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("listed");
        fs::create_dir(&path).unwrap();
        for n in 0..3_000 {
            // Names of every length that fits.
            fs::write(path.join(format!("{n:04}{}", "x".repeat(n % 252))), "").unwrap();
        }
        fs::create_dir(path.join("folder")).unwrap();
        symlink("nowhere", path.join("link")).unwrap();
        let listing = Listing::open(&path).unwrap();
        let mut found = BTreeMap::new();
        listing
            .each(|entry| {
                found.insert(entry.name.to_owned(), (entry.inode, entry.kind));
                true
            })
            .unwrap();
        assert_eq!(found.len(), 3_002);
        for entry in fs::read_dir(&path).unwrap() {
            let entry = entry.unwrap();
            let (name, meta) = (entry.file_name(), entry.metadata().unwrap());
            let kind = match () {
                () if meta.is_dir() => ListedKind::Folder,
                () if meta.is_symlink() => ListedKind::Link,
                () => ListedKind::File,
            };
            assert_eq!(found[name.as_encoded_bytes()], (meta.ino(), kind), "{}", name.display());
            let facts = listing.facts(name.as_encoded_bytes()).unwrap();
            assert_eq!(
                (facts.inode, facts.device, facts.kind, facts.owner),
                (meta.ino(), meta.dev(), kind, meta.uid())
            );
            let birth = meta.created().map_or(0, |time| time.duration_since(UNIX_EPOCH).unwrap().as_millis());
            let birth = i64::try_from(birth).unwrap();
            assert_eq!((facts.birth, facts.changed), (birth, meta.ctime() * 1000 + meta.ctime_nsec() / 1_000_000));
        }
        let mut count = 0;
        listing.each(|_| unreachable!("it was read to its end")).unwrap();
        Listing::open(&path)
            .unwrap()
            .each(|_| {
                count += 1;
                count < 10
            })
            .unwrap();
        assert_eq!(count, 10);
        assert!(listing.facts(&[b'x'; 256]).is_err() && listing.facts(b"a\0b").is_err());
        assert!(Listing::open(&path.join("link")).is_err() && Listing::open(&path.join("none")).is_err());
    }
}
