//! What stands behind a handle.

use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle as _};

use super::{Identity, Node, NodeKind};
use crate::sys::winapi::{
    ByHandleFileInformation, FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_REPARSE_POINT, GetFileInformationByHandle,
};

const FILE_ATTRIBUTE_READONLY: u32 = 1;

/// What `file` is, where it was opened without following links.
///
/// # Errors
/// The system's.
#[expect(unsafe_code, reason = "std has it for unstable Rust only")]
pub fn node_of(file: impl AsHandle) -> io::Result<Node> {
    let mut info = ByHandleFileInformation::default();
    // SAFETY: the handle is open; `info` is valid for writes and has the system's layout.
    if unsafe { GetFileInformationByHandle(file.as_handle().as_raw_handle(), &raw mut info) } == 0 {
        return Err(io::Error::last_os_error());
    }
    let has = |attribute: u32| info.attributes & attribute != 0;
    let kind = if has(FILE_ATTRIBUTE_REPARSE_POINT) {
        // Of whatever tag: a link, a junction, a mounted volume, or a file of which a part lies elsewhere.
        NodeKind::Link
    } else if has(FILE_ATTRIBUTE_DIRECTORY) {
        NodeKind::Folder
    } else {
        NodeKind::File
    };
    Ok(Node {
        kind,
        len: if kind == NodeKind::File { u64::from(info.size_high) << 32 | u64::from(info.size_low) } else { 0 },
        links: info.links.into(),
        mode: if has(FILE_ATTRIBUTE_READONLY) { 0o444 } else { 0o666 },
        identity: Identity {
            device: info.volume.into(),
            number: u64::from(info.index_high) << 32 | u64::from(info.index_low),
        },
        // A volume that is mounted in a folder is a reparse point.
        mount: None,
    })
}
