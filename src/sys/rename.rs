//! Putting a file in the place of another.

use std::io;
use std::path::Path;

/// Renames the file `from` to `to` over what is there, in one step. Windows refuses while somebody has the old file open
/// without sharing it, which virus scanners, indexers and editors do for a moment: that is waited for.
pub fn rename_over(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(windows)]
    return busy::rename(from, to);
    #[cfg(not(windows))]
    std::fs::rename(from, to)
}

#[cfg(windows)]
mod busy {
    use std::fs;
    use std::io;
    use std::path::Path;
    use std::time::{Duration, Instant};

    use crate::limits::REPLACE_WAIT_MS;

    /// "Access is denied" and "The process cannot access the file because it is being used by another process".
    const BUSY: [i32; 2] = [5, 32];

    pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
        let end = Instant::now() + Duration::from_millis(REPLACE_WAIT_MS);
        let mut pause = Duration::from_millis(1);
        loop {
            match fs::rename(from, to) {
                Err(e) if is_busy(&e) && !is_in_vain(to) && Instant::now() < end => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(20));
                }
                outcome => return outcome,
            }
        }
    }

    fn is_busy(error: &io::Error) -> bool {
        error.raw_os_error().is_some_and(|code| BUSY.contains(&code))
    }

    /// Whether waiting changes nothing: a folder, or a file that is write-protected.
    fn is_in_vain(path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|m| m.is_dir() || m.permissions().readonly())
    }
}
