//! Bringing an item back to where it was. Nothing is ever written over, and nothing merged.

use std::path::PathBuf;

use serde_json::json;

use super::error::on;
use super::item::{Item, Stage};
use super::manifest::Manifest;
use super::name::{MANIFEST, PAYLOAD, RESTORING, with_word};
use super::place::Place;
use super::recover::Recovered;
use super::recycle::{move_keeping_mode, remove_file, rename_item, rename_open};
use super::way::{self, Way};
use super::{Refusal, Trash, TrashError, record};
use crate::sys::Folder;

/// What was restored.
#[derive(Clone, Debug)]
pub struct Restored {
    /// The item's id.
    pub id: String,
    /// Where it is now.
    pub path: PathBuf,
    /// It is not what was put into the trash: something was exchanged in there.
    pub exchanged: bool,
    /// What had been cut short in that trash folder before.
    pub recovered: Vec<Recovered>,
}

impl Trash {
    /// Restores `item`; missing folders on the way are made if `parents` says so, and it is copied to another volume only
    /// if `across` says so.
    ///
    /// # Errors
    /// A refusal, or what the system said. The item is then in the trash as before.
    pub fn restore(&self, item: &Item, parents: bool, across: bool) -> Result<Restored, TrashError> {
        let (manifest, path) = self.target(item)?;
        let data = json!({ "id": item.id, "item": item.path().to_string_lossy(), "path": path.to_string_lossy(), "by": self.by });
        let intent = self.audit.intent("restore", &data)?;
        let mut recovered = Vec::new();
        let done = self.bring_back(item, &manifest, &path, (parents, across), &mut recovered);
        let outcome = match &done {
            Ok(_) => json!({ "ok": true }),
            Err(error) => json!({ "ok": false, "code": error.code(), "error": error.to_string() }),
        };
        intent.outcome(&outcome)?;
        let exchanged = done?;
        Ok(Restored { id: item.id.clone(), path, exchanged, recovered })
    }

    /// Where `item` belongs, if that is a place to restore to.
    fn target(&self, item: &Item) -> Result<(Manifest, PathBuf), TrashError> {
        let about = item.path();
        let manifest = item.manifest.clone().ok_or_else(|| TrashError::refused(Refusal::NoManifest, &about))?;
        let path = manifest.path().ok_or_else(|| TrashError::refused(Refusal::NoManifest, &about))?;
        if way::split(&path).is_none() {
            return Err(TrashError::refused(Refusal::Unsafe, &path));
        }
        let text = self.around.model.normalize(&path.to_string_lossy());
        // A manifest is not trusted with this guard's own state.
        match self.around.judge(&text) {
            Some(refusal @ (Refusal::OwnState | Refusal::InTrash)) => Err(TrashError::refused(refusal, &path)),
            _ => Ok((manifest, path)),
        }
    }

    fn bring_back(
        &self,
        item: &Item,
        manifest: &Manifest,
        path: &std::path::Path,
        (parents, across): (bool, bool),
        recovered: &mut Vec<Recovered>,
    ) -> Result<bool, TrashError> {
        let (place, item) = self.locked(item, recovered)?;
        let (place, _lock) = place;
        let folder = place.folder.folder(&item.folder).map_err(on("open", &item.path()))?;
        let facts = folder.facts(PAYLOAD.as_ref()).map_err(on("look at", &item.path()))?;
        let exchanged = manifest.is_of(facts.node.identity, facts.node.kind) == Some(false);
        let way = way::open(path, parents)?;
        if way.folder.node(&way.name).is_ok() {
            return Err(TrashError::refused(Refusal::Occupied, path));
        }
        let working = with_word(&item.base(), RESTORING);
        let folder = rename_open(&place, folder, &item.folder, working.as_ref())?;
        let moved = move_keeping_mode(&folder, PAYLOAD.as_ref(), &facts, &way.folder, &way.name);
        let moved = match moved {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(TrashError::refused(Refusal::Occupied, path))
            }
            Err(error) => Err(on("restore", path)(error)),
            Ok(false) => Err(TrashError::refused(Refusal::Changed, path)),
            Ok(true) => Ok(()),
        };
        match moved {
            Err(error) if across && error.refusal() == Some(Refusal::OtherVolume) => {
                let copied = self.copy_back(&folder, &facts, &way, manifest, path);
                copied.map_err(|error| put_back(&place, &working, &item, error))?;
            }
            Err(error) => return Err(put_back(&place, &working, &item, error)),
            Ok(()) => self.settle(&way, manifest, path, false)?,
        }
        finish(&place, &folder, &working)?;
        Ok(exchanged)
    }

    /// Has the disk hold what came back, and writes it down.
    pub(crate) fn settle(
        &self,
        way: &Way,
        manifest: &Manifest,
        path: &std::path::Path,
        copied: bool,
    ) -> Result<(), TrashError> {
        way.folder.sync().map_err(on("sync", path))?;
        record::restored(&self.home, manifest, path, &self.by, copied)?;
        Ok(())
    }

    /// The item's trash folder, locked, after what was cut short there is put right, and the item as it is then.
    pub(crate) fn locked(
        &self,
        item: &Item,
        recovered: &mut Vec<Recovered>,
    ) -> Result<((Place, crate::ledger::files::Lock), Item), TrashError> {
        let gone = || TrashError::refused(Refusal::ItemMissing, std::path::Path::new(&item.id));
        let place = Place::open(&item.place).map_err(on("open", &item.place))?.ok_or_else(gone)?;
        place.check_owner()?;
        let lock = place.lock()?;
        let mut troubles = Vec::new();
        if place.check().is_ok() {
            self.recover_in(&place, recovered, &mut troubles);
        }
        // Others may have been at work until now.
        let items = Item::all(&place).map_err(on("list", &item.place))?;
        let mut same = items.into_iter().filter(|now| now.id == item.id);
        let now = same.find(|now| now.folder == item.folder || now.base() == item.base()).ok_or_else(gone)?;
        if now.stage != Stage::Whole {
            // It could not be put right: what is in the way is the news.
            return Err(troubles.pop().unwrap_or_else(|| TrashError::refused(Refusal::Busy, &now.path())));
        }
        if now.payload.is_none() {
            return Err(TrashError::because(Refusal::NotOurs, &now.path(), "there is no payload in it"));
        }
        Ok(((place, lock), now))
    }
}

/// The item rests again; gives the reason why it was not restored, or why it does not even rest.
fn put_back(place: &Place, working: &str, item: &Item, error: TrashError) -> TrashError {
    rename_item(place, working.as_ref(), &item.folder).err().unwrap_or(error)
}

/// Removes the folder of an item whose payload is gone from it.
pub(crate) fn finish(place: &Place, folder: &Folder, working: &str) -> Result<(), TrashError> {
    let path = place.path.join(working);
    let fail = on("remove", &path);
    let which = folder.own_node().map_err(&fail)?.identity;
    for name in [super::name::COPIED, MANIFEST] {
        remove_file(folder, name).map_err(&fail)?;
    }
    place.folder.remove_if(working.as_ref(), which).map_err(&fail)?;
    place.folder.sync().map_err(&fail)
}
