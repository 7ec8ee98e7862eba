//! What the system says of an entry itself, in one form for every platform.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::ledger::observed::EntryKind;
use crate::ledger::stamp;

/// Which folder it is and when it last changed. All zero: there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    /// Nanoseconds since 1970 of the last change of its names.
    pub(crate) modified: i64,
    /// The same of its state, which no program can set; 0 where it is not known.
    pub(crate) changed: i64,
}

/// Nanoseconds in a millisecond.
const MILLI: i64 = 1_000_000;

/// Whole seconds alone: a file system that knows no finer time, and some round to two.
const COARSE_MS: i64 = 2_000;

/// Milliseconds by which the time of a file may lag behind the clock: a tick of the kernel, doubled.
pub(crate) const GRAIN_MS: i64 = 20;

impl Stamp {
    /// Milliseconds since 1970 of the last change of whatever kind.
    pub(crate) fn latest_ms(&self) -> i64 {
        self.modified.max(self.changed) / MILLI
    }

    /// Whether the folder could change after `now` (milliseconds since 1970) without another stamp.
    pub(crate) fn is_fresh(&self, now: u64) -> bool {
        let grain = if self.modified % 1_000_000_000 == 0 { COARSE_MS } else { GRAIN_MS };
        self.modified != 0 && self.modified / MILLI + grain >= i64::try_from(now).unwrap_or(i64::MAX)
    }
}

/// What is known of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) kind: EntryKind,
    pub(crate) device: u64,
    pub(crate) inode: u64,
    /// Milliseconds since 1970; 0: not known.
    pub(crate) birth: i64,
    /// Milliseconds since 1970 of the last change of its state; 0: not known.
    pub(crate) changed: i64,
    /// Whether it belongs to this user, where the platform says.
    pub(crate) own: Option<bool>,
}

/// A time in milliseconds; 0 where it is not known.
fn ms(time: io::Result<SystemTime>) -> i64 {
    time.ok().and_then(|time| i64::try_from(stamp::to_ms(time)).ok()).unwrap_or(0)
}

pub(crate) fn kind_of(file_type: std::fs::FileType) -> EntryKind {
    // First: a junction of Windows is a folder too.
    if file_type.is_symlink() {
        EntryKind::Link
    } else if file_type.is_dir() {
        EntryKind::Dir
    } else if file_type.is_file() {
        EntryKind::File
    } else {
        EntryKind::Other
    }
}

/// The stamp of the folder at `path`. `None`: something else is there, a link for one.
#[cfg(not(windows))]
pub(crate) fn stamp_at(path: &Path) -> io::Result<Option<Stamp>> {
    let meta = std::fs::symlink_metadata(path)?;
    Ok(meta.is_dir().then(|| stamp_of(&meta)))
}

/// The stamp of the folder at `path`. `None`: something else is there, a link for one.
#[cfg(windows)]
pub(crate) fn stamp_at(path: &Path) -> io::Result<Option<Stamp>> {
    let facts = crate::sys::file_facts(path)?;
    let crate::sys::FileFacts { device, inode, modified, changed, .. } = facts;
    Ok(facts.is_folder.then_some(Stamp { device, inode, modified, changed }))
}

#[cfg(unix)]
fn stamp_of(meta: &Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt as _;
    let nanos = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    Stamp {
        device: meta.dev(),
        inode: meta.ino(),
        modified: nanos(meta.mtime(), meta.mtime_nsec()),
        changed: nanos(meta.ctime(), meta.ctime_nsec()),
    }
}

/// What is known of whatever is at `path` itself.
#[cfg(not(windows))]
pub(crate) fn facts_at(path: &Path) -> io::Result<Facts> {
    std::fs::symlink_metadata(path).map(|meta| facts_of(&meta))
}

/// What is known of whatever is at `path` itself.
#[cfg(windows)]
pub(crate) fn facts_at(path: &Path) -> io::Result<Facts> {
    let facts = crate::sys::file_facts(path)?;
    let kind = match () {
        () if facts.is_link => EntryKind::Link,
        () if facts.is_folder => EntryKind::Dir,
        () => EntryKind::File,
    };
    let crate::sys::FileFacts { device, inode, birth, changed, .. } = facts;
    Ok(Facts { kind, device, inode, birth: birth / MILLI, changed: changed / MILLI, own: None })
}

#[cfg(unix)]
pub(crate) fn facts_of(meta: &Metadata) -> Facts {
    use std::os::unix::fs::MetadataExt as _;
    Facts {
        kind: kind_of(meta.file_type()),
        device: meta.dev(),
        inode: meta.ino(),
        birth: ms(meta.created()),
        changed: meta.ctime().saturating_mul(1000).saturating_add(meta.ctime_nsec() / MILLI),
        own: crate::sys::user_id().map(|id| id == meta.uid()),
    }
}

/// What a listing without numbers says of an entry.
#[cfg(windows)]
pub(crate) fn facts_of(meta: &Metadata) -> Facts {
    Facts { kind: kind_of(meta.file_type()), device: 0, inode: 0, birth: ms(meta.created()), changed: 0, own: None }
}

/// The number that a listing gives for an entry; 0 where it gives none.
#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) fn listed_inode(entry: &std::fs::DirEntry) -> u64 {
    std::os::unix::fs::DirEntryExt::ino(entry)
}

/// The number that a listing gives for an entry; 0 where it gives none.
#[cfg(not(unix))]
pub(crate) const fn listed_inode(_entry: &std::fs::DirEntry) -> u64 {
    0
}
