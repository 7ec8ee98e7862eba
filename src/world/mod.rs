//! The world outside a decision (file system, environment, clock) behind one trait.

mod fake;
mod real;

pub use fake::FakeWorld;
pub use real::RealWorld;

use crate::path::Model;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link (only from [`World::entry`], which does not follow it).
    Link,
    /// A device, pipe or socket.
    Other,
    /// Something that may be there but can't be looked at (no permission, I/O error).
    Unreadable,
}

/// A read-only view of the machine. Paths are absolute strings under [`World::model`].
///
/// No method writes, blocks on a network or follows more links than the kernel does.
pub trait World {
    /// Which rules paths follow here.
    fn model(&self) -> Model;
    /// What stands at `path` itself; the final link is not followed. `None`: nothing.
    fn entry(&self, path: &str) -> Option<EntryKind>;
    /// What stands at `path` after every link is followed. `None`: nothing (or a dangling link).
    fn target(&self, path: &str) -> Option<EntryKind>;
    /// Which file stands at `path` (device and number), where it has other names too (hard links). `None`: no
    /// file, one name only, or not known here.
    fn linked_file(&self, path: &str) -> Option<(u64, u64)>;
    /// The text of the symbolic link at `path`.
    fn read_link(&self, path: &str) -> Option<String>;
    /// The name under which its folder lists what stands at `path`, where the last component is another one (a short
    /// name of Windows).
    fn long_name(&self, path: &str) -> Option<String>;
    /// The folder that the drive `letter` stands for, where it is no drive of its own (`subst` of Windows).
    fn drive_target(&self, letter: char) -> Option<String>;
    /// Names in the folder `path`, at most `limit`, without `.` and `..`. `None`: not readable or more than `limit`.
    fn list(&self, path: &str, limit: usize) -> Option<Vec<String>>;
    /// At most `limit` bytes of the small text file at `path`. `None`: not there, too large, not UTF-8.
    fn read_text(&self, path: &str, limit: usize) -> Option<String>;
    /// An environment variable as the agent's shell would see it.
    fn env(&self, name: &str) -> Option<String>;
    /// The user's home folder.
    fn home(&self) -> Option<String>;
}
