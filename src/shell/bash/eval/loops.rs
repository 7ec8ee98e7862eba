//! Loops: turn by turn where the turns are known, once over unknown values where they are not.

use std::rc::Rc;

use super::machine::{Eval, Io, Outcome, Reading, Status};
use super::state::{Flow, State, Var};
use super::values::{self, Stream};
use crate::limits::MAX_TURNS;
use crate::shell::Value;
use crate::shell::bash::ast::{List, Word};

impl Eval<'_> {
    pub(super) fn for_loop(
        &mut self,
        st: &mut State,
        name: &str,
        words: Option<&[Word]>,
        body: &List,
        select: bool,
        io: &Io,
    ) -> Outcome {
        let mut items = match words {
            Some(words) => self.for_words(st, words),
            None => st.params.to_vec(),
        };
        if items.is_empty() {
            return Outcome::silent(Status::True);
        }
        if select {
            items = vec![values::join_all(&items)];
        }
        let together = items.len() > MAX_TURNS;
        if together {
            let rest = items.split_off(MAX_TURNS - 1);
            items.push(values::join_all(&rest));
        }
        // A word of unknown text may have been none or several.
        let unsure = items.iter().all(|v| v.pieces.iter().any(|p| !matches!(p, crate::shell::Piece::Text(_))));
        let before = unsure.then(|| st.clone());
        let mut all = Outcome::silent(Status::Likely);
        self.broken.push(None);
        let last = items.len() - 1;
        for (i, item) in items.into_iter().enumerate() {
            if self.halted() {
                break;
            }
            st.set(name, Var::one(item), self.world);
            let stack = Rc::clone(&st.dirs);
            let turn = self.block(st, body, io);
            if together && i == last {
                any_number(st, &stack);
            }
            all.out = std::mem::replace(&mut all.out, Stream::empty()).then(turn.out);
            if Self::turn_ends(st) {
                break;
            }
        }
        self.loop_ends(st);
        if let Some(before) = before {
            self.merge(st, before);
        }
        all
    }

    /// All values of the words, alternatives of variables included.
    fn for_words(&mut self, st: &mut State, words: &[Word]) -> Vec<Value> {
        if !st.is_multi() || matches!(self.reading, Reading::Choosing(_)) {
            return self.expand_values(st, words);
        }
        let mut all: Vec<Value> = Vec::new();
        let base = st.clone();
        let mut last = base.clone();
        let outcome = self.each_choice(&mut last, |eval, copy| {
            for value in eval.expand_values(copy, words) {
                if !all.contains(&value) {
                    all.push(value);
                }
            }
            Outcome::silent(Status::True)
        });
        debug_assert!(outcome.failed.is_none());
        *st = base;
        all
    }

    /// Looks at how a turn ended; `true` where no further turn follows.
    fn turn_ends(st: &mut State) -> bool {
        let (flow, ends) = match st.flow {
            Flow::Break(n) if n > 1 => (Flow::Break(n - 1), true),
            Flow::Break(_) => (Flow::Next, true),
            Flow::Continue(n) if n > 1 => (Flow::Continue(n - 1), true),
            Flow::Next | Flow::Continue(_) => (Flow::Next, false),
            other => (other, true),
        };
        st.flow = flow;
        ends
    }

    fn loop_ends(&mut self, st: &mut State) {
        if let Some(left) = self.broken.pop().flatten() {
            self.merge(st, left);
        }
    }

    pub(super) fn while_loop(
        &mut self,
        st: &mut State,
        until: bool,
        condition: &List,
        body: &List,
        io: &Io,
    ) -> Outcome {
        let mut all = Outcome::silent(Status::Likely);
        self.broken.push(None);
        let mut skipped: Option<State> = None;
        for turn in 0.. {
            if turn >= MAX_TURNS {
                self.unknown_turns(st, until, condition, body, io, &mut all);
                break;
            }
            let mut test = self.list(st, condition, io);
            all.out = std::mem::replace(&mut all.out, Stream::empty())
                .then(std::mem::replace(&mut test.out, Stream::empty()));
            let status = if until { test.status.not() } else { test.status };
            if status == Status::False || self.halted() || st.flow != Flow::Next {
                self.settle(st, &mut test);
                break;
            }
            if status != Status::True {
                // From here on nobody knows how many turns there are.
                let stops = test.failed.take().map_or_else(|| st.clone(), |f| *f);
                skipped = Some(stops);
                self.unknown_turns(st, until, condition, body, io, &mut all);
                break;
            }
            let turn = self.block(st, body, io);
            all.out = std::mem::replace(&mut all.out, Stream::empty()).then(turn.out);
            if Self::turn_ends(st) {
                break;
            }
        }
        self.loop_ends(st);
        if let Some(skipped) = skipped {
            self.merge(st, skipped);
        }
        all
    }

    /// Turns whose number is unknown: one as things stand, one with all that it changed made unknown.
    fn unknown_turns(
        &mut self,
        st: &mut State,
        until: bool,
        condition: &List,
        body: &List,
        io: &Io,
        all: &mut Outcome,
    ) {
        for turn in 0..2 {
            let before = st.clone();
            if turn > 0 {
                let mut test = self.list(st, condition, io);
                let status = if until { test.status.not() } else { test.status };
                self.settle(st, &mut test);
                if status == Status::False {
                    break;
                }
            }
            let outcome = self.block(st, body, io);
            all.out = std::mem::replace(&mut all.out, Stream::empty()).then(Stream::empty().or(outcome.out));
            if Self::turn_ends(st) || self.halted() {
                self.merge(st, before);
                break;
            }
            widen(st, &before, self.world);
        }
    }

    pub(super) fn arith_loop(&mut self, st: &mut State, header: &Word, body: &List, io: &Io) -> Outcome {
        let parts = split_header(header);
        let mut all = Outcome::silent(Status::Likely);
        if let Some(start) = parts.first() {
            self.arith(st, start);
        }
        self.broken.push(None);
        for turn in 0..=MAX_TURNS {
            let test = match parts.get(1) {
                Some(test) if !is_blank(test) => self.arith(st, test),
                _ => Value::text("1"),
            };
            let known = test.known().map(|v| v != "0");
            if known == Some(false) || self.halted() {
                break;
            }
            let before = st.clone();
            let unknown = known.is_none() || turn == MAX_TURNS;
            if unknown {
                // The counter takes values that nobody lists here: a step, and all it changed is unknown.
                if let Some(step) = parts.get(2) {
                    self.arith(st, step);
                }
                widen(st, &before, self.world);
            }
            let outcome = self.block(st, body, io);
            all.out = std::mem::replace(&mut all.out, Stream::empty()).then(outcome.out);
            if Self::turn_ends(st) {
                break;
            }
            if unknown {
                widen(st, &before, self.world);
                break;
            }
            if let Some(step) = parts.get(2) {
                self.arith(st, step);
            }
        }
        self.loop_ends(st);
        all
    }
}

/// Nobody knows how many folders are on a stack that each of unknown turns changes from what it was `before`.
fn any_number(st: &mut State, before: &Rc<Vec<Value>>) {
    if st.dirs != *before {
        st.dirs = Rc::new(vec![Value::any()]);
    }
}

/// What differs between two turns becomes unknown: numbers a name, the rest what covers both and more.
fn widen(st: &mut State, before: &State, world: &dyn crate::world::World) {
    let names: Vec<String> = st.names().map(str::to_owned).collect();
    let mut widened = before.clone();
    for name in names {
        let Some(slot) = st.var(&name) else { continue };
        let old = before.var(&name);
        if old.is_some_and(|o| o.var == slot.var) {
            continue;
        }
        let value = match (&slot.var, old.map(|o| &o.var)) {
            (Var::Array(items), _) => {
                let values: Vec<Value> = items.iter().map(|(_, v)| v.clone()).collect();
                let mut slot = slot.clone();
                let last = values::join_all(&values);
                if let Var::Array(items) = &mut slot.var {
                    items.push((items.len().to_string(), last));
                }
                widened.put(&name, Some(slot));
                continue;
            }
            (var, Some(Var::Scalar(_))) => {
                let new = var.joined().unwrap_or_default();
                let old = old.and_then(|o| o.var.joined()).unwrap_or_default();
                if old.is_empty() && values::is_plain_name(&new) { Value::name() } else { grown(&old, &new) }
            }
            // First assigned in the loop: the same assignment gives the same next time.
            (var, _) => var.joined().unwrap_or_default(),
        };
        widened.set(&name, Var::one(value), world);
    }
    let flow = st.flow;
    any_number(st, &before.dirs);
    st.merge(&widened, world);
    st.flow = flow;
    // Alternatives of a widened variable are covered by the wide one.
    let names: Vec<String> = widened.names().map(str::to_owned).collect();
    for name in names {
        if let Some(slot) = widened.var(&name)
            && let Var::Scalar(values) = &slot.var
            && values.len() == 1
            && before.var(&name).is_none_or(|b| b.var != slot.var)
        {
            st.put(&name, Some(slot.clone()));
        }
    }
}

/// A variable that goes on changing as it changed from `old` to `new`.
fn grown(old: &Value, new: &Value) -> Value {
    if values::is_plain_name(old) && values::is_plain_name(new) {
        return Value::name();
    }
    // `d=$d/x`: ever deeper.
    if let (Some(a), Some(b)) = (old.known(), new.known())
        && b.strip_prefix(a.as_ref()).is_some_and(|r| r.starts_with('/'))
    {
        let mut out = Value::text(format!("{a}/"));
        out.push(crate::shell::Piece::Any);
        return out;
    }
    values::join(old, new)
}

fn is_blank(word: &Word) -> bool {
    use crate::shell::bash::ast::Part;
    word.parts.iter().all(|p| matches!(p, Part::Bare(s) | Part::Quoted(s) if s.trim().is_empty()))
}

/// `a; b; c` as three words.
fn split_header(header: &Word) -> Vec<Word> {
    use crate::shell::bash::ast::Part;
    let mut out = vec![Word { parts: Vec::new(), span: header.span }];
    for part in &header.parts {
        let (text, quoted) = match part {
            Part::Bare(s) => (s, false),
            Part::Quoted(s) => (s, true),
            other => {
                if let Some(last) = out.last_mut() {
                    last.parts.push(other.clone());
                }
                continue;
            }
        };
        for (i, piece) in text.split(';').enumerate() {
            if i > 0 {
                out.push(Word { parts: Vec::new(), span: header.span });
            }
            if let Some(last) = out.last_mut()
                && !piece.is_empty()
            {
                last.parts.push(if quoted { Part::Quoted(piece.to_owned()) } else { Part::Bare(piece.to_owned()) });
            }
        }
    }
    out
}
