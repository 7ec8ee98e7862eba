//! The trash of one HOME, as commands use it.

use std::io;
use std::path::{Path, PathBuf};

use super::item::{Item, find, find_by_path};
use super::place::{Place, all};
use super::recover::{self, Recovered};
use super::{Around, TrashError};
use crate::home::Home;
use crate::ledger::Audit;

/// The trash of one HOME.
#[derive(Debug)]
pub struct Trash {
    pub(crate) home: Home,
    pub(crate) around: Around,
    pub(crate) by: String,
    pub(crate) audit: Audit,
}

/// What is in the trash folders.
#[derive(Debug, Default)]
pub struct Listed {
    /// By folder and name.
    pub items: Vec<Item>,
    /// Trash folders that can't be read, and why; for people.
    pub problems: Vec<String>,
}

impl Trash {
    /// The trash for commands of `by` (a user's name).
    pub fn new(home: &Home, around: Around, by: &str) -> Self {
        Self { home: home.clone(), around, by: by.to_owned(), audit: Audit::at(home) }
    }

    /// Every item on every volume. Nothing is changed.
    pub fn list(&self) -> Listed {
        let mut listed = Listed::default();
        for path in all(&self.home) {
            match Place::open(&path) {
                Ok(None) => {}
                Ok(Some(place)) => match Item::all(&place) {
                    Ok(items) => listed.items.extend(items),
                    // Another user's, who lists it.
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
                    Err(error) => listed.problems.push(format!("cannot list {}: {error}", path.display())),
                },
                Err(error) => listed.problems.push(format!("cannot open {}: {error}", path.display())),
            }
        }
        // Two mounts may show one folder.
        listed.items.dedup_by(|a, b| a.folder == b.folder && a.id == b.id && a.same_payload(b));
        listed
    }

    /// The item with this id, or the one whose id or folder begins so.
    ///
    /// # Errors
    /// None, or several of which the beginning does not tell which is meant.
    pub fn find(&self, id: &str) -> Result<Item, TrashError> {
        find(&self.list().items, id).cloned()
    }

    /// The item that was at the absolute path `path`.
    ///
    /// # Errors
    /// None, or several.
    pub fn find_by_path(&self, path: &Path) -> Result<Item, TrashError> {
        find_by_path(&self.list().items, path).cloned()
    }

    /// Finishes or undoes what was cut short in every trash folder that nobody works on.
    ///
    /// # Errors
    /// The first that could not be put right; others were.
    pub fn recover(&self) -> (Vec<Recovered>, Vec<TrashError>) {
        let (mut done, mut failed) = (Vec::new(), Vec::new());
        for path in all(&self.home) {
            let Ok(Some(place)) = Place::open(&path) else { continue };
            // Root does not put right what another user may have made up.
            if !recover::is_needed(&place) || place.check().is_err() {
                continue;
            }
            let Some(_lock) = place.try_lock() else { continue };
            self.recover_in(&place, &mut done, &mut failed);
        }
        (done, failed)
    }

    /// The trash folders that may be there.
    pub fn places(&self) -> Vec<PathBuf> {
        all(&self.home)
    }
}

impl Item {
    fn same_payload(&self, other: &Self) -> bool {
        self.payload.map(|node| node.identity) == other.payload.map(|node| node.identity)
    }
}
