//! What is interpolated into a string.

use std::borrow::Cow;

use super::escape::Escapes;
use super::lex::{Lexer, is_word, is_word_start};
use super::quote::Fill;
use super::token::Kind;
use crate::shell::programs::Language;

impl Lexer<'_> {
    pub(super) fn filled(&mut self, start: usize, end: usize, escapes: Escapes, fill: Fill) {
        let mut from = start;
        let mut i = start;
        while i < end {
            let c = self.b[i];
            let next = if i + 1 < end { self.b[i + 1] } else { 0 };
            if c == b'\\' && fill != Fill::Format {
                i += 2;
                continue;
            }
            let doubled = fill == Fill::Format && matches!(c, b'{' | b'}') && next == c;
            if doubled {
                self.chunk(from, i + 1, escapes);
                i += 2;
                from = i;
                continue;
            }
            let Some((code, after)) = self.hole(i, end, fill) else {
                i += 1;
                continue;
            };
            self.chunk(from, i, escapes);
            self.hole_code(code.0, code.1, fill);
            i = after.max(i + 1);
            from = i;
        }
        self.chunk(from.min(end), end, escapes);
    }

    pub(super) fn chunk(&mut self, start: usize, end: usize, escapes: Escapes) {
        if start < end {
            self.text(start, end, escapes);
        }
    }

    /// The interpolated expression at `i`, and where the text goes on.
    pub(super) fn hole(&self, i: usize, end: usize, fill: Fill) -> Option<((usize, usize), usize)> {
        let c = self.b[i];
        let next = if i + 1 < end { self.b[i + 1] } else { 0 };
        match fill {
            Fill::Format if c == b'{' => {
                let close = self.closing_brace(i + 1, end);
                Some(((i + 1, self.format_end(i + 1, close)), close + 1))
            }
            Fill::Dollar if c == b'$' && next == b'{' => {
                let close = self.closing_brace(i + 2, end);
                Some(((i + 2, close), close + 1))
            }
            Fill::Hash if c == b'#' && next == b'{' => {
                let close = self.closing_brace(i + 2, end);
                Some(((i + 2, close), close + 1))
            }
            Fill::Sigil if c == b'{' && next == b'$' && self.language == Language::Php => {
                let close = self.closing_brace(i + 1, end);
                Some(((i + 1, close), close + 1))
            }
            Fill::Sigil if (c == b'$' || (c == b'@' && self.language == Language::Perl)) && next == b'{' => {
                let close = self.closing_brace(i + 2, end);
                let after = self.subscripts(close + 1, end);
                // `${name}` is a variable, `@{[ … ]}` an expression.
                let inner = &self.src[i + 2..close];
                if inner.bytes().all(is_word) { Some(((i, after), after)) } else { Some(((i + 2, close), after)) }
            }
            Fill::Sigil if c == b'$' || (c == b'@' && self.language == Language::Perl) => {
                let mut e = i + 1;
                if !is_word_start(next) && !(c == b'$' && (next.is_ascii_digit() || next == b'&')) {
                    return None;
                }
                e += 1;
                while e < end && is_word(self.b[e]) {
                    e += 1;
                }
                let after = self.subscripts(e, end);
                Some(((i, after), after))
            }
            _ => None,
        }
    }

    /// Where subscripts (`[0]`, `{key}`, `->…`) after an interpolated variable end.
    pub(super) fn subscripts(&self, mut i: usize, end: usize) -> usize {
        loop {
            let rest = &self.b[i.min(end)..end];
            let arrow = if rest.starts_with(b"->") { 2 } else { 0 };
            match rest.get(arrow) {
                Some(b'[')
                    if self.language == Language::Php
                        || rest.get(arrow + 1).is_some_and(|c| matches!(c, b'$' | b'-' | b'0'..=b'9')) =>
                {
                    i = (self.closing(i + arrow + 1, end, b'[', b']') + 1).min(end);
                }
                Some(b'{') if self.language == Language::Perl => {
                    i = (self.closing(i + arrow + 1, end, b'{', b'}') + 1).min(end);
                }
                Some(&c) if arrow == 2 && self.language == Language::Php && is_word_start(c) => {
                    i += 2;
                    while i < end && is_word(self.b[i]) {
                        i += 1;
                    }
                }
                _ => return i.min(end),
            }
        }
    }

    pub(super) fn hole_code(&mut self, start: usize, end: usize, fill: Fill) {
        // `${name}` in Perl and PHP is the variable itself.
        let text = &self.src[start..end];
        if fill == Fill::Sigil
            && let Some((name, _)) = text.get(2..).and_then(|t| t.split_once('}'))
            && text.as_bytes()[1] == b'{'
            && matches!(text.as_bytes()[0], b'$' | b'@')
            && name.bytes().all(is_word)
        {
            let at = self.out.list.len();
            self.put(Kind::Code, Cow::Borrowed(""), start);
            self.put(Kind::Var, Cow::Owned(format!("{}{name}", &text[..1])), start);
            self.out.list[at].mate = self.out.list.len();
            self.put(Kind::CodeEnd, Cow::Borrowed(""), end);
            return;
        }
        self.code(start, end);
    }

    /// The brace that closes the one before `i`, or `end`. Quoted braces don't count.
    pub(super) fn closing_brace(&self, i: usize, end: usize) -> usize {
        self.closing(i, end, b'{', b'}')
    }

    pub(super) fn closing(&self, mut i: usize, end: usize, open: u8, close: u8) -> usize {
        let mut depth = 0usize;
        let mut quote = 0u8;
        while i < end {
            let c = self.b[i];
            if c == b'\\' {
                i += 1;
            } else if quote != 0 {
                if c == quote {
                    quote = 0;
                }
            } else if c == close {
                if depth == 0 {
                    return i;
                }
                depth -= 1;
            } else if c == open {
                depth += 1;
            } else if matches!(c, b'"' | b'\'') {
                quote = c;
            }
            i += 1;
        }
        end
    }

    /// Where the expression of a Python replacement field ends: before `!r`, `:spec` or `=`.
    pub(super) fn format_end(&self, start: usize, end: usize) -> usize {
        let mut depth = 0usize;
        let mut quote = 0u8;
        for i in start..end {
            let c = self.b[i];
            if quote != 0 {
                if c == quote {
                    quote = 0;
                }
                continue;
            }
            match c {
                b'"' | b'\'' => quote = c,
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b':' if depth == 0 => return i,
                b'!' if depth == 0 && self.b.get(i + 1) != Some(&b'=') => return i,
                b'=' if depth == 0 && i + 1 == end => return i,
                _ => {}
            }
        }
        end
    }
}
