//! Writing and removing below a root.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};

use super::siblings::{self, Siblings};
use super::temporary;
use super::walk::split;
use super::{ContainedError, Root};
use crate::path::guard::{Fault, Refusal, SafePath};
use crate::sys::{Folder, Identity, Node, node_of};

impl Root {
    /// Writes a new file; missing folders are made.
    ///
    /// # Errors
    /// As for [`Root::replace`], and a fault where something stands there already.
    pub fn create(&self, path: &[u8], content: &[u8]) -> Result<(), ContainedError> {
        self.publish(path, content, true)
    }

    /// Writes a file, new or in the place of an old one, whose permissions it keeps; missing folders are made. Whoever reads at
    /// the same time gets the old content or the new one, never a part; so does whoever reads after a crash, and what was
    /// written when this returned is on the disk.
    ///
    /// # Errors
    /// `path_…` codes where the path or what stands at it is refused: links, other mounts, files with other names, `.git` folders,
    /// and under the rules that Windows is part of a new name of which another spelling is there. Faults where writing fails.
    pub fn replace(&self, path: &[u8], content: &[u8]) -> Result<(), ContainedError> {
        self.publish(path, content, false)
    }

    /// Removes a file that has no other name; the right to read it is not needed.
    ///
    /// # Errors
    /// As for [`Root::read`], and where the path leads into a `.git` folder.
    pub fn remove(&self, path: &[u8]) -> Result<(), ContainedError> {
        let removed = self.admit_writing(path).and_then(|safe| self.remove_file(&safe, path));
        #[cfg(any(test, feature = "self-check"))]
        self.compare(path, |twin, safe| twin.removed(safe, removed.as_ref().err()));
        removed
    }

    fn remove_file(&self, safe: &SafePath<'_>, raw: &[u8]) -> Result<(), ContainedError> {
        let wrap = |error| ContainedError::from_io(raw, Fault::DeleteFailed, error);
        let node = self.look(safe, raw, Fault::DeleteFailed)?;
        let (parents, name) = split(safe.as_str());
        let folder = self.folder(parents).map_err(wrap)?;
        if folder.remove_if(name.as_ref(), node.identity).map_err(wrap)? {
            return Ok(());
        }
        Err(wrap(io::Error::other("another file took its place meanwhile")))
    }

    fn publish(&self, path: &[u8], content: &[u8], exclusive: bool) -> Result<(), ContainedError> {
        let written = self.admit_writing(path).and_then(|safe| self.write(&safe, path, content, exclusive));
        #[cfg(any(test, feature = "self-check"))]
        self.compare(path, |twin, safe| twin.written(safe, content, written.as_ref().err()));
        written
    }

    fn write(&self, safe: &SafePath<'_>, raw: &[u8], content: &[u8], exclusive: bool) -> Result<(), ContainedError> {
        let wrap = |error| ContainedError::from_io(raw, Fault::WriteFailed, error);
        let (folder, name) = self.parent(safe, raw)?;
        let old = match self.look(safe, raw, Fault::ReadFailed) {
            Ok(old) => Some(old),
            Err(ContainedError::Failed { fault: Fault::FileMissing, .. }) => None,
            Err(error) => return Err(error),
        };
        // Asked even where a file was found: some file systems find it by another spelling.
        let is_new = self.check_siblings(&folder, name, raw)?;
        if exclusive && old.is_some() {
            return Err(wrap(io::ErrorKind::AlreadyExists.into()));
        }
        let temporary = temporary::name();
        let mut file = folder.create(&temporary).map_err(wrap)?;
        let written = fill(&folder, &mut file, name.as_ref(), old.as_ref(), content).and_then(|identity| {
            // Takes a name of this folder: what a link there leads to is never touched.
            folder.place(&file, &temporary, name.as_ref(), !exclusive)?;
            Ok(identity)
        });
        let identity = match written {
            Ok(identity) => identity,
            Err(error) => {
                // What was asked for has failed already; a temporary file that stays is the lesser trouble.
                folder.discard(file, &temporary).unwrap_or_default();
                return Err(wrap(error));
            }
        };
        // Should this fail, the new content is in place all the same, but may not outlast a power cut.
        let synced = folder.sync_name(&file).map_err(wrap);
        drop(file);
        if is_new {
            self.withdraw_collision(&folder, name, identity, raw)?;
        }
        synced
    }

    /// The folder that holds `path`, open, and the last name. What is missing is made.
    fn parent<'p>(&self, path: &'p SafePath<'_>, raw: &[u8]) -> Result<(Folder, &'p str), ContainedError> {
        let wrap = |error| ContainedError::from_io(raw, Fault::WriteFailed, error);
        let (parents, name) = split(path.as_str());
        match self.folder(parents) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return Ok((opened.map_err(wrap)?, name)),
        }
        let mut folder = self.folder(None).map_err(wrap)?;
        for part in parents.into_iter().flat_map(|parents| parents.split('/')) {
            folder = match self.step(&folder, part) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => self.make(&folder, part, raw)?,
                next => next.map_err(wrap)?,
            };
        }
        Ok((folder, name))
    }

    fn make(&self, folder: &Folder, name: &str, raw: &[u8]) -> Result<Folder, ContainedError> {
        let wrap = |error| ContainedError::from_io(raw, Fault::WriteFailed, error);
        self.check_siblings(folder, name, raw)?;
        match folder.make(name.as_ref()) {
            // Somebody was faster. A link that stands there is refused by the opening.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.step(folder, name).map_err(wrap),
            Err(error) => Err(wrap(error)),
            Ok(()) => {
                let made = self.step(folder, name).map_err(wrap)?;
                let identity = made.own_node().map_err(wrap)?.identity;
                self.withdraw_collision(folder, name, identity, raw)?;
                Ok(made)
            }
        }
    }

    /// Whether `name` would be new in `folder`; refused where another spelling of it is there, under rules that mind.
    fn check_siblings(&self, folder: &Folder, name: &str, raw: &[u8]) -> Result<bool, ContainedError> {
        if !self.guard().rules().windows() {
            return Ok(false);
        }
        let wrap = |error| ContainedError::from_io(raw, Fault::WriteFailed, error);
        let names = siblings::all(folder).map_err(wrap)?;
        temporary::clear(folder, &names);
        match siblings::beside(&names, name) {
            Siblings::Apart => Ok(true),
            Siblings::Itself => Ok(false),
            Siblings::Collide => Err(ContainedError::refused(raw, Refusal::CollidesWithSibling)),
        }
    }

    /// Takes back what was made where somebody made another spelling of its name at the same time. They do the same, so at
    /// most one stays.
    fn withdraw_collision(
        &self,
        folder: &Folder,
        name: &str,
        made: Identity,
        raw: &[u8],
    ) -> Result<(), ContainedError> {
        let wrap = |error| ContainedError::from_io(raw, Fault::WriteFailed, error);
        if !self.guard().rules().windows() || !siblings::collides(folder, name).map_err(wrap)? {
            return Ok(());
        }
        match folder.remove_if(name.as_ref(), made) {
            // What took its place is somebody else's.
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(wrap(error)),
        }
        Err(ContainedError::refused(raw, Refusal::CollidesWithSibling))
    }
}

/// Writes all of `file`, which will take the place of `name`, and has the disk hold it; which file it is.
fn fill(folder: &Folder, file: &mut File, name: &OsStr, old: Option<&Node>, content: &[u8]) -> io::Result<Identity> {
    // Before the content: nobody who may not read the old one is to see the new one.
    if let Some(old) = old {
        folder.keep_access(name, old, file)?;
    }
    file.write_all(content)?;
    // Else a crash after the rename may leave the name with nothing behind it.
    file.sync_all()?;
    Ok(node_of(&*file)?.identity)
}
