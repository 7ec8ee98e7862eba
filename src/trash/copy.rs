//! To another volume and back, where that is asked for: copied, compared by hash, and only then removed.
//!
//! Before the comparison the source gets a name of its own beside its old one, so that nobody writes to it unseen; until
//! the copy has proven to be whole, every step back is one rename.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::error::on;
use super::item::Item;
use super::manifest::{About, Manifest, identity};
use super::name::{COPIED, MANIFEST, PARTIAL, PAYLOAD, RECYCLING, arriving, aside, with_word};
use super::place::Place;
use super::plan::Plan;
use super::recover::Recovered;
use super::recycle::{begin, remove_file, rest, write_manifest};
use super::remove::remove_tree;
use super::tree::{copy_tree, is_same_tree};
use super::way::{self, Way};
use super::{Refusal, Trash, TrashError, record};
use crate::sys::{EntryFacts, Folder};

impl Trash {
    /// Copies the entry of `plan` to HOME/trash and removes it where it was.
    pub(crate) fn copy_home(
        &self,
        plan: &Plan,
        about: &About<'_>,
        folder: &str,
        now: u64,
        recovered: &mut Vec<Recovered>,
    ) -> Result<(PathBuf, Manifest), TrashError> {
        let place = Place::make(&self.home.trash())?;
        let _lock = place.lock()?;
        let mut troubles = Vec::new();
        self.recover_in(&place, recovered, &mut troubles);
        let about = About { across: true, ..*about };
        let working = with_word(folder, RECYCLING);
        let working = OsStr::new(&working);
        let mut manifest = Manifest::new(&about, now);
        let item = begin(&place, working, &manifest)?;
        if let Err(error) = take_over(plan, about.id, &item, &mut manifest) {
            // As the next command would, had this one been killed here.
            let look = Item::look(&place, working);
            let look = look.ok_or_else(|| TrashError::refused(Refusal::Changed, &place.path.join(working)))?;
            drop_partial(&item, &look)?;
            super::recycle::withdraw(&place, working)?;
            return Err(error);
        }
        let beside = aside(about.id);
        remove_tree(&plan.parent, beside.as_ref(), plan.facts.node.identity)
            .map_err(on("remove what was copied from", &plan.path))?;
        plan.parent.sync().map_err(on("sync", &plan.path))?;
        record::recycled(&self.home, &manifest, &self.by)?;
        rest(&place, working, folder)?;
        Ok((place.path.join(folder), manifest))
    }

    /// Copies an item's payload to where it belongs, and removes it here.
    pub(crate) fn copy_back(
        &self,
        folder: &Folder,
        facts: &EntryFacts,
        way: &Way,
        manifest: &Manifest,
        path: &Path,
    ) -> Result<(), TrashError> {
        let fail = on("copy back", path);
        let beside = arriving(&manifest.id);
        let beside = OsStr::new(&beside);
        let copied = copy_tree(folder, PAYLOAD.as_ref(), &way.folder, beside)
            .and_then(|()| is_same_tree(folder, PAYLOAD.as_ref(), &way.folder, beside))
            .and_then(|same| if same { Ok(()) } else { Err(io::Error::other("the copy is not what was copied")) });
        let placed = copied.and_then(|()| {
            let which = way.folder.node(beside)?.identity;
            let text = json!({ "identity": identity(which) }).to_string();
            let mut file = folder.create(COPIED.as_ref())?;
            io::Write::write_all(&mut file, text.as_bytes())?;
            file.sync_all()?;
            folder.sync()?;
            way.folder.move_to(beside, which, &way.folder, &way.name)
        });
        match placed {
            Ok(true) => {}
            placed => {
                drop_arriving(way, beside).and_then(|()| remove_file(folder, COPIED)).map_err(&fail)?;
                return Err(match placed {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        TrashError::refused(Refusal::Occupied, path)
                    }
                    Err(error) => fail(error),
                    Ok(_) => TrashError::refused(Refusal::Changed, path),
                });
            }
        }
        self.settle(way, manifest, path, true)?;
        remove_tree(folder, PAYLOAD.as_ref(), facts.node.identity).map(drop).map_err(on("remove the copied", path))
    }

    /// Whether a restore that was cut short had brought a whole copy back. Then the rest is done; else the rest of the copy
    /// is removed.
    pub(crate) fn is_copied_back(&self, folder: &Folder, item: &Item) -> Result<bool, TrashError> {
        let Some(manifest) = &item.manifest else { return Ok(false) };
        let path = item.home()?;
        let fail = on("put right", &path);
        let noted = folder.file(COPIED.as_ref()).ok().and_then(|file| {
            let value: Value = serde_json::from_reader(io::Read::take(file, 4096)).ok()?;
            Some(value.get("identity")?.as_str()?.to_owned())
        });
        if let Ok(way) = way::open(&path, false) {
            let there = way.folder.node(&way.name).ok().map(|node| identity(node.identity));
            if noted.is_some() && there == noted {
                self.settle(&way, manifest, &path, true)?;
                let payload = folder.node(PAYLOAD.as_ref()).map_err(&fail)?.identity;
                remove_tree(folder, PAYLOAD.as_ref(), payload).map_err(&fail)?;
                return Ok(true);
            }
            drop_arriving(&way, arriving(&manifest.id).as_ref()).map_err(&fail)?;
        }
        remove_file(folder, COPIED).map_err(&fail)?;
        Ok(false)
    }
}

/// Makes a whole copy the payload; the source then has its name beside the old one.
fn take_over(plan: &Plan, id: &str, item: &Folder, manifest: &mut Manifest) -> Result<(), TrashError> {
    let (name, which) = (&*plan.name, plan.facts.node.identity);
    let fail = on("copy", &plan.path);
    copy_tree(&plan.parent, name, item, PARTIAL.as_ref()).map_err(&fail)?;
    let copy = item.node(PARTIAL.as_ref()).map_err(&fail)?.identity;
    manifest.identity = identity(copy);
    remove_file(item, MANIFEST).and_then(|()| write_manifest(item, manifest)).map_err(&fail)?;
    let changed = || TrashError::refused(Refusal::Changed, &plan.path);
    let beside = aside(id);
    if !plan.parent.move_to(name, which, &plan.parent, beside.as_ref()).map_err(&fail)? {
        return Err(changed());
    }
    plan.parent.sync().map_err(&fail)?;
    if !is_same_tree(&plan.parent, beside.as_ref(), item, PARTIAL.as_ref()).map_err(&fail)? {
        return Err(changed());
    }
    if !item.move_to(PARTIAL.as_ref(), copy, item, PAYLOAD.as_ref()).map_err(&fail)? {
        return Err(changed());
    }
    item.sync().map_err(&fail)
}

/// Undoes a copy that is not the payload yet: the source gets its name back.
pub(crate) fn drop_partial(folder: &Folder, item: &Item) -> Result<(), TrashError> {
    if let Some(manifest) = item.manifest.as_ref().filter(|manifest| manifest.across_volumes) {
        let path = item.home()?;
        let fail = on("put back", &path);
        let way = way::open(&path, false)?;
        let beside = aside(&manifest.id);
        if let Ok(node) = way.folder.node(beside.as_ref()) {
            if identity(node.identity) != manifest.source_identity {
                return Err(TrashError::refused(Refusal::Changed, &path));
            }
            let back = way.folder.move_to(beside.as_ref(), node.identity, &way.folder, &way.name);
            if !back.map_err(&fail)? {
                return Err(TrashError::refused(Refusal::Changed, &path));
            }
            way.folder.sync().map_err(&fail)?;
        }
    }
    if let Ok(node) = folder.node(PARTIAL.as_ref()) {
        remove_tree(folder, PARTIAL.as_ref(), node.identity).map_err(on("remove", &item.path()))?;
    }
    Ok(())
}

/// Removes what is left of the source of a copy that is whole.
pub(crate) fn drop_source(item: &Item, manifest: &Manifest) -> Result<(), TrashError> {
    let path = item.home()?;
    // With its folder the source is gone too.
    let Ok(way) = way::open(&path, false) else { return Ok(()) };
    let beside = aside(&manifest.id);
    let fail = on("remove what was copied from", &path);
    match way.folder.node(beside.as_ref()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(fail(error)),
        Ok(node) if identity(node.identity) == manifest.source_identity => {
            remove_tree(&way.folder, beside.as_ref(), node.identity).map(drop).map_err(&fail)
        }
        Ok(_) => Err(TrashError::refused(Refusal::Changed, &path)),
    }
}

/// Removes a copy that has not got its name yet.
fn drop_arriving(way: &Way, beside: &OsStr) -> io::Result<()> {
    match way.folder.node(beside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        node => remove_tree(&way.folder, beside, node?.identity).map(drop),
    }
}
