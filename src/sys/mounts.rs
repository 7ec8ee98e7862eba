//! What is mounted where.

use std::path::PathBuf;

/// A place where a volume begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// The folder (on Windows the drive's root).
    pub path: PathBuf,
    /// The file system's name, where the system says; empty otherwise.
    pub kind: String,
}

/// Every mount that this process sees, or every drive. Where the system does not say, the root alone.
#[cfg(target_os = "linux")]
pub fn mounts() -> Vec<Mount> {
    let table = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
    let mut found: Vec<Mount> = table.split(|&b| b == b'\n').filter_map(parse).collect();
    if found.is_empty() {
        found.push(Mount { path: PathBuf::from("/"), kind: String::new() });
    }
    found
}

/// Every mount that this process sees, or every drive. Where the system does not say, the root alone.
#[cfg(windows)]
pub fn mounts() -> Vec<Mount> {
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: takes nothing and returns a number.
    let drives = unsafe { super::winapi::GetLogicalDrives() };
    let is_there = |n: &u8| drives >> (n - b'A') & 1 == 1;
    let drive = |n: u8| Mount { path: PathBuf::from(format!("{}:\\", char::from(n))), kind: String::new() };
    (b'A'..=b'Z').filter(is_there).map(drive).collect()
}

/// Every mount that this process sees, or every drive. Where the system does not say, the root alone.
#[cfg(not(any(target_os = "linux", windows)))]
pub fn mounts() -> Vec<Mount> {
    vec![Mount { path: PathBuf::from("/"), kind: String::new() }]
}

/// A line of mountinfo (`proc_pid_mountinfo(5)`).
#[cfg(target_os = "linux")]
fn parse(line: &[u8]) -> Option<Mount> {
    use std::os::unix::ffi::OsStringExt as _;
    let mut fields = line.split(|&b| b == b' ');
    let path = unescape(fields.nth(4)?);
    let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
    Some(Mount {
        path: PathBuf::from(std::ffi::OsString::from_vec(path)),
        kind: String::from_utf8_lossy(kind).into_owned(),
    })
}

/// Blanks, line ends and backslashes are written as three octal digits.
#[cfg(target_os = "linux")]
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..3).filter(|d| first == b'\\' && d.iter().all(|b| (b'0'..=b'7').contains(b)));
        let value = digits.map(|d| d.iter().fold(0_u32, |n, b| n * 8 + u32::from(b - b'0')));
        let byte = value.and_then(|value| u8::try_from(value).ok());
        out.push(byte.unwrap_or(first));
        rest = if byte.is_some() { &after[3..] } else { after };
    }
    out
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::path::Path;

    use super::{mounts, parse};

    #[test]
    fn lines_of_the_table() {
        let line =
            br"36 35 98:0 /mnt1 /mnt/a\040b\134c rw,noatime master:1 shared:2 - ext3 /dev/root rw,errors=continue";
        let mount = parse(line).unwrap();
        assert_eq!((mount.path.to_str(), &*mount.kind), (Some(r"/mnt/a b\c"), "ext3"));
        assert_eq!(parse(b"36 35"), None);
    }

    #[test]
    fn the_root_is_one() {
        assert!(mounts().iter().any(|mount| mount.path == Path::new("/")));
    }
}
