//! What is used of the system's native interface, which opens files by a name in a folder that is open. Win32 knows paths
//! alone.

use std::ffi::c_void;
use std::io;

use super::winapi::Handle;

/// A text with its length in bytes.
#[repr(C)]
pub(super) struct UnicodeString {
    pub(super) length: u16,
    pub(super) maximum: u16,
    pub(super) buffer: *const u16,
}

#[repr(C)]
pub(super) struct ObjectAttributes {
    pub(super) length: u32,
    pub(super) root: Handle,
    pub(super) name: *const UnicodeString,
    pub(super) attributes: u32,
    pub(super) descriptor: *const c_void,
    pub(super) quality: *const c_void,
}

/// `IO_STATUS_BLOCK`.
#[repr(C)]
#[derive(Default)]
pub(super) struct IoStatus {
    status: usize,
    information: usize,
}

/// Names in one folder are no longer, on any file system.
pub(super) const MAX_NAME_UNITS: usize = 255;

/// `FILE_RENAME_INFORMATION`, with room for a name.
#[repr(C)]
pub(super) struct RenameInformation {
    pub(super) flags: u32,
    pub(super) root: Handle,
    pub(super) length: u32,
    pub(super) name: [u16; MAX_NAME_UNITS],
}

/// The handle is open, and somebody who holds the file by an oplock is being asked to let it go.
pub(super) const STATUS_OPLOCK_BREAK_IN_PROGRESS: i32 = 0x108;
pub(super) const STATUS_NO_MORE_FILES: i32 = 0x8000_0006_u32.cast_signed();
pub(super) const STATUS_NO_SUCH_FILE: i32 = 0xc000_000f_u32.cast_signed();
pub(super) const STATUS_BUFFER_TOO_SMALL: i32 = 0xc000_0023_u32.cast_signed();

#[expect(unsafe_code, reason = "no counterpart in std")]
// SAFETY: declared as in winternl.h and ntifs.h. The standard library links this library too.
#[link(name = "ntdll")]
unsafe extern "system" {
    pub(super) fn NtCreateFile(
        handle: *mut Handle,
        access: u32,
        attributes: *const ObjectAttributes,
        status: *mut IoStatus,
        allocation: *const i64,
        file_attributes: u32,
        share: u32,
        disposition: u32,
        options: u32,
        extended: *const c_void,
        extended_length: u32,
    ) -> i32;
    pub(super) fn NtQueryDirectoryFile(
        folder: Handle,
        event: Handle,
        routine: *const c_void,
        context: *const c_void,
        status: *mut IoStatus,
        info: *mut c_void,
        length: u32,
        class: u32,
        single: u8,
        pattern: *const UnicodeString,
        restart: u8,
    ) -> i32;
    pub(super) fn NtQuerySecurityObject(
        handle: Handle,
        parts: u32,
        descriptor: *mut c_void,
        length: u32,
        needed: *mut u32,
    ) -> i32;
    pub(super) fn NtSetInformationFile(
        file: Handle,
        status: *mut IoStatus,
        info: *const c_void,
        length: u32,
        class: u32,
    ) -> i32;
    pub(super) fn NtSetSecurityObject(handle: Handle, parts: u32, descriptor: *const c_void) -> i32;
    fn RtlNtStatusToDosError(status: i32) -> u32;
}

/// Nothing where `status` says that it went well, else the error.
pub(super) fn check(status: i32) -> io::Result<()> {
    if status >= 0 { Ok(()) } else { Err(error(status)) }
}

/// What `status` means, in the numbers of Win32, which the standard library knows.
#[expect(unsafe_code, reason = "no counterpart in std")]
pub(super) fn error(status: i32) -> io::Error {
    // SAFETY: takes a number alone.
    let code = unsafe { RtlNtStatusToDosError(status) };
    io::Error::from_raw_os_error(code.cast_signed())
}
