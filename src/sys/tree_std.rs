//! Walking a folder tree where there are no calls beside open handles in use: by paths, no link followed, no mount
//! entered.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::tree_facts::{TreeFacts, TreeKind};

/// Entries that are read at a time.
const BATCH: usize = 1_000;

/// The name of an entry.
pub type TreeName = OsString;

/// A name from its bytes. `None`: no name can have them.
pub fn tree_name(bytes: Vec<u8>) -> Option<TreeName> {
    String::from_utf8(bytes).ok().filter(|name| !name.contains(['/', '\0'])).map(OsString::from)
}

/// The bytes of a name.
pub fn tree_name_bytes(name: &TreeName) -> &[u8] {
    name.as_encoded_bytes()
}

/// A folder.
#[derive(Debug)]
pub struct TreeFolder {
    path: PathBuf,
}

/// Reads a folder's entries.
#[derive(Debug)]
pub struct TreeReader<'a> {
    folder: &'a TreeFolder,
    entries: Option<fs::ReadDir>,
}

/// Entries of a folder.
#[derive(Debug)]
pub struct TreeBatch {
    entries: Vec<fs::DirEntry>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct TreeEntry<'a> {
    entry: &'a fs::DirEntry,
}

impl TreeFolder {
    /// The folder at `path`, which may itself be a mount point but no link.
    pub fn open(path: &Path) -> io::Result<Self> {
        if !fs::symlink_metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { path: path.to_owned() })
    }

    /// The folder `name` in it. [`io::ErrorKind::CrossesDevices`]: something else is mounted there.
    pub fn child(&self, name: &TreeName) -> io::Result<Self> {
        let child = Self::open(&self.path.join(name))?;
        if child.facts()?.device == self.facts()?.device {
            Ok(child)
        } else {
            Err(io::ErrorKind::CrossesDevices.into())
        }
    }

    /// Facts about the folder itself.
    pub fn facts(&self) -> io::Result<TreeFacts> {
        tree_facts(&self.path)
    }

    /// Facts about what has this name in it; of a link about the link.
    pub fn facts_named(&self, name: &OsStr) -> io::Result<TreeFacts> {
        tree_facts(&self.path.join(name))
    }

    /// Facts about one of its entries; of a link about the link.
    pub fn facts_of(&self, entry: &TreeEntry<'_>) -> io::Result<TreeFacts> {
        facts(&entry.entry.path())
    }

    /// Its entries, from the first.
    pub fn reader(&self) -> TreeReader<'_> {
        TreeReader { folder: self, entries: None }
    }
}

impl TreeReader<'_> {
    /// The next entries. `None` at the end.
    pub fn next_batch(&mut self) -> io::Result<Option<TreeBatch>> {
        let entries = match &mut self.entries {
            Some(entries) => entries,
            none => none.insert(fs::read_dir(&self.folder.path)?),
        };
        let entries = entries.take(BATCH).collect::<io::Result<Vec<_>>>()?;
        Ok((!entries.is_empty()).then_some(TreeBatch { entries }))
    }
}

impl TreeBatch {
    /// Each entry but `.` and `..`.
    pub fn entries(&self) -> impl Iterator<Item = TreeEntry<'_>> {
        self.entries.iter().map(|entry| TreeEntry { entry })
    }
}

impl TreeEntry<'_> {
    /// What it is.
    pub fn kind(&self) -> TreeKind {
        match self.entry.file_type() {
            Ok(kind) if kind.is_dir() => TreeKind::Folder,
            Ok(_) => TreeKind::Other,
            Err(_) => TreeKind::Unknown,
        }
    }

    /// Its name, for longer.
    pub fn name(&self) -> TreeName {
        self.entry.file_name()
    }
}

/// Facts about whatever is at `path` itself: of a link about the link.
pub fn tree_facts(path: &Path) -> io::Result<TreeFacts> {
    facts(path)
}

#[cfg(unix)]
fn facts(path: &Path) -> io::Result<TreeFacts> {
    use std::os::unix::fs::MetadataExt as _;
    let meta = fs::symlink_metadata(path)?;
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

/// From an open handle: a listing tells neither numbers nor how many names a file has.
#[cfg(windows)]
fn facts(path: &Path) -> io::Result<TreeFacts> {
    const SECOND: i64 = 1_000_000_000;
    let facts = super::file_facts(path)?;
    Ok(TreeFacts {
        is_folder: facts.is_folder,
        bytes: facts.bytes,
        allocated: facts.allocated,
        links: facts.links,
        device: facts.device,
        inode: facts.inode,
        // A file system without it has no time of change but that of the contents.
        changed: if facts.changed == 0 { facts.modified } else { facts.changed },
        modified: facts.modified / SECOND,
    })
}

/// Nothing to raise where paths are used.
pub const fn raise_open_files() {}
