//! The guard itself.

use std::borrow::Cow;

use super::word::{is_device, is_plain, letter_len};
use super::{Refusal, Rules, SafePath, published, stricter};
use crate::limits::MAX_GUARDED_BYTES;
use crate::limits::MAX_GUARDED_SEGMENT_BYTES as MAX_SEGMENT;

/// Admits paths or refuses them, by their text alone.
///
/// Shapes are refused, not dangers: `..` is refused and never resolved, nothing is ever decoded for the caller, and
/// what looks like something else is refused however harmless it would have been.
///
/// # Order
/// The published checks come first, each in its published place, so the code of whatever they refuse never moves. What
/// they admit goes through the stricter checks, in the order of the steps that they extend. `docs/REFUSALS.md` lists
/// both; the tests pin them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathGuard {
    rules: Rules,
}

impl PathGuard {
    /// A guard for these rules.
    pub const fn new(rules: Rules) -> Self {
        Self { rules }
    }

    /// Its rules.
    pub const fn rules(self) -> Rules {
        self.rules
    }

    /// Judges the path `raw`, as it came: any bytes will do.
    ///
    /// Allocates only where the normal form differs from `raw`.
    ///
    /// # Errors
    /// The one code that the order of the checks gives, never [`Refusal::EscapesViaLink`] or
    /// [`Refusal::CollidesWithSibling`]: what stands on the disk is no property of a text.
    pub fn judge(self, raw: &[u8]) -> Result<SafePath<'_>, Refusal> {
        if let Some(text) = ordinary(raw) {
            return Ok(SafePath(Cow::Borrowed(text)));
        }
        let text = published::judge(raw, self.rules)?;
        stricter::judge(text, self.rules)?;
        Ok(SafePath(normal(text)))
    }
}

/// `raw` where it is in its normal form and no check of any rules could refuse it, as is quickly seen; most paths are.
/// `None` says nothing.
fn ordinary(raw: &[u8]) -> Option<&str> {
    if raw.len() > MAX_GUARDED_BYTES {
        return None;
    }
    let (mut start, mut i) = (0, 0);
    while let Some(&byte) = raw.get(i) {
        if !is_plain(byte) {
            match byte {
                b'/' if is_ordinary_name(&raw[start..i]) => start = i + 1,
                // `0x` may begin an encoded separator, and so may `+A`.
                b'x' | b'X' if i == 0 || raw[i - 1] != b'0' => {}
                b'+' if raw.get(i + 1) != Some(&b'A') => {}
                0x80.. => i += letter_len(&raw[i..])? - 1,
                _ => return None,
            }
        }
        i += 1;
    }
    if !is_ordinary_name(&raw[start..]) {
        return None;
    }
    std::str::from_utf8(raw).ok()
}

fn is_ordinary_name(name: &[u8]) -> bool {
    let (Some(&first), Some(&last)) = (name.first(), name.last()) else { return false };
    if last == b'.' || last == b' ' || first == b' ' || name.len() > MAX_SEGMENT {
        return false;
    }
    match first {
        b'.' => name[1] != b'.',
        b'a' | b'A' | b'c' | b'C' | b'l' | b'L' | b'n' | b'N' | b'p' | b'P' => !is_device(name),
        _ => true,
    }
}

/// The names that are kept, joined by `/`.
fn normal(text: &str) -> Cow<'_, str> {
    let is_normal = !text.contains('\\') && text.split('/').all(published::is_kept);
    if is_normal {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for name in published::kept(text) {
        if !out.is_empty() {
            out.push('/');
        }
        out.push_str(name);
    }
    Cow::Owned(out)
}
