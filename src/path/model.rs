//! The rules that paths follow, as a value: both models work on every platform.

use std::borrow::Cow;

use super::{Form, windows};

/// Which rules a path follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// `/` separates, case matters.
    Posix,
    /// `\` and `/` separate, drive letters, case does not matter.
    Windows,
}

impl Model {
    /// The model of the platform this was built for.
    pub const fn native() -> Self {
        if cfg!(windows) { Self::Windows } else { Self::Posix }
    }

    /// Whether `c` separates components.
    pub const fn is_separator(self, c: char) -> bool {
        match self {
            Self::Posix => c == '/',
            Self::Windows => c == '/' || c == '\\',
        }
    }

    /// The same for a byte of UTF-8 text: both separators are ASCII, and no byte of another character looks like one.
    pub(super) const fn separates(self, byte: u8) -> bool {
        byte == b'/' || byte == b'\\' && matches!(self, Self::Windows)
    }

    /// The separator that this model writes.
    pub const fn separator(self) -> char {
        match self {
            Self::Posix => '/',
            Self::Windows => '\\',
        }
    }

    /// Length in bytes of the root (`/`, `C:\`, `\\server\share\`), 0 where `path` is not absolute.
    /// `C:x` and `\x` are not absolute: they depend on a current folder or drive.
    pub fn root_len(self, path: &str) -> usize {
        match self {
            Self::Posix => usize::from(path.starts_with('/')),
            Self::Windows => windows::root_len(path),
        }
    }

    /// Whether `path` names one place whatever the current folder is.
    pub fn is_absolute(self, path: &str) -> bool {
        self.form(path).is_absolute()
    }

    /// `path` made absolute against `base` (absolute) and lexically normal: no `.`, no `..`, one separator
    /// between components, none at the end (but the root keeps its own).
    pub fn join(self, base: &str, path: &str) -> String {
        match self.form(path) {
            Form::Relative => {}
            Form::RootRelative => {
                // On the base's drive.
                let root = &base[..self.root_len(base)];
                return self.normalize(&format!("{root}{path}"));
            }
            Form::DriveRelative => {
                // In that drive's current folder, known only for the base's own drive.
                let bytes = path.as_bytes();
                let same = base.as_bytes().first().is_some_and(|b| b.eq_ignore_ascii_case(&bytes[0]));
                let base = if same { base.to_owned() } else { format!("{}:\\", char::from(bytes[0])) };
                return self.normalize(&format!("{base}\\{}", &path[2..]));
            }
            Form::Absolute | Form::Unc | Form::Device | Form::Verbatim => return self.normalize(path),
        }
        match self {
            Self::Posix => normal([base, path]),
            Self::Windows => self.normalize(&format!("{base}\\{path}")),
        }
    }

    /// The lexical normal form of an absolute path; under Windows also one of several spellings of a place (`\\?\C:\a`,
    /// `C:\a.`, `C:\a::$DATA`). A relative path is returned with its `.` removed.
    pub fn normalize(self, path: &str) -> String {
        match self {
            Self::Posix => normal([path, ""]),
            Self::Windows => windows::normalize(path),
        }
    }

    /// The folder that holds a normal absolute path; `None` for a root.
    pub fn parent(self, path: &str) -> Option<&str> {
        let root_len = self.root_len(path);
        if path.len() <= root_len {
            return None;
        }
        let rest = &path.as_bytes()[root_len..];
        Some(&path[..root_len + rest.iter().rposition(|&b| self.separates(b)).unwrap_or(0)])
    }

    /// The last component, without separators at the end; empty for a root.
    pub fn base_name(self, path: &str) -> &str {
        let bytes = path.as_bytes();
        let end = bytes.iter().rposition(|&b| !self.separates(b)).map_or(0, |last| last + 1);
        let start = bytes[..end].iter().rposition(|&b| self.separates(b)).map_or(0, |before| before + 1);
        &path[start..end]
    }

    /// What stands between separators, empty parts included.
    #[inline]
    pub fn parts(self, path: &str) -> impl Iterator<Item = &str> {
        let mut rest = Some(path);
        std::iter::from_fn(move || {
            let path = rest?;
            let Some(end) = path.bytes().position(|b| self.separates(b)) else { return rest.take() };
            rest = Some(&path[end + 1..]);
            Some(&path[..end])
        })
    }

    /// Text as it is compared: folded where the model does not tell case apart.
    pub fn fold(self, s: &str) -> Cow<'_, str> {
        match self {
            Self::Posix => Cow::Borrowed(s),
            Self::Windows if s.bytes().all(|b| !b.is_ascii_uppercase() && b.is_ascii()) => Cow::Borrowed(s),
            Self::Windows => Cow::Owned(windows::fold(s)),
        }
    }

    /// Whether two texts are the same to this model.
    #[inline]
    pub fn same(self, a: &str, b: &str) -> bool {
        match self {
            Self::Posix => a == b,
            Self::Windows => self.fold(a) == self.fold(b),
        }
    }

    /// Whether the normal path `path` is `root` or lies below it.
    pub fn is_within(self, path: &str, root: &str) -> bool {
        match self {
            Self::Posix => is_prefix(path, root, b'/'),
            Self::Windows => windows::after(path, root)
                .is_some_and(|rest| rest.is_empty() || root.ends_with('\\') || rest.starts_with('\\')),
        }
    }
}

/// Whether `root` is `path`, or its head up to a separator.
fn is_prefix(path: &str, root: &str, separator: u8) -> bool {
    let (path, root) = (path.as_bytes(), root.as_bytes());
    path.starts_with(root)
        && (path.len() == root.len() || root.last() == Some(&separator) || path[root.len()] == separator)
}

/// Texts one below the other as one normal POSIX path. `..` goes up as far as the root; in a relative path it stays.
fn normal(texts: [&str; 2]) -> String {
    let absolute = texts[0].starts_with('/');
    let mut out = String::with_capacity(texts[0].len() + texts[1].len() + 1);
    if absolute {
        out.push('/');
    }
    let floor = out.len();
    let plain = is_plain(texts[0]);
    if plain {
        out.push_str(&texts[0][floor..]);
    }
    for text in texts.into_iter().skip(usize::from(plain)) {
        let bytes = text.as_bytes();
        let mut start = 0;
        while start < bytes.len() {
            let end = bytes[start..].iter().position(|&b| b == b'/').map_or(bytes.len(), |length| start + length);
            match &text[start..end] {
                "" | "." => {}
                ".." if absolute => {
                    let above = out.as_bytes()[floor..].iter().rposition(|&b| b == b'/');
                    out.truncate(above.map_or(floor, |length| floor + length));
                }
                part => {
                    if out.len() > floor {
                        out.push('/');
                    }
                    out.push_str(part);
                }
            }
            start = end + 1;
        }
    }
    out
}

/// Whether a text is sure to be absolute and normal, as the folder that one stands in is.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.starts_with(b"/")
        && bytes.last() != Some(&b'/')
        && !bytes.windows(2).any(|pair| pair[0] == b'/' && matches!(pair[1], b'/' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::Model::{Posix, Windows};

    #[test]
    fn normal_form() {
        let check = |model: super::Model, base: &str, path: &str, want: &str| {
            assert_eq!(model.join(base, path), want, "{base} + {path}");
        };
        check(Posix, "/w", "a/./b//c/", "/w/a/b/c");
        check(Posix, "/w", "../../..", "/");
        check(Posix, "/", "a", "/a");
        check(Posix, "/w", "/x/../y", "/y");
        check(Posix, "/.w/a.b", ".c", "/.w/a.b/.c");
        check(Posix, "/w/./x", "a", "/w/x/a");
        check(Posix, "/w//x/", "a", "/w/x/a");
        check(Posix, "/w/x", "..", "/w");
        check(Windows, r"C:\w", "a/b", r"C:\w\a\b");
        check(Windows, r"C:\w", r"\x", r"C:\x");
        check(Windows, r"C:\w", "D:x", r"D:\x");
        check(Windows, r"C:\w", "c:x", r"C:\w\x");
        check(Windows, r"C:\w", r"\\srv\share\a\..\b", r"\\srv\share\b");
        check(Windows, r"\\srv\share\a", r"\x", r"\\srv\share\x");
        check(Windows, r"C:\w", "a.txt:s", r"C:\w\a.txt");
    }

    #[test]
    fn within() {
        assert!(Posix.is_within("/a/b", "/a"));
        assert!(Posix.is_within("/a", "/a"));
        assert!(Posix.is_within("/a", "/"));
        assert!(!Posix.is_within("/ab", "/a"));
        assert!(Windows.is_within(r"c:\Users\me", r"C:\users"));
        assert!(!Posix.is_within("/A/b", "/a"));
    }

    #[test]
    fn parents() {
        assert_eq!(Posix.parent("/a/b"), Some("/a"));
        assert_eq!(Posix.parent("/a"), Some("/"));
        assert_eq!(Posix.parent("/"), None);
        assert_eq!(Windows.parent(r"C:\a"), Some(r"C:\"));
        assert_eq!(Windows.base_name(r"C:\a\"), "a");
    }
}
