//! The way to where an item belongs, folder by open folder: a link on it is refused, however long the path is.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::error::on;
use super::{Refusal, TrashError};
use crate::sys::{Folder, leads_away};

/// Permissions of a folder that is made anew on the way.
const NEW_FOLDER: u32 = 0o755;

/// Where something is to go: the open folder and the name in it.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) folder: Folder,
    pub(crate) name: OsString,
}

/// Splits a plain absolute path into its root, the folders on the way and the last name. `None`: it is none, or a root.
pub(crate) fn split(path: &Path) -> Option<(PathBuf, Vec<&OsStr>, &OsStr)> {
    let mut root = PathBuf::new();
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Prefix(_) | Component::RootDir => root.push(component),
            Component::Normal(name) => names.push(name),
            Component::CurDir | Component::ParentDir => return None,
        }
    }
    let last = names.pop()?;
    path.is_absolute().then_some((root, names, last))
}

/// Opens the way to `path`; missing folders are made if `make` says so.
pub(crate) fn open(path: &Path, make: bool) -> Result<Way, TrashError> {
    let (root, names, last) = split(path).ok_or_else(|| TrashError::refused(Refusal::Unsafe, path))?;
    let mut folder = Folder::open(&root).map_err(on("open", &root))?;
    let mut at = root.clone();
    for name in names {
        at.push(name);
        folder = match folder.folder(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && make => make_in(&folder, name, &at)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let text = format!("{} is not there", at.display());
                return Err(TrashError::because(Refusal::NoParent, path, text));
            }
            Err(error) if leads_away(&error) => {
                return Err(TrashError::because(Refusal::Unsafe, path, format!("{} is a link", at.display())));
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(TrashError::because(Refusal::NoParent, path, format!("{} is no folder", at.display())));
            }
            next => next.map_err(on("open", &at))?,
        };
    }
    Ok(Way { folder, name: last.to_owned() })
}

fn make_in(folder: &Folder, name: &OsStr, at: &Path) -> Result<Folder, TrashError> {
    folder.make(name).map_err(on("create", at))?;
    let made = folder.folder(name).map_err(on("open", at))?;
    made.set_own_mode(NEW_FOLDER).map_err(on("set the permissions of", at))?;
    folder.sync().map_err(on("sync", at))?;
    Ok(made)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;
    use std::path::Path;

    use super::{Refusal, open, split};
    use crate::sys::real_path;

    #[test]
    fn only_plain_absolute_paths() {
        for path in ["", "a", "a/b", "/", "/a/../b", "../x"] {
            assert!(split(Path::new(path)).is_none(), "{path}");
        }
        #[cfg(unix)]
        {
            let (root, names, last) = split(Path::new("/a//b/./c/")).unwrap();
            assert_eq!((root.to_str(), names.len(), last.to_str()), (Some("/"), 2, Some("c")));
        }
        #[cfg(windows)]
        {
            let (root, names, last) = split(Path::new(r"C:\a\b\c")).unwrap();
            assert_eq!((root.to_str(), names.len(), last.to_str()), (Some("C:\\"), 2, Some("c")));
            assert!(split(Path::new(r"C:a")).is_none() && split(Path::new(r"\a\b")).is_none());
        }
    }

    #[test]
    fn what_is_missing_is_made_when_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        let root = real_path(dir.path()).unwrap();
        let path = root.join("a/b/c");
        let refusal = |path: &Path| open(path, false).unwrap_err().refusal();
        assert_eq!(refusal(&path), Some(Refusal::NoParent));
        assert!(open(&path, true).unwrap().folder.node("c".as_ref()).is_err());
        assert!(root.join("a/b").is_dir());
        fs::write(root.join("file"), "").unwrap();
        assert_eq!(refusal(&root.join("file/x")), Some(Refusal::NoParent));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", root.join("link")).unwrap();
            assert_eq!(refusal(&root.join("link/b/c")), Some(Refusal::Unsafe));
        }
    }
}
