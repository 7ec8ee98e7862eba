//! The stored form of the index: one JSON document with one entry a line, so that of a damaged one each whole line can
//! still be read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::row::Row;
use super::{Index, Notice, Position, VERSION, row_key};

/// Everything but the entries.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Head {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<Position>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    harnesses: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<Notice>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

/// An index as it was read.
#[derive(Default)]
pub(super) struct Read {
    pub(super) index: Index,
    /// What could not be read: nothing, some entries, or the document itself.
    pub(super) damage: Damage,
}

/// How much of a stored index was readable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Damage {
    #[default]
    None,
    /// So many entries were not.
    Rows(usize),
    /// The document was not: what is there was found line by line, and where the journal goes on is not known.
    Document,
}

/// Reads an index in any form that is known: ours and the published one (`entries` as a list, or by path), or a bare
/// list of entries.
pub(super) fn parse(bytes: &[u8]) -> Read {
    // Editors of Windows mark their texts.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match serde_json::from_slice::<Value>(bytes) {
        Ok(value) => document(value),
        Err(_) => salvage(bytes),
    }
}

fn document(value: Value) -> Read {
    let (head, entries) = match value {
        Value::Array(_) => (Map::new(), value),
        Value::Object(mut fields) => {
            let entries = fields.remove("entries").unwrap_or_else(|| {
                // Entries by their path, and nothing else.
                let by_path = !fields.is_empty() && fields.values().all(|v| v.get("state").is_some());
                if by_path { Value::Object(std::mem::take(&mut fields)) } else { Value::Array(Vec::new()) }
            });
            (fields, entries)
        }
        _ => return Read { damage: Damage::Document, ..Read::default() },
    };
    let Ok(head) = serde_json::from_value::<Head>(Value::Object(head)) else {
        // Entries are more than what is said about them.
        let mut read = with_rows(Head::default(), entries);
        read.damage = Damage::Document;
        return read;
    };
    with_rows(head, entries)
}

fn with_rows(head: Head, entries: Value) -> Read {
    let mut damaged = 0;
    let mut rows = BTreeMap::new();
    let mut take = |key: Option<String>, value: Value| {
        let row = serde_json::from_value::<Row>(value).ok().map(|mut row| {
            if row.path.is_empty() {
                row.path = key.unwrap_or_default();
            }
            row
        });
        match row.filter(|row| !row.path.is_empty()) {
            Some(row) => drop(rows.insert(row_key(&row.path).into_owned(), row)),
            None => damaged += 1,
        }
    };
    match entries {
        Value::Array(list) => list.into_iter().for_each(|value| take(None, value)),
        Value::Object(by_path) => by_path.into_iter().for_each(|(path, value)| take(Some(path), value)),
        _ => take(None, Value::Null),
    }
    let Head { journal, harnesses, notices, extra, .. } = head;
    let index = Index { rows, notices, harnesses, position: journal, extra };
    Read { index, damage: if damaged == 0 { Damage::None } else { Damage::Rows(damaged) } }
}

/// Each line that is an entry by itself.
fn salvage(bytes: &[u8]) -> Read {
    let mut rows = BTreeMap::new();
    for line in bytes.split(|&b| b == b'\n') {
        let line = line.trim_ascii();
        let line = line.strip_suffix(b",").unwrap_or(line);
        if !line.starts_with(b"{\"path\"") {
            continue;
        }
        if let Ok(row) = serde_json::from_slice::<Row>(line) {
            rows.insert(row_key(&row.path).into_owned(), row);
        }
    }
    Read { index: Index { rows, ..Index::default() }, damage: Damage::Document }
}

impl Index {
    /// The stored form.
    pub(super) fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let head = Head {
            version: VERSION,
            journal: self.position.clone(),
            harnesses: self.harnesses.clone(),
            notices: self.notices.clone(),
            extra: self.extra.clone(),
        };
        let mut bytes = serde_json::to_vec(&head)?;
        // The head is an object with a field at least: the entries become its last field.
        bytes.pop();
        bytes.extend_from_slice(b",\"entries\":[");
        for (at, row) in self.rows.values().enumerate() {
            bytes.extend_from_slice(if at == 0 { b"\n" } else { b",\n" });
            serde_json::to_writer(&mut bytes, row)?;
        }
        bytes.extend_from_slice(b"\n]}\n");
        Ok(bytes)
    }
}
