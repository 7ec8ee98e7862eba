//! Pipelines and redirections.

use super::super::ast::{Chain, Element, ElementKind, Expr, ExprKind, Pipeline, Redirect, Statement, StatementKind};
use super::machine::{By, Eval};
use super::state::State;
use super::val::Val;
use crate::shell::bash::eval::values::Stream;
use crate::shell::{EffectKind, Target, Value};

impl Eval<'_> {
    pub(super) fn chain(&mut self, st: &mut State, chain: &Chain) -> Vec<Val> {
        let mut out = self.pipeline(st, &chain.first);
        for (and, pipeline) in &chain.rest {
            if self.halted() || st.flow.is_some() {
                break;
            }
            if *and {
                let more = self.pipeline(st, pipeline);
                super::statement::give(&mut out, more);
            } else {
                let mut other = st.clone();
                let more = self.pipeline(&mut other, pipeline);
                super::statement::give(&mut out, more);
                self.merge(st, &other);
            }
        }
        out
    }

    fn pipeline(&mut self, st: &mut State, pipeline: &Pipeline) -> Vec<Val> {
        let mut feed: Option<Vec<Val>> = None;
        for element in pipeline {
            if !self.charge(1) {
                return Vec::new();
            }
            feed = Some(self.element(st, element, feed.as_ref()));
        }
        feed.unwrap_or_default()
    }

    fn element(&mut self, st: &mut State, element: &Element, feed: Option<&Vec<Val>>) -> Vec<Val> {
        let mut out = match &element.kind {
            ElementKind::Expr(expr) => self.given_expr(st, expr),
            ElementKind::Command(command) => self.command(st, command, feed),
        };
        for redirect in &element.redirects {
            self.redirect(st, redirect, &mut out);
        }
        out
    }

    /// What an expression gives as a statement.
    fn given_expr(&mut self, st: &mut State, expr: &Expr) -> Vec<Val> {
        if let ExprKind::Step(of, by) = &expr.kind {
            self.step(st, of, *by);
            return Vec::new();
        }
        if let ExprKind::Paren(inner) = &expr.kind
            && let Statement { kind: StatementKind::Chain(_), .. } = &**inner
        {
            return self.statement(st, inner);
        }
        self.expr(st, expr).items()
    }

    fn redirect(&mut self, st: &mut State, redirect: &Redirect, out: &mut Vec<Val>) {
        let Some(file) = &redirect.file else { return };
        let name = if redirect.append { ">>" } else { ">" };
        let value = self.expr(st, file);
        let everything = matches!(redirect.stream, 0 | 1);
        let text = if everything { lines_of(&std::mem::take(out)) } else { Stream::Unknown };
        if value == Val::Null {
            return;
        }
        let by = By::proven(name, file.span);
        for one in value.alternatives() {
            for path in one.paths() {
                self.written(st, &path, text.clone(), redirect.append, &by);
            }
        }
    }

    /// A cmdlet or redirection that writes `text` to the file at `path`.
    pub(super) fn written(&mut self, st: &State, path: &Value, text: Stream, append: bool, by: &By<'_>) {
        if path.is_empty() {
            return;
        }
        let Some(target) = self.target(st, path) else { return };
        if let Target::Path(known) = &target {
            let text = if append {
                match self.overlay.written(known) {
                    Some(before) => before.clone().then(text),
                    None => Stream::Unknown,
                }
            } else {
                text
            };
            self.overlay.make_file(known, text);
        }
        // What a search found is there already.
        let found = crate::shell::programs::values::is_existing(path);
        self.push(if found { EffectKind::Modify } else { EffectKind::Create }, target, by);
    }
}

/// A pipeline's output as the lines of a file.
pub(super) fn lines_of(out: &[Val]) -> Stream {
    let mut text = Value::default();
    for item in out {
        if matches!(item, Val::Unknown | Val::Hash(_) | Val::Block(_)) {
            return Stream::Unknown;
        }
        text.append(item.string());
        text.push_str("\n");
    }
    Stream::Text(crate::shell::bash::eval::values::capped(text))
}
