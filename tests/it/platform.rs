//! What differs between POSIX and Windows for the tests, in one place, so that a test need not know where it runs.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// A path as text that means it in every dialect: with `/` on Windows too.
pub(crate) fn text(path: &Path) -> String {
    let text = path.to_str().unwrap();
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

/// Sets the time of the last change of a file or folder.
pub(crate) fn set_modified(path: &Path, time: std::time::SystemTime) {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    options.read(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        const WRITE_ATTRIBUTES: u32 = 0x100;
        // Folders too.
        const BACKUP_SEMANTICS: u32 = 0x0200_0000;
        options.access_mode(WRITE_ATTRIBUTES).custom_flags(BACKUP_SEMANTICS);
    }
    options.open(path).unwrap().set_modified(time).unwrap();
}

/// What a process printed with its paths as [`text`] spells them, so that one expectation fits every platform. What
/// they look like on Windows is tested in `windows.rs`.
pub(crate) fn portable(printed: String) -> String {
    fn slashes(value: &mut Value) {
        match value {
            Value::String(text) => *text = text.replace('\\', "/"),
            Value::Array(list) => list.iter_mut().for_each(slashes),
            Value::Object(map) => map.values_mut().for_each(slashes),
            _ => {}
        }
    }
    if !cfg!(windows) {
        return printed;
    }
    match serde_json::from_str(&printed) {
        Ok(mut value) => {
            slashes(&mut value);
            format!("{value:#}\n")
        }
        Err(_) => printed.replace('\\', "/"),
    }
}

/// A program's file name.
pub(crate) fn program_name(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// What programs of the platform can't do without, and its temp folder.
#[cfg(unix)]
pub(crate) fn platform_variables(_root: &Path) -> Vec<(String, OsString)> {
    vec![("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".into())]
}

/// What programs of the platform can't do without, and its temp folder.
#[cfg(windows)]
pub(crate) fn platform_variables(root: &Path) -> Vec<(String, OsString)> {
    let of_the_system = ["SystemRoot", "SystemDrive", "ComSpec", "PATHEXT"];
    let kept = of_the_system.iter().filter_map(|name| Some(((*name).to_owned(), std::env::var_os(name)?)));
    let system = PathBuf::from(std::env::var_os("SystemRoot").unwrap_or_else(|| r"C:\windows".into()));
    let temp = root.join("home").join("AppData").join("Local").join("Temp");
    fs::create_dir_all(&temp).unwrap();
    let own = [
        ("PATH", system.join("system32").into_os_string()),
        ("USERPROFILE", root.join("home").into_os_string()),
        ("TEMP", temp.clone().into_os_string()),
        ("TMP", temp.into_os_string()),
    ];
    kept.chain(own.map(|(name, value)| (name.to_owned(), value))).collect()
}

/// Makes a symbolic link; `false`, and said so, where that can't be done.
#[cfg(unix)]
pub(crate) fn symlink(target: impl AsRef<Path>, link: impl AsRef<Path>) -> bool {
    std::os::unix::fs::symlink(target, link).unwrap();
    true
}

/// Makes a symbolic link; `false`, and said so, where that can't be done.
#[cfg(windows)]
pub(crate) fn symlink(target: impl AsRef<Path>, link: impl AsRef<Path>) -> bool {
    let (target, link) = (target.as_ref(), link.as_ref());
    let from = link.parent().unwrap().join(target);
    let made = if from.is_file() {
        std::os::windows::fs::symlink_file(target, link)
    } else {
        std::os::windows::fs::symlink_dir(target, link)
    };
    // Wine says that it was made, and makes none.
    let there = made.is_ok() && link.is_symlink();
    if !there {
        crate::report::skipped("symbolic links: Wine has none, and Windows makes them in developer mode alone");
    }
    there
}

/// A folder on the drive that is protected by default.
pub(crate) fn protected_dir(target: &Path) -> PathBuf {
    let on_c = |dir: &Path| text(dir).get(..2).is_some_and(|drive| drive.eq_ignore_ascii_case("C:"));
    let public = std::env::var_os("PUBLIC").map(PathBuf::from);
    let found = std::iter::once(target.to_owned()).chain(public).find(|dir| on_c(dir) && dir.is_dir());
    found.expect("a folder for the tests on the drive C:")
}
