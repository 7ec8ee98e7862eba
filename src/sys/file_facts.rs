//! What Windows says of a file, a folder or a link itself, by one open handle: more than the standard library asks for.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::AsRawHandle as _;
use std::path::Path;

use super::winapi::{
    ByHandleFileInformation, FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_REPARSE_POINT, FILE_FLAG_BACKUP_SEMANTICS,
    FILE_FLAG_OPEN_REPARSE_POINT, FILE_READ_ATTRIBUTES, FileAttributeTagInfo, FileBasicInfo, FileStandardInfo,
    GetFileInformationByHandle, GetFileInformationByHandleEx,
};

/// What is known of one entry; of a link about the link. Times are nanoseconds since 1970, 0 where not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// It stands for something else: a symbolic link, a junction, a mounted volume.
    pub is_link: bool,
    /// It is a folder, and no link to one.
    pub is_folder: bool,
    /// The volume.
    pub device: u64,
    /// Its number there. NTFS gives a number to one file only.
    pub inode: u64,
    /// Names that it has.
    pub links: u64,
    /// Bytes of its contents.
    pub bytes: u64,
    /// Bytes that it takes on the volume.
    pub allocated: u64,
    /// When it was made. Programs can set it, and Windows gives one that is made anew soon after the old time.
    pub birth: i64,
    /// When its contents changed.
    pub modified: i64,
    /// When anything about it changed.
    pub changed: i64,
}

/// Facts about whatever is at `path` itself.
pub fn file_facts(path: &Path) -> io::Result<FileFacts> {
    // No right but to look at it: others may hold it open in whatever way.
    let file = OpenOptions::new()
        .access_mode(FILE_READ_ATTRIBUTES)
        .custom_flags(FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS)
        .open(path)?;
    facts_of(&file)
}

#[expect(unsafe_code, reason = "std has it for unstable Rust only")]
pub(super) fn facts_of(file: &File) -> io::Result<FileFacts> {
    let mut info = ByHandleFileInformation::default();
    // SAFETY: the handle is open; `info` is valid for writes and has the system's layout.
    if unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut info) } == 0 {
        return Err(io::Error::last_os_error());
    }
    let is_link = info.attributes & FILE_ATTRIBUTE_REPARSE_POINT != 0 && leads_away(file);
    let is_folder = !is_link && info.attributes & FILE_ATTRIBUTE_DIRECTORY != 0;
    let bytes = if is_folder { 0 } else { u64::from(info.size_high) << 32 | u64::from(info.size_low) };
    // What a file system does not tell stays unknown.
    let basic = query::<FileBasicInfo>(file).unwrap_or_default();
    let allocated = query::<FileStandardInfo>(file).map_or(bytes, |info| info.allocated.cast_unsigned());
    Ok(FileFacts {
        is_link,
        is_folder,
        device: info.volume.into(),
        inode: u64::from(info.index_high) << 32 | u64::from(info.index_low),
        links: info.links.into(),
        bytes,
        allocated,
        birth: since_1970(basic.created),
        modified: since_1970(basic.written),
        changed: since_1970(basic.changed),
    })
}

/// Whether a reparse point stands for another place. Others are files and folders of which a part lies elsewhere (in a
/// cloud, compressed).
fn leads_away(file: &File) -> bool {
    // What can't be told apart is not entered.
    query::<FileAttributeTagInfo>(file).map_or(true, |info| is_name(info.tag))
}

/// Whether a reparse point with this tag stands for another name (`IsReparseTagNameSurrogate`).
pub(super) const fn is_name(tag: u32) -> bool {
    tag & 0x2000_0000 != 0
}

/// Nanoseconds since 1970 of a time that counts in hundreds of them since 1601; 0 for none.
pub(super) const fn since_1970(time: i64) -> i64 {
    const EPOCH: i64 = 116_444_736_000_000_000;
    if time <= 0 { 0 } else { time.saturating_sub(EPOCH).saturating_mul(100) }
}

/// A structure that [`GetFileInformationByHandleEx`] fills.
pub(super) trait Info: Default {
    /// Its class (`FILE_INFO_BY_HANDLE_CLASS`).
    const CLASS: u32;
}

impl Info for FileBasicInfo {
    const CLASS: u32 = 0;
}

impl Info for FileStandardInfo {
    const CLASS: u32 = 1;
}

impl Info for FileAttributeTagInfo {
    const CLASS: u32 = 9;
}

#[expect(unsafe_code, reason = "no counterpart in std")]
fn query<T: Info>(file: &File) -> io::Result<T> {
    let mut info = T::default();
    let length = u32::try_from(size_of::<T>()).unwrap_or(0);
    // SAFETY: the handle is open; `info` is valid for writes of `length` bytes, has the layout of its class, and holds
    // plain numbers.
    let done = unsafe { GetFileInformationByHandleEx(file.as_raw_handle(), T::CLASS, (&raw mut info).cast(), length) };
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(info) }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;
    use std::time::{Duration, UNIX_EPOCH};

    use super::{file_facts, is_name, since_1970};

    #[test]
    fn agrees_with_the_standard_library() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "12345").unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1_000_000_000)).unwrap();
        drop(file);
        fs::hard_link(&path, dir.path().join("other")).unwrap();
        let facts = file_facts(&path).unwrap();
        assert_eq!((facts.is_folder, facts.is_link, facts.bytes, facts.links), (false, false, 5, 2));
        assert_eq!(facts.modified, 1_000_000_000_000_000_000);
        let now = i64::try_from(UNIX_EPOCH.elapsed().unwrap().as_nanos()).unwrap();
        // What nobody can set moves when it is set otherwise.
        assert!((now - facts.changed).abs() < 3_600_000_000_000, "{} {now}", facts.changed);
        assert_eq!(file_facts(&dir.path().join("other")).unwrap(), facts);
        let folder = file_facts(dir.path()).unwrap();
        assert!(folder.is_folder && folder.bytes == 0 && folder.inode != facts.inode);
        assert_eq!(folder.device, facts.device);
        assert!(file_facts(&dir.path().join("none")).is_err_and(|e| e.kind() == std::io::ErrorKind::NotFound));
    }

    #[test]
    fn one_whom_others_hold_open_is_known() {
        use std::os::windows::fs::OpenOptionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("held");
        let held = fs::OpenOptions::new().write(true).create_new(true).share_mode(0).open(&path).unwrap();
        assert_eq!(file_facts(&path).unwrap().links, 1);
        drop(held);
    }

    #[test]
    fn times_and_tags() {
        assert_eq!(since_1970(0), 0);
        assert_eq!(since_1970(116_444_736_000_000_001), 100);
        assert_eq!(since_1970(i64::MAX), i64::MAX);
        // A junction and a symbolic link, but neither a file of a cloud nor one that is compressed.
        assert!(is_name(0xa000_0003) && is_name(0xa000_000c) && !is_name(0x9000_001a) && !is_name(0x8000_0017));
    }
}
