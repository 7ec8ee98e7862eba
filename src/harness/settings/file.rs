//! Reading a settings file, and replacing it in one step with a backup beside it.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::SettingsError;
use crate::limits::{MAX_LINKS, MAX_SETTINGS_BYTES};

/// Part of a backup's name between the file's own and the time.
const BACKUP_MARK: &str = ".wsguard-backup-";

/// Backups kept beside one file: the oldest, which is the file as it was before us, and the newest others.
const BACKUPS_KEPT: usize = 3;

/// A settings file as it was read; it need not exist.
#[derive(Debug)]
pub struct SettingsFile {
    path: PathBuf,
    /// Where `path` leads after links.
    target: PathBuf,
    /// `None`: there is no file.
    text: Option<String>,
}

/// Holds other runs of this program off the same folder until it is dropped.
#[derive(Debug)]
pub struct FolderLock {
    _folder: Option<File>,
}

impl SettingsFile {
    /// Reads the file at `path`, following links.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let target = follow(path)?;
        let text = read_text(&target)?;
        Ok(Self { path: path.to_owned(), target, text })
    }

    /// The path that was asked for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text, empty where there is no file.
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Whether there is a file.
    pub fn exists(&self) -> bool {
        self.text.is_some()
    }

    /// Waits for other runs of this program that edit files in the same folder, which is made where missing.
    pub fn lock(path: &Path) -> Result<FolderLock, SettingsError> {
        let target = follow(path)?;
        let folder = parent(&target);
        let fail = |source| SettingsError::Write { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(fail)?;
        match lock_folder(folder) {
            // Some network file systems know no locks.
            Err(e) if e.kind() == io::ErrorKind::Unsupported => Ok(FolderLock { _folder: None }),
            Err(e) => Err(fail(e)),
            Ok(handle) => Ok(FolderLock { _folder: Some(handle) }),
        }
    }

    /// Replaces the file by `text` in one step: a reader sees the old text or the new one, never a part. Mode and
    /// owner stay; `now` names the backup (`20260131T235959Z`), whose path is returned where one was made.
    pub fn replace(&self, text: &str, now: &str) -> Result<Option<PathBuf>, SettingsError> {
        let folder = parent(&self.target);
        let fail = |source| SettingsError::Write { path: self.target.clone(), source };
        let before = match fs::metadata(&self.target) {
            Ok(meta) => Some(meta),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(fail(e)),
        };
        if before.as_ref().is_some_and(|m| m.permissions().readonly()) {
            return Err(SettingsError::ReadOnly { path: self.target.clone() });
        }
        fs::create_dir_all(folder).map_err(fail)?;
        let mut file = temporary(folder, before.is_none()).map_err(fail)?;
        file.write_all(text.as_bytes()).map_err(fail)?;
        if let Some(meta) = &before {
            keep_rights(&self.target, meta, file.as_file(), file.path()).map_err(fail)?;
        }
        file.as_file().sync_all().map_err(fail)?;
        let backup = if self.exists() { self.backup(now)? } else { None };
        if read_text(&self.target)? != self.text {
            return Err(SettingsError::Contended { path: self.path.clone() });
        }
        put_in_place(file, &self.target).map_err(fail)?;
        Ok(backup)
    }

    /// Copies the file beside itself unless a backup holds the same text already.
    fn backup(&self, now: &str) -> Result<Option<PathBuf>, SettingsError> {
        let old = backups(&self.target);
        if old.iter().any(|p| fs::read(p).is_ok_and(|b| b == self.text().as_bytes())) {
            return Ok(None);
        }
        let name = self.target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Two changes within one second get names of their own.
        for n in 0..100 {
            let suffix = if n == 0 { String::new() } else { format!("-{n}") };
            let path = self.target.with_file_name(format!("{name}{BACKUP_MARK}{now}{suffix}"));
            let fail = |source| SettingsError::Write { path: path.clone(), source };
            let mut file = match private_new(&path) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                other => other.map_err(fail)?,
            };
            file.write_all(self.text().as_bytes()).map_err(fail)?;
            let meta = fs::metadata(&self.target).map_err(fail)?;
            keep_rights(&self.target, &meta, &file, &path).map_err(fail)?;
            file.sync_all().map_err(fail)?;
            prune(&old);
            return Ok(Some(path));
        }
        Err(SettingsError::Contended { path: self.path.clone() })
    }
}

/// The backups beside `path`, oldest first.
pub fn backups(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name().and_then(|n| n.to_str()) else { return Vec::new() };
    let prefix = format!("{name}{BACKUP_MARK}");
    let mut found: Vec<PathBuf> = fs::read_dir(parent(path))
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|e| e.file_name().to_str().is_some_and(|n| n.starts_with(&prefix)))
        .map(|e| e.path())
        .collect();
    found.sort();
    found
}

/// Removes backups between the oldest and the newest ones, one of which was just added.
fn prune(old: &[PathBuf]) {
    let Some((_oldest, later)) = old.split_first() else { return };
    let spare = later.len().saturating_sub(BACKUPS_KEPT - 2);
    for path in &later[..spare] {
        // One backup too many does no harm.
        drop(fs::remove_file(path));
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where `path` leads; the last link may dangle.
fn follow(path: &Path) -> Result<PathBuf, SettingsError> {
    let mut at = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&at) {
            Ok(link) => at = parent(&at).join(link),
            // Not a link, or nothing there; other troubles show when it is read.
            Err(_) => return Ok(at),
        }
    }
    let source = io::Error::other("too many symbolic links");
    Err(SettingsError::Read { path: path.to_owned(), source })
}

fn read_text(path: &Path) -> Result<Option<String>, SettingsError> {
    let fail = |source| SettingsError::Read { path: path.to_owned(), source };
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(fail(e)),
    };
    // Asked before opening: opening a pipe would wait for a writer.
    if !meta.is_file() {
        return Err(SettingsError::NotAFile { path: path.to_owned() });
    }
    let limit = MAX_SETTINGS_BYTES;
    if meta.len() > limit as u64 {
        return Err(SettingsError::TooLarge { path: path.to_owned(), bytes: meta.len(), limit });
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|f| f.take(limit as u64).read_to_end(&mut bytes)).map_err(fail)?;
    let text = String::from_utf8(bytes).map_err(|_| SettingsError::NotText { path: path.to_owned() })?;
    Ok(Some(text))
}

/// A new file that only its owner can read: settings may hold keys. On Windows the folder's access list says so.
fn private_new(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Waits for the lock on the folder itself, so that no file of ours is left in it.
#[cfg(unix)]
fn lock_folder(folder: &Path) -> io::Result<File> {
    let handle = File::open(folder)?;
    handle.lock()?;
    Ok(handle)
}

/// Waits for the lock on the folder: a file that one process at a time can open, and that is gone when it is closed.
/// A folder itself can't be locked here.
#[cfg(windows)]
fn lock_folder(folder: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;

    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    /// "Used by another process", and "access denied" while the last holder's file is going.
    const HELD: [i32; 2] = [32, 5];
    let path = folder.join(".wsguard-lock");
    let end = std::time::Instant::now() + std::time::Duration::from_millis(crate::limits::LOCK_WAIT_MS);
    loop {
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(false).share_mode(0).custom_flags(DELETE_ON_CLOSE);
        match options.open(&path) {
            Err(e) if e.raw_os_error().is_some_and(|code| HELD.contains(&code)) && std::time::Instant::now() < end => {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            outcome => return outcome,
        }
    }
}

/// Puts the finished file where it belongs.
fn put_in_place(file: tempfile::NamedTempFile, target: &Path) -> io::Result<()> {
    // From here on it is no temporary file to the system.
    let path = file.into_temp_path().keep().map_err(|e| e.error)?;
    crate::sys::rename_over(&path, target).inspect_err(|_| drop(fs::remove_file(&path)))
}

/// Gives the new `file` the owner and the mode of the old one.
#[cfg(unix)]
fn keep_rights(_old: &Path, like: &fs::Metadata, file: &File, _new: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let now = file.metadata()?;
    if (now.uid(), now.gid()) != (like.uid(), like.gid()) {
        fchown(file, Some(like.uid()), Some(like.gid()))?;
    }
    // After the owner: a change of owner may clear mode bits.
    file.set_permissions(like.permissions())
}

/// Gives the new file the access list of the old one. The only mode is the read-only one, and what has it is not written.
#[cfg(windows)]
fn keep_rights(old: &Path, _like: &fs::Metadata, _file: &File, new: &Path) -> io::Result<()> {
    match crate::sys::copy_access(old, new) {
        // A file system without lists.
        Err(e) if e.kind() == io::ErrorKind::Unsupported => Ok(()),
        outcome => outcome,
    }
}

/// The file that is renamed in the end: readable for its owner alone, or as the umask says for a new file.
#[cfg(unix)]
fn temporary(folder: &Path, as_umask_says: bool) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wsguard-");
    if as_umask_says {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// The file that is renamed in the end: as open as its folder says.
#[cfg(windows)]
fn temporary(folder: &Path, _as_umask_says: bool) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().prefix(".wsguard-").tempfile_in(folder)
}
