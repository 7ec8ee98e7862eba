//! The machine itself.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;

use super::{EntryKind, World};
use crate::path::Model;

/// The machine itself, with variables that the agent's shell has and this process lacks.
///
/// What stands at a path is looked up once: one decision sees one state of the disk, and a path that many
/// rules ask for costs one system call.
#[derive(Debug, Default)]
pub struct RealWorld {
    overlay: Vec<(String, String)>,
    entries: RefCell<BTreeMap<String, Option<EntryKind>>>,
    /// What drive letters stand for; few are ever asked for.
    #[cfg(windows)]
    drives: RefCell<Vec<(char, Option<String>)>>,
}

impl RealWorld {
    /// Disk and environment of this process; `overlay` wins over the environment.
    pub fn new(overlay: Vec<(String, String)>) -> Self {
        Self { overlay, ..Self::default() }
    }
}

fn kind(meta: std::io::Result<fs::Metadata>) -> Option<EntryKind> {
    match meta {
        Ok(m) if m.is_symlink() => Some(EntryKind::Link),
        Ok(m) if m.is_dir() => Some(EntryKind::Dir),
        Ok(m) if m.is_file() => Some(EntryKind::File),
        Ok(_) => Some(EntryKind::Other),
        Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => None,
        // A name that no file system takes cannot be there.
        Err(e) if matches!(e.kind(), std::io::ErrorKind::InvalidFilename | std::io::ErrorKind::InvalidInput) => None,
        Err(_) => Some(EntryKind::Unreadable),
    }
}

impl World for RealWorld {
    fn model(&self) -> Model {
        Model::native()
    }

    fn entry(&self, path: &str) -> Option<EntryKind> {
        if let Some(known) = self.entries.borrow().get(path) {
            return *known;
        }
        let found = kind(fs::symlink_metadata(path));
        self.entries.borrow_mut().insert(path.to_owned(), found);
        found
    }

    fn target(&self, path: &str) -> Option<EntryKind> {
        match self.entry(path) {
            Some(EntryKind::Link) => kind(fs::metadata(path)),
            other => other,
        }
    }

    fn linked_file(&self, path: &str) -> Option<(u64, u64)> {
        crate::sys::linked_file(path)
    }

    #[cfg(windows)]
    fn long_name(&self, path: &str) -> Option<String> {
        crate::sys::long_name(path)
    }

    #[cfg(not(windows))]
    fn long_name(&self, _path: &str) -> Option<String> {
        None
    }

    #[cfg(windows)]
    fn drive_target(&self, letter: char) -> Option<String> {
        if let Some((_, known)) = self.drives.borrow().iter().find(|(drive, _)| drive.eq_ignore_ascii_case(&letter)) {
            return known.clone();
        }
        let found = crate::sys::drive_target(letter);
        self.drives.borrow_mut().push((letter, found.clone()));
        found
    }

    #[cfg(not(windows))]
    fn drive_target(&self, _letter: char) -> Option<String> {
        None
    }

    fn read_link(&self, path: &str) -> Option<String> {
        fs::read_link(path).ok()?.into_os_string().into_string().ok()
    }

    fn list(&self, path: &str, limit: usize) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path).ok()? {
            if names.len() == limit {
                return None;
            }
            // Names that are not UTF-8 can't be spelled in a command that came as JSON.
            if let Ok(name) = entry.ok()?.file_name().into_string() {
                names.push(name);
            }
        }
        Some(names)
    }

    fn read_text(&self, path: &str, limit: usize) -> Option<String> {
        // Asked before opening: opening a pipe would wait for a writer.
        let meta = fs::metadata(path).ok()?;
        if !meta.is_file() || meta.len() > limit as u64 {
            return None;
        }
        let mut text = String::new();
        // Files of the kernel have no length, and others may grow meanwhile.
        fs::File::open(path).ok()?.take(limit as u64 + 1).read_to_string(&mut text).ok()?;
        (text.len() <= limit).then_some(text)
    }

    fn env(&self, name: &str) -> Option<String> {
        // Names of variables have no case on Windows.
        let is = |k: &str| if cfg!(windows) { k.eq_ignore_ascii_case(name) } else { k == name };
        match self.overlay.iter().find(|(k, _)| is(k)) {
            Some((_, v)) => Some(v.clone()),
            None => std::env::var(name).ok(),
        }
    }

    fn home(&self) -> Option<String> {
        std::env::home_dir()?.into_os_string().into_string().ok()
    }
}
