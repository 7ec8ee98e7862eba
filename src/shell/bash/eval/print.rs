//! `echo` and `printf`.

use super::machine::{Eval, Io, Outcome, Status};
use super::state::{State, Var};
use super::values::{self, Stream};
use crate::shell::programs::Arg;
use crate::shell::{Piece, Value};

/// What `echo` prints.
pub(super) fn echo(args: &[Arg]) -> Stream {
    let mut newline = true;
    let mut escapes = false;
    let mut rest = args;
    while let Some(first) = rest.first() {
        let Some(flag) = first.value.known() else { break };
        let letters = flag.strip_prefix('-').unwrap_or_default();
        if letters.is_empty() || !letters.bytes().all(|b| matches!(b, b'n' | b'e' | b'E')) {
            break;
        }
        for letter in letters.chars() {
            match letter {
                'n' => newline = false,
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
        rest = &rest[1..];
    }
    let mut line = Value::default();
    for (i, arg) in rest.iter().enumerate() {
        if i > 0 {
            line.push_str(" ");
        }
        line.append(if escapes { unescape_value(&arg.value) } else { arg.value.clone() });
    }
    if newline {
        line.push_str("\n");
    }
    Stream::Text(values::capped(line))
}

fn unescape_value(value: &Value) -> Value {
    let mut out = Value::default();
    for piece in &value.pieces {
        match piece {
            Piece::Text(s) => out.push_str(&unescape(s)),
            other => out.push(other.clone()),
        }
    }
    out
}

/// Backslash escapes of `echo -e` and `printf`.
fn unescape(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    let mut chars = s.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('a') => out.push('\u{7}'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('v') => out.push('\u{b}'),
            Some('e' | 'E') => out.push('\u{1b}'),
            Some(same @ ('\\' | '"' | '\'')) => out.push(same),
            Some('c') => break,
            Some('x') => out.push(code(&mut chars, 16, 2)),
            Some('u') => out.push(code(&mut chars, 16, 4)),
            Some('U') => out.push(code(&mut chars, 16, 8)),
            Some('0') => out.push(code(&mut chars, 8, 3)),
            Some(d @ '1'..='7') => {
                let mut n = d.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(d) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    n = n * 8 + d;
                    chars.next();
                }
                out.push(char::from_u32(n).unwrap_or('\u{fffd}'));
            }
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    out
}

fn code(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: usize) -> char {
    let mut n = 0;
    for _ in 0..most {
        let Some(d) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
        n = n * radix + d;
        chars.next();
    }
    char::from_u32(n).unwrap_or('\u{fffd}')
}

/// What `printf format args…` prints.
pub(super) fn format(args: &[Arg]) -> Stream {
    let Some((format, mut args)) = args.split_first() else { return Stream::empty() };
    if args.len() > crate::limits::MAX_EXPANSION {
        return Stream::Unknown;
    }
    let Some(text) = format.value.known() else {
        // `printf "$x\n"`: as far as a format is used as text.
        return Stream::Text(unescape_value(&format.value));
    };
    let mut out = Value::default();
    loop {
        let before = args.len();
        for part in directives(&text) {
            match part {
                Directive::Text(s) => out.push_str(&unescape(&s)),
                Directive::Take(letter, plain) => {
                    let taken = args.split_first().map(|(first, rest)| {
                        args = rest;
                        first.value.clone()
                    });
                    out.append(formatted(letter, plain, taken.unwrap_or_default()));
                }
            }
        }
        // The format is used again while arguments are left.
        if args.is_empty() || args.len() == before || out.text_len() > crate::limits::MAX_VALUE_BYTES {
            return Stream::Text(values::capped(out));
        }
    }
}

fn formatted(letter: char, plain: bool, value: Value) -> Value {
    match letter {
        // Widths only pad.
        's' if value.known().is_none() && values::is_plain_name(&value) => Value::name(),
        's' => value,
        'b' => unescape_value(&value),
        'q' => match value.known() {
            Some(s) => Value::text(shell_words::quote(&s).into_owned()),
            None => value,
        },
        'd' | 'i' if plain && value.known().is_some_and(|s| s.parse::<i64>().is_ok()) => value,
        'c' => Value::text(value.prefix().chars().take(1).collect::<String>()),
        // Numbers with a width or in another base: digits that nobody needs to know.
        _ => Value::name(),
    }
}

enum Directive {
    Text(String),
    /// The letter, and whether no width or flag stood before it.
    Take(char, bool),
}

fn directives(format: &str) -> Vec<Directive> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        if chars.peek() == Some(&'%') {
            chars.next();
            text.push('%');
            continue;
        }
        let mut plain = true;
        if chars.peek() == Some(&'(') {
            // `%(%F)T`: a date.
            for c in chars.by_ref() {
                if c == ')' {
                    break;
                }
            }
            plain = false;
        }
        while chars
            .peek()
            .is_some_and(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | ' ' | '#' | '.' | '*' | '\'' | 'l' | 'h'))
        {
            chars.next();
            plain = false;
        }
        if !text.is_empty() {
            out.push(Directive::Text(std::mem::take(&mut text)));
        }
        if let Some(letter) = chars.next() {
            out.push(Directive::Take(letter, plain));
        }
    }
    if !text.is_empty() {
        out.push(Directive::Text(text));
    }
    out
}

impl Eval<'_> {
    pub(super) fn printf(&mut self, st: &mut State, args: &[Arg], io: &Io) -> Outcome {
        let mut args = args;
        let mut into = None;
        if args.first().is_some_and(|a| a.value.known().as_deref() == Some("-v")) {
            into = args.get(1).and_then(|a| a.value.known().map(std::borrow::Cow::into_owned));
            args = args.get(2..).unwrap_or_default();
        }
        if args.first().is_some_and(|a| a.value.known().as_deref() == Some("--")) {
            args = &args[1..];
        }
        if let Some(name) = into {
            let value = format(args).whole();
            let element = name.strip_suffix(']').and_then(|n| n.split_once('['));
            match element {
                Some((array, index)) if super::declare::is_name(array) => {
                    self.store(st, array, Some(&Value::text(index)), false, value);
                }
                _ if super::declare::is_name(&name) => st.set(&name, Var::one(value), self.world),
                _ => {}
            }
            return Outcome::silent(Status::True);
        }
        Outcome::new(Status::True, if io.capture { format(args) } else { Stream::empty() })
    }
}
