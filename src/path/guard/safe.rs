//! A path that the guard admitted.

use std::borrow::Cow;
use std::fmt;

/// A relative path in its normal form: names joined by `/`, none of them empty, `.` or starting with `..`.
///
/// Only [`super::PathGuard`] makes one. Judged again under the same rules it is itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SafePath<'a>(pub(super) Cow<'a, str>);

impl SafePath<'_> {
    /// The normal form.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its names from the outermost to the innermost; at least one.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    /// The same without the borrow of the raw input.
    pub fn into_owned(self) -> SafePath<'static> {
        SafePath(Cow::Owned(self.0.into_owned()))
    }
}

impl fmt::Display for SafePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
