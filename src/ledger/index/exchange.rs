//! The published form, in and out.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::read::Damage;
use super::row::{Row, Step, Told};
use super::store::{IndexError, read_index};
use super::{Index, VERSION, row_key};
use crate::ledger::stamp;

/// The published fields, in their order.
const FIELDS: [&str; 11] = [
    "path",
    "firstSeen",
    "lastScan",
    "bytes",
    "files",
    "signature",
    "state",
    "session",
    "call",
    "observedAt",
    "attribution",
];

/// An index that was read from elsewhere.
#[derive(Debug)]
pub struct Import {
    rows: Vec<Row>,
    /// Entries that could not be read.
    pub damaged: usize,
}

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// Entries that were not in the index before.
    pub added: usize,
    /// Entries that were, and are the same thing: they got what they lacked.
    pub completed: usize,
    /// Entries that were, and are something else by now: left alone.
    pub kept: usize,
}

impl Import {
    /// Reads the index at `path`: ours, or that of dsh-workspace-mgr.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let none = || IndexError::NoIndex { path: path.to_owned() };
        let read = read_index(path)?.ok_or_else(none)?;
        let damaged = match read.damage {
            Damage::None => 0,
            Damage::Rows(rows) => rows,
            Damage::Document if read.index.rows.is_empty() => return Err(none()),
            Damage::Document => 1,
        };
        Ok(Self { rows: read.index.rows.into_values().collect(), damaged })
    }

    /// How many entries it holds.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds its entries to `index`. What `index` knows wins; only gaps are filled.
    pub fn into_index(self, index: &mut Index) -> Imported {
        let mut done = Imported::default();
        let now = stamp::format_utc(stamp::now_ms());
        for mut row in self.rows {
            match index.rows.get_mut(&*row_key(&row.path)) {
                None => {
                    if row.story.is_empty() {
                        let (session, call) = (row.session.clone(), row.call.clone());
                        row.story.push(Told {
                            time: now.clone(),
                            step: Step::Imported,
                            state: row.state,
                            session: session.unwrap_or_default(),
                            call: call.unwrap_or_default(),
                            excerpt: String::new(),
                            by: String::new(),
                        });
                    }
                    index.insert(row);
                    done.added += 1;
                }
                Some(known) if known.signature == row.signature || row.signature.is_empty() => {
                    complete(known, row);
                    done.completed += 1;
                }
                Some(_) => done.kept += 1,
            }
        }
        done
    }
}

/// Takes over what `known` lacks.
fn complete(known: &mut Row, row: Row) {
    if row.first_seen.as_ref().is_some_and(|first| known.first_seen.as_ref().is_none_or(|k| first < k)) {
        known.first_seen = row.first_seen;
    }
    if known.last_scan.is_none() {
        (known.last_scan, known.bytes, known.files) = (row.last_scan, row.bytes, row.files);
    }
    if known.session.is_none() {
        (known.session, known.call, known.attribution) = (row.session, row.call, row.attribution);
    }
    for (name, value) in row.extra {
        known.extra.entry(name).or_insert(value);
    }
}

/// `rows` in the published form.
pub fn export<'a>(rows: impl Iterator<Item = &'a Row>) -> Value {
    let entries: Vec<Value> = rows.map(published).collect();
    json!({ "version": VERSION, "entries": entries })
}

fn published(row: &Row) -> Value {
    let Ok(Value::Object(mut all)) = serde_json::to_value(row) else { return Value::Null };
    let mut fields: Map<String, Value> =
        FIELDS.iter().map(|name| ((*name).to_owned(), all.remove(*name).unwrap_or_default())).collect();
    // Fields of other writers go with their entry.
    fields.extend(row.extra.clone());
    Value::Object(fields)
}
