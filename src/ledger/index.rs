//! The index: what was seen on the scan roots, who made it, and what the operator thinks of it. The fold of the journal.
//!
//! HOME/workspace-mgr/index.json holds the fold as far as it was made; the journal's lines from there on are added when it
//! is read. Losing the file loses nothing that the journal still has: only sizes have to be measured again.

mod chain;
mod exchange;
mod fold;
mod read;
mod row;
mod store;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::path::Model;

pub use chain::{Call, Tail, calls};
pub use exchange::{Import, Imported, export};
pub use row::{Row, State, Step, Told};
pub use store::{IndexError, Opened, Store};

/// Version of the stored form.
const VERSION: u32 = 1;

/// Something that the operator should know about the observation itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Notice {
    /// When it was last said, RFC 3339 UTC.
    pub time: String,
    /// A stable code: `transient`, `journal_damaged`, …
    pub code: String,
    /// What it is about.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// For people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The session, where it is about one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// The call.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub call: String,
}

/// How far into the journal's files the fold has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Position {
    /// SHA-256 of the file's first bytes, by which it is known after it was put aside.
    pub head: String,
    /// How many bytes that are.
    pub head_bytes: u64,
    /// Bytes of the file that were folded.
    pub offset: u64,
}

/// The index in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Index {
    /// By [`row_key`].
    rows: BTreeMap<String, Row>,
    notices: Vec<Notice>,
    /// The harness of each session that was met lately, in the order in which they came.
    harnesses: Vec<(String, String)>,
    position: Option<Position>,
    /// Fields of other writers.
    extra: Map<String, Value>,
}

impl Index {
    /// The entry at `path`, present or gone.
    pub fn get(&self, path: &str) -> Option<&Row> {
        self.rows.get(&*row_key(path))
    }

    /// Every entry, by path.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values()
    }

    /// What the operator should know, oldest first.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Changes what was measured of the entry at `path`, if it still is the one with this signature.
    pub fn set_measured(&mut self, path: &str, signature: &str, change: impl FnOnce(&mut Row)) {
        if let Some(row) = self.rows.get_mut(&*row_key(path)).filter(|row| row.signature == signature) {
            change(row);
        }
    }
}

/// What an entry's path is filed under: Windows has many spellings of one place.
fn row_key(path: &str) -> Cow<'_, str> {
    key_under(Model::native(), path)
}

fn key_under(model: Model, path: &str) -> Cow<'_, str> {
    match model {
        Model::Posix => Cow::Borrowed(path),
        Model::Windows => Cow::Owned(model.fold(&model.normalize(path)).into_owned()),
    }
}
