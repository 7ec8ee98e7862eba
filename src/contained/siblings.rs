//! Names that a file system of another kind takes for one.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfd_quick};

use crate::limits::MAX_SIBLINGS;
use crate::sys::Folder;

/// What a folder has beside a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Siblings {
    /// No name that is taken for it.
    Apart,
    /// The name itself.
    Itself,
    /// Another spelling of it.
    Collide,
}

/// All names in `folder`.
pub(super) fn all(folder: &Folder) -> io::Result<Vec<OsString>> {
    match folder.names(MAX_SIBLINGS)? {
        (names, true) => Ok(names),
        (_, false) => Err(io::Error::other(format!("the folder holds more than {MAX_SIBLINGS} entries"))),
    }
}

/// Looks through a folder's `names` for `name` and its other spellings; `name` itself, where it is there, counts more.
pub(super) fn beside(names: &[OsString], name: &str) -> Siblings {
    if names.iter().any(|other| other == OsStr::new(name)) {
        return Siblings::Itself;
    }
    let collide = names.iter().filter_map(|other| other.to_str()).any(|other| is_same(name, other));
    if collide { Siblings::Collide } else { Siblings::Apart }
}

/// Whether `folder` holds another spelling of `name` beside it.
pub(super) fn collides(folder: &Folder, name: &str) -> io::Result<bool> {
    let (names, all) = folder.names(MAX_SIBLINGS)?;
    let others = names.iter().filter(|other| *other != OsStr::new(name));
    Ok(!all || others.filter_map(|other| other.to_str()).any(|other| is_same(name, other)))
}

/// Whether some file system takes two names for one: without case (Windows, macOS), without regard to how characters are put
/// together (macOS).
pub(super) fn is_same(one: &str, other: &str) -> bool {
    if one.is_ascii() && other.is_ascii() {
        return one.eq_ignore_ascii_case(other);
    }
    key(one) == key(other)
}

/// Canonical caseless matching as Unicode defines it (D145), the folding made of the standard library's two mappings.
fn key(name: &str) -> String {
    let decomposed = decomposed(name);
    let folded: String = decomposed.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    // A sigma at the end of a word has a small letter of its own, which goes by context.
    folded.nfd().map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}

fn decomposed(name: &str) -> Cow<'_, str> {
    match is_nfd_quick(name.chars()) {
        IsNormalized::Yes => Cow::Borrowed(name),
        _ => Cow::Owned(name.nfd().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn one_name_for_another_file_system() {
        for (one, other) in [
            ("notes", "Notes"),
            ("NOTES.TXT", "notes.txt"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("CAF\u{c9}", "cafe\u{301}"),
            ("straße", "STRASSE"),
            ("ΟΔΟΣ", "οδος"),
            ("\u{212b}ngström", "ångstro\u{308}m"),
            ("\u{212a}ey", "key"),
            ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
            ("Привет", "пРИВЕТ"),
            ("q\u{323}\u{307}", "q\u{307}\u{323}"),
            ("\u{1f80}", "\u{1f88}"),
        ] {
            assert!(is_same(one, other) && is_same(other, one), "{one} {other}");
        }
        for (one, other) in
            [("notes", "note"), ("café", "cafe"), ("а", "a"), ("ﬁle2", "fil2"), ("１", "1"), ("名前", "名前2")]
        {
            assert!(!is_same(one, other), "{one} {other}");
        }
    }
}
