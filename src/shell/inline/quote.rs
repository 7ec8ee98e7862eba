//! Strings of all kinds, here-documents, and what is interpolated into them.

use std::borrow::Cow;

use super::escape::Escapes;
use super::lex::{Lexer, is_word, is_word_start};
use super::token::Kind;
use crate::shell::programs::Language;

/// What is interpolated into a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    Nothing,
    /// `{x}` (Python).
    Format,
    /// `${x}` (JavaScript).
    Dollar,
    /// `$x`, `@x`, `{$x}` (Perl, PHP).
    Sigil,
    /// `#{x}` (Ruby).
    Hash,
}

impl Lexer<'_> {
    /// Whether a string (or something quoted like one) begins here; it was taken then.
    pub(super) fn quoted(&mut self, c: u8) -> bool {
        match self.language {
            Language::Python => self.python_string(c),
            Language::Node => match c {
                b'"' | b'\'' => self.plain(c, Escapes::Full, Fill::Nothing),
                b'`' => self.js_template(),
                _ => false,
            },
            Language::Perl => match c {
                b'"' | b'`' => self.plain(c, Escapes::Full, Fill::Sigil),
                b'\'' => self.plain(c, Escapes::Quote, Fill::Nothing),
                b'<' => self.heredoc() || self.angle(),
                b'q' | b'm' | b's' | b't' | b'y' => self.perl_quote(),
                _ => false,
            },
            Language::Ruby => match c {
                b'"' | b'`' => self.plain(c, Escapes::Full, Fill::Hash),
                b'\'' => self.plain(c, Escapes::Quote, Fill::Nothing),
                b'<' => self.heredoc(),
                b'%' => self.ruby_percent(),
                b':' => self.symbol(),
                _ => false,
            },
            Language::Php => match c {
                b'"' | b'`' => self.plain(c, Escapes::Full, Fill::Sigil),
                b'\'' => self.plain(c, Escapes::Quote, Fill::Nothing),
                b'<' => self.heredoc(),
                b'?' if self.at(1) == b'>' => {
                    // Text up to the next opening tag is output.
                    self.pos = self.find("<?php", self.pos).map_or(self.end, |i| i + 5);
                    true
                }
                _ => false,
            },
            Language::Awk | Language::Sed => c == b'"' && self.plain(c, Escapes::Full, Fill::Nothing),
        }
    }

    /// `'…'` or `"…"` or `` `…` `` that begins here.
    fn plain(&mut self, quote: u8, escapes: Escapes, fill: Fill) -> bool {
        let start = self.pos + 1;
        let one_line = matches!(self.language, Language::Node | Language::Awk);
        let end = self.delimited(start, quote, quote, one_line);
        let after = (end + 1).min(self.end);
        self.literal(start, end, escapes, fill, quote == b'`');
        self.pos = after;
        true
    }

    /// Where the literal whose body starts at `i` ends: the index of its closing delimiter, or the text's end.
    pub(super) fn delimited(&self, mut i: usize, open: u8, close: u8, one_line: bool) -> usize {
        let mut depth = 0usize;
        while i < self.end {
            let c = self.b[i];
            if c == b'\\' {
                i += 1;
            } else if c == close {
                if depth == 0 {
                    return i;
                }
                depth -= 1;
            } else if c == open {
                depth += 1;
            } else if c == b'\n' && one_line {
                return i;
            }
            i += 1;
        }
        self.end
    }

    /// Adds the literal with the body `src[start..end]`.
    pub(super) fn literal(&mut self, start: usize, end: usize, escapes: Escapes, fill: Fill, command: bool) {
        let wants = match fill {
            Fill::Nothing => false,
            Fill::Format => self.src[start..end].contains('{') || self.src[start..end].contains('}'),
            Fill::Dollar => self.src[start..end].contains("${"),
            Fill::Sigil => self.src[start..end].contains(['$', '@']),
            Fill::Hash => self.src[start..end].contains("#{"),
        };
        if !wants && !command {
            return self.text(start, end, escapes);
        }
        let at = self.out.list.len();
        self.put(if command { Kind::Cmd } else { Kind::Tpl }, Cow::Borrowed(""), start);
        // The newline token may have come first.
        let at = if self.out.list[at].kind == Kind::Newline { at + 1 } else { at };
        self.filled(start, end, escapes, fill);
        self.out.list[at].mate = self.out.list.len();
        self.put(Kind::TplEnd, Cow::Borrowed(""), end);
    }

    // --- Python ---

    fn python_string(&mut self, c: u8) -> bool {
        let mut i = self.pos;
        let (mut raw, mut format) = (false, false);
        if !matches!(c, b'"' | b'\'') {
            while i < self.end && i < self.pos + 3 && matches!(self.b[i] | 0x20, b'r' | b'b' | b'u' | b'f') {
                raw |= self.b[i] | 0x20 == b'r';
                format |= self.b[i] | 0x20 == b'f';
                i += 1;
            }
            if i == self.pos || i >= self.end || !matches!(self.b[i], b'"' | b'\'') {
                return false;
            }
        }
        let quote = self.b[i];
        let triple = self.end - i >= 3 && self.b[i + 1] == quote && self.b[i + 2] == quote;
        let start = if triple { i + 3 } else { i + 1 };
        let end = self.python_end(start, quote, triple, format);
        let escapes = if raw { Escapes::Raw } else { Escapes::Full };
        self.literal(start, end, escapes, if format { Fill::Format } else { Fill::Nothing }, false);
        self.pos = (end + if triple { 3 } else { 1 }).min(self.end);
        true
    }

    fn python_end(&self, start: usize, quote: u8, triple: bool, format: bool) -> usize {
        let mut i = start;
        let mut depth = 0usize;
        let mut inner = 0u8;
        while i < self.end {
            let c = self.b[i];
            if c == b'\\' {
                i += 2;
                continue;
            }
            if inner != 0 {
                if c == inner {
                    inner = 0;
                } else if c == b'\n' && !triple {
                    break;
                }
            } else if format && c == b'{' {
                if depth == 0 && self.b.get(i + 1) == Some(&b'{') {
                    i += 1;
                } else {
                    depth += 1;
                }
            } else if format && c == b'}' {
                depth = depth.saturating_sub(1);
            } else if c == quote && !triple && depth > 0 && format && self.closes_nested(i, quote) {
                inner = quote;
            } else if self.python_closes(i, quote, triple) {
                return i;
            }
            i += 1;
        }
        i.min(self.end)
    }

    fn python_closes(&self, i: usize, quote: u8, triple: bool) -> bool {
        let c = self.b[i];
        if triple {
            c == quote && self.b.get(i + 1) == Some(&quote) && self.b.get(i + 2) == Some(&quote)
        } else {
            c == quote || c == b'\n'
        }
    }

    /// Since Python 3.12 a replacement field may use the quote of its own string: `f"{d["k"]}"`.
    fn closes_nested(&self, i: usize, quote: u8) -> bool {
        let rest = &self.b[i + 1..self.end.min(i + 200)];
        let Some(close) = rest.iter().position(|&c| c == quote || c == b'\n') else { return false };
        rest[close] == quote && rest[..close].iter().all(|&c| c != b'}')
    }

    // --- JavaScript ---

    fn js_template(&mut self) -> bool {
        let start = self.pos + 1;
        // What is open: a template (`` ` ``), a hole (`{`), a quoted string in a hole.
        let mut open = vec![b'`'];
        let mut i = start;
        while i < self.end {
            let c = self.b[i];
            let top = open.last().copied().unwrap_or(0);
            match (top, c) {
                (_, b'\\') => i += 1,
                (b'`', b'$') if self.b.get(i + 1) == Some(&b'{') => {
                    open.push(b'{');
                    i += 1;
                }
                (b'{', b'{' | b'`' | b'"' | b'\'') => open.push(c),
                (b'`' | b'"' | b'\'', c) if c == top => {
                    open.pop();
                    if open.is_empty() {
                        break;
                    }
                }
                (b'{', b'}') | (b'"' | b'\'', b'\n') => {
                    open.pop();
                }
                _ => {}
            }
            i += 1;
        }
        let end = i.min(self.end);
        self.literal(start, end, Escapes::Full, Fill::Dollar, false);
        self.pos = (end + 1).min(self.end);
        true
    }

    // --- Perl, Ruby, PHP ---

    /// `$x`, `@x`, `%x` in Perl, PHP and Ruby.
    pub(super) fn variable(&mut self, c: u8) -> bool {
        let next = self.at(1);
        let fits = match self.language {
            Language::Perl => match c {
                b'$' => {
                    is_word(next)
                        || next == b'{'
                        || matches!(
                            next,
                            b'$' | b'@' | b'!' | b'/' | b'\\' | b',' | b';' | b'&' | b'.' | b'0' | b'|' | b'#'
                        )
                }
                b'@' => is_word_start(next) || matches!(next, b'{' | b'$'),
                b'%' | b'&' => (is_word_start(next) || matches!(next, b'{' | b'$')) && self.operand_expected(),
                _ => false,
            },
            Language::Php => c == b'$' && is_word_start(next),
            Language::Ruby => {
                (c == b'@' && (is_word_start(next) || next == b'@'))
                    || (c == b'$' && (is_word(next) || matches!(next, b'!' | b'/' | b'0' | b',')))
            }
            _ => false,
        };
        if !fits {
            return false;
        }
        let mut end = self.pos + 1;
        if next == b'{' || (c != b'$' && next == b'$') || (next == b'#' && matches!(self.at(2), b'$' | b'{')) {
            // `@{…}`, `@$x`: the sigil only says how the value is used.
            self.pos = end;
            return true;
        }
        if next == b'$' && (is_word(self.at(2)) || self.at(2) == b'{') {
            self.pos = end;
            return true;
        }
        if is_word(next) || (next == b'@' && self.language == Language::Ruby) || next == b'#' {
            end += 1;
            while end < self.end
                && (is_word(self.b[end])
                    || (self.language == Language::Perl
                        && self.b[end..self.end].starts_with(b"::")
                        && self.b.get(end + 2).is_some_and(|&c| is_word_start(c))))
            {
                end += if self.b[end] == b':' { 2 } else { 1 };
            }
        } else {
            end += 1;
        }
        self.push(Kind::Var, self.pos, end);
        true
    }

    pub(super) fn operand_expected(&self) -> bool {
        self.last().is_none_or(|t| !matches!(t.kind, Kind::Num | Kind::Str | Kind::TplEnd | Kind::Close | Kind::Var))
    }
}
