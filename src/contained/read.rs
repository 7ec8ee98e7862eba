//! Reading below a root.

use std::io::{self, Read as _};

use super::{ContainedError, Root};
use crate::path::guard::Fault;

impl Root {
    /// What the file at `path` holds, at most `limit` bytes.
    ///
    /// # Errors
    /// `path_…` codes where the path or what stands at it is refused: links, other mounts, files with other names. Faults
    /// where there is none, where it is longer than `limit`, or where it is no regular file; a pipe never blocks.
    pub fn read(&self, path: &[u8], limit: usize) -> Result<Vec<u8>, ContainedError> {
        let safe = self.admit(path)?;
        let file = self.file(&safe)?;
        let mut held = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        file.take(most)
            .read_to_end(&mut held)
            .map_err(|error| ContainedError::from_io(path, Fault::ReadFailed, error))?;
        if held.len() > limit {
            let source = io::Error::other(format!("longer than {limit} bytes"));
            return Err(ContainedError::failed(path, Fault::FileTooLarge, source));
        }
        Ok(held)
    }
}
