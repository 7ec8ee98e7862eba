//! Simple commands: assignments, aliases, functions, builtins, programs.

use std::rc::Rc;

use super::machine::{Eval, Io, Outcome, Status};
use super::state::{Flow, Function, Slot, State, Var};
use super::values::{self, Stream};
use crate::limits::{self, MAX_CALLS};
use crate::shell::bash::ast::{Assign, AssignValue, Command, Part, Redirect, Word};
use crate::shell::programs::Arg;
use crate::shell::{Piece, Span, Value};

/// A function of this name is called with the words of a command that is not found.
const MISSING: &str = "command_not_found_handle";

impl Eval<'_> {
    pub(super) fn simple(
        &mut self,
        st: &mut State,
        assignments: &[Assign],
        words: &[Word],
        redirects: &[Redirect],
        io: &Io,
    ) -> Outcome {
        if let Some(outcome) = self.alias(st, words, redirects, io) {
            return outcome;
        }
        let declares = |n: &str| super::declare::is_declaration(n) && !st.functions.contains_key(n);
        if words.first().and_then(literal).is_some_and(declares) {
            let redirected = self.redirects(st, redirects, io);
            let local = self.assigned(st, assignments);
            let outcome = self.declare(st, words, &redirected.io);
            Self::restore(st, local);
            return self.close(redirected, outcome);
        }
        let args = self.expand_args(st, words);
        let mut redirected = self.redirects(st, redirects, io);
        let outcome = if args.is_empty() {
            for assign in assignments {
                if !self.charge(limits::STEPS_PER_ASSIGNMENT) {
                    break;
                }
                self.assign(st, assign);
            }
            // A lone substitution's status counts; an assignment of text always succeeds.
            let substitutes = assignments.iter().any(|a| match &a.value {
                AssignValue::Word(w) => has_command(&w.parts),
                AssignValue::Array(_) => false,
            });
            Outcome::silent(if substitutes { Status::Likely } else { Status::True })
        } else {
            self.dispatch(st, assignments, &args, &redirected.io)
        };
        if let [before @ .., last] = args.as_slice()
            && last.value.known().as_deref() == Some("exec")
            && before.iter().all(|a| a.value.known().is_some_and(|word| matches!(word.as_ref(), "command" | "builtin")))
        {
            // Without a program the redirections stay.
            redirected.stay();
            io.stdin.replace(redirected.io.take_stdin());
        }
        if let Some(last) = args.last() {
            st.last_word = last.value.clone();
        }
        self.close(redirected, outcome)
    }

    /// A command whose first word is an alias: its text is put in front and the whole read again.
    fn alias(&mut self, st: &mut State, words: &[Word], redirects: &[Redirect], io: &Io) -> Option<Outcome> {
        if st.aliases.is_empty() {
            return None;
        }
        let name = words.first().and_then(literal)?;
        let text = st.aliases.get(name)?.clone();
        let script = crate::shell::bash::parse(&text);
        let [item] = script.list.as_slice() else { return None };
        let [command] = item.pipeline.commands.as_slice() else { return None };
        let crate::shell::bash::ast::CommandKind::Simple { assignments, words: head } = &command.kind else {
            return None;
        };
        let span = words.first().map(|w| w.span).unwrap_or_default();
        let mut all: Vec<Word> = head.iter().map(|w| Word { parts: w.parts.clone(), span }).collect();
        all.extend_from_slice(&words[1..]);
        // An alias is not expanded within itself.
        let kept = std::mem::take(&mut st.aliases);
        let mut rest = (*kept).clone();
        rest.remove(name);
        st.aliases = Rc::new(rest);
        let outcome = self.simple(st, assignments, &all, redirects, io);
        st.aliases = kept;
        Some(outcome)
    }

    fn dispatch(&mut self, st: &mut State, assignments: &[Assign], args: &[Arg], io: &Io) -> Outcome {
        let Some(first) = args.first() else { return Outcome::silent(Status::True) };
        let name = first.value.known().map(std::borrow::Cow::into_owned);
        let function = name.as_deref().and_then(|n| st.functions.get(n).cloned());
        if assignments.is_empty() {
            return match (function, name) {
                (Some(function), Some(name)) => self.call(st, &name, &function, args, io),
                (_, name) => self.builtin_or_program(st, name.as_deref(), args, io),
            };
        }
        let local = self.assigned(st, assignments);
        let outcome = match (function, name) {
            (Some(function), Some(name)) => self.call(st, &name, &function, args, io),
            (_, name) => self.builtin_or_program(st, name.as_deref(), args, io),
        };
        Self::restore(st, local);
        outcome
    }

    fn builtin_or_program(&mut self, st: &mut State, name: Option<&str>, args: &[Arg], io: &Io) -> Outcome {
        if let Some(name) = name
            && let Some(outcome) = self.builtin(st, name, args, io)
        {
            return outcome;
        }
        // `time -o FILE PROGRAM`: what the keyword leaves over are the options of the program of that name.
        if let Some(first) = args.first()
            && name.is_some_and(|n| n.len() > 1 && n.starts_with('-'))
        {
            let mut timed = vec![Arg { value: Value::text("time"), span: first.span }];
            timed.extend_from_slice(args);
            return self.invoke(st, &timed, io);
        }
        if let Some(handler) = name.and_then(|name| self.handler_of_unknown(st, name)) {
            let mut handed = vec![Arg { value: Value::text(MISSING), span: args[0].span }];
            handed.extend_from_slice(args);
            let mut child = st.clone();
            self.call(&mut child, MISSING, &handler, &handed, io);
        }
        self.invoke(st, args, io)
    }

    /// What the shell calls where it finds no program of this name.
    fn handler_of_unknown(&self, st: &State, name: &str) -> Option<Rc<Function>> {
        let handler = st.functions.get(MISSING).filter(|_| !self.calls.iter().any(|call| call == MISSING))?;
        let path = self.world.env("PATH").unwrap_or_default();
        let found = |dir: &str| self.world.target(&format!("{dir}/{name}")).is_some();
        (!name.contains('/') && !path.split(':').take(64).any(found)).then(|| Rc::clone(handler))
    }

    /// Runs a command's words again from the second on (`command`, `builtin`, `eval` without quotes).
    pub(super) fn rerun(&mut self, st: &mut State, args: &[Arg], io: &Io) -> Outcome {
        let Some(first) = args.first() else { return Outcome::silent(Status::True) };
        let name = first.value.known().map(std::borrow::Cow::into_owned);
        self.deeper(|eval| eval.builtin_or_program(st, name.as_deref(), args, io))
            .unwrap_or_else(|| Outcome::silent(Status::Unknown))
    }

    /// Assignments for one command only: sets them exported, gives what was there before.
    fn assigned(&mut self, st: &mut State, assignments: &[Assign]) -> Vec<(String, Option<Slot>)> {
        let mut before = Vec::with_capacity(assignments.len());
        for assign in assignments {
            if !self.charge(limits::STEPS_PER_ASSIGNMENT) {
                break;
            }
            before.push((assign.name.clone(), st.var(&assign.name).cloned()));
            self.assign(st, assign);
            st.export(&assign.name, true, self.world);
        }
        before
    }

    fn restore(st: &mut State, before: Vec<(String, Option<Slot>)>) {
        for (name, slot) in before.into_iter().rev() {
            st.put(&name, slot);
        }
    }

    /// `name=value` and its forms.
    pub(super) fn assign(&mut self, st: &mut State, assign: &Assign) {
        match &assign.value {
            AssignValue::Word(word) => {
                let value = self.expand_assigned(st, word);
                let index = assign.index.as_ref().map(|w| self.expand_value(st, w));
                self.store(st, &assign.name, index.as_ref(), assign.append, value);
            }
            AssignValue::Array(words) => {
                let items = self.array_items(st, words);
                self.store_array(st, &assign.name, assign.append, items);
            }
        }
    }

    pub(super) fn store_array(&mut self, st: &mut State, name: &str, append: bool, items: Vec<(String, Value)>) {
        let mut all = match st.var(name).map(|s| &s.var) {
            Some(Var::Array(old)) if append => old.clone(),
            Some(Var::Scalar(old)) if append => vec![("0".to_owned(), values::join_all(old))],
            _ => Vec::new(),
        };
        let offset = all.len();
        for (key, value) in items {
            let key = match key.parse::<usize>() {
                Ok(n) if append => (n + offset).to_string(),
                _ => key,
            };
            all.push((key, value));
        }
        if all.len() > limits::MAX_EXPANSION {
            let values: Vec<Value> = all.into_iter().map(|(_, v)| v).collect();
            all = vec![("0".to_owned(), values::join_all(&values))];
        }
        self.charge(all.len() / 8);
        st.set(name, Var::Array(all), self.world);
    }

    pub(super) fn store(&mut self, st: &mut State, name: &str, index: Option<&Value>, append: bool, value: Value) {
        if let Some(index) = index {
            let key = index.known().map(std::borrow::Cow::into_owned);
            if name == "BASH_ALIASES"
                && let (Some(key), Some(text)) = (&key, value.known())
            {
                Rc::make_mut(&mut st.aliases).insert(key.clone(), text.into_owned());
            }
            let key = match key {
                Some(k) if k.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && st.var(&k).is_some() => {
                    self.arith_text(st, &k).map_or(k, |n| n.to_string())
                }
                Some(k) => k,
                // An element nobody knows: a further one keeps every path.
                None => format!("?{}", self.found.effects.len()),
            };
            let mut items = match st.take(name) {
                Some(Var::Array(items)) => items,
                Some(Var::Scalar(old)) => vec![("0".to_owned(), values::join_all(&old))],
                _ => Vec::new(),
            };
            self.charge(items.len() / 256);
            match items.iter().position(|(k, _)| *k == key) {
                Some(at) if append => items[at].1.append(value),
                Some(at) => items[at].1 = value,
                None if items.len() < limits::MAX_EXPANSION => items.push((key, value)),
                None => items = vec![("0".to_owned(), Value::any())],
            }
            st.set(name, Var::Array(items), self.world);
            return;
        }
        let value = if append {
            let old = self.variable(st, name).unwrap_or_default();
            self.charge_bytes(old.text_len());
            let mut all = old;
            all.append(value);
            values::capped(all)
        } else {
            value
        };
        // What a trace is led in by runs with every command.
        if name == "PS4" && value.prefix().contains(['$', '`']) {
            let mut text = Value::text(": \"");
            text.append(value.clone());
            text.push_str("\"");
            let io = Io::new(Stream::Unknown, false);
            self.run_text(&mut st.clone(), &text, self.outer.unwrap_or_default(), &io);
        }
        st.set(name, Var::one(value), self.world);
    }

    /// The elements of `( a b [3]=c )`.
    pub(super) fn array_items(&mut self, st: &mut State, words: &[Word]) -> Vec<(String, Value)> {
        let mut items = Vec::new();
        for word in words {
            if let Some((key, value)) = keyed(word) {
                let key = self.expand_value(st, &key);
                let value = self.expand_assigned(st, &value);
                let key = key.known().map_or_else(|| items.len().to_string(), std::borrow::Cow::into_owned);
                items.push((key, value));
                continue;
            }
            for value in self.expand_word(st, word) {
                items.push((items.len().to_string(), value));
            }
        }
        items
    }

    pub(super) fn define(&mut self, st: &mut State, name: &str, body: &Command, redirects: &[Redirect]) {
        // The copy is charged: a definition in a loop must not make the work quadratic.
        let size = (body.span.end.saturating_sub(body.span.start)) as usize;
        self.charge_bytes(size);
        let mut body = body.clone();
        body.redirects.extend_from_slice(redirects);
        let function = Function { body, outer: self.outer, holes: Rc::clone(&self.holes) };
        Rc::make_mut(&mut st.functions).insert(name.to_owned(), Rc::new(function));
        if st.allexport || st.exported.contains_key(name) {
            st.export_function(name);
        }
    }

    fn call(&mut self, st: &mut State, name: &str, function: &Rc<Function>, args: &[Arg], io: &Io) -> Outcome {
        let active = self.calls.iter().filter(|c| *c == name).count();
        let known = args.iter().all(|a| a.value.known().is_some());
        if active >= if known { MAX_CALLS } else { 2 } {
            return Outcome::new(Status::Unknown, Stream::Unknown);
        }
        self.calls.push(name.to_owned());
        self.returned.push(None);
        let params = Rc::new(args.iter().skip(1).map(|a| a.value.clone()).collect::<Vec<Value>>());
        let before = std::mem::replace(&mut st.params, params);
        let outer = std::mem::replace(&mut self.outer, function.outer);
        let holes = std::mem::replace(&mut self.holes, Rc::clone(&function.holes));
        let loops = std::mem::take(&mut self.broken);
        self.locals.push(Vec::new());
        let mut outcome = self.command(st, &function.body, io);
        self.settle(st, &mut outcome);
        if st.flow == Flow::Return {
            st.flow = Flow::Next;
        }
        if let Some(returned) = self.returned.pop().flatten() {
            self.merge(st, returned);
            outcome.status = Status::Unknown;
        }
        for (name, slot) in self.locals.pop().unwrap_or_default().into_iter().rev() {
            st.put(&name, slot);
        }
        self.broken = loops;
        self.holes = holes;
        self.outer = outer;
        st.params = before;
        self.calls.pop();
        if outcome.status == Status::False { outcome } else { Outcome { failed: None, ..outcome } }
    }

    /// Runs a known or partly known text as a script in `st`.
    pub(super) fn run_text(&mut self, st: &mut State, text: &Value, span: Span, io: &Io) -> Outcome {
        let Some((source, holes)) = super::machine::with_holes(text) else {
            self.opaque_text("shell", span);
            return Outcome::new(Status::Unknown, Stream::Unknown);
        };
        if self.reentry >= limits::MAX_REENTRY {
            self.stop(crate::shell::GapKind::Nesting);
            return Outcome::silent(Status::Unknown);
        }
        self.charge(limits::STEPS_PER_COPY);
        self.charge_bytes(source.len() * 4);
        if source.len() > limits::MAX_COMMAND_BYTES {
            self.stop(crate::shell::GapKind::Size);
            return Outcome::silent(Status::Unknown);
        }
        let script = crate::shell::bash::parse(&source);
        let outer = self.outer.replace(span);
        let holes: Rc<Vec<Piece>> = Rc::new(holes);
        let holes = std::mem::replace(&mut self.holes, holes);
        self.reentry += 1;
        for gap in &script.gaps {
            // Text that is only known in part need not be what it looks like.
            if gap.kind != crate::shell::GapKind::Syntax || self.holes.is_empty() {
                self.gap(gap.kind, gap.span);
            }
        }
        let outcome = self.deeper(|eval| {
            let mut outcome = eval.list(st, &script.list, io);
            eval.settle(st, &mut outcome);
            outcome
        });
        self.reentry -= 1;
        self.holes = holes;
        self.outer = outer;
        outcome.unwrap_or_else(|| Outcome::silent(Status::Unknown))
    }
}

/// The text of a word that is a single unquoted literal.
pub(super) fn literal(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Bare(text)] => Some(text),
        _ => None,
    }
}

fn has_command(parts: &[Part]) -> bool {
    parts.iter().any(|p| match p {
        Part::Command { .. } => true,
        Part::Double(inner) => has_command(inner),
        _ => false,
    })
}

/// `[key]=value` as an element of an array.
fn keyed(word: &Word) -> Option<(Word, Word)> {
    let Some(Part::Bare(first)) = word.parts.first() else { return None };
    if !first.starts_with('[') {
        return None;
    }
    let span = word.span;
    if let Some(end) = first.find("]=") {
        let key = Word { parts: vec![Part::Bare(first[1..end].to_owned())], span };
        let mut parts = Vec::new();
        if first.len() > end + 2 {
            parts.push(Part::Bare(first[end + 2..].to_owned()));
        }
        parts.extend_from_slice(&word.parts[1..]);
        return Some((key, Word { parts, span }));
    }
    let at = word.parts.iter().position(|p| matches!(p, Part::Bare(s) if s.starts_with("]=")))?;
    let mut key = vec![Part::Bare(first[1..].to_owned())];
    key.extend_from_slice(&word.parts[1..at]);
    let Some(Part::Bare(tail)) = word.parts.get(at) else { return None };
    let mut parts = vec![Part::Bare(tail[2..].to_owned())];
    parts.extend_from_slice(&word.parts[at + 1..]);
    Some((Word { parts: key, span }, Word { parts, span }))
}
