//! Whether an entry still is the one that was seen.

use std::io;
use std::path::Path;

use super::facts::facts_at;
use super::look::signature;
use super::table::letter;
use crate::ledger::observed::EntryKind;

/// Whether what stands at `path` is the entry with this signature. `None`: the signature is of another writer, so nothing
/// can be said.
pub(crate) fn is_entry(path: &Path, known: &str) -> io::Result<Option<bool>> {
    let mut parts = known.split(':');
    let (Some(kind), Some(_device), Some(inode)) = (parts.next(), parts.next(), parts.next()) else { return Ok(None) };
    let birth = parts.next().map(str::parse::<i64>);
    let (Ok(inode), true) = (u64::from_str_radix(inode, 16), kind.len() == 1 && parts.next().is_none()) else {
        return Ok(None);
    };
    let birth = match birth {
        None => 0,
        Some(Ok(birth)) => birth,
        Some(Err(_)) => return Ok(None),
    };
    let facts = facts_at(path)?;
    // Devices get other numbers at a restart; what is not known of one of them proves nothing.
    let same = |a: i64, b: i64| a == 0 || b == 0 || a == b;
    let same_number = inode == facts.inode || inode == 0 || facts.inode == 0;
    Ok(Some(kind.starts_with(letter(facts.kind)) && same_number && same(birth, facts.birth)))
}

/// Kind and signature of what stands at `path`, and its birth in milliseconds since 1970 (0: not known).
pub(crate) fn signature_at(path: &Path) -> io::Result<(EntryKind, String, i64)> {
    let facts = facts_at(path)?;
    Ok((facts.kind, signature(facts.kind, facts.device, facts.inode, facts.birth), facts.birth))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use super::{is_entry, signature_at};

    #[test]
    fn an_entry_is_known_by_its_signature() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        fs::write(&a, "").unwrap();
        fs::create_dir(&b).unwrap();
        let known = signature_at(&a).unwrap().1;
        assert_eq!(is_entry(&a, &known).unwrap(), Some(true));
        assert_eq!(is_entry(&b, &known).unwrap(), Some(false));
        let moved = known.split(':').enumerate().map(|(n, part)| if n == 1 { "ffff" } else { part });
        assert_eq!(is_entry(&a, &moved.collect::<Vec<_>>().join(":")).unwrap(), Some(true), "another device number");
        for foreign in ["", "abc", "d:x", "17:1700000000:5:x", "f:1:2:3:4", "f:1:zz"] {
            assert_eq!(is_entry(&a, foreign).unwrap(), None, "{foreign}");
        }
        assert!(is_entry(&dir.path().join("none"), &known).is_err());
    }
}
