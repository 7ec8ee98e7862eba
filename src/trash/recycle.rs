//! Putting an entry into the trash: one rename, with its manifest on the disk before.
//!
//! The item's folder has the word of the act at its end until everything is written down, so whoever comes after a kill
//! sees what was under way, and by where the payload is, how far it came.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde_json::json;

use super::error::on;
use super::manifest::{About, Manifest, identity};
use super::name::{MANIFEST, PAYLOAD, RECYCLING, folder_name, new_id, with_word};
use super::place::Place;
use super::plan::Plan;
use super::recover::Recovered;
use super::{Refusal, Trash, TrashError, record};
use crate::ledger::stamp;
use crate::sys::{EntryFacts, Folder, NodeKind};

/// An entry that is in the trash.
#[derive(Clone, Debug)]
pub struct Recycled {
    /// Its item's id.
    pub id: String,
    /// Where it was.
    pub path: PathBuf,
    /// Its item's folder.
    pub item: PathBuf,
    /// What the item says of it.
    pub manifest: Manifest,
    /// What had been cut short in that trash folder before.
    pub recovered: Vec<Recovered>,
}

impl Trash {
    /// Recycles what `plan` found; onto another volume only if `across` says so.
    ///
    /// # Errors
    /// A refusal, or what the system said. The entry is then where it was.
    pub fn recycle(&self, plan: &Plan, across: bool) -> Result<Recycled, TrashError> {
        let (id, now) = (new_id(), stamp::now_ms());
        let folder = folder_name(now, &plan.name, &id);
        let shown = plan.path.to_string_lossy();
        let data = json!({
            "path": shown, "id": id, "item": folder, "identity": identity(plan.facts.node.identity),
            "session": plan.row.session, "by": self.by,
        });
        let intent = self.audit.intent("recycle", &data)?;
        let about =
            About { id: &id, path: &plan.path, row: &plan.row, facts: &plan.facts, by: &self.by, across: false };
        let mut recovered = Vec::new();
        let done = self.move_to_some_place(plan, &about, &folder, now, &mut recovered);
        let done = match done {
            Err(error) if across && is_elsewhere(&error) => self.copy_home(plan, &about, &folder, now, &mut recovered),
            done => done,
        };
        let outcome = match &done {
            Ok((item, _)) => json!({ "ok": true, "item": item.to_string_lossy() }),
            Err(error) => json!({ "ok": false, "code": error.code(), "error": error.to_string() }),
        };
        intent.outcome(&outcome)?;
        let (item, manifest) = done?;
        Ok(Recycled { id, path: plan.path.clone(), item, manifest, recovered })
    }

    /// Into the first trash folder of the volume that takes it.
    fn move_to_some_place(
        &self,
        plan: &Plan,
        about: &About<'_>,
        folder: &str,
        now: u64,
        recovered: &mut Vec<Recovered>,
    ) -> Result<(PathBuf, Manifest), TrashError> {
        let mut failed: Option<TrashError> = None;
        for path in &plan.places {
            let place = match Place::make(path) {
                Ok(place) => place,
                Err(error) => {
                    failed.get_or_insert(error);
                    continue;
                }
            };
            let _lock = place.lock()?;
            let mut troubles = Vec::new();
            self.recover_in(&place, recovered, &mut troubles);
            match self.rename_into(&place, plan, about, folder, now) {
                Err(error) if error.refusal() == Some(Refusal::OtherVolume) => failed = Some(error),
                done => return done,
            }
        }
        Err(match failed {
            Some(error) if error.refusal().is_some_and(keeps_its_reason) => error,
            Some(error) => TrashError::because(Refusal::NoPlace, &plan.path, error.to_string()),
            None => TrashError::refused(Refusal::NoPlace, &plan.path),
        })
    }

    fn rename_into(
        &self,
        place: &Place,
        plan: &Plan,
        about: &About<'_>,
        folder: &str,
        now: u64,
    ) -> Result<(PathBuf, Manifest), TrashError> {
        let manifest = Manifest::new(about, now);
        let working = with_word(folder, RECYCLING);
        let working = OsStr::new(&working);
        let item = begin(place, working, &manifest)?;
        let moved = move_keeping_mode(&plan.parent, &plan.name, &plan.facts, &item, PAYLOAD.as_ref());
        if !matches!(moved, Ok(true)) {
            // Only what is still empty: should the entry be in it, it stays for the next command.
            let withdrawn = withdraw(place, working);
            return Err(match moved {
                Err(error) => on("move", &plan.path)(error),
                Ok(_) => withdrawn.err().unwrap_or_else(|| TrashError::refused(Refusal::Changed, &plan.path)),
            });
        }
        let synced = plan.parent.sync().and_then(|()| item.sync());
        synced.map_err(on("sync", &plan.path))?;
        record::recycled(&self.home, &manifest, &self.by)?;
        rest(place, working, folder)?;
        Ok((place.path.join(folder), manifest))
    }
}

/// Whether another volume may take what this one does not.
fn is_elsewhere(error: &TrashError) -> bool {
    matches!(error.refusal(), Some(Refusal::OtherVolume | Refusal::NoPlace))
}

/// Whether a trash folder that can't be made says by that what is wrong with the entry's volume.
const fn keeps_its_reason(refusal: Refusal) -> bool {
    matches!(refusal, Refusal::OtherVolume | Refusal::DiskFull | Refusal::ReadOnly | Refusal::Busy)
}

/// Makes the item's folder with its manifest in it, all of it on the disk.
pub(crate) fn begin(place: &Place, working: &OsStr, manifest: &Manifest) -> Result<Folder, TrashError> {
    let path = place.path.join(working);
    let fail = on("create", &path);
    place.folder.make(working).map_err(&fail)?;
    let made = place.folder.folder(working).and_then(|item| {
        write_manifest(&item, manifest)?;
        place.folder.sync()?;
        Ok(item)
    });
    made.map_err(|error| {
        let answer = fail(error);
        match withdraw(place, working) {
            Ok(()) => answer,
            Err(worse) => worse,
        }
    })
}

pub(crate) fn write_manifest(item: &Folder, manifest: &Manifest) -> io::Result<()> {
    let bytes = manifest.to_bytes()?;
    let mut file = item.create(MANIFEST.as_ref())?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    item.sync()
}

/// Takes back an item's folder into which nothing was moved. One that holds more than a manifest stays.
pub(crate) fn withdraw(place: &Place, working: &OsStr) -> Result<(), TrashError> {
    let path = place.path.join(working);
    let fail = on("remove", &path);
    let item = place.folder.folder(working).map_err(&fail)?;
    let which = item.own_node().map_err(&fail)?.identity;
    if item.node(PAYLOAD.as_ref()).is_ok() {
        return Err(TrashError::because(Refusal::Changed, &path, "what was moved there is not what was meant"));
    }
    remove_file(&item, MANIFEST).map_err(&fail)?;
    drop(item);
    place.folder.remove_if(working, which).map_err(&fail)?;
    Ok(())
}

/// Removes the file `name` of an item's folder, if it is there.
pub(crate) fn remove_file(item: &Folder, name: &str) -> io::Result<()> {
    let node = match item.node(name.as_ref()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        node => node?,
    };
    item.remove_even_protected(name.as_ref(), node.identity).map(drop)
}

/// Takes the word of the act off the folder's name: the item rests. Gives the name.
pub(crate) fn rest(place: &Place, working: &OsStr, folder: &str) -> Result<(), TrashError> {
    rename_item(place, working, folder.as_ref())
}

/// Renames an item's folder within its trash folder.
pub(crate) fn rename_item(place: &Place, from: &OsStr, to: &OsStr) -> Result<(), TrashError> {
    let path = place.path.join(from);
    let fail = on("rename", &path);
    let which = place.folder.node(from).map_err(&fail)?.identity;
    if !place.folder.move_to(from, which, &place.folder, to).map_err(&fail)? {
        return Err(TrashError::refused(Refusal::Changed, &path));
    }
    place.folder.sync().map_err(&fail)
}

/// [`rename_item`] of a folder that is open; gives it opened by its new name. Not every system finds something by a handle
/// whose folder was renamed (Wine does not).
pub(crate) fn rename_open(place: &Place, folder: Folder, from: &OsStr, to: &OsStr) -> Result<Folder, TrashError> {
    let path = place.path.join(to);
    let fail = on("open", &path);
    let which = folder.own_node().map_err(&fail)?.identity;
    drop(folder);
    rename_item(place, from, to)?;
    let folder = place.folder.folder(to).map_err(&fail)?;
    if folder.own_node().map_err(&fail)?.identity != which {
        return Err(TrashError::refused(Refusal::Changed, &path));
    }
    Ok(folder)
}

/// [`Folder::move_to`], also of a folder that its owner may not change: the system refuses to move one to another folder.
pub(crate) fn move_keeping_mode(
    from: &Folder,
    name: &OsStr,
    facts: &EntryFacts,
    to: &Folder,
    new: &OsStr,
) -> io::Result<bool> {
    let closed = facts.node.kind == NodeKind::Folder && facts.mode & 0o200 == 0 && cfg!(unix);
    match from.move_to(name, facts.node.identity, to, new) {
        Err(error) if closed && error.kind() == io::ErrorKind::PermissionDenied => {
            let folder = from.folder(name)?;
            folder.open_up().map_err(|_| error)?;
            let moved = from.move_to(name, facts.node.identity, to, new);
            folder.set_own_mode(facts.mode)?;
            moved
        }
        moved => moved,
    }
}
