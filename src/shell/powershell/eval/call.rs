//! Commands: what their name stands for, functions, script blocks.

use std::borrow::Cow;
use std::rc::Rc;

use super::super::ast::{Body, Command, Flow, Invocation};
use super::bind::Given;
use super::machine::{By, Eval};
use super::state::State;
use super::table::{Row, alias};
use super::val::Val;
use crate::limits::{MAX_CALLS, MAX_SOURCED_BYTES};
use crate::shell::bash::eval::values::Stream;
use crate::shell::{EffectKind, Span, Value};
use crate::world::World;

/// How many aliases may follow one another.
const MAX_ALIASES: usize = 8;

impl Eval<'_> {
    pub(super) fn command(&mut self, st: &mut State, command: &Command, feed: Option<&Vec<Val>>) -> Vec<Val> {
        let name = self.expr(st, &command.name);
        let dot = command.invocation == Some(Invocation::Dot);
        let mut out = Vec::new();
        for name in name.alternatives() {
            let given = self.given(st, &command.args);
            let more = match name {
                Val::Block(body) => self.deeper(|eval| eval.call(st, &body, given, feed.cloned(), dot)),
                Val::Null if command.invocation.is_some() => None,
                name => {
                    let span = command.name.span;
                    self.deeper(|eval| eval.named(st, &name.string(), span, given, feed.cloned(), dot))
                }
            };
            super::statement::give(&mut out, more.unwrap_or_default());
        }
        out
    }

    /// Runs what a name stands for.
    fn named(
        &mut self,
        st: &mut State,
        name: &Value,
        span: Span,
        given: Vec<Given>,
        feed: Option<Vec<Val>>,
        dot: bool,
    ) -> Vec<Val> {
        let Some(spelled) = name.known().map(Cow::into_owned) else {
            return self.program(st, name, span, given, feed);
        };
        let mut lower = spelled.to_lowercase();
        for _ in 0..MAX_ALIASES {
            match st.aliases.get(&lower) {
                Some(target) if *target != lower => lower.clone_from(target),
                _ => break,
            }
        }
        if let Some(body) = st.functions.get(&lower).cloned() {
            return self.function(st, &lower, &body, given, feed, dot);
        }
        if let Some(cmdlet) = self.cmdlet_name(&lower, &given)
            && let Some(row) = Row::of(cmdlet)
        {
            return self.cmdlet(st, cmdlet, row, span, given, feed);
        }
        if self.windows() && matches!(spelled.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic()) {
            // `D:` changes to where that drive stands.
            self.go(st, &Value::text(format!("{spelled}\\")));
            return Vec::new();
        }
        if let Some(out) = self.own_script(st, &spelled, span, &given, dot) {
            return out;
        }
        let name = if lower == spelled.to_lowercase() { name.clone() } else { Value::text(lower) };
        self.program(st, &name, span, given, feed)
    }

    /// The cmdlet that a lower-case name stands for.
    fn cmdlet_name<'n>(&self, name: &'n str, given: &[Given]) -> Option<&'n str> {
        // `Microsoft.PowerShell.Management\New-Item`
        let bare = name.rsplit_once('\\').filter(|(module, _)| module.starts_with("microsoft.powershell."));
        let name = bare.map_or(name, |(_, name)| name);
        if name == "mkdir" && !self.windows() {
            return None;
        }
        if let Some(cmdlet) = alias(name, self.windows()) {
            return (!is_service_control(name, given) && (cmdlet != "mkdir" || self.windows())).then_some(cmdlet);
        }
        // Aliases in Windows PowerShell, programs in PowerShell 7.
        if matches!(name, "curl" | "wget") && self.windows() {
            return is_web_cmdlet(given).then_some("invoke-webrequest");
        }
        Some(name)
    }

    /// A function: its parameters, its body, and back to the caller's variables.
    fn function(
        &mut self,
        st: &mut State,
        name: &str,
        body: &Rc<Body>,
        given: Vec<Given>,
        feed: Option<Vec<Val>>,
        dot: bool,
    ) -> Vec<Val> {
        let active = self.calls.iter().filter(|c| *c == name).count();
        let known = given.iter().all(|g| !matches!(g, Given::Value { val: Val::Unknown, .. }));
        if active >= if known { MAX_CALLS } else { 2 } {
            return vec![Val::Unknown];
        }
        self.calls.push(name.to_owned());
        let out = self.call(st, body, given, feed, dot);
        self.calls.pop();
        out
    }

    /// Runs a script block or a function's body.
    pub(super) fn call(
        &mut self,
        st: &mut State,
        body: &Rc<Body>,
        given: Vec<Given>,
        feed: Option<Vec<Val>>,
        dot: bool,
    ) -> Vec<Val> {
        let before = st.scope();
        let outward = self.outward.len();
        let parked = self.parked.len();
        self.parameters(st, body, given, feed.as_ref());
        let out = self.body(st, body, feed);
        if st.flow == Some(Flow::Return) {
            st.flow = None;
        }
        self.unpark(st, parked, |flow| flow == Flow::Return);
        if !dot {
            let outer = self.outward.split_off(outward.min(self.outward.len()));
            st.leave(before, &outer);
            // An outer function's caller may be meant too.
            self.outward.extend(outer);
        }
        out
    }

    /// Sets a body's parameters to its arguments.
    fn parameters(&mut self, st: &mut State, body: &Body, given: Vec<Given>, feed: Option<&Vec<Val>>) {
        let mut rest = Vec::new();
        let mut bound: Vec<(String, Val)> = Vec::new();
        let mut args = given.into_iter().peekable();
        while let Some(arg) = args.next() {
            match arg {
                Given::Value { val, .. } => rest.push(val),
                Given::Verbatim { text, .. } => rest.push(Val::text(text)),
                Given::Param { name, val, .. } => {
                    let lower = name.to_lowercase();
                    let exact = body.params.iter().find(|p| p.name == lower);
                    match exact.or_else(|| body.params.iter().find(|p| p.name.starts_with(&lower))) {
                        Some(param) if param.switch => {
                            bound.push((param.name.clone(), val.unwrap_or(Val::Bool(true))));
                        }
                        Some(param) => {
                            let val = val.or_else(|| match args.next_if(|a| matches!(a, Given::Value { .. })) {
                                Some(Given::Value { val, .. }) => Some(val),
                                _ => None,
                            });
                            bound.push((param.name.clone(), val.unwrap_or(Val::Null)));
                        }
                        None => {
                            rest.push(Val::text(format!("-{name}")));
                            rest.extend(val);
                        }
                    }
                }
            }
        }
        let mut rest = rest.into_iter();
        for param in &body.params {
            let value = match bound.iter().position(|(name, _)| *name == param.name) {
                Some(at) => bound.swap_remove(at).1,
                None if param.switch => Val::Bool(false),
                None => match (rest.next(), &param.default) {
                    (Some(val), _) => val,
                    (None, Some(default)) => self.expr(st, default),
                    // A parameter that the pipeline may fill.
                    (None, None) if feed.is_some() => feed.map_or(Val::Null, |feed| Val::either(feed.clone())),
                    (None, None) => Val::Null,
                },
            };
            st.set(&param.name, value);
        }
        st.set("args", Val::list(rest.collect()));
        if let Some(feed) = feed {
            st.set("input", Val::list(feed.clone()));
        }
    }

    /// A script whose text stands in this very command, or one that is sourced.
    fn own_script(
        &mut self,
        st: &mut State,
        spelled: &str,
        span: Span,
        given: &[Given],
        dot: bool,
    ) -> Option<Vec<Val>> {
        let ends = |suffix: &str| {
            spelled.len() > suffix.len()
                && spelled.get(spelled.len() - suffix.len()..).is_some_and(|tail| tail.eq_ignore_ascii_case(suffix))
        };
        if !ends(".ps1") && !ends(".psm1") {
            return None;
        }
        let path = self.known_path(st, &Value::text(spelled))?;
        let text = match self.overlay.written(&path) {
            Some(Stream::Text(text)) => text.clone(),
            // What a sourced file defines counts; what it does by itself is like any program's doing.
            None if dot => Value::text(self.overlay.read_text(&path, MAX_SOURCED_BYTES)?),
            _ => return None,
        };
        self.path_effect(st, EffectKind::Read, &Value::text(spelled), &By::proven(".", span));
        let args = given.to_vec();
        let before = st.scope();
        let out = self.script_text(st, &path, &text, span, args);
        if !dot {
            st.leave(before, &[]);
        }
        Some(out)
    }
}

/// `sc` is a program with PowerShell 7, and with Windows PowerShell an alias of `Set-Content`.
fn is_service_control(name: &str, given: &[Given]) -> bool {
    let verbs = " query queryex qc create delete start stop config description failure sdshow sdset pause continue ";
    name == "sc"
        && matches!(given.first(), Some(Given::Value { val, .. })
            if val.known().is_some_and(|v| verbs.contains(&format!(" {} ", v.to_lowercase()))))
}

/// Whether arguments of `curl` are those of the cmdlet.
fn is_web_cmdlet(given: &[Given]) -> bool {
    let row = Row::of("invoke-webrequest");
    given.iter().any(|g| match g {
        Given::Param { name, .. } => {
            let lower = name.to_lowercase();
            name.len() > 2 && row.and_then(|r| r.param(&lower)).is_some()
        }
        _ => false,
    })
}
