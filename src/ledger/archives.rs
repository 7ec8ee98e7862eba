//! The audit's files that were put aside, which nothing ever removes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::sys::rename_over;

/// A file that was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Archive {
    /// Its place in the chain, from 1.
    pub(crate) number: u64,
    pub(crate) path: PathBuf,
}

/// Those beside `current`, oldest first.
pub(crate) fn archives(current: &Path) -> io::Result<Vec<Archive>> {
    let mut found = Vec::new();
    let folder = match fs::read_dir(current.parent().unwrap_or(current)) {
        Ok(folder) => folder,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(found),
        Err(e) => return Err(e),
    };
    for entry in folder {
        let name = entry?.file_name();
        if let Some(number) = name.to_str().and_then(number) {
            found.push(Archive { number, path: current.with_file_name(name) });
        }
    }
    found.sort_by_key(|archive| archive.number);
    Ok(found)
}

/// The name of the file with this number.
pub(crate) fn archive_name(number: u64) -> String {
    format!("audit-{number:06}.jsonl")
}

/// The number in a name, which has only one spelling.
fn number(name: &str) -> Option<u64> {
    let number = name.strip_prefix("audit-")?.strip_suffix(".jsonl")?.parse().ok()?;
    (number > 0 && archive_name(number) == name).then_some(number)
}

/// Gives `current`, which nobody has open for writing, the next number, durably. The caller holds the lock.
/// `false`: somebody who does not share it has it open (Windows); it goes on growing until the next time.
pub(crate) fn put_aside(current: &Path) -> io::Result<bool> {
    let last = archives(current)?.pop().map_or(0, |last| last.number);
    let aside = current.with_file_name(archive_name(last.saturating_add(1)));
    match rename_over(current, &aside) {
        Ok(()) => sync_folder(current).map(|()| true),
        Err(e) if is_open_elsewhere(&e) => Ok(false),
        Err(e) => Err(e),
    }
}

/// "Access is denied" and "The process cannot access the file because it is being used by another process".
fn is_open_elsewhere(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32))
}

/// Makes names in the folder of `path` last. Windows keeps its folders itself.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => fs::File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
