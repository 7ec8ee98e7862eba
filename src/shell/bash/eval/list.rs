//! Lists, pipelines and compound commands: what runs, in which state, after what.

use super::machine::{Eval, Io, Outcome, Reading, Status};
use super::state::{Flow, State};
use super::values::Stream;
use crate::shell::Value;
use crate::shell::bash::ast::{CaseArm, Command, CommandKind, Item, Join, List, Pipeline, Word};

impl Eval<'_> {
    /// Runs a list; afterwards `st` is the state of whoever goes on.
    pub(super) fn list(&mut self, st: &mut State, list: &[Item], io: &Io) -> Outcome {
        let mut all = Outcome::silent(Status::True);
        for item in list {
            if self.halted() || (st.flow != Flow::Next && all.failed.is_none()) {
                break;
            }
            match item.join {
                Join::Always => {
                    self.settle(st, &mut all);
                    let next = self.item(st, item, io);
                    Self::follow(&mut all, next);
                }
                Join::And => self.and(st, item, io, &mut all),
                Join::Or => self.or(st, item, io, &mut all),
            }
        }
        all
    }

    /// Like [`Self::list`], with one state afterwards whether the last command failed or not.
    pub(super) fn block(&mut self, st: &mut State, list: &[Item], io: &Io) -> Outcome {
        let mut all = self.list(st, list, io);
        self.settle(st, &mut all);
        all
    }

    /// One state for success and failure.
    pub(super) fn settle(&mut self, st: &mut State, outcome: &mut Outcome) {
        if let Some(failed) = outcome.failed.take() {
            self.merge(st, *failed);
        }
    }

    /// Both states are possible; a state that left is kept for where it went.
    pub(super) fn merge(&mut self, st: &mut State, other: State) {
        if other.flow != Flow::Next {
            self.leave(other);
        } else if st.flow != Flow::Next {
            let left = std::mem::replace(st, other);
            self.leave(left);
        } else {
            st.merge(&other, self.world);
        }
    }

    /// A state that goes on elsewhere.
    fn leave(&mut self, mut st: State) {
        let slot = match st.flow {
            Flow::Return => self.returned.last_mut(),
            Flow::Break(_) | Flow::Continue(_) => self.broken.last_mut(),
            Flow::Next | Flow::Exit => None,
        };
        st.flow = Flow::Next;
        match slot {
            Some(Some(kept)) => kept.merge(&st, self.world),
            Some(slot) => *slot = Some(st),
            None => {}
        }
    }

    fn follow(all: &mut Outcome, next: Outcome) {
        all.status = next.status;
        all.failed = next.failed;
        all.out = std::mem::replace(&mut all.out, Stream::empty()).then(next.out);
    }

    fn and(&mut self, st: &mut State, item: &Item, io: &Io, all: &mut Outcome) {
        match all.status {
            Status::False => {
                if let Some(failed) = all.failed.take() {
                    *st = *failed;
                }
            }
            Status::True | Status::Likely => {
                all.failed = None;
                let next = self.item(st, item, io);
                Self::follow(all, next);
            }
            Status::Unknown => {
                let mut skipped = all.failed.take().map_or_else(|| st.clone(), |f| *f);
                let next = self.item(st, item, io);
                all.out = std::mem::replace(&mut all.out, Stream::empty()).then(Stream::empty().or(next.out));
                if st.flow != Flow::Next {
                    let left = std::mem::replace(st, skipped);
                    self.leave(left);
                    all.status = Status::False;
                    return;
                }
                if let Some(failed) = next.failed {
                    self.merge(&mut skipped, *failed);
                } else if next.status != Status::True {
                    skipped.merge(st, self.world);
                }
                all.status = if next.status == Status::False { Status::False } else { Status::Unknown };
                all.failed = Some(Box::new(skipped));
            }
        }
    }

    fn or(&mut self, st: &mut State, item: &Item, io: &Io, all: &mut Outcome) {
        if all.status == Status::True {
            all.failed = None;
            return;
        }
        let certain = all.status == Status::False;
        let mut other = all.failed.take().map_or_else(|| st.clone(), |f| *f);
        let next = self.item(&mut other, item, io);
        let out = if certain { next.out } else { Stream::empty().or(next.out) };
        all.out = std::mem::replace(&mut all.out, Stream::empty()).then(out);
        all.failed = next.failed;
        if certain {
            *st = other;
            all.status = next.status;
            return;
        }
        all.status = match (other.flow, next.status) {
            (Flow::Next, Status::False | Status::Unknown) => Status::Unknown,
            _ => Status::Likely,
        };
        self.merge(st, other);
    }

    fn item(&mut self, st: &mut State, item: &Item, io: &Io) -> Outcome {
        if item.background {
            self.charge(st.copy_steps());
            let mut copy = st.clone();
            let out = self.pipeline(&mut copy, &item.pipeline, io).out;
            return Outcome::new(Status::True, out);
        }
        self.pipeline(st, &item.pipeline, io)
    }

    fn pipeline(&mut self, st: &mut State, pipeline: &Pipeline, io: &Io) -> Outcome {
        let mut outcome = match pipeline.commands.as_slice() {
            [] => Outcome::silent(Status::True),
            [one] => self.command(st, one, io),
            [first @ .., last] => {
                let mut stdin = None;
                for command in first {
                    if !self.charge(st.copy_steps()) {
                        break;
                    }
                    let io = member_io(io, stdin, true);
                    let mut copy = st.clone();
                    stdin = Some(self.command(&mut copy, command, &io).out);
                }
                let io = member_io(io, stdin, io.capture);
                let mut copy = st.clone();
                let mut outcome = self.command(&mut copy, last, &io);
                outcome.failed = None;
                outcome
            }
        };
        if pipeline.negated {
            outcome.status = outcome.status.not();
            if let Some(failed) = outcome.failed.take() {
                outcome.failed = Some(Box::new(std::mem::replace(st, *failed)));
            }
        }
        outcome
    }

    /// Runs one command with its redirections.
    pub(super) fn command(&mut self, st: &mut State, command: &Command, io: &Io) -> Outcome {
        if !self.charge(1) {
            return Outcome::silent(Status::Unknown);
        }
        let run = |eval: &mut Self| match &command.kind {
            CommandKind::Simple { assignments, words } => {
                eval.each_choice(st, |eval, st| eval.simple(st, assignments, words, &command.redirects, io))
            }
            CommandKind::Test(words) => eval.each_choice(st, |eval, st| {
                let redirected = eval.redirects(st, &command.redirects, io);
                let status = eval.double_bracket(st, words);
                eval.close(redirected, Outcome::silent(status))
            }),
            CommandKind::Arith(word) => eval.each_choice(st, |eval, st| {
                let redirected = eval.redirects(st, &command.redirects, io);
                let value = eval.arith(st, word);
                let status = Status::of(value.known().map(|v| v != "0"));
                eval.close(redirected, Outcome::silent(status))
            }),
            CommandKind::Function { name, body } => {
                eval.define(st, name, body, &command.redirects);
                Outcome::silent(Status::True)
            }
            _ => eval.compound(st, command, io),
        };
        self.deeper(run).unwrap_or_else(|| Outcome::silent(Status::Unknown))
    }

    /// Runs `f` once for every combination of the alternatives that it looks at.
    pub(super) fn each_choice(
        &mut self,
        st: &mut State,
        mut f: impl FnMut(&mut Self, &mut State) -> Outcome,
    ) -> Outcome {
        if !st.is_multi() || matches!(self.reading, Reading::Choosing(_)) {
            return f(self, st);
        }
        let base = st.clone();
        self.reading = Reading::Choosing(super::machine::Choices::default());
        let mut total: Option<(State, Outcome)> = None;
        for turn in 0.. {
            self.charge(1);
            let mut copy = base.clone();
            if turn == crate::limits::MAX_COMBINATIONS {
                self.reading = Reading::Joined;
            }
            self.pin_folder(&mut copy);
            let mut outcome = f(self, &mut copy);
            total = Some(match total {
                None => (copy, outcome),
                Some((mut state, mut so_far)) => {
                    if so_far.failed.is_some() || outcome.failed.is_some() {
                        let mut failed = so_far.failed.take().map_or_else(|| state.clone(), |f| *f);
                        let other = outcome.failed.take().map_or_else(|| copy.clone(), |f| *f);
                        self.merge(&mut failed, other);
                        so_far.failed = Some(Box::new(failed));
                    }
                    self.merge(&mut state, copy);
                    so_far.status = so_far.status.or(outcome.status);
                    so_far.out = so_far.out.or(outcome.out);
                    (state, so_far)
                }
            });
            let halted = self.halted();
            match &mut self.reading {
                Reading::Choosing(choices) if !halted => {
                    if !choices.advance() {
                        break;
                    }
                }
                _ => break,
            }
        }
        self.reading = Reading::Joined;
        match total {
            Some((state, outcome)) => {
                *st = state;
                outcome
            }
            None => Outcome::silent(Status::Unknown),
        }
    }

    fn pin_folder(&mut self, st: &mut State) {
        if st.cwd.len() > 1 {
            let one = match &mut self.reading {
                Reading::Choosing(choices) => st.cwd.get(choices.pick(st.cwd.len())).cloned(),
                Reading::Joined => None,
            };
            st.cwd = vec![one.unwrap_or_else(|| st.folder())];
        }
    }

    fn compound(&mut self, st: &mut State, command: &Command, io: &Io) -> Outcome {
        let redirected = self.redirects(st, &command.redirects, io);
        let io = &redirected.io;
        let outcome = match &command.kind {
            CommandKind::Subshell(list) => self.subshell(st, list, io),
            CommandKind::Group(list) => self.list(st, list, io),
            CommandKind::If { branches, otherwise } => self.branch(st, branches, otherwise.as_ref(), io),
            CommandKind::While { until, condition, body } => self.while_loop(st, *until, condition, body, io),
            CommandKind::For { name, words, body, select } => {
                self.for_loop(st, name, words.as_deref(), body, *select, io)
            }
            CommandKind::ForArith { header, body } => self.arith_loop(st, header, body, io),
            CommandKind::Case { word, arms } => self.case(st, word, arms, io),
            CommandKind::Coproc(inner) => {
                let mut copy = st.clone();
                self.command(&mut copy, inner, io);
                Outcome::silent(Status::True)
            }
            CommandKind::Simple { .. }
            | CommandKind::Test(_)
            | CommandKind::Arith(_)
            | CommandKind::Function { .. } => Outcome::silent(Status::Unknown),
        };
        self.close(redirected, outcome)
    }

    /// Runs a list in a copy of the shell.
    pub(super) fn subshell(&mut self, st: &State, list: &[Item], io: &Io) -> Outcome {
        self.charge(st.copy_steps());
        let mut copy = st.clone();
        let mut outcome = self.list(&mut copy, list, io);
        outcome.failed = None;
        if copy.flow == Flow::Exit {
            outcome.status = Status::Unknown;
        }
        outcome
    }

    fn branch(&mut self, st: &mut State, branches: &[(List, List)], otherwise: Option<&List>, io: &Io) -> Outcome {
        let mut ended: Option<(State, Outcome)> = None;
        let mut printed = Stream::empty();
        for (condition, body) in branches {
            self.charge(st.copy_steps());
            let mut test = self.list(st, condition, io);
            printed = printed.then(std::mem::replace(&mut test.out, Stream::empty()));
            let failed = test.failed.take().map_or_else(|| st.clone(), |f| *f);
            if test.status != Status::False {
                let mut outcome = self.block(st, body, io);
                outcome.out = printed.clone().then(outcome.out);
                self.also(&mut ended, st.clone(), outcome);
                if test.status == Status::True {
                    return finish(st, ended);
                }
            }
            *st = failed;
            if self.halted() {
                break;
            }
        }
        let mut outcome = match otherwise {
            Some(body) => self.block(st, body, io),
            None => Outcome::silent(Status::True),
        };
        outcome.out = printed.then(outcome.out);
        self.also(&mut ended, st.clone(), outcome);
        finish(st, ended)
    }

    /// Adds another way in which a compound command may have ended.
    fn also(&mut self, ended: &mut Option<(State, Outcome)>, st: State, outcome: Outcome) {
        *ended = Some(match ended.take() {
            None => (st, outcome),
            Some((mut state, mut so_far)) => {
                self.merge(&mut state, st);
                so_far.status = so_far.status.or(outcome.status);
                so_far.out = so_far.out.or(outcome.out);
                (state, so_far)
            }
        });
    }

    fn case(&mut self, st: &mut State, word: &Word, arms: &[CaseArm], io: &Io) -> Outcome {
        let subject = self.word_value(st, word);
        let mut ended: Option<(State, Outcome)> = None;
        let mut falls = false;
        for arm in arms {
            let mut matches = Some(false);
            for pattern in &arm.patterns {
                let pattern = self.pattern(st, pattern);
                match self.matches(&pattern, &subject) {
                    Some(false) => {}
                    other => {
                        if matches != Some(true) {
                            matches = other;
                        }
                    }
                }
            }
            if matches == Some(false) && !falls {
                continue;
            }
            if !self.charge(st.copy_steps()) {
                break;
            }
            let mut copy = st.clone();
            let outcome = self.block(&mut copy, &arm.body, io);
            self.also(&mut ended, copy, outcome);
            if matches == Some(true) && !arm.falls_through {
                return finish(st, ended);
            }
            falls = arm.falls_through;
        }
        self.also(&mut ended, st.clone(), Outcome::silent(Status::True));
        finish(st, ended)
    }

    /// A subject that no literal value is known for.
    pub(super) fn word_value(&mut self, st: &mut State, word: &Word) -> Value {
        self.expand_value(st, word)
    }
}

fn finish(st: &mut State, ended: Option<(State, Outcome)>) -> Outcome {
    match ended {
        Some((state, outcome)) => {
            *st = state;
            outcome
        }
        None => Outcome::silent(Status::True),
    }
}

fn member_io(io: &Io, stdin: Option<Stream>, capture: bool) -> Io {
    match stdin {
        Some(stream) => Io::new(stream, capture),
        None => io.capturing(capture),
    }
}
