//! Access lists by handles.

use std::fs::File;
use std::io;
use std::os::windows::io::AsRawHandle as _;

use crate::sys::ntapi::{NtQuerySecurityObject, NtSetSecurityObject, STATUS_BUFFER_TOO_SMALL, check, error};

/// The list of who may do what (`DACL_SECURITY_INFORMATION`).
const LIST: u32 = 4;

/// Bytes of a list, beyond which none goes.
const MAX_LIST_BYTES: usize = 0x1_1000;

/// Where a descriptor holds its control bits; "some rules came from the folder", and the wish to keep that so.
const CONTROL_AT: usize = 2;
const INHERITED: u16 = 0x400;
const KEEP_INHERITED: u16 = 0x100;

/// What file systems without lists say: invalid function, not supported.
const NO_LISTS: [i32; 2] = [1, 50];

/// Gives `to` the access list of `from`, where that is another than its own.
pub(super) fn copy_access(from: &File, to: &File) -> io::Result<()> {
    let (mut list, own) = match (list_of(from), list_of(to)) {
        (Err(error), _) if error.raw_os_error().is_some_and(|code| NO_LISTS.contains(&code)) => return Ok(()),
        (from, to) => (from?, to?),
    };
    if list == own {
        return Ok(());
    }
    if let Some(control) = list.get_mut(CONTROL_AT..CONTROL_AT + 2) {
        let bits = u16::from_le_bytes([control[0], control[1]]);
        if bits & INHERITED != 0 {
            control.copy_from_slice(&(bits | KEEP_INHERITED).to_le_bytes());
        }
    }
    // Numbers of eight bytes, because the system wants it aligned so.
    let aligned: Vec<u64> = list
        .chunks(8)
        .map(|chunk| {
            let mut eight = [0; 8];
            eight[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(eight)
        })
        .collect();
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: the handle is open; the descriptor is one that the system made, whole and aligned.
    check(unsafe { NtSetSecurityObject(to.as_raw_handle(), LIST, aligned.as_ptr().cast()) })
}

/// The descriptor with the list of `file`, in the form that holds all its parts.
#[expect(unsafe_code, reason = "no counterpart in std")]
fn list_of(file: &File) -> io::Result<Vec<u8>> {
    let mut buffer = vec![0_u64; 64];
    loop {
        let length = u32::try_from(buffer.len() * 8).unwrap_or(0);
        let mut needed = 0;
        // SAFETY: the handle is open; the buffer is valid for writes of `length` bytes.
        let status = unsafe {
            let descriptor = buffer.as_mut_ptr().cast();
            NtQuerySecurityObject(file.as_raw_handle(), LIST, descriptor, length, &raw mut needed)
        };
        let needed = usize::try_from(needed).unwrap_or(usize::MAX);
        if status == STATUS_BUFFER_TOO_SMALL && needed > buffer.len() * 8 && needed <= MAX_LIST_BYTES {
            buffer.resize(needed.div_ceil(8), 0);
            continue;
        }
        if status < 0 {
            return Err(error(status));
        }
        let mut bytes: Vec<u8> = buffer.iter().flat_map(|eight| eight.to_ne_bytes()).collect();
        bytes.truncate(needed);
        return Ok(bytes);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

    use std::fs;

    use super::super::Folder;
    use super::{copy_access, list_of};

    /// Wine makes up the list of a file from its rights on the machine below, and changes those.
    #[test]
    fn one_list_becomes_the_other() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        fs::write(dir.path().join("a"), "").unwrap();
        let protect = |on: bool| {
            let mut rights = fs::metadata(dir.path().join("a")).unwrap().permissions();
            rights.set_readonly(on);
            fs::set_permissions(dir.path().join("a"), rights).unwrap();
        };
        protect(true);
        let (from, to) = (folder.file("a".as_ref()).unwrap(), folder.create("b".as_ref()).unwrap());
        assert!(list_of(&from).unwrap().len() > 20);
        copy_access(&from, &to).unwrap();
        assert_eq!(list_of(&from).unwrap(), list_of(&to).unwrap());
        drop((from, to));
        protect(false);
    }
}
