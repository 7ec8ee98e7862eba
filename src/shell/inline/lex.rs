//! Source text -> tokens. Never fails: what is no token is skipped, what is unterminated ends with the text.

use std::borrow::Cow;

use super::escape::{Escapes, unescape};
use super::token::{Kind, Token, Tokens};
use crate::limits::MAX_INLINE_TEMPLATES;
use crate::shell::programs::Language;

/// Cuts `src` into tokens.
pub(super) fn lex(language: Language, src: &str) -> Tokens<'_> {
    let mut lexer = Lexer {
        language,
        src,
        b: src.as_bytes(),
        pos: 0,
        end: src.len(),
        out: Tokens::default(),
        open: Vec::new(),
        base: 0,
        skips: Vec::new(),
        depth: 0,
        line: Some(0),
        gap: true,
        stopped: false,
        no_regex: 0,
    };
    if language == Language::Php {
        lexer.pos = php_start(src);
    }
    lexer.blocks_of_text();
    lexer.run();
    let last = lexer.out.list.len();
    for i in lexer.open {
        lexer.out.list[i].mate = last;
    }
    lexer.out
}

fn php_start(src: &str) -> usize {
    src.find("<?php").map_or(0, |i| i + 5)
}

pub(super) struct Lexer<'s> {
    pub(super) language: Language,
    pub(super) src: &'s str,
    pub(super) b: &'s [u8],
    pub(super) pos: usize,
    pub(super) end: usize,
    pub(super) out: Tokens<'s>,
    /// Brackets that are open.
    open: Vec<usize>,
    /// How many of them belong to an enclosing text.
    base: usize,
    /// Bodies of here-documents: at the newline `.0` go on at `.1`.
    pub(super) skips: Vec<(usize, usize)>,
    depth: usize,
    /// A newline was passed; where the line began.
    line: Option<usize>,
    gap: bool,
    /// `__END__` was met.
    stopped: bool,
    /// Up to here no regular expression ends.
    no_regex: usize,
}

impl<'s> Lexer<'s> {
    fn run(&mut self) {
        while self.pos < self.end && !self.stopped {
            let c = self.b[self.pos];
            match c {
                b'\n' => self.newline(),
                b' ' | b'\t' | b'\r' | 0x0c => {
                    self.gap = true;
                    self.pos += 1;
                }
                b'\\' if self.at(1) == b'\n' => {
                    self.gap = true;
                    self.pos += 2;
                }
                b'#' if self.is_hash_comment() => self.skip_line(),
                b'/' if self.c_comments() && self.at(1) == b'/' => self.skip_line(),
                b'/' if self.c_comments() && self.at(1) == b'*' => {
                    self.pos = self.find("*/", self.pos + 2).map_or(self.end, |i| i + 2);
                    self.gap = true;
                }
                b'(' | b'[' | b'{' => self.bracket_open(),
                b')' | b']' | b'}' => self.bracket_close(),
                b'0'..=b'9' => self.number(),
                _ => self.other(c),
            }
        }
    }

    fn other(&mut self, c: u8) {
        if self.quoted(c) || self.variable(c) {
            return;
        }
        if c == b'/' && self.regex_expected() && self.regex(self.pos + 1) {
            return;
        }
        if is_word_start(c) || (c == b'$' && self.language == Language::Node) {
            return self.word();
        }
        let len = self.operator_len();
        self.push(Kind::Punct, self.pos, self.pos + len);
    }

    /// The byte `n` after the current one, 0 past the end.
    pub(super) fn at(&self, n: usize) -> u8 {
        if self.pos + n < self.end { self.b[self.pos + n] } else { 0 }
    }

    /// Where `what` next stands from `from` on.
    pub(super) fn find(&self, what: &str, from: usize) -> Option<usize> {
        self.src.get(from..self.end)?.find(what).map(|i| from + i)
    }

    pub(super) fn skip_line(&mut self) {
        self.pos = self.find("\n", self.pos).unwrap_or(self.end);
        self.gap = true;
    }

    fn c_comments(&self) -> bool {
        matches!(self.language, Language::Node | Language::Php)
    }

    fn is_hash_comment(&self) -> bool {
        match self.language {
            Language::Node => self.pos == 0 && self.at(1) == b'!',
            Language::Php => self.at(1) != b'[',
            _ => true,
        }
    }

    fn newline(&mut self) {
        let here = self.pos;
        self.pos += 1;
        self.gap = true;
        if let Some(at) = self.skips.iter().rposition(|s| s.0 == here) {
            self.pos = self.skips.swap_remove(at).1.max(self.pos).min(self.end);
        }
        if self.line_ends_matter() {
            self.line = Some(self.pos);
        }
        self.blocks_of_text();
    }

    fn line_ends_matter(&self) -> bool {
        match self.language {
            Language::Python => self.open.len() == self.base,
            Language::Node | Language::Ruby | Language::Awk => {
                self.open.len() == self.base || self.open.last().is_some_and(|&i| self.out.list[i].text == "{")
            }
            _ => false,
        }
    }

    /// Text that is no code: POD, `=begin`, `__END__`.
    fn blocks_of_text(&mut self) {
        let rest = &self.src[self.pos..self.end];
        let end = match self.language {
            Language::Perl if rest.starts_with('=') && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) => {
                "\n=cut"
            }
            Language::Ruby if rest.starts_with("=begin") => "\n=end",
            Language::Perl | Language::Ruby if rest.starts_with("__END__") || rest.starts_with("__DATA__") => {
                self.stopped = true;
                return;
            }
            _ => return,
        };
        self.pos = self.find(end, self.pos).map_or(self.end, |i| i + 1);
        self.skip_line();
    }

    /// Adds the token `src[start..end]` and goes on behind it.
    pub(super) fn push(&mut self, kind: Kind, start: usize, end: usize) {
        self.pos = end;
        self.put(kind, Cow::Borrowed(&self.src[start..end]), start);
    }

    pub(super) fn put(&mut self, kind: Kind, text: Cow<'s, str>, start: usize) {
        if let Some(line) = self.line.take() {
            let mate = start.saturating_sub(line);
            self.out.list.push(Token { kind: Kind::Newline, text: Cow::Borrowed("\n"), mate, gap: true });
        }
        self.out.list.push(Token { kind, text, mate: 0, gap: self.gap });
        self.gap = false;
    }

    pub(super) fn bracket_open(&mut self) {
        self.push(Kind::Open, self.pos, self.pos + 1);
        self.open.push(self.out.list.len() - 1);
    }

    fn bracket_close(&mut self) {
        let opener = match self.b[self.pos] {
            b')' => "(",
            b']' => "[",
            _ => "{",
        };
        // A bracket left open inside is closed by the outer one.
        let found = self.open[self.base..].iter().rev().take(64).any(|&i| self.out.list[i].text == opener);
        if !found {
            // Closes nothing.
            self.pos += 1;
            return;
        }
        self.push(Kind::Close, self.pos, self.pos + 1);
        let me = self.out.list.len() - 1;
        while self.open.len() > self.base {
            let Some(i) = self.open.pop() else { break };
            self.out.list[i].mate = me;
            if self.out.list[i].text == opener {
                break;
            }
        }
        self.out.list[me].mate = me;
    }

    fn number(&mut self) {
        let mut end = self.pos + 1;
        while end < self.end
            && (is_word(self.b[end]) || (self.b[end] == b'.' && self.b.get(end + 1).is_some_and(u8::is_ascii_digit)))
        {
            end += 1;
        }
        self.push(Kind::Num, self.pos, end);
    }

    fn word(&mut self) {
        let mut end = self.pos + 1;
        let node = self.language == Language::Node;
        while end < self.end {
            let c = self.b[end];
            let colons = matches!(self.language, Language::Perl | Language::Ruby | Language::Php)
                && c == b':'
                && self.b.get(end + 1) == Some(&b':')
                && self.b.get(end + 2).is_some_and(|&c| is_word_start(c));
            if colons {
                // Ruby's and PHP's `Class::method` is cut at the colons.
                if self.language != Language::Perl {
                    break;
                }
                end += 2;
            } else if is_word(c) || (node && c == b'$') {
                end += 1;
            } else if self.language == Language::Ruby && matches!(c, b'?' | b'!') && self.b.get(end + 1) != Some(&b'=')
            {
                end += 1;
                break;
            } else {
                break;
            }
        }
        let text = &self.src[self.pos..end];
        if matches!(text, "__END__" | "__DATA__") && self.language == Language::Perl {
            self.stopped = true;
            return;
        }
        self.push(Kind::Word, self.pos, end);
    }

    fn operator_len(&self) -> usize {
        let rest = &self.b[self.pos..self.end];
        let three: &[&[u8]] =
            &[b"...", b"===", b"!==", b"**=", b"//=", b"||=", b"&&=", b"??=", b"<=>", b">>>", b"<<=", b">>=", b"?->"];
        if three.iter().any(|o| rest.starts_with(o)) {
            return 3;
        }
        let two: &[&[u8]] = &[
            b"=>", b"->", b"==", b"!=", b"<=", b">=", b"+=", b"-=", b"*=", b"/=", b".=", b"%=", b"|=", b"&=", b":=",
            b"||", b"&&", b"??", b"//", b"**", b"<<", b">>", b"++", b"--", b"?.", b"=~", b"!~", b"::", b"..", b"&.",
            b"^=",
        ];
        let two_fits = two.iter().any(|o| rest.starts_with(o));
        match rest {
            // `a?.5:1`
            [b'?', b'.', d, ..] if d.is_ascii_digit() => 1,
            [b'&', b'.', ..] if self.language != Language::Ruby => 1,
            [b'/', b'/', ..] if self.language == Language::Ruby || self.language == Language::Awk => 1,
            _ if two_fits => 2,
            _ => self.src[self.pos..self.end].chars().next().map_or(1, char::len_utf8),
        }
    }

    /// The token before, where one stands in the same text.
    pub(super) fn last(&self) -> Option<&Token<'s>> {
        if self.line.is_some() { None } else { self.out.list.last() }
    }

    /// Whether a `/` here begins a regular expression.
    pub(super) fn regex_expected(&self) -> bool {
        if matches!(self.language, Language::Python | Language::Php) {
            return false;
        }
        let Some(last) = self.last() else { return true };
        match last.kind {
            Kind::Num | Kind::Str | Kind::TplEnd | Kind::Var | Kind::Opaque => false,
            Kind::Close => last.text == "}" && self.gap && self.language != Language::Node,
            Kind::Word => match self.language {
                Language::Node => matches!(
                    last.text.as_ref(),
                    "return"
                        | "typeof"
                        | "case"
                        | "in"
                        | "of"
                        | "delete"
                        | "void"
                        | "throw"
                        | "new"
                        | "else"
                        | "do"
                        | "await"
                        | "yield"
                ),
                Language::Ruby => {
                    matches!(
                        last.text.as_ref(),
                        "if" | "unless" | "when" | "and" | "or" | "not" | "while" | "until" | "return"
                    ) || (self.gap && !matches!(self.at(1), b' ' | b'='))
                }
                Language::Awk => false,
                _ => true,
            },
            _ => true,
        }
    }

    /// A regular expression literal whose body starts at `from`; `false` where none ends on this line.
    fn regex(&mut self, from: usize) -> bool {
        if from < self.no_regex {
            return false;
        }
        let mut i = from;
        let mut class = false;
        while i < self.end {
            match self.b[i] {
                b'\\' => i += 1,
                b'[' => class = true,
                b']' => class = false,
                b'\n' => break,
                b'/' if !class || self.language == Language::Perl => {
                    let mut end = i + 1;
                    while end < self.end && self.b[end].is_ascii_alphabetic() {
                        end += 1;
                    }
                    let start = self.pos;
                    self.push(Kind::Opaque, start, end);
                    return true;
                }
                _ => {}
            }
            i += 1;
        }
        self.no_regex = i;
        false
    }

    /// Cuts `src[start..end]` as an interpolated expression into the stream.
    pub(super) fn code(&mut self, start: usize, end: usize) {
        let at = self.out.list.len();
        self.put(Kind::Code, Cow::Borrowed(""), start);
        if self.depth >= MAX_INLINE_TEMPLATES {
            self.out.cut = true;
        } else {
            let saved = (self.pos, self.end, self.base, self.line.take());
            self.pos = start;
            self.end = end;
            self.base = self.open.len();
            self.depth += 1;
            self.run();
            let close = self.out.list.len();
            while self.open.len() > self.base {
                if let Some(i) = self.open.pop() {
                    self.out.list[i].mate = close;
                }
            }
            self.depth -= 1;
            (self.pos, self.end, self.base) = (saved.0, saved.1, saved.2);
            self.line = saved.3;
        }
        self.out.list[at].mate = self.out.list.len();
        self.out.list.push(Token { kind: Kind::CodeEnd, text: Cow::Borrowed(""), mate: 0, gap: false });
    }

    /// Adds a string token for `src[start..end]`.
    pub(super) fn text(&mut self, start: usize, end: usize, escapes: Escapes) {
        let raw = &self.src[start..end];
        self.put(Kind::Str, unescape(raw, escapes), start);
    }
}

/// Whether an identifier may start with `c`.
pub(super) const fn is_word_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c >= 0x80
}

/// Whether an identifier may go on with `c`.
pub(super) const fn is_word(c: u8) -> bool {
    is_word_start(c) || c.is_ascii_digit()
}
