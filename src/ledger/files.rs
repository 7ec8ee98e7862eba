//! Files of the store: private folders, atomic replacement, exclusive creation, locks.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::limits::LOCK_WAIT_MS;

/// Creates `path` and what is missing above it, for this user alone where the platform has modes or access lists.
/// A folder that exists is left as it is.
pub fn create_private_dir(path: &Path) -> io::Result<()> {
    // Up to the last that is there, then down to `path`.
    let mut missing = vec![path];
    let mut climbing = true;
    while let Some(&next) = missing.last() {
        match create_new_private_dir(next) {
            // Some file systems say so of a folder that they do not take: it is not tried again.
            Err(e) if e.kind() == io::ErrorKind::NotFound && climbing => match next.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => missing.push(parent),
                _ => return Err(e),
            },
            // Somebody else may have been quicker.
            Err(e) if !next.is_dir() => return Err(e),
            _ => {
                climbing = false;
                missing.pop();
            }
        }
    }
    Ok(())
}

/// Does `make` something in `dir`, which is created where it is missing.
pub(crate) fn in_private_dir<T>(dir: &Path, make: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match make() {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            create_private_dir(dir)?;
            make()
        }
        other => other,
    }
}

/// Creates the folder `path` itself, for this user alone; fails where something is there.
#[cfg(unix)]
pub(crate) fn create_new_private_dir(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Creates the folder `path` itself, for this user alone; fails where something is there.
#[cfg(windows)]
pub(crate) fn create_new_private_dir(path: &Path) -> io::Result<()> {
    crate::sys::create_private_folder(path)
}

/// Options for a new or existing file that only this user may read. On Windows the folder's access list says so.
pub(crate) fn private_options() -> OpenOptions {
    #[cfg(unix)]
    {
        let mut options = OpenOptions::new();
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options
    }
    #[cfg(not(unix))]
    OpenOptions::new()
}

/// Puts `bytes` in the place of `path` in one step: a reader sees the old file or the new one.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temp = write_temp(path, bytes)?;
    crate::sys::rename_over(&temp, path).inspect_err(|_| discard(&temp))
}

/// Creates `path` with `bytes` in one step. `false` where something was there already; it is left alone.
pub fn create_exclusive(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let temp = write_temp(path, bytes)?;
    // A link is the only step that is both atomic and exclusive everywhere that has it.
    let outcome = fs::hard_link(&temp, path);
    discard(&temp);
    match outcome {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        // File systems without hard links: exclusive, though not in one step.
        Err(_) => match private_options().write(true).create_new(true).open(path) {
            Ok(mut file) => {
                file.write_all(bytes)?;
                file.sync_all()?;
                Ok(true)
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(e) => Err(e),
        },
    }
}

/// Removes a temporary file of ours. One that stays is recognisable by its name and harmless.
fn discard(temp: &Path) {
    let _stays = fs::remove_file(temp);
}

/// Whether `name` is a temporary file of [`replace`] or [`create_exclusive`] that a killed process may leave.
pub(crate) fn is_temp_name(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".wsguard-tmp")
}

/// Writes `bytes` durably to a new file beside `path`.
fn write_temp(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let parent = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    loop {
        // The process and a counter: unique among the living; what a dead process left is stepped over.
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let temp = parent.join(format!(".{}-{n}.wsguard-tmp", std::process::id()));
        let mut file = match private_options().write(true).create_new(true).open(&temp) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && n < 10_000 => continue,
            Err(e) => return Err(e),
        };
        return match file.write_all(bytes).and_then(|()| file.sync_all()) {
            Ok(()) => Ok(temp),
            Err(e) => {
                discard(&temp);
                Err(e)
            }
        };
    }
}

/// An exclusive lock on a file that is never deleted; given back when dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// The locked file: a holder may keep a note in it.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Takes the lock at `path` if nobody holds it. The folder must exist.
    pub fn try_acquire(path: &Path) -> io::Result<Option<Self>> {
        let file = open_lock(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(e),
        }
    }

    /// Waits for the lock at `path`, at most [`LOCK_WAIT_MS`]. The folder must exist.
    pub fn acquire(path: &Path) -> io::Result<Self> {
        Self::acquire_within(path, LOCK_WAIT_MS)
    }

    /// Waits for the lock at `path`, at most `wait` milliseconds. The folder must exist.
    ///
    /// # Errors
    /// [`io::ErrorKind::TimedOut`] where another process holds it for that long.
    pub fn acquire_within(path: &Path, wait: u64) -> io::Result<Self> {
        let file = open_lock(path)?;
        let end = Instant::now() + Duration::from_millis(wait);
        let mut pause = Duration::from_micros(50);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { file }),
                Err(TryLockError::Error(e)) => return Err(e),
                Err(TryLockError::WouldBlock) if Instant::now() >= end => {
                    return Err(io::Error::new(io::ErrorKind::TimedOut, "another process holds the lock"));
                }
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(5));
                }
            }
        }
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    private_options().read(true).write(true).create(true).truncate(false).open(path)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use super::{Lock, create_exclusive, create_private_dir, is_temp_name, replace};

    #[test]
    fn replaces_in_one_step_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.json");
        replace(&path, b"1").unwrap();
        replace(&path, b"22").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"22");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failed_replacement_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        fs::create_dir(&path).unwrap();
        assert!(replace(&path, b"1").is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn only_one_creates() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        let won: usize = std::thread::scope(|s| {
            let racers: Vec<_> = (0..8u8)
                .map(|n| {
                    s.spawn({
                        let path = &path;
                        move || create_exclusive(path, &[n; 100]).unwrap()
                    })
                })
                .collect();
            racers.into_iter().map(|r| usize::from(r.join().unwrap())).sum()
        });
        assert_eq!(won, 1);
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() == 100 && bytes.iter().all(|b| *b == bytes[0]));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn temporary_names() {
        assert!(is_temp_name(".12-0.wsguard-tmp"));
        assert!(!is_temp_name("a.wsguard-tmp"));
    }

    #[cfg(unix)]
    #[test]
    fn private_modes() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b");
        create_private_dir(&path).unwrap();
        create_private_dir(&path).unwrap();
        replace(&path.join("f"), b"").unwrap();
        let mode = |p: &std::path::Path| fs::metadata(p).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&dir.path().join("a")), mode(&path), mode(&path.join("f"))), (0o700, 0o700, 0o600));
    }

    #[cfg(windows)]
    #[test]
    fn private_folders_are_for_this_user() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a").join("b");
        create_private_dir(&path).unwrap();
        create_private_dir(&path).unwrap();
        for made in [path.parent().unwrap(), &path] {
            let list = crate::sys::access_list(made).unwrap();
            assert!(!list.contains(";;;WD)") && !list.contains(";;;BU)"), "{list}");
        }
    }

    #[test]
    fn a_deep_folder_is_made_once_by_many() {
        let dir = tempfile::tempdir().unwrap();
        // Longer than a path of Windows may be without a prefix.
        let path = dir.path().join(["a-name-of-some-length"; 16].join("/"));
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| create_private_dir(&path).unwrap());
            }
        });
        replace(&path.join("f"), b"1").unwrap();
        assert_eq!(fs::read(path.join("f")).unwrap(), b"1");
        fs::write(dir.path().join("file"), "").unwrap();
        assert!(create_private_dir(&dir.path().join("file/a")).is_err());
        #[cfg(target_os = "linux")]
        assert!(create_private_dir(std::path::Path::new("/proc/no/such")).is_err(), "takes no folders");
        assert!(create_private_dir(&dir.path().join("file")).is_err());
    }

    #[test]
    fn a_file_is_replaced_while_it_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        replace(&path, b"old").unwrap();
        // One who has it open all the time; not every Windows lets such a file be replaced.
        #[cfg(unix)]
        {
            let mut reader = fs::File::open(&path).unwrap();
            replace(&path, b"new").unwrap();
            let mut text = String::new();
            std::io::Read::read_to_string(&mut reader, &mut text).unwrap();
            assert_eq!(text, "old");
        }
        replace(&path, b"new").unwrap();
        // Readers that come and go. Where an open file can't be replaced (Wine) they must leave a gap.
        let (rounds, pause) = if cfg!(windows) { (20, 30) } else { (200, 1) };
        std::thread::scope(|s| {
            let readers: Vec<_> = (0..2)
                .map(|_| {
                    s.spawn(|| {
                        for _ in 0..rounds {
                            std::thread::sleep(std::time::Duration::from_millis(pause));
                            let bytes = fs::read(&path).unwrap();
                            assert!(bytes == b"new" || bytes == [b'z'; 100], "{bytes:?}");
                        }
                    })
                })
                .collect();
            while readers.iter().any(|r| !r.is_finished()) {
                replace(&path, &[b'z'; 100]).unwrap();
                replace(&path, b"new").unwrap();
            }
        });
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[cfg(windows)]
    #[test]
    fn one_who_does_not_share_is_waited_for() {
        use std::os::windows::fs::OpenOptionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        replace(&path, b"old").unwrap();
        let alone = fs::OpenOptions::new().read(true).share_mode(0).open(&path).unwrap();
        std::thread::scope(|s| {
            s.spawn(|| replace(&path, b"new").unwrap());
            std::thread::sleep(std::time::Duration::from_millis(50));
            drop(alone);
        });
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn the_lock_excludes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("l");
        let held = Lock::acquire(&path).unwrap();
        assert!(Lock::try_acquire(&path).unwrap().is_none());
        let err = Lock::acquire(&path).unwrap_err();
        assert_eq!(err.kind(), std::io::ErrorKind::TimedOut);
        drop(held);
        assert!(Lock::try_acquire(&path).unwrap().is_some());
        Lock::acquire(&path).unwrap();
    }
}
