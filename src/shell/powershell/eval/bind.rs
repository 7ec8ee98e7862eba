//! Arguments -> a cmdlet's parameters.

use super::super::ast::{Argument, ArgumentKind, Expr, ExprKind};
use super::machine::Eval;
use super::state::State;
use super::table::{Param, Row};
use super::val::Val;
use crate::shell::Span;

/// An argument after its variables were looked up.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// A value; `bare`: a word without quotes.
    Value { val: Val, span: Span, bare: bool },
    /// `-Name`, `-Name:value`.
    Param { name: String, val: Option<Val>, span: Span },
    /// Words behind `--%`.
    Verbatim { text: String, span: Span },
}

/// A parameter with what it was given.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) param: Param,
    pub(super) val: Val,
    pub(super) span: Span,
}

/// All parameters of one call.
#[derive(Debug, Default)]
pub(super) struct Binding {
    pub(super) bound: Vec<Bound>,
    /// Arguments that no parameter takes.
    pub(super) extra: Vec<(Val, Span)>,
}

impl Binding {
    pub(super) fn get(&self, name: &str) -> Option<&Bound> {
        self.bound.iter().find(|b| b.param.name() == name)
    }

    pub(super) fn val(&self, name: &str) -> Option<&Val> {
        self.get(name).map(|b| &b.val)
    }

    /// Whether a switch was given and not as `-Switch:$false`.
    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some_and(|b| b.val.truth() != Some(false))
    }

    /// The first of these parameters that was given.
    pub(super) fn first(&self, names: &[&str]) -> Option<&Bound> {
        names.iter().find_map(|name| self.get(name))
    }
}

impl Eval<'_> {
    /// Looks up what arguments hold.
    pub(super) fn given(&mut self, st: &mut State, args: &[Argument]) -> Vec<Given> {
        let mut out = Vec::with_capacity(args.len());
        for arg in args {
            let span = arg.span;
            match &arg.kind {
                ArgumentKind::Value(expr) => {
                    let val = self.expr(st, expr);
                    out.push(Given::Value { val, span, bare: is_bare(expr) });
                }
                ArgumentKind::Parameter { name, value } => {
                    let span = value.as_ref().map_or(span, |v| v.span);
                    let val = value.as_ref().map(|v| self.expr(st, v));
                    out.push(Given::Param { name: name.clone(), val, span });
                }
                ArgumentKind::Splat(name) => self.splat(st, name, span, &mut out),
                ArgumentKind::Verbatim(text) => out.push(Given::Verbatim { text: text.clone(), span }),
            }
        }
        out
    }

    fn splat(&mut self, st: &State, name: &str, span: Span, out: &mut Vec<Given>) {
        match self.variable(st, name) {
            Val::Null => {}
            Val::Hash(pairs) => {
                self.charge(pairs.len());
                for (name, val) in pairs.iter() {
                    out.push(Given::Param { name: name.clone(), val: Some(val.clone()), span });
                }
            }
            Val::List(items) => {
                self.charge(items.len());
                for val in items.iter() {
                    out.push(Given::Value { val: val.clone(), span, bare: false });
                }
            }
            val => out.push(Given::Value { val, span, bare: false }),
        }
    }
}

/// Gives each argument its parameter.
pub(super) fn bind(row: Row, given: Vec<Given>) -> Binding {
    let mut binding = Binding::default();
    let mut positional = Vec::new();
    let mut args = given.into_iter().peekable();
    while let Some(arg) = args.next() {
        match arg {
            Given::Value { val, span, .. } => positional.push((val, span)),
            Given::Verbatim { text, span } => positional.push((Val::text(text), span)),
            Given::Param { name, val, span } => {
                let param = row.param(&name.to_lowercase());
                let takes = param.is_none_or(|p| p.role.is_some());
                let (val, span) = match (val, takes) {
                    (Some(val), _) => (val, span),
                    (None, false) => (Val::Bool(true), span),
                    (None, true) => match args.next_if(|a| !matches!(a, Given::Param { .. })) {
                        Some(Given::Value { val, span, .. }) => (val, span),
                        _ => (Val::Null, span),
                    },
                };
                match param {
                    Some(param) => binding.bound.push(Bound { param, val, span }),
                    None => binding.extra.push((val, span)),
                }
            }
        }
    }
    place(row, positional, &mut binding);
    binding
}

/// Arguments without a name go to the places that are left, in order.
fn place(row: Row, positional: Vec<(Val, Span)>, binding: &mut Binding) {
    if positional.is_empty() {
        return;
    }
    let mut places: Vec<Param> = row
        .params()
        .filter(|p| p.position.is_some() && binding.get(p.name()).is_none())
        // A path is given once, whichever way it is spelled.
        .filter(|p| p.name() != "path" || binding.get("literalpath").is_none())
        .collect();
    places.sort_by_key(|p| p.position);
    let rest = row.params().find(|p| p.rest);
    let mut places = places.into_iter();
    let mut many = Vec::new();
    for (val, span) in positional {
        match places.next() {
            Some(param) => binding.bound.push(Bound { param, val, span }),
            None if rest.is_some() => many.push((val, span)),
            None => binding.extra.push((val, span)),
        }
    }
    if let (Some(param), Some((_, span))) = (rest, many.first()) {
        let span = *span;
        let val = Val::collect(many.into_iter().map(|(val, _)| val).collect());
        binding.bound.push(Bound { param, val, span });
    }
}

fn is_bare(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Text { bare: true, .. } | ExprKind::Expandable { bare: true, .. })
}
