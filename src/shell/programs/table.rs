//! The rows: texts compiled in, sorted by name.

use super::index;
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
    // `git-restore`, as it lies in git's own folder of programs.
    if let Some(row) = bare.strip_prefix("git-").and_then(|sub| find(&format!("git/{sub}"))) {
        return Some(row);
    }
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
    index::place(name).map(|(text, start)| Row::at(text, start))
}

/// Start of the first row at or after the line that begins at `at`.
pub(super) const fn next_row(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && !starts_row(text[at]) {
        at = index::next_line(text, at);
    }
    at
}

/// Blank and indented lines and comments don't.
const fn starts_row(byte: u8) -> bool {
    !matches!(byte, b' ' | b'#' | b'\n')
}
