//! Expressions.

use std::rc::Rc;

use super::super::ast::{Expr, ExprKind, Statement, StatementKind};
use super::machine::Eval;
use super::state::State;
use super::val::Val;
use crate::limits::MAX_ALTERNATIVES;
use crate::shell::bash::eval::values;
use crate::shell::{Piece, Value};

impl Eval<'_> {
    /// What an expression gives.
    pub(super) fn expr(&mut self, st: &mut State, expr: &Expr) -> Val {
        // The text's length bounds how many literals there are.
        let literal = matches!(expr.kind, ExprKind::Text { .. } | ExprKind::Number(_) | ExprKind::Type(_));
        if !literal && !self.charge(1) || self.halted() {
            return Val::Unknown;
        }
        match &expr.kind {
            ExprKind::Text { text, .. } => {
                self.charge_bytes(text.len());
                Val::Str(self.literal(text))
            }
            ExprKind::Expandable { parts, .. } => self.expandable(st, parts),
            ExprKind::Number(text) => number(text),
            ExprKind::Variable(name) => self.variable(st, name),
            ExprKind::Sub(statements) => Val::collect(self.statements(st, statements)),
            ExprKind::Array(statements) => Val::list(self.statements(st, statements)),
            ExprKind::Paren(inner) => self.paren(st, inner),
            ExprKind::Hash(pairs) => {
                let mut all = Vec::with_capacity(pairs.len());
                for (key, value) in pairs {
                    let key = self.expr(st, key).string();
                    let value = Val::collect(self.statement(st, value));
                    all.push((key.known().map_or_else(|| "?".to_owned(), std::borrow::Cow::into_owned), value));
                }
                Val::Hash(Rc::new(all))
            }
            ExprKind::Block(body) => Val::Block(Rc::clone(body)),
            ExprKind::Type(name) => Val::Type(Rc::from(name.as_str())),
            ExprKind::Cast(kind, of) => {
                let value = self.expr(st, of);
                self.cast(st, kind, value)
            }
            ExprKind::Member { of, name } => self.member(st, of, name),
            ExprKind::Call { of, name, args } => self.method(st, of, name, args, expr.span),
            ExprKind::Index(of, index) => {
                let value = self.expr(st, of);
                let index = self.expr(st, index);
                indexed(&value, &index)
            }
            ExprKind::Unary(name, of) => {
                let value = self.expr(st, of);
                self.unary(name, value)
            }
            ExprKind::Binary(..) => self.binary(st, expr),
            ExprKind::List(items) => {
                let items = items.iter().map(|item| self.expr(st, item)).collect();
                Val::list(items)
            }
            ExprKind::Ternary(condition, yes, no) => match self.expr(st, condition).truth() {
                Some(true) => self.expr(st, yes),
                Some(false) => self.expr(st, no),
                None => {
                    let yes = self.expr(st, yes);
                    Val::either(vec![yes, self.expr(st, no)])
                }
            },
            ExprKind::Step(of, by) => self.step(st, of, *by),
        }
    }

    /// `( … )`: an assignment in it gives what was assigned.
    fn paren(&mut self, st: &mut State, inner: &Statement) -> Val {
        let out = self.statement(st, inner);
        if let StatementKind::Assign { target, .. } = &inner.kind {
            return self.expr(st, target);
        }
        Val::collect(out)
    }

    /// Operators of one level lean to the left, as deep as there are of them: walked without recursion.
    fn binary(&mut self, st: &mut State, expr: &Expr) -> Val {
        let mut spine = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary(name, left, right) = &at.kind {
            spine.push((*name, &**right));
            at = left;
        }
        let mut value = self.expr(st, at);
        for (name, right) in spine.into_iter().rev() {
            let decided = match (name, value.truth()) {
                ("and", Some(false)) => Some(Val::Bool(false)),
                ("or", Some(true)) => Some(Val::Bool(true)),
                _ => None,
            };
            value = match decided {
                Some(value) => value,
                None if name == "??" && !matches!(value, Val::Null | Val::Unknown | Val::Either(_)) => value,
                None => {
                    let right = self.expr(st, right);
                    self.operate(name, value, right)
                }
            };
            if self.halted() {
                break;
            }
        }
        value
    }

    /// Text with variables and sub-expressions in it.
    fn expandable(&mut self, st: &mut State, parts: &[Expr]) -> Val {
        let mut all = vec![Value::default()];
        for part in parts {
            let value = self.expr(st, part);
            self.charge_bytes(all.iter().map(Value::text_len).sum::<usize>() + value.size());
            let alternatives = value.alternatives();
            if alternatives.len() * all.len() > MAX_ALTERNATIVES {
                let one = Val::either(alternatives).string();
                for text in &mut all {
                    text.append(one.clone());
                }
                continue;
            }
            let mut next = Vec::with_capacity(all.len() * alternatives.len());
            for text in &all {
                for one in &alternatives {
                    let mut text = text.clone();
                    text.append(self.within(&text, one));
                    next.push(values::capped(text));
                }
            }
            all = next;
        }
        Val::either(all.into_iter().map(Val::Str).collect())
    }

    /// A value as a part of a string. Windows PowerShell gives some files by their name alone, so behind a
    /// separator the name is meant.
    fn within(&self, before: &Value, value: &Val) -> Value {
        if let (Val::Item(path), Some(Piece::Text(text))) = (value, before.pieces.last())
            && text.ends_with(['/', '\\'])
        {
            return super::paths::leaf(self.model(), path).unwrap_or_else(Value::name);
        }
        value.string()
    }

    /// `[Type]value`.
    pub(super) fn cast(&mut self, st: &State, kind: &str, value: Val) -> Val {
        let kind = kind.strip_prefix("system.").unwrap_or(kind);
        match kind {
            "string" => match value {
                Val::Either(all) => Val::either(all.iter().map(|v| Val::Str(v.string())).collect()),
                other => Val::Str(other.string()),
            },
            "int" | "int32" | "int64" | "long" | "uint32" | "byte" | "int16" => {
                value.number().map_or_else(|| Val::Str(Value::name()), Val::Int)
            }
            "bool" | "boolean" | "switch" => value.truth().map_or(Val::Unknown, Val::Bool),
            "void" => Val::Null,
            "char" => match value.number().and_then(|n| u32::try_from(n).ok()).and_then(char::from_u32) {
                Some(c) if matches!(value, Val::Int(_)) => Val::text(c.to_string()),
                _ => value,
            },
            "datetime" | "guid" | "timespan" | "double" | "decimal" | "float" => Val::Str(Value::name()),
            "io.fileinfo" | "io.directoryinfo" => {
                let full = |v: &Value| Val::Item(self.full_path(&st.process, v));
                Val::either(value.paths().iter().map(full).collect())
            }
            "array" | "object[]" | "string[]" | "collections.arraylist" | "collections.generic.list[string]" => {
                Val::list(value.items())
            }
            "xml" => Val::Unknown,
            _ => value,
        }
    }
}

/// `value[index]`.
fn indexed(value: &Val, index: &Val) -> Val {
    match value {
        Val::Null => Val::Null,
        Val::Hash(pairs) => match index.known() {
            Some(key) => {
                let found = pairs.iter().find(|(k, _)| k.eq_ignore_ascii_case(&key));
                found.map_or(Val::Null, |(_, v)| v.clone())
            }
            None => Val::either(pairs.iter().map(|(_, v)| v.clone()).collect()),
        },
        Val::List(items) => match index {
            Val::List(wanted) => Val::list(wanted.iter().map(|i| indexed(value, i)).collect()),
            index => match index.number() {
                Some(n) => {
                    let at = if n < 0 { n + i64::try_from(items.len()).unwrap_or(i64::MAX) } else { n };
                    usize::try_from(at).ok().and_then(|i| items.get(i)).cloned().unwrap_or(Val::Null)
                }
                None => Val::either(items.to_vec()),
            },
        },
        Val::Str(text) => match (text.known(), index.number()) {
            (Some(text), Some(n)) => {
                let count = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
                let at = usize::try_from(if n < 0 { n + count } else { n });
                at.ok().and_then(|i| text.chars().nth(i)).map_or(Val::Null, |c| Val::text(c.to_string()))
            }
            _ => Val::Str(Value::any()),
        },
        Val::Either(all) => Val::either(all.iter().map(|v| indexed(v, index)).collect()),
        // One thing is a list of one.
        Val::Item(_) | Val::Int(_) if index.number() == Some(0) => value.clone(),
        _ => Val::Unknown,
    }
}

/// A number as written.
fn number(text: &str) -> Val {
    let lower = text.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        return i64::from_str_radix(hex, 16).map_or_else(|_| Val::text(text), Val::Int);
    }
    let scales = [("kb", 10), ("mb", 20), ("gb", 30), ("tb", 40)];
    for (suffix, bits) in scales {
        if let Some(n) = lower.strip_suffix(suffix).and_then(|n| n.parse::<i64>().ok()) {
            return Val::Int(n.saturating_mul(1 << bits));
        }
    }
    let plain = lower.trim_end_matches(['l', 'u', 'y', 's', 'n']);
    plain.parse().map_or_else(|_| Val::text(text), Val::Int)
}
