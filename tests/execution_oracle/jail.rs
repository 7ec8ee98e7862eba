//! A jail for all the commands: the rest of the machine is read-only in it, `/tmp` is empty, and there is no network.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Set within the jail: the folder that can be written to.
const INSIDE: &str = "WSGUARD_ORACLE_BASE";

/// Ways into namespaces of our own: as root, and as anybody where the kernel lets us.
const WAYS: [&str; 2] = ["-nmpf", "-Urnmpf"];

/// `$1` is the folder that stays writable, `$2` the program, which may lie in the `/tmp` that is about to vanish.
const ENTER: &str = r#"
base=$1; exec 9< "$2"; shift 2
mount -t tmpfs none "$base" && mount -o remount,bind,ro / && mount -t tmpfs none /tmp || exit 99
if touch /usr/.wsx 2> /dev/null; then rm /usr/.wsx; exit 99; fi
cd "$base" && exec /proc/self/fd/9 "$@"
"#;

/// Runs the test named `test` of this program again, in a jail. `None` where that is not possible or where this is the
/// jail already: then the caller goes on itself. The commands are harmless without a jail, too.
pub(crate) fn reenter(test: &str) -> Option<bool> {
    if is_inside() {
        return None;
    }
    let base = tempfile::Builder::new().prefix("wsx-").tempdir_in(base_dir()).unwrap();
    let start = |way: &str, program: &Path| {
        let mut run = Command::new("unshare");
        run.args([way, "--kill-child", "--mount-proc", "--propagation", "private", "--", "sh", "-c", ENTER, "jail"]);
        run.arg(base.path()).arg(program).env(INSIDE, base.path().canonicalize().unwrap());
        run
    };
    let works = |way: &&&str| {
        let mut probe = start(way, Path::new("/bin/true"));
        probe.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let Some(way) = WAYS.iter().find(works) else {
        crate::say("NOTE: the execution oracle runs without a jail: the kernel does not let us have namespaces");
        return None;
    };
    let this = std::env::current_exe().unwrap();
    Some(start(way, &this).args(["--exact", test, "--nocapture"]).status().unwrap().success())
}

/// Whether this is the jail.
pub(crate) fn is_inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// A folder that no allowed root covers: `/tmp` is one.
pub(crate) fn base_dir() -> PathBuf {
    if let Some(base) = std::env::var_os(INSIDE) {
        return base.into();
    }
    let candidates = [Path::new("/var/tmp"), Path::new(env!("CARGO_TARGET_TMPDIR"))];
    let usable = |dir: &&Path| dir.canonicalize().is_ok_and(|real| !real.starts_with("/tmp"));
    candidates.into_iter().find(usable).expect("a folder that is not below /tmp").to_owned()
}
