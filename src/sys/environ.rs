//! A look at the environment without copying it.

/// Whether a variable is set whose name starts with `prefix` and is none of `except`.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library only hands out copies of all variables")]
pub fn has_variable(prefix: &[u8], except: &[&[u8]]) -> bool {
    // SAFETY: POSIX declares `environ` with this type.
    unsafe extern "C" {
        static environ: *const *const libc::c_char;
    }
    // SAFETY: `environ` is the C runtime's array of NUL-terminated strings, ended by a null pointer. No thread
    // of this process changes the environment.
    unsafe {
        let mut at = environ;
        while !at.is_null() && !(*at).is_null() {
            let entry = std::ffi::CStr::from_ptr(*at).to_bytes();
            at = at.add(1);
            if entry.starts_with(prefix) {
                let name = entry.split(|&b| b == b'=').next().unwrap_or(entry);
                if !except.contains(&name) {
                    return true;
                }
            }
        }
    }
    false
}

/// Whether a variable is set whose name starts with `prefix` and is none of `except`.
#[cfg(not(unix))]
pub fn has_variable(prefix: &[u8], except: &[&[u8]]) -> bool {
    std::env::vars_os().any(|(name, _)| {
        let name = name.as_encoded_bytes().to_ascii_uppercase();
        name.starts_with(prefix) && !except.contains(&name.as_slice())
    })
}
