//! What stands at a name or behind a descriptor.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd};

use super::{Identity, Node, NodeKind};

/// What is kept of a mode: not the bits that lend its owner's rights.
const PERMISSIONS: u32 = 0o777;

/// What `file` is.
///
/// # Errors
/// The system's.
pub fn node_of(file: impl AsFd) -> io::Result<Node> {
    let file = file.as_fd();
    let node = node_at(file, c"")?;
    #[cfg(target_os = "linux")]
    let node = Node { mount: node.mount.or_else(|| described_mount(file)), ..node };
    Ok(node)
}

/// What stands at `name` in `folder`, links not followed; the folder itself for the empty name.
#[cfg(target_os = "linux")]
pub(super) fn node_at(folder: BorrowedFd<'_>, name: &CStr) -> io::Result<Node> {
    match with_mount(folder, name) {
        // An old kernel, or a filter of system calls.
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM)) => plain(folder, name),
        known => known,
    }
}

/// What stands at `name` in `folder`, links not followed; the folder itself for the empty name.
#[cfg(not(target_os = "linux"))]
pub(super) fn node_at(folder: BorrowedFd<'_>, name: &CStr) -> io::Result<Node> {
    plain(folder, name)
}

/// By `statx`, which tells mounts apart (Linux 5.8).
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no counterpart in std")]
fn with_mount(folder: BorrowedFd<'_>, name: &CStr) -> io::Result<Node> {
    let mut found = std::mem::MaybeUninit::<libc::statx>::zeroed();
    let flags = libc::AT_EMPTY_PATH | libc::AT_SYMLINK_NOFOLLOW | libc::AT_NO_AUTOMOUNT;
    let mask = libc::STATX_BASIC_STATS | libc::STATX_MNT_ID;
    // By its number: not every C library has a function for it.
    // SAFETY: `name` ends with a zero; `found` is valid for writes and has the kernel's layout.
    let result =
        unsafe { libc::syscall(libc::SYS_statx, folder.as_raw_fd(), name.as_ptr(), flags, mask, found.as_mut_ptr()) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: all zeroes are valid, and the call has filled it.
    let found = unsafe { found.assume_init() };
    Ok(Node {
        kind: kind(u32::from(found.stx_mode)),
        len: found.stx_size,
        links: u64::from(found.stx_nlink),
        mode: u32::from(found.stx_mode) & PERMISSIONS,
        identity: Identity {
            device: u64::from(found.stx_dev_major) << 32 | u64::from(found.stx_dev_minor),
            number: found.stx_ino,
        },
        mount: (found.stx_mask & libc::STATX_MNT_ID != 0).then_some(found.stx_mnt_id),
    })
}

/// By `fstatat`.
#[expect(unsafe_code, reason = "no counterpart in std")]
fn plain(folder: BorrowedFd<'_>, name: &CStr) -> io::Result<Node> {
    let mut found = std::mem::MaybeUninit::<libc::stat>::zeroed();
    // SAFETY: `name` ends with a zero; `found` is valid for writes.
    let result = unsafe {
        if name.is_empty() {
            libc::fstat(folder.as_raw_fd(), found.as_mut_ptr())
        } else {
            libc::fstatat(folder.as_raw_fd(), name.as_ptr(), found.as_mut_ptr(), libc::AT_SYMLINK_NOFOLLOW)
        }
    };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: all zeroes are valid, and the call has filled it.
    let found = unsafe { found.assume_init() };
    // As the standard library widens them; how wide they are is the platform's business.
    #[expect(clippy::unnecessary_cast, reason = "not on every platform")]
    let (device, number, links) = (found.st_dev as u64, found.st_ino as u64, found.st_nlink as u64);
    Ok(Node {
        #[expect(clippy::useless_conversion, reason = "not on every platform")]
        kind: kind(u32::from(found.st_mode)),
        len: u64::try_from(found.st_size).unwrap_or(0),
        links,
        #[expect(clippy::useless_conversion, reason = "not on every platform")]
        mode: u32::from(found.st_mode) & PERMISSIONS,
        identity: Identity { device, number },
        mount: None,
    })
}

/// The mount of an open file as /proc describes it (Linux 3.15). `None`: not known.
#[cfg(target_os = "linux")]
fn described_mount(file: BorrowedFd<'_>) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd())).ok()?;
    text.lines().find_map(|line| line.strip_prefix("mnt_id:"))?.trim().parse().ok()
}

fn kind(mode: u32) -> NodeKind {
    #[expect(clippy::useless_conversion, reason = "not on every platform")]
    let is = |kind: libc::mode_t| mode & u32::from(libc::S_IFMT) == u32::from(kind);
    if is(libc::S_IFREG) {
        NodeKind::File
    } else if is(libc::S_IFDIR) {
        NodeKind::Folder
    } else if is(libc::S_IFLNK) {
        NodeKind::Link
    } else {
        NodeKind::Other
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

    use std::fs::{self, File};

    use super::*;

    #[test]
    fn all_ways_say_the_same() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "abc").unwrap();
        fs::hard_link(dir.path().join("a"), dir.path().join("b")).unwrap();
        let (folder, file) = (File::open(dir.path()).unwrap(), File::open(dir.path().join("a")).unwrap());
        let by_name = node_at(folder.as_fd(), c"b").unwrap();
        assert_eq!(by_name, node_of(&file).unwrap());
        assert_eq!((by_name.kind, by_name.len, by_name.links), (NodeKind::File, 3, 2));
        assert!(by_name.shares_mount(&node_of(&folder).unwrap()));
        let plain = plain(folder.as_fd(), c"b").unwrap();
        assert_eq!((plain.kind, plain.len, plain.links), (NodeKind::File, 3, 2));
        assert_eq!(plain.identity.number, by_name.identity.number);
        std::os::unix::fs::symlink("a", dir.path().join("link")).unwrap();
        assert_eq!(node_at(folder.as_fd(), c"link").unwrap().kind, NodeKind::Link);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn both_sources_name_the_same_mount() {
        let (root, proc) = (File::open("/").unwrap(), File::open("/proc").unwrap());
        for file in [&root, &proc] {
            let known = node_of(file).unwrap().mount;
            assert!(known.is_some() && known == described_mount(file.as_fd()), "{known:?}");
        }
        assert!(!node_of(&root).unwrap().shares_mount(&node_of(&proc).unwrap()));
    }
}
