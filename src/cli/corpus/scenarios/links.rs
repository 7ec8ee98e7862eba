//! Links as each system has them.

use std::io;
use std::path::Path;

/// Makes `link` a link to the folder `target`: a symbolic one.
#[cfg(unix)]
pub(super) fn link_to_folder(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Makes `link` a link to the folder `target`: a junction, for which no right is needed.
#[cfg(windows)]
pub(super) fn link_to_folder(target: &Path, link: &Path) -> io::Result<()> {
    let why = |error: io::Error| io::Error::new(error.kind(), format!("junctions can't be made: {error}"));
    crate::sys::make_junction(target, link).map_err(why)
}

/// Makes `link` a symbolic link to the file `target`.
#[cfg(unix)]
pub(super) fn link_to_file(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Makes `link` a symbolic link to the file `target`.
#[cfg(windows)]
pub(super) fn link_to_file(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, link)?;
    // Wine says that it made one, and makes none.
    if link.is_symlink() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::Unsupported, "symbolic links can't be made"))
    }
}

/// Removes a link to a folder.
pub(super) fn remove_link(link: &Path) -> io::Result<()> {
    if cfg!(windows) { std::fs::remove_dir(link) } else { std::fs::remove_file(link) }
}
