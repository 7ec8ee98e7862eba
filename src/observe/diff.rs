//! What differs between two looks at a folder.

use super::table::Table;

/// How far one look is searched for a row of the other before the two are compared by name.
const WINDOW: usize = 16;

/// A difference; numbers are rows of the old and of the new table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    Appeared(usize),
    Vanished(usize),
    /// The same name, something else.
    Changed(usize, usize),
}

/// The differences. Births that only `old` knows are carried over into `new`.
///
/// Systems list a folder in an order that hardly changes, so both are walked side by side; what does not fit is set
/// aside and compared by name at the end.
pub(crate) fn diff(old: &Table, new: &mut Table) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        if old.is_equal(i, new, j) {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        if old.name(i) == new.name(j) {
            pair(old, new, i, j, &mut changes);
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let ahead = |table: &Table, from: usize, name: &[u8]| {
            (from + 1..table.len().min(from + 1 + WINDOW)).find(|&k| table.name(k) == name)
        };
        if let Some(k) = ahead(new, j, old.name(i)) {
            come.extend(j..k);
            j = k;
        } else if let Some(k) = ahead(old, i, new.name(j)) {
            gone.extend(i..k);
            i = k;
        } else {
            gone.push(i);
            come.push(j);
            (i, j) = (i + 1, j + 1);
        }
    }
    gone.extend(i..old.len());
    come.extend(j..new.len());
    by_name(old, new, gone, come, &mut changes);
    changes
}

/// Rows `i` and `j` have one name.
fn pair(old: &Table, new: &mut Table, i: usize, j: usize, changes: &mut Vec<Change>) {
    let (before, now) = (old.row(i), new.row(j));
    if !now.is_same(&before) {
        changes.push(Change::Changed(i, j));
    } else if now.birth == 0 && before.birth != 0 {
        new.set_birth(j, before.birth);
    }
}

fn by_name(old: &Table, new: &mut Table, mut gone: Vec<usize>, mut come: Vec<usize>, changes: &mut Vec<Change>) {
    if !gone.is_empty() && !come.is_empty() {
        gone.sort_unstable_by_key(|&i| old.name(i));
        come.sort_unstable_by_key(|&j| new.name(j));
    }
    let (mut i, mut j) = (0, 0);
    loop {
        match (gone.get(i), come.get(j)) {
            (Some(&a), Some(&b)) => match old.name(a).cmp(new.name(b)) {
                std::cmp::Ordering::Less => (changes.push(Change::Vanished(a)), i += 1).1,
                std::cmp::Ordering::Greater => (changes.push(Change::Appeared(b)), j += 1).1,
                std::cmp::Ordering::Equal => {
                    pair(old, new, a, b, changes);
                    (i, j) = (i + 1, j + 1);
                }
            },
            (Some(&a), None) => (changes.push(Change::Vanished(a)), i += 1).1,
            (None, Some(&b)) => (changes.push(Change::Appeared(b)), j += 1).1,
            (None, None) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::{Change, diff};
    use crate::ledger::observed::EntryKind;
    use crate::observe::table::{Row, Table};

    type Entry = (EntryKind, u64, i64);

    fn table(rows: &[(String, Entry)]) -> Table {
        let mut table = Table::default();
        for (name, (kind, inode, birth)) in rows {
            table.push(&Row { kind: *kind, inode: *inode, birth: *birth, name: name.as_bytes() });
        }
        table
    }

    fn entry() -> impl Strategy<Value = Entry> {
        (prop::sample::select(vec![EntryKind::File, EntryKind::Dir]), 1..4_u64, 0..3_i64)
    }

    /// Distinct names in any order.
    fn rows() -> impl Strategy<Value = Vec<(String, Entry)>> {
        prop::collection::btree_map("[a-e]{1,2}", entry(), 0..30)
            .prop_map(|map| map.into_iter().collect::<Vec<_>>())
            .prop_shuffle()
    }

    /// The same by maps.
    fn reference(old: &[(String, Entry)], new: &[(String, Entry)]) -> Vec<(char, String)> {
        let map = |rows: &[(String, Entry)]| rows.iter().cloned().collect::<BTreeMap<_, _>>();
        let (old, new) = (map(old), map(new));
        let mut found = Vec::new();
        for (name, a) in &old {
            match new.get(name) {
                None => found.push(('-', name.clone())),
                Some(b) if a.0 != b.0 || a.1 != b.1 || (a.2 != b.2 && a.2 != 0 && b.2 != 0) => {
                    found.push(('*', name.clone()));
                }
                Some(_) => {}
            }
        }
        found.extend(new.keys().filter(|name| !old.contains_key(*name)).map(|name| ('+', name.clone())));
        found.sort();
        found
    }

    fn named(old: &Table, new: &Table, changes: &[Change]) -> Vec<(char, String)> {
        let text = |table: &Table, i| String::from_utf8_lossy(table.name(i)).into_owned();
        let mut found: Vec<_> = changes
            .iter()
            .map(|change| match *change {
                Change::Appeared(j) => ('+', text(new, j)),
                Change::Vanished(i) => ('-', text(old, i)),
                Change::Changed(i, j) => {
                    assert_eq!(text(old, i), text(new, j));
                    ('*', text(new, j))
                }
            })
            .collect();
        found.sort();
        found
    }

    proptest! {
        #[test]
        fn agrees_with_maps(a in rows(), b in rows()) {
            let (old, mut new) = (table(&a), table(&b));
            let changes = diff(&old, &mut new);
            prop_assert_eq!(named(&old, &new, &changes), reference(&a, &b));
        }

        #[test]
        fn small_edits_of_large_folders(
            a in rows(), drop in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
            add in prop::collection::vec((any::<prop::sample::Index>(), "[f-h]{1,2}", entry()), 0..4),
        ) {
            let mut b = a.clone();
            for index in drop {
                if !b.is_empty() {
                    b.remove(index.index(b.len()));
                }
            }
            for (index, name, entry) in add {
                if !b.iter().any(|(n, _)| *n == name) {
                    b.insert(index.index(b.len() + 1), (name, entry));
                }
            }
            let (old, mut new) = (table(&a), table(&b));
            let changes = diff(&old, &mut new);
            prop_assert_eq!(named(&old, &new, &changes), reference(&a, &b));
        }

        #[test]
        fn known_births_are_kept(a in rows()) {
            let old = table(&a);
            let unknown: Vec<_> = a.iter().cloned().map(|(n, (kind, inode, _))| (n, (kind, inode, 0))).collect();
            let mut new = table(&unknown);
            prop_assert_eq!(diff(&old, &mut new), vec![]);
            prop_assert_eq!(new, old);
        }

        #[test]
        fn stored_and_read(a in rows(), cut in any::<prop::sample::Index>()) {
            let table = table(&a);
            let bytes = table.as_bytes().to_vec();
            prop_assert_eq!(Table::from_bytes([&[7; 5], &*bytes].concat(), 5), Some(table));
            // Cut anywhere it is another table or none, never a panic.
            let _any: Option<Table> = Table::from_bytes(bytes[..cut.index(bytes.len() + 1)].to_vec(), 0);
        }
    }
}
