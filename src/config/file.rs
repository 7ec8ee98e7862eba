//! Reading a configuration file: bounded, and never waiting for anybody.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::error::Problem;
use crate::limits::MAX_CONFIG_BYTES;

/// The text at `path`; `None` where nothing is there.
pub(super) fn read(path: &Path) -> Result<Option<String>, Problem> {
    let file = match open(path) {
        Ok(file) => file,
        // Settings behind a link that leads nowhere (a disk that is not mounted) are not the same as none.
        Err(e) if e.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            return Err(Problem::Unreadable { source: io::Error::new(e.kind(), "it is a link that leads nowhere") });
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(Problem::Unreadable { source: e }),
    };
    read_open(&file).map(Some)
}

/// Opens without waiting: the other end of a pipe that stands in for the file may never come.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

fn read_open(file: &File) -> Result<String, Problem> {
    let unreadable = |source| Problem::Unreadable { source };
    let meta = file.metadata().map_err(unreadable)?;
    if !meta.is_file() {
        return Err(Problem::NotAFile);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0).min(MAX_CONFIG_BYTES) + 1);
    file.take(MAX_CONFIG_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > MAX_CONFIG_BYTES {
        return Err(Problem::TooLarge);
    }
    String::from_utf8(bytes).map_err(|e| {
        let valid = e.as_bytes().get(..e.utf8_error().valid_up_to()).unwrap_or_default();
        let line = valid.split(|b| *b == b'\n').count();
        Problem::Encoding { line: u32::try_from(line).unwrap_or(u32::MAX) }
    })
}
