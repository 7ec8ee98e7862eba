//! Whether something may be written, without trying it.

use std::path::Path;

/// Whether this process may make entries in the folder `path`, as far as the system says beforehand.
#[cfg(unix)]
pub fn may_write(path: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt as _;
    let Ok(path) = std::ffi::CString::new(path.as_os_str().as_bytes()) else { return false };
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: `path` ends with a zero.
    let answer = unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), libc::W_OK | libc::X_OK, libc::AT_EACCESS) };
    answer == 0
}

/// Whether this process may make entries in the folder `path`: what an access list allows shows when it is tried.
#[cfg(not(unix))]
pub fn may_write(path: &Path) -> bool {
    path.is_dir()
}
