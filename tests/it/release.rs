//! The hook as it is shipped, and a program that does nothing, built alike. Shared by the instruction budget
//! and the benchmark.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The flags of `[profile.release]` and `.cargo/config.toml`, as rustc wants them.
const FLAGS: [&str; 5] = ["opt-level=s", "lto=fat", "codegen-units=1", "panic=abort", "strip=symbols"];

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("release");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Builds `wsguard-hook` in release mode, in a target folder of its own (the outer cargo may hold the usual
/// one), and gives its path.
///
/// # Panics
/// When it can't be built.
pub(crate) fn hook() -> PathBuf {
    let out = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--bin", "wsguard-hook", "--message-format", "json"])
        .arg("--target-dir")
        .arg(folder())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(out.status.success(), "the release build failed");
    let text = String::from_utf8(out.stdout).unwrap();
    let messages = text.lines().rev().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut found = messages.filter_map(|m| m["executable"].as_str().map(PathBuf::from));
    found.next().expect("cargo names the program that it built")
}

/// Builds `fn main() {}` with the same flags and gives its path.
///
/// # Panics
/// When it can't be built.
pub(crate) fn empty() -> PathBuf {
    let source = folder().join("empty.rs");
    let program = folder().join("empty-program");
    fs::write(&source, "fn main() {}\n").unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition", "2024"]).args(FLAGS.iter().flat_map(|flag| ["-C", flag]));
    if cfg!(all(target_os = "linux", target_env = "gnu")) {
        command.args(["-C", "target-feature=+crt-static", "-C", "link-arg=-Wl,-z,pack-relative-relocs"]);
    }
    let status = command.arg(&source).arg("-o").arg(&program).status().unwrap();
    assert!(status.success(), "rustc failed");
    program
}
