//! Questions about single names and bytes.

/// Whether a byte means nothing to any check wherever it stands within a name. ASCII only. `x` is not among them: it
/// may belong to `0x2e`.
pub(super) const fn is_plain(byte: u8) -> bool {
    PLAIN[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
}

/// One bit a byte.
const PLAIN: [u64; 4] = plain_bits();

const fn plain_bits() -> [u64; 4] {
    let plain = b"ABCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnopqrstuvwyz0123456789 ._-!#'(),;=@[]^{}";
    let mut bits = [0; 4];
    let mut i = 0;
    while i < plain.len() {
        bits[(plain[i] >> 6) as usize] |= 1 << (plain[i] & 63);
        i += 1;
    }
    bits
}

/// Bytes of the character at the start of `bytes` where it is one of the common scripts (or an emoji) that no check knows;
/// `None` says nothing.
pub(super) fn letter_len(bytes: &[u8]) -> Option<usize> {
    let low = |byte: u8| (byte & 0xC0 == 0x80).then_some(u32::from(byte & 0x3F));
    match *bytes {
        [lead @ 0xC3..=0xD7, a, ..] => {
            let c = u32::from(lead & 0x1F) << 6 | low(a)?;
            // Latin, combining marks, Greek, Cyrillic, Armenian, Hebrew.
            matches!(c, 0xC0..=0x130 | 0x132..=0x2CF | 0x300..=0x34E | 0x370..=0x5FF).then_some(2)
        }
        [lead @ 0xE3..=0xED, a, b, ..] => {
            let c = u32::from(lead & 0x0F) << 12 | low(a)? << 6 | low(b)?;
            // Kana, Han, Hangul.
            matches!(c, 0x3041..=0x30FF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3).then_some(3)
        }
        [0xF0, 0x9F, a @ 0x8C..=0xAB, b, ..] => {
            low(b)?;
            // 1F300 to 1FAFF.
            (a & 0xC0 == 0x80).then_some(4)
        }
        _ => None,
    }
}

/// Whether Windows opens a device by this name: what follows the first dot does not count, nor do spaces before it.
///
/// Takes bytes so that it can be asked before the name is known to be text.
pub(super) fn is_device(name: &[u8]) -> bool {
    let stem = name.split(|&b| b == b'.').next().unwrap_or(name).trim_ascii_end();
    let is = |device: &str| stem.eq_ignore_ascii_case(device.as_bytes());
    match stem.len() {
        3 => is("con") || is("prn") || is("aux") || is("nul"),
        // The superscript digits are two bytes each.
        4 | 5 => is_port(stem),
        6 => is("clock$") || is("conin$"),
        7 => is("conout$"),
        _ => false,
    }
}

/// `COM1`, `LPT²`.
fn is_port(stem: &[u8]) -> bool {
    let (kind, number) = stem.split_at(3);
    let is_kind = kind.eq_ignore_ascii_case(b"com") || kind.eq_ignore_ascii_case(b"lpt");
    is_kind && (matches!(number, [b'0'..=b'9']) || ["¹", "²", "³"].iter().any(|digit| number == digit.as_bytes()))
}

/// `~`, `~user`: what a shell replaces by a home folder.
pub(super) fn is_home(name: &str) -> bool {
    let Some(user) = name.strip_prefix('~') else { return false };
    user.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}

/// `PROGRA~1.EXT`: up to `base` characters, a tilde, up to `digits` digits, an extension of up to three characters.
pub(super) fn is_short_name(name: &str, base: usize, digits: usize) -> bool {
    let Some((head, tail)) = split_alias(name) else { return false };
    (1..=base).contains(&head.chars().count()) && (1..=digits).contains(&tail.len())
}

/// What stands before the last tilde and the digits behind it, where the rest of the name has the form of a short name.
pub(super) fn split_alias(name: &str) -> Option<(&str, &str)> {
    if !name.contains('~') {
        return None;
    }
    let (stem, extension) = name.split_once('.').unwrap_or((name, "x"));
    if !(1..=3).contains(&extension.chars().count()) || extension.contains('.') {
        return None;
    }
    let (head, tail) = stem.rsplit_once('~')?;
    tail.bytes().all(|b| b.is_ascii_digit()).then_some((head, tail))
}

/// `%2e`, `%2f`, `%5c`, `%00`, `%25`, any byte above 7F, `%uXXXX`; in either case.
pub(super) fn has_encoded(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&b| b == b'%') {
        rest = &rest[at + 1..];
        let hex = |i: usize| rest.get(i).is_some_and(u8::is_ascii_hexdigit);
        let found = match rest.first().map(u8::to_ascii_lowercase) {
            Some(b'u') => (1..5).all(hex),
            Some(b'0') => rest.get(1) == Some(&b'0'),
            Some(b'2') => rest.get(1).is_some_and(|b| matches!(b.to_ascii_lowercase(), b'5' | b'e' | b'f')),
            Some(b'5') => rest.get(1).is_some_and(|b| b.eq_ignore_ascii_case(&b'c')),
            Some(b'8' | b'9' | b'a'..=b'f') => hex(1),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}
