//! Perl's and Ruby's own ways to quote, and here-documents.

use std::borrow::Cow;

use super::escape::Escapes;
use super::lex::{Lexer, is_word, is_word_start};
use super::quote::Fill;
use super::token::Kind;
use crate::shell::programs::Language;

impl Lexer<'_> {
    /// `q(…)`, `qq{…}`, `qw/…/`, `qx`, `qr`, `m`, `s`, `tr`, `y`.
    pub(super) fn perl_quote(&mut self) -> bool {
        let rest = &self.src[self.pos..self.end];
        let Some(op) = ["qq", "qw", "qx", "qr", "tr", "q", "m", "s", "y"].into_iter().find(|o| rest.starts_with(o))
        else {
            return false;
        };
        let mut i = self.pos + op.len();
        if i < self.end && is_word(self.b[i]) {
            return false;
        }
        let tight = i;
        while i < self.end && self.b[i].is_ascii_whitespace() {
            i += 1;
        }
        if i >= self.end || self.src[i..self.end].starts_with("=>") || self.not_quote(op, i) {
            return false;
        }
        let open = self.b[i];
        if matches!(open, b',' | b';' | b')' | b'}' | b']' | b'=')
            || (open == b'#' && i > tight)
            || is_word(open)
            || open >= 0x80
        {
            return false;
        }
        self.quote_like(op, i, open);
        true
    }

    /// A hash key, a method or a file test named like a quoting operator.
    pub(super) fn not_quote(&self, op: &str, after: usize) -> bool {
        let Some(last) = self.last() else { return false };
        match last.text.as_ref() {
            "->" | "sub" => true,
            "{" => self.b[after] == b'}',
            "-" => op.len() == 1 && !self.gap_here(),
            _ => false,
        }
    }

    pub(super) fn gap_here(&self) -> bool {
        self.pos > 0 && self.b[self.pos - 1].is_ascii_whitespace()
    }

    pub(super) fn quote_like(&mut self, op: &str, open_at: usize, open: u8) {
        let close = closer(open);
        let start = open_at + 1;
        let nested = if close == open { close } else { open };
        let end = self.delimited(start, nested, close, false);
        let mut after = (end + 1).min(self.end);
        let mut replacement = None;
        if matches!(op, "s" | "tr" | "y") {
            // The second half.
            let mut second = after;
            let mut open2 = open;
            if close != open {
                while second < self.end && self.b[second].is_ascii_whitespace() {
                    second += 1;
                }
                open2 = if second < self.end { self.b[second] } else { open };
                second += 1;
            }
            let close2 = closer(open2);
            after = (self.delimited(second.min(self.end), open2, close2, false) + 1).min(self.end);
            if open2 >= 0x80 {
                after = self.end;
            } else if op == "s" && second < after {
                replacement = Some((second, after - 1));
            }
        }
        match op {
            "q" => self.literal(start, end, Escapes::Quote, Fill::Nothing, false),
            "qq" => self.literal(start, end, Escapes::Full, Fill::Sigil, false),
            "qx" => self.literal(start, end, Escapes::Full, Fill::Sigil, true),
            "qw" => self.words(start, end),
            _ => {
                let flags = after;
                while after < self.end && self.b[after].is_ascii_alphabetic() {
                    after += 1;
                }
                match replacement.filter(|_| self.b[flags..after].contains(&b'e')) {
                    // `s/…/code/e`
                    Some((from, to)) if self.src.is_char_boundary(to) => {
                        self.put(Kind::Tpl, Cow::Borrowed(""), open_at);
                        let at = self.out.list.len() - 1;
                        self.code(from, to);
                        self.out.list[at].mate = self.out.list.len();
                        self.put(Kind::TplEnd, Cow::Borrowed(""), open_at);
                    }
                    _ => self.put(Kind::Opaque, Cow::Borrowed(""), open_at),
                }
            }
        }
        self.pos = after;
    }

    /// `qw(a b)` and `%w[a b]` as a bracketed list.
    pub(super) fn words(&mut self, start: usize, end: usize) {
        let src = self.src;
        self.put(Kind::Open, Cow::Borrowed("["), start);
        let at = self.out.list.len() - 1;
        for word in src[start..end].split_ascii_whitespace() {
            self.put(Kind::Str, Cow::Borrowed(word), start);
            self.put(Kind::Punct, Cow::Borrowed(","), start);
        }
        self.out.list[at].mate = self.out.list.len();
        self.put(Kind::Close, Cow::Borrowed("]"), end);
    }

    /// `%w[…]`, `%q(…)`, `%x{…}`, `%(…)`.
    pub(super) fn ruby_percent(&mut self) -> bool {
        let kind = self.at(1);
        let (op, open_at) = if kind.is_ascii_alphabetic() { (kind, self.pos + 2) } else { (b'Q', self.pos + 1) };
        let Some(&open) = self.b.get(open_at).filter(|_| open_at < self.end) else { return false };
        let operand = self
            .last()
            .is_some_and(|t| matches!(t.kind, Kind::Num | Kind::Str | Kind::TplEnd | Kind::Close | Kind::Var));
        if operand || !matches!(open, b'(' | b'[' | b'{' | b'<' | b'|' | b'!' | b'/') {
            return false;
        }
        if self.last().is_some_and(|t| t.kind == Kind::Word) && !self.gap_here() {
            return false;
        }
        let close = closer(open);
        let start = open_at + 1;
        let end = self.delimited(start, open, close, false);
        match op {
            b'w' | b'W' | b'i' | b'I' => self.words(start, end),
            b'q' => self.literal(start, end, Escapes::Quote, Fill::Nothing, false),
            b'Q' => self.literal(start, end, Escapes::Full, Fill::Hash, false),
            b'x' => self.literal(start, end, Escapes::Full, Fill::Hash, true),
            b'r' | b's' => self.put(Kind::Opaque, Cow::Borrowed(""), start),
            _ => return false,
        }
        self.pos = (end + 1).min(self.end);
        true
    }

    /// `:name` in Ruby.
    pub(super) fn symbol(&mut self) -> bool {
        if !is_word_start(self.at(1)) || self.pos > 0 && self.b[self.pos - 1] == b':' {
            return false;
        }
        let mut end = self.pos + 1;
        while end < self.end && is_word(self.b[end]) {
            end += 1;
        }
        self.text(self.pos + 1, end, Escapes::Raw);
        self.pos = end;
        true
    }

    /// `<F>`, `<$fh>`, `<>`, `<*.c>` in Perl.
    pub(super) fn angle(&mut self) -> bool {
        let rest = &self.b[self.pos + 1..self.end.min(self.pos + 64)];
        let Some(close) = rest.iter().position(|c| !(is_word(*c) || matches!(c, b'$' | b'*' | b'.' | b'/'))) else {
            return false;
        };
        if rest[close] != b'>' || self.last().is_some_and(|t| matches!(t.kind, Kind::Num | Kind::Var | Kind::Close)) {
            return false;
        }
        let end = self.pos + close + 2;
        self.push(Kind::Opaque, self.pos, end);
        true
    }

    /// `<<EOF`, `<<~"EOF"`, `<<<'EOF'`.
    pub(super) fn heredoc(&mut self) -> bool {
        let php = self.language == Language::Php;
        let lead = if php { "<<<" } else { "<<" };
        let rest = &self.src[self.pos..self.end];
        let Some(mut tag) = rest.strip_prefix(lead) else { return false };
        let mut indented = php;
        if !php && tag.starts_with(['~', '-']) {
            indented = true;
            tag = &tag[1..];
        } else if php {
            tag = tag.trim_start_matches(' ');
        }
        let quote = tag.bytes().next().filter(|c| matches!(c, b'"' | b'\''));
        let name = match quote {
            Some(q) => tag[1..].split(char::from(q)).next().unwrap_or(""),
            None => &tag[..tag.bytes().take_while(|&c| is_word(c)).count()],
        };
        let fits = name
            .starts_with(|c: char| c.is_ascii_uppercase() || (indented && c.is_ascii_lowercase()) || c == '_')
            || (quote.is_some() && !name.is_empty() && !name.contains('\n'));
        if !fits {
            return false;
        }
        let marker_end = self.pos + (rest.len() - tag.len()) + name.len() + if quote.is_some() { 2 } else { 0 };
        let line_end = self.find("\n", marker_end.min(self.end)).unwrap_or(self.end);
        let slot = self.skips.iter().rposition(|s| s.0 == line_end);
        let start = slot.map_or((line_end + 1).min(self.end), |i| self.skips[i].1.min(self.end));
        let (end, after) = self.heredoc_end(start, name, indented);
        match slot {
            Some(i) => self.skips[i].1 = after,
            None => self.skips.push((line_end, after)),
        }
        let fill = match (quote, self.language) {
            (Some(b'\''), _) => Fill::Nothing,
            (_, Language::Ruby) => Fill::Hash,
            _ => Fill::Sigil,
        };
        let escapes = if fill == Fill::Nothing { Escapes::Raw } else { Escapes::Full };
        self.literal(start, end, escapes, fill, false);
        self.pos = marker_end.min(self.end);
        true
    }

    /// End of the body that begins at `start`, and where the line after its terminator begins.
    pub(super) fn heredoc_end(&self, start: usize, name: &str, indented: bool) -> (usize, usize) {
        let mut at = start;
        while at < self.end {
            let line_end = self.find("\n", at).unwrap_or(self.end);
            let line = self.src[at..line_end].trim_end_matches('\r');
            let line = if indented { line.trim_start() } else { line };
            let tail = line.strip_prefix(name);
            if tail.is_some_and(|t| {
                t.is_empty() || (self.language == Language::Php && !t.starts_with(|c: char| c.is_alphanumeric()))
            }) {
                return (at, (line_end + 1).min(self.end));
            }
            at = line_end + 1;
        }
        (self.end, self.end)
    }
}

const fn closer(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        c => c,
    }
}
