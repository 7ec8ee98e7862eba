//! index.json on disk: read, brought up to date, replaced in one step; journals that have grown are put aside.
//!
//! Writers of the index exclude each other by index.lock. The journal's own lock, for which hooks wait, is held only while
//! a grown journal is renamed. Readers take no lock.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::chain::{Chain, Oddities};
use super::read::{Damage, Read, parse};
use super::row::State;
use super::{Index, Notice};
use crate::home::Home;
use crate::ledger::audit::Audit;
use crate::ledger::error::{LedgerError, on};
use crate::ledger::files::{private_options, replace};
use crate::ledger::journal::{Entry, Journal, Kind, lock};
use crate::ledger::observed::Observed;
use crate::ledger::stamp;
use crate::limits::{MAX_INDEX_BYTES, MAX_JOURNAL_ARCHIVES, MAX_JOURNAL_BYTES};

/// Why the index can't be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// Reading or writing failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Nothing with this path is in the index.
    #[error("`{path}` is not in the index")]
    Missing {
        /// As it was asked for.
        path: String,
    },
    /// The entry is gone.
    #[error("`{path}` is gone since {since}")]
    Gone {
        /// The entry.
        path: String,
        /// When that was seen.
        since: String,
    },
    /// It is larger than what is read.
    #[error("`{}` is larger than {MAX_INDEX_BYTES} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A file to import is no index.
    #[error("`{}` holds no index", path.display())]
    NoIndex {
        /// The file.
        path: PathBuf,
    },
}

impl IndexError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Ledger(error) => error.code(),
            Self::Missing { .. } => "entry_missing",
            Self::Gone { .. } => "entry_gone",
            Self::TooLarge { .. } => "index_too_large",
            Self::NoIndex { .. } => "index_form",
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Ledger(error) => error.hint(),
            Self::Missing { .. } => {
                "`wsguard ledger list --state all` lists what is; `wsguard scan` looks for what is new"
            }
            Self::Gone { .. } => "an entry that is gone can't be marked",
            Self::TooLarge { .. } => "move it away; it is built anew from the journal",
            Self::NoIndex { .. } => "name an index.json of workspace-guard or dsh-workspace-mgr",
        }
    }
}

/// The index and what was found while it was read.
#[derive(Debug)]
pub struct Opened {
    /// Up to date with the journal.
    pub index: Index,
    /// What was damaged, and where it was put; for people.
    pub warnings: Vec<String>,
}

/// The index of one HOME.
#[derive(Clone, Debug)]
pub struct Store {
    home: Home,
    path: PathBuf,
}

impl Store {
    /// The index below `home`; it need not exist.
    pub fn at(home: &Home) -> Self {
        Self { home: home.clone(), path: home.ledger().join("index.json") }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the index with what the journal adds to it, and writes nothing.
    pub fn read(&self) -> Result<Opened, IndexError> {
        let mut warnings = Vec::new();
        let mut rounds = 0;
        loop {
            let Read { mut index, damage } = self.load()?;
            let chain = Chain::of(&self.home)?;
            let odd = fold_all(&chain, &mut index, damage)?;
            // A journal that was put aside meanwhile may have been missed.
            if Chain::of(&self.home)?.archives() != chain.archives() && rounds < 5 {
                rounds += 1;
                continue;
            }
            if damage != Damage::None {
                warnings.push(format!("{} is damaged; what is readable is shown", self.path.display()));
            }
            if odd.lines > 0 {
                warnings.push(format!("lines of the journal that can't be read: {}", odd.lines));
            }
            return Ok(Opened { index, warnings });
        }
    }

    /// Reads the index, lets `change` change it and writes it back; puts a grown journal aside.
    pub fn update<T>(
        &self,
        change: impl FnOnce(&mut Index) -> Result<T, IndexError>,
    ) -> Result<(T, Opened), IndexError> {
        let _lock = lock(&self.home.ledger().join("index.lock"))?;
        let Read { mut index, damage } = self.load()?;
        let before = (damage == Damage::None).then(|| index.clone());
        let mut warnings = Vec::new();
        let mut chain = Chain::of(&self.home)?;
        if damage != Damage::None {
            let aside = self.set_aside()?;
            let text = format!("{} was damaged; it is kept as {}", self.path.display(), aside.display());
            warnings.push(text.clone());
            index.note(own_notice("index_damaged", text));
        }
        let odd = fold_all(&chain, &mut index, damage)?;
        self.keep(&odd, &mut index, &mut warnings)?;
        let outcome = change(&mut index)?;
        // What was done may have added to the journal.
        let odd = chain.fold(&mut index)?;
        self.keep(&odd, &mut index, &mut warnings)?;
        if Some(&index) != before.as_ref() {
            self.write(&index)?;
        }
        self.rotate(&mut chain, &mut index)?;
        Ok((outcome, Opened { index, warnings }))
    }

    /// Marks the entry at `path` as `state`, on behalf of `by`. Audited. Gives the state that it had.
    pub fn mark(&self, path: &str, state: State, by: &str) -> Result<(State, Opened), IndexError> {
        self.update(|index| {
            let row = index.get(path).ok_or_else(|| IndexError::Missing { path: path.to_owned() })?;
            if let Some(since) = &row.gone {
                return Err(IndexError::Gone { path: path.to_owned(), since: since.clone() });
            }
            let old = row.state;
            if old == state {
                return Ok(old);
            }
            let observed =
                Observed { entry_kind: row.entry_kind, signature: row.signature.clone(), ..Observed::default() };
            let data = serde_json::json!({
                "path": path, "signature": row.signature, "from": old, "state": state, "by": by,
            });
            let audit = Audit::at(&self.home);
            let intent = audit.intent("mark", &data)?;
            let entry = Entry {
                path: Some(path),
                state: state.as_str(),
                by,
                observed: Some(&observed),
                ..Entry::new(Kind::Mark, "")
            };
            let done = Journal::at(&self.home).append(&entry);
            intent.outcome(&serde_json::json!({ "ok": done.is_ok() }))?;
            done?;
            Ok(old)
        })
    }

    fn load(&self) -> Result<Read, IndexError> {
        Ok(read_index(&self.path)?.unwrap_or_default())
    }

    fn write(&self, index: &Index) -> Result<(), IndexError> {
        let fail = on("write", &self.path);
        let bytes = index.to_bytes().map_err(|e| fail(e.into()))?;
        Ok(replace(&self.path, &bytes).map_err(fail)?)
    }

    /// Gives the damaged file a name of its own.
    fn set_aside(&self) -> Result<PathBuf, LedgerError> {
        let stamp = stamp::format_utc(stamp::now_ms()).replace([':', '.'], "-");
        let mut n = 0;
        loop {
            let name =
                if n == 0 { format!("index-damaged-{stamp}.json") } else { format!("index-damaged-{stamp}-{n}.json") };
            let aside = self.path.with_file_name(name);
            // The copy is there before the file is replaced, whenever the process is killed.
            match fs::hard_link(&self.path, &aside) {
                Ok(()) => return Ok(aside),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && n < 1000 => n += 1,
                Err(_) => {
                    // No hard links here.
                    return fs::copy(&self.path, &aside).map(|_| aside).map_err(on("copy", &self.path));
                }
            }
        }
    }

    /// Keeps damaged lines in a file of their own and says so.
    fn keep(&self, odd: &Oddities, index: &mut Index, warnings: &mut Vec<String>) -> Result<(), LedgerError> {
        if odd.lost {
            let text = "the journal was replaced by another; the index goes on with that".to_owned();
            warnings.push(text.clone());
            index.note(own_notice("journal_replaced", text));
        }
        if odd.lines == 0 {
            return Ok(());
        }
        let path = self.home.ledger().join("journal-damaged.txt");
        let mut file = private_options().append(true).create(true).open(&path).map_err(on("open", &path))?;
        file.write_all(&odd.damaged).map_err(on("append to", &path))?;
        let text =
            format!("lines of the journal that can't be read: {}; they are kept in {}", odd.lines, path.display());
        warnings.push(text.clone());
        index.note(own_notice("journal_damaged", text));
        Ok(())
    }

    /// Puts the journal aside where it has grown, and removes the oldest of many. Hooks wait meanwhile.
    fn rotate(&self, chain: &mut Chain, index: &mut Index) -> Result<(), IndexError> {
        let journal = Journal::at(&self.home);
        let length = |path: &Path| fs::metadata(path).map_or(0, |meta| meta.len());
        if length(journal.path()) < MAX_JOURNAL_BYTES {
            return Ok(());
        }
        let aside = chain.next_archive();
        let held = journal.hold()?;
        fs::rename(journal.path(), &aside).map_err(on("rename", journal.path()))?;
        drop(held);
        *chain = Chain::of(&self.home)?;
        // Only what the stored index has may go.
        chain.fold(index)?;
        self.write(index)?;
        let many = chain.archives().len().saturating_sub(MAX_JOURNAL_ARCHIVES);
        for old in &chain.archives()[..many] {
            fs::remove_file(old).map_err(on("remove", old))?;
        }
        Ok(())
    }
}

/// Adds what the journal has beyond `index`. Where that was damaged and has lost its place in the journal, the journal is folded from its beginning; what only the index knew
/// (sizes, entries of other writers) is taken over.
fn fold_all(chain: &Chain, index: &mut Index, damage: Damage) -> Result<Oddities, LedgerError> {
    if damage == Damage::None {
        return chain.fold(index);
    }
    let salvaged = std::mem::take(index);
    let odd = chain.fold(index)?;
    for (path, row) in salvaged.rows {
        match index.rows.get_mut(&path) {
            None => index.insert(row),
            Some(known) if known.signature == row.signature => {
                known.first_seen = row.first_seen.or_else(|| known.first_seen.take());
                known.state = row.state;
                known.story = row.story;
                (known.bytes, known.files, known.allocated) = (row.bytes, row.files, row.allocated);
                (known.last_scan, known.partial, known.extra) = (row.last_scan, row.partial, row.extra);
            }
            Some(_) => {}
        }
    }
    index.extra = salvaged.extra;
    salvaged.notices.into_iter().for_each(|notice| index.note(notice));
    Ok(odd)
}

fn own_notice(code: &str, text: String) -> Notice {
    Notice { time: stamp::format_utc(stamp::now_ms()), code: code.to_owned(), text, ..Notice::default() }
}

/// Reads a stored index. `None`: there is none.
pub(super) fn read_index(path: &Path) -> Result<Option<Read>, IndexError> {
    let fail = on("read", path);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(fail(e).into()),
    };
    let mut bytes = Vec::new();
    file.take(MAX_INDEX_BYTES + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > MAX_INDEX_BYTES {
        return Err(IndexError::TooLarge { path: path.to_owned() });
    }
    Ok(Some(parse(&bytes)))
}
