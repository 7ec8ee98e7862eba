//! Trash items as they are found on disk.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::name::{COPIED, MANIFEST, PARTIAL, PAYLOAD, PURGING, RECYCLING, RESTORING, id_of};
use super::place::Place;
use super::{Refusal, TrashError};
use crate::limits::MAX_TRASH_ITEMS;
use crate::sys::{Folder, Node};

/// Whether an act on an item was cut short, or is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It rests.
    Whole,
    /// It was being recycled.
    Recycling,
    /// It was being restored.
    Restoring,
    /// It was being removed for good.
    Purging,
}

impl Stage {
    const WORDS: [(Self, &'static str); 3] =
        [(Self::Recycling, RECYCLING), (Self::Restoring, RESTORING), (Self::Purging, PURGING)];

    /// A folder's name without the word of an act, and the act.
    pub(crate) fn of(folder: &str) -> (&str, Self) {
        let found = Self::WORDS.iter().find_map(|(stage, word)| Some((folder.strip_suffix(word)?, *stage)));
        found.filter(|(rest, _)| !rest.is_empty()).unwrap_or((folder, Self::Whole))
    }
}

/// An item of a trash folder.
#[derive(Clone, Debug)]
pub struct Item {
    /// The id by which it is named.
    pub id: String,
    /// The trash folder that it lies in.
    pub place: PathBuf,
    /// Its own folder's name.
    pub folder: OsString,
    /// Whether it rests.
    pub stage: Stage,
    /// What it says of itself. `None`: nothing that can be read.
    pub manifest: Option<Manifest>,
    /// What was recycled. `None`: it is not there.
    pub(crate) payload: Option<Node>,
}

impl Item {
    /// Looks at the folder `name` in `place`. `None`: it is no item.
    pub(crate) fn look(place: &Place, name: &OsStr) -> Option<Self> {
        let folder = place.folder.folder(name).ok()?;
        let mut manifest = Manifest::read(&folder);
        let payload = folder.node(PAYLOAD.as_ref()).ok();
        let shown = name.to_string_lossy();
        let (base, stage) = Stage::of(&shown);
        // What is neither is a folder that somebody put there.
        if manifest.is_none() && payload.is_none() && stage == Stage::Whole {
            return None;
        }
        let own = manifest.as_ref().map(|m| m.id.clone()).filter(|id| id == id_of(base));
        let id = own.unwrap_or_else(|| id_of(base).to_owned());
        if let Some(manifest) = &mut manifest {
            id.clone_into(&mut manifest.id);
        }
        Some(Self { id, place: place.path.clone(), folder: name.to_owned(), stage, manifest, payload })
    }

    /// Every item of `place`, in the order of their folders' names.
    pub(crate) fn all(place: &Place) -> std::io::Result<Vec<Self>> {
        let (mut names, _) = place.folder.names(MAX_TRASH_ITEMS)?;
        names.sort();
        Ok(names.iter().filter_map(|name| Self::look(place, name)).collect())
    }

    /// Its folder.
    pub fn path(&self) -> PathBuf {
        self.place.join(&self.folder)
    }

    /// Where its entry belongs.
    pub(crate) fn home(&self) -> Result<PathBuf, TrashError> {
        let path = self.manifest.as_ref().and_then(Manifest::path);
        path.ok_or_else(|| TrashError::refused(Refusal::NoManifest, &self.path()))
    }

    /// Its folder's name without the word of an act.
    pub(crate) fn base(&self) -> String {
        Stage::of(&self.folder.to_string_lossy()).0.to_owned()
    }

    /// Whether what lies in it is what its manifest says. `None`: another writer's, which says nothing of it.
    pub fn is_unchanged(&self) -> Option<bool> {
        let payload = self.payload.as_ref()?;
        self.manifest.as_ref()?.is_of(payload.identity, payload.kind)
    }

    /// Whether its folder holds nothing but what an item is made of.
    pub(crate) fn holds_only_itself(folder: &Folder) -> bool {
        let known = [MANIFEST, PAYLOAD, PARTIAL, COPIED];
        folder
            .names(known.len() + 1)
            .is_ok_and(|(names, all)| all && names.iter().all(|n| known.iter().any(|k| n == k)))
    }
}

/// The one of `items` whose id, or folder, is `asked`, or else begins so.
pub(crate) fn find<'a>(items: &'a [Item], asked: &str) -> Result<&'a Item, TrashError> {
    let about = Path::new(asked);
    let exact = |item: &&Item| item.id == asked || item.base() == asked;
    let begins = |item: &&Item| !asked.is_empty() && item.id.starts_with(asked);
    // All folders of one century begin alike, so these count last.
    let folder_begins = |item: &&Item| !asked.is_empty() && item.base().starts_with(asked);
    let mut found: Vec<&Item> = items.iter().filter(exact).collect();
    if found.is_empty() {
        found = items.iter().filter(begins).collect();
    }
    if found.is_empty() {
        found = items.iter().filter(folder_begins).collect();
    }
    match &found[..] {
        [] => Err(TrashError::refused(Refusal::ItemMissing, about)),
        [item] => Ok(item),
        several => {
            let shown = several.iter().take(10).map(|item| {
                let path = item.manifest.as_ref().map_or("?", |manifest| &manifest.original_path);
                format!("{} {}", item.id, path.escape_debug())
            });
            let shown: Vec<String> = shown.collect();
            let more = several.len() - shown.len();
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            Err(TrashError::because(Refusal::Ambiguous, about, format!("{}{more}", shown.join(", "))))
        }
    }
}

/// The one of `items` that was at the absolute path `asked`.
pub(crate) fn find_by_path<'a>(items: &'a [Item], asked: &Path) -> Result<&'a Item, TrashError> {
    let at = |item: &&Item| item.manifest.as_ref().and_then(Manifest::path).is_some_and(|path| path == asked);
    let found: Vec<&Item> = items.iter().filter(at).collect();
    match &found[..] {
        [] => Err(TrashError::refused(Refusal::ItemMissing, asked)),
        [item] => Ok(item),
        several => {
            let ids: Vec<&str> = several.iter().take(10).map(|item| &*item.id).collect();
            let text = format!("{} items were there: {}", several.len(), ids.join(", "));
            Err(TrashError::because(Refusal::Ambiguous, asked, text))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Item, Refusal, Stage, find};

    fn item(id: &str, folder: &str) -> Item {
        Item {
            id: id.to_owned(),
            place: PathBuf::from("/_dsh-trash"),
            folder: folder.into(),
            stage: Stage::Whole,
            manifest: None,
            payload: None,
        }
    }

    #[test]
    fn words_of_acts() {
        assert_eq!(Stage::of("a-b.purging"), ("a-b", Stage::Purging));
        assert_eq!(Stage::of("a.recycling"), ("a", Stage::Recycling));
        assert_eq!(Stage::of("a.restoring"), ("a", Stage::Restoring));
        assert_eq!(Stage::of("a.other"), ("a.other", Stage::Whole));
        assert_eq!(Stage::of(".purging"), (".purging", Stage::Whole));
    }

    #[test]
    fn the_beginning_of_an_id_is_enough() {
        let items = [
            item("aa11", "20260101T000000Z-x-aa11"),
            item("ab22", "20260101T000000Z-y-ab22.purging"),
            item("20260102T-plugin", "20260102T-plugin"),
            item("20260102T-plugin2", "20260102T-plugin2"),
        ];
        let id = |asked: &str| find(&items, asked).map(|item| item.id.clone());
        let refusal = |asked: &str| id(asked).err().and_then(|error| error.refusal());
        assert_eq!(id("aa").ok().as_deref(), Some("aa11"));
        assert_eq!(id("ab22").ok().as_deref(), Some("ab22"));
        assert_eq!(id("20260101T000000Z-y").ok().as_deref(), Some("ab22"));
        assert_eq!(id("20260102T-plugin").ok().as_deref(), Some("20260102T-plugin"), "a whole id is no beginning");
        assert_eq!(refusal("a"), Some(Refusal::Ambiguous));
        assert_eq!(refusal("20260101"), Some(Refusal::Ambiguous));
        assert_eq!(id("20260102T").ok(), None, "the plugin's two");
        assert_eq!(refusal("zz"), Some(Refusal::ItemMissing));
        assert_eq!(refusal(""), Some(Refusal::ItemMissing));
        let text = find(&items, "a").map_err(|error| error.to_string()).err().unwrap_or_default();
        assert!(text.contains("aa11") && text.contains("ab22"), "{text}");
    }
}
