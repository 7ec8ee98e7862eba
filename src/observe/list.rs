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
    use crate::observe::folder::{Blind, Wanted};
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

    /// Lists the folder at `path`, where few are wanted with their births.
    pub(crate) fn list(path: &Path, wanted: &Wanted<'_>) -> Result<Table, Blind> {
        let listing = match Listing::open(path) {
            Ok(listing) => listing,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Table::default()),
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
            Err(e) if e.kind() == io::ErrorKind::Unsupported => return super::plain::list(path, wanted),
            other => other.map_err(Blind::Unreadable)?,
        }
        if count > wanted.cap {
            return Err(Blind::Capped);
        }
        Ok(with_births(&listing, table))
    }

    /// There a number is given to one file only, and a birth may be set by anybody, or be that of an earlier entry with the
    /// same name.
    #[cfg(windows)]
    fn with_births(_listing: &Listing, table: Table) -> Table {
        table
    }

    /// The same with what lstat says, where they are few. What is gone by now is left out.
    #[cfg(target_os = "linux")]
    fn with_births(listing: &Listing, listed: Table) -> Table {
        if listed.len() > crate::limits::MAX_OBSERVED_LSTAT {
            return listed;
        }
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
    use crate::observe::facts::{facts_of, kind_of, listed_inode};
    use crate::observe::folder::{Blind, Wanted};
    use crate::observe::table::{Row, Table};

    /// Lists the folder at `path`, where few are wanted with their births.
    pub(crate) fn list(path: &Path, wanted: &Wanted<'_>) -> Result<Table, Blind> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Table::default()),
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
        Ok(table)
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
