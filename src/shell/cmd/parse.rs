//! A line, its `%NAME%` already expanded, -> [`Node`]. Bracketed blocks take in further lines as they need them.

use super::ast::{Kind, Node, Redirect, RedirectKind, Trouble};
use super::text::Text;
use crate::limits::MAX_NESTING;
use crate::shell::Span;

/// Appends the next line, expanded, behind a newline; `false` where there is none.
pub(super) type Feed<'f> = &'f mut dyn FnMut(&mut Text) -> bool;

pub(super) type Parsed<T> = Result<T, Trouble>;

pub(super) struct Parser<'f> {
    pub(super) text: Text,
    pub(super) at: usize,
    feed: Feed<'f>,
    /// Brackets that are open.
    pub(super) open: usize,
    depth: usize,
}

impl<'f> Parser<'f> {
    pub(super) fn new(text: Text, feed: Feed<'f>) -> Self {
        Self { text, at: 0, feed, open: 0, depth: 0 }
    }

    /// One whole line; `None` where nothing stands on it.
    pub(super) fn line(&mut self) -> Parsed<Option<Node>> {
        let node = self.sequence()?;
        match self.peek() {
            0 | b'\n' => Ok(node),
            _ => Err(self.trouble()),
        }
    }

    pub(super) fn trouble(&self) -> Trouble {
        Trouble::Syntax(self.rest())
    }

    fn rest(&self) -> Span {
        let (text, end) = (self.text.as_str(), self.text.len());
        let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
        self.text.span(self.at.min(last), end)
    }

    pub(super) fn peek(&self) -> u8 {
        self.text.byte(self.at)
    }

    /// Goes a level deeper.
    pub(super) fn enter(&mut self) -> Parsed<()> {
        if self.depth == MAX_NESTING {
            return Err(Trouble::Nesting(self.rest()));
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Commands up to the end of the line or the closing bracket.
    pub(super) fn sequence(&mut self) -> Parsed<Option<Node>> {
        let mut nodes = Vec::new();
        loop {
            let node = self.alternatives()?;
            let more = self.peek() == b'&' && self.text.byte(self.at + 1) != b'&';
            self.operand(node, more, &mut nodes)?;
            if more {
                self.at += 1;
            } else {
                break;
            }
        }
        Ok(fold(nodes, Kind::Sequence))
    }

    fn alternatives(&mut self) -> Parsed<Option<Node>> {
        let mut nodes = Vec::new();
        loop {
            let node = self.conjunction()?;
            let more = self.is_double(b'|');
            self.operand(node, more || !nodes.is_empty(), &mut nodes)?;
            if !more {
                return Ok(fold(nodes, Kind::Or));
            }
            self.at += 2;
        }
    }

    fn conjunction(&mut self) -> Parsed<Option<Node>> {
        let mut nodes = Vec::new();
        loop {
            let node = self.pipe()?;
            let more = self.is_double(b'&');
            self.operand(node, more || !nodes.is_empty(), &mut nodes)?;
            if !more {
                return Ok(fold(nodes, Kind::And));
            }
            self.at += 2;
        }
    }

    fn pipe(&mut self) -> Parsed<Option<Node>> {
        let mut nodes = Vec::new();
        loop {
            let node = self.command()?;
            let more = self.peek() == b'|' && !self.is_double(b'|');
            self.operand(node, more || !nodes.is_empty(), &mut nodes)?;
            if !more {
                return Ok(fold(nodes, Kind::Pipe));
            }
            self.at += 1;
        }
    }

    /// An operator needs a command on both its sides.
    fn operand(&self, node: Option<Node>, needed: bool, nodes: &mut Vec<Node>) -> Parsed<()> {
        match node {
            Some(node) => nodes.push(node),
            None if needed => return Err(self.trouble()),
            None => {}
        }
        Ok(())
    }

    fn is_double(&self, byte: u8) -> bool {
        self.peek() == byte && self.text.byte(self.at + 1) == byte
    }

    fn command(&mut self) -> Parsed<Option<Node>> {
        let mut redirects = Vec::new();
        loop {
            self.skip(|b| is_delimiter(b) || b == b'@');
            match self.peek() {
                0 | b'\n' | b'&' | b'|' => break,
                b'^' if self.text.byte(self.at + 1) == b'\n' || self.at + 1 == self.text.len() => {
                    self.at += 1;
                    if !self.newline() {
                        break;
                    }
                }
                b')' if self.open > 0 => break,
                // A bracket that closes nothing makes the line a remark, and so does a label.
                b')' | b':' => self.skip_line(),
                b'(' => return self.group(redirects).map(Some),
                b'<' | b'>' => self.redirect(None, &mut redirects)?,
                b'0'..=b'9' if matches!(self.text.byte(self.at + 1), b'<' | b'>') => {
                    let handle = self.peek() - b'0';
                    self.at += 1;
                    self.redirect(Some(handle), &mut redirects)?;
                }
                _ => return self.word_command(redirects).map(Some),
            }
        }
        let node = Node { kind: Kind::Command(Text::default()), redirects };
        Ok((!node.redirects.is_empty()).then_some(node))
    }

    /// A command by its first word.
    fn word_command(&mut self, redirects: Vec<Redirect>) -> Parsed<Node> {
        let word = self.keyword();
        if word == "if" {
            self.at += 2;
            return self.condition(redirects);
        }
        if word == "for" {
            self.at += 3;
            return self.repetition(redirects);
        }
        if word == "rem" {
            self.at += 3;
            self.skip(is_delimiter);
            if !matches!(self.peek(), b'&' | b'|' | b'<' | b'>') {
                self.skip_line();
            }
            return Ok(Node { kind: Kind::Command(Text::default()), redirects });
        }
        self.simple(redirects)
    }

    /// The word at this place in lower case where it stands alone, as far as it may be a keyword.
    pub(super) fn keyword(&self) -> String {
        let word: String =
            self.text.as_str()[self.at..].chars().take(5).take_while(char::is_ascii_alphabetic).collect();
        let next = self.text.byte(self.at + word.len());
        let ends = is_delimiter(next) || matches!(next, 0 | b'\n' | b'(' | b')' | b'&' | b'|' | b'<' | b'>' | b'/');
        if ends || word.eq_ignore_ascii_case("rem") && !next.is_ascii_alphanumeric() {
            word.to_ascii_lowercase()
        } else {
            String::new()
        }
    }

    fn simple(&mut self, mut redirects: Vec<Redirect>) -> Parsed<Node> {
        let mut out = Text::default();
        let mut quoted = false;
        // Whether the last character was escaped: such a digit is no handle.
        let mut escaped = false;
        loop {
            let start = self.at;
            let byte = self.peek();
            match byte {
                0 if start >= self.text.len() => break,
                b'\n' => break,
                b'"' => {
                    quoted = !quoted;
                    self.at += 1;
                    out.push_part(&self.text, start, self.at);
                }
                _ if quoted => self.copy_plain(&mut out, b"\"\n"),
                b'^' => {
                    self.escape(&mut out);
                    escaped = true;
                    continue;
                }
                b'&' | b'|' => break,
                b')' if self.open > 0 => break,
                b'<' | b'>' => {
                    let handle = if escaped { None } else { handle_of(&mut out) };
                    self.redirect(handle, &mut redirects)?;
                }
                _ => self.copy_plain(&mut out, b"\"\n^&|<>)"),
            }
            escaped = false;
        }
        Ok(Node { kind: Kind::Command(out), redirects })
    }

    /// Copies at least one character, and on up to one of `stops`.
    fn copy_plain(&mut self, out: &mut Text, stops: &[u8]) {
        let rest = &self.text.as_str()[self.at..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let len = rest.as_bytes()[first..].iter().position(|b| stops.contains(b)).map_or(rest.len(), |n| first + n);
        out.push_part(&self.text, self.at, self.at + len);
        self.at += len;
    }

    /// `^x`: the next character is only itself; a line break in its place is left out.
    pub(super) fn escape(&mut self, out: &mut Text) {
        self.at += 1;
        if (self.peek() == b'\n' || self.at >= self.text.len()) && !self.newline() {
            return;
        }
        if let Some(c) = self.text.char_at(self.at) {
            out.push_part(&self.text, self.at, self.at + c.len_utf8());
            self.at += c.len_utf8();
        }
    }

    /// Passes the line break at this place; `false` where no further line follows.
    pub(super) fn newline(&mut self) -> bool {
        if self.at >= self.text.len() && !(self.feed)(&mut self.text) {
            return false;
        }
        if self.peek() == b'\n' {
            self.at += 1;
        }
        true
    }

    pub(super) fn skip(&mut self, is: impl Fn(u8) -> bool) {
        while self.at < self.text.len() && is(self.peek()) {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        self.skip(|b| b != b'\n');
    }

    /// `( … )` and the redirections behind it.
    fn group(&mut self, mut redirects: Vec<Redirect>) -> Parsed<Node> {
        self.enter()?;
        self.at += 1;
        self.open += 1;
        let mut nodes = Vec::new();
        loop {
            if let Some(node) = self.sequence()? {
                nodes.push(node);
            }
            match self.peek() {
                b')' => break,
                b'\n' => self.at += 1,
                0 if self.at >= self.text.len() && self.newline() => {}
                _ => return Err(self.trouble()),
            }
        }
        self.at += 1;
        self.open -= 1;
        self.leave();
        loop {
            self.skip(is_delimiter);
            match self.peek() {
                b'<' | b'>' => self.redirect(None, &mut redirects)?,
                b'0'..=b'9' if matches!(self.text.byte(self.at + 1), b'<' | b'>') => {
                    let handle = self.peek() - b'0';
                    self.at += 1;
                    self.redirect(Some(handle), &mut redirects)?;
                }
                b'^' if self.text.byte(self.at + 1) == b'\n' => self.at += 2,
                _ => break,
            }
        }
        Ok(Node { kind: Kind::Group(nodes), redirects })
    }

    fn redirect(&mut self, handle: Option<u8>, redirects: &mut Vec<Redirect>) -> Parsed<()> {
        let start = self.at;
        let reads = self.peek() == b'<';
        self.at += 1;
        let appends = !reads && self.peek() == b'>';
        self.at += usize::from(appends);
        if self.peek() == b'&' {
            self.at += 1;
            self.skip(is_delimiter);
            let digit = self.peek();
            if !digit.is_ascii_digit() {
                return Err(self.trouble());
            }
            self.at += 1;
            let span = self.text.span(start, self.at);
            redirects.push(Redirect { handle, kind: RedirectKind::Same(digit - b'0'), span });
            return Ok(());
        }
        let word = self.word()?;
        let span = word.whole();
        let kind = match (reads, appends) {
            (true, _) => RedirectKind::Read(word),
            (_, true) => RedirectKind::Append(word),
            _ => RedirectKind::Write(word),
        };
        redirects.push(Redirect { handle, kind, span });
        Ok(())
    }

    /// One word with its quotes; an error where none stands here.
    pub(super) fn word(&mut self) -> Parsed<Text> {
        self.skip(is_delimiter);
        let mut out = Text::default();
        let mut quoted = false;
        loop {
            let start = self.at;
            match self.peek() {
                0 if start >= self.text.len() => break,
                b'\n' => break,
                b'"' => {
                    quoted = !quoted;
                    self.at += 1;
                    out.push_part(&self.text, start, self.at);
                }
                _ if quoted => self.copy_plain(&mut out, b"\"\n"),
                b'^' => self.escape(&mut out),
                b'&' | b'|' | b'<' | b'>' => break,
                b')' if self.open > 0 => break,
                b if is_delimiter(b) => break,
                _ => self.copy_plain(&mut out, b"\"\n^&|<>) \t,;=\x0b\x0c"),
            }
        }
        if out.is_empty() { Err(self.trouble()) } else { Ok(out) }
    }
}

/// A digit at the end of a command's text that stands alone is the handle of the operator behind it.
fn handle_of(out: &mut Text) -> Option<u8> {
    let bytes = out.as_str().as_bytes();
    let digit = *bytes.last().filter(|b| b.is_ascii_digit())?;
    let alone = bytes.len() < 2 || is_delimiter(bytes[bytes.len() - 2]);
    if !alone {
        return None;
    }
    out.pop();
    Some(digit - b'0')
}

/// What separates words.
pub(super) const fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';' | b'=' | 0x0b | 0x0c)
}

fn fold(mut nodes: Vec<Node>, kind: impl FnOnce(Vec<Node>) -> Kind) -> Option<Node> {
    match nodes.len() {
        0 => None,
        1 => nodes.pop(),
        _ => Some(Node { kind: kind(nodes), redirects: Vec::new() }),
    }
}
