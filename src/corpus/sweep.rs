//! A look around a root for what got out.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::limits::{MAX_CORPUS_SWEEP_ENTRIES, MAX_CORPUS_SWEEP_NOTES};

/// What a sweep found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sweep {
    /// Regular files looked at.
    pub files: usize,
    /// Whether everything was looked at; what is false is no pass.
    pub complete: bool,
    /// Why not, where it is not.
    pub gaps: Vec<String>,
    /// Folders of other file systems, which were not entered; at most as many as anybody reads.
    pub not_entered: Vec<PathBuf>,
    /// Names met, of whatever kind.
    pub entries: usize,
    /// Files that hold the marker.
    pub strays: Vec<PathBuf>,
}

/// Why there was no sweep at all.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The root is no folder that can be named.
    #[error("{path} can't be swept around")]
    Root {
        /// The root as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl SweepError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Root { .. } => "sweep_root",
        }
    }
}

/// Looks for files that hold exactly `marker`, in `root` and in all that lies in the folder `above` levels above it.
///
/// Nearer folders first. Follows no link and enters no other file system. After `max_files` regular files it ends
/// incomplete, and so it does where a folder or a file of the marker's length can't be read.
///
/// # Errors
/// Where `root` can't be resolved.
pub fn sweep(root: &Path, marker: &[u8], above: usize, max_files: usize) -> Result<Sweep, SweepError> {
    let wrap = |source| SweepError::Root { path: root.to_owned(), source };
    let root = fs::canonicalize(root).map_err(wrap)?;
    let system = device(&fs::symlink_metadata(&root).map_err(wrap)?);
    let mut found = Sweep { complete: true, ..Sweep::default() };
    let mut done: Option<&Path> = None;
    for start in root.ancestors().take(above + 1) {
        // What lies in the folder before was looked at.
        if !walk(start, done, system, marker, max_files, &mut found) {
            let what = if found.entries > MAX_CORPUS_SWEEP_ENTRIES {
                format!("more than {MAX_CORPUS_SWEEP_ENTRIES} entries")
            } else {
                format!("more than {max_files} files")
            };
            found.gap(format!("{what}: {} was not looked at in full", start.display()));
            break;
        }
        done = Some(start);
    }
    Ok(found)
}

impl Sweep {
    fn gap(&mut self, text: String) {
        self.complete = false;
        // The first ones say enough.
        if self.gaps.len() < MAX_CORPUS_SWEEP_NOTES {
            self.gaps.push(text);
        }
    }

    fn leave(&mut self, path: PathBuf) {
        if self.not_entered.len() < MAX_CORPUS_SWEEP_NOTES {
            self.not_entered.push(path);
        }
    }
}

/// Whether all of `start` except `skip` was looked at within the limit.
fn walk(start: &Path, skip: Option<&Path>, system: u64, marker: &[u8], max_files: usize, found: &mut Sweep) -> bool {
    let mut folders = VecDeque::from([start.to_owned()]);
    while let Some(folder) = folders.pop_front() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            // Gone since its parent was listed: another run's own, for one.
            Err(error) if error.kind() == io::ErrorKind::NotFound && folder != start => continue,
            Err(error) => {
                found.gap(format!("{}: {error}", folder.display()));
                continue;
            }
        };
        for entry in entries {
            found.entries += 1;
            if found.entries > MAX_CORPUS_SWEEP_ENTRIES {
                return false;
            }
            let looked = entry.and_then(|entry| Ok((entry.path(), fs::symlink_metadata(entry.path())?)));
            let (path, meta) = match looked {
                Ok(looked) => looked,
                // Gone between the listing and the look: then nothing is there.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    found.gap(format!("{}: {error}", folder.display()));
                    continue;
                }
            };
            if meta.is_dir() {
                if device(&meta) != system {
                    found.leave(path);
                } else if Some(&*path) != skip {
                    folders.push_back(path);
                }
            } else if meta.is_file() {
                if found.files == max_files {
                    return false;
                }
                found.files += 1;
                if usize::try_from(meta.len()).is_ok_and(|len| len == marker.len()) {
                    look(path, marker, found);
                }
            }
        }
    }
    true
}

fn look(path: PathBuf, marker: &[u8], found: &mut Sweep) {
    let mut held = Vec::with_capacity(marker.len() + 1);
    let read = open(&path).and_then(|file| file.take(marker.len() as u64 + 1).read_to_end(&mut held));
    match read {
        Ok(_) if held == marker => found.strays.push(path),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => found.gap(format!("{}: {error}", path.display())),
    }
}

/// Opens a file that was one a moment ago; whatever took its name since, nothing blocks.
fn open(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_NOCTTY);
    options.read(true).open(path)
}

#[cfg(unix)]
fn device(meta: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::dev(meta)
}

#[cfg(not(unix))]
fn device(_: &fs::Metadata) -> u64 {
    0
}
