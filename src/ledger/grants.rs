//! Paths that the operator allowed: HOME/workspace-mgr/grants.json.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::stamp;
use crate::home::Home;
use crate::limits::MAX_GRANTS_BYTES;
use crate::path::Model;
use crate::sys::open_without_waiting;

/// Version of the file's form that this reads and writes.
pub(crate) const VERSION: u32 = 1;

/// How long a grant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// Until it is revoked.
    Forever,
    /// For one session.
    Session,
    /// Until a moment.
    Until,
    /// For one tool call.
    Once,
}

/// A path that the operator allowed, with everything below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// Its number, never given twice.
    pub id: u64,
    /// Absolute, normal, links followed.
    pub path: String,
    /// How long it holds.
    pub scope: Scope,
    /// The session, with [`Scope::Session`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The moment, with [`Scope::Until`]; RFC 3339 UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The call that used it up, with [`Scope::Once`]; empty for a call without an id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_by: Option<String>,
    /// When it was given, RFC 3339 UTC.
    #[serde(default)]
    pub created_at: String,
    /// Who gave it.
    #[serde(default)]
    pub by: String,
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub struct Who<'a> {
    /// The session id as the harness spells it.
    pub session: &'a str,
    /// The call's id, where the harness gives one. The same call may be judged twice (two registrations), and
    /// a grant for one call holds for both.
    pub call: Option<&'a str>,
    /// Milliseconds since 1970.
    pub now_ms: u64,
}

impl Grant {
    /// Whether it holds for this asker, whatever the path.
    pub fn holds(&self, who: &Who<'_>) -> bool {
        match self.scope {
            Scope::Forever => true,
            Scope::Session => self.session.as_deref() == Some(who.session),
            // A time that can't be read grants nothing.
            Scope::Until => self.until.as_deref().and_then(stamp::parse_utc).is_some_and(|end| who.now_ms < end),
            Scope::Once => match self.used_by.as_deref() {
                None => true,
                Some(call) => !call.is_empty() && who.call == Some(call),
            },
        }
    }

    /// Whether it will never hold again for anybody.
    pub fn is_spent(&self, now_ms: u64) -> bool {
        match self.scope {
            Scope::Forever | Scope::Session => false,
            Scope::Until => self.until.as_deref().and_then(stamp::parse_utc).is_none_or(|end| now_ms >= end),
            Scope::Once => self.used_by.is_some(),
        }
    }
}

/// Every grant on file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    list: Vec<Grant>,
}

#[derive(Deserialize)]
struct Form {
    version: u32,
    #[serde(default)]
    grants: Vec<Grant>,
}

impl Grants {
    /// The file's place.
    pub fn path(home: &Home) -> PathBuf {
        home.ledger().join("grants.json")
    }

    /// Reads the grants; no file means none. An error means that nothing is granted, and is worth telling.
    pub fn load(home: &Home) -> Result<Self, GrantError> {
        let path = Self::path(home);
        match read(&path)? {
            Some(bytes) => Self::parse(&bytes, &path),
            None => Ok(Self::default()),
        }
    }

    pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Self, GrantError> {
        let form: Form =
            serde_json::from_slice(bytes).map_err(|source| GrantError::Damaged { path: path.to_owned(), source })?;
        if form.version != VERSION {
            return Err(GrantError::Version { path: path.to_owned(), version: form.version });
        }
        Ok(Self { list: form.grants })
    }

    /// All of them, spent ones too.
    pub fn iter(&self) -> impl Iterator<Item = &Grant> {
        self.list.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The grant that lets `who` create `path` (absolute, links followed), under the rules of `model`.
    /// A lasting one is preferred to one for a single call.
    pub fn matching(&self, model: Model, path: &str, who: &Who<'_>) -> Option<&Grant> {
        let fits = |g: &&Grant| g.holds(who) && model.is_absolute(&g.path) && model.is_within(path, &g.path);
        let mut found = self.list.iter().filter(fits);
        let first = found.next()?;
        if first.scope != Scope::Once {
            return Some(first);
        }
        Some(found.find(|g| g.scope != Scope::Once).unwrap_or(first))
    }
}

/// The bytes of the grants file at `path`; `None` where there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, GrantError> {
    let fail = |source| GrantError::Io { action: "read", path: path.to_owned(), source };
    let file = match open_without_waiting(path) {
        Ok(file) => file,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(None),
        Err(e) => return Err(fail(e)),
    };
    if !file.metadata().map_err(fail)?.is_file() {
        return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, "it is no file")));
    }
    let mut bytes = Vec::new();
    file.take(MAX_GRANTS_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() > MAX_GRANTS_BYTES {
        return Err(fail(io::Error::new(io::ErrorKind::FileTooLarge, "too large for a grants file")));
    }
    Ok(Some(bytes))
}

/// Why the grants can't be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The system refused.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// Not the form that is written.
    #[error("`{}` is damaged, so nothing is granted: {source}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where it stops being readable.
        source: serde_json::Error,
    },
    /// A later version's file.
    #[error("`{}` has form {version}, which this version does not know, so nothing is granted", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its form.
        version: u32,
    },
}

impl GrantError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "grants_io",
            Self::Damaged { .. } => "grants_damaged",
            Self::Version { .. } => "grants_version",
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "look at the file's rights",
            Self::Damaged { .. } => "mend the file, or remove it and allow the paths again",
            Self::Version { .. } => "use the newer wsguard that wrote it",
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::path::Path;

    use super::{Grants, Who};
    use crate::home::Home;
    use crate::ledger::stamp;
    use crate::path::Model;

    const FILE: &str = r#"{"version":1,"later":true,"grants":[
        {"id":1,"path":"/one","scope":"once"},
        {"id":2,"path":"/used","scope":"once","usedBy":"c1"},
        {"id":3,"path":"/mine","scope":"session","session":"s1"},
        {"id":4,"path":"/soon","scope":"until","until":"2026-01-01T00:00:00.000Z"},
        {"id":5,"path":"/never","scope":"until","until":"rubbish"},
        {"id":6,"path":"/ever","scope":"forever","createdAt":"x","by":"me","note":"kept"},
        {"id":7,"path":"/ever","scope":"once"},
        {"id":8,"path":"relative","scope":"forever"},
        {"id":9,"path":"/anon","scope":"once","usedBy":""}]}"#;

    #[test]
    fn who_may_what() {
        let grants = Grants::parse(FILE.as_bytes(), Path::new("g")).unwrap();
        let before = stamp::parse_utc("2025-12-31T23:59:59.999Z").unwrap();
        let check = |path: &str, session: &str, call: Option<&str>, now_ms: u64, want: Option<u64>| {
            let who = Who { session, call, now_ms };
            assert_eq!(grants.matching(Model::Posix, path, &who).map(|g| g.id), want, "{path} {session} {call:?}");
        };
        check("/one", "s1", Some("c1"), 0, Some(1));
        check("/one/a/b", "s1", None, 0, Some(1));
        check("/onet", "s1", None, 0, None);
        check("/used", "s1", Some("c1"), 0, Some(2));
        check("/used", "s1", Some("c2"), 0, None);
        check("/used", "s1", None, 0, None);
        check("/anon", "s1", None, 0, None);
        check("/anon", "s1", Some(""), 0, None);
        check("/mine", "s1", None, 0, Some(3));
        check("/mine", "S1", None, 0, None);
        check("/soon", "s1", None, before, Some(4));
        check("/soon", "s1", None, before + 1, None);
        check("/never", "s1", None, 0, None);
        check("/ever/x", "s1", None, 0, Some(6));
        check("relative", "s1", None, 0, None);
        check("/", "s1", None, 0, None);
    }

    #[test]
    fn windows_rules_fold_case() {
        let text = r#"{"version":1,"grants":[{"id":1,"path":"D:\\Data","scope":"forever"}]}"#;
        let grants = Grants::parse(text.as_bytes(), Path::new("g")).unwrap();
        let who = Who { session: "", call: None, now_ms: 0 };
        assert!(grants.matching(Model::Windows, r"d:\data\x", &who).is_some());
        assert!(grants.matching(Model::Posix, "/d/data", &who).is_none());
    }

    #[test]
    fn no_file_grants_nothing_and_a_damaged_one_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert!(Grants::load(&home).unwrap().is_empty());
        std::fs::create_dir_all(home.ledger()).unwrap();
        let check = |text: &[u8], code: &str| {
            std::fs::write(Grants::path(&home), text).unwrap();
            assert_eq!(Grants::load(&home).unwrap_err().code(), code, "{text:?}");
        };
        check(b"", "grants_damaged");
        check(b"{\"version\":1,\"grants\":[{\"path\":\"/x\"}]}", "grants_damaged");
        check(b"{\"version\":2,\"grants\":[]}", "grants_version");
        check(b"\xff\xfe", "grants_damaged");
        std::fs::remove_file(Grants::path(&home)).unwrap();
        std::fs::create_dir(Grants::path(&home)).unwrap();
        assert_eq!(Grants::load(&home).unwrap_err().code(), "grants_io");
    }
}
