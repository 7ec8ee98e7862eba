//! The operator's grants, read only where a call would be refused without one.

use std::cell::OnceCell;

use super::run::complain;
use crate::home::Home;
use crate::ledger::{Grants, Who, stamp};
use crate::path::Model;

/// Grants as one call sees them.
pub(crate) struct Asked<'a> {
    home: &'a Home,
    session: &'a str,
    call: Option<&'a str>,
    grants: OnceCell<Grants>,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(home: &'a Home, session: &'a str, call: Option<&'a str>) -> Self {
        Self { home, session, call, grants: OnceCell::new() }
    }

    /// Whether a grant holds for this resolved path.
    pub(crate) fn allows(&self, path: &str) -> bool {
        let grants = self.grants.get_or_init(|| match Grants::load(self.home) {
            Ok(grants) => grants,
            Err(error) => {
                // Unreadable grants grant nothing; the user sees why on standard error and in `doctor`.
                complain(&error.to_string());
                Grants::default()
            }
        });
        if grants.is_empty() {
            return false;
        }
        let who = Who { session: self.session, call: self.call, now_ms: stamp::now_ms() };
        grants.matching(Model::native(), path, &who).is_some()
    }
}
