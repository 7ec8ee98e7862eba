//! Escape sequences in string literals.

use std::borrow::Cow;

/// Which escapes a literal knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escapes {
    /// None at all (raw strings).
    Raw,
    /// Only the backslash itself and the delimiters (`'…'` in Perl, Ruby and PHP).
    Quote,
    /// The C family: `\n`, `\x41`, `\u0041`, `\101`, …
    Full,
}

/// The text that the literal `raw` stands for.
pub(super) fn unescape(raw: &str, escapes: Escapes) -> Cow<'_, str> {
    if escapes == Escapes::Raw || !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(c) = rest.chars().next() else {
            out.push('\\');
            break;
        };
        rest = &rest[c.len_utf8()..];
        if escapes == Escapes::Quote {
            if !matches!(c, '\\' | '\'' | ')' | ']' | '}' | '/' | '|') {
                out.push('\\');
            }
            out.push(c);
            continue;
        }
        rest = full(c, rest, &mut out);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn full<'r>(c: char, rest: &'r str, out: &mut String) -> &'r str {
    match c {
        'n' => out.push('\n'),
        't' => out.push('\t'),
        'r' => out.push('\r'),
        'a' => out.push('\x07'),
        'b' => out.push('\x08'),
        'f' => out.push('\x0c'),
        'v' => out.push('\x0b'),
        'e' => out.push('\x1b'),
        '\n' => {}
        'x' => return coded(rest, 2, 16, out),
        'u' => return coded(rest, 4, 16, out),
        'U' => return coded(rest, 8, 16, out),
        '0'..='7' => {
            let digits = 1 + rest.bytes().take(2).take_while(|b| (b'0'..=b'7').contains(b)).count();
            let code = rest[..digits - 1].bytes().fold(u32::from(c) - 48, |n, b| n * 8 + u32::from(b - b'0'));
            out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            return &rest[digits - 1..];
        }
        c => out.push(c),
    }
    rest
}

/// A character by its number: `\x41`, `\x{2f}`, `A`.
fn coded<'r>(rest: &'r str, most: usize, radix: u32, out: &mut String) -> &'r str {
    let (digits, after) = match rest.strip_prefix('{').and_then(|r| r.split_once('}')) {
        Some((inner, after)) if inner.len() <= 8 => (inner, after),
        _ => {
            let n = rest.bytes().take(most).take_while(u8::is_ascii_hexdigit).count();
            (&rest[..n], &rest[n..])
        }
    };
    if let Some(c) = u32::from_str_radix(digits, radix).ok().and_then(char::from_u32) {
        out.push(c);
    }
    after
}
