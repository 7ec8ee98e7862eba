//! Names of item folders: when it was recycled, what it was called, and an id that nobody can guess from its neighbours.

use std::ffi::OsStr;
use std::hash::{BuildHasher as _, RandomState};

use crate::ledger::stamp;

/// Digits of an id.
const ID_DIGITS: usize = 12;

/// Bytes of the entry's own name in the folder's: together with the rest less than any file system's limit.
const MAX_NAME_BYTES: usize = 160;

/// Bytes of a folder's name to which the word of an act can be added.
const MAX_FOLDER_BYTES: usize = 240;

/// The file that says what an item is.
pub(crate) const MANIFEST: &str = "manifest.json";
/// What was recycled.
pub(crate) const PAYLOAD: &str = "payload";
/// A copy from another volume that is not whole yet.
pub(crate) const PARTIAL: &str = "payload.part";
/// Says that a copy back to another volume is whole.
pub(crate) const COPIED: &str = "copied.json";

/// Words at the end of a folder's name while an act is under way: each is a rename away from the next state.
pub(crate) const RECYCLING: &str = ".recycling";
/// See [`RECYCLING`].
pub(crate) const RESTORING: &str = ".restoring";
/// See [`RECYCLING`].
pub(crate) const PURGING: &str = ".purging";

/// A new id: twelve hexadecimal digits of chance.
pub(crate) fn new_id() -> String {
    let random = RandomState::new().hash_one(std::process::id());
    format!("{random:016x}")[..ID_DIGITS].to_owned()
}

/// The folder of the item `id`, which holds an entry called `name` and is made at `now` (milliseconds since 1970).
pub(crate) fn folder_name(now: u64, name: &OsStr, id: &str) -> String {
    let time = stamp::format_utc(now);
    let time: String = time.chars().filter(char::is_ascii_alphanumeric).collect();
    // Without the thousandths: `20260131T120000Z`.
    let time = format!("{}Z", &time[..15]);
    let mut clean: String = name.to_string_lossy().chars().map(clean).collect();
    clean.truncate(clean.floor_char_boundary(MAX_NAME_BYTES));
    format!("{time}-{clean}-{id}")
}

/// A character as every file system and every terminal takes it.
fn clean(c: char) -> char {
    let bad = c.is_control() || c == char::REPLACEMENT_CHARACTER || r#"<>:"/\|?*"#.contains(c);
    if bad { '_' } else { c }
}

/// The id in a folder's name, without the word of an act: ours is at its end, and of others' folders the name is the id.
pub(crate) fn id_of(folder: &str) -> &str {
    let ours = folder.rsplit_once('-').map(|(_, id)| id);
    let is_id =
        |id: &&str| id.len() == ID_DIGITS && id.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    ours.filter(is_id).unwrap_or(folder)
}

/// The folder's name with the word of an act; shortened where it would be too long.
pub(crate) fn with_word(folder: &str, word: &str) -> String {
    if folder.len() <= MAX_FOLDER_BYTES {
        return format!("{folder}{word}");
    }
    format!("{}-{}{word}", &folder[..folder.floor_char_boundary(MAX_FOLDER_BYTES - ID_DIGITS - 1)], new_id())
}

/// The name of the entry `id` beside its old place, while it is being removed there after a copy was made.
pub(crate) fn aside(id: &str) -> String {
    format!(".wsguard-recycled-{}", short(id))
}

/// The name of the entry `id` beside its old place, while it is being copied back there.
pub(crate) fn arriving(id: &str) -> String {
    format!(".wsguard-restoring-{}", short(id))
}

/// As much of an id as a name has room for: others' are whole folder names.
fn short(id: &str) -> &str {
    &id[..id.floor_char_boundary(MAX_NAME_BYTES)]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::ffi::OsStr;

    use super::{folder_name, id_of, new_id, with_word};

    #[test]
    fn names_say_when_and_what() {
        let name = folder_name(1_769_860_800_123, OsStr::new("a b:c\n"), "0123456789ab");
        assert_eq!(name, "20260131T120000Z-a b_c_-0123456789ab");
        assert_eq!(id_of(&name), "0123456789ab");
        assert_eq!(id_of("20260131T120000Z-a"), "20260131T120000Z-a");
        assert_eq!(id_of("2026-01-31T12-00-00-000Z-name"), "2026-01-31T12-00-00-000Z-name");
        let long = folder_name(0, OsStr::new(&"\u{1f980}".repeat(64)), "0123456789ab");
        assert!(with_word(&long, ".recycling").len() <= 255 && id_of(&long) == "0123456789ab");
        assert!(with_word(&"x".repeat(255), ".purging").len() <= 255);
    }

    #[test]
    fn ids_differ() {
        let ids: HashSet<String> = (0..1000).map(|_| new_id()).collect();
        assert_eq!(ids.len(), 1000);
    }
}
