//! What is said of the entries of a folder tree.

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// A folder.
    Folder,
    /// Anything else.
    Other,
    /// The file system does not say so in the folder.
    Unknown,
}

/// What a measurement needs to know of one entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeFacts {
    /// It is a folder.
    pub is_folder: bool,
    /// Bytes of its contents.
    pub bytes: u64,
    /// Bytes that it takes on the volume.
    pub allocated: u64,
    /// Names that it has.
    pub links: u64,
    /// The volume.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// When anything about it changed; nanoseconds since 1970.
    pub changed: i64,
    /// When its contents changed; seconds since 1970.
    pub modified: i64,
}
