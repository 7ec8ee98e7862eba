//! Putting right what was cut short: each act is finished or undone by the next command, which says so.

use std::ffi::OsStr;
use std::io;

use serde::Serialize;
use serde_json::json;

use super::copy::{drop_partial, drop_source};
use super::error::on;
use super::item::{Item, Stage};
use super::name::{PAYLOAD, id_of};
use super::place::Place;
use super::recycle::{move_keeping_mode, rest, withdraw};
use super::restore::finish;
use super::way;
use super::{Refusal, Trash, TrashError, record};
use crate::limits::MAX_TRASH_ITEMS;
use crate::sys::Folder;

/// What was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Act {
    /// Putting an entry into the trash.
    Recycle,
    /// Bringing it back.
    Restore,
    /// Removing it for good.
    Purge,
}

impl Act {
    /// The word for people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Recycle => "recycle",
            Self::Restore => "restore",
            Self::Purge => "purge",
        }
    }
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Result {
    /// It was brought to its end.
    Finished,
    /// Everything is as it was before.
    Undone,
}

impl Result {
    /// The word for people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Undone => "undone",
        }
    }
}

/// An act that had been cut short.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recovered {
    /// What was cut short.
    pub act: Act,
    /// What became of it.
    pub result: Result,
    /// The item's id.
    pub id: String,
    /// The entry's own place; empty where nothing says so.
    pub path: String,
}

type Done = std::result::Result<Result, TrashError>;

/// Whether something was cut short in `place`, by the names in it alone.
pub(crate) fn is_needed(place: &Place) -> bool {
    place.folder.names(MAX_TRASH_ITEMS).is_ok_and(|(names, _)| names.iter().any(|name| stage(name) != Stage::Whole))
}

fn stage(name: &OsStr) -> Stage {
    Stage::of(&name.to_string_lossy()).1
}

impl Trash {
    /// Finishes or undoes what was cut short in `place`, whose lock is held.
    pub(crate) fn recover_in(&self, place: &Place, done: &mut Vec<Recovered>, failed: &mut Vec<TrashError>) {
        let names = match place.folder.names(MAX_TRASH_ITEMS) {
            Ok((names, _)) => names,
            Err(error) => return failed.push(on("list", &place.path)(error)),
        };
        for name in names.iter().filter(|name| stage(name) != Stage::Whole) {
            match self.recover_one(place, name) {
                Ok(Some(recovered)) => done.push(recovered),
                Ok(None) => {}
                Err(error) => failed.push(error),
            }
        }
    }

    fn recover_one(&self, place: &Place, name: &OsStr) -> std::result::Result<Option<Recovered>, TrashError> {
        let path = place.path.join(name);
        let Some(item) = Item::look(place, name) else { return Ok(None) };
        let folder = place.folder.folder(name).map_err(on("open", &path))?;
        if !Item::holds_only_itself(&folder) {
            return Err(TrashError::because(Refusal::NotOurs, &path, "it holds more than an item does"));
        }
        let act = match item.stage {
            Stage::Whole => return Ok(None),
            Stage::Recycling => Act::Recycle,
            Stage::Restoring => Act::Restore,
            Stage::Purging => Act::Purge,
        };
        let original = item.manifest.as_ref().map(|m| m.original_path.clone()).unwrap_or_default();
        let data =
            json!({ "cut": act, "id": item.id, "item": path.to_string_lossy(), "path": original, "by": self.by });
        let intent = self.audit.intent("recover", &data)?;
        let result = match act {
            Act::Recycle => self.recover_recycle(place, &folder, &item),
            Act::Restore => self.recover_restore(place, &folder, &item),
            Act::Purge => {
                let working = item.folder.to_string_lossy().into_owned();
                self.empty(place, &folder, &item, &working).map(|_| Result::Finished)
            }
        };
        let outcome = match &result {
            Ok(result) => json!({ "ok": true, "result": result }),
            Err(error) => json!({ "ok": false, "code": error.code(), "error": error.to_string() }),
        };
        intent.outcome(&outcome)?;
        let id = id_of(&item.base()).to_owned();
        result.map(|result| Some(Recovered { act, result, id, path: original }))
    }

    /// With its payload the item is whole but for being written down; without it nothing was moved.
    fn recover_recycle(&self, place: &Place, folder: &Folder, item: &Item) -> Done {
        let Some(manifest) = item.manifest.as_ref().filter(|_| item.payload.is_some()) else {
            drop_partial(folder, item)?;
            withdraw(place, &item.folder)?;
            return Ok(Result::Undone);
        };
        if manifest.across_volumes {
            drop_source(item, manifest)?;
        } else if item.is_unchanged() == Some(false) {
            // Something took the entry's place in the last moment, and was moved instead.
            let path = item.home()?;
            let way = way::open(&path, false)?;
            let facts = folder.facts(PAYLOAD.as_ref()).map_err(on("look at", &path))?;
            if !move_keeping_mode(folder, PAYLOAD.as_ref(), &facts, &way.folder, &way.name)
                .map_err(on("put back", &path))?
            {
                return Err(TrashError::refused(Refusal::Changed, &path));
            }
            withdraw(place, &item.folder)?;
            return Ok(Result::Undone);
        } else {
            restore_mode(folder, manifest.mode).map_err(on("set the permissions of", &item.path()))?;
        }
        record::recycled(&self.home, manifest, &self.by)?;
        rest(place, &item.folder, &item.base())?;
        Ok(Result::Finished)
    }

    /// With its payload nothing was moved; without it the entry is back, but for being written down.
    fn recover_restore(&self, place: &Place, folder: &Folder, item: &Item) -> Done {
        let working = item.folder.to_string_lossy().into_owned();
        if item.payload.is_some() {
            if !self.is_copied_back(folder, item)? {
                let mode = item.manifest.as_ref().filter(|_| item.is_unchanged() == Some(true)).and_then(|m| m.mode);
                restore_mode(folder, mode).map_err(on("set the permissions of", &item.path()))?;
                rest(place, &item.folder, &item.base())?;
                return Ok(Result::Undone);
            }
        } else if let Some(manifest) = &item.manifest {
            let path = item.home()?;
            match way::open(&path, false) {
                Ok(way) => {
                    if let Ok(back) = way.folder.facts(&way.name)
                        && manifest.is_of(back.node.identity, back.node.kind) == Some(true)
                        && let (Some(mode), Ok(folder)) = (manifest.mode, way.folder.folder(&way.name))
                        && mode != back.mode
                    {
                        folder.set_own_mode(mode).map_err(on("set the permissions of", &path))?;
                    }
                    self.settle(&way, manifest, &path, false)?;
                }
                // It was moved on since, or its folder went with it: it was back, and that is what counts here.
                Err(_) => record::restored(&self.home, manifest, &path, &self.by, false)?,
            }
        }
        finish(place, folder, &working)?;
        Ok(Result::Finished)
    }
}

/// Gives a folder in the trash the mode that it had: one that its owner may not change is opened up while it is moved.
fn restore_mode(item: &Folder, mode: Option<u32>) -> io::Result<()> {
    let Some(mode) = mode.filter(|_| cfg!(unix)) else { return Ok(()) };
    let facts = item.facts(PAYLOAD.as_ref())?;
    if facts.node.kind == crate::sys::NodeKind::Folder && facts.mode != mode && facts.mode == mode | 0o700 {
        return item.folder(PAYLOAD.as_ref())?.set_own_mode(mode);
    }
    Ok(())
}
