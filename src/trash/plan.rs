//! What would be recycled, and every reason not to. Nothing is changed here.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::error::on;
use super::owner::is_other_users;
use super::place::{candidates, may_write};
use super::repository::{self, Work};
use super::{Refusal, Trash, TrashError};
use crate::ledger::{Index, Row, State};
use crate::observe::{is_entry, signature_at};
use crate::path::Model;
use crate::sys::{EntryFacts, Folder, Identity, NodeKind, real_path};

/// An entry that may be recycled.
#[derive(Debug)]
pub struct Plan {
    /// Where it is, links in the folders above it followed.
    pub path: PathBuf,
    /// The index's row of it.
    pub row: Row,
    /// The trash folder that it would go to. `None`: none on its volume may be written.
    pub to: Option<PathBuf>,
    pub(crate) parent: Folder,
    pub(crate) name: OsString,
    pub(crate) facts: EntryFacts,
    pub(crate) places: Vec<PathBuf>,
}

impl Trash {
    /// Looks whether the entry at `path` may be recycled; a repository with work that is nowhere else only if
    /// `with_repository` says so.
    ///
    /// # Errors
    /// Every reason not to.
    pub fn plan(&self, index: &Index, path: &Path, with_repository: bool) -> Result<Plan, TrashError> {
        let asked = std::path::absolute(path).map_err(on("find", path))?;
        let (parent_path, name) = resolve(&asked)?;
        let path = parent_path.join(&name);
        self.refuse_path(&path)?;
        let parent = Folder::open(&parent_path).map_err(on("open", &parent_path))?;
        let facts = parent.facts(&name).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TrashError::refused(Refusal::Missing, &path),
            _ => on("look at", &path)(error),
        })?;
        self.refuse_handle(&path, &parent, &facts)?;
        let row = listed(index, &asked, &path)?;
        if !with_repository && facts.node.kind == NodeKind::Folder {
            match repository::work(&path) {
                Work::None => {}
                Work::Some(what) => return Err(TrashError::because(Refusal::Repository, &path, what)),
            }
        }
        let node = parent.own_node().map_err(on("look at", &parent_path))?;
        let places = candidates(&parent_path, &node, &self.home);
        let to = places.iter().find(|place| may_write(place)).cloned();
        Ok(Plan { path, row, to, parent, name, facts, places })
    }

    fn refuse_path(&self, path: &Path) -> Result<(), TrashError> {
        let text = self.around.model.normalize(&path.to_string_lossy());
        self.around.judge(&text).map_or(Ok(()), |refusal| Err(TrashError::refused(refusal, path)))
    }

    /// The same by what stands there, whatever leads to it.
    fn refuse_handle(&self, path: &Path, parent: &Folder, facts: &EntryFacts) -> Result<(), TrashError> {
        let refuse = |refusal| Err(TrashError::refused(refusal, path));
        if facts.node.kind == NodeKind::Link {
            return refuse(Refusal::Link);
        }
        let above = parent.own_node().map_err(on("look at", path))?;
        if !facts.node.shares_mount(&above) {
            return refuse(Refusal::MountPoint);
        }
        if let Some(opened) = opened_path(parent) {
            self.refuse_path(&opened.join(path.file_name().unwrap_or_default()))?;
        }
        if facts.node.kind == NodeKind::Folder
            && let Some(refusal) = self.place_of(facts.node.identity)
        {
            return refuse(refusal);
        }
        if is_other_users(path, facts) {
            return refuse(Refusal::OtherUser);
        }
        Ok(())
    }

    /// Why the folder `which` is never recycled: it is one of the places, or holds one, by another name.
    fn place_of(&self, which: Identity) -> Option<Refusal> {
        let is = |path: &Path| Folder::open(path).and_then(|f| f.own_node()).is_ok_and(|n| n.identity == which);
        // Most of them lie in the same few folders.
        let mut asked = BTreeSet::new();
        let mut holds = |path: &str| Path::new(path).ancestors().any(|p| asked.insert(p.to_owned()) && is(p));
        self.around.places().find(|(path, _)| holds(path)).map(|(_, refusal)| refusal)
    }
}

/// The real folder that holds `asked`, and the name in it.
fn resolve(asked: &Path) -> Result<(PathBuf, OsString), TrashError> {
    let missing = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => TrashError::refused(Refusal::Missing, asked),
        _ => on("find", asked)(error),
    };
    let whole = match asked.file_name() {
        Some(_) => asked.to_owned(),
        // `x/..`: what it leads to.
        None => real_path(asked).map_err(missing)?,
    };
    let (Some(parent), Some(name)) = (whole.parent(), whole.file_name()) else {
        return Err(TrashError::refused(Refusal::DriveRoot, asked));
    };
    Ok((real_path(parent).map_err(missing)?, name.to_owned()))
}

/// The row of the entry that was asked for as `asked` and is at `path`, if the operator confirmed it and it is still that.
fn listed(index: &Index, asked: &Path, path: &Path) -> Result<Row, TrashError> {
    let model = Model::native();
    let get = |path: &Path| index.get(&model.normalize(&path.to_string_lossy()));
    let row = get(asked).or_else(|| get(path)).ok_or_else(|| TrashError::refused(Refusal::NotListed, path))?;
    // It was seen to be gone and nobody has looked since.
    if !row.is_present() {
        return Err(TrashError::because(Refusal::Replaced, path, "it was gone when it was last looked for"));
    }
    if row.state != State::Confirmed {
        return Err(TrashError::because(Refusal::NotConfirmed, path, format!("it is {}", row.state)));
    }
    let replaced = || TrashError::refused(Refusal::Replaced, path);
    match is_entry(path, &row.signature).map_err(on("look at", path))? {
        Some(true) => {}
        Some(false) => return Err(replaced()),
        // Another writer's index: at least it must not be younger than that.
        None => {
            let (_, _, birth) = signature_at(path).map_err(on("look at", path))?;
            let born = u64::try_from(birth).unwrap_or(0);
            if row.seen_ms().is_some_and(|seen| born > seen.saturating_add(CLOCK_MS)) && !row.signature.is_empty() {
                return Err(replaced());
            }
        }
    }
    Ok(row.clone())
}

/// Milliseconds by which the clocks of a file system and of a journal may differ.
const CLOCK_MS: u64 = 5_000;

/// The path of an open folder as the system has it.
#[cfg(target_os = "linux")]
fn opened_path(folder: &Folder) -> Option<PathBuf> {
    use std::os::fd::AsRawFd as _;
    std::fs::read_link(format!("/proc/self/fd/{}", folder.as_raw_fd())).ok().filter(|path| path.is_absolute())
}

/// Not known here: the identities of the places tell.
#[cfg(not(target_os = "linux"))]
const fn opened_path(_folder: &Folder) -> Option<PathBuf> {
    None
}
