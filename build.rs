//! Lays out the hook so that it starts soon, where the linker can.
//!
//! Most of a hook's time is the kernel mapping pages of the program. In link order the few hundred functions that
//! run are strewn over all of it; with `hook.order` they fill a fifth of the pages. The names in that file hold for
//! one version of the compiler (`cargo bench --bench order` writes it anew); a name that is not found changes nothing.
//! The list of addresses that are put right at each start is packed (RELR), to a twentieth of its size.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=hook.order");
    let path = |name: &str| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let order = path("CARGO_MANIFEST_DIR").join("hook.order");
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    if !release || !linux || !order.is_file() {
        return;
    }
    let ordered =
        vec![format!("-Wl,--symbol-ordering-file={}", order.display()), "-Wl,--no-warn-symbol-ordering".to_owned()];
    // Where the program's own start can't unpack it the program dies, so it is only done where that was tried.
    let tried = env::var("HOST") == env::var("TARGET");
    let packed = vec!["-Wl,-z,pack-relative-relocs".to_owned()];
    for (args, wanted) in [(ordered, true), (packed, tried)] {
        if wanted && links_with(&args, &path("OUT_DIR")) {
            for arg in args {
                println!("cargo::rustc-link-arg-bin=wsguard-hook={arg}");
            }
        }
    }
}

/// Whether the linker in use takes `args`, and what it makes with them runs: tried on a program that does nothing.
fn links_with(args: &[String], folder: &Path) -> bool {
    let var = |name: &str| env::var(name).unwrap_or_default();
    let source = folder.join("nothing.rs");
    if fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let mut rustc = Command::new(var("RUSTC"));
    rustc.arg(&source).arg("-o").arg(folder.join("nothing")).args(["--target", &var("TARGET")]);
    rustc.args(var("CARGO_ENCODED_RUSTFLAGS").split('\u{1f}').filter(|flag| !flag.is_empty()));
    if !var("RUSTC_LINKER").is_empty() {
        rustc.arg(format!("-Clinker={}", var("RUSTC_LINKER")));
    }
    rustc.args(args.iter().map(|arg| format!("-Clink-arg={arg}")));
    let runs = |mut command: Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    // A program for another machine can't be tried.
    runs(rustc) && (var("HOST") != var("TARGET") || runs(Command::new(folder.join("nothing"))))
}
