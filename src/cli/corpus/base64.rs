//! Base64, as JSON carries bytes.

/// The bytes that `text` stands for: the standard alphabet, `=` at the end as it should be or left out. `None` for anything
/// else.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let padded = text.len().is_multiple_of(4);
    let digits = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).filter(|_| padded).unwrap_or(text);
    let mut out = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.as_bytes().chunks(4) {
        let mut bits = 0u32;
        for &digit in group {
            bits = bits << 6 | value(digit)?;
        }
        let missing = 4 - group.len();
        let bytes = (bits << (6 * missing)).to_be_bytes();
        let kept = &bytes[1..4 - missing.min(2)];
        // One digit alone is no byte, and the bits beyond the last byte are zero.
        if missing == 3 || bytes[1 + kept.len()..].iter().any(|&b| b != 0) {
            return None;
        }
        out.extend_from_slice(kept);
    }
    Some(out)
}

fn value(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// `bytes` in the standard alphabet, `=` at the end.
pub(super) fn encode(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for i in 0..4u32 {
            let digit = (bits >> (18 - 6 * i)) & 63;
            out.push(if i as usize > group.len() { '=' } else { char::from(DIGITS[digit as usize]) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn there_and_back() {
        for len in 0..40u8 {
            let bytes: Vec<u8> = (0..len).map(|i| i.wrapping_mul(77) ^ 0xA5).collect();
            assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
        assert_eq!(encode(b"../x"), "Li4veA==");
    }

    #[test]
    fn bytes() {
        let check = |text: &str, want: Option<&[u8]>| assert_eq!(decode(text).as_deref(), want, "{text}");
        check("", Some(b""));
        check("Li4veA==", Some(b"../x"));
        check("Li4veA", Some(b"../x"));
        check("Li4v", Some(b"../"));
        check("Li4=", Some(b".."));
        check("/+8=", Some(b"\xff\xef"));
        check("AAAAAAAA", Some(&[0; 6]));
        for wrong in ["L", "Li4vA", "Li4veB==", "Li4veA=", "=", "====", "L===", "Li 4", "Li4_", "Li==4v", "Li4\n"] {
            check(wrong, None);
        }
    }
}
