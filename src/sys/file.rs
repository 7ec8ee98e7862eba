//! Which file stands at a path.

use std::io;
use std::path::{Path, PathBuf};

/// The path without links, in the usual spelling: on Windows without the `\\?\` that the system puts before it, which
/// few programs understand.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    let real = std::fs::canonicalize(path)?;
    if !cfg!(windows) {
        return Ok(real);
    }
    let Some(rest) = real.to_str().and_then(|text| text.strip_prefix(r"\\?\")) else { return Ok(real) };
    Ok(match rest.strip_prefix(r"UNC\") {
        Some(share) => PathBuf::from(format!(r"\\{share}")),
        None if rest.as_bytes().get(1) == Some(&b':') => PathBuf::from(rest),
        None => real,
    })
}

/// Opens a file for reading without waiting: the other end of a pipe that stands in for it may never come.
pub fn open_without_waiting(path: &Path) -> io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

/// Device and number of the file at `path` where it has other names too (hard links). `None`: no file, one name
/// only, or not known here. A link is not followed.
#[cfg(unix)]
pub fn linked_file(path: &str) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let meta = std::fs::symlink_metadata(path).ok().filter(|m| m.is_file() && m.nlink() > 1)?;
    Some((meta.dev(), meta.ino()))
}

/// Volume and number of the file at `path` where it has other names too (hard links). `None`: no file, one name
/// only, or not known here. A link is not followed.
#[cfg(windows)]
pub fn linked_file(path: &str) -> Option<(u64, u64)> {
    use std::os::windows::fs::OpenOptionsExt as _;
    use std::os::windows::io::AsRawHandle as _;

    use super::winapi::{ByHandleFileInformation, FILE_FLAG_OPEN_REPARSE_POINT, GetFileInformationByHandle};

    // No right but to look at it: others may hold it open in whatever way.
    let file = std::fs::OpenOptions::new()
        .access_mode(0)
        .custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
        .open(path)
        .ok()
        .filter(|file| file.metadata().is_ok_and(|meta| meta.is_file()))?;
    let mut info = ByHandleFileInformation::default();
    #[expect(unsafe_code, reason = "std has it for unstable Rust only")]
    // SAFETY: the handle is open; `info` is valid for writes and has the system's layout.
    let known = unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut info) } != 0;
    let number = u64::from(info.index_high) << 32 | u64::from(info.index_low);
    (known && info.links > 1).then_some((u64::from(info.volume), number))
}

/// Not known here.
#[cfg(not(any(unix, windows)))]
pub fn linked_file(_path: &str) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use super::{linked_file, real_path};

    #[test]
    fn the_usual_spelling() {
        let dir = tempfile::tempdir().unwrap();
        let real = real_path(dir.path()).unwrap();
        assert!(real.is_absolute() && !real.to_str().unwrap().starts_with(r"\\?"), "{}", real.display());
        assert!(real_path(&dir.path().join("none")).is_err());
    }

    #[test]
    fn names_of_one_file() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        fs::write(at("a"), "").unwrap();
        fs::write(at("c"), "").unwrap();
        assert_eq!(linked_file(&at("a")), None);
        fs::hard_link(at("a"), at("b")).unwrap();
        assert!(linked_file(&at("a")).is_some());
        assert_eq!(linked_file(&at("a")), linked_file(&at("b")));
        assert_eq!(linked_file(&at("c")), None);
        assert_eq!(linked_file(&at("none")), None);
        assert_eq!(linked_file(dir.path().to_str().unwrap()), None);
    }
}
