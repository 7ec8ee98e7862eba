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
    let facts = super::file_facts(Path::new(path)).ok()?;
    let is_file = !facts.is_link && !facts.is_folder;
    (is_file && facts.links > 1).then_some((facts.device, facts.inode))
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
