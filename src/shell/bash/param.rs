//! Everything that `$` begins.

use super::ast::{Anchor, List, Param, ParamOp, Part, Word};
use super::cursor::{Parser, R, Stop};
use super::word::{Parts, bare_text, identifier};
use crate::limits::MAX_NESTING;
use crate::shell::GapKind;

/// How the word of an operator is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    /// `${x-word}` outside quotes, a pattern or a replacement: quotes and globs are live.
    Live,
    /// `"${x-word}"`: all text is quoted; `'` only hides a `}`.
    Quoted,
    /// `${x:offset}`.
    Arith,
}

impl Parser<'_> {
    /// What `$` here begins. `quoted`: within `"…"` or a here-document.
    pub(super) fn dollar(&mut self, parts: &mut Parts, quoted: bool) -> R<()> {
        self.step()?;
        let start = self.pos;
        let next = self.ahead(start + 1);
        self.pos = next;
        match self.byte(next) {
            Some(b'(') => {
                let inner = self.ahead(next + 1);
                if self.byte(inner) == Some(b'(') {
                    self.pos = inner + 1;
                    if let Some(word) = self.arithmetic(start)? {
                        parts.push(Part::Arith(Box::new(word)));
                        return Ok(());
                    }
                }
                self.pos = next + 1;
                let list = self.substitution()?;
                parts.push(Part::Command { list, span: self.span(start) });
            }
            Some(b'{') => {
                self.enter()?;
                self.pos = next + 1;
                let part = self.braced(start, quoted)?;
                parts.push(part);
                self.leave();
            }
            Some(b'[') => {
                self.pos = next + 1;
                let word = self.arith_word(b']')?;
                self.expect(b']')?;
                parts.push(Part::Arith(Box::new(word)));
            }
            Some(b'\'') if !quoted => self.ansi(parts)?,
            Some(b'"') if !quoted => self.double(parts)?,
            Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.pos = next + 1;
                let name = self.slice(next, next + 1).to_owned();
                parts.push(self.plain(name, start));
            }
            Some(b) if b == b'_' || b.is_ascii_alphabetic() => {
                let name = self.name();
                parts.push(self.plain(name, start));
            }
            _ if quoted => parts.quoted("$"),
            _ => parts.bare("$"),
        }
        Ok(())
    }

    fn plain(&self, name: String, start: usize) -> Part {
        Part::Param(Box::new(Param { name, index: None, indirect: false, op: ParamOp::Plain, span: self.span(start) }))
    }

    /// The identifier here, escaped newlines left out; empty where there is none.
    pub(super) fn name(&mut self) -> String {
        let mut name = String::new();
        let mut rest = self.text.as_bytes().get(self.pos..).unwrap_or_default();
        let mut length = identifier(rest);
        while length > 0 {
            name.push_str(self.slice(self.pos, self.pos + length));
            self.pos = self.ahead(self.pos + length);
            rest = self.text.as_bytes().get(self.pos..).unwrap_or_default();
            length = rest.iter().position(|&b| b != b'_' && !b.is_ascii_alphanumeric()).unwrap_or(rest.len());
        }
        name
    }

    /// An identifier, a number or a special parameter; empty where there is none.
    fn parameter(&mut self) -> String {
        match self.peek() {
            Some(b'0'..=b'9') => {
                let rest = self.text.as_bytes().get(self.pos..).unwrap_or_default();
                let length = rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
                self.pos += length;
                self.source(self.pos - length).to_owned()
            }
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.pos += 1;
                self.source(self.pos - 1).to_owned()
            }
            _ => self.name(),
        }
    }

    /// `${…}`, standing behind the brace; takes the closing one.
    fn braced(&mut self, start: usize, quoted: bool) -> R<Part> {
        let open = self.pos;
        let mut indirect = false;
        let mut param = None;
        match self.peek() {
            Some(b' ' | b'\t' | b'\n' | b'|') => return self.brace_substitution(start),
            Some(b'#') => match self.length()? {
                Some(found) => param = Some(found),
                None => self.pos = open,
            },
            Some(b'!') => {
                let next = self.after(self.pos);
                indirect = next
                    .is_some_and(|b| b == b'_' || b.is_ascii_alphanumeric() || matches!(b, b'#' | b'?' | b'@' | b'*'));
                self.pos += usize::from(indirect);
            }
            Some(b'(') => self.skip_flags(),
            _ => {}
        }
        let (name, index, op) = if let Some((name, index)) = param {
            (name, index, ParamOp::Length)
        } else {
            let name = self.parameter();
            let index = if name.is_empty() { None } else { self.index()? };
            let op = self.operation(&name, index.as_ref(), indirect, quoted)?;
            let flags = self.byte(open) == Some(b'(') && op == ParamOp::Plain;
            (name, index, if flags { ParamOp::Transform('(') } else { op })
        };
        let names = op == ParamOp::Names;
        self.expect(b'}')?;
        Ok(Part::Param(Box::new(Param { name, index, indirect: indirect && !names, op, span: self.span(start) })))
    }

    /// zsh: `${(flags)name}`.
    fn skip_flags(&mut self) {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let length = rest.find([')', '}', '\n', '$', '`']).unwrap_or(0);
        if rest.as_bytes().get(length) == Some(&b')') {
            self.pos += length + 1;
        }
    }

    /// bash 5.3, ksh: `${ list; }` and `${|list; }`.
    fn brace_substitution(&mut self, start: usize) -> R<Part> {
        self.pos += usize::from(self.byte(self.pos) == Some(b'|'));
        let flags = (self.in_substitution, self.in_brace_substitution, self.reserved_ok);
        (self.in_substitution, self.in_brace_substitution, self.reserved_ok) = (true, true, true);
        let mut list = List::new();
        self.list(&mut list, &mut 0)?;
        self.expect(b'}')?;
        (self.in_substitution, self.in_brace_substitution, self.reserved_ok) = flags;
        Ok(Part::Command { list, span: self.span(start) })
    }

    /// `#name` or `#name[index]` right before the brace.
    fn length(&mut self) -> R<Option<(String, Option<Word>)>> {
        self.pos += 1;
        if self.peek() == Some(b'}') {
            return Ok(None);
        }
        let name = self.parameter();
        if name.is_empty() {
            return Ok(None);
        }
        let index = self.index()?;
        // Substitutions in a subscript are never read twice.
        Ok(if self.peek() == Some(b'}') || index.is_some() { Some((name, index)) } else { None })
    }

    /// `[…]` after a name.
    fn index(&mut self) -> R<Option<Word>> {
        if self.peek() != Some(b'[') {
            return Ok(None);
        }
        self.pos += 1;
        let word = self.arith_word(b']')?;
        self.expect(b']')?;
        Ok(Some(word))
    }

    /// The operator and its words up to the closing brace, which stays.
    fn operation(&mut self, name: &str, index: Option<&Word>, indirect: bool, quoted: bool) -> R<ParamOp> {
        let Some(b) = self.peek() else { return Err(Stop::Syntax) };
        let start = self.pos;
        let text = if quoted { Operand::Quoted } else { Operand::Live };
        if name.is_empty() {
            return self.bad(start, text);
        }
        self.pos += 1;
        let next = self.peek();
        Ok(match b {
            b'}' => {
                self.pos = start;
                let all = index.and_then(bare_text).is_some_and(|text| text == "@" || text == "*");
                if indirect && all { ParamOp::Names } else { ParamOp::Plain }
            }
            b':' => match next {
                Some(operator @ (b'-' | b'=' | b'?' | b'+')) => {
                    self.pos += 1;
                    self.alternative(operator, true, text)?
                }
                _ => self.substring()?,
            },
            b'-' | b'=' | b'?' | b'+' => self.alternative(b, false, text)?,
            b'#' | b'%' => {
                let longest = next == Some(b);
                self.pos += usize::from(longest);
                let pattern = self.operand(Operand::Live, None)?;
                if b == b'#' {
                    ParamOp::RemovePrefix { pattern, longest }
                } else {
                    ParamOp::RemoveSuffix { pattern, longest }
                }
            }
            b'/' => self.replace(next)?,
            b'^' | b',' | b'~' => {
                let all = next == Some(b);
                self.pos += usize::from(all);
                let from = self.pos;
                let pattern = self.operand(Operand::Live, None)?;
                if pattern.parts.iter().any(|part| !matches!(part, Part::Bare(_) | Part::Quoted(_))) {
                    // The tree has no place for commands in this pattern.
                    self.gap(GapKind::Syntax, from, self.pos);
                }
                if b == b'~' { ParamOp::Transform('~') } else { ParamOp::Case { upper: b == b'^', all } }
            }
            b'@' | b'*' if next == Some(b'}') && indirect => ParamOp::Names,
            b'@' if next.is_some_and(|b| b.is_ascii_alphabetic()) && self.after(self.pos) == Some(b'}') => {
                self.pos += 1;
                ParamOp::Transform(char::from(next.unwrap_or_default()))
            }
            _ => return self.bad(start, text),
        })
    }

    /// A "bad substitution": a gap, but read to its end.
    fn bad(&mut self, start: usize, text: Operand) -> R<ParamOp> {
        self.pos = start;
        let word = self.operand(text, None)?;
        self.gap(GapKind::Syntax, start, self.pos);
        Ok(ParamOp::Error { word, colon: true })
    }

    fn alternative(&mut self, operator: u8, colon: bool, text: Operand) -> R<ParamOp> {
        let word = self.operand(text, None)?;
        Ok(match operator {
            b'-' => ParamOp::Default { word, colon },
            b'=' => ParamOp::AssignDefault { word, colon },
            b'?' => ParamOp::Error { word, colon },
            _ => ParamOp::Alternative { word, colon },
        })
    }

    fn substring(&mut self) -> R<ParamOp> {
        let offset = self.operand(Operand::Arith, Some(b':'))?;
        let mut length = None;
        if self.peek() == Some(b':') {
            self.pos += 1;
            length = Some(self.operand(Operand::Arith, None)?);
        }
        Ok(ParamOp::Substring { offset, length })
    }

    fn replace(&mut self, next: Option<u8>) -> R<ParamOp> {
        let (all, anchor) = match next {
            Some(b'/') => (true, Anchor::None),
            Some(b'#') => (false, Anchor::Start),
            Some(b'%') => (false, Anchor::End),
            _ => (false, Anchor::None),
        };
        self.pos += usize::from(all || anchor != Anchor::None);
        let pattern = self.operand(Operand::Live, Some(b'/'))?;
        let mut with = Word { parts: Vec::new(), span: self.span(self.pos) };
        if self.peek() == Some(b'/') {
            self.pos += 1;
            with = self.operand(Operand::Live, None)?;
        }
        Ok(ParamOp::Replace { pattern, with, all, anchor })
    }

    /// A word up to the brace or `until`, whichever is first.
    fn operand(&mut self, kind: Operand, until: Option<u8>) -> R<Word> {
        let start = self.pos;
        let mut parts = Parts::default();
        let (mut hidden, mut brackets, mut questions) = (false, 0usize, 0usize);
        loop {
            let Some(b) = self.peek() else { return Err(Stop::Syntax) };
            match b {
                b'}' if !hidden => break,
                b':' if kind == Operand::Arith && questions > 0 => {
                    questions -= 1;
                    self.operand_run(&mut parts, kind);
                }
                _ if until == Some(b) && brackets == 0 && !hidden => break,
                b'\\' if kind == Operand::Quoted => {
                    let escaped = matches!(self.byte(self.pos + 1), Some(b'$' | b'`' | b'"' | b'\\' | b'}'));
                    if escaped { self.escape(&mut parts) } else { self.operand_run(&mut parts, kind) }
                }
                b'\\' => self.escape(&mut parts),
                b'\'' if kind == Operand::Live => self.single(&mut parts)?,
                b'\'' => {
                    hidden = !hidden;
                    self.operand_run(&mut parts, kind);
                }
                b'"' if !hidden => self.double(&mut parts)?,
                b'`' => self.back_quote(&mut parts, kind == Operand::Quoted)?,
                b'$' => self.dollar(&mut parts, kind != Operand::Live)?,
                b'<' | b'>' if kind == Operand::Live && self.after(self.pos) == Some(b'(') => {
                    self.process(&mut parts)?;
                }
                _ => {
                    if kind == Operand::Arith {
                        questions += usize::from(b == b'?');
                        brackets += usize::from(b == b'(');
                        brackets = brackets.saturating_sub(usize::from(b == b')'));
                    }
                    self.operand_run(&mut parts, kind);
                }
            }
        }
        Ok(Word { parts: parts.0, span: self.span(start) })
    }

    /// The byte here and what follows it that means nothing in an operand.
    fn operand_run(&mut self, parts: &mut Parts, kind: Operand) {
        let start = self.pos;
        let rest = self.text.as_bytes().get(start + 1..).unwrap_or_default();
        let ends = |&b: &u8| {
            matches!(b, b'}' | b'/' | b':' | b'?' | b'(' | b')' | b'\\' | b'\'' | b'"' | b'`' | b'$' | b'<' | b'>')
        };
        self.pos = start + 1 + rest.iter().position(ends).unwrap_or(rest.len());
        if kind == Operand::Quoted {
            parts.quoted(self.source(start));
        } else {
            parts.bare(self.source(start));
        }
    }

    /// An expression up to the `close` that matches nothing in it, which stays.
    pub(super) fn arith_word(&mut self, close: u8) -> R<Word> {
        self.enter()?;
        let start = self.pos;
        let open = if close == b')' { b'(' } else { b'[' };
        let mut parts = Parts::default();
        // `'` is no quote in an expression, but hides brackets.
        let (mut hidden, mut brackets) = (false, 0usize);
        loop {
            let Some(b) = self.peek() else { return Err(Stop::Syntax) };
            match b {
                _ if b == close && !hidden && brackets == 0 => break,
                b'\\' => self.escape(&mut parts),
                b'"' if !hidden => self.double(&mut parts)?,
                b'`' => self.back_quote(&mut parts, false)?,
                b'$' => self.dollar(&mut parts, hidden)?,
                _ => {
                    hidden ^= b == b'\'';
                    brackets += usize::from(b == open && !hidden);
                    brackets -= usize::from(b == close && !hidden);
                    if brackets > MAX_NESTING {
                        return Err(Stop::Nesting);
                    }
                    let from = self.pos;
                    let rest = self.text.as_bytes().get(from + 1..).unwrap_or_default();
                    let ends = |&b: &u8| b == open || b == close || matches!(b, b'\\' | b'\'' | b'"' | b'`' | b'$');
                    self.pos = from + 1 + rest.iter().position(ends).unwrap_or(rest.len());
                    parts.bare(self.source(from));
                }
            }
        }
        self.leave();
        Ok(Word { parts: parts.0, span: self.span(start) })
    }
}
