//! What differs between POSIX and Windows for the tests, in one place, so that a test need not know where it runs.

#[cfg(unix)]
mod posix;
#[cfg(windows)]
mod windows;

use std::path::{Path, PathBuf};

use serde_json::Value;

#[cfg(target_os = "linux")]
pub(crate) use posix::{attribute, set_attribute};
#[cfg(unix)]
pub(crate) use posix::{
    base_dir, give_away, interrupt, is_reachable, is_root, own_group, platform_variables, run_as, set_modified, symlink,
};
#[cfg(windows)]
pub(crate) use windows::{
    base_dir, give_away, interrupt, is_root, own_group, platform_variables, run_as, set_modified, symlink,
};

/// A path as text that means it in every dialect: with `/` on Windows too.
pub(crate) fn text(path: &Path) -> String {
    let text = path.to_str().unwrap();
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
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

/// The build's folder for tests.
fn target_dir() -> PathBuf {
    // Under Wine the path is one of the machine below.
    let target = std::path::absolute(env!("CARGO_TARGET_TMPDIR")).unwrap();
    std::fs::create_dir_all(&target).unwrap();
    target
}
