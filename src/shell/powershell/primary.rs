//! Operands and what hangs on them: members, calls, indexes.

use std::rc::Rc;

use super::ast::{Expr, ExprKind};
use super::cursor::{Parser, R, Stop};
use crate::limits::MAX_NESTING;

impl Parser<'_> {
    /// One operand without what hangs on it.
    pub(super) fn operand(&mut self) -> R<Expr> {
        let start = self.pos;
        if self.at_string() {
            return self.deeper(Self::quoted);
        }
        let kind = match (self.byte(0), self.byte(1)) {
            (b'$', b'(') => return self.sub_expression(),
            (b'$', _) => ExprKind::Variable(self.variable_name()?.ok_or(Stop::Syntax)?),
            (b'@', b'(') => {
                self.pos += 2;
                let statements = self.deeper(|p| p.statements_until(')'))?;
                self.expect(")")?;
                ExprKind::Array(statements)
            }
            (b'@', b'{') => {
                self.pos += 2;
                self.deeper(Self::hash)?
            }
            (b'(', _) => {
                self.pos += 1;
                self.deeper(Self::paren)?
            }
            (b'{', _) => {
                self.pos += 1;
                ExprKind::Block(Rc::new(self.deeper(Self::script_block)?))
            }
            (b'0'..=b'9', _) | (b'.', b'0'..=b'9') => {
                let len = self.number_len().ok_or(Stop::Syntax)?;
                let text = self.rest()[..len].to_owned();
                self.pos += len;
                ExprKind::Number(text)
            }
            _ => return Err(Stop::Syntax),
        };
        Ok(Expr { kind, span: self.span(start) })
    }

    /// Bytes of the number that begins here; `None` where it is a name that begins with a digit.
    pub(super) fn number_len(&self) -> Option<usize> {
        let bytes = self.rest().as_bytes();
        let mut i = 0;
        if matches!(bytes, [b'0', b'x' | b'X', ..]) {
            i = 2;
            while bytes.get(i).is_some_and(u8::is_ascii_hexdigit) {
                i += 1;
            }
        } else {
            while bytes.get(i).is_some_and(u8::is_ascii_digit) {
                i += 1;
            }
            // `1..5` is a range.
            if bytes.get(i) == Some(&b'.') && bytes.get(i + 1).is_some_and(u8::is_ascii_digit) {
                i += 1;
                while bytes.get(i).is_some_and(u8::is_ascii_digit) {
                    i += 1;
                }
            }
            if matches!(bytes.get(i), Some(b'e' | b'E')) {
                let sign = usize::from(matches!(bytes.get(i + 1), Some(b'+' | b'-')));
                if bytes.get(i + 1 + sign).is_some_and(u8::is_ascii_digit) {
                    i += 1 + sign;
                    while bytes.get(i).is_some_and(u8::is_ascii_digit) {
                        i += 1;
                    }
                }
            }
        }
        // `10kb`, `5L`, `1.5d`.
        let tail = &self.rest()[i..];
        let letters = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
        let suffix = tail[..letters].to_ascii_lowercase();
        let known = ["", "l", "d", "u", "ul", "y", "s", "us", "n", "kb", "mb", "gb", "tb", "pb", "lkb", "lmb", "lgb"];
        if !known.contains(&suffix.as_str()) {
            return None;
        }
        let next = tail[letters..].chars().next();
        next.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '\\' && c != ':').then_some(i + letters)
    }

    /// Behind `(`.
    fn paren(&mut self) -> R<ExprKind> {
        let commas = std::mem::replace(&mut self.commas, true);
        self.skip_separators()?;
        let inner = self.statement()?;
        self.skip_separators()?;
        self.expect(")")?;
        self.commas = commas;
        Ok(ExprKind::Paren(Box::new(inner)))
    }

    /// Behind `@{`.
    fn hash(&mut self) -> R<ExprKind> {
        let commas = std::mem::replace(&mut self.commas, true);
        let mut pairs = Vec::new();
        loop {
            self.skip_separators()?;
            if self.eat("}") {
                self.commas = commas;
                return Ok(ExprKind::Hash(pairs));
            }
            let start = self.pos;
            let rest = self.rest();
            let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let bare = len > 0 && !rest.starts_with(|c: char| c.is_ascii_digit());
            let key = if bare {
                self.pos += len;
                let kind = ExprKind::Text { text: rest[..len].to_owned(), bare: true };
                Expr { kind, span: self.span(start) }
            } else {
                let key = self.operand()?;
                self.postfix(key, start)?
            };
            self.skip_blanks()?;
            self.expect("=")?;
            self.skip_lines()?;
            pairs.push((key, self.statement()?));
            self.skip_blanks()?;
            if !matches!(self.byte(0), b';' | b'\n' | b'\r' | b'}') {
                return Err(Stop::Syntax);
            }
        }
    }

    /// Members, calls and indexes on `operand`, which began at `start`.
    pub(super) fn postfix(&mut self, operand: Expr, start: usize) -> R<Expr> {
        let mut operand = operand;
        for _ in 0..MAX_NESTING {
            let kind = match (self.byte(0), self.byte(1)) {
                (b':', b':') => {
                    self.pos += 2;
                    self.member(operand)?
                }
                (b'.', b'.') => return Ok(operand),
                (b'.', next) if next.is_ascii_alphabetic() || b"_$\"'(".contains(&next) => {
                    self.pos += 1;
                    self.member(operand)?
                }
                (b'?', b'.') if self.byte(2).is_ascii_alphabetic() => {
                    self.pos += 2;
                    self.member(operand)?
                }
                (b'[', _) => {
                    self.pos += 1;
                    let index = self.deeper(|p| p.bracketed(']'))?;
                    ExprKind::Index(Box::new(operand), Box::new(index))
                }
                _ => return Ok(operand),
            };
            operand = Expr { kind, span: self.span(start) };
        }
        Err(Stop::Nesting)
    }

    /// An expression and the bracket that closes it.
    fn bracketed(&mut self, close: char) -> R<Expr> {
        let commas = std::mem::replace(&mut self.commas, true);
        self.skip_lines()?;
        let inner = self.expression()?;
        self.skip_lines()?;
        self.expect(close.encode_utf8(&mut [0; 4]))?;
        self.commas = commas;
        Ok(inner)
    }

    /// Behind the dot or colons.
    fn member(&mut self, of: Expr) -> R<ExprKind> {
        self.skip_lines()?;
        let start = self.pos;
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = if len > 0 {
            self.pos += len;
            let kind = ExprKind::Text { text: rest[..len].to_owned(), bare: true };
            Expr { kind, span: self.span(start) }
        } else {
            self.operand()?
        };
        let (of, name) = (Box::new(of), Box::new(name));
        match self.byte(0) {
            b'(' => {
                self.pos += 1;
                let args = self.deeper(Self::arguments)?;
                Ok(ExprKind::Call { of, name, args })
            }
            // `.ForEach{ … }`
            b'{' => {
                let block = self.operand()?;
                Ok(ExprKind::Call { of, name, args: vec![block] })
            }
            _ => Ok(ExprKind::Member { of, name }),
        }
    }

    /// A method's arguments behind the bracket.
    fn arguments(&mut self) -> R<Vec<Expr>> {
        let commas = std::mem::replace(&mut self.commas, false);
        let mut args = Vec::new();
        loop {
            self.skip_lines()?;
            if self.eat(")") {
                break;
            }
            args.push(self.expression()?);
            self.skip_lines()?;
            if self.eat(",") {
                continue;
            }
            self.expect(")")?;
            break;
        }
        self.commas = commas;
        Ok(args)
    }
}
