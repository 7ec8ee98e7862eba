//! Where programs lie, the hook that belongs to this one among them, and the clients' own folders.

use std::io;
use std::path::{Component, Path, PathBuf};

/// The hook program's file name on this platform.
pub fn hook_file_name() -> String {
    format!("wsguard-hook{}", std::env::consts::EXE_SUFFIX)
}

/// The hook program beside this executable. It need not be there.
pub fn hook_program() -> io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(hook_file_name()))
}

/// Whether a file of this kind can be started.
pub fn is_executable(path: &Path) -> bool {
    let Ok(meta) = path.metadata() else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        meta.is_file() && meta.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    meta.is_file()
}

/// A client's own folder: where the environment variable `variable` says, seen from `project`, else `name` in the home folder.
pub(super) fn client_folder(project: &Path, variable: &str, name: &str) -> Option<PathBuf> {
    match std::env::var_os(variable).filter(|dir| !dir.is_empty()) {
        Some(dir) => Some(project.join(dir)),
        None => std::env::home_dir().map(|home| home.join(name)),
    }
}

/// The program of this name on PATH; on Windows one without an ending is meant to end in `.exe`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let file = if name.contains('.') { name.to_owned() } else { format!("{name}{}", std::env::consts::EXE_SUFFIX) };
    std::env::split_paths(&paths).map(|dir| dir.join(&file)).find(|path| is_executable(path))
}

/// Why a program at this place may soon be gone: `temp` folders are swept, `target` folders are build output.
pub fn fleeting_place(path: &Path) -> Option<&'static str> {
    let names: Vec<&str> =
        path.components().filter_map(|c| if let Component::Normal(n) = c { n.to_str() } else { None }).collect();
    let built = names.iter().rposition(|n| *n == "target").is_some_and(|i| {
        // `target/debug/x` or `target/<triple>/debug/x`.
        names[i + 1..].iter().take(2).any(|n| matches!(*n, "debug" | "release"))
    });
    let temp = std::env::temp_dir();
    if built {
        Some("a build folder")
    } else if path.starts_with(temp) || path.starts_with("/tmp") || path.starts_with("/var/tmp") {
        Some("a temporary folder")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fleeting_places() {
        let check = |path: &str, want: Option<&str>| assert_eq!(fleeting_place(Path::new(path)), want, "{path}");
        check("/home/u/src/target/debug/wsguard-hook", Some("a build folder"));
        check("/home/u/target/x86_64-unknown-linux-gnu/release/wsguard-hook", Some("a build folder"));
        check("/tmp/x/wsguard-hook", Some("a temporary folder"));
        check("/home/u/.cargo/bin/wsguard-hook", None);
        check("/home/target/bin/wsguard-hook", None);
    }
}
