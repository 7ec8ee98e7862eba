//! The entries of one folder.

#[cfg(any(target_os = "linux", windows))]
pub(crate) use listed::list;
#[cfg(not(any(target_os = "linux", windows)))]
pub(crate) use plain::list;

#[cfg(any(target_os = "linux", windows))]
mod listed {
    use std::io;
    use std::path::Path;

    use crate::ledger::observed::EntryKind;
    use crate::observe::facts::Stamp;
    use crate::observe::folder::{Blind, Names, Wanted};
    use crate::observe::table::{Row, Table};
    use crate::sys::{Listed, ListedKind, Listing};

    fn kind_of(kind: ListedKind) -> EntryKind {
        match kind {
            ListedKind::File => EntryKind::File,
            ListedKind::Folder => EntryKind::Dir,
            ListedKind::Link => EntryKind::Link,
            #[cfg(target_os = "linux")]
            ListedKind::Other | ListedKind::Unknown => EntryKind::Other,
        }
    }

    /// What an entry is, asked for where the listing does not say.
    #[cfg(target_os = "linux")]
    fn known_kind(listing: &Listing, entry: &Listed<'_>) -> ListedKind {
        match entry.kind {
            ListedKind::Unknown => listing.facts(entry.name).map_or(ListedKind::Unknown, |facts| facts.kind),
            kind => kind,
        }
    }

    #[cfg(windows)]
    fn known_kind(_listing: &Listing, entry: &Listed<'_>) -> ListedKind {
        entry.kind
    }

    /// Lists the folder at `path`, which has `stamp`; where there are few entries, with their births.
    pub(crate) fn list(path: &Path, stamp: &Stamp, wanted: &Wanted<'_>) -> Result<Names, Blind> {
        let listing = match Listing::open(path) {
            Ok(listing) => listing,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Names::default()),
            Err(e) => return Err(Blind::Unreadable(e)),
        };
        let mut table = Table::with_room(wanted.room);
        let mut count = 0;
        let read = listing.each(|entry| {
            count += 1;
            if count <= wanted.cap && (wanted.takes)(entry.name) {
                let kind = known_kind(&listing, &entry);
                table.push(&Row { kind: kind_of(kind), inode: entry.inode, birth: 0, name: entry.name });
            }
            count <= wanted.cap
        });
        match read {
            // A volume that lists no numbers: an entry's birth must tell it from another.
            #[cfg(windows)]
            Err(e) if e.kind() == io::ErrorKind::Unsupported => return super::plain::list(path, stamp, wanted),
            other => other.map_err(Blind::Unreadable)?,
        }
        if count > wanted.cap {
            return Err(Blind::Capped);
        }
        Ok(with_births(&listing, stamp, wanted, table))
    }

    /// There a number is given to one file only, and a birth may be set by anybody, or be that of an earlier entry with the
    /// same name.
    #[cfg(windows)]
    fn with_births(_listing: &Listing, _stamp: &Stamp, _wanted: &Wanted<'_>, table: Table) -> Names {
        Names { table, taken: false }
    }

    /// The same with births, where they are few.
    #[cfg(target_os = "linux")]
    fn with_births(listing: &Listing, stamp: &Stamp, wanted: &Wanted<'_>, mut table: Table) -> Names {
        if table.len() > crate::limits::MAX_OBSERVED_LSTAT {
            return Names { table, taken: false };
        }
        if wanted.known.is_some_and(|known| takes(listing, stamp, known, &mut table)) {
            return Names { table, taken: true };
        }
        Names { table: asked(listing, &table), taken: false }
    }

    /// Takes the births of what was there from `known`, where new entries alone explain that the folder changed, if it did: all
    /// old ones are there under their numbers, and the folder did not change after the last of the new ones was born.
    #[cfg(target_os = "linux")]
    fn takes(listing: &Listing, stamp: &Stamp, known: crate::observe::folder::Known<'_>, table: &mut Table) -> bool {
        use crate::observe::diff::{Change, diff};
        use crate::observe::facts::GRAIN_MS;
        let changes = diff(known.table, table);
        let mut last = if known.stamp == *stamp { i64::MAX } else { i64::MIN };
        for change in changes {
            let Change::Appeared(at) = change else { return false };
            let Ok(facts) = listing.facts(table.name(at)) else { return false };
            let row = table.row(at);
            if (kind_of(facts.kind), facts.inode) != (row.kind, row.inode) {
                return false;
            }
            table.set_birth(at, facts.birth);
            last = last.max(facts.birth);
        }
        // Not the time of its content: programs can set that one back.
        last.saturating_add(GRAIN_MS) >= stamp.latest_ms()
    }

    /// The same with what lstat says of each. What is gone by now is left out.
    #[cfg(target_os = "linux")]
    fn asked(listing: &Listing, listed: &Table) -> Table {
        let mut table = Table::with_room(listed.as_bytes().len());
        for row in (0..listed.len()).map(|i| listed.row(i)) {
            match listing.facts(row.name) {
                Ok(facts) => {
                    table.push(&Row { kind: kind_of(facts.kind), inode: facts.inode, birth: facts.birth, ..row });
                }
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(_) => table.push(&row),
            }
        }
        table
    }
}

#[cfg(not(target_os = "linux"))]
mod plain {
    use std::fs::{self, DirEntry};
    use std::io;
    use std::path::Path;

    use crate::limits::MAX_OBSERVED_LSTAT;
    use crate::observe::facts::{Stamp, facts_of, kind_of, listed_inode};
    use crate::observe::folder::{Blind, Names, Wanted};
    use crate::observe::table::{Row, Table};

    /// Lists the folder at `path`, where few are wanted with their births.
    pub(crate) fn list(path: &Path, _stamp: &Stamp, wanted: &Wanted<'_>) -> Result<Names, Blind> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Names::default()),
            Err(e) => return Err(Blind::Unreadable(e)),
        };
        let mut table = Table::with_room(wanted.room);
        let mut few = Vec::new();
        for (count, entry) in entries.enumerate() {
            let entry = entry.map_err(Blind::Unreadable)?;
            if count >= wanted.cap {
                return Err(Blind::Capped);
            }
            let name = entry.file_name();
            if !(wanted.takes)(name.as_encoded_bytes()) {
                continue;
            }
            if table.len() == 0 && few.len() < MAX_OBSERVED_LSTAT {
                few.push(entry);
            } else {
                for early in few.drain(..) {
                    push(&mut table, &early, cfg!(windows));
                }
                push(&mut table, &entry, cfg!(windows));
            }
        }
        for entry in few {
            push(&mut table, &entry, true);
        }
        Ok(Names { table, taken: false })
    }

    /// Adds `entry`, with its birth where it is to be asked. One that is gone by now is left out.
    fn push(table: &mut Table, entry: &DirEntry, ask: bool) {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let listed = || {
            let kind = entry.file_type().map(kind_of).unwrap_or_default();
            Row { kind, inode: listed_inode(entry), birth: 0, name }
        };
        if !ask {
            return table.push(&listed());
        }
        match entry.metadata() {
            Ok(meta) => {
                let facts = facts_of(&meta);
                table.push(&Row { kind: facts.kind, inode: facts.inode, birth: facts.birth, name });
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(_) => table.push(&listed()),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;
    use std::path::Path;
    use std::thread::sleep;
    use std::time::Duration;

    use super::list;
    use crate::observe::facts::{GRAIN_MS, Stamp};
    use crate::observe::folder::{Known, Names, Wanted, stamp};

    fn names(path: &Path, known: Option<(&Names, Stamp)>) -> (Names, Stamp) {
        let now = stamp(path).unwrap();
        let known = known.map(|(names, stamp)| Known { table: &names.table, stamp });
        (list(path, &now, &Wanted { cap: 100, takes: &|_| true, room: 0, known }).unwrap(), now)
    }

    fn past_the_grain() {
        sleep(Duration::from_millis(2 * GRAIN_MS.unsigned_abs()));
    }

    #[test]
    fn births_are_taken_where_new_entries_explain_the_change() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        let make = |name: &str| fs::create_dir(path.join(name)).unwrap();
        let check = |known: &(Names, Stamp), taken: bool| {
            let (all, _) = names(path, None);
            let (quick, stamp) = names(path, Some((&known.0, known.1)));
            // Where the file system has births at all.
            let has = (0..all.table.len()).all(|at| all.table.row(at).birth > 0);
            assert_eq!(quick.taken, taken && (has || known.1 == stamp));
            assert!(!all.taken && all.table == quick.table);
        };
        ["a", "b", "c"].into_iter().for_each(make);
        past_the_grain();
        let before = names(path, None);
        check(&before, true);
        make("d");
        check(&before, true);
        // Something happened after the last was born.
        past_the_grain();
        fs::remove_dir(path.join("a")).unwrap();
        make("a");
        check(&before, false);
        // Of what is gone, or moved there, a birth says nothing.
        let before = names(path, None);
        fs::rename(path.join("b"), path.join("e")).unwrap();
        check(&before, false);
        let before = names(path, None);
        fs::remove_dir(path.join("c")).unwrap();
        make("f");
        check(&before, false);
    }
}
