//! Removing an item for good.

use std::path::PathBuf;

use serde_json::json;

use super::error::on;
use super::item::Item;
use super::name::{COPIED, MANIFEST, PARTIAL, PAYLOAD, PURGING, with_word};
use super::place::Place;
use super::recover::Recovered;
use super::recycle::{remove_file, rename_open};
use super::remove::remove_tree;
use super::{Refusal, Trash, TrashError, record};
use crate::sys::Folder;

/// What was removed for good.
#[derive(Clone, Debug)]
pub struct Purged {
    /// The item's id.
    pub id: String,
    /// Where it had been before it was recycled.
    pub path: PathBuf,
    /// Entries that were removed.
    pub entries: u64,
    /// What had been cut short in that trash folder before.
    pub recovered: Vec<Recovered>,
}

impl Trash {
    /// Whether `item` proves to be a trash item of this user: a manifest that says where it was, what lies in it is what
    /// that says, and nothing else lies there.
    ///
    /// # Errors
    /// What is missing of the proof.
    pub fn prove(&self, item: &Item) -> Result<(), TrashError> {
        let place = Place::open(&item.place).map_err(on("open", &item.place))?;
        let place = place.ok_or_else(|| TrashError::refused(Refusal::NotOurs, &item.place))?;
        proven(&place, item).map(drop)
    }

    /// Removes `item` for good. No link in it is followed, no mount entered.
    ///
    /// # Errors
    /// A refusal: nothing was done. What the system says while the item is being removed: the next command goes on.
    pub fn purge(&self, item: &Item) -> Result<Purged, TrashError> {
        self.prove(item)?;
        let original = item.manifest.as_ref().map(|m| m.original_path.clone()).unwrap_or_default();
        let data = json!({ "id": item.id, "item": item.path().to_string_lossy(), "path": original, "by": self.by });
        let intent = self.audit.intent("purge", &data)?;
        let mut recovered = Vec::new();
        let done = self.remove(item, &mut recovered);
        let outcome = match &done {
            Ok(entries) => json!({ "ok": true, "entries": entries }),
            Err(error) => json!({ "ok": false, "code": error.code(), "error": error.to_string() }),
        };
        intent.outcome(&outcome)?;
        Ok(Purged { id: item.id.clone(), path: PathBuf::from(original), entries: done?, recovered })
    }

    fn remove(&self, item: &Item, recovered: &mut Vec<Recovered>) -> Result<u64, TrashError> {
        let ((place, _lock), item) = self.locked(item, recovered)?;
        let folder = proven(&place, &item)?;
        let working = with_word(&item.base(), PURGING);
        let folder = rename_open(&place, folder, &item.folder, working.as_ref())?;
        self.empty(&place, &folder, &item, &working)
    }

    /// Removes all of an item whose folder says that it is being removed.
    pub(crate) fn empty(&self, place: &Place, folder: &Folder, item: &Item, working: &str) -> Result<u64, TrashError> {
        let path = place.path.join(working);
        let fail = on("remove", &path);
        let mut entries = 0;
        for name in [PAYLOAD, PARTIAL] {
            if let Ok(node) = folder.node(name.as_ref()) {
                entries += remove_tree(folder, name.as_ref(), node.identity).map_err(&fail)?;
            }
        }
        if let Some(manifest) = &item.manifest {
            record::purged(&self.home, manifest, &self.by)?;
        }
        // The manifest last: it is the proof.
        for name in [COPIED, MANIFEST] {
            remove_file(folder, name).map_err(&fail)?;
        }
        let which = folder.own_node().map_err(&fail)?.identity;
        place.folder.remove_if(working.as_ref(), which).map_err(&fail)?;
        place.folder.sync().map_err(&fail)?;
        Ok(entries)
    }
}

/// Opens the folder of an item that proves to be one.
fn proven(place: &Place, item: &Item) -> Result<Folder, TrashError> {
    let path = item.path();
    let lacks = |what: &str| Err(TrashError::because(Refusal::NotOurs, &path, what));
    let folder = place.folder.folder(&item.folder).map_err(on("open", &path))?;
    if item.manifest.as_ref().and_then(super::Manifest::path).is_none() {
        return lacks("it has no manifest that says where it was");
    }
    if item.payload.is_none() {
        return lacks("there is no payload in it");
    }
    if item.is_unchanged() == Some(false) {
        return lacks("its payload is not what its manifest says");
    }
    if !Item::holds_only_itself(&folder) {
        return lacks("it holds more than an item does");
    }
    if !is_own(place, item).map_err(on("look at", &path))? {
        return lacks("it belongs to another user");
    }
    Ok(folder)
}

fn is_own(place: &Place, item: &Item) -> std::io::Result<bool> {
    let facts = place.folder.facts(&item.folder)?;
    Ok(facts.owner.zip(crate::sys::user_id()).is_none_or(|(owner, user)| owner.user == user))
}
