//! Who may open a folder or file: access control lists of Windows.
//!
//! The functions are in a library that a hook does not need otherwise, so it is loaded when they are.

use std::ffi::c_void;
use std::io;
use std::path::Path;

use super::winapi::{
    CloseHandle, CreateDirectoryW, GetCurrentProcess, GetProcAddress, Handle, LOAD_LIBRARY_SEARCH_SYSTEM32,
    LoadLibraryExW, LocalFree, SecurityAttributes, wide,
};

const TOKEN_QUERY: u32 = 8;
const TOKEN_USER: u32 = 1;
const SDDL_REVISION: u32 = 1;
const SE_FILE_OBJECT: u32 = 1;
const OWNER_INFORMATION: u32 = 1;
const DACL_INFORMATION: u32 = 4;
const PROTECTED_DACL: u32 = 0x8000_0000;
const UNPROTECTED_DACL: u32 = 0x2000_0000;
const CONTROL_PROTECTED: u16 = 0x1000;

// SAFETY: all as declared in processthreadsapi.h, securitybaseapi.h, sddl.h and aclapi.h.
type OpenProcessToken = unsafe extern "system" fn(Handle, u32, *mut Handle) -> i32;
type GetTokenInformation = unsafe extern "system" fn(Handle, u32, *mut c_void, u32, *mut u32) -> i32;
type SidToText = unsafe extern "system" fn(*const c_void, *mut *mut u16) -> i32;
type TextToDescriptor = unsafe extern "system" fn(*const u16, u32, *mut *mut c_void, *mut u32) -> i32;
type DescriptorToText = unsafe extern "system" fn(*const c_void, u32, u32, *mut *mut u16, *mut u32) -> i32;
type Control = unsafe extern "system" fn(*const c_void, *mut u16, *mut u32) -> i32;
// SAFETY: see above.
type GetNamed = unsafe extern "system" fn(
    *const u16,
    u32,
    u32,
    *mut *mut c_void,
    *mut *mut c_void,
    *mut *mut c_void,
    *mut *mut c_void,
    *mut *mut c_void,
) -> u32;
// SAFETY: see above.
type SetNamed =
    unsafe extern "system" fn(*mut u16, u32, u32, *const c_void, *const c_void, *const c_void, *const c_void) -> u32;

/// Creates the folder `path`, open to this user, the system and administrators alone, and what is made in it too.
/// Fails where something is there or its parent is missing. File systems without lists make a plain folder.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    let Some(sid) = user_sid() else { return std::fs::create_dir(path) };
    let rule = format!("O:{sid}D:P(A;OICI;FA;;;{sid})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)");
    // Without the library's help the folder is as open as the one it is made in; `doctor` tells.
    let Some(descriptor) = descriptor(&rule) else { return std::fs::create_dir(path) };
    let attributes = SecurityAttributes {
        length: u32::try_from(size_of::<SecurityAttributes>()).unwrap_or(0),
        descriptor: descriptor.0,
        inherit: 0,
    };
    let name = wide(path);
    #[expect(unsafe_code, reason = "std creates folders with inherited lists only")]
    // SAFETY: `name` ends with a zero; `attributes` holds a descriptor that lives until the end of this function.
    let made = unsafe { CreateDirectoryW(name.as_ptr(), &raw const attributes) } != 0;
    if made { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Owner and access list of what stands at `path`, as text in the security descriptor definition language.
pub fn access_list(path: &Path) -> io::Result<String> {
    let unknown = || io::Error::from(io::ErrorKind::Unsupported);
    let (descriptor, _) = read(path, OWNER_INFORMATION | DACL_INFORMATION)?;
    let to_text: DescriptorToText =
        function(c"ConvertSecurityDescriptorToStringSecurityDescriptorW").ok_or_else(unknown)?;
    let mut text = std::ptr::null_mut();
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: the descriptor is one that the system gave; `text` is a valid place for a pointer; no length is asked.
    let done = unsafe {
        to_text(descriptor.0, SDDL_REVISION, OWNER_INFORMATION | DACL_INFORMATION, &raw mut text, std::ptr::null_mut())
    };
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(take_text(text)) }
}

/// Gives `to` the access list of `from`.
pub fn copy_access(from: &Path, to: &Path) -> io::Result<()> {
    let unknown = || io::Error::from(io::ErrorKind::Unsupported);
    let (descriptor, list) = read(from, DACL_INFORMATION)?;
    let (control, set): (Control, SetNamed) = (
        function(c"GetSecurityDescriptorControl").ok_or_else(unknown)?,
        function(c"SetNamedSecurityInfoW").ok_or_else(unknown)?,
    );
    let (mut flags, mut revision) = (0, 0);
    let mut name = wide(to);
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: the descriptor and the list in it are the system's and live until the end of this function; the other
    // pointers are to locals; `name` ends with a zero.
    let code = unsafe {
        if control(descriptor.0, &raw mut flags, &raw mut revision) == 0 {
            return Err(io::Error::last_os_error());
        }
        let heritage = if flags & CONTROL_PROTECTED == 0 { UNPROTECTED_DACL } else { PROTECTED_DACL };
        let nothing = std::ptr::null();
        set(name.as_mut_ptr(), SE_FILE_OBJECT, DACL_INFORMATION | heritage, nothing, nothing, list, nothing)
    };
    checked(code)
}

/// This user's number in access lists (`S-1-5-21-…`).
pub fn user_sid() -> Option<String> {
    let (open, ask, to_text): (OpenProcessToken, GetTokenInformation, SidToText) =
        (function(c"OpenProcessToken")?, function(c"GetTokenInformation")?, function(c"ConvertSidToStringSidW")?);
    // A structure with a pointer to the identifier, which lies behind it: 68 bytes at most.
    let mut user = [0usize; 32];
    let mut text = std::ptr::null_mut();
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: `user` is aligned for pointers and valid for writes of the size given; after success its first word is a
    // pointer into it. The handle is used while it is open and closed once.
    let done = unsafe {
        let mut token = std::ptr::null_mut();
        if open(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) == 0 {
            return None;
        }
        let (size, mut needed) = (u32::try_from(size_of_val(&user)).unwrap_or(0), 0);
        let known = ask(token, TOKEN_USER, user.as_mut_ptr().cast(), size, &raw mut needed) != 0;
        CloseHandle(token);
        known && to_text(user.as_ptr().cast::<*const c_void>().read(), &raw mut text) != 0
    };
    done.then(|| take_text(text))
}

/// Memory that the system lent.
struct Lent(*mut c_void);

impl Drop for Lent {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "no counterpart in std")]
        // SAFETY: the system allocated it for us, and it is freed once.
        unsafe {
            LocalFree(self.0);
        }
    }
}

fn descriptor(rule: &str) -> Option<Lent> {
    let parse: TextToDescriptor = function(c"ConvertStringSecurityDescriptorToSecurityDescriptorW")?;
    let rule: Vec<u16> = rule.encode_utf16().chain([0]).collect();
    let mut made = std::ptr::null_mut();
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: `rule` ends with a zero; `made` is a valid place for a pointer; no length is asked.
    let done = unsafe { parse(rule.as_ptr(), SDDL_REVISION, &raw mut made, std::ptr::null_mut()) };
    (done != 0).then_some(Lent(made))
}

/// The descriptor of what stands at `path`, and its access list.
fn read(path: &Path, what: u32) -> io::Result<(Lent, *const c_void)> {
    let get: GetNamed = function(c"GetNamedSecurityInfoW").ok_or(io::ErrorKind::Unsupported)?;
    let name = wide(path);
    let (mut list, mut made) = (std::ptr::null_mut(), std::ptr::null_mut());
    let none: *mut *mut c_void = std::ptr::null_mut();
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: `name` ends with a zero; the two places for pointers are locals, the others are not asked for.
    let code = unsafe { get(name.as_ptr(), SE_FILE_OBJECT, what, none, none, &raw mut list, none, &raw mut made) };
    checked(code)?;
    Ok((Lent(made), list))
}

fn checked(code: u32) -> io::Result<()> {
    match i32::try_from(code) {
        Ok(0) => Ok(()),
        Ok(code) => Err(io::Error::from_raw_os_error(code)),
        Err(_) => Err(io::Error::other(format!("code {code:#x}"))),
    }
}

/// Text that the system lent, which is given back.
fn take_text(text: *mut u16) -> String {
    let lent = Lent(text.cast());
    let mut units = Vec::new();
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: the system's texts end with a zero, which is where this stops.
    unsafe {
        let mut at = text.cast_const();
        while *at != 0 {
            units.push(*at);
            at = at.add(1);
        }
    }
    drop(lent);
    String::from_utf16_lossy(&units)
}

/// A function of the library for access control, by the type that its caller knows it to have.
fn function<T: Copy>(name: &std::ffi::CStr) -> Option<T> {
    const { assert!(size_of::<T>() == size_of::<*const c_void>()) }
    let library: Vec<u16> = "advapi32.dll\0".encode_utf16().collect();
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: both names end with a zero; the library is looked for in the system's folder alone and stays loaded, so
    // the address stays good. Each caller names the type that the headers give this function.
    unsafe {
        let library = LoadLibraryExW(library.as_ptr(), std::ptr::null_mut(), LOAD_LIBRARY_SEARCH_SYSTEM32);
        if library.is_null() {
            return None;
        }
        let address = GetProcAddress(library, name.as_ptr().cast());
        (!address.is_null()).then(|| std::mem::transmute_copy::<*const c_void, T>(&address))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::{access_list, create_private_folder, user_sid};

    #[test]
    fn a_private_folder_names_nobody_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("private");
        create_private_folder(&path).unwrap();
        let sid = user_sid().unwrap();
        assert!(sid.starts_with("S-1-5-"), "{sid}");
        let list = access_list(&path).unwrap();
        for everybody in [";;;WD)", ";;;BU)", ";;;AU)", ";;;IU)"] {
            assert!(!list.contains(everybody), "{list}");
        }
        let again = create_private_folder(&path).unwrap_err();
        assert_eq!(again.kind(), std::io::ErrorKind::AlreadyExists);
        let deep = create_private_folder(&path.join("a/b")).unwrap_err();
        assert_eq!(deep.kind(), std::io::ErrorKind::NotFound);
    }
}
