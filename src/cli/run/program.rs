//! Which file a bare name starts on Windows: shells there add the endings of programs, `CreateProcess` only `.exe`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Endings of what can be started without a shell of one's own, in the order in which shells try them. `PATHEXT` has
/// more, which are documents for other programs.
const ENDINGS: [&str; 4] = ["com", "exe", "bat", "cmd"];

/// The program that a shell would start for `name`, `None` where there is none in the folders of `PATH`. The current
/// folder is not looked at, for an agent may have put something there.
pub(super) fn find(name: &OsStr, path: &OsStr) -> Option<PathBuf> {
    if name.to_string_lossy().contains(['/', '\\', ':']) {
        return with_ending(Path::new(name));
    }
    // A relative entry is the current folder by another name.
    std::env::split_paths(path).filter(|dir| dir.is_absolute()).find_map(|dir| with_ending(&dir.join(name)))
}

/// The file at `path`, with an ending added where it has none of a program.
fn with_ending(path: &Path) -> Option<PathBuf> {
    let ends = |ending: &&str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(*ending));
    if ENDINGS.iter().any(ends) && path.is_file() {
        return Some(path.to_owned());
    }
    ENDINGS.iter().find_map(|ending| {
        let mut name = OsString::from(path);
        name.push(".");
        name.push(ending);
        Some(PathBuf::from(name)).filter(|file| file.is_file())
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::ffi::OsStr;
    use std::fs;

    use super::find;

    #[test]
    fn as_shells_look() {
        let dir = tempfile::tempdir().unwrap();
        let (first, second) = (dir.path().join("a"), dir.path().join("b c"));
        for folder in [&first, &second] {
            fs::create_dir(folder).unwrap();
        }
        // npm puts a script for POSIX shells beside the one for cmd.
        for name in ["a/npm", "a/npm.cmd", "b c/npm.exe", "b c/git.exe", "b c/py3.12.exe", "b c/x.js"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let path = std::env::join_paths(["".into(), ".".into(), first.clone(), second.clone()]).unwrap();
        let check = |name: &str, want: Option<&str>| {
            assert_eq!(find(OsStr::new(name), &path), want.map(|file| dir.path().join(file)), "{name}");
        };
        check("npm", Some("a/npm.cmd"));
        check("npm.cmd", Some("a/npm.cmd"));
        check("npm.exe", Some("b c/npm.exe"));
        check("git", Some("b c/git.exe"));
        check("py3.12", Some("b c/py3.12.exe"));
        check("x", None);
        check("x.js", None);
        check("none", None);
        let full = second.join("git");
        assert_eq!(find(full.as_os_str(), OsStr::new("")), Some(second.join("git.exe")));
    }
}
