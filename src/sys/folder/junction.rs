//! Junctions: links to folders, which anybody may make on Windows.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::AsRawHandle as _;
use std::path::Path;

use crate::sys::winapi::{DeviceIoControl, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT};

const GENERIC_WRITE: u32 = 0x4000_0000;
const FSCTL_SET_REPARSE_POINT: u32 = 0x0009_00a4;
const IO_REPARSE_TAG_MOUNT_POINT: u32 = 0xa000_0003;

/// Makes `link` a junction to the folder `target`, which need not be there.
///
/// # Errors
/// The system's; [`io::ErrorKind::Unsupported`] where it says that it made one and none is there.
pub fn make_junction(target: &Path, link: &Path) -> io::Result<()> {
    fs::create_dir(link)?;
    let made = turn(target, link).and_then(|()| match fs::symlink_metadata(link) {
        Ok(meta) if meta.is_symlink() => Ok(()),
        _ => Err(io::Error::new(io::ErrorKind::Unsupported, "this system makes no junctions")),
    });
    made.inspect_err(|_| fs::remove_dir(link).unwrap_or_default())
}

/// Turns the empty folder `link` into a junction.
fn turn(target: &Path, link: &Path) -> io::Result<()> {
    let target = std::path::absolute(target)?;
    let shown: Vec<u16> = target.as_os_str().encode_wide().collect();
    let native: Vec<u16> = r"\??\".encode_utf16().chain(shown.iter().copied()).collect();
    let size = |count: usize| u16::try_from(count).map_err(|_| io::Error::from(io::ErrorKind::InvalidFilename));
    // `REPARSE_DATA_BUFFER` of a mount point: both names, each with a zero at its end.
    let names = [&native[..], &[0], &shown, &[0]].concat();
    let mut data = IO_REPARSE_TAG_MOUNT_POINT.to_le_bytes().to_vec();
    let halves = [
        8 + size(names.len() * 2)?,
        0,
        0,
        size(native.len() * 2)?,
        size(native.len() * 2 + 2)?,
        size(shown.len() * 2)?,
    ];
    data.extend(halves.iter().chain(&names).flat_map(|half| half.to_le_bytes()));
    let folder = OpenOptions::new()
        .access_mode(GENERIC_WRITE)
        .custom_flags(FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS)
        .open(link)?;
    let length = u32::try_from(data.len()).map_err(|_| io::ErrorKind::InvalidFilename)?;
    let mut returned = 0;
    #[expect(unsafe_code, reason = "std has it for unstable Rust only")]
    // SAFETY: the handle is open; `data` is valid for reads of `length` bytes; nothing is given back.
    let done = unsafe {
        DeviceIoControl(
            folder.as_raw_handle(),
            FSCTL_SET_REPARSE_POINT,
            data.as_ptr().cast(),
            length,
            std::ptr::null_mut(),
            0,
            &raw mut returned,
            std::ptr::null_mut(),
        )
    };
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
