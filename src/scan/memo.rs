//! What the folders of a tree held when they were last read, so that the next scan need not read them again.
//!
//! A folder's time of change moves whenever a name in it comes, goes or is replaced, but not when a file in it grows in
//! place, and not when something changes further below. So each folder is remembered by itself, is always looked at
//! itself, and what is remembered of it holds only while
//! - it is the same folder, unchanged, and was not changed within the two seconds before it was read;
//! - none of its files has another name elsewhere, and all of it could be read;
//! - its newest file had been quiet for ten minutes when it was read, or it was read within the last ten minutes (a scan
//!   that was interrupted and goes on).
//!
//! What this can miss is a quiet file that grew in place later; `scan --full` reads everything.

use std::fmt::Write as _;
use std::ops::Range;

use sha2::{Digest as _, Sha256};

use crate::limits::MAX_MEMO_FOLDERS;
use crate::sys::{TreeFacts, TreeName, tree_name, tree_name_bytes};

/// Seconds without a change after which a file counts as quiet, and for which a reading counts as new.
const QUIET_SECONDS: i64 = 600;
/// Nanoseconds that a folder must have been unchanged for before it is read: file systems count time in steps.
const SETTLED: i64 = 2_000_000_000;
const SECOND: i64 = 1_000_000_000;
/// The first line of the stored form.
const HEADER: &str = "wsguard-measured 1";
/// What stands before the sum of all that stands before it.
const SUM: &str = "sum ";

/// One folder as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// The folder that holds it, by its place in the list; its own for the first.
    pub(super) parent: u32,
    /// Its name there; empty for the first.
    pub(super) name: TreeName,
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) changed: i64,
    /// When it was read; seconds since 1970.
    pub(super) read: i64,
    /// When the newest of its files changed; seconds since 1970.
    pub(super) newest: i64,
    /// Of the files in it, not of folders.
    pub(super) files: u64,
    /// Folders in it.
    pub(super) folders: u64,
    pub(super) bytes: u64,
    pub(super) allocated: u64,
    /// Nothing of it may be taken for granted.
    pub(super) doubtful: bool,
}

impl Row {
    /// Whether what was read then still holds for the folder that has these facts now.
    pub(super) fn holds(&self, facts: &TreeFacts, now: i64) -> bool {
        let same = (self.device, self.inode, self.changed) == (facts.device, facts.inode, facts.changed);
        let settled = self.changed.saturating_add(SETTLED) < self.read.saturating_mul(SECOND);
        let quiet = self.newest.saturating_add(QUIET_SECONDS) < self.read;
        let new = (self.read..self.read.saturating_add(QUIET_SECONDS)).contains(&now);
        same && settled && (quiet || new) && !self.doubtful
    }
}

/// Why a memo can't be used; it is then as if there were none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoError {
    /// Another version, or no memo at all.
    #[error("the memo of sizes has another form")]
    Version,
    /// It is not as it was written.
    #[error("the memo of sizes is damaged")]
    Sum,
    /// A line that can't be read.
    #[error("line {line} of the memo of sizes is damaged")]
    Line {
        /// Counted from 1.
        line: usize,
    },
}

/// The folders of one tree as they were last read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memo {
    rows: Vec<Row>,
    /// Where the folders within each folder are in `rows`.
    children: Vec<Range<u32>>,
}

impl Memo {
    /// Orders rows whose `parent` is the place in the given list. Nothing where there are too many.
    pub(super) fn of(rows: &[Row]) -> Option<Self> {
        if rows.len() > MAX_MEMO_FOLDERS || rows.is_empty() {
            return None;
        }
        let mut within: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
        for (at, row) in rows.iter().enumerate().skip(1) {
            within.get_mut(row.parent as usize)?.push(u32::try_from(at).ok()?);
        }
        for list in &mut within {
            list.sort_unstable_by(|a, b| rows[*a as usize].name.cmp(&rows[*b as usize].name));
        }
        // Level by level: what is in one folder stands together.
        let mut order = vec![0_u32];
        let mut children = Vec::with_capacity(rows.len());
        let mut at = 0;
        while let Some(&old) = order.get(at) {
            let start = u32::try_from(order.len()).ok()?;
            order.append(&mut within[old as usize]);
            children.push(start..u32::try_from(order.len()).ok()?);
            at += 1;
        }
        let mut new: Vec<Row> = order.iter().map(|&old| rows[old as usize].clone()).collect();
        for (parent, range) in children.iter().enumerate() {
            for at in range.clone() {
                new[at as usize].parent = u32::try_from(parent).ok()?;
            }
            // A scan that was cut short has not seen all of them.
            let row = &mut new[parent];
            row.doubtful |= row.folders != range.len() as u64;
        }
        Some(Self { rows: new, children })
    }

    /// Reads the stored form.
    pub fn parse(text: &str) -> Result<Self, MemoError> {
        if !text.starts_with(HEADER) {
            return Err(MemoError::Version);
        }
        let (body, sum) = text.rsplit_once(SUM).ok_or(MemoError::Sum)?;
        if sum != sum_of(body) {
            return Err(MemoError::Sum);
        }
        let mut lines = body.lines();
        if lines.next() != Some(HEADER) {
            return Err(MemoError::Version);
        }
        let mut rows = Vec::new();
        for (at, line) in lines.enumerate() {
            let damaged = MemoError::Line { line: at + 2 };
            let row = parse_row(line).ok_or(damaged)?;
            // A folder stands before what is in it.
            if (row.parent as usize) >= rows.len().max(1) || rows.len() >= MAX_MEMO_FOLDERS {
                return Err(damaged);
            }
            rows.push(row);
        }
        Self::of(&rows).ok_or(MemoError::Version)
    }

    /// The stored form.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for row in &self.rows {
            let Row { parent, device, inode, changed, read, newest, files, folders, .. } = row;
            let Row { bytes, allocated, doubtful, name, .. } = row;
            let mark = if *doubtful { '?' } else { '=' };
            let name = escape(tree_name_bytes(name));
            // Writing to a text can't fail.
            let _infallible = writeln!(
                text,
                "{parent} {device} {inode} {changed} {read} {newest} {files} {folders} {bytes} {allocated} {mark}{name}"
            );
        }
        let sum = sum_of(&text);
        text + SUM + &sum
    }

    pub(super) fn row(&self, at: u32) -> Option<&Row> {
        self.rows.get(at as usize)
    }

    /// The places of the folders in the folder at `at`.
    pub(super) fn within(&self, at: u32) -> Range<u32> {
        self.children.get(at as usize).cloned().unwrap_or_default()
    }

    /// The folder with this name in the folder at `at`.
    pub(super) fn child(&self, at: u32, name: &TreeName) -> Option<u32> {
        let range = self.within(at);
        let rows = self.rows.get(range.start as usize..range.end as usize)?;
        let found = rows.binary_search_by(|row| row.name.cmp(name)).ok()?;
        Some(range.start + u32::try_from(found).ok()?)
    }
}

fn sum_of(text: &str) -> String {
    crate::ledger::audit::hex(&Sha256::digest(text.as_bytes()).into()) + "\n"
}

fn parse_row(line: &str) -> Option<Row> {
    let mut words = line.splitn(11, ' ');
    let parent = words.next()?.parse().ok()?;
    let mut next = || words.next();
    let row = Row {
        parent,
        device: next()?.parse().ok()?,
        inode: next()?.parse().ok()?,
        changed: next()?.parse().ok()?,
        read: next()?.parse().ok()?,
        newest: next()?.parse().ok()?,
        files: next()?.parse().ok()?,
        folders: next()?.parse().ok()?,
        bytes: next()?.parse().ok()?,
        allocated: next()?.parse().ok()?,
        ..Row::default()
    };
    let last = next()?;
    let name = tree_name(unescape(last.get(1..)?)?)?;
    match last.as_bytes()[0] {
        b'=' => Some(Row { name, ..row }),
        b'?' => Some(Row { name, doubtful: true, ..row }),
        _ => None,
    }
}

/// Anything but plain printable characters as `%XX`.
fn escape(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for &byte in name {
        if byte.is_ascii_graphic() && byte != b'%' {
            text.push(char::from(byte));
        } else {
            // Writing to a text can't fail.
            let _infallible = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(first);
        }
    }
    Some(bytes)
}
