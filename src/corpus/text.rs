//! Bytes from printable text.

/// The bytes that a column of the corpus stands for; `None` where it is not well formed.
///
/// `\\`, `\n`, `\r`, `\t`, `\xNN` a byte, `\u{N}` a character, `\{text*N}` a text N times; the text holds no `*`.
pub(super) fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let mut chars = rest[at + 1..].chars();
        let kind = chars.next()?;
        rest = chars.as_str();
        match kind {
            '\\' => out.push(b'\\'),
            'n' => out.push(b'\n'),
            'r' => out.push(b'\r'),
            't' => out.push(b'\t'),
            'x' => {
                out.push(u8::from_str_radix(rest.get(..2)?, 16).ok()?);
                rest = &rest[2..];
            }
            'u' => {
                let (digits, behind) = rest.strip_prefix('{')?.split_once('}')?;
                let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                rest = behind;
            }
            '{' => {
                let (piece, behind) = rest.split_once('*')?;
                let (times, behind) = behind.split_once('}')?;
                out.extend(unescape_flat(piece)?.repeat(times.parse::<u16>().ok()?.into()));
                rest = behind;
            }
            _ => return None,
        }
    }
    out.extend_from_slice(rest.as_bytes());
    Some(out)
}

/// A piece within `\{…*N}`: a character or plain text.
fn unescape_flat(piece: &str) -> Option<Vec<u8>> {
    match piece.strip_prefix(r"\u{") {
        Some(digits) => {
            let c = char::from_u32(u32::from_str_radix(digits.strip_suffix('}')?, 16).ok()?)?;
            Some(c.to_string().into_bytes())
        }
        None => (!piece.contains('\\')).then(|| piece.as_bytes().to_vec()),
    }
}
