//! Trash folders: which one is for an entry, and which there are.

use std::io;
use std::path::{Path, PathBuf};

use super::error::on;
use super::owner::is_other_users;
use super::{Refusal, TrashError};
use crate::home::{Home, TRASH};
use crate::ledger::files::{Lock, create_private_dir};
use crate::limits::TRASH_WAIT_MS;
use crate::sys::{Folder, Mount, Node, mounts};

/// File systems that hold no files of anybody's, or that wait for a network that may be gone.
const NO_FILES: [&str; 31] = [
    "autofs",
    "bdev",
    "binder",
    "binfmt_misc",
    "bpf",
    "cgroup",
    "cgroup2",
    "configfs",
    "cpuset",
    "debugfs",
    "devpts",
    "devtmpfs",
    "efivarfs",
    "fusectl",
    "hugetlbfs",
    "mqueue",
    "nsfs",
    "pipefs",
    "proc",
    "pstore",
    "ramfs",
    "rootfs",
    "rpc_pipefs",
    "securityfs",
    "selinuxfs",
    "smackfs",
    "sockfs",
    "squashfs",
    "sysfs",
    "tracefs",
    "fuse.portal",
];

/// An open trash folder. Whatever takes its name, it stays the same folder.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    pub(crate) folder: Folder,
}

impl Place {
    /// Opens the trash folder at `path`. `None`: there is none. A link in its place is none.
    pub(crate) fn open(path: &Path) -> io::Result<Option<Self>> {
        match Folder::open(path) {
            Ok(folder) => Ok(Some(Self { path: path.to_owned(), folder })),
            Err(error) if is_none(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens the trash folder at `path` for new items, and makes it where it is missing.
    pub(crate) fn make(path: &Path) -> Result<Self, TrashError> {
        let mut place = Self::open(path).map_err(on("open", path))?;
        if place.is_none() {
            create_private_dir(path).map_err(on("create", path))?;
            place = Self::open(path).map_err(on("open", path))?;
        }
        let place = place.ok_or_else(|| TrashError::because(Refusal::NotOurs, path, "it is no folder"))?;
        place.check()?;
        Ok(place)
    }

    /// Whether new items may be put here, and what was cut short may be put right: only what nobody else can change is safe
    /// to come back to, and to believe.
    pub(crate) fn check(&self) -> Result<(), TrashError> {
        self.check_owner()?;
        let mode = self.folder.own_node().map_err(on("look at", &self.path))?.mode;
        if mode & 0o022 != 0 && cfg!(unix) {
            return Err(TrashError::because(Refusal::NotOurs, &self.path, "others may write in it"));
        }
        Ok(())
    }

    /// Whether it belongs to this user: another one's manifests could name any path.
    pub(crate) fn check_owner(&self) -> Result<(), TrashError> {
        let facts = self.folder.own_facts().map_err(on("look at", &self.path))?;
        if is_other_users(&self.path, &facts) {
            return Err(TrashError::because(Refusal::NotOurs, &self.path, "it belongs to another user"));
        }
        Ok(())
    }

    /// Keeps every other command away from this folder until it is dropped.
    pub(crate) fn lock(&self) -> Result<Lock, TrashError> {
        let path = self.path.join(".lock");
        Lock::acquire_within(&path, TRASH_WAIT_MS).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => TrashError::refused(Refusal::Busy, &self.path),
            _ => on("lock", &path)(error),
        })
    }

    /// The same, if nobody is at work.
    pub(crate) fn try_lock(&self) -> Option<Lock> {
        Lock::try_acquire(&self.path.join(".lock")).ok().flatten()
    }
}

/// Whether an error says that there is no folder of this kind.
fn is_none(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(error.kind(), Kind::NotFound | Kind::NotADirectory) || crate::sys::leads_away(error)
}

/// The trash folders that may be for an entry in the folder `parent`, the best first: at the top of its own mount, else
/// in HOME, where that is on the same volume. Only the rename itself proves that.
pub(crate) fn candidates(parent: &Path, node: &Node, home: &Home) -> Vec<PathBuf> {
    let mut found = vec![top(parent, node).join(TRASH)];
    // HOME may not be there yet; it is then made in the last folder that is.
    let near = home.path().ancestors().find_map(|folder| Folder::open(folder).ok());
    let device = near.and_then(|folder| folder.own_node().ok()).map(|node| node.identity.device);
    if device.is_none_or(|device| device == node.identity.device) {
        found.push(home.trash());
    }
    found
}

/// The top of the mount or of the drive that `parent`, which is the folder `node`, lies on.
fn top<'a>(parent: &'a Path, node: &Node) -> &'a Path {
    let shares = |folder: &&Path| {
        // A folder that can't be looked at is taken for one of the same mount: those above it tell.
        Folder::open(folder).and_then(|f| f.own_node()).map_or(true, |above| above.shares_mount(node))
    };
    parent.ancestors().take_while(shares).last().unwrap_or(parent)
}

/// Whether a new item could be put into the trash folder `path`: it is there and may be written, or could be made.
/// Nothing is changed. For a dry run.
pub(crate) fn may_write(path: &Path) -> bool {
    match Place::open(path) {
        Ok(Some(place)) => place.check().is_ok() && may_make_in(path),
        Ok(None) => path.ancestors().skip(1).find(|folder| folder.is_dir()).is_some_and(may_make_in),
        Err(_) => false,
    }
}

fn may_make_in(folder: &Path) -> bool {
    crate::sys::may_write(folder)
}

/// Every trash folder that may be there.
pub(crate) fn all(home: &Home) -> Vec<PathBuf> {
    let holds_files = |mount: &Mount| !NO_FILES.contains(&&*mount.kind);
    let tops = mounts().into_iter().filter(holds_files).map(|mount| mount.path.join(TRASH));
    let mut found: Vec<PathBuf> = tops.chain([home.trash()]).collect();
    found.sort();
    found.dedup();
    found
}
