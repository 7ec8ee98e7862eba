//! Other names that Windows has for a folder or a drive.

use std::path::Path;

use super::winapi::{GetLongPathNameW, QueryDosDeviceW, wide};

/// UTF-16 units of the longest path.
const MAX_PATH_UNITS: usize = 32_768;

/// The name under which its folder lists what stands at the absolute path `path`. `None`: nothing there, or no
/// Unicode.
pub fn long_name(path: &str) -> Option<String> {
    let name = wide(Path::new(path));
    let mut long = vec![0u16; MAX_PATH_UNITS];
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: `name` ends with a zero; `long` is valid for writes of the length given.
    let length = unsafe { GetLongPathNameW(name.as_ptr(), long.as_mut_ptr(), u32::try_from(long.len()).ok()?) };
    let long = long.get(..usize::try_from(length).ok()?).filter(|units| !units.is_empty())?;
    let text = String::from_utf16(long).ok()?;
    let last = text.trim_end_matches(['\\', '/']).rsplit(['\\', '/']).next()?;
    Some(last.to_owned())
}

/// The folder that the drive `letter` stands for (`subst`). `None`: a drive of its own, or none.
pub fn drive_target(letter: char) -> Option<String> {
    let name: Vec<u16> = format!("{letter}:\0").encode_utf16().collect();
    let mut target = vec![0u16; 1024];
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: `name` ends with a zero; `target` is valid for writes of the length given.
    let length = unsafe { QueryDosDeviceW(name.as_ptr(), target.as_mut_ptr(), u32::try_from(target.len()).ok()?) };
    let target = target.get(..usize::try_from(length).ok()?)?;
    let first = target.split(|&unit| unit == 0).next()?;
    // Of a drive of its own this is a device: `\Device\HarddiskVolume3`.
    let text = String::from_utf16(first).ok()?;
    let path = text.strip_prefix(r"\??\")?;
    Some(path.strip_prefix(r"UNC\").map_or_else(|| path.to_owned(), |share| format!(r"\\{share}")))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use super::{drive_target, long_name};

    #[test]
    fn the_listed_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("A Long Name.text");
        fs::write(&path, "").unwrap();
        assert_eq!(long_name(path.to_str().unwrap()).as_deref(), Some("A Long Name.text"));
        assert_eq!(long_name(dir.path().join("none").to_str().unwrap()), None);
    }

    #[test]
    fn a_real_drive_stands_for_itself() {
        assert_eq!(drive_target('C'), None);
        assert_eq!(drive_target('?'), None);
    }
}
