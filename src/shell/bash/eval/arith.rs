//! Arithmetic: computed where every operand is known, otherwise some number.

use super::expand::Mode;
use super::machine::Eval;
use super::state::{State, Var};
use crate::limits::MAX_NESTING;
use crate::shell::bash::ast::Word;
use crate::shell::{Piece, Value};

/// Stands for an unknown number in the text of an expression.
const UNKNOWN: char = '\u{1}';

impl Eval<'_> {
    /// The value of `$(( word ))`.
    pub(super) fn arith(&mut self, st: &mut State, word: &Word) -> Value {
        self.arith_number(st, word).map_or_else(Value::name, |n| Value::text(n.to_string()))
    }

    /// The same as a number, where it is known.
    pub(super) fn arith_number(&mut self, st: &mut State, word: &Word) -> Option<i64> {
        let mut text = String::new();
        for field in self.fields(st, &word.parts, Mode::One) {
            for chunk in field {
                match chunk.piece {
                    Piece::Text(s) => text.push_str(&s),
                    _ => text.push(UNKNOWN),
                }
            }
        }
        self.arith_text(st, &text)
    }

    /// The value of an expression in text form.
    pub(super) fn arith_text(&mut self, st: &mut State, text: &str) -> Option<i64> {
        if let Ok(n) = text.trim().parse::<i64>()
            && (n == 0 || !text.trim().starts_with('0'))
        {
            return Some(n);
        }
        if text.len() > crate::limits::MAX_PATTERN_TEXT {
            return None;
        }
        self.charge(1 + text.len() / 64);
        let mut parser = Parser { eval: self, st, rest: text, depth: 0 };
        let mut value = parser.assignment();
        while parser.eat(",") {
            value = parser.assignment();
        }
        if parser.rest.trim_start().is_empty() { value } else { None }
    }
}

struct Parser<'p, 'a> {
    eval: &'p mut Eval<'a>,
    st: &'p mut State,
    rest: &'p str,
    depth: usize,
}

/// Binary operators by rising strength.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl<'p> Parser<'p, '_> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip_blanks();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn name(&mut self) -> Option<&'p str> {
        self.skip_blanks();
        let rest: &'p str = self.rest;
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return None;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.rest = &rest[end..];
        Some(&rest[..end])
    }

    fn assignment(&mut self) -> Option<i64> {
        if self.depth > MAX_NESTING {
            self.rest = "";
            return None;
        }
        self.depth += 1;
        let value = self.assignment_inner();
        self.depth -= 1;
        value
    }

    fn assignment_inner(&mut self) -> Option<i64> {
        let saved = self.rest;
        if let Some(name) = self.name() {
            self.skip_blanks();
            for op in ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="] {
                if let Some(rest) = self.rest.strip_prefix(op)
                    && !(op == "=" && rest.starts_with('='))
                {
                    self.rest = rest;
                    let right = self.assignment();
                    let value = match op.strip_suffix('=').unwrap_or_default() {
                        "" => right,
                        op => combine(op, self.read(name), right),
                    };
                    self.write(name, value);
                    return value;
                }
            }
            self.rest = saved;
        }
        self.ternary()
    }

    fn ternary(&mut self) -> Option<i64> {
        let test = self.binary(0);
        if !self.eat("?") {
            return test;
        }
        let yes = self.assignment();
        let no = if self.eat(":") { self.assignment() } else { None };
        match test {
            Some(0) => no,
            Some(_) => yes,
            None => None,
        }
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else { return self.power() };
        let mut left = self.binary(level + 1);
        loop {
            self.skip_blanks();
            let found = operators.iter().find(|op| {
                let Some(rest) = self.rest.strip_prefix(**op) else { return false };
                // `|` is not the start of `||`, `<` not that of `<<`; `x+=` and the like were taken before.
                let doubled = op.len() == 1 && rest.starts_with(**op) && matches!(**op, "|" | "&" | "<" | ">");
                let assigns = rest.starts_with('=') && !op.ends_with('=');
                let power = **op == "*" && rest.starts_with('*');
                !(doubled || assigns || power)
            });
            let Some(op) = found else { return left };
            self.rest = &self.rest[op.len()..];
            let right = self.binary(level + 1);
            left = combine(op, left, right);
        }
    }

    fn power(&mut self) -> Option<i64> {
        let base = self.unary();
        if !self.eat("**") {
            return base;
        }
        let exponent = self.assignment();
        base?.checked_pow(u32::try_from(exponent?).ok()?)
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        let value = if self.depth > MAX_NESTING * 2 {
            self.rest = "";
            None
        } else {
            self.unary_inner()
        };
        self.depth -= 1;
        value
    }

    fn unary_inner(&mut self) -> Option<i64> {
        for (op, step) in [("++", 1), ("--", -1)] {
            let saved = self.rest;
            if self.eat(op) {
                let Some(name) = self.name() else {
                    self.rest = saved;
                    break;
                };
                let value = self.read(name).and_then(|n| n.checked_add(step));
                self.write(name, value);
                return value;
            }
        }
        if self.eat("!") {
            return self.unary().map(|n| i64::from(n == 0));
        }
        if self.eat("~") {
            return self.unary().map(|n| !n);
        }
        if self.eat("-") {
            return self.unary().and_then(i64::checked_neg);
        }
        if self.eat("+") {
            return self.unary();
        }
        if self.eat("(") {
            let mut value = self.assignment();
            while self.eat(",") {
                value = self.assignment();
            }
            return if self.eat(")") { value } else { None };
        }
        self.atom()
    }

    fn atom(&mut self) -> Option<i64> {
        self.skip_blanks();
        if self.eat("\u{1}") {
            // More digits may follow an unknown part: `1$n`.
            self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == UNKNOWN);
            return None;
        }
        if let Some(name) = self.name() {
            if self.rest.starts_with('[') {
                let end = self.rest.find(']').map_or(self.rest.len(), |i| i + 1);
                self.rest = &self.rest[end..];
                return None;
            }
            let value = self.read(name);
            for (op, step) in [("++", 1), ("--", -1)] {
                if self.eat(op) {
                    self.write(name, value.and_then(|n| n.checked_add(step)));
                    return value;
                }
            }
            return value;
        }
        let digits = |c: char| c.is_ascii_alphanumeric() || c == '#' || c == '_' || c == UNKNOWN;
        let end = self.rest.find(|c| !digits(c)).unwrap_or(self.rest.len());
        if end == 0 {
            // Nothing that an expression may hold.
            self.rest = self.rest.get(self.rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
            return None;
        }
        let token = &self.rest[..end];
        self.rest = &self.rest[end..];
        number(token)
    }

    fn read(&mut self, name: &str) -> Option<i64> {
        let value = self.eval.variable(self.st, name).unwrap_or_default();
        let text = value.known()?;
        if text.trim().is_empty() { Some(0) } else { number(text.trim()) }
    }

    fn write(&mut self, name: &str, value: Option<i64>) {
        let value = value.map_or_else(Value::name, |n| Value::text(n.to_string()));
        self.st.set(name, Var::one(value), self.eval.world);
    }
}

fn number(token: &str) -> Option<i64> {
    if let Some(hex) = token.strip_prefix("0x").or_else(|| token.strip_prefix("0X")) {
        return i64::from_str_radix(hex, 16).ok();
    }
    if let Some((base, digits)) = token.split_once('#') {
        return i64::from_str_radix(digits, base.parse().ok().filter(|b| (2..=36).contains(b))?).ok();
    }
    if token.len() > 1 && token.starts_with('0') {
        return i64::from_str_radix(&token[1..], 8).ok();
    }
    token.parse().ok()
}

fn combine(op: &str, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    let (a, b) = (left?, right?);
    let truth = |b: bool| Some(i64::from(b));
    match op {
        "||" => truth(a != 0 || b != 0),
        "&&" => truth(a != 0 && b != 0),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "&" => Some(a & b),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<=" => truth(a <= b),
        ">=" => truth(a >= b),
        "<" => truth(a < b),
        ">" => truth(a > b),
        "<<" => a.checked_shl(u32::try_from(b).ok()?),
        ">>" => a.checked_shr(u32::try_from(b).ok()?),
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        _ => None,
    }
}
