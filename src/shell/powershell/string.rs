//! Quoted text, here-strings, and the variables and sub-expressions in them.

use super::ast::{Expr, ExprKind};
use super::cursor::{Parser, R, Stop, is_double_quote, is_single_quote};

impl Parser<'_> {
    /// Whether a quoted text or here-string begins here.
    pub(super) fn at_string(&self) -> bool {
        let mut chars = self.rest().chars();
        match chars.next() {
            Some('@') => chars.next().is_some_and(|c| is_single_quote(c) || is_double_quote(c)),
            Some(c) => is_single_quote(c) || is_double_quote(c),
            None => false,
        }
    }

    /// A quoted text or here-string.
    pub(super) fn quoted(&mut self) -> R<Expr> {
        let start = self.pos;
        if self.byte(0) == b'@' {
            return self.here_string();
        }
        let kind = match self.bump() {
            Some(c) if is_single_quote(c) => ExprKind::Text { text: self.single()?, bare: false },
            _ => expandable(self.double(None)?, false),
        };
        Ok(Expr { kind, span: self.span(start) })
    }

    /// The inside of `'…'` and the closing quote.
    pub(super) fn single(&mut self) -> R<String> {
        let mut text = String::new();
        while let Some(c) = self.bump() {
            if is_single_quote(c) {
                match self.peek() {
                    Some(next) if is_single_quote(next) => {
                        self.bump();
                        text.push(next);
                    }
                    _ => return Ok(text),
                }
            } else {
                text.push(c);
            }
        }
        Err(Stop::Syntax)
    }

    /// The inside of `"…"` and the closing quote, or everything up to byte `end`.
    pub(super) fn double(&mut self, end: Option<usize>) -> R<Vec<Expr>> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut start = self.pos;
        loop {
            if let Some(end) = end
                && self.pos >= end
            {
                if self.pos > end {
                    return Err(Stop::Syntax);
                }
                self.flush(&mut parts, &mut text, start);
                return Ok(parts);
            }
            let at = self.pos;
            let Some(c) = self.peek() else { return Err(Stop::Syntax) };
            if end.is_none() && is_double_quote(c) {
                self.bump();
                match self.peek() {
                    Some(next) if is_double_quote(next) => {
                        self.bump();
                        text.push(next);
                    }
                    _ => {
                        let close = self.pos;
                        self.pos = at;
                        self.flush(&mut parts, &mut text, start);
                        self.pos = close;
                        return Ok(parts);
                    }
                }
                continue;
            }
            match c {
                '`' => {
                    self.bump();
                    self.escape(&mut text);
                }
                '$' => {
                    if let Some(expr) = self.dollar()? {
                        let after = self.pos;
                        self.pos = at;
                        self.flush(&mut parts, &mut text, start);
                        self.pos = after;
                        parts.push(expr);
                        start = after;
                    } else {
                        self.bump();
                        text.push('$');
                    }
                }
                _ => {
                    self.bump();
                    text.push(c);
                }
            }
        }
    }

    /// Ends the plain text so far.
    pub(super) fn flush(&self, parts: &mut Vec<Expr>, text: &mut String, start: usize) {
        if !text.is_empty() {
            let kind = ExprKind::Text { text: std::mem::take(text), bare: false };
            parts.push(Expr { kind, span: self.span(start) });
        }
    }

    /// What follows a back-quote.
    pub(super) fn escape(&mut self, text: &mut String) {
        match self.bump() {
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('a') => text.push('\u{7}'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('v') => text.push('\u{b}'),
            Some('e') => text.push('\u{1b}'),
            Some('0') => text.push('\0'),
            Some('u') if self.byte(0) == b'{' => {
                let digits = self.rest()[1..].split('}').next().unwrap_or("");
                match u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) {
                    Some(c) if digits.len() <= 6 => {
                        self.pos += digits.len() + 2;
                        text.push(c);
                    }
                    _ => text.push('u'),
                }
            }
            // A continued line.
            Some('\r') if self.byte(0) == b'\n' => self.pos += 1,
            Some('\n') => {}
            Some(c) => text.push(c),
            None => text.push('`'),
        }
    }

    /// `$name`, `${name}`, `$( … )` within text; `None` where the sign is only itself.
    pub(super) fn dollar(&mut self) -> R<Option<Expr>> {
        let start = self.pos;
        if self.byte(1) == b'(' {
            return self.sub_expression().map(Some);
        }
        let Some(name) = self.variable_name()? else { return Ok(None) };
        Ok(Some(Expr { kind: ExprKind::Variable(name), span: self.span(start) }))
    }

    /// `$( … )`.
    pub(super) fn sub_expression(&mut self) -> R<Expr> {
        let start = self.pos;
        self.pos += 2;
        let statements = self.deeper(|p| p.statements_until(')'))?;
        self.expect(")")?;
        Ok(Expr { kind: ExprKind::Sub(statements), span: self.span(start) })
    }

    /// The name behind a `$`, taken; `None` where none follows. A colon belongs to it only where a name follows.
    pub(super) fn variable_name(&mut self) -> R<Option<String>> {
        let rest = &self.rest()[1..];
        if let Some(braced) = rest.strip_prefix('{') {
            let mut name = String::new();
            let mut chars = braced.char_indices();
            while let Some((i, c)) = chars.next() {
                match c {
                    '}' => {
                        self.pos += 2 + i + 1;
                        return Ok(Some(folded(&name)));
                    }
                    '`' => name.extend(chars.next().map(|(_, c)| c)),
                    _ => name.push(c),
                }
            }
            return Err(Stop::Syntax);
        }
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '?';
        let len = match rest.chars().next() {
            Some(c @ ('$' | '^')) => c.len_utf8(),
            _ => name_len(rest, is_name),
        };
        if len == 0 {
            return Ok(None);
        }
        self.pos += 1 + len;
        Ok(Some(folded(&rest[..len])))
    }

    fn here_string(&mut self) -> R<Expr> {
        let start = self.pos;
        self.pos += 1;
        let single = self.bump().is_some_and(is_single_quote);
        // Nothing but blanks may follow on the line.
        let rest = self.rest();
        let line = rest.find('\n').ok_or(Stop::Syntax)?;
        if !rest[..line].trim().is_empty() {
            return Err(Stop::Syntax);
        }
        self.pos += line;
        // The text ends before the line that begins with the closing mark.
        let closes = |at: usize| {
            let mut chars = self.text[at + 1..].chars();
            let quote = chars.next().is_some_and(|c| if single { is_single_quote(c) } else { is_double_quote(c) });
            quote && chars.next() == Some('@')
        };
        let Some(close) = self.rest().match_indices('\n').map(|(i, _)| self.pos + i).find(|&at| closes(at)) else {
            return Err(Stop::Syntax);
        };
        let begin = self.pos + 1;
        let end = if self.text[..close].ends_with('\r') { close - 1 } else { close };
        let kind = if begin > end {
            ExprKind::Text { text: String::new(), bare: false }
        } else if single {
            ExprKind::Text { text: self.text[begin..end].to_owned(), bare: false }
        } else {
            self.pos = begin;
            expandable(self.double(Some(end))?, false)
        };
        self.pos = close + 1;
        self.bump();
        self.bump();
        Ok(Expr { kind, span: self.span(start) })
    }
}

/// Length of a variable's name with its scope or drive.
fn name_len(rest: &str, is_name: impl Fn(char) -> bool) -> usize {
    let first = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    let after = &rest[first..];
    let Some(tail) = after.strip_prefix(':') else { return first };
    if first == 0 || tail.starts_with(':') {
        return first;
    }
    match tail.find(|c| !is_name(c)).unwrap_or(tail.len()) {
        0 => first,
        second => first + 1 + second,
    }
}

/// Text with parts in it, or plain text where all of it is.
pub(super) fn expandable(mut parts: Vec<Expr>, bare: bool) -> ExprKind {
    match parts.len() {
        0 => ExprKind::Text { text: String::new(), bare },
        1 => match parts.pop() {
            Some(Expr { kind: ExprKind::Text { text, .. }, .. }) => ExprKind::Text { text, bare },
            Some(other) => ExprKind::Expandable { parts: vec![other], bare },
            None => ExprKind::Text { text: String::new(), bare },
        },
        _ => ExprKind::Expandable { parts, bare },
    }
}

/// A variable's name as it is looked up; names in the environment keep their case.
fn folded(name: &str) -> String {
    match name.get(..4) {
        Some(drive) if drive.eq_ignore_ascii_case("env:") => format!("env:{}", &name[4..]),
        _ => name.to_lowercase(),
    }
}
