//! What lies in a folder, and what became of it.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

/// What tells whether an entry is still the same: kind, permissions, length, time of change, link text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mark {
    mode: u32,
    length: u64,
    changed: (i64, i64),
    inode: u64,
    link: Option<PathBuf>,
}

/// Every entry below a folder; links are not followed.
#[derive(Debug, Default)]
pub(crate) struct Snapshot(BTreeMap<String, Mark>);

/// Two snapshots compared; absolute paths.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    pub(crate) created: Vec<String>,
    /// Files written to, replaced or given other permissions; folders only by permissions.
    pub(crate) changed: Vec<String>,
    pub(crate) removed: Vec<String>,
}

impl Snapshot {
    pub(crate) fn take(root: &Path) -> Self {
        let mut found = BTreeMap::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            // A folder without permissions is looked at no further; root can read all of them.
            for entry in fs::read_dir(&folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                let meta = fs::symlink_metadata(&path).unwrap();
                let is_dir = meta.is_dir();
                let mark = Mark {
                    mode: meta.mode(),
                    length: if is_dir { 0 } else { meta.len() },
                    changed: if is_dir { (0, 0) } else { (meta.mtime(), meta.mtime_nsec()) },
                    inode: meta.ino(),
                    link: meta.is_symlink().then(|| fs::read_link(&path).unwrap()),
                };
                found.insert(path.to_string_lossy().into_owned(), mark);
                if is_dir {
                    folders.push(path);
                }
            }
        }
        Self(found)
    }

    pub(crate) fn holds(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    pub(crate) fn difference(&self, after: &Self) -> Difference {
        let mut difference = Difference::default();
        for (path, mark) in &after.0 {
            match self.0.get(path) {
                None => difference.created.push(path.clone()),
                Some(before) if before != mark => difference.changed.push(path.clone()),
                Some(_) => {}
            }
        }
        difference.removed = self.0.keys().filter(|path| !after.holds(path)).cloned().collect();
        difference
    }
}
