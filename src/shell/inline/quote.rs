//! Strings of all kinds, here-documents, and what is interpolated into them.

use std::borrow::Cow;

use super::escape::Escapes;
use super::lex::{Lexer, is_word, is_word_start};
use super::token::Kind;
use crate::shell::programs::Language;

/// What is interpolated into a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
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
    fn delimited(&self, mut i: usize, open: u8, close: u8, one_line: bool) -> usize {
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
    fn literal(&mut self, start: usize, end: usize, escapes: Escapes, fill: Fill, command: bool) {
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

    fn filled(&mut self, start: usize, end: usize, escapes: Escapes, fill: Fill) {
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

    fn chunk(&mut self, start: usize, end: usize, escapes: Escapes) {
        if start < end {
            self.text(start, end, escapes);
        }
    }

    /// The interpolated expression at `i`, and where the text goes on.
    fn hole(&self, i: usize, end: usize, fill: Fill) -> Option<((usize, usize), usize)> {
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
    fn subscripts(&self, mut i: usize, end: usize) -> usize {
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

    fn hole_code(&mut self, start: usize, end: usize, fill: Fill) {
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
    fn closing_brace(&self, i: usize, end: usize) -> usize {
        self.closing(i, end, b'{', b'}')
    }

    fn closing(&self, mut i: usize, end: usize, open: u8, close: u8) -> usize {
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
    fn format_end(&self, start: usize, end: usize) -> usize {
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

    /// `q(…)`, `qq{…}`, `qw/…/`, `qx`, `qr`, `m`, `s`, `tr`, `y`.
    fn perl_quote(&mut self) -> bool {
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
    fn not_quote(&self, op: &str, after: usize) -> bool {
        let Some(last) = self.last() else { return false };
        match last.text.as_ref() {
            "->" | "sub" => true,
            "{" => self.b[after] == b'}',
            "-" => op.len() == 1 && !self.gap_here(),
            _ => false,
        }
    }

    fn gap_here(&self) -> bool {
        self.pos > 0 && self.b[self.pos - 1].is_ascii_whitespace()
    }

    fn quote_like(&mut self, op: &str, open_at: usize, open: u8) {
        let close = closer(open);
        let start = open_at + 1;
        let nested = if close == open { close } else { open };
        let end = self.delimited(start, nested, close, false);
        let mut after = (end + 1).min(self.end);
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
            }
        }
        match op {
            "q" => self.literal(start, end, Escapes::Quote, Fill::Nothing, false),
            "qq" => self.literal(start, end, Escapes::Full, Fill::Sigil, false),
            "qx" => self.literal(start, end, Escapes::Full, Fill::Sigil, true),
            "qw" => self.words(start, end),
            _ => {
                while after < self.end && self.b[after].is_ascii_alphabetic() {
                    after += 1;
                }
                self.put(Kind::Opaque, Cow::Borrowed(""), open_at);
            }
        }
        self.pos = after;
    }

    /// `qw(a b)` and `%w[a b]` as a bracketed list.
    fn words(&mut self, start: usize, end: usize) {
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
    fn ruby_percent(&mut self) -> bool {
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
    fn symbol(&mut self) -> bool {
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
    fn angle(&mut self) -> bool {
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
    fn heredoc(&mut self) -> bool {
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
    fn heredoc_end(&self, start: usize, name: &str, indented: bool) -> (usize, usize) {
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

    fn operand_expected(&self) -> bool {
        self.last().is_none_or(|t| !matches!(t.kind, Kind::Num | Kind::Str | Kind::TplEnd | Kind::Close | Kind::Var))
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
