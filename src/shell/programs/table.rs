//! The rows: texts compiled in, sorted by name, searched without building anything.

use super::row::Row;

/// The groups of rows; a name stands in one of them only.
pub(super) const GROUPS: [&str; 10] = [
    include_str!("coreutils.roles"),
    include_str!("archives.roles"),
    include_str!("build.roles"),
    include_str!("languages.roles"),
    include_str!("media.roles"),
    include_str!("net.roles"),
    include_str!("system.roles"),
    include_str!("text.roles"),
    include_str!("vcs.roles"),
    include_str!("windows.roles"),
];

/// How many `see` may follow one another.
const MAX_SEE: usize = 4;

/// The row of `name` after every `see` was followed.
pub(super) fn find(name: &str) -> Option<Row<'static>> {
    let mut row = find_plain(name)?;
    for _ in 0..MAX_SEE {
        match row.see() {
            Some(next) => row = find_plain(next)?,
            None => return Some(row),
        }
    }
    None
}

/// Whether a program, spelled like this, has a row.
pub(in crate::shell) fn has_row(spelled: &str) -> bool {
    find_program(spelled).is_some()
}

/// The row of a program as it was started: by a path, with a version or a target in its name.
pub(super) fn find_program(spelled: &str) -> Option<Row<'static>> {
    let name = spelled.rsplit(['/', '\\']).next().unwrap_or(spelled);
    // `create-app@latest`; a name that begins so is none of a program.
    let name = name.split('@').next().unwrap_or(name);
    if let Some(row) = find(name) {
        return Some(row);
    }
    let bare = name.strip_suffix(".exe").unwrap_or(name);
    let bare = match bare.rfind("-linux-gnu-").or_else(|| bare.rfind("-linux-musl-")) {
        Some(at) => bare[at + 1..].splitn(3, '-').nth(2).unwrap_or(bare),
        None => bare,
    };
    let unversioned = bare.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end_matches('-');
    let row = [bare, unversioned].into_iter().filter(|n| *n != name && !n.is_empty()).find_map(find);
    // `CMD.EXE`, `Git.exe`: a name is tried as it stands first.
    row.or_else(|| {
        let lower = spelled.to_ascii_lowercase();
        if lower == spelled { None } else { find_program(&lower) }
    })
}

fn find_plain(name: &str) -> Option<Row<'static>> {
    // `/` belongs to the keys of sub-commands, `@` to the shared rows; both are looked up by rows alone.
    GROUPS.iter().find_map(|text| search(text, name))
}

/// Binary search over the rows of one text.
fn search<'t>(text: &'t str, name: &str) -> Option<Row<'t>> {
    let (mut low, mut high) = (next_row(text, 0), text.len());
    while low < high {
        let start = row_at(text, low, low + (high - low) / 2);
        match name.as_bytes().cmp(name_at(text, start)) {
            std::cmp::Ordering::Equal => return Some(Row::at(text, start)),
            std::cmp::Ordering::Less => high = start,
            // The rest of the row's lines begin no other one.
            std::cmp::Ordering::Greater => low = next_row(text, next_line(text, start)),
        }
    }
    None
}

/// The name of the row at `start`: a look-up passes over dozens of rows and takes none of them apart.
fn name_at(text: &str, start: usize) -> &[u8] {
    let rest = &text.as_bytes()[start..];
    let end = rest.iter().position(|&b| matches!(b, b' ' | b'\n')).unwrap_or(rest.len());
    &rest[..end]
}

fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |n| at + n + 1)
}

/// Start of the row that byte `at` belongs to, not before `low`, which is one itself.
fn row_at(text: &str, low: usize, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut start = at;
    while start > low {
        if bytes[start - 1] == b'\n' && starts_row(bytes[start]) {
            return start;
        }
        start -= 1;
    }
    low
}

/// Start of the first row at or after the line that begins at `at`.
pub(super) fn next_row(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while at < bytes.len() && !starts_row(bytes[at]) {
        at += bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len() - at, |n| n + 1);
    }
    at
}

/// Blank and indented lines and comments don't.
const fn starts_row(byte: u8) -> bool {
    !matches!(byte, b' ' | b'#' | b'\n')
}
