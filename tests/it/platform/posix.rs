//! The tests' platform where it is POSIX.

use std::{
    ffi::OsString,
    fs,
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::Command,
};

/// What programs of the platform can't do without.
pub(crate) fn platform_variables(_root: &Path) -> Vec<(String, OsString)> {
    vec![("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".into())]
}

/// Where the test folders are made: never below a temp folder, since the gate allows those.
/// `shared`: other users must be able to reach it. `lasting`: nothing sweeps it.
pub(crate) fn base_dir(shared: bool, lasting: bool) -> PathBuf {
    let target = super::target_dir();
    let temps = [PathBuf::from("/tmp"), PathBuf::from("/private/tmp"), std::env::temp_dir()];
    let usable = |dir: &Path| {
        dir.canonicalize().is_ok_and(|real| {
            !temps.iter().filter_map(|t| t.canonicalize().ok()).any(|t| real.starts_with(t))
                && (!shared || is_reachable(&real))
        })
    };
    // The target folder may lie so deep that the temp folder of a home in it is refused as too long for sockets.
    let mut candidates = [Path::new("/var/tmp"), &target];
    if lasting {
        candidates.reverse();
    }
    let found = candidates.into_iter().find(|dir| usable(dir));
    found.expect("a folder for the tests that is not below a temp folder").to_owned()
}

/// Whether the tests run with the rights of root.
pub(crate) fn is_root() -> bool {
    // The owner of a file that this process just made is the effective user.
    tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
}

/// Whether another user can reach `dir`: every folder on the way lets everybody through.
pub(crate) fn is_reachable(dir: &Path) -> bool {
    dir.ancestors().all(|d| d.metadata().is_ok_and(|m| m.permissions().mode() & 0o001 != 0))
}

/// Makes the user `uid` the owner of everything below `path`.
pub(crate) fn give_away(path: &Path, uid: u32) {
    std::os::unix::fs::lchown(path, Some(uid), Some(uid)).unwrap();
    if path.is_dir() && !path.is_symlink() {
        for entry in fs::read_dir(path).unwrap() {
            give_away(&entry.unwrap().path(), uid);
        }
    }
}

/// Lets `command` run as the user `uid`.
pub(crate) fn run_as(command: &mut Command, uid: u32) {
    command.uid(uid).gid(uid);
}

/// Sets the time of the last change of a file or folder.
pub(crate) fn set_modified(path: &Path, time: std::time::SystemTime) {
    fs::File::open(path).unwrap().set_modified(time).unwrap();
}

/// Makes a symbolic link; `false`, and said so, where that can't be done.
pub(crate) fn symlink(target: impl AsRef<Path>, link: impl AsRef<Path>) -> bool {
    std::os::unix::fs::symlink(target, link).unwrap();
    true
}

/// Gives a file an extended attribute; whether its volume takes it.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library knows no extended attributes")]
pub(crate) fn set_attribute(path: &Path, name: &std::ffi::CStr, value: &[u8]) -> bool {
    let path = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: both texts end with a zero; `value` is valid for reads of its length.
    unsafe { libc::setxattr(path.as_ptr(), name.as_ptr(), value.as_ptr().cast(), value.len(), 0) == 0 }
}

/// The extended attribute `name` of a file, at most 100 bytes of it.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library knows no extended attributes")]
pub(crate) fn attribute(path: &Path, name: &std::ffi::CStr) -> Option<Vec<u8>> {
    let path = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
    let mut value = vec![0_u8; 100];
    // SAFETY: both texts end with a zero; `value` is valid for writes of its length.
    let length = unsafe { libc::getxattr(path.as_ptr(), name.as_ptr(), value.as_mut_ptr().cast(), value.len()) };
    value.truncate(usize::try_from(length).ok()?);
    Some(value)
}

/// Lets `command` be interrupted without its neighbours. A signal goes to one process anyway; but a shell starts what it
/// runs in the background deaf to Ctrl-C, the tests among it, and a person's terminal does not.
#[expect(unsafe_code, reason = "signals have no safe interface in the standard library")]
pub(crate) fn own_group(command: &mut Command) {
    let hear = || {
        // SAFETY: `signal` may be called between fork and exec; SIG_DFL is a valid disposition.
        unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
        Ok(())
    };
    // SAFETY: the closure calls nothing else.
    unsafe { command.pre_exec(hear) };
}

/// Presses Ctrl-C for the process.
pub(crate) fn interrupt(child: &std::process::Child) -> bool {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    true
}
