//! What Windows makes of a path's text before any disk is asked: its several roots, and names that are another
//! spelling of a name.
//!
//! Contract: "Naming Files, Paths, and Namespaces" and "File path formats on Windows systems" of the Windows
//! documentation.

use std::borrow::Cow;

use super::Form;

/// What the beginning of a path says.
pub(super) fn form(path: &str) -> Form {
    let b = path.as_bytes();
    let separator = |i: usize| b.get(i).is_some_and(|&c| is_separator(c));
    match namespace(path) {
        Some(Namespace { literal: true, .. }) => Form::Verbatim,
        Some(_) => Form::Device,
        None if separator(0) && separator(1) => Form::Unc,
        None if separator(0) => Form::RootRelative,
        None if is_drive(b) && separator(2) => Form::Absolute,
        None if is_drive(b) => Form::DriveRelative,
        None => Form::Relative,
    }
}

/// Length in bytes of the root: `C:\`, `\\server\share\`, `\\?\C:\`, `\\?\UNC\server\share\`, `\\.\device\`.
pub(super) fn root_len(path: &str) -> usize {
    let share = |from: usize| {
        // Two components belong to the root.
        let from = from.min(path.len());
        let mut ends = path[from..].match_indices(['\\', '/']).map(|(i, _)| from + i);
        ends.next();
        ends.next().map_or(path.len(), |i| i + 1)
    };
    match form(path) {
        Form::Relative | Form::DriveRelative | Form::RootRelative => 0,
        Form::Absolute => 3,
        Form::Unc => share(2),
        Form::Device | Form::Verbatim if is_unc(&path[4..]) => share(8),
        Form::Device | Form::Verbatim => path[4..].find(['\\', '/']).map_or(path.len(), |i| 4 + i + 1),
    }
}

/// The normal form of a path: no `.`, no `..`, `\` between components, none at the end (but the root keeps its own),
/// and of the spellings that name one place the usual one. That is: no `\\?\` and `\\.\` before a drive or a share, a
/// drive instead of the share that every machine has of it, no stream (`a:s` is a part of `a`, `a::$DATA` is `a`), no
/// dots and spaces at the end of a name.
pub(super) fn normalize(path: &str) -> String {
    let path = &*without_nesting(path);
    let literal = namespace(path).is_some_and(|n| n.literal);
    let root = root_len(path);
    let mut out = String::with_capacity(path.len());
    push_root(&mut out, &path[..root]);
    let floor = out.len();
    for part in path[root..].split(['\\', '/']) {
        match part {
            "" | "." => {}
            ".." if floor > 0 => {
                let cut = out[floor..].rfind('\\').map_or(floor, |i| floor + i);
                out.truncate(cut);
            }
            _ => {
                let name = if floor > 0 { name(part, literal) } else { part };
                if name.is_empty() {
                    continue;
                }
                if out.len() > floor {
                    out.push('\\');
                }
                out.push_str(name);
            }
        }
    }
    out
}

/// Whether programs of Windows take the last component of `path` for a device (`NUL`, `aux.txt`, `COM1:`) whatever
/// folder it names.
pub(crate) fn is_device(path: &str) -> bool {
    let base = path.rsplit(['\\', '/']).next().unwrap_or(path);
    let stem = base.split(['.', ':']).next().unwrap_or(base).trim_end_matches(' ');
    let is = |name: &str| stem.eq_ignore_ascii_case(name);
    if ["nul", "con", "prn", "aux", "conin$", "conout$"].into_iter().any(is) {
        return true;
    }
    let mut chars = stem.chars();
    let port = stem.get(..3).is_some_and(|s| s.eq_ignore_ascii_case("com") || s.eq_ignore_ascii_case("lpt"));
    port && matches!(chars.nth(3), Some('1'..='9' | '¹' | '²' | '³')) && chars.next().is_none()
}

/// Text as it is compared. NTFS compares upper case of single UTF-16 units by a table that leaves ASCII among itself;
/// a wider rule would take two folders for one.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().map(fold_char).collect()
}

/// What of `path` follows `root`, compared as [`fold`] does; `None` where it does not begin with it.
pub(super) fn after<'p>(path: &'p str, root: &str) -> Option<&'p str> {
    let mut rest = path.chars();
    for want in root.chars() {
        let have = rest.next()?;
        if have != want && fold_char(have) != fold_char(want) {
            return None;
        }
    }
    Some(rest.as_str())
}

fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(u), None) if !u.is_ascii() && c.len_utf16() == 1 && u.len_utf16() == 1 => u,
        _ => c,
    }
}

/// A prefix that hands the rest to the object manager.
struct Namespace<'a> {
    /// What follows it.
    rest: &'a str,
    /// Names in the rest are taken as they stand.
    literal: bool,
}

fn namespace(path: &str) -> Option<Namespace<'_>> {
    let b = path.as_bytes();
    let head = b.get(..4)?;
    let rest = path.get(4..)?;
    match head {
        br"\\?\" | br"\??\" => Some(Namespace { rest, literal: true }),
        _ if is_separator(head[0]) && is_separator(head[1]) && is_separator(head[3]) => {
            matches!(head[2], b'?' | b'.').then_some(Namespace { rest, literal: false })
        }
        _ => None,
    }
}

/// `\\?\UNC\?\X` has the text of a share whose server is `?`; without its prefix it would read as the prefix of `X`.
fn without_nesting(path: &str) -> Cow<'_, str> {
    let Some(Namespace { mut rest, literal }) = namespace(path) else { return Cow::Borrowed(path) };
    let mut last = None;
    while let Some(inner) = rest.get(4..).filter(|_| is_unc(rest))
        && let &[sign @ (b'?' | b'.'), end, ..] = inner.as_bytes()
        && is_separator(end)
    {
        last = Some(char::from(sign));
        rest = &inner[2..];
    }
    // With `/` at its end the prefix leaves what follows to the usual rules for names.
    let end = if literal { '\\' } else { '/' };
    last.map_or(Cow::Borrowed(path), |sign| Cow::Owned(format!(r"\\{sign}{end}{rest}")))
}

fn push_root(out: &mut String, root: &str) {
    let mut rest = root;
    let mut share = false;
    if let Some(inner) = namespace(root) {
        if is_unc(inner.rest) {
            share = true;
            rest = inner.rest.get(4..).unwrap_or_default();
        } else if is_drive(inner.rest.as_bytes()) && inner.rest[2..].bytes().all(is_separator) {
            rest = inner.rest;
        }
    } else if root.starts_with(['\\', '/']) {
        share = true;
        rest = &root[2..];
    }
    if share {
        if let Some(letter) = own_drive(rest) {
            out.push(letter);
            out.push_str(r":\");
            return;
        }
        out.push_str(r"\\");
    }
    out.extend(rest.chars().map(|c| if c == '/' { '\\' } else { c }));
    if !root.is_empty() && !out.ends_with('\\') {
        out.push('\\');
    }
}

/// The drive that `localhost\C$` is another name of.
fn own_drive(share: &str) -> Option<char> {
    let mut parts = share.split(['\\', '/']);
    let (server, name) = (parts.next()?, parts.next()?);
    let own = ["localhost", "127.0.0.1", "--1.ipv6-literal.net"].iter().any(|own| server.eq_ignore_ascii_case(own));
    match name.as_bytes() {
        [letter, b'$'] if own && letter.is_ascii_alphabetic() => Some(char::from(*letter)),
        _ => None,
    }
}

fn name(part: &str, literal: bool) -> &str {
    let file = part.find(':').map_or(part, |i| &part[..i]);
    let trimmed = file.trim_end_matches(['.', ' ']);
    match (file, trimmed) {
        // A stream of the folder itself.
        ("", _) => "",
        // Only dots and spaces: no system call takes such a name, and it does not lead up.
        (_, "") => part,
        _ if literal => file,
        _ => trimmed,
    }
}

fn is_unc(rest: &str) -> bool {
    let b = rest.as_bytes();
    b.len() >= 3 && b[..3].eq_ignore_ascii_case(b"unc") && b.get(3).is_none_or(|&c| is_separator(c))
}

const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'\\' | b'/')
}

fn is_drive(bytes: &[u8]) -> bool {
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{fold, is_device, normalize, root_len};

    #[test]
    fn one_place_has_one_spelling() {
        let check = |path: &str, want: &str| assert_eq!(normalize(path), want, "{path}");
        check(r"C:/a\.\b//c/", r"C:\a\b\c");
        check(r"C:\a\..\..\b", r"C:\b");
        check(r"\\?\C:\a\b", r"C:\a\b");
        check("//?/C:/a", r"C:\a");
        check(r"\\.\c:\a", r"c:\a");
        check(r"\??\C:\a", r"C:\a");
        check(r"\\?\C:", r"C:\");
        check(r"\\?\UNC\srv\share\a", r"\\srv\share\a");
        check(r"\\?\unc\srv\share", r"\\srv\share\");
        check(r"//srv/share/a/../b", r"\\srv\share\b");
        check(r"\\localhost\C$\a", r"C:\a");
        check(r"\\127.0.0.1\d$", r"d:\");
        check(r"\\?\UNC\LOCALHOST\c$\a", r"c:\a");
        check(r"\\localhost\public\a", r"\\localhost\public\a");
        check(r"\\srv\C$\a", r"\\srv\C$\a");
        check(r"\\.\pipe\x", r"\\.\pipe\x");
        check(r"\\?\Volume{1-2}\a", r"\\?\Volume{1-2}\a");
        check(r"\\?\GLOBALROOT\Device\X\a", r"\\?\GLOBALROOT\Device\X\a");
        check(r"\\.\C:a", r"\\.\C:a\");
        check(r"\\?\UNC\?\C:\a", r"C:\a");
        check(r"\\?\UNC\.\UNC\?\UNC\srv\share\a", r"\\srv\share\a");
        check(r"\\?\UNC", r"\\");
        check(r"\\.\unc\", r"\\");
        check(r"\\?\UNC\srv", r"\\srv\");
        check(r"\\?\UNCx\a", r"\\?\UNCx\a");
    }

    #[test]
    fn another_spelling_of_a_name_is_that_name() {
        let check = |path: &str, want: &str| assert_eq!(normalize(path), want, "{path}");
        check(r"C:\a.txt:s", r"C:\a.txt");
        check(r"C:\a.txt::$DATA", r"C:\a.txt");
        check(r"C:\d:$I30:$INDEX_ALLOCATION\b", r"C:\d\b");
        check(r"C:\d\:s", r"C:\d");
        check(r"C:\d.\b. .", r"C:\d\b");
        check(r"C:\d \b ", r"C:\d\b");
        check(r"C:\d\...", r"C:\d\...");
        check(r"C:\ d\.b", r"C:\ d\.b");
        check(r"\\?\C:\d.\b ", r"C:\d.\b ");
        check(r"\\?\C:\a:s", r"C:\a");
    }

    #[test]
    fn a_relative_path_keeps_its_names() {
        let check = |path: &str, want: &str| assert_eq!(normalize(path), want, "{path}");
        check(r"a/./b", r"a\b");
        check(r"C:x", "C:x");
        check(r"..\a", r"..\a");
    }

    #[test]
    fn roots() {
        let check = |path: &str, want: usize| assert_eq!(root_len(path), want, "{path}");
        check(r"C:\a", 3);
        check("c:/a", 3);
        check("C:a", 0);
        check("C:", 0);
        check(r"\a", 0);
        check("", 0);
        check(r"\\srv\share\a", 12);
        check(r"\\srv\share", 11);
        check(r"\\srv", 5);
        check(r"\\?\C:\a", 7);
        check(r"\\?\UNC\s\t\a", 12);
        check(r"\\.\pipe\a", 9);
    }

    #[test]
    fn devices() {
        for name in ["nul", "NUL", r"C:\a\nul", "a/Con.txt", "com1", "LPT9.x.y", "aux:", "nul ", "COM¹", "conout$"] {
            assert!(is_device(name), "{name}");
        }
        for name in ["null", "nul1", "com0", "com10", "com", "xnul", r"nul\a", "", "é", "còm"] {
            assert!(!is_device(name), "{name}");
        }
    }

    #[test]
    fn case() {
        assert_eq!(fold("ÉaB"), fold("éAb"));
        assert_eq!(fold("ΣΩж"), fold("σωЖ"));
        // Upper case letters of their own, which only Unicode's tables connect with these.
        for (a, b) in [("\u{212a}", "k"), ("\u{17f}", "s"), ("ı", "i"), ("ß", "ss"), ("İ", "i")] {
            assert_ne!(fold(a), fold(b), "{a} {b}");
        }
    }

    proptest! {
        #[test]
        fn normal_is_normal(path in r"([Cc]:|\\\\[?.]\\C:|\\\\[?.]\\(UNC|pipe)|\\\\s\\t|\\\\\?\\UNC\\s\\t|//s/t)([\\/]([a. :]|\.\.|[?]|UNC|C:){0,3}){0,5}") {
            let once = normalize(&path);
            let twice = normalize(&once);
            // What only `\\?\` can name has no other spelling.
            prop_assert!(twice == once || path.starts_with(r"\\?\"), "{} -> {} -> {}", path, once, twice);
            prop_assert!(root_len(&path) == 0 || root_len(&once) > 0, "{}", once);
        }
    }
}
