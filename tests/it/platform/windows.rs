//! The tests' platform where it is Windows, or Wine.

use std::{
    ffi::OsString,
    fs,
    os::windows::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use super::text;

/// What programs of the platform can't do without, and its temp folder.
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

/// Where the test folders are made: on the drive that is protected by default, and never below a temp folder.
pub(crate) fn base_dir(_shared: bool, _lasting: bool) -> PathBuf {
    let on_c = |dir: &Path| text(dir).get(..2).is_some_and(|drive| drive.eq_ignore_ascii_case("C:"));
    let public = std::env::var_os("PUBLIC").map(PathBuf::from);
    let found = std::iter::once(super::target_dir()).chain(public).find(|dir| on_c(dir) && dir.is_dir());
    found.expect("a folder for the tests on the drive C:")
}

/// Whether the tests run with the rights of root: there is none.
pub(crate) const fn is_root() -> bool {
    false
}

/// There is no such user.
pub(crate) const fn give_away(_path: &Path, _uid: u32) {}

/// There is no such user.
pub(crate) const fn run_as(_command: &mut Command, _uid: u32) {}

/// Sets the time of the last change of a file or folder.
pub(crate) fn set_modified(path: &Path, time: std::time::SystemTime) {
    const WRITE_ATTRIBUTES: u32 = 0x100;
    // Folders too.
    const BACKUP_SEMANTICS: u32 = 0x0200_0000;
    let file = fs::OpenOptions::new().access_mode(WRITE_ATTRIBUTES).custom_flags(BACKUP_SEMANTICS).open(path);
    file.unwrap().set_modified(time).unwrap();
}

/// Makes a symbolic link; `false`, and said so, where that can't be done.
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

/// Lets `command` be interrupted without its neighbours: in a group of its own, on the console that the tests have or get.
#[expect(unsafe_code, reason = "no counterpart in std")]
pub(crate) fn own_group(command: &mut Command) {
    const NEW_PROCESS_GROUP: u32 = 0x200;
    // SAFETY: declared as in consoleapi.h.
    unsafe extern "system" {
        fn AllocConsole() -> i32;
    }
    // SAFETY: takes nothing; fails where there is a console.
    let _made = unsafe { AllocConsole() };
    std::os::windows::process::CommandExt::creation_flags(command, NEW_PROCESS_GROUP);
}

/// Presses Ctrl-Break for a process with a group of its own; `false`, and said so, where there is no console.
#[expect(unsafe_code, reason = "no counterpart in std")]
pub(crate) fn interrupt(child: &std::process::Child) -> bool {
    const CTRL_BREAK: u32 = 1;
    // SAFETY: declared as in wincon.h.
    unsafe extern "system" {
        fn GenerateConsoleCtrlEvent(event: u32, group: u32) -> i32;
    }
    // SAFETY: takes numbers alone.
    let sent = unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK, child.id()) } != 0;
    if !sent {
        crate::report::skipped("Ctrl-Break: Wine without a display makes no console");
    }
    sent
}
