//! What one folder adds to its tree.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::measure::Measured;
use super::memo::{Memo, Row};
use crate::limits::{MAX_LINKED_FILES, MAX_MEMO_FOLDERS};
use crate::sys::{TreeFacts, TreeFolder};

/// A tree that is being measured.
pub(super) struct Tree {
    /// Its place in the list of what is wanted.
    pub(super) at: usize,
    pub(super) path: PathBuf,
    /// What its folders held the last time.
    pub(super) memo: Option<Memo>,
    /// Folders that are not done yet.
    open: AtomicUsize,
    /// Folders so far, done or not.
    seen: AtomicUsize,
    sums: Mutex<Sums>,
}

#[derive(Default)]
struct Sums {
    total: Measured,
    rows: Vec<(usize, Row)>,
    linked: HashSet<(u64, u64)>,
}

/// Locks what no panic of ours can leave half done: sums are only added to.
fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tree {
    pub(super) fn new(at: usize, path: PathBuf, memo: Option<Memo>) -> Self {
        let (open, seen) = (AtomicUsize::new(1), AtomicUsize::new(0));
        Self { at, path, memo, open, seen, sums: Mutex::default() }
    }

    /// Notes that another folder has to be measured.
    pub(super) fn opened(&self) {
        self.open.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that one is done; whether it was the last.
    pub(super) fn closed(&self) -> bool {
        self.open.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// A number for a folder, larger than that of the folder that holds it.
    pub(super) fn number(&self) -> usize {
        self.seen.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether a file with several names is met for the first time.
    pub(super) fn is_first(&self, facts: &TreeFacts) -> bool {
        let mut sums = hold(&self.sums);
        if sums.linked.len() >= MAX_LINKED_FILES {
            sums.total.partial = true;
            return true;
        }
        sums.linked.insert((facts.device, facts.inode))
    }

    /// Changes the totals.
    pub(super) fn add(&self, change: impl FnOnce(&mut Measured)) {
        change(&mut hold(&self.sums).total);
    }

    /// Adds a folder that was read, or that needed no reading.
    pub(super) fn finish(&self, number: usize, row: Row, own: &TreeFacts, reused: bool) {
        let mut sums = hold(&self.sums);
        let total = &mut sums.total;
        total.files = total.files.saturating_add(row.files);
        total.bytes = total.bytes.saturating_add(row.bytes);
        total.allocated = total.allocated.saturating_add(row.allocated).saturating_add(own.allocated);
        total.folders += 1;
        total.reused += u64::from(reused);
        if sums.rows.len() <= MAX_MEMO_FOLDERS {
            sums.rows.push((number, row));
        }
    }

    /// The totals so far, and the folders that were read.
    pub(super) fn take(&self) -> (Measured, Option<Memo>) {
        let mut sums = hold(&self.sums);
        let rows = std::mem::take(&mut sums.rows);
        (sums.total, arrange(rows))
    }
}

/// Rows by their number become rows by their place; those whose folder is missing are left out.
fn arrange(mut rows: Vec<(usize, Row)>) -> Option<Memo> {
    if rows.len() > MAX_MEMO_FOLDERS {
        return None;
    }
    rows.sort_unstable_by_key(|(number, _)| *number);
    let mut places = std::collections::HashMap::with_capacity(rows.len());
    let mut kept = Vec::with_capacity(rows.len());
    for (number, mut row) in rows {
        let place = u32::try_from(kept.len()).ok()?;
        if number > 0 {
            let Some(&parent) = places.get(&(row.parent as usize)) else { continue };
            row.parent = parent;
        } else {
            row.parent = 0;
        }
        places.insert(number, place);
        kept.push(row);
    }
    // Without the first there is nothing to begin with.
    places.get(&0).and_then(|_| Memo::of(&kept))
}

/// A folder that is being read, perhaps by several threads.
pub(super) struct Open {
    pub(super) folder: Arc<TreeFolder>,
    pub(super) number: usize,
    /// Its place in the tree's memo.
    pub(super) memo_at: Option<u32>,
    pub(super) own: TreeFacts,
    /// Parts that are not read yet.
    left: AtomicUsize,
    row: Mutex<Row>,
}

impl Open {
    pub(super) fn new(folder: Arc<TreeFolder>, number: usize, memo_at: Option<u32>, own: TreeFacts, row: Row) -> Self {
        Self { folder, number, memo_at, own, left: AtomicUsize::new(1), row: Mutex::new(row) }
    }

    /// Notes another part.
    pub(super) fn parted(&self) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds what a part held.
    pub(super) fn add(&self, part: &Row) {
        let mut row = hold(&self.row);
        row.files = row.files.saturating_add(part.files);
        row.folders = row.folders.saturating_add(part.folders);
        row.bytes = row.bytes.saturating_add(part.bytes);
        row.allocated = row.allocated.saturating_add(part.allocated);
        row.newest = row.newest.max(part.newest);
        row.doubtful |= part.doubtful;
    }

    /// Notes that a part was read; gives the whole after the last.
    pub(super) fn parts_done(&self) -> Option<Row> {
        (self.left.fetch_sub(1, Ordering::AcqRel) == 1).then(|| std::mem::take(&mut *hold(&self.row)))
    }
}
