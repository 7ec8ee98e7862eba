//! Here-documents: the opener's delimiter, the bodies after the line, their text.

use super::ast::{Part, RedirectKind, Word};
use super::cursor::{Parser, R, Stop};
use super::quote::decode_ansi;
use super::word::{Quoting, WordMode};

/// Bash's own limit of here-documents that wait for the same newline.
const MAX_PENDING: usize = 16;

/// A here-document whose body has not been reached.
pub(super) struct Pending {
    at: usize,
    delimiter: String,
    quoted: bool,
    strip: bool,
}

/// Where a here-document's body is.
pub(super) struct Body {
    /// The position after `<<` or `<<-`.
    pub(super) at: usize,
    start: usize,
    end: usize,
}

impl Parser<'_> {
    /// Reads the delimiter after `<<` (or `<<-`: `strip`), and in the second pass the body.
    pub(super) fn here_doc(&mut self, strip: bool) -> R<RedirectKind> {
        let at = self.pos;
        self.skip_blanks();
        let start = self.pos;
        let marks = self.gaps.len();
        let word = self.word(WordMode::Plain)?;
        let end = self.pos;
        // Nothing in a delimiter is run.
        self.gaps.truncate(marks);
        if end == start || self.is_descriptor(&word) {
            return Err(Stop::Syntax);
        }
        let (delimiter, quoted) = unquote(self.slice(start, end));
        if self.pending.len() >= MAX_PENDING {
            return Err(Stop::Syntax);
        }
        self.pending.push(Pending { at, delimiter, quoted, strip });
        let mut body = Word { parts: Vec::new(), span: self.span(self.pos) };
        if self.second_pass
            && let Ok(found) = self.bodies.binary_search_by_key(&at, |body| body.at)
            && let Some(&Body { start, end, .. }) = self.bodies.get(found)
        {
            body = self.here_body(start, end, quoted, strip)?;
        }
        Ok(RedirectKind::HereDoc { body, quoted })
    }

    /// Skips the bodies of all pending here-documents, which begin here.
    pub(super) fn read_bodies(&mut self) -> R<()> {
        for pending in std::mem::take(&mut self.pending) {
            let start = self.pos;
            let end = self.find_delimiter(&pending);
            self.burn(self.pos - start)?;
            if !self.second_pass {
                self.bodies.push(Body { at: pending.at, start, end });
                // Only for the here-documents in its substitutions.
                self.here_body(start, end, pending.quoted, pending.strip)?;
            }
        }
        Ok(())
    }

    /// The end of the body that starts here; moves behind the delimiter.
    fn find_delimiter(&mut self, pending: &Pending) -> usize {
        while self.pos < self.text.len() {
            let line = self.pos;
            let end = self.logical_line(line, !pending.quoted);
            self.pos = (end + 1).min(self.text.len());
            let mut text = self.slice(line, end);
            if pending.strip {
                text = text.trim_start_matches('\t');
            }
            if text == pending.delimiter
                || (text.contains("\\\n") && !pending.quoted && text.replace("\\\n", "") == pending.delimiter)
            {
                return line;
            }
            // Within `$(…)` bash also ends it at `EOF)` and goes on behind the delimiter.
            if self.in_substitution
                && let Some(rest) = text.strip_prefix(pending.delimiter.as_str())
                && rest.contains(')')
            {
                self.pos = end - rest.len();
                return line;
            }
        }
        self.text.len()
    }

    /// The end of the line at `start`; an escaped newline does not end it where `joins`.
    fn logical_line(&self, start: usize, joins: bool) -> usize {
        let mut at = start;
        loop {
            let Some(length) = self.text.get(at..).and_then(|rest| rest.find('\n')) else { return self.text.len() };
            let line = self.slice(at, at + length);
            let escapes = line.bytes().rev().take_while(|&b| b == b'\\').count();
            at += length;
            if !joins || escapes % 2 == 0 {
                return at;
            }
            at += 1;
        }
    }

    fn here_body(&mut self, start: usize, end: usize, quoted: bool, strip: bool) -> R<Word> {
        let back = self.pos;
        let mut word = Word { parts: Vec::new(), span: self.span(back) };
        if quoted {
            let text = self.slice(start, end);
            let text = if strip { strip_tabs(text) } else { text.to_owned() };
            if !text.is_empty() {
                word.parts.push(Part::Quoted(text));
            }
        } else {
            // A document within a document is read once more for each level.
            self.burn(end - start)?;
            self.pos = start;
            self.enter()?;
            word.parts = self.region(end, |p| p.quoted_parts(Quoting::Here { strip }))?;
            self.leave();
        }
        self.pos = end;
        word.span = self.span(start);
        self.pos = back;
        Ok(word)
    }
}

fn strip_tabs(text: &str) -> String {
    text.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect()
}

/// The delimiter with its quotes removed, and whether there were any.
fn unquote(source: &str) -> (String, bool) {
    let mut out = String::new();
    let mut quoted = false;
    let mut rest = source;
    while let Some(at) = rest.find(['\\', '\'', '"', '$']) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = tail.chars();
        match (chars.next(), chars.next()) {
            (Some('\\'), Some('\n')) => rest = tail.get(2..).unwrap_or_default(),
            (Some('\\'), next) => {
                quoted = true;
                out.extend(next);
                rest = chars.as_str();
            }
            (Some('$'), Some('\'')) => {
                quoted = true;
                rest = decode_ansi(tail.get(2..).unwrap_or_default(), &mut out);
            }
            (Some('$'), Some('"')) => rest = tail.get(1..).unwrap_or_default(),
            (Some('\''), _) => {
                quoted = true;
                let (body, after) = tail.get(1..).and_then(|t| t.split_once('\'')).unwrap_or_default();
                out.push_str(body);
                rest = after;
            }
            (Some('"'), _) => {
                quoted = true;
                rest = unquote_double(tail.get(1..).unwrap_or_default(), &mut out);
            }
            _ => {
                out.push('$');
                rest = tail.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    (out, quoted)
}

/// Appends what stands before the closing quote; returns what follows it.
fn unquote_double<'t>(text: &'t str, out: &mut String) -> &'t str {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some(next @ ('$' | '`' | '"' | '\\')) => out.push(next),
                Some(next) => out.extend(['\\', next]),
            },
            _ => out.push(c),
        }
    }
    chars.as_str()
}
