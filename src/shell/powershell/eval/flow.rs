//! Branches, loops, `switch`, `try`.

use std::rc::Rc;

use super::super::ast::{Expr, ExprKind, Flow, Statement};
use super::machine::Eval;
use super::state::State;
use super::statement::give;
use super::val::{Val, join};
use crate::limits::MAX_TURNS;
use crate::shell::{EffectKind, Piece, Value};

/// How a turn of a loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Next,
    Out,
}

impl Eval<'_> {
    pub(super) fn branches(
        &mut self,
        st: &mut State,
        arms: &[(Statement, Vec<Statement>)],
        otherwise: Option<&[Statement]>,
    ) -> Vec<Val> {
        let mut out = Vec::new();
        let mut ended: Vec<State> = Vec::new();
        let mut open = true;
        for (condition, body) in arms {
            match self.condition(st, condition) {
                Some(false) => {}
                Some(true) => {
                    let more = self.statements(st, body);
                    give(&mut out, more);
                    open = false;
                    break;
                }
                None => {
                    let mut taken = st.clone();
                    let more = self.statements(&mut taken, body);
                    give(&mut out, more);
                    ended.push(taken);
                }
            }
        }
        if open && let Some(body) = otherwise {
            let more = self.statements(st, body);
            give(&mut out, more);
        }
        for state in ended {
            self.merge(st, &state);
        }
        out
    }

    /// Runs a loop's body once and says whether the loop goes on.
    fn turn(&mut self, st: &mut State, body: &[Statement], out: &mut Vec<Val>) -> Turn {
        let parked = self.parked.len();
        let more = self.statements(st, body);
        give(out, more);
        if st.flow == Some(Flow::Continue) {
            st.flow = None;
        }
        self.unpark(st, parked, |flow| flow == Flow::Continue);
        if st.flow == Some(Flow::Break) {
            st.flow = None;
            return Turn::Out;
        }
        if st.flow.is_some() || self.halted() { Turn::Out } else { Turn::Next }
    }

    pub(super) fn while_loop(
        &mut self,
        st: &mut State,
        condition: &Statement,
        body: &[Statement],
        first: bool,
        until: bool,
    ) -> Vec<Val> {
        let parked = self.parked.len();
        let mut out = Vec::new();
        let mut ask = !first;
        for turns in 0.. {
            if ask {
                match self.condition(st, condition).map(|holds| holds != until) {
                    Some(false) => break,
                    Some(true) if turns < MAX_TURNS => {}
                    _ => {
                        self.any_turns(st, None, body, None, &mut out);
                        break;
                    }
                }
            }
            ask = true;
            if self.turn(st, body, &mut out) == Turn::Out {
                break;
            }
        }
        self.unpark(st, parked, |flow| flow == Flow::Break);
        out
    }

    pub(super) fn for_loop(
        &mut self,
        st: &mut State,
        condition: Option<&Statement>,
        step: Option<&Statement>,
        body: &[Statement],
    ) -> Vec<Val> {
        let parked = self.parked.len();
        let mut out = Vec::new();
        for turns in 0.. {
            match condition.map_or(Some(true), |c| self.condition(st, c)) {
                Some(false) => break,
                Some(true) if turns < MAX_TURNS => {}
                _ => {
                    self.any_turns(st, None, body, step, &mut out);
                    break;
                }
            }
            if self.turn(st, body, &mut out) == Turn::Out {
                break;
            }
            if let Some(step) = step {
                self.statement(st, step);
            }
        }
        self.unpark(st, parked, |flow| flow == Flow::Break);
        out
    }

    /// Any number of turns: one as things are, one with all that changes unknown.
    fn any_turns(
        &mut self,
        st: &mut State,
        variable: Option<(&str, &Val)>,
        body: &[Statement],
        step: Option<&Statement>,
        out: &mut Vec<Val>,
    ) {
        let before = st.clone();
        for round in 0..2 {
            if let Some((name, value)) = variable {
                st.set(name, value.clone());
            }
            if self.turn(st, body, out) == Turn::Out {
                break;
            }
            if let Some(step) = step {
                self.statement(st, step);
            }
            if round == 0 {
                for name in st.changed(&before) {
                    let now = st.var(&name).cloned().unwrap_or(Val::Null);
                    let wide = widened(before.var(&name), &now);
                    st.set(&name, wide);
                }
            }
        }
        self.merge(st, &before);
    }

    pub(super) fn foreach_loop(
        &mut self,
        st: &mut State,
        variable: &str,
        list: &Statement,
        body: &[Statement],
    ) -> Vec<Val> {
        let parked = self.parked.len();
        let items = Val::collect(self.statement(st, list)).items();
        let mut out = Vec::new();
        let many = items.len() > MAX_TURNS;
        let rest = if many { items[MAX_TURNS..].to_vec() } else { Vec::new() };
        for item in items.into_iter().take(MAX_TURNS) {
            if item == Val::Unknown {
                self.any_turns(st, Some((variable, &item)), body, None, &mut out);
                continue;
            }
            st.set(variable, item);
            if self.turn(st, body, &mut out) == Turn::Out {
                break;
            }
        }
        if many && st.flow.is_none() {
            let all: Vec<Value> = rest.iter().map(Val::string).collect();
            let one = Val::Str(join(&all));
            self.any_turns(st, Some((variable, &one)), body, None, &mut out);
        }
        self.unpark(st, parked, |flow| flow == Flow::Break);
        out
    }

    pub(super) fn switch(
        &mut self,
        st: &mut State,
        value: &Statement,
        file: bool,
        cases: &[(Option<Expr>, Vec<Statement>)],
        patterns: bool,
    ) -> Vec<Val> {
        let parked = self.parked.len();
        let value = Val::collect(self.statement(st, value));
        let items = if file {
            let by = super::machine::By::proven("switch", crate::shell::Span::default());
            for path in value.paths() {
                self.path_effect(st, EffectKind::Read, &path, &by);
            }
            vec![Val::Unknown]
        } else {
            value.items()
        };
        let before = self.current.clone();
        let mut out = Vec::new();
        for item in items {
            if self.halted() || st.flow.is_some() {
                break;
            }
            self.current = item.clone();
            let mut matched = Some(false);
            for (test, body) in cases {
                let holds = match test {
                    None => matched.map(|m| !m),
                    Some(test) => self.case_holds(st, test, &item, patterns),
                };
                match holds {
                    Some(false) => {}
                    Some(true) => {
                        matched = Some(true);
                        if self.turn(st, body, &mut out) == Turn::Out {
                            break;
                        }
                    }
                    None => {
                        matched = if matched == Some(true) { matched } else { None };
                        let mut taken = st.clone();
                        self.turn(&mut taken, body, &mut out);
                        self.merge(st, &taken);
                    }
                }
            }
        }
        self.current = before;
        self.unpark(st, parked, |flow| matches!(flow, Flow::Break | Flow::Continue));
        out
    }

    fn case_holds(&mut self, st: &mut State, test: &Expr, item: &Val, patterns: bool) -> Option<bool> {
        if let ExprKind::Block(body) = &test.kind {
            let body = Rc::clone(body);
            let out = self.body(st, &body, None);
            return Val::collect(out).truth();
        }
        let test = self.expr(st, test);
        if patterns {
            return None;
        }
        Some(test.known()?.eq_ignore_ascii_case(&item.known()?))
    }

    pub(super) fn try_block(
        &mut self,
        st: &mut State,
        body: &[Statement],
        catches: &[Vec<Statement>],
        finally: &[Statement],
    ) -> Vec<Val> {
        let parked = self.parked.len();
        let before = st.clone();
        let mut out = self.statements(st, body);
        let thrown = st.flow == Some(Flow::Throw);
        if thrown {
            st.flow = None;
        }
        self.unpark(st, parked, |flow| flow == Flow::Throw);
        // Any command in the body may fail.
        let mut failed = st.clone();
        if failed.flow.is_some() {
            failed = before.clone();
        } else {
            self.merge(&mut failed, &before);
        }
        for (i, catch) in catches.iter().enumerate() {
            let mut caught = failed.clone();
            let more = self.statements(&mut caught, catch);
            give(&mut out, more);
            if thrown && i == 0 {
                *st = caught;
            } else {
                self.merge(st, &caught);
            }
        }
        let flow = st.flow.take();
        let more = self.statements(st, finally);
        give(&mut out, more);
        st.flow = st.flow.or(flow);
        out
    }
}

/// A variable that changed from turn to turn.
fn widened(before: Option<&Val>, now: &Val) -> Val {
    match (before, now) {
        (_, Val::Int(_)) => Val::Str(Value::name()),
        (Some(Val::Str(a)), Val::Str(b)) => {
            // What is appended to from turn to turn keeps its start.
            let start = a.prefix();
            if !start.is_empty() && b.prefix().starts_with(start) {
                let mut out = Value::text(start);
                out.push(Piece::Any);
                return Val::Str(out);
            }
            Val::Str(join(&[a.clone(), b.clone()]))
        }
        (Some(Val::List(_)), Val::List(items)) => {
            let all: Vec<Value> = items.iter().flat_map(Val::paths).collect();
            Val::list(items.iter().cloned().chain([Val::Str(join(&all))]).collect())
        }
        _ => Val::Unknown,
    }
}
