//! Where the scenarios are tried: a folder of the run's own, which nothing is left of.

use std::fs::{self, DirEntry, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::run::MOUNTS;
use crate::contained::Way;
use crate::limits::REMOVE_WAIT_MS;

/// How the names of such folders begin.
const PREFIX: &str = ".wsguard-corpus-";

/// Folders that are made before the run gives up.
const MAX_TRIES: usize = 8;

/// A folder of one run. It is locked while the run lives, so that a later one knows what was left by a run that was killed.
pub(super) struct Scratch {
    // Goes first: on Windows it keeps the folder from being removed.
    lock: Option<File>,
    folder: TempDir,
}

impl Scratch {
    /// Makes one below `root`, and removes what killed runs left there.
    pub(super) fn new(root: &Path) -> io::Result<Self> {
        remove_left(root);
        for _ in 0..MAX_TRIES {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(root)?;
            let lock = lock(folder.path())?;
            // Another run may have come by before the lock.
            if folder.path().exists() {
                return Ok(Self { lock, folder });
            }
        }
        Err(io::Error::other("other runs remove this one's folder again and again"))
    }

    /// A workspace in it, and beside that what must not change.
    pub(super) fn place(&self, name: &str) -> io::Result<Place> {
        Place::new(&self.folder.path().join(name))
    }

    /// Removes it. On Windows the sweep of another run, or a virus scanner, may have a folder of it open for a moment.
    pub(super) fn close(mut self) -> io::Result<()> {
        drop(self.lock.take());
        let path = self.folder.keep();
        let end = Instant::now() + Duration::from_millis(REMOVE_WAIT_MS);
        loop {
            match fs::remove_dir_all(&path) {
                Err(_) if cfg!(windows) && Instant::now() < end => std::thread::sleep(Duration::from_millis(10)),
                outcome => return outcome,
            }
        }
    }
}

/// Removes the folders of runs that were killed. One that can't be removed is no trouble: no run takes it for its own.
fn remove_left(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let path = entry.path();
        if !is_left(&entry) {
            continue;
        }
        // Whoever lives holds it.
        if !is_held(&path) {
            fs::remove_dir_all(&path).unwrap_or_default();
        }
    }
}

/// Holds a folder, so that others see that this run lives.
#[cfg(unix)]
fn lock(folder: &Path) -> io::Result<Option<File>> {
    let folder = File::open(folder)?;
    // Where folders can't be locked nobody takes this one for left behind either.
    Ok(folder.lock().ok().map(|()| folder))
}

/// Whether somebody holds a folder.
#[cfg(unix)]
fn is_held(folder: &Path) -> bool {
    !File::open(folder).is_ok_and(|folder| folder.try_lock().is_ok())
}

/// How Windows opens folders.
#[cfg(windows)]
fn open(folder: &Path, access: u32, share: u32) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const BACKUP_SEMANTICS: u32 = 0x0200_0000;
    let flags = BACKUP_SEMANTICS | crate::sys::OPEN_NO_LINK;
    fs::OpenOptions::new().access_mode(access).share_mode(share).custom_flags(flags).open(folder)
}

/// Holds a folder, so that others see that this run lives: nobody may remove it.
#[cfg(windows)]
fn lock(folder: &Path) -> io::Result<Option<File>> {
    const LIST: u32 = 1;
    const READ_AND_WRITE: u32 = 3;
    open(folder, LIST, READ_AND_WRITE).map(Some)
}

/// Whether somebody holds a folder.
#[cfg(windows)]
fn is_held(folder: &Path) -> bool {
    const DELETE: u32 = 0x1_0000;
    const ALL: u32 = 7;
    open(folder, DELETE, ALL).is_err()
}

/// Whether it has the name of a run's folder, and holds what such a folder holds and nothing of anyone else's.
fn is_left(entry: &DirEntry) -> bool {
    let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
    let names: Vec<&str> = Way::ALL.into_iter().map(Way::name).chain([MOUNTS]).collect();
    is_ours
        && entry.file_type().is_ok_and(|kind| kind.is_dir())
        && fs::read_dir(entry.path()).is_ok_and(|mut held| {
            held.all(|held| held.is_ok_and(|held| held.file_name().to_str().is_some_and(|name| names.contains(&name))))
        })
}

/// A root, and beside it what must not change.
pub(super) struct Place {
    pub(super) workspace: PathBuf,
    pub(super) outside: PathBuf,
}

impl Place {
    fn new(place: &Path) -> io::Result<Self> {
        let (workspace, outside) = (place.join("workspace"), place.join("outside"));
        fs::create_dir_all(&workspace)?;
        fs::create_dir(&outside)?;
        fs::write(outside.join("loot"), "loot")?;
        Ok(Self { workspace, outside })
    }

    /// What changed outside; nothing is the empty text.
    pub(super) fn changes(&self) -> io::Result<String> {
        let mut changes = Vec::new();
        for entry in fs::read_dir(&self.outside)? {
            let name = entry?.file_name();
            if name != "loot" {
                changes.push(format!("{} appeared outside", name.display()));
            }
        }
        if !fs::read(self.outside.join("loot")).is_ok_and(|held| held == b"loot") {
            changes.push("the file outside changed".to_owned());
        }
        Ok(changes.join(", "))
    }
}
