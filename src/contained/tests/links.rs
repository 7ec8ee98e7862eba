//! Links as each system has them.

use std::path::Path;

#[cfg(windows)]
use super::skipped;

/// Makes `link` a link to the folder `target`; `false`, and said so, where that can't be done.
#[cfg(unix)]
pub(super) fn link_to_folder(target: &Path, link: &Path) -> bool {
    std::os::unix::fs::symlink(target, link).unwrap();
    true
}

/// Makes `link` a junction to the folder `target`; `false`, and said so, where that can't be done.
#[cfg(windows)]
pub(super) fn link_to_folder(target: &Path, link: &Path) -> bool {
    let made = crate::sys::make_junction(target, link);
    if let Err(error) = &made {
        assert!(!link.exists(), "nothing half made stays");
        skipped(&format!("junctions: Wine makes none ({error})"));
    }
    made.is_ok()
}

/// Makes `link` a symbolic link to the file `target`; `false`, and said so, where that can't be done.
#[cfg(unix)]
pub(super) fn link_to_file(target: &Path, link: &Path) -> bool {
    link_to_folder(target, link)
}

/// Makes `link` a symbolic link to the file `target`; `false`, and said so, where that can't be done.
#[cfg(windows)]
pub(super) fn link_to_file(target: &Path, link: &Path) -> bool {
    // Wine says that it was made, and makes none.
    let made = std::os::windows::fs::symlink_file(target, link).is_ok() && link.is_symlink();
    if !made {
        skipped("symbolic links: Wine has none, and Windows makes them in developer mode alone");
    }
    made
}
