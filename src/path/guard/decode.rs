//! What a later reader may decode. Nothing here is handed out: a name is refused when any decoding of it would be.

use std::borrow::Cow;

use super::word::has_encoded;
use super::{Rules, published, stricter};
use crate::limits::MAX_GUARD_DECODINGS;

/// Whether a decoder could make of `text` what the guard refuses.
///
/// Percent-encoding is undone until nothing is left of it, as readers in a row would.
pub(super) fn hides(text: &str, rules: Rules) -> bool {
    if names_character(text.as_bytes()) {
        return true;
    }
    if !text.contains('%') {
        return false;
    }
    let mut now = Cow::Borrowed(text.as_bytes());
    for _ in 0..MAX_GUARD_DECODINGS {
        let Some(next) = decoded(&now) else { return now.len() < text.len() && refused(&now, rules) };
        if has_encoded(&next) {
            return true;
        }
        now = Cow::Owned(next);
    }
    // Nobody nests encodings this deep for a good reason.
    true
}

fn refused(bytes: &[u8], rules: Rules) -> bool {
    // Bytes above 7F were refused in their encoded form, so this is text.
    let Ok(text) = std::str::from_utf8(bytes) else { return true };
    text.contains('\0')
        || published::whole(text).is_err()
        || published::segments(text, rules).is_err()
        || names_character(bytes)
        || stricter::decoded(text, rules).is_err()
}

/// One round of percent-decoding; `None` where there is nothing to decode.
fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut i = 0;
    while i < text.len() {
        let pair = text.get(i + 1..i + 3).filter(|_| text[i] == b'%');
        if let Some(byte) = pair.and_then(|pair| hex(pair, 16)).and_then(|n| u8::try_from(n).ok()) {
            out.push(byte);
            i += 3;
        } else {
            out.push(text[i]);
            i += 1;
        }
    }
    (out.len() < text.len()).then_some(out)
}

/// A number of these digits only.
fn hex(digits: &[u8], radix: u32) -> Option<u32> {
    let is_number = !digits.is_empty() && digits.iter().all(|&b| char::from(b).is_digit(radix));
    std::str::from_utf8(digits).ok().filter(|_| is_number).and_then(|text| u32::from_str_radix(text, radix).ok())
}

/// A dot, a separator, a colon or a null byte in the spelling of HTML (`&#46;`, `&sol;`), of UTF-7 (`+AC8-`) or of hexadecimal
/// numbers (`0x2e`).
fn names_character(text: &[u8]) -> bool {
    (0..text.len()).any(|i| {
        let rest = &text[i + 1..];
        match text[i] {
            b'&' => entity(rest),
            b'+' => utf7(rest),
            b'0' => number(rest),
            _ => false,
        }
    })
}

fn entity(rest: &[u8]) -> bool {
    if let Some(digits) = rest.strip_prefix(b"#") {
        let (digits, radix) = match digits {
            [b'x' | b'X', digits @ ..] => (digits, 16),
            _ => (digits, 10),
        };
        let len = digits.iter().take_while(|&&b| char::from(b).is_digit(radix)).count();
        return match hex(&digits[..len], radix) {
            Some(value) => matches!(value, 0 | 0x2E | 0x2F | 0x3A | 0x5C),
            None => false,
        };
    }
    ["period;", "sol;", "bsol;", "colon;", "nldr;"].iter().any(|name| rest.starts_with(name.as_bytes()))
}

fn utf7(rest: &[u8]) -> bool {
    let is_shifted = ["AC4", "AC8", "AFw"].iter().any(|code| rest.starts_with(code.as_bytes()));
    is_shifted && matches!(rest.get(3), Some(b'-' | b'A'))
}

/// Not where more digits follow: that is a longer number.
fn number(rest: &[u8]) -> bool {
    let [b'x' | b'X', high, low, behind @ ..] = rest else { return false };
    let is_separator = matches!((high, low.to_ascii_lowercase()), (b'2', b'e' | b'f') | (b'5', b'c'));
    is_separator && (behind.first().is_none_or(|b| !b.is_ascii_alphanumeric()) || behind.starts_with(b"0x"))
}
