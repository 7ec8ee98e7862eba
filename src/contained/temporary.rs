//! The names under which files are written before they get their own, and what a writer that was killed left under one.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::limits::TEMPORARY_LIFE_S;
use crate::sys::{Folder, NodeKind, node_of};

const PREFIX: &str = ".wsguard-";

/// A name that nothing has: `.wsguard-<random>-<proof>`, each 16 hexadecimal digits. The proof is made from the random part, so
/// nobody else's file has such a name by chance.
pub(super) fn name() -> OsString {
    let random = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
    OsString::from(format!("{PREFIX}{random}-{}", proof(&random)))
}

/// Whether `name` is one that [`name`] gave, in this process or in any other.
pub(super) fn is_ours(name: &OsStr) -> bool {
    let parts = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
    parts.is_some_and(|(random, given)| random.len() == 16 && given == proof(random))
}

fn proof(random: &str) -> String {
    let digest = Sha256::new().chain_update("workspace-guard temporary file ").chain_update(random).finalize();
    digest.iter().take(8).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Removes what was left in `folder`, of which `names` are known, by writers that were killed: files of ours that are older than
/// any writer takes. What can't be removed stays for the next one, and hinders nobody.
pub(super) fn clear(folder: &Folder, names: &[OsString]) {
    for name in names.iter().filter(|name| is_ours(name)) {
        remove_old(folder, name).unwrap_or_default();
    }
}

fn remove_old(folder: &Folder, name: &OsStr) -> io::Result<bool> {
    // Not opened where it is anything but a file: a pipe's writer would notice.
    if folder.peek(name)?.kind != NodeKind::File {
        return Ok(false);
    }
    let file = folder.file(name)?;
    let node = node_of(&file)?;
    // A time in the future tells nothing.
    let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
    let is_left = node.kind == NodeKind::File && node.links == 1 && age > Duration::from_secs(TEMPORARY_LIFE_S);
    drop(file);
    if is_left { folder.remove_if(name, node.identity) } else { Ok(false) }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::{is_ours, name};

    #[test]
    fn nobody_else_has_such_a_name() {
        let (one, other) = (name(), name());
        assert!(one != other && is_ours(&one) && is_ours(&other));
        let text = one.to_str().unwrap_or_default().to_owned();
        let swapped = format!("{}{}", &text[..26], &other.to_str().unwrap_or_default()[26..]);
        // What versions before this one gave can't be told from anyone's.
        for theirs in
            [".wsguard-0123456789abcdef", ".wsguard-", "x", &text[1..], &text[..41], &swapped, &(text.clone() + "0")]
        {
            assert!(!is_ours(OsStr::new(theirs)), "{theirs}");
        }
    }
}
