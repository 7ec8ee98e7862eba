//! Changes to the grants, under a lock and by atomic replacement; fields of other writers survive.

use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::files::{self, Lock, create_private_dir};
use super::grants::{self, Grant, GrantError, Grants, Scope, VERSION, Who};
use super::stamp;
use crate::home::Home;
use crate::path::Model;

/// Milliseconds that a spent grant stays on file, so that the same call judged a second time still finds it.
const KEEP_SPENT_MS: u64 = 10 * 60 * 1000;

/// A grant to be given.
#[derive(Clone, Copy, Debug)]
pub struct NewGrant<'a> {
    /// Absolute, normal, links followed.
    pub path: &'a str,
    /// How long it holds.
    pub scope: Scope,
    /// The session, with [`Scope::Session`].
    pub session: Option<&'a str>,
    /// Milliseconds since 1970, with [`Scope::Until`].
    pub until_ms: Option<u64>,
    /// Who gives it.
    pub by: &'a str,
}

/// The grants file while this process alone may change it.
struct Edit {
    path: PathBuf,
    document: Map<String, Value>,
    rows: Vec<Value>,
    _lock: Lock,
}

impl Edit {
    fn begin(home: &Home) -> Result<Self, GrantError> {
        let dir = home.ledger();
        create_private_dir(&dir).map_err(io("create", &dir))?;
        let lock_path = dir.join("grants.lock");
        let lock = Lock::acquire(&lock_path).map_err(io("lock", &lock_path))?;
        let path = Grants::path(home);
        let mut document: Map<String, Value> = match grants::read(&path)? {
            None => Map::new(),
            Some(bytes) => {
                // What can't be understood is never written over.
                Grants::parse(&bytes, &path)?;
                serde_json::from_slice(&bytes).map_err(|source| GrantError::Damaged { path: path.clone(), source })?
            }
        };
        let rows = match document.remove("grants") {
            Some(Value::Array(rows)) => rows,
            _ => Vec::new(),
        };
        Ok(Self { path, document, rows, _lock: lock })
    }

    fn next_id(&mut self) -> u64 {
        let noted = self.document.get("nextId").and_then(Value::as_u64).unwrap_or(1);
        let used = self.rows.iter().filter_map(|r| r.get("id")?.as_u64()).max().unwrap_or(0);
        let id = noted.max(used.saturating_add(1));
        self.document.insert("nextId".to_owned(), json!(id.saturating_add(1)));
        id
    }

    /// Forgets grants that have not held for a while.
    fn prune(&mut self, now_ms: u64) {
        self.rows.retain(|row| {
            let Ok(grant) = serde_json::from_value::<Grant>(row.clone()) else { return true };
            let used = row.get("usedAt").and_then(Value::as_str).and_then(stamp::parse_utc);
            let since = used.or_else(|| grant.until.as_deref().and_then(stamp::parse_utc)).unwrap_or(0);
            !grant.is_spent(now_ms) || since.saturating_add(KEEP_SPENT_MS) > now_ms
        });
    }

    fn commit(mut self) -> Result<(), GrantError> {
        self.document.insert("version".to_owned(), json!(VERSION));
        self.document.insert("grants".to_owned(), Value::Array(self.rows));
        let bytes = serde_json::to_vec_pretty(&self.document)
            .map_err(|source| GrantError::Damaged { path: self.path.clone(), source })?;
        files::replace(&self.path, &bytes).map_err(io("write", &self.path))
    }
}

fn io<'a>(action: &'static str, path: &'a Path) -> impl Fn(std::io::Error) -> GrantError + use<'a> {
    move |source| GrantError::Io { action, path: path.to_owned(), source }
}

impl Grants {
    /// Gives a grant.
    pub fn add(home: &Home, new: &NewGrant<'_>) -> Result<Grant, GrantError> {
        let mut edit = Edit::begin(home)?;
        let now = stamp::now_ms();
        edit.prune(now);
        let grant = Grant {
            id: edit.next_id(),
            path: new.path.to_owned(),
            scope: new.scope,
            session: new.session.map(str::to_owned),
            until: new.until_ms.map(stamp::format_utc),
            used_by: None,
            created_at: stamp::format_utc(now),
            by: new.by.to_owned(),
        };
        let row =
            serde_json::to_value(&grant).map_err(|source| GrantError::Damaged { path: edit.path.clone(), source })?;
        edit.rows.push(row);
        edit.commit()?;
        Ok(grant)
    }

    /// Takes back every grant that `which` picks, and returns them.
    pub fn revoke(home: &Home, which: impl Fn(&Grant) -> bool) -> Result<Vec<Grant>, GrantError> {
        if !Self::path(home).exists() {
            return Ok(Vec::new());
        }
        let mut edit = Edit::begin(home)?;
        let mut gone = Vec::new();
        edit.rows.retain(|row| match serde_json::from_value::<Grant>(row.clone()) {
            Ok(grant) if which(&grant) => {
                gone.push(grant);
                false
            }
            _ => true,
        });
        if !gone.is_empty() {
            edit.prune(stamp::now_ms());
            edit.commit()?;
        }
        Ok(gone)
    }

    /// Marks the grants `ids` as used up by `call`. Meant for after the answer; those that last are left alone.
    pub fn consume(home: &Home, ids: &[u64], call: Option<&str>) -> Result<(), GrantError> {
        if ids.is_empty() {
            return Ok(());
        }
        let mut edit = Edit::begin(home)?;
        let now = stamp::format_utc(stamp::now_ms());
        for row in &mut edit.rows {
            let Value::Object(fields) = row else { continue };
            let is = |key: &str, value: &Value| fields.get(key) == Some(value);
            if !is("scope", &json!("once")) || !ids.iter().any(|id| is("id", &json!(id))) {
                continue;
            }
            if fields.get("usedBy").is_none_or(Value::is_null) {
                fields.insert("usedBy".to_owned(), json!(call.unwrap_or_default()));
                fields.insert("usedAt".to_owned(), json!(now));
            }
        }
        edit.commit()
    }
}

/// The grants as one tool call asks for them: read when the first path is asked for, and remembered for
/// [`Grants::consume`].
#[derive(Debug)]
pub struct Asked<'a> {
    home: &'a Home,
    session: &'a str,
    call: Option<&'a str>,
    loaded: OnceCell<Result<Grants, GrantError>>,
    used: RefCell<Vec<u64>>,
}

impl<'a> Asked<'a> {
    /// For one call of a session.
    pub fn new(home: &'a Home, session: &'a str, call: Option<&'a str>) -> Self {
        Self { home, session, call, loaded: OnceCell::new(), used: RefCell::default() }
    }

    /// Whether `path` (absolute, links followed) was allowed. No where the grants can't be read.
    pub fn allows(&self, path: &str) -> bool {
        let Ok(grants) = self.loaded.get_or_init(|| Grants::load(self.home)) else { return false };
        if grants.is_empty() {
            return false;
        }
        let who = Who { session: self.session, call: self.call, now_ms: stamp::now_ms() };
        let Some(grant) = grants.matching(Model::native(), path, &who) else { return false };
        let mut used = self.used.borrow_mut();
        if grant.scope == Scope::Once && grant.used_by.is_none() && !used.contains(&grant.id) {
            used.push(grant.id);
        }
        true
    }

    /// Numbers of the grants for one call that this call used.
    pub fn used(self) -> Vec<u64> {
        self.used.into_inner()
    }

    /// Why nothing was granted, where the file can't be read.
    pub fn error(&self) -> Option<&GrantError> {
        self.loaded.get()?.as_ref().err()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use super::{Asked, Grants, NewGrant};
    use crate::home::Home;
    use crate::ledger::{Scope, stamp};

    fn once(path: &str) -> NewGrant<'_> {
        NewGrant { path, scope: Scope::Once, session: None, until_ms: None, by: "me" }
    }

    fn forever(path: &str) -> NewGrant<'_> {
        NewGrant { scope: Scope::Forever, ..once(path) }
    }

    fn root() -> &'static str {
        if cfg!(windows) { r"C:\data" } else { "/data" }
    }

    #[test]
    fn given_used_and_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("h"));
        assert!(Grants::revoke(&home, |_| true).unwrap().is_empty());
        let asked = |call| {
            let home = home.clone();
            let asked = Asked::new(&home, "s1", call);
            (asked.allows(root()), asked.used())
        };
        assert_eq!(asked(None), (false, vec![]));
        let grant = Grants::add(&home, &once(root())).unwrap();
        assert_eq!(grant.id, 1);
        assert_eq!(asked(Some("c1")), (true, vec![1]));
        // Asking alone uses nothing up.
        assert_eq!(asked(Some("c2")), (true, vec![1]));
        Grants::consume(&home, &[1], Some("c1")).unwrap();
        assert_eq!(asked(Some("c2")), (false, vec![]));
        assert_eq!(asked(None), (false, vec![]));
        // The same call judged by a second registration.
        assert_eq!(asked(Some("c1")), (true, vec![]));
        Grants::consume(&home, &[1], Some("c3")).unwrap();
        assert_eq!(asked(Some("c3")), (false, vec![]));

        let grant = Grants::add(&home, &forever(root())).unwrap();
        assert_eq!(grant.id, 2);
        assert_eq!(asked(None), (true, vec![]));
        assert_eq!(Grants::revoke(&home, |g| g.id == 2).unwrap(), [grant]);
        assert_eq!(Grants::add(&home, &forever(root())).unwrap().id, 3, "a number is not given twice");
    }

    #[test]
    fn spent_grants_are_forgotten_after_a_while() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let now = stamp::now_ms();
        let until = |ms| NewGrant { scope: Scope::Until, until_ms: Some(ms), ..once(root()) };
        Grants::add(&home, &until(now - super::KEEP_SPENT_MS - 1)).unwrap();
        Grants::add(&home, &until(now - 1000)).unwrap();
        Grants::add(&home, &until(now + 60_000)).unwrap();
        let left: Vec<_> = Grants::load(&home).unwrap().iter().map(|g| g.id).collect();
        assert_eq!(left, [2, 3]);
    }

    #[test]
    fn unknown_fields_survive() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        fs::create_dir_all(home.ledger()).unwrap();
        let text = r#"{"version":1,"later":{"a":1},"grants":[{"id":4,"path":"/x","scope":"once","note":"kept"}]}"#;
        fs::write(Grants::path(&home), text).unwrap();
        assert_eq!(Grants::add(&home, &forever("/y")).unwrap().id, 5);
        Grants::consume(&home, &[4], None).unwrap();
        let text = fs::read_to_string(Grants::path(&home)).unwrap();
        assert!(text.contains(r#""note": "kept""#) && text.contains(r#""later""#), "{text}");
        assert!(Grants::load(&home).unwrap().iter().any(|g| g.used_by.as_deref() == Some("")));
    }

    #[test]
    fn a_damaged_file_is_not_written_over() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        fs::create_dir_all(home.ledger()).unwrap();
        for text in ["{", r#"{"version":7,"grants":[]}"#, r#"{"version":1,"grants":{}}"#] {
            fs::write(Grants::path(&home), text).unwrap();
            assert!(Grants::add(&home, &forever("/y")).is_err(), "{text}");
            assert!(Grants::revoke(&home, |_| true).is_err(), "{text}");
            assert!(Grants::consume(&home, &[1], None).is_err(), "{text}");
            assert_eq!(fs::read_to_string(Grants::path(&home)).unwrap(), text);
            let asked = Asked::new(&home, "s", None);
            assert!(!asked.allows("/y") && asked.error().is_some());
        }
    }

    #[test]
    fn writers_at_once_lose_nothing() {
        // Locks are asked for in turns that nobody keeps: on a slow machine (Wine) too many starve one.
        const WRITERS: usize = if cfg!(windows) { 3 } else { 8 };
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        std::thread::scope(|scope| {
            for n in 0..WRITERS {
                let home = &home;
                scope.spawn(move || {
                    for m in 0..10 {
                        Grants::add(home, &forever(&format!("/d/{n}/{m}"))).unwrap();
                    }
                });
            }
        });
        let ids: std::collections::HashSet<_> = Grants::load(&home).unwrap().iter().map(|g| g.id).collect();
        assert_eq!(ids.len(), WRITERS * 10);
    }
}
