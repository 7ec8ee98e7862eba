//! What the beginning of a path says of where it leads.

use super::{Model, windows};

/// What a path is relative to, and by which names it goes. [`Model::form`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// To the current folder: `a/b`, `./a`, the empty path.
    Relative,
    /// To the current folder of a drive: `C:a`, `C:`. Windows only.
    DriveRelative,
    /// To the root of the current drive: `\a`, `/a`. Windows only.
    RootRelative,
    /// To nothing: `/a` under POSIX, `C:\a` and `C:/a` under Windows.
    Absolute,
    /// To nothing, on another machine: `\\server\share\a`, `//server/share/a`. Windows only.
    Unc,
    /// To nothing, in the namespace of devices: `\\.\pipe\a`, `\\.\C:\a`; also `//?/C:/a`, which Windows reads like it.
    Device,
    /// To nothing, taken by the object manager as it stands: `\\?\C:\a`, `\\?\UNC\server\share`, `\??\C:\a`. No `.` and `..`,
    /// no `/`, dots and spaces at the end count.
    Verbatim,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Relative,
        Self::DriveRelative,
        Self::RootRelative,
        Self::Absolute,
        Self::Unc,
        Self::Device,
        Self::Verbatim,
    ];

    /// Whether such a path names one place whatever the current folder and drive are.
    pub const fn is_absolute(self) -> bool {
        matches!(self, Self::Absolute | Self::Unc | Self::Device | Self::Verbatim)
    }
}

impl Model {
    /// What `path` is relative to. Looks at its first characters only; any text has a form.
    pub fn form(self, path: &str) -> Form {
        match self {
            Self::Posix if path.starts_with('/') => Form::Absolute,
            Self::Posix => Form::Relative,
            Self::Windows => windows::form(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Form::{Absolute, Device, DriveRelative, Relative, RootRelative, Unc, Verbatim};
    use super::*;

    #[test]
    fn every_beginning_has_a_form() {
        for (path, windows, posix) in [
            ("", Relative, Relative),
            (".", Relative, Relative),
            ("a/b", Relative, Relative),
            (r"..\a", Relative, Relative),
            ("NUL", Relative, Relative),
            ("~/a", Relative, Relative),
            ("C", Relative, Relative),
            ("1:/a", Relative, Relative),
            ("é:/a", Relative, Relative),
            ("a.txt:stream", Relative, Relative),
            ("C:", DriveRelative, Relative),
            ("c:a", DriveRelative, Relative),
            ("z:..", DriveRelative, Relative),
            (r"\", RootRelative, Relative),
            (r"\a", RootRelative, Relative),
            ("/", RootRelative, Absolute),
            ("/c/Users", RootRelative, Absolute),
            ("/mnt/c/Users", RootRelative, Absolute),
            (r"/\a", Unc, Absolute),
            (r"C:\", Absolute, Relative),
            (r"c:\a", Absolute, Relative),
            ("C:/a", Absolute, Relative),
            (r"\\", Unc, Relative),
            (r"\\srv", Unc, Relative),
            (r"\\srv\share\a", Unc, Relative),
            ("//srv/share/a", Unc, Absolute),
            (r"\\wsl$\Debian\a", Unc, Relative),
            (r"\\localhost\C$\a", Unc, Relative),
            (r"\\?x", Unc, Relative),
            (r"\\?é", Unc, Relative),
            (r"\\.\C:\a", Device, Relative),
            (r"\\.\pipe\a", Device, Relative),
            ("//./NUL", Device, Absolute),
            ("//?/C:/a", Device, Absolute),
            (r"\\?/C:\a", Device, Relative),
            (r"\\?\C:\a", Verbatim, Relative),
            (r"\\?\UNC\srv\share", Verbatim, Relative),
            (r"\\?\Volume{1-2}\a", Verbatim, Relative),
            (r"\\?\", Verbatim, Relative),
            (r"\??\C:\a", Verbatim, Relative),
        ] {
            assert_eq!((Model::Windows.form(path), Model::Posix.form(path)), (windows, posix), "{path}");
        }
    }

    proptest! {
        #[test]
        fn absolute_paths_have_a_root(path in r"[\\/?.Cc1é:~a]{0,8}") {
            for model in [Model::Posix, Model::Windows] {
                prop_assert_eq!(model.form(&path).is_absolute(), model.root_len(&path) > 0, "{}", path);
                // A join leads where the form says: from nowhere, or from what the base gives.
                let base = if model == Model::Windows { r"D:\w\x" } else { "/w/x" };
                let joined = model.join(base, &path);
                let kept = match model.form(&path) {
                    Relative => joined.starts_with(&base[..model.root_len(base)]),
                    RootRelative => joined.starts_with(r"D:\"),
                    DriveRelative => joined[..2].eq_ignore_ascii_case(&path[..2]),
                    _ => joined == model.normalize(&path),
                };
                prop_assert!(kept, "{} -> {}", path, joined);
            }
        }
    }
}
