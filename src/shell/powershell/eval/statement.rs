//! Statements and bodies.

use super::super::ast::{Body, Flow, Statement, StatementKind};
use super::machine::Eval;
use super::state::State;
use super::val::Val;
use crate::limits::MAX_EXPANSION;

/// Adds to a pipeline's output; too much of it is one unknown thing.
pub(super) fn give(out: &mut Vec<Val>, mut more: Vec<Val>) {
    if out.len() + more.len() > MAX_EXPANSION {
        out.clear();
        out.push(Val::Unknown);
    } else {
        out.append(&mut more);
    }
}

impl Eval<'_> {
    /// Runs a body; `input` is what a pipeline hands it.
    pub(super) fn body(&mut self, st: &mut State, body: &Body, input: Option<Vec<Val>>) -> Vec<Val> {
        let mut out = self.statements(st, &body.statements);
        if !body.process.is_empty() {
            let before = self.current.clone();
            for item in input.unwrap_or_else(|| vec![Val::Null]) {
                if st.flow.is_some() || self.halted() {
                    break;
                }
                self.current = item;
                let more = self.statements(st, &body.process);
                give(&mut out, more);
            }
            self.current = before;
        }
        if st.flow.is_none() {
            let more = self.statements(st, &body.end);
            give(&mut out, more);
        }
        out
    }

    /// Runs statements until control leaves them.
    pub(super) fn statements(&mut self, st: &mut State, statements: &[Statement]) -> Vec<Val> {
        let mut out = Vec::new();
        for statement in statements {
            if st.flow.is_some() || self.halted() {
                break;
            }
            let more = self.statement(st, statement);
            give(&mut out, more);
        }
        out
    }

    /// Runs one statement; what it gives.
    pub(super) fn statement(&mut self, st: &mut State, statement: &Statement) -> Vec<Val> {
        if !self.charge(1) {
            return Vec::new();
        }
        self.deeper(|eval| eval.statement_here(st, statement)).unwrap_or_default()
    }

    fn statement_here(&mut self, st: &mut State, statement: &Statement) -> Vec<Val> {
        match &statement.kind {
            StatementKind::Chain(chain) => return self.chain(st, chain),
            StatementKind::Assign { target, operator, value } => {
                let value = Val::collect(self.statement(st, value));
                self.assign(st, target, operator, value);
            }
            StatementKind::If { arms, otherwise } => return self.branches(st, arms, otherwise.as_deref()),
            StatementKind::While { condition, body, first, until } => {
                return self.while_loop(st, condition, body, *first, *until);
            }
            StatementKind::For { init, condition, step, body } => {
                if let Some(init) = init {
                    self.statement(st, init);
                }
                return self.for_loop(st, condition.as_deref(), step.as_deref(), body);
            }
            StatementKind::ForEach { variable, list, body } => return self.foreach_loop(st, variable, list, body),
            StatementKind::Switch { value, file, cases, patterns } => {
                return self.switch(st, value, *file, cases, *patterns);
            }
            StatementKind::Try { body, catches, finally } => return self.try_block(st, body, catches, finally),
            StatementKind::Trap(body) => {
                let mut other = st.clone();
                let out = self.statements(&mut other, body);
                self.merge(st, &other);
                return out;
            }
            StatementKind::Function { name, body } => {
                if st.functions.len() < MAX_EXPANSION {
                    std::rc::Rc::make_mut(&mut st.functions).insert(name.clone(), std::rc::Rc::clone(body));
                }
            }
            StatementKind::Flow(flow, value) => {
                let out = match value {
                    Some(value) => self.statement(st, value),
                    None => Vec::new(),
                };
                st.flow = Some(*flow);
                return if *flow == Flow::Return { out } else { Vec::new() };
            }
            StatementKind::Block(body) => return self.statements(st, body),
        }
        Vec::new()
    }

    /// A condition, where it is known.
    pub(super) fn condition(&mut self, st: &mut State, statement: &Statement) -> Option<bool> {
        Val::collect(self.statement(st, statement)).truth()
    }

    /// Both memories are possible from here on. One in which control went elsewhere is kept for whoever takes it.
    pub(super) fn merge(&mut self, st: &mut State, other: &State) {
        match (st.flow, other.flow) {
            (None, Some(flow)) => self.park(flow, other.clone()),
            (Some(flow), None) => {
                let gone = std::mem::replace(st, other.clone());
                self.park(flow, gone);
            }
            (Some(a), Some(b)) if a != b => self.park(b, other.clone()),
            _ => {
                let world = self.world;
                st.merge(other, &|name| super::variable::inherited(world, name));
            }
        }
    }

    fn park(&mut self, flow: Flow, mut state: State) {
        if self.parked.len() < MAX_EXPANSION {
            state.flow = None;
            self.parked.push((flow, state));
        }
    }

    /// Merges the parked states from `from` on whose flow ends here.
    pub(super) fn unpark(&mut self, st: &mut State, from: usize, ends: impl Fn(Flow) -> bool) {
        let mut at = from.min(self.parked.len());
        while at < self.parked.len() {
            if ends(self.parked[at].0) {
                let (_, state) = self.parked.remove(at);
                self.charge(1);
                self.merge(st, &state);
            } else {
                at += 1;
            }
        }
    }
}
