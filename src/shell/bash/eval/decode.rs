//! `base64 --decode`: text that was written in another alphabet is still text of this command.

use super::values::{self, Stream};
use crate::shell::Value;
use crate::shell::programs::Arg;

/// What `base64` prints for `input`; `None` where it does not decode or where nothing is known of the input.
pub(super) fn base64(args: &[Arg], input: &Stream) -> Option<Stream> {
    let decodes = |flag: &str| {
        matches!(flag, "-D" | "-di" | "-id") || flag == "-d" || flag.len() > 3 && "--decode".starts_with(flag)
    };
    if !args.iter().any(|a| a.value.known().is_some_and(|v| decodes(&v))) {
        return None;
    }
    let Stream::Text(text) = input else { return None };
    let bytes = decoded(text.known()?.bytes())?;
    let text = String::from_utf8(bytes).ok()?;
    Some(Stream::Text(values::capped(Value::text(text))))
}

/// The bytes; `None` for what is not this alphabet.
fn decoded(text: impl Iterator<Item = u8>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut bits, mut count) = (0u32, 0u32);
    for byte in text.filter(|b| !b.is_ascii_whitespace()).take_while(|&b| b != b'=') {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from(bits >> count & 0xff).ok()?);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn alphabet() {
        let text = |s: &str| decoded(s.bytes()).and_then(|b| String::from_utf8(b).ok());
        assert_eq!(text("").as_deref(), Some(""));
        assert_eq!(text("aGk=").as_deref(), Some("hi"));
        assert_eq!(text("aGlo\naGk=\n").as_deref(), Some("hihhi"));
        assert_eq!(text("Li4vLi4vfn4_").as_deref(), Some("../../~~?"));
        assert_eq!(text("a b!"), None);
    }
}
