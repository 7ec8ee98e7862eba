//! `test`, `[` and `[[`: what can be decided, is.

use std::borrow::Cow;

use super::machine::{Eval, Status};
use super::pattern::{Pattern, compile};
use super::state::{State, Var};
use crate::shell::bash::ast::{Part, Word};
use crate::shell::programs::Arg;
use crate::shell::{Piece, Value};
use crate::world::{EntryKind, World};

/// One operand of an expression.
struct Operand {
    value: Value,
    /// The literal text where it was a single unquoted word: only then is it an operator.
    operator: Option<String>,
    pattern: Pattern,
}

impl Eval<'_> {
    pub(super) fn test(&mut self, st: &mut State, args: &[Arg]) -> Status {
        let operands: Vec<Operand> = args
            .iter()
            .map(|a| Operand { operator: a.value.known().map(Cow::into_owned), value: a.value.clone(), pattern: None })
            .collect();
        Status::of(self.decide(st, &operands, false))
    }

    pub(super) fn bracket(&mut self, st: &mut State, args: &[Arg]) -> Status {
        match args.split_last() {
            Some((last, rest)) if last.value.known().as_deref() == Some("]") => self.test(st, rest),
            _ => Status::Unknown,
        }
    }

    pub(super) fn double_bracket(&mut self, st: &mut State, words: &[Word]) -> Status {
        let mut operands = Vec::with_capacity(words.len());
        let mut pattern_next = false;
        for word in words {
            let operator = match word.parts.as_slice() {
                [Part::Bare(text)] => Some(text.clone()),
                _ => None,
            };
            let mut chunks = Vec::new();
            for field in self.fields(st, &word.parts, super::expand::Mode::One) {
                chunks.extend(field);
            }
            let pattern = if pattern_next { compile(&chunks) } else { None };
            pattern_next = matches!(operator.as_deref(), Some("=" | "==" | "!="));
            operands.push(Operand { value: super::expand::chunks_value(chunks), operator, pattern });
        }
        Status::of(self.decide(st, &operands, true))
    }

    /// The value of an expression; operands are few, so the split at the weakest operator is done by search.
    fn decide(&mut self, st: &mut State, operands: &[Operand], double: bool) -> Option<bool> {
        if operands.len() > 64 {
            return None;
        }
        let (or, and) = if double { ("||", "&&") } else { ("-o", "-a") };
        for (operator, is_or) in [(or, true), (and, false)] {
            if let Some(at) = outside(operands, operator) {
                let left = self.decide(st, &operands[..at], double);
                let right = self.decide(st, &operands[at + 1..], double);
                return match (left, right) {
                    (Some(a), _) if a == is_or => Some(is_or),
                    (_, Some(b)) if b == is_or => Some(is_or),
                    (Some(_), Some(_)) => Some(!is_or),
                    _ => None,
                };
            }
        }
        let is = |i: usize, s: &str| operands.get(i).and_then(|o| o.operator.as_deref()) == Some(s);
        match operands {
            [] => Some(false),
            [one] => empty(&one.value).map(|e| !e),
            [_, rest @ ..] if is(0, "!") => self.decide(st, rest, double).map(|b| !b),
            [_, inner @ .., _] if is(0, "(") && is(operands.len() - 1, ")") => self.decide(st, inner, double),
            [op, operand] => self.unary(st, op.operator.as_deref()?, &operand.value),
            [left, op, right] => self.binary(st, left, op.operator.as_deref()?, right),
            _ => None,
        }
    }

    fn unary(&mut self, st: &State, op: &str, value: &Value) -> Option<bool> {
        match op {
            "-z" => return empty(value),
            "-n" => return empty(value).map(|e| !e),
            "-v" => {
                let name = value.known()?;
                return Some(match st.var(&name) {
                    Some(slot) => slot.var != Var::Unset,
                    None => self.world.env(&name).is_some(),
                });
            }
            "-e" | "-a" | "-f" | "-d" | "-L" | "-h" | "-s" | "-r" | "-w" | "-x" | "-S" | "-p" | "-b" | "-c" => {}
            _ => return None,
        }
        if value.is_empty() {
            return Some(false);
        }
        let path = self.known_path(st, value)?;
        if matches!(op, "-L" | "-h") {
            return match self.overlay.entry(&path) {
                Some(EntryKind::Link) => Some(true),
                None if !self.may_be_made(&path) => Some(false),
                _ => None,
            };
        }
        match (self.overlay.target(&path), op) {
            (Some(EntryKind::Unreadable), _) => None,
            (Some(_), "-e" | "-a") | (Some(EntryKind::Dir), "-d") | (Some(EntryKind::File), "-f") => Some(true),
            (Some(EntryKind::File), "-d") | (Some(EntryKind::Dir), "-f") if !self.may_be_made(&path) => Some(false),
            (Some(_), _) => None,
            // A program that was looked at before may have made it all the same.
            (None, _) if self.may_be_made(&path) => None,
            (None, _) => Some(false),
        }
    }

    fn binary(&mut self, st: &mut State, left: &Operand, op: &str, right: &Operand) -> Option<bool> {
        match op {
            "=" | "==" | "!=" => {
                let equal = match &right.pattern {
                    Some(_) => self.matches(&right.pattern, &left.value)?,
                    None if right.operator.is_none()
                        || right.value.known().is_some_and(|v| !v.contains(['*', '?', '[', '('])) =>
                    {
                        differ(&left.value, &right.value)?
                    }
                    None => return None,
                };
                Some(equal == (op != "!="))
            }
            "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" => {
                let a = self.number(st, &left.value)?;
                let b = self.number(st, &right.value)?;
                Some(match op {
                    "-eq" => a == b,
                    "-ne" => a != b,
                    "-lt" => a < b,
                    "-le" => a <= b,
                    "-gt" => a > b,
                    _ => a >= b,
                })
            }
            "<" => Some(left.value.known()? < right.value.known()?),
            ">" => Some(left.value.known()? > right.value.known()?),
            _ => None,
        }
    }

    fn number(&mut self, st: &mut State, value: &Value) -> Option<i64> {
        let text = value.known()?.into_owned();
        self.arith_text(st, &text)
    }
}

/// Whether the string is empty, where that is certain.
fn empty(value: &Value) -> Option<bool> {
    if value.is_empty() {
        return Some(true);
    }
    let certain =
        value.pieces.iter().any(|p| matches!(p, Piece::Text(s) if !s.is_empty()) || matches!(p, Piece::Under(_)));
    // A lone path of something found may be the output of a search that found nothing.
    let lone = matches!(value.pieces.as_slice(), [Piece::Under(_)]);
    (certain && !lone).then_some(false)
}

/// Whether both are equal, where that is certain.
fn differ(a: &Value, b: &Value) -> Option<bool> {
    match (a.known(), b.known()) {
        (Some(a), Some(b)) => Some(a == b),
        _ => None,
    }
}

/// The first place of `operator` outside brackets.
fn outside(operands: &[Operand], operator: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (i, operand) in operands.iter().enumerate() {
        match operand.operator.as_deref() {
            Some("(") => depth += 1,
            Some(")") => depth = depth.saturating_sub(1),
            Some(op) if op == operator && depth == 0 && i > 0 => return Some(i),
            _ => {}
        }
    }
    None
}
