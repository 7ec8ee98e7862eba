//! HOME: there, ours, writable, and not for everybody.

use std::fs;
use std::path::Path;

use super::finding::Section;
use crate::home::Home;
use crate::path::{Model, resolve};
use crate::world::RealWorld;

pub(crate) fn check(home: &Home, section: &mut Section<'_>) {
    let path = home.path();
    let shown = path.display();
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return check_missing(path, section),
        Err(e) => {
            let hint = "check the permissions of the folders above it, or set WSGUARD_HOME";
            return section.fail("home_unreadable", format!("{shown} can't be looked at: {e}"), hint);
        }
    };
    if !meta.is_dir() {
        return section.fail("home_no_folder", format!("{shown} is no folder"), "move it away, or set WSGUARD_HOME");
    }
    if let Err(e) = tempfile::Builder::new().prefix(".wsguard-doctor-").tempfile_in(path) {
        let hint = "no scratch folder, no record of refusals: make it writable, or set WSGUARD_HOME";
        return section.fail("home_not_writable", format!("{shown} can't be written: {e}"), hint);
    }
    if let Some((code, text, hint)) = exposed(path, &meta) {
        return section.fail(code, format!("{shown} {text}"), hint);
    }
    if in_temp(path) {
        let hint = "set WSGUARD_HOME to a folder that stays";
        return section.warn("home_in_temp", format!("{shown} lies in a folder that is swept"), hint);
    }
    section.ok("home", format!("{shown} is there and writable"));
}

/// HOME is made when it is first needed; that must be possible.
fn check_missing(path: &Path, section: &mut Section<'_>) {
    let shown = path.display();
    let above = path.ancestors().skip(1).find(|p| p.exists());
    let writable =
        above.is_some_and(|p| p.is_dir() && tempfile::Builder::new().prefix(".wsguard-doctor-").tempfile_in(p).is_ok());
    if writable {
        section.ok("home", format!("{shown} is not there yet; the first call makes it"));
    } else {
        let hint = "make it by hand, or set WSGUARD_HOME";
        section.fail("home_not_writable", format!("{shown} is not there and can't be made"), hint);
    }
}

fn in_temp(path: &Path) -> bool {
    let real = |p: &Path| {
        let text = p.to_string_lossy();
        resolve(&RealWorld::default(), &Model::native().normalize(&text), true).path
    };
    let home = real(path);
    let posix: &[&str] = if cfg!(unix) { &["/tmp", "/var/tmp"] } else { &[] };
    std::iter::once(std::env::temp_dir().as_path())
        .chain(posix.iter().map(Path::new))
        .any(|temp| Model::native().is_within(&home, &real(temp)))
}

/// Who else may change what the guard goes by.
#[cfg(unix)]
fn exposed(_path: &Path, meta: &fs::Metadata) -> Option<(&'static str, &'static str, &'static str)> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    if crate::sys::user_id().is_some_and(|id| id != meta.uid()) {
        return Some(("home_foreign", "belongs to another user", "set WSGUARD_HOME to a folder of your own"));
    }
    let open = meta.permissions().mode() & 0o022 != 0;
    open.then_some(("home_exposed", "can be changed by other users", "chmod go-w on that folder"))
}

/// Who else may change what the guard goes by.
#[cfg(windows)]
fn exposed(path: &Path, _meta: &fs::Metadata) -> Option<(&'static str, &'static str, &'static str)> {
    // A file system without access lists (FAT) can't say; nor can it keep anybody out.
    let list = crate::sys::access_list(path).ok()?;
    let user = crate::sys::user_sid()?;
    match super::access::judge(&list, &user) {
        super::access::Access::Own => None,
        super::access::Access::Foreign => {
            Some(("home_foreign", "belongs to another user", "set WSGUARD_HOME to a folder of your own"))
        }
        super::access::Access::Shared => {
            Some(("home_exposed", "can be changed by other users", "remove their rights: icacls FOLDER /inheritance:r"))
        }
    }
}
