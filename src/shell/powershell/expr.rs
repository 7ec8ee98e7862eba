//! Expressions: operators over operands.

use super::ast::{Expr, ExprKind};
use super::cursor::{Parser, R, Stop};
use super::operator::RANGE;
use crate::limits::MAX_OPERATORS;

impl Parser<'_> {
    /// A whole expression.
    pub(super) fn expression(&mut self) -> R<Expr> {
        let start = self.pos;
        let condition = self.binary(1)?;
        let before = self.pos;
        self.skip_blanks()?;
        if self.byte(0) != b'?' || matches!(self.byte(1), b'?' | b'.' | b'[') {
            self.pos = before;
            return Ok(condition);
        }
        self.pos += 1;
        self.skip_lines()?;
        let yes = self.deeper(Self::expression)?;
        self.skip_lines()?;
        self.expect(":")?;
        self.skip_lines()?;
        let no = self.deeper(Self::expression)?;
        let kind = ExprKind::Ternary(Box::new(condition), Box::new(yes), Box::new(no));
        Ok(Expr { kind, span: self.span(start) })
    }

    /// Operands joined by operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> R<Expr> {
        let start = self.pos;
        let mut left = self.list()?;
        let mut count = 0;
        loop {
            let before = self.pos;
            self.skip_blanks()?;
            let Some((level, name, len)) = self.binary_operator().filter(|(level, ..)| *level >= least) else {
                self.pos = before;
                return Ok(left);
            };
            // What stands on the left is as deep as there are operators.
            count += 1;
            if count > MAX_OPERATORS {
                return Err(Stop::Nesting);
            }
            self.pos += len;
            self.skip_lines()?;
            let right = if level >= RANGE { self.list()? } else { self.deeper(|p| p.binary(level + 1))? };
            let kind = ExprKind::Binary(name, Box::new(left), Box::new(right));
            left = Expr { kind, span: self.span(start) };
        }
    }

    /// `a, b, c`.
    fn list(&mut self) -> R<Expr> {
        let start = self.pos;
        let first = self.unary()?;
        if !self.commas {
            return Ok(first);
        }
        let mut items = vec![first];
        loop {
            let before = self.pos;
            self.skip_blanks()?;
            if self.byte(0) != b',' {
                self.pos = before;
                break;
            }
            self.pos += 1;
            self.skip_lines()?;
            items.push(self.unary()?);
        }
        match items.len() {
            1 => items.pop().ok_or(Stop::Syntax),
            _ => Ok(Expr { kind: ExprKind::List(items), span: self.span(start) }),
        }
    }

    fn unary(&mut self) -> R<Expr> {
        let start = self.pos;
        if let Some((name, len)) = self.unary_operator() {
            self.pos += len;
            self.skip_lines()?;
            let of = Box::new(self.deeper(Self::unary)?);
            let kind = match name {
                "++" => ExprKind::Step(of, 1),
                "--" => ExprKind::Step(of, -1),
                "," => ExprKind::List(vec![*of]),
                name => ExprKind::Unary(name, of),
            };
            return Ok(Expr { kind, span: self.span(start) });
        }
        if self.byte(0) == b'[' {
            return self.type_or_cast();
        }
        let operand = self.operand()?;
        let operand = self.postfix(operand, start)?;
        let step = match (self.byte(0), self.byte(1)) {
            (b'+', b'+') => 1,
            (b'-', b'-') => -1,
            _ => return Ok(operand),
        };
        self.pos += 2;
        Ok(Expr { kind: ExprKind::Step(Box::new(operand), step), span: self.span(start) })
    }

    /// `[Type]`, `[Type]::x`, `[Type]value`.
    fn type_or_cast(&mut self) -> R<Expr> {
        let start = self.pos;
        self.skip_brackets()?;
        let inner = &self.text[start + 1..self.pos - 1];
        let name: String = inner.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
        if name.is_empty() || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(Stop::Syntax);
        }
        let close = self.pos;
        let member = matches!((self.byte(0), self.byte(1)), (b':', b':') | (b'.', b'a'..=b'z' | b'A'..=b'Z'));
        if !member {
            self.skip_blanks()?;
            let begins = |c: char| "$'\"(@[{!\u{2018}\u{2019}\u{201c}\u{201d}".contains(c) || c.is_ascii_digit();
            let minus = self.byte(0) == b'-' && (self.byte(1).is_ascii_digit() || self.byte(1) == b'$');
            if minus || self.peek().is_some_and(begins) {
                let of = Box::new(self.deeper(Self::unary)?);
                return Ok(Expr { kind: ExprKind::Cast(name, of), span: self.span(start) });
            }
            self.pos = close;
        }
        let operand = Expr { kind: ExprKind::Type(name), span: self.span(start) };
        self.postfix(operand, start)
    }
}
