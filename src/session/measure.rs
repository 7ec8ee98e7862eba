//! How much a folder holds.

use std::fs;
use std::path::Path;

/// What a folder holds; links are counted, never followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Size {
    /// Bytes of the files' contents.
    pub bytes: u64,
    /// Files and links.
    pub files: u64,
    /// Not all of it was seen: too many entries, or some that can't be read.
    pub partial: bool,
    /// Something else is mounted inside.
    pub mount: bool,
}

/// Measures `path`, at most `limit` entries of it.
pub fn measure(path: &Path, limit: usize) -> Size {
    let mut size = Size::default();
    let home = fs::symlink_metadata(path).ok().map(|m| device(&m));
    let mut todo = vec![path.to_owned()];
    let mut seen = 0;
    while let Some(dir) = todo.pop() {
        let Ok(entries) = fs::read_dir(&dir) else {
            size.partial = true;
            continue;
        };
        for entry in entries {
            seen += 1;
            if seen > limit {
                size.partial = true;
                return size;
            }
            let Ok((entry, meta)) = entry.and_then(|e| e.metadata().map(|m| (e, m))) else {
                size.partial = true;
                continue;
            };
            if home.is_some_and(|d| d != device(&meta)) {
                size.mount = true;
            } else if meta.is_dir() {
                todo.push(entry.path());
            } else {
                size.files += 1;
                size.bytes = size.bytes.saturating_add(meta.len());
            }
        }
    }
    size
}

#[cfg(unix)]
fn device(meta: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::dev(meta)
}

/// Another volume in a folder is a link to it here, which is not followed.
#[cfg(not(unix))]
const fn device(_meta: &fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use super::{Size, measure};

    #[test]
    fn counts_without_following() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("f"), [0; 10]).unwrap();
        fs::write(dir.path().join("g"), [0; 5]).unwrap();
        let want = Size { bytes: 15, files: 2, ..Size::default() };
        assert_eq!(measure(dir.path(), 100), want);
        assert!(measure(dir.path(), 2).partial);
        assert!(measure(&dir.path().join("none"), 2).partial);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/", inner.join("l")).unwrap();
            assert_eq!(measure(dir.path(), 100).files, 3);
            assert!(!measure(dir.path(), 100).partial);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_mounted_inside_is_noticed() {
        // The root of a Linux system has /proc.
        assert!(measure(std::path::Path::new("/"), 100).mount || !std::path::Path::new("/proc/self").exists());
    }
}
