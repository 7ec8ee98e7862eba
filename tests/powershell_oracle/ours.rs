//! The product's reading of a script.

use std::collections::BTreeSet;

use workspace_guard::shell::powershell::ast::{
    ArgumentKind, Body, Chain, ElementKind, Expr, ExprKind, Redirect, Statement, StatementKind,
};
use workspace_guard::shell::powershell::parse;

use crate::Fact;

/// `None` where it does not understand all of it.
pub(crate) fn read(text: &str) -> Option<BTreeSet<Fact>> {
    let script = parse(text);
    if !script.gaps.is_empty() {
        return None;
    }
    let mut walk = Walk { facts: BTreeSet::new() };
    walk.body(&script.body);
    Some(walk.facts)
}

struct Walk {
    facts: BTreeSet<Fact>,
}

impl Walk {
    fn body(&mut self, body: &Body) {
        for param in &body.params {
            if let Some(default) = &param.default {
                self.expr(default);
            }
        }
        self.all(&body.statements);
        self.all(&body.process);
        self.all(&body.end);
    }

    fn all(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Chain(chain) => self.chain(chain),
            StatementKind::Assign { target, value, .. } => {
                self.expr(target);
                self.statement(value);
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.statement(condition);
                    self.all(body);
                }
                self.all(otherwise.as_deref().unwrap_or_default());
            }
            StatementKind::While { condition, body, .. } => {
                self.statement(condition);
                self.all(body);
            }
            StatementKind::For { init, condition, step, body } => {
                for part in [init, condition, step].into_iter().flatten() {
                    self.statement(part);
                }
                self.all(body);
            }
            StatementKind::ForEach { list, body, .. } => {
                self.statement(list);
                self.all(body);
            }
            StatementKind::Switch { value, cases, .. } => {
                self.statement(value);
                for (test, body) in cases {
                    if let Some(test) = test {
                        self.expr(test);
                    }
                    self.all(body);
                }
            }
            StatementKind::Try { body, catches, finally } => {
                self.all(body);
                for catch in catches {
                    self.all(catch);
                }
                self.all(finally);
            }
            StatementKind::Trap(body) | StatementKind::Block(body) => self.all(body),
            StatementKind::Function { body, .. } => self.body(body),
            StatementKind::Flow(_, value) => {
                if let Some(value) = value {
                    self.statement(value);
                }
            }
        }
    }

    fn chain(&mut self, chain: &Chain) {
        for pipeline in std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, p)| p)) {
            for element in pipeline {
                match &element.kind {
                    ElementKind::Expr(expr) => self.expr(expr),
                    ElementKind::Command(command) => {
                        self.facts.insert(Fact::Command(command.name.span.start as usize));
                        self.expr(&command.name);
                        for arg in &command.args {
                            match &arg.kind {
                                ArgumentKind::Value(value) | ArgumentKind::Parameter { value: Some(value), .. } => {
                                    self.expr(value);
                                }
                                _ => {}
                            }
                        }
                    }
                }
                for redirect in &element.redirects {
                    self.redirect(redirect);
                }
            }
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        self.facts.insert(Fact::Redirect(redirect.span.start as usize));
        if let Some(file) = &redirect.file {
            self.expr(file);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Text { .. } | ExprKind::Number(_) | ExprKind::Variable(_) | ExprKind::Type(_) => {}
            ExprKind::Expandable { parts, .. } | ExprKind::List(parts) => {
                for part in parts {
                    self.expr(part);
                }
            }
            ExprKind::Sub(statements) | ExprKind::Array(statements) => self.all(statements),
            ExprKind::Paren(inner) => self.statement(inner),
            ExprKind::Hash(pairs) => {
                for (key, value) in pairs {
                    self.expr(key);
                    self.statement(value);
                }
            }
            ExprKind::Block(body) => self.body(body),
            ExprKind::Cast(_, of) | ExprKind::Unary(_, of) | ExprKind::Step(of, _) => self.expr(of),
            ExprKind::Member { of, name } | ExprKind::Index(of, name) | ExprKind::Binary(_, of, name) => {
                self.expr(of);
                self.expr(name);
            }
            ExprKind::Call { of, name, args } => {
                self.expr(of);
                self.expr(name);
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::Ternary(a, b, c) => {
                for part in [a, b, c] {
                    self.expr(part);
                }
            }
        }
    }
}
