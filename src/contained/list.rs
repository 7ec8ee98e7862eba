//! Listing below a root.

use std::ffi::OsString;
use std::io;

use super::{ContainedError, Root, temporary};
use crate::path::guard::{Fault, Refusal, SafePath};
use crate::sys::{Folder, NodeKind};

/// What a folder holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// By name.
    pub entries: Vec<Entry>,
    /// Whether these are all; where not, which ones are missing is the system's choice.
    pub complete: bool,
}

/// One name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name as it stands on the disk: others may have put one there that no path can name.
    pub name: OsString,
    /// What stands there; a link is not followed.
    pub kind: NodeKind,
    /// Bytes of a file.
    pub len: u64,
    /// Why it can't be read or entered by its path, as far as a look tells: its name, a link, other names of the file, another
    /// mount.
    pub refusal: Option<Refusal>,
}

impl Root {
    /// What the folder at `path` holds, the root's own where there is none; at most `most` entries. Files that are just being
    /// written, or were when their writer was killed, are left out.
    ///
    /// # Errors
    /// `path_…` codes where the path or what stands at it is refused: links, other mounts. Faults where there is none, or where
    /// it is no folder.
    pub fn list(&self, path: Option<&[u8]>, most: usize) -> Result<Listing, ContainedError> {
        let raw = path.unwrap_or(b".");
        let wrap = |error| ContainedError::from_io(raw, Fault::ReadFailed, error);
        let safe = path.map(|path| self.admit(path)).transpose()?;
        let safe = safe.as_ref().map(SafePath::as_str);
        let listed = self.folder(safe).and_then(|folder| self.entries(&folder, safe, most)).map_err(wrap);
        #[cfg(any(test, feature = "self-check"))]
        if let Some(twin) = &self.twin {
            twin.listed(safe, &listed);
        }
        listed
    }

    fn entries(&self, folder: &Folder, path: Option<&str>, most: usize) -> io::Result<Listing> {
        let (mut names, complete) = folder.names(most)?;
        names.sort_unstable();
        let mut entries = Vec::with_capacity(names.len());
        // What is being written is nothing yet.
        for name in names.into_iter().filter(|name| !temporary::is_ours(name)) {
            let node = match folder.node(&name) {
                Ok(node) => node,
                // Gone meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            let leads_out = match node.kind {
                NodeKind::Link => true,
                NodeKind::File => node.links > 1 || !node.shares_mount(&self.node),
                NodeKind::Folder | NodeKind::Other => !node.shares_mount(&self.node),
            };
            let full = path.map_or_else(
                || name.clone(),
                |path| {
                    let mut full = OsString::from(format!("{path}/"));
                    full.push(&name);
                    full
                },
            );
            let refusal = match self.guard().judge(full.as_encoded_bytes()) {
                Err(refusal) => Some(refusal),
                Ok(_) => leads_out.then_some(Refusal::EscapesViaLink),
            };
            entries.push(Entry { name, kind: node.kind, len: node.len, refusal });
        }
        Ok(Listing { entries, complete })
    }
}
