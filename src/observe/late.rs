//! HOME/workspace-mgr/observe/late: what events noted that could not have the lock in time, one small file each. The next
//! event that has it takes them over.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::book::Book;
use super::calls::Call;
use crate::ledger::files::{in_private_dir, private_options};
use crate::ledger::stamp::to_ms;
use crate::limits::LATE_TORN_MS;

/// The ending of a note that a call ended.
const ENDED: &str = "ended";
/// The ending of one that is being written.
const TORN: &str = "new";

/// The folder.
#[derive(Debug)]
pub(crate) struct Late {
    dir: PathBuf,
}

impl Late {
    pub(crate) fn at(dir: PathBuf) -> Self {
        Self { dir }
    }

    fn path(&self, key: u64) -> PathBuf {
        self.dir.join(format!("{key:016x}"))
    }

    pub(crate) fn has(&self, key: u64) -> bool {
        fs::symlink_metadata(self.path(key)).is_ok()
    }

    pub(crate) fn has_ended(&self, key: u64) -> bool {
        fs::symlink_metadata(self.path(key).with_extension(ENDED)).is_ok()
    }

    /// Notes a call.
    pub(crate) fn start(&self, key: u64, call: &Call) -> io::Result<()> {
        let path = self.path(key);
        let temp = path.with_extension(TORN);
        self.create(&temp)?.write_all(&call.to_bytes())?;
        crate::sys::rename_over(&temp, &path)
    }

    /// Notes that it ended. The time of the file says when.
    pub(crate) fn end(&self, key: u64) -> io::Result<()> {
        self.create(&self.path(key).with_extension(ENDED)).map(drop)
    }

    fn create(&self, path: &Path) -> io::Result<fs::File> {
        in_private_dir(&self.dir, || private_options().write(true).create(true).truncate(true).open(path))
    }

    /// Takes everything over into `book`. It is stored there before it goes here: what is taken twice says nothing new.
    pub(crate) fn take_over(&self, book: &mut Book, now: u64) -> io::Result<()> {
        self.take_those(book, now, |_| true)
    }

    /// Takes over the calls that were noted alone: what a look found may be theirs, though they began after the rest was taken
    /// over. That one ended is left for the next event: this look may not have seen all that it did.
    pub(crate) fn take_starts(&self, book: &mut Book, now: u64) -> io::Result<()> {
        self.take_those(book, now, |name| !name.contains('.'))
    }

    fn take_those(&self, book: &mut Book, now: u64, wanted: impl Fn(&str) -> bool) -> io::Result<()> {
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(e),
        };
        let mut names = Vec::new();
        for entry in entries {
            names.extend(entry?.file_name().into_string());
        }
        names.retain(|name| wanted(name));
        if names.is_empty() {
            return Ok(());
        }
        // Starts before ends: `0a` comes before `0a.ended`.
        names.sort_unstable();
        let mut taken = Vec::with_capacity(names.len());
        for name in names {
            let path = self.dir.join(&name);
            if Self::take(book, &name, &path, now)? {
                taken.push(path);
            }
        }
        book.write()?;
        taken.iter().try_for_each(|path| ignore_missing(fs::remove_file(path)))
    }

    /// Takes over one file; `false` where it is to stay: it may still be written.
    fn take(book: &mut Book, name: &str, path: &Path, now: u64) -> io::Result<bool> {
        let (digits, ending) = name.split_once('.').unwrap_or((name, ""));
        // What is not ours stays.
        let Ok(key) = u64::from_str_radix(digits, 16) else { return Ok(false) };
        match ending {
            "" => match fs::read(path).map(|bytes| Call::from_bytes(&bytes)) {
                Ok(Some(call)) if !book.is_open(key) && !book.has_ended(key) => book.start(key, &call),
                Ok(Some(_)) => {}
                // A call of which nothing is known.
                Ok(None) => book.lose(now),
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(e),
            },
            ENDED if book.is_open(key) => book.end(key, time_of(path).unwrap_or(now), false),
            TORN if time_of(path).is_some_and(|time| time + LATE_TORN_MS > now) => return Ok(false),
            // Its process was killed.
            TORN => book.lose(now),
            _ => {}
        }
        Ok(true)
    }
}

fn time_of(path: &Path) -> Option<u64> {
    let modified: SystemTime = fs::symlink_metadata(path).ok()?.modified().ok()?;
    Some(to_ms(modified))
}

/// Something that is gone need not be removed.
fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use super::Late;
    use crate::ledger::stamp::now_ms;
    use crate::limits::LATE_TORN_MS;
    use crate::observe::book::Book;
    use crate::observe::calls::Call;

    #[test]
    fn what_was_noted_without_the_lock_is_taken_over_once() {
        let dir = tempfile::tempdir().unwrap();
        let (late, path) = (Late::at(dir.path().join("late")), dir.path().join("book"));
        let now = now_ms();
        let call = |session: &str| Call { session: session.to_owned(), ..Call::default() };
        let mut book = Book::read(path.clone()).unwrap();
        late.take_over(&mut book, now).unwrap();
        book.start(1, &call("one"));
        for key in [2, 3] {
            assert!(!late.has(key));
            late.start(key, &call("late")).unwrap();
            assert!(late.has(key));
        }
        late.end(1).unwrap();
        late.end(3).unwrap();
        late.end(4).unwrap();
        late.take_over(&mut book, now).unwrap();
        let again = Book::read(path.clone()).unwrap();
        let all = again.remembered(0);
        let keys = |calls: &[crate::observe::calls::Known]| calls.iter().map(|k| k.key).collect::<Vec<_>>();
        assert_eq!((keys(&all.open), keys(&all.ended), all.more), (vec![2], vec![3, 1], false));
        assert!(all.ended.iter().all(|known| !known.looked && known.end.is_some_and(|end| end + 60_000 > now)));
        assert_eq!(fs::read_dir(dir.path().join("late")).unwrap().count(), 0);
        // Beside a look the starts alone.
        late.start(5, &call("late")).unwrap();
        late.end(5).unwrap();
        late.take_starts(&mut book, now).unwrap();
        assert!(book.is_open(5) && !late.has(5) && late.has_ended(5));
        late.take_over(&mut book, now).unwrap();
        assert!(book.has_ended(5) && !late.has_ended(5));
        // A call that ended is not opened again by a note that comes twice.
        late.start(3, &call("late")).unwrap();
        late.take_over(&mut book, now).unwrap();
        assert!(!book.is_open(3));
    }

    #[test]
    fn damage_is_a_call_of_which_nothing_is_known() {
        for (name, ready) in [("0a", true), ("0a.new", false)] {
            let dir = tempfile::tempdir().unwrap();
            let folder = dir.path().join("late");
            let late = Late::at(folder.clone());
            let mut book = Book::read(dir.path().join("book")).unwrap();
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(name), "").unwrap();
            fs::write(folder.join("foreign"), "").unwrap();
            late.take_over(&mut book, now_ms()).unwrap();
            assert_eq!((book.remembered(0).more, folder.join(name).exists()), (ready, !ready));
            late.take_over(&mut book, now_ms() + LATE_TORN_MS + 1_000).unwrap();
            assert!(book.remembered(0).more && !folder.join(name).exists() && folder.join("foreign").exists());
        }
    }
}
