//! The reader's state: position, depth, and the lexical steps that every form shares.

use super::ast::{Body, Script, Statement};
use crate::limits::{MAX_COMMAND_BYTES, MAX_GAPS, MAX_NESTING, MAX_STEPS};
use crate::shell::{Gap, GapKind, Span};

/// Why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The text is no PowerShell here; reading can go on at a later line.
    Syntax,
    /// Nested too deep; nothing after it is read.
    Nesting,
    /// More statements and commands than [`MAX_STEPS`]; nothing after it is read.
    Size,
}

pub(super) type R<T> = Result<T, Stop>;

/// Reads one text. Positions are byte offsets on character boundaries.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
    gaps: Vec<Gap>,
    depth: usize,
    steps: usize,
    /// A comma makes a list here; between a method's arguments it separates them.
    pub(super) commas: bool,
}

/// Reads `text`; what is not understood is listed in [`Script::gaps`].
pub fn parse(text: &str) -> Script {
    if text.len() > MAX_COMMAND_BYTES {
        let gap = Gap { kind: GapKind::Size, span: span_of(0, text.len()) };
        return Script { body: Body::default(), gaps: vec![gap] };
    }
    let mut parser = Parser { text, pos: 0, gaps: Vec::new(), depth: 0, steps: MAX_STEPS, commas: true };
    if text.starts_with('\u{feff}') {
        parser.pos = 3;
    }
    let body = parser.run();
    if let Some(at) = text.bytes().position(|b| b == 0) {
        parser.gaps.push(Gap { kind: GapKind::Nul, span: span_of(at, at + 1) });
    }
    Script { body, gaps: parser.gaps }
}

pub(super) fn span_of(start: usize, end: usize) -> Span {
    // Texts are far shorter than 4 GiB: MAX_COMMAND_BYTES.
    Span { start: u32::try_from(start).unwrap_or(u32::MAX), end: u32::try_from(end).unwrap_or(u32::MAX) }
}

impl<'a> Parser<'a> {
    /// Reads the whole text; after a mistake it goes on at the next line.
    fn run(&mut self) -> Body {
        let mut body = Body::default();
        while self.pos < self.text.len() {
            let start = self.pos;
            self.depth = 0;
            self.commas = true;
            let stop = match self.body_until(&mut body, None) {
                Ok(()) if self.at_end() => break,
                // A closing bracket that nothing opened.
                Ok(()) => Stop::Syntax,
                Err(stop) => stop,
            };
            let line = self.text[self.pos..].find('\n').map_or(self.text.len(), |i| self.pos + i + 1);
            let kind = match stop {
                Stop::Syntax => GapKind::Syntax,
                Stop::Nesting => GapKind::Nesting,
                Stop::Size => GapKind::Size,
            };
            let end = if stop == Stop::Syntax { line } else { self.text.len() };
            if !self.gap(kind, start, end) || stop != Stop::Syntax {
                break;
            }
            self.pos = end;
        }
        body
    }

    /// Notes a part that was not understood; `false` where there are too many and the last stands for the rest.
    pub(super) fn gap(&mut self, kind: GapKind, start: usize, end: usize) -> bool {
        if self.gaps.len() < MAX_GAPS {
            self.gaps.push(Gap { kind, span: span_of(start, end.max(start)) });
            return true;
        }
        if let Some(last) = self.gaps.last_mut() {
            last.span.end = span_of(0, self.text.len()).end;
        }
        false
    }

    /// Runs `f` one level deeper.
    pub(super) fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        if self.depth >= MAX_NESTING {
            return Err(Stop::Nesting);
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Counts a statement or a part of a pipeline.
    pub(super) fn charge(&mut self) -> R<()> {
        self.steps = self.steps.checked_sub(1).ok_or(Stop::Size)?;
        Ok(())
    }

    pub(super) fn span(&self, start: usize) -> Span {
        span_of(start, self.pos)
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The byte `n` bytes further on; 0 behind the end.
    pub(super) fn byte(&self, n: usize) -> u8 {
        self.text.as_bytes().get(self.pos + n).copied().unwrap_or(0)
    }

    pub(super) fn at_end(&self) -> bool {
        self.pos >= self.text.len()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    pub(super) fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.pos += what.len();
        }
        found
    }

    pub(super) fn expect(&mut self, what: &str) -> R<()> {
        if self.eat(what) { Ok(()) } else { Err(Stop::Syntax) }
    }

    /// Skips blanks, comments and continued lines.
    pub(super) fn skip_blanks(&mut self) -> R<()> {
        loop {
            match self.byte(0) {
                b' ' | b'\t' | 0x0b | 0x0c => self.pos += 1,
                b'\r' if self.byte(1) != b'\n' => self.pos += 1,
                b'`' if self.byte(1) == b'\n' => self.pos += 2,
                b'`' if self.byte(1) == b'\r' && self.byte(2) == b'\n' => self.pos += 3,
                b'#' => self.pos += self.rest().find(['\n', '\r']).unwrap_or(self.rest().len()),
                b'<' if self.byte(1) == b'#' => match self.rest().find("#>") {
                    Some(at) => self.pos += at + 2,
                    None => return Err(Stop::Syntax),
                },
                b if b >= 0x80 => match self.peek() {
                    Some(c) if c.is_whitespace() => self.pos += c.len_utf8(),
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            }
        }
    }

    /// Skips blanks, comments and line ends.
    pub(super) fn skip_lines(&mut self) -> R<()> {
        loop {
            self.skip_blanks()?;
            match self.byte(0) {
                b'\n' | b'\r' => self.pos += 1,
                _ => return Ok(()),
            }
        }
    }

    /// Skips everything that separates statements.
    pub(super) fn skip_separators(&mut self) -> R<()> {
        loop {
            self.skip_lines()?;
            if self.byte(0) != b';' {
                return Ok(());
            }
            self.pos += 1;
        }
    }

    /// `{ … }` as statements.
    pub(super) fn block(&mut self) -> R<Vec<Statement>> {
        self.skip_lines()?;
        self.expect("{")?;
        self.deeper(|p| {
            let mut body = Body::default();
            p.body_until(&mut body, Some('}'))?;
            p.expect("}")?;
            let mut statements = body.statements;
            statements.append(&mut body.process);
            statements.append(&mut body.end);
            Ok(statements)
        })
    }

    /// The word that starts here, in lower case, where nothing else belongs to it.
    pub(super) fn word(&self) -> Option<String> {
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let next = rest[len..].chars().next();
        let ends = next.is_none_or(|c| c.is_whitespace() || "(){};,|&$\"'@[`".contains(c));
        (len > 0 && ends).then(|| rest[..len].to_ascii_lowercase())
    }

    /// Takes `word` where it stands here by itself.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word().is_some_and(|w| w == word);
        if found {
            self.pos += word.len();
        }
        found
    }

    /// Skips a bracket and everything up to the one that closes it; strings and comments are stepped over.
    pub(super) fn skip_brackets(&mut self) -> R<()> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            match self.byte(0) {
                0 if self.at_end() => return Err(Stop::Syntax),
                b'(' | b'[' | b'{' => {
                    if open.len() >= MAX_NESTING {
                        return Err(Stop::Nesting);
                    }
                    open.push(self.byte(0));
                    self.pos += 1;
                }
                close @ (b')' | b']' | b'}') => {
                    let expected = match open.pop() {
                        Some(b'(') => b')',
                        Some(b'[') => b']',
                        _ => b'}',
                    };
                    if close != expected {
                        return Err(Stop::Syntax);
                    }
                    self.pos += 1;
                    if open.is_empty() {
                        return Ok(());
                    }
                }
                b'#' => self.skip_blanks()?,
                b'<' if self.byte(1) == b'#' => self.skip_blanks()?,
                b'`' => {
                    self.bump();
                    self.bump();
                }
                _ if self.at_string() => {
                    self.deeper(Self::quoted)?;
                }
                _ => {
                    self.bump();
                }
            }
        }
    }
}

/// A single quote of any of its forms.
pub(super) fn is_single_quote(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}')
}

/// A double quote of any of its forms.
pub(super) fn is_double_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}')
}

/// A dash of any of its forms.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2013}' | '\u{2014}' | '\u{2015}')
}
