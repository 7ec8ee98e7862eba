//! One look at a folder: its stamp, its names, and what lstat says of them where they are few.

use std::io;
use std::path::Path;

use super::facts::{Stamp, stamp_at};
use super::list::list;
use super::table::Table;
use crate::limits::{MAX_OBSERVED_LSTAT, OBSERVE_RETRIES};

/// Why a folder can't be watched.
#[derive(Debug)]
pub(crate) enum Blind {
    /// It has more entries than the cap.
    Capped,
    /// A link, or no folder.
    NotAFolder,
    Unreadable(io::Error),
}

/// The stamp of the folder at `path`, all zero where nothing is.
pub(crate) fn stamp(path: &Path) -> Result<Stamp, Blind> {
    match stamp_at(path) {
        Ok(Some(stamp)) => Ok(stamp),
        Ok(None) => Err(Blind::NotAFolder),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Stamp::default()),
        Err(e) => Err(Blind::Unreadable(e)),
    }
}

/// What is wanted of a folder's names.
pub(crate) struct Wanted<'a> {
    /// Entries that are counted, wanted or not.
    pub(crate) cap: usize,
    /// Whether a name is looked at at all.
    pub(crate) takes: &'a dyn Fn(&[u8]) -> bool,
    /// Bytes of the table that is expected.
    pub(crate) room: usize,
    /// What was seen the time before, where its births may be taken as they were; see [`Names`].
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "see `Known`"))]
    pub(crate) known: Option<Known<'a>>,
}

/// What was seen in a folder the time before.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has to ask for each birth by itself"))]
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) table: &'a Table,
    pub(crate) stamp: Stamp,
}

/// The names in a folder.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) table: Table,
    /// Entries that were there the time before were not looked at again: their names, kinds and numbers are the same. One
    /// that was replaced by something that got its very number is seen at the next thorough look.
    pub(crate) taken: bool,
}

/// A folder as it was at one moment.
pub(crate) struct Seen {
    pub(crate) stamp: Stamp,
    /// Milliseconds since 1970 of its last change of whatever kind: all that the table shows happened until then. The stamp is
    /// earlier where it did not hold still.
    pub(crate) latest: i64,
    pub(crate) table: Table,
    /// Whether nothing happened while it was read.
    pub(crate) settled: bool,
    /// See [`Names::taken`].
    pub(crate) taken: bool,
}

/// Reads the folder at `path` until it holds still, a few times at most.
pub(crate) fn look(path: &Path, first: Stamp, wanted: &Wanted<'_>) -> Result<Seen, Blind> {
    let mut before = first;
    let mut rounds = 0;
    loop {
        rounds += 1;
        let Names { table, taken } =
            if before == Stamp::default() { Names::default() } else { list(path, &before, wanted)? };
        let after = stamp(path)?;
        let settled = after == before;
        // A large folder is not read again at once: it takes too long.
        if settled || rounds >= OBSERVE_RETRIES || table.len() > MAX_OBSERVED_LSTAT {
            // The earlier stamp: what happened since makes the next look read again.
            return Ok(Seen { stamp: before, latest: after.latest_ms(), table, settled, taken });
        }
        before = after;
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;
    use std::thread::sleep;
    use std::time::Duration;

    use super::{Wanted, look, stamp};
    use crate::limits::MAX_OBSERVED_LSTAT;
    use crate::observe::facts::GRAIN_MS;

    #[test]
    fn what_comes_while_a_large_folder_is_read_came_after_its_stamp() {
        let dir = tempfile::tempdir().unwrap();
        for n in 0..MAX_OBSERVED_LSTAT {
            fs::write(dir.path().join(n.to_string()), "").unwrap();
        }
        sleep(Duration::from_millis(2 * GRAIN_MS.unsigned_abs()));
        let before = stamp(dir.path()).unwrap();
        fs::write(dir.path().join("new"), "").unwrap();
        let wanted = Wanted { cap: usize::MAX, takes: &|_| true, room: 0, known: None };
        let seen = look(dir.path(), before, &wanted).unwrap();
        assert_eq!((seen.stamp, seen.settled, seen.table.len()), (before, false, MAX_OBSERVED_LSTAT + 1));
        assert_eq!(seen.latest, stamp(dir.path()).unwrap().latest_ms());
        assert!(seen.latest > before.latest_ms());
    }
}
