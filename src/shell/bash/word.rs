//! Words: unquoted text, quotes and substitutions, up to a metacharacter.

use super::ast::{List, Part, Word};
use super::cursor::{Parser, R, Stop};

/// Parts of a word under construction; neighbouring text is merged.
#[derive(Default)]
pub(super) struct Parts(pub(super) Vec<Part>);

impl Parts {
    pub(super) fn bare(&mut self, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Bare(last)) => last.push_str(text),
            _ => self.0.push(Part::Bare(text.to_owned())),
        }
    }

    /// Also keeps an empty text: `''` is a word.
    pub(super) fn quoted(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Part::Quoted(last)) => last.push_str(text),
            _ => self.0.push(Part::Quoted(text.to_owned())),
        }
    }

    pub(super) fn push(&mut self, part: Part) {
        self.0.push(part);
    }
}

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordMode {
    /// Anywhere else.
    Plain,
    /// First word of a command: `!(a)` is a negated subshell and `f()` a function, no pattern.
    Name,
    /// Argument of a declaration builtin: `a=(…)` is an array.
    Declaration,
    /// Right of `=~`: brackets and `|` belong to the word.
    Regex,
}

/// A form whose text is live for `$` and back-quotes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// `"…"`.
    Double,
    /// The body of a here-document. `strip`: without tabs at the start of lines.
    Here { strip: bool },
}

/// Ends a word outside quotes.
pub(super) fn is_meta(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>')
}

fn is_special(b: u8) -> bool {
    is_meta(b) || matches!(b, b'\\' | b'\'' | b'"' | b'`' | b'$' | b'@' | b'?' | b'*' | b'+' | b'!')
}

impl Parser<'_> {
    /// The word here; empty where none begins.
    pub(super) fn word(&mut self, mode: WordMode) -> R<Word> {
        self.peek();
        let start = self.pos;
        self.word_from(start, Parts::default(), mode)
    }

    /// Goes on with a word that began at `start` with `parts`.
    pub(super) fn word_from(&mut self, start: usize, mut parts: Parts, mode: WordMode) -> R<Word> {
        self.step()?;
        // Open brackets of an extended pattern or a regular expression.
        let mut brackets = 0usize;
        while let Some(b) = self.peek() {
            match b {
                b'\\' => self.escape(&mut parts),
                b'\'' => self.single(&mut parts)?,
                b'"' => self.double(&mut parts)?,
                b'`' => self.back_quote(&mut parts, false)?,
                b'$' => self.dollar(&mut parts, false)?,
                b'<' | b'>' if self.after(self.pos) == Some(b'(') => self.process(&mut parts)?,
                b'(' if brackets > 0 || mode == WordMode::Regex => {
                    brackets += 1;
                    self.bare_run(&mut parts);
                }
                b')' if brackets > 0 => {
                    brackets -= 1;
                    self.bare_run(&mut parts);
                }
                b'(' if self.after_special(&parts) => {
                    brackets = 1;
                    self.bare_run(&mut parts);
                }
                b'|' if mode == WordMode::Regex => self.bare_run(&mut parts),
                b'@' | b'?' | b'*' | b'+' | b'!' if brackets == 0 && self.opens_pattern(start, mode) => {
                    brackets = 1;
                    self.bare_run(&mut parts);
                    self.peek();
                    self.bare_run(&mut parts);
                }
                b'(' if mode == WordMode::Declaration && is_array_prefix(self.source(start)) => {
                    let words = self.array()?;
                    parts.push(Part::ArrayLiteral(words));
                }
                _ if is_meta(b) && brackets == 0 => break,
                _ => self.bare_run(&mut parts),
            }
        }
        if brackets > 0 {
            return Err(Stop::Syntax);
        }
        Ok(Word { parts: parts.0, span: self.span(start) })
    }

    /// Skips a word as far as it holds neither quotes, substitutions nor an assignment.
    pub(super) fn skip_plain_word(&mut self) {
        while self.peek().is_some_and(|b| !is_meta(b) && !matches!(b, b'\\' | b'\'' | b'"' | b'`' | b'$' | b'=' | b'['))
        {
            self.pos += 1;
        }
    }

    /// The byte here and what follows it that means nothing.
    fn bare_run(&mut self, parts: &mut Parts) {
        let start = self.pos;
        let rest = self.text.as_bytes().get(start + 1..).unwrap_or_default();
        self.pos = start + 1 + rest.iter().position(|&b| is_special(b)).unwrap_or(rest.len());
        // Both ends are at ASCII bytes, or the text's, except where this is called within a character.
        parts.bare(self.source(start));
    }

    /// Whether `@(`, `?(`, `*(`, `+(` or `!(` here opens an extended pattern.
    fn opens_pattern(&self, start: usize, mode: WordMode) -> bool {
        let bracket = self.ahead(self.pos + 1);
        if self.byte(bracket) != Some(b'(') {
            return false;
        }
        let negation = self.pos == start && self.byte(start) == Some(b'!');
        mode != WordMode::Name || (!negation && self.after(bracket) != Some(b')'))
    }

    /// Whether `(` here follows `$@`, `$*`, `$?` or `$!`: bash takes the two for an extended pattern.
    fn after_special(&self, parts: &Parts) -> bool {
        let Some(Part::Param(param)) = parts.0.last() else { return false };
        let before = self.pos.checked_sub(1).and_then(|at| self.byte(at));
        matches!(param.name.as_bytes(), [name @ (b'@' | b'*' | b'?' | b'!')] if before == Some(*name))
    }

    /// `"…"`, standing at the quote.
    pub(super) fn double(&mut self, parts: &mut Parts) -> R<()> {
        self.step()?;
        self.enter()?;
        self.pos += 1;
        let inner = self.quoted_parts(Quoting::Double)?;
        self.expect(b'"')?;
        self.leave();
        parts.push(Part::Double(inner));
        Ok(())
    }

    /// What stands in `"…"` up to the quote, or in a here-document up to the region's end.
    pub(super) fn quoted_parts(&mut self, quoting: Quoting) -> R<Vec<Part>> {
        let mut parts = Parts::default();
        let double = quoting == Quoting::Double;
        let strip = quoting == Quoting::Here { strip: true };
        if strip {
            self.skip_tabs();
        }
        while let Some(b) = self.byte(self.pos) {
            match b {
                b'"' if double => break,
                b'\\' => match self.byte(self.pos + 1) {
                    Some(b'\n') => self.pos += 2,
                    Some(b'$' | b'`' | b'\\') => self.escape(&mut parts),
                    Some(b'"') if double => self.escape(&mut parts),
                    _ => {
                        parts.quoted("\\");
                        self.pos += 1;
                    }
                },
                b'`' => self.back_quote(&mut parts, double)?,
                b'$' => self.dollar(&mut parts, true)?,
                b'\n' if strip => {
                    parts.quoted("\n");
                    self.pos += 1;
                    self.skip_tabs();
                }
                _ => {
                    let rest = self.text.as_bytes().get(self.pos + 1..).unwrap_or_default();
                    let ends =
                        |&b: &u8| matches!(b, b'\\' | b'`' | b'$') || (double && b == b'"') || (strip && b == b'\n');
                    let length = 1 + rest.iter().position(ends).unwrap_or(rest.len());
                    parts.quoted(self.slice(self.pos, self.pos + length));
                    self.pos += length;
                }
            }
        }
        Ok(parts.0)
    }

    fn skip_tabs(&mut self) {
        while self.byte(self.pos) == Some(b'\t') {
            self.pos += 1;
        }
    }

    /// `<(…)` and `>(…)`.
    pub(super) fn process(&mut self, parts: &mut Parts) -> R<()> {
        self.step()?;
        let start = self.pos;
        let write = self.byte(start) == Some(b'>');
        self.pos = self.ahead(start + 1) + 1;
        let list = self.substitution()?;
        parts.push(Part::Process { write, list, span: self.span(start) });
        Ok(())
    }

    /// The commands of a substitution up to its `)`, which is taken.
    pub(super) fn substitution(&mut self) -> R<List> {
        self.enter()?;
        let flags = (self.in_substitution, self.in_brace_substitution, self.reserved_ok);
        (self.in_substitution, self.in_brace_substitution, self.reserved_ok) = (true, false, true);
        let pending = std::mem::take(&mut self.pending);
        let mut list = List::new();
        self.list(&mut list, &mut 0)?;
        self.expect(b')')?;
        // A body that is still missing follows the line on which the substitution ends, before those of the
        // documents around it.
        self.pending.extend(pending);
        (self.in_substitution, self.in_brace_substitution, self.reserved_ok) = flags;
        self.leave();
        Ok(list)
    }

    /// `( words )` of an array, standing at the bracket.
    pub(super) fn array(&mut self) -> R<Vec<Word>> {
        self.enter()?;
        self.expect(b'(')?;
        let mut words = Vec::new();
        loop {
            self.skip_newlines()?;
            let start = self.pos;
            match self.peek() {
                Some(b')') => break,
                Some(b'[') => {
                    let mut parts = Parts::default();
                    self.subscript(&mut parts)?;
                    words.push(self.word_from(start, parts, WordMode::Plain)?);
                }
                _ => words.push(self.word(WordMode::Plain)?),
            }
            if self.pos == start {
                return Err(Stop::Syntax);
            }
        }
        self.pos += 1;
        self.leave();
        Ok(words)
    }

    /// `[…]` as text with its substitutions, standing at the bracket.
    pub(super) fn subscript(&mut self, parts: &mut Parts) -> R<()> {
        parts.bare("[");
        self.expect(b'[')?;
        let inner = self.arith_word(b']')?;
        self.expect(b']')?;
        for part in inner.parts {
            match part {
                Part::Bare(text) => parts.bare(&text),
                other => parts.push(other),
            }
        }
        parts.bare("]");
        Ok(())
    }
}

/// The text of a word without quotes or substitutions.
pub(super) fn bare_text(word: &Word) -> Option<&str> {
    if let [Part::Bare(text)] = word.parts.as_slice() { Some(text) } else { None }
}

/// The length of the identifier at the start of `text`.
pub(super) fn identifier(text: &[u8]) -> usize {
    if text.first().is_none_or(u8::is_ascii_digit) {
        return 0;
    }
    text.iter().position(|&b| b != b'_' && !b.is_ascii_alphanumeric()).unwrap_or(text.len())
}

/// `name=`, `name+=`, `name[…]=` and nothing after it.
fn is_array_prefix(source: &str) -> bool {
    let joined = if source.contains("\\\n") { source.replace("\\\n", "") } else { source.to_owned() };
    let Some(left) = joined.strip_suffix('=') else { return false };
    let left = left.strip_suffix('+').unwrap_or(left);
    let length = identifier(left.as_bytes());
    let subscript = left.get(length..).unwrap_or_default();
    length > 0 && (subscript.is_empty() || (subscript.starts_with('[') && subscript.ends_with(']')))
}
