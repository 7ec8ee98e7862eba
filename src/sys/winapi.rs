//! What is used of Windows, declared as in its headers. Everything here is in kernel32 and ntdll, which every program
//! has loaded; other libraries are loaded when they are needed (`super::private`), because each costs a hook's start.

use std::ffi::c_void;
use std::os::windows::ffi::OsStrExt as _;
use std::path::Path;

pub(super) type Handle = *mut c_void;
pub(super) type Bool = i32;

/// Opens a link itself (`CreateFile`).
pub const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
/// Opens folders too.
pub(super) const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
pub(super) const FILE_LIST_DIRECTORY: u32 = 1;
pub(super) const FILE_READ_ATTRIBUTES: u32 = 0x80;
pub(super) const FILE_ATTRIBUTE_DIRECTORY: u32 = 0x10;
pub(super) const FILE_ATTRIBUTE_REPARSE_POINT: u32 = 0x400;
pub(super) const PROCESS_QUERY_LIMITED_INFORMATION: u32 = 0x1000;
pub(super) const STILL_ACTIVE: u32 = 259;
pub(super) const STD_OUTPUT_HANDLE: u32 = 0xffff_fff5;
pub(super) const LOAD_LIBRARY_SEARCH_SYSTEM32: u32 = 0x800;

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(super) struct FileTime {
    pub(super) low: u32,
    pub(super) high: u32,
}

#[repr(C)]
#[derive(Default)]
pub(super) struct ByHandleFileInformation {
    pub(super) attributes: u32,
    times: [FileTime; 3],
    pub(super) volume: u32,
    pub(super) size_high: u32,
    pub(super) size_low: u32,
    pub(super) links: u32,
    pub(super) index_high: u32,
    pub(super) index_low: u32,
}

/// `FILE_BASIC_INFO`. Times count hundreds of nanoseconds since 1601.
#[repr(C)]
#[derive(Default)]
pub(super) struct FileBasicInfo {
    pub(super) created: i64,
    read: i64,
    pub(super) written: i64,
    pub(super) changed: i64,
    attributes: u32,
}

/// `FILE_STANDARD_INFO`.
#[repr(C)]
#[derive(Default)]
pub(super) struct FileStandardInfo {
    pub(super) allocated: i64,
    size: i64,
    links: u32,
    flags: [u8; 2],
}

/// `FILE_ATTRIBUTE_TAG_INFO`.
#[repr(C)]
#[derive(Default)]
pub(super) struct FileAttributeTagInfo {
    attributes: u32,
    pub(super) tag: u32,
}

#[repr(C)]
pub(super) struct SecurityAttributes {
    pub(super) length: u32,
    pub(super) descriptor: *mut c_void,
    pub(super) inherit: Bool,
}

/// The part of `EXCEPTION_RECORD` that is looked at.
#[repr(C)]
pub(super) struct ExceptionRecord {
    pub(super) code: u32,
}

#[repr(C)]
pub(super) struct ExceptionPointers {
    pub(super) record: *const ExceptionRecord,
    context: *const c_void,
}

/// `PROCESS_BASIC_INFORMATION` (winternl.h): the last word is the id of the process that started it.
pub(super) type ProcessBasicInformation = [usize; 6];

#[expect(unsafe_code, reason = "no counterpart in std")]
// SAFETY: declared as in winternl.h. The standard library links this library too.
#[link(name = "ntdll")]
unsafe extern "system" {
    pub(super) fn NtQueryInformationProcess(
        process: Handle,
        class: u32,
        info: *mut ProcessBasicInformation,
        length: u32,
        returned: *mut u32,
    ) -> i32;
}

#[expect(unsafe_code, reason = "no counterpart in std")]
// SAFETY: declared as in the Windows headers (fileapi.h, processthreadsapi.h, handleapi.h, errhandlingapi.h,
// consoleapi.h, processenv.h, libloaderapi.h, synchapi.h, winbase.h).
unsafe extern "system" {
    pub(super) fn CloseHandle(handle: Handle) -> Bool;
    pub(super) fn CreateDirectoryW(path: *const u16, attributes: *const SecurityAttributes) -> Bool;
    pub(super) fn CreateThread(
        attributes: *const SecurityAttributes,
        stack: usize,
        start: extern "system" fn(*mut c_void) -> u32,
        parameter: *mut c_void,
        flags: u32,
        id: *mut u32,
    ) -> Handle;
    pub(super) fn DeviceIoControl(
        device: Handle,
        code: u32,
        given: *const c_void,
        given_length: u32,
        taken: *mut c_void,
        taken_length: u32,
        returned: *mut u32,
        overlapped: *mut c_void,
    ) -> Bool;
    pub(super) fn GetCurrentProcess() -> Handle;
    pub(super) fn GetExitCodeProcess(process: Handle, code: *mut u32) -> Bool;
    pub(super) fn GetFileInformationByHandle(file: Handle, info: *mut ByHandleFileInformation) -> Bool;
    pub(super) fn GetFileInformationByHandleEx(file: Handle, class: u32, info: *mut c_void, length: u32) -> Bool;
    pub(super) fn GetLogicalDrives() -> u32;
    pub(super) fn GetLongPathNameW(short: *const u16, long: *mut u16, length: u32) -> u32;
    pub(super) fn GetProcAddress(library: Handle, name: *const u8) -> *const c_void;
    pub(super) fn GetProcessTimes(
        process: Handle,
        created: *mut FileTime,
        exited: *mut FileTime,
        kernel: *mut FileTime,
        user: *mut FileTime,
    ) -> Bool;
    pub(super) fn GetStdHandle(which: u32) -> Handle;
    pub(super) fn LoadLibraryExW(name: *const u16, file: Handle, flags: u32) -> Handle;
    pub(super) fn LocalFree(memory: *mut c_void) -> *mut c_void;
    pub(super) fn OpenProcess(access: u32, inherit: Bool, pid: u32) -> Handle;
    pub(super) fn QueryDosDeviceW(device: *const u16, target: *mut u16, length: u32) -> u32;
    pub(super) fn SetConsoleCtrlHandler(handler: extern "system" fn(u32) -> Bool, add: Bool) -> Bool;
    pub(super) fn SetUnhandledExceptionFilter(
        filter: extern "system" fn(*const ExceptionPointers) -> i32,
    ) -> *const c_void;
    pub(super) fn Sleep(milliseconds: u32);
    pub(super) fn TerminateProcess(process: Handle, code: u32) -> Bool;
    pub(super) fn WriteFile(
        file: Handle,
        bytes: *const u8,
        length: u32,
        written: *mut u32,
        overlapped: *mut c_void,
    ) -> Bool;
}

/// A path as system calls take it: ended by a zero, and in the form without a length limit where it is long.
pub(super) fn wide(path: &Path) -> Vec<u16> {
    /// Where the limit begins for folders, which is the lower one.
    const LONG: usize = 248;
    let mut units: Vec<u16> = path.as_os_str().encode_wide().collect();
    let backslash = u16::from(b'\\');
    if units.len() >= LONG && path.is_absolute() && !units.starts_with(&[backslash, backslash]) {
        // Taken literally from there on, so only backslashes separate.
        let rest = units.iter().map(|&unit| if unit == u16::from(b'/') { backslash } else { unit });
        units = r"\\?\".encode_utf16().chain(rest).collect();
    }
    units.push(0);
    units
}
