//! What the gate decided, where it belongs on file.

use super::audit::Audit;
use super::error::LedgerError;
use super::journal::{Entry, Journal, Kind};
use crate::home::Home;

/// Notes a decision in the journal, and a denial in the audit too. Meant for after the answer.
pub fn note(home: &Home, entry: &Entry<'_>) -> Result<(), LedgerError> {
    Journal::at(home).append(entry)?;
    if entry.kind == Kind::Denied {
        Audit::at(home).fact("deny", &entry.bounded())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::note;
    use crate::home::Home;
    use crate::ledger::{Audit, Journal, journal::Entry, journal::Kind};

    #[test]
    fn a_denial_is_audited() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let path = "\u{1}".repeat(1 << 20);
        note(&home, &Entry { path: Some(&path), ..Entry::new(Kind::Denied, "s1") }).unwrap();
        note(&home, &Entry::new(Kind::Asked, "s1")).unwrap();
        let mut kinds = Vec::new();
        Journal::at(&home).read(|e| kinds.push(e.kind)).unwrap();
        assert_eq!(kinds, [Kind::Denied, Kind::Asked]);
        let lines = Audit::at(&home).tail(9).unwrap();
        assert_eq!(lines.len(), 1);
        assert_eq!((&lines[0]["act"], &lines[0]["data"]["session"]), (&"deny".into(), &"s1".into()));
    }
}
