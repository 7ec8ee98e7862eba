//! Statements: assignments, keywords, pipelines.

use super::ast::{Chain, Element, ElementKind, Expr, ExprKind, Flow, Statement, StatementKind};
use super::cursor::{Parser, R, Stop};

impl Parser<'_> {
    /// One statement without what separates it from the next.
    pub(super) fn statement(&mut self) -> R<Statement> {
        self.charge()?;
        self.deeper(Self::statement_here)
    }

    fn statement_here(&mut self) -> R<Statement> {
        let start = self.pos;
        if self.byte(0) == b':' && self.byte(1).is_ascii_alphabetic() {
            // The label of a loop.
            let rest = &self.rest()[1..];
            self.pos += 1 + rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            self.skip_lines()?;
        }
        if let Some(word) = self.word()
            && let Some(kind) = self.keyword(&word)?
        {
            return Ok(Statement { kind, span: self.span(start) });
        }
        if self.begins_expression() {
            return self.expression_statement(start);
        }
        let chain = self.chain()?;
        Ok(Statement { kind: StatementKind::Chain(chain), span: self.span(start) })
    }

    /// A pipeline that begins with an expression, or an assignment to it.
    fn expression_statement(&mut self, start: usize) -> R<Statement> {
        let chain = self.chain()?;
        self.skip_blanks()?;
        let Some((operator, len)) = self.assignment_operator() else {
            return Ok(Statement { kind: StatementKind::Chain(chain), span: self.span(start) });
        };
        let target = Box::new(lone_expression(chain).ok_or(Stop::Syntax)?);
        self.pos += len;
        self.skip_lines()?;
        let value = Box::new(self.statement()?);
        Ok(Statement { kind: StatementKind::Assign { target, operator, value }, span: self.span(start) })
    }

    /// `return`, `break` and the like with what they carry.
    pub(super) fn flow(&mut self, flow: Flow) -> R<StatementKind> {
        self.skip_blanks()?;
        let ends = self.at_end() || matches!(self.byte(0), b';' | b'\n' | b'\r' | b')' | b'}');
        let value = if ends { None } else { Some(Box::new(self.statement()?)) };
        Ok(StatementKind::Flow(flow, value))
    }
}

/// The expression that is all of a pipeline.
fn lone_expression(mut chain: Chain) -> Option<Expr> {
    if !chain.rest.is_empty() || chain.first.len() != 1 {
        return None;
    }
    let Element { kind: ElementKind::Expr(expr), redirects, .. } = chain.first.pop()? else { return None };
    let assignable = redirects.is_empty() && is_assignable(&expr);
    assignable.then_some(expr)
}

fn is_assignable(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) | ExprKind::Member { .. } | ExprKind::Index(..) => true,
        ExprKind::Cast(_, inner) => matches!(inner.kind, ExprKind::Variable(_) | ExprKind::Cast(..)),
        ExprKind::List(items) => items.iter().all(|i| !matches!(i.kind, ExprKind::List(_)) && is_assignable(i)),
        _ => false,
    }
}
