//! Calls that are open, one small file each, and the last ones that ended.
//!
//! A file is made before its call runs and goes to the ended ones after it, by one rename: neither needs the lock to be
//! safe, so a call is known even where the lock could not be had in time.

use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::state::{ignore_missing, key_of};
use crate::ledger::files::{Lock, create_private_dir, private_options};
use crate::limits::{MAX_CALL_BYTES, MAX_CANDIDATE_ID_BYTES, MAX_ENDED_CALLS, MAX_OPEN_CALLS};

/// A call as it is noted while it runs.
#[expect(clippy::struct_field_names, reason = "the id is called `call` in every stored form")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Call {
    /// Version of the form.
    pub(crate) v: u32,
    pub(crate) session: String,
    /// The id; empty where the harness gives none.
    pub(crate) call: String,
    pub(crate) harness: String,
    pub(crate) tool: String,
    /// Milliseconds since 1970.
    pub(crate) start: u64,
    /// The beginning of what it runs, or the paths that it writes.
    pub(crate) command: String,
    /// Whether there is more of it.
    pub(crate) cut: bool,
    /// Whether something of it may go on after its end.
    pub(crate) outlives: bool,
}

/// The number of a call: by its id, else by what it does.
pub(crate) fn call_key(session: &str, call: Option<&str>, what: &str) -> u64 {
    match call {
        Some(call) => key_of(&[session.as_bytes(), call.as_bytes()]),
        None => key_of(&[session.as_bytes(), b"", what.as_bytes()]),
    }
}

impl Call {
    /// Whether a process could be left over from it.
    pub(crate) fn runs(&self) -> bool {
        self.tool != "write"
    }

    /// Cut to what is stored.
    pub(crate) fn bounded(mut self) -> Self {
        self.cut |= self.command.len() > MAX_CALL_BYTES;
        for (text, bytes) in [
            (&mut self.session, MAX_CANDIDATE_ID_BYTES),
            (&mut self.call, MAX_CANDIDATE_ID_BYTES),
            (&mut self.command, MAX_CALL_BYTES),
        ] {
            text.truncate(text.floor_char_boundary(bytes));
        }
        self
    }
}

/// A call with when it ended, if it has.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) key: u64,
    pub(crate) call: Call,
    /// Milliseconds since 1970.
    pub(crate) end: Option<u64>,
    /// Whether the folders were looked at when it ended.
    pub(crate) looked: bool,
}

/// All that are remembered.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    pub(crate) open: Vec<Known>,
    /// The last ones to end come first.
    pub(crate) ended: Vec<Known>,
    /// Whether there are more, or some that can't be read.
    pub(crate) more: bool,
}

/// One that ended: what the lock file notes of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ended {
    key: u64,
    end: u64,
    looked: u64,
}

const SLOT: usize = 24;

/// The last calls that ended, the newest last. Kept in the lock file, so that an event that ends no call reads it at most.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Ring {
    slots: Vec<Ended>,
    /// Whether it differs from what is stored.
    changed: bool,
}

impl Ring {
    pub(crate) fn read(lock: &mut Lock) -> io::Result<Self> {
        let mut bytes = [0; SLOT * MAX_ENDED_CALLS];
        let file = lock.file();
        file.seek(SeekFrom::Start(0))?;
        let mut length = 0;
        while length < bytes.len() {
            match file.read(&mut bytes[length..])? {
                0 => break,
                n => length += n,
            }
        }
        let number = |bytes: &[u8]| {
            let mut eight = [0; 8];
            eight.copy_from_slice(bytes);
            u64::from_le_bytes(eight)
        };
        let slots = bytes[..length].chunks_exact(SLOT);
        Ok(Self {
            slots: slots
                .map(|s| Ended { key: number(&s[..8]), end: number(&s[8..16]), looked: number(&s[16..]) })
                .collect(),
            changed: false,
        })
    }

    /// Stores it where it changed.
    pub(crate) fn write(&self, lock: &mut Lock) -> io::Result<()> {
        if !self.changed {
            return Ok(());
        }
        let bytes: Vec<u8> =
            self.slots.iter().flat_map(|s| [s.key, s.end, s.looked]).flat_map(u64::to_le_bytes).collect();
        let file = lock.file();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&bytes)
    }

    pub(crate) fn has(&self, key: u64) -> bool {
        self.slots.iter().any(|slot| slot.key == key)
    }

    /// Adds one; returns the one that is forgotten for it.
    fn push(&mut self, ended: Ended) -> Option<u64> {
        self.slots.retain(|slot| slot.key != ended.key);
        let old = (self.slots.len() >= MAX_ENDED_CALLS).then(|| self.slots.remove(0).key);
        self.slots.push(ended);
        self.changed = true;
        old
    }
}

/// The files.
#[derive(Debug)]
pub(crate) struct Calls {
    open: PathBuf,
    ended: PathBuf,
}

/// The ending of a call's file whose end was noted without the lock.
const LATE: &str = ".ended";

impl Calls {
    pub(crate) fn below(dir: &Path) -> Self {
        Self { open: dir.join("open"), ended: dir.join("ended") }
    }

    fn open_path(&self, key: u64) -> PathBuf {
        self.open.join(format!("{key:016x}"))
    }

    fn ended_path(&self, key: u64) -> PathBuf {
        self.ended.join(format!("{key:016x}"))
    }

    pub(crate) fn is_open(&self, key: u64) -> bool {
        fs::symlink_metadata(self.open_path(key)).is_ok()
    }

    /// Notes a call; `false` where it is open already.
    pub(crate) fn start(&self, key: u64, call: &Call) -> io::Result<bool> {
        let bytes = serde_json::to_vec(call)?;
        let path = self.open_path(key);
        let create = || private_options().write(true).create_new(true).open(&path);
        let mut file = match create() {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                create_private_dir(&self.open)?;
                create()?
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
            other => other?,
        };
        // One that is killed before this leaves an empty file: an open call of which nothing is known.
        file.write_all(&bytes)?;
        Ok(true)
    }

    /// Ends a call under the lock; the caller writes `ring`.
    pub(crate) fn end(&self, ring: &mut Ring, key: u64, end: u64, looked: bool) -> io::Result<()> {
        self.retire(ring, &self.open_path(key), Ended { key, end, looked: u64::from(looked) })
    }

    /// Ends a call without the lock; `false` where it was not open.
    pub(crate) fn end_late(&self, key: u64) -> io::Result<bool> {
        let path = self.open_path(key);
        match fs::rename(&path, path.with_extension(&LATE[1..])) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
            other => other.map(|()| true),
        }
    }

    fn retire(&self, ring: &mut Ring, from: &Path, ended: Ended) -> io::Result<()> {
        let to = self.ended_path(ended.key);
        let moved = match fs::rename(from, &to) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                create_private_dir(&self.ended)?;
                ignore_missing(fs::rename(from, &to))
            }
            other => other,
        };
        moved?;
        match ring.push(ended) {
            Some(old) => ignore_missing(fs::remove_file(self.ended_path(old))),
            None => Ok(()),
        }
    }

    /// Every call that is remembered. Those whose end was noted without the lock go to the ended ones.
    pub(crate) fn all(&self, ring: &mut Ring) -> io::Result<Remembered> {
        let mut found = Remembered::default();
        let mut late = Vec::new();
        for (path, name) in list(&self.open)? {
            let (digits, is_late) = name.strip_suffix(LATE).map_or((&*name, false), |digits| (digits, true));
            let Ok(key) = u64::from_str_radix(digits, 16) else { continue };
            if is_late {
                late.push((path, key));
            } else if found.open.len() >= MAX_OPEN_CALLS {
                found.more = true;
            } else {
                match read(&path) {
                    Ok(Some(call)) => found.open.push(Known { key, call, end: None, looked: false }),
                    Ok(None) => found.more = true,
                    Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                    Err(e) => return Err(e),
                }
            }
        }
        for (path, key) in late {
            // The rename is the last that happened to it.
            let end = fs::symlink_metadata(&path).map_or(0, |meta| super::facts::facts_of(&meta).changed);
            self.retire(ring, &path, Ended { key, end: u64::try_from(end).unwrap_or(0), looked: 0 })?;
        }
        for slot in ring.slots.iter().rev() {
            if let Ok(Some(call)) = read(&self.ended_path(slot.key)) {
                found.ended.push(Known { key: slot.key, call, end: Some(slot.end), looked: slot.looked != 0 });
            }
        }
        Ok(found)
    }

    /// The files of `open`, for those that can't be read: their age is all that is known of them.
    pub(crate) fn unreadable(&self) -> io::Result<Vec<(u64, std::time::SystemTime)>> {
        let mut found = Vec::new();
        for (path, name) in list(&self.open)? {
            if let (Ok(key), Ok(None), Ok(meta)) =
                (u64::from_str_radix(&name, 16), read(&path), fs::symlink_metadata(&path))
                && let Ok(modified) = meta.modified()
            {
                found.push((key, modified));
            }
        }
        Ok(found)
    }
}

/// Names of the files in `dir`; none where it is missing.
fn list(dir: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(e),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if let Ok(name) = entry.file_name().into_string() {
            found.push((entry.path(), name));
        }
    }
    Ok(found)
}

/// The call in a file; `None` where it is damaged.
fn read(path: &Path) -> io::Result<Option<Call>> {
    let bytes = fs::read(path)?;
    Ok(serde_json::from_slice(&bytes).ok())
}
