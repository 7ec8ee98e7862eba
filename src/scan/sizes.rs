//! Measures the entries of the index and puts the sizes into it, a few at a time, so that a scan that is cut short keeps
//! what it has.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::measure::{Measured, Progress, Want, measure};
use super::memo::Memo;
use crate::home::Home;
use crate::ledger::audit::hex;
use crate::ledger::error::on;
use crate::ledger::files::{create_private_dir, replace};
use crate::ledger::index::Opened;
use crate::ledger::{Index, IndexError, LedgerError, Row, State, Store, stamp};
use crate::limits::MAX_MEMO_BYTES;

/// How long what was measured waits at most until it is stored.
const COMMIT_EVERY: Duration = Duration::from_secs(2);

/// Characters of a memo's file name.
const MEMO_NAME: usize = 36;

/// Which entries are measured.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// These alone; all where there are none.
    pub paths: Vec<String>,
    /// Also those that were dismissed.
    pub dismissed: bool,
    /// Read every folder, whatever is remembered.
    pub full: bool,
}

/// What is told while a scan runs.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// So many entries will be measured.
    Begin(usize),
    /// So many files and folders were seen so far.
    Seen(u64),
    /// An entry is done.
    Done(&'a str),
}

/// What a scan did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Entries that were to be measured.
    pub entries: usize,
    /// Entries that were.
    pub measured: usize,
    /// All that they hold.
    pub total: Measured,
    /// Entries that are not there any more; the next look at the folders will say so.
    pub missing: usize,
    /// It was called off.
    pub interrupted: bool,
}

/// An entry that is to be measured.
struct Target {
    path: String,
    signature: String,
}

/// A measurement that is not stored yet.
type Found = (usize, Measured);

/// Measures what `scope` names, until `stop` is set.
pub fn scan(
    home: &Home,
    scope: &Scope,
    stop: &AtomicBool,
    mut tell: impl FnMut(Told<'_>),
) -> Result<(Summary, Vec<String>), IndexError> {
    let store = Store::at(home);
    // Also brings the stored index up to date.
    let ((), Opened { index, mut warnings }) = store.update(|_| Ok(()))?;
    let targets = targets(&index, scope)?;
    let memos = Memos { folder: home.ledger().join("measured") };
    memos.prepare()?;
    tell(Told::Begin(targets.len()));
    let wants = targets.iter().map(|target| Want {
        path: PathBuf::from(&target.path),
        memo: if scope.full { None } else { memos.load(target) },
    });
    let wants = wants.collect();
    let mut summary = Summary { entries: targets.len(), ..Summary::default() };
    let mut waiting: Vec<Found> = Vec::new();
    let mut failed: Option<IndexError> = None;
    let mut stored = Instant::now();
    let now = i64::try_from(stamp::now_ms() / 1000).unwrap_or(i64::MAX);
    measure(wants, now, stop, |progress| {
        match progress {
            Progress::Seen(seen) => tell(Told::Seen(seen)),
            Progress::Done(at, Ok((measured, memo))) => {
                summary.add(&measured);
                failed = failed.take().or(memos.save(&targets[at], memo.as_ref()).err().map(IndexError::from));
                waiting.push((at, measured));
                tell(Told::Done(&targets[at].path));
            }
            Progress::Done(at, Err(error)) => {
                if error.kind() == io::ErrorKind::NotFound {
                    summary.missing += 1;
                } else {
                    warnings.push(format!("{}: {error}", targets[at].path));
                }
                tell(Told::Done(&targets[at].path));
            }
            Progress::Begun(at, memo) => {
                failed = failed.take().or(memos.save(&targets[at], Some(&memo)).err().map(IndexError::from));
            }
        }
        if !waiting.is_empty() && stored.elapsed() > COMMIT_EVERY {
            failed = failed.take().or(commit(&store, &targets, &mut waiting).err());
            stored = Instant::now();
        }
    });
    summary.interrupted =
        summary.measured + summary.missing < summary.entries && stop.load(std::sync::atomic::Ordering::Relaxed);
    commit(&store, &targets, &mut waiting)?;
    memos.forget(&index)?;
    failed.map_or(Ok((summary, warnings)), Err)
}

impl Summary {
    fn add(&mut self, one: &Measured) {
        self.measured += 1;
        let total = &mut self.total;
        total.bytes = total.bytes.saturating_add(one.bytes);
        total.allocated = total.allocated.saturating_add(one.allocated);
        total.files += one.files;
        total.folders += one.folders;
        total.reused += one.reused;
        total.unreadable += one.unreadable;
        total.mounts += one.mounts;
        total.partial |= one.partial;
    }
}

fn targets(index: &Index, scope: &Scope) -> Result<Vec<Target>, IndexError> {
    let target = |row: &Row| Target { path: row.path.clone(), signature: row.signature.clone() };
    if scope.paths.is_empty() {
        let wanted = |row: &&Row| row.is_present() && (scope.dismissed || row.state != State::Dismissed);
        return Ok(index.rows().filter(wanted).map(target).collect());
    }
    let named = scope.paths.iter().map(|path| {
        let row = index.get(path).ok_or_else(|| IndexError::Missing { path: path.clone() })?;
        match &row.gone {
            Some(since) => Err(IndexError::Gone { path: path.clone(), since: since.clone() }),
            None => Ok(target(row)),
        }
    });
    named.collect()
}

/// Puts what was measured into the index.
fn commit(store: &Store, targets: &[Target], waiting: &mut Vec<Found>) -> Result<(), IndexError> {
    if waiting.is_empty() {
        return Ok(());
    }
    let now = stamp::format_utc(stamp::now_ms());
    store.update(|index| {
        for (at, measured) in waiting.drain(..) {
            let Target { path, signature } = &targets[at];
            index.set_measured(path, signature, |row| {
                (row.bytes, row.files, row.allocated) =
                    (Some(measured.bytes), Some(measured.files), Some(measured.allocated));
                row.partial = measured.partial || measured.unreadable > 0 || measured.mounts > 0;
                row.last_scan = Some(now.clone());
            });
        }
        Ok(())
    })?;
    Ok(())
}

/// What is remembered of each entry: one file each.
struct Memos {
    folder: PathBuf,
}

impl Memos {
    fn prepare(&self) -> Result<(), LedgerError> {
        create_private_dir(&self.folder).map_err(on("create", &self.folder))
    }

    /// A name of fixed length for an entry; another one in its place has another.
    fn name(path: &str, signature: &str) -> String {
        let sum = Sha256::new().chain_update(path).chain_update([0]).chain_update(signature).finalize();
        format!("{}.txt", &hex(&sum.into())[..32])
    }

    /// Whatever is wrong with a memo, the entry is simply measured anew.
    fn load(&self, target: &Target) -> Option<Memo> {
        let path = self.folder.join(Self::name(&target.path, &target.signature));
        let length = fs::metadata(&path).ok()?.len();
        if length > MAX_MEMO_BYTES {
            return None;
        }
        Memo::parse(&fs::read_to_string(&path).ok()?).ok()
    }

    fn save(&self, target: &Target, memo: Option<&Memo>) -> Result<(), LedgerError> {
        let path = self.folder.join(Self::name(&target.path, &target.signature));
        match memo {
            Some(memo) => replace(&path, memo.to_text().as_bytes()).map_err(on("write", &path)),
            None => remove(&path),
        }
    }

    /// Removes what is remembered of entries that are not in the index any more, or are gone.
    fn forget(&self, index: &Index) -> Result<(), LedgerError> {
        let rows = index.rows().filter(|row| row.is_present());
        let known: std::collections::HashSet<String> = rows.map(|row| Self::name(&row.path, &row.signature)).collect();
        let fail = on("read", &self.folder);
        for entry in fs::read_dir(&self.folder).map_err(&fail)? {
            let entry = entry.map_err(&fail)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_ours = name.len() == MEMO_NAME && name.split_once('.').is_some_and(|(_, end)| end == "txt");
            if is_ours && !known.contains(&name) {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }
}

/// Removes a file of ours; one that is not there is no error.
fn remove(path: &std::path::Path) -> Result<(), LedgerError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(on("remove", path)(e)),
        _ => Ok(()),
    }
}
