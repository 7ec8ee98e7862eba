//! How much folder trees hold: every folder is opened beside the open one that holds it, on all processors.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::folder::{Open, Tree};
use super::memo::{Memo, Row};
use super::pool::{self, Hands};
use crate::limits::MAX_WAITING_FOLDERS;
use crate::sys::{TreeBatch, TreeFacts, TreeFolder, TreeKind, TreeName, raise_open_files, tree_facts};

/// Milliseconds between two reports of how far it is.
const TICK_MS: u64 = 100;

/// What is to be measured.
#[derive(Debug)]
pub struct Want {
    /// Absolute; a folder, a link, a file.
    pub path: PathBuf,
    /// What is remembered of it.
    pub memo: Option<Memo>,
}

/// What an entry holds. Links are counted, never followed; a file with several names counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    /// Bytes of the files' contents.
    pub bytes: u64,
    /// Bytes that it takes on the volume, folders included: what `du` counts.
    pub allocated: u64,
    /// Files, links and whatever else is no folder.
    pub files: u64,
    /// Folders, itself included.
    pub folders: u64,
    /// Folders that were as they were at the last scan and so were not read again.
    pub reused: u64,
    /// Folders and files that could not be looked at.
    pub unreadable: u64,
    /// Folders in which something else is mounted; they were not entered.
    pub mounts: u64,
    /// A limit was reached: it holds more.
    pub partial: bool,
}

/// What [`measure`] tells while it works.
#[derive(Debug)]
pub enum Progress {
    /// So many files and folders were looked at so far.
    Seen(u64),
    /// An entry, by its place in the list, is done, with what to remember of it.
    Done(usize, io::Result<(Measured, Option<Memo>)>),
    /// It was called off with this entry half done; what was read need not be read again.
    Begun(usize, Memo),
}

enum Job {
    /// The entry itself.
    Top(Arc<Tree>),
    /// A folder in it: the folder that holds it with its number, its name, its place in the memo.
    Folder(Arc<Tree>, Arc<TreeFolder>, usize, TreeName, Option<u32>),
    /// More entries of a large folder.
    Part(Arc<Tree>, Arc<Open>, TreeBatch),
}

type Outcome = (usize, io::Result<(Measured, Option<Memo>)>);

struct Work<'a> {
    stop: &'a AtomicBool,
    seen: &'a AtomicU64,
    done: Sender<Outcome>,
    now: i64,
}

/// Measures each of `wants`, until `stop` is set.
pub fn measure(wants: Vec<Want>, now: i64, stop: &AtomicBool, mut tell: impl FnMut(Progress)) {
    raise_open_files();
    let trees: Vec<Arc<Tree>> =
        wants.into_iter().enumerate().map(|(at, want)| Arc::new(Tree::new(at, want.path, want.memo))).collect();
    // The newest job is done first, so the first entry comes last.
    let jobs = trees.iter().rev().map(|tree| Job::Top(Arc::clone(tree))).collect();
    let seen = AtomicU64::new(0);
    let (done, outcomes) = mpsc::channel();
    let mut finished = vec![false; trees.len()];
    std::thread::scope(|scope| {
        let work = Work { stop, seen: &seen, done, now };
        scope.spawn(move || pool::run(jobs, stop, |job, hands: &mut Hands<'_, Job>| work.job(job, hands)));
        loop {
            match outcomes.recv_timeout(Duration::from_millis(TICK_MS)) {
                Ok((at, outcome)) => {
                    finished[at] = true;
                    tell(Progress::Done(at, outcome));
                }
                Err(RecvTimeoutError::Timeout) => tell(Progress::Seen(seen.load(Ordering::Relaxed))),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    for tree in trees.iter().filter(|tree| !finished[tree.at]) {
        if let (_, Some(memo)) = tree.take() {
            tell(Progress::Begun(tree.at, memo));
        }
    }
}

impl Work<'_> {
    fn job(&self, job: Job, hands: &mut Hands<'_, Job>) {
        match job {
            Job::Top(tree) => self.top(&tree, hands),
            Job::Folder(tree, holder, parent, name, memo_at) => {
                let child = holder.child(&name);
                // The folder that holds it is closed as soon as nothing in it waits.
                drop(holder);
                match child {
                    Ok(folder) => self.folder(&tree, folder, parent, name, memo_at, hands),
                    Err(error) => {
                        tree.add(|total| match error.kind() {
                            io::ErrorKind::CrossesDevices => total.mounts += 1,
                            // Gone since it was listed.
                            io::ErrorKind::NotFound => {}
                            _ => total.unreadable += 1,
                        });
                        self.close(&tree);
                    }
                }
            }
            Job::Part(tree, open, batch) => {
                self.part(&tree, &open, &batch, hands);
                self.part_done(&tree, &open);
            }
        }
    }

    fn top(&self, tree: &Arc<Tree>, hands: &mut Hands<'_, Job>) {
        let start = || {
            let facts = tree_facts(&tree.path)?;
            Ok(if facts.is_folder { (facts, Some(TreeFolder::open(&tree.path)?)) } else { (facts, None) })
        };
        match start() {
            Ok((_, Some(folder))) => {
                let memo_at = tree.memo.as_ref().map(|_| 0);
                self.folder(tree, folder, 0, TreeName::default(), memo_at, hands);
            }
            Ok((facts, None)) => {
                tree.add(|total| {
                    *total = Measured { bytes: facts.bytes, allocated: facts.allocated, files: 1, ..*total };
                });
                self.close(tree);
            }
            Err(error) => self.send(tree.at, Err(error)),
        }
    }

    fn folder(
        &self,
        tree: &Arc<Tree>,
        folder: TreeFolder,
        parent: usize,
        name: TreeName,
        memo_at: Option<u32>,
        hands: &mut Hands<'_, Job>,
    ) {
        let number = tree.number();
        let Ok(own) = folder.facts() else {
            tree.add(|total| total.unreadable += 1);
            return self.close(tree);
        };
        self.seen.fetch_add(1, Ordering::Relaxed);
        let parent = u32::try_from(parent).unwrap_or(u32::MAX);
        let folder = Arc::new(folder);
        if let Some((at, row)) = remembered(tree, memo_at, &own, self.now) {
            let row = Row { parent, name, ..row.clone() };
            self.within_memo(tree, &folder, number, at, hands);
            tree.finish(number, row, &own, true);
            return self.close(tree);
        }
        let TreeFacts { device, inode, changed, .. } = own;
        let row = Row { parent, name, device, inode, changed, read: self.seconds(), ..Row::default() };
        let open = Arc::new(Open::new(folder, number, memo_at, own, row));
        self.read(tree, &open, hands);
        if !self.stop.load(Ordering::Relaxed) {
            self.part_done(tree, &open);
        }
    }

    /// Seconds since 1970: by the caller's clock where that is later, so that tests can look ahead.
    fn seconds(&self) -> i64 {
        let now = crate::ledger::stamp::now_ms() / 1000;
        i64::try_from(now).unwrap_or(i64::MAX).max(self.now)
    }

    /// Goes through a folder's entries; those of a large one are shared with threads that have nothing to do.
    fn read(&self, tree: &Arc<Tree>, open: &Arc<Open>, hands: &mut Hands<'_, Job>) {
        let mut reader = open.folder.reader();
        let mut first = true;
        while !self.stop.load(Ordering::Relaxed) {
            match reader.next_batch() {
                Ok(Some(batch)) if !first && hands.others_idle() => {
                    open.parted();
                    hands.push(Job::Part(Arc::clone(tree), Arc::clone(open), batch));
                    hands.share();
                }
                Ok(Some(batch)) => self.part(tree, open, &batch, hands),
                Ok(None) => return,
                Err(_) => {
                    tree.add(|total| total.unreadable += 1);
                    open.add(&Row { doubtful: true, ..Row::default() });
                    return;
                }
            }
            first = false;
        }
    }

    /// Adds up one batch of entries.
    fn part(&self, tree: &Arc<Tree>, open: &Arc<Open>, batch: &TreeBatch, hands: &mut Hands<'_, Job>) {
        let mut sums = Row::default();
        let (mut unreadable, mut partial, mut seen) = (0, false, 0);
        for entry in batch.entries() {
            let mut is_folder = entry.kind() == TreeKind::Folder;
            if !is_folder {
                match open.folder.facts_of(&entry) {
                    Ok(facts) if facts.is_folder => is_folder = true,
                    Ok(facts) => {
                        seen += 1;
                        add_file(&mut sums, tree, &facts);
                    }
                    Err(error) if error.kind() == io::ErrorKind::NotFound => sums.doubtful = true,
                    Err(_) => unreadable += 1,
                }
            }
            if is_folder && hands.waiting() >= MAX_WAITING_FOLDERS {
                partial = true;
            } else if is_folder {
                sums.folders += 1;
                let name = entry.name();
                let memo_at = open.memo_at.and_then(|at| tree.memo.as_ref()?.child(at, &name));
                tree.opened();
                hands.push(Job::Folder(Arc::clone(tree), Arc::clone(&open.folder), open.number, name, memo_at));
            }
        }
        self.seen.fetch_add(seen, Ordering::Relaxed);
        sums.doubtful |= unreadable > 0 || partial;
        if sums.doubtful {
            tree.add(|total| {
                total.unreadable += unreadable;
                total.partial |= partial;
            });
        }
        open.add(&sums);
    }

    /// The folders of one that is as it was: those without folders in them need not even be opened.
    fn within_memo(
        &self,
        tree: &Arc<Tree>,
        folder: &Arc<TreeFolder>,
        number: usize,
        at: u32,
        hands: &mut Hands<'_, Job>,
    ) {
        let Some(memo) = &tree.memo else { return };
        for child in memo.within(at) {
            let Some(row) = memo.row(child) else { continue };
            if memo.within(child).is_empty()
                && let Ok(facts) = folder.facts_named(&row.name)
                && row.holds(&facts, self.now)
            {
                let parent = u32::try_from(number).unwrap_or(u32::MAX);
                tree.finish(tree.number(), Row { parent, ..row.clone() }, &facts, true);
                self.seen.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            tree.opened();
            hands.push(Job::Folder(Arc::clone(tree), Arc::clone(folder), number, row.name.clone(), Some(child)));
        }
    }

    fn part_done(&self, tree: &Tree, open: &Open) {
        if let Some(row) = open.parts_done() {
            tree.finish(open.number, row, &open.own, false);
            self.close(tree);
        }
    }

    fn close(&self, tree: &Tree) {
        if tree.closed() {
            self.send(tree.at, Ok(tree.take()));
        }
    }

    fn send(&self, at: usize, outcome: io::Result<(Measured, Option<Memo>)>) {
        // The receiver lives until every sender is gone.
        let _received = self.done.send((at, outcome));
    }
}

/// What is remembered of a folder, where that still holds.
fn remembered<'a>(tree: &'a Tree, at: Option<u32>, own: &TreeFacts, now: i64) -> Option<(u32, &'a Row)> {
    let at = at?;
    let row = tree.memo.as_ref()?.row(at)?;
    row.holds(own, now).then_some((at, row))
}

fn add_file(sums: &mut Row, tree: &Tree, facts: &TreeFacts) {
    if facts.links > 1 {
        // Which of its names it is counted under depends on which is met first.
        sums.doubtful = true;
        if !tree.is_first(facts) {
            return;
        }
    }
    sums.files += 1;
    sums.bytes = sums.bytes.saturating_add(facts.bytes);
    sums.allocated = sums.allocated.saturating_add(facts.allocated);
    sums.newest = sums.newest.max(facts.modified);
}
