//! Reading below a root.

use std::fs::File;
use std::io::{self, Read as _};

use super::{ContainedError, Root};
use crate::path::guard::Fault;

impl Root {
    /// The file at `path`, open to be read.
    ///
    /// # Errors
    /// `path_…` codes where the path or what stands at it is refused: links, other mounts, files with other names. Faults
    /// where there is none, or where it is no regular file; a pipe never blocks.
    pub fn open_file(&self, path: &[u8]) -> Result<File, ContainedError> {
        let opened = self.admit(path).and_then(|safe| self.file(&safe, path));
        #[cfg(any(test, feature = "self-check"))]
        self.compare(path, |twin, safe| twin.opened(safe, opened.as_ref().map(|(_, node)| node)));
        opened.map(|(file, _)| file)
    }

    /// What the file at `path` holds, at most `limit` bytes.
    ///
    /// # Errors
    /// As for [`Root::open_file`], and a fault where it is longer than `limit`.
    pub fn read(&self, path: &[u8], limit: usize) -> Result<Vec<u8>, ContainedError> {
        let file = self.open_file(path)?;
        let mut held = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        file.take(most)
            .read_to_end(&mut held)
            .map_err(|error| ContainedError::from_io(path, Fault::ReadFailed, error))?;
        if held.len() > limit {
            let source = io::Error::other(format!("longer than {limit} bytes"));
            return Err(ContainedError::failed(path, Fault::FileTooLarge, source));
        }
        #[cfg(any(test, feature = "self-check"))]
        self.compare(path, |twin, safe| twin.holds(safe, &held));
        Ok(held)
    }
}
