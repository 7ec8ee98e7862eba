//! What stands at a name.

/// What stands at a name, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Of which kind it is.
    pub kind: NodeKind,
    /// Bytes of a file.
    pub len: u64,
    /// Names that it has.
    pub links: u64,
    /// What its owner, its group and others may do with it: nine bits. Windows tells here only whether it is write-protected.
    pub mode: u32,
    /// Which it is.
    pub identity: Identity,
    /// Through which mount it was reached, where the system says so: two mounts may show the same file system.
    pub mount: Option<u64>,
}

/// Kinds of what stands at a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link to another path: symbolic, or a junction. On Windows every reparse point.
    Link,
    /// A pipe, a socket, a device.
    Other,
}

/// File system and number: the same for all names of one file, for as long as it exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The file system.
    pub device: u64,
    /// The number within it.
    pub number: u64,
}

/// What a move needs to know of an entry, beside what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryFacts {
    /// What it is.
    pub node: Node,
    /// Its mode, twelve bits; on Windows its attributes.
    pub mode: u32,
    /// Whose it is, by number. `None`: the platform has no such numbers.
    pub owner: Option<Owner>,
    /// When its contents changed; nanoseconds since 1970.
    pub modified: i64,
}

/// Numbers of a user and a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The user.
    pub user: u32,
    /// The group.
    pub group: u32,
}

impl Node {
    /// Whether nobody is to write to it.
    #[cfg(windows)]
    pub(super) const fn is_protected(&self) -> bool {
        self.mode & 0o222 == 0
    }

    /// Whether both were reached through one mount. By file system where the system knows no numbers of mounts.
    pub fn shares_mount(&self, other: &Self) -> bool {
        match (self.mount, other.mount) {
            (Some(mine), Some(its)) => mine == its,
            _ => self.identity.device == other.identity.device,
        }
    }
}
