//! `'…'`, `$'…'`, back-quotes and escapes.

use super::ast::{List, Part};
use super::cursor::{Parser, R, Stop};
use super::word::Parts;

impl Parser<'_> {
    /// `'…'`, standing at the quote.
    pub(super) fn single(&mut self, parts: &mut Parts) -> R<()> {
        let start = self.pos + 1;
        let length = self.text.get(start..).and_then(|rest| rest.find('\''));
        let Some(length) = length else {
            self.pos = self.text.len();
            return Err(Stop::Syntax);
        };
        parts.quoted(self.slice(start, start + length));
        self.pos = start + length + 1;
        Ok(())
    }

    /// `$'…'`, standing at the quote.
    pub(super) fn ansi(&mut self, parts: &mut Parts) -> R<()> {
        let start = self.pos + 1;
        let mut at = start;
        loop {
            match self.byte(at) {
                Some(b'\'') => break,
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => {
                    self.pos = self.text.len();
                    return Err(Stop::Syntax);
                }
            }
        }
        let mut out = String::new();
        self.pos = at + 1;
        decode_ansi(self.slice(start, self.pos), &mut out);
        parts.quoted(&out);
        Ok(())
    }

    /// `\x` outside quotes, standing at the backslash (an escaped newline has been skipped before).
    pub(super) fn escape(&mut self, parts: &mut Parts) {
        let next = self.text.get(self.pos + 1..).and_then(|rest| rest.chars().next());
        let length = next.map_or(0, char::len_utf8);
        let start = self.pos + usize::from(length > 0);
        self.pos += 1 + length;
        parts.quoted(self.source(start));
    }

    /// `` `…` ``, standing at the first quote. `double`: within `"…"`, where `\"` is unescaped too.
    pub(super) fn back_quote(&mut self, parts: &mut Parts, double: bool) -> R<()> {
        self.step()?;
        let start = self.pos;
        let mut at = start + 1;
        let mut escaped = false;
        loop {
            match self.byte(at) {
                Some(b'`') => break,
                Some(b'\\') => {
                    escaped = true;
                    at += 2;
                }
                Some(_) => at += 1,
                None => {
                    self.pos = self.text.len();
                    return Err(Stop::Syntax);
                }
            }
        }
        self.enter()?;
        self.pos = start + 1;
        let list = if escaped {
            let body = unescape_back_quote(self.slice(start + 1, at), double);
            self.pos = at + 1;
            let span = self.span(start);
            self.detached(&body, span)?
        } else {
            self.region(at, |p| {
                let mut list = List::new();
                p.list(&mut list, &mut 0)?;
                if p.pos < p.text.len() { Err(Stop::Syntax) } else { Ok(list) }
            })?
        };
        self.leave();
        self.pos = at + 1;
        parts.push(Part::Command { list, span: self.span(start) });
        Ok(())
    }
}

fn unescape_back_quote(body: &str, double: bool) -> String {
    let mut out = String::with_capacity(body.len());
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some(next @ ('$' | '`' | '\\')) => out.push(next),
            Some('"') if double => out.push('"'),
            Some(next) => out.extend(['\\', next]),
            None => out.push('\\'),
        }
    }
    out
}

/// Decodes the body of `$'…'` up to its closing quote (or the end) into `out`; returns what follows.
/// Bytes that are no UTF-8 become U+FFFD.
pub(super) fn decode_ansi<'t>(body: &'t str, out: &mut String) -> &'t str {
    let mut bytes: Vec<u8> = Vec::with_capacity(body.len());
    let mut chars = body.chars();
    // Bash ends the string at an escape that gives NUL.
    let mut ended = false;
    while let Some(c) = chars.next() {
        match c {
            '\'' => break,
            '\\' => {
                let before = bytes.len();
                chars = ansi_escape(chars.as_str(), &mut bytes).chars();
                if bytes.get(before) == Some(&0) {
                    bytes.truncate(before);
                    if !ended {
                        out.push_str(&String::from_utf8_lossy(&bytes));
                    }
                    ended = true;
                }
            }
            _ => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    if !ended {
        out.push_str(&String::from_utf8_lossy(&bytes));
    }
    chars.as_str()
}

/// Decodes the escape whose backslash stands before `text`; returns what follows it.
fn ansi_escape<'t>(text: &'t str, out: &mut Vec<u8>) -> &'t str {
    let mut chars = text.chars();
    let Some(c) = chars.next() else {
        out.push(b'\\');
        return text;
    };
    let rest = chars.as_str();
    let plain = match c {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' | '\'' | '"' | '?' => c as u8,
        '0'..='7' => return digits(text, 8, 3, out),
        'x' if rest.starts_with('{') => {
            let after = digits(rest.get(1..).unwrap_or_default(), 16, usize::MAX, out);
            return after.strip_prefix('}').unwrap_or(after);
        }
        'x' if starts_with_hex(rest) => return digits(rest, 16, 2, out),
        'u' if starts_with_hex(rest) => return code_point(rest, 4, out),
        'U' if starts_with_hex(rest) => return code_point(rest, 8, out),
        'c' => {
            let mut after = rest.chars();
            let control = after.next().map_or(0, |c| u8::try_from(c.to_ascii_uppercase()).unwrap_or(b'?'));
            out.push(if control == b'?' { 127 } else { control & 0x1f });
            return after.as_str();
        }
        _ => {
            out.push(b'\\');
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            return rest;
        }
    };
    out.push(plain);
    rest
}

fn starts_with_hex(text: &str) -> bool {
    text.bytes().next().is_some_and(|b| b.is_ascii_hexdigit())
}

/// At most `most` digits of base `radix` as one byte.
fn digits<'t>(text: &'t str, radix: u32, most: usize, out: &mut Vec<u8>) -> &'t str {
    let (value, rest) = number(text, radix, most);
    out.push((value & 0xff) as u8);
    rest
}

fn code_point<'t>(text: &'t str, most: usize, out: &mut Vec<u8>) -> &'t str {
    let (value, rest) = number(text, 16, most);
    let c = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    rest
}

fn number(text: &str, radix: u32, most: usize) -> (u32, &str) {
    let mut value = 0u32;
    let mut length = 0;
    for digit in text.chars().take(most).map_while(|c| c.to_digit(radix)) {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        length += 1;
    }
    (value, text.get(length..).unwrap_or_default())
}
