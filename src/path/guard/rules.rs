//! Whose rules a path has to keep.

/// The platforms on which an admitted path must mean what it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Windows: devices, streams, short names, edges of names and illegal characters are refused; a name may have 255
    /// UTF-16 units.
    Windows,
    /// POSIX: what only Windows reads differently is an ordinary name. Separators, drives and UNC names are refused
    /// here too, so that nothing admitted leaves a root on either platform.
    Posix,
    /// Both at once, the published rules in full. The default.
    #[default]
    Portable,
}

impl Rules {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Windows, Self::Posix, Self::Portable];

    /// The name in commands and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Windows => "windows",
            Self::Posix => "posix",
            Self::Portable => "portable",
        }
    }

    /// The rules of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// Whether a name has to survive Windows.
    pub(crate) const fn windows(self) -> bool {
        !matches!(self, Self::Posix)
    }
}
