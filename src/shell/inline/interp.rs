//! The state of an abstract run, and how names, functions and blocks are kept.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::token::{Kind, Token};
use super::val::Val;
use crate::limits::MAX_INLINE_DEPTH;
use crate::shell::programs::{Act, Arg, Language};
use crate::shell::{Span, Value};
use crate::world::World;

/// A function of the script.
#[derive(Clone, Debug)]
pub(super) struct Func {
    pub(super) name: Rc<str>,
    /// Tokens between the brackets of its parameters.
    pub(super) params: (usize, usize),
    pub(super) body: (usize, usize),
    /// The body is one expression.
    pub(super) expression: bool,
    /// The first parameter is the object.
    pub(super) takes_self: bool,
    pub(super) called: bool,
    /// It escapes as a value or by a decorator: somebody may call it.
    pub(super) escapes: bool,
    /// Being called.
    pub(super) active: bool,
}

/// Arguments of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Args {
    pub(super) pos: Vec<Val>,
    pub(super) kw: Vec<(Rc<str>, Val)>,
}

impl Args {
    /// The named argument, also as a key of an options object.
    pub(super) fn named(&self, name: &str) -> Option<&Val> {
        let direct = self.kw.iter().find(|(k, _)| k.as_ref() == name).map(|(_, v)| v);
        direct.or_else(|| self.pos.iter().rev().find_map(|v| v.get(name)))
    }
}

pub(super) struct Interp<'a> {
    pub(super) language: Language,
    pub(super) toks: &'a [Token<'a>],
    /// The next token, and one past the last that may be taken.
    pub(super) i: usize,
    pub(super) end: usize,
    pub(super) args: &'a [Arg],
    pub(super) cwd: &'a str,
    pub(super) world: &'a dyn World,
    pub(super) span: Span,
    pub(super) acts: Vec<Act>,
    pub(super) vars: BTreeMap<Rc<str>, Val>,
    /// What assignments replaced, so that blocks can be merged and calls undone.
    pub(super) log: Vec<(Rc<str>, Option<Val>)>,
    /// Some variable has a dotted name (`self.root`).
    pub(super) dotted: bool,
    pub(super) funcs: Vec<Func>,
    pub(super) returned: Vec<Val>,
    /// Modules whose names are all imported (`from os import *`).
    pub(super) stars: Vec<Rc<str>>,
    pub(super) work: usize,
    pub(super) depth: usize,
    /// How often text was handed to another interpreter.
    pub(super) reentry: usize,
    /// A limit was reached: something is missing.
    pub(super) cut: bool,
    /// Where `chdir` went.
    pub(super) chdir: Option<Value>,
    pub(super) loops: usize,
    /// Indentation of the current line.
    pub(super) column: usize,
    pub(super) decorated: bool,
}

impl<'a> Interp<'a> {
    pub(super) fn is_language(&self, language: Language) -> bool {
        self.language == language
    }

    /// Takes `n` units of work; `false` when none is left.
    pub(super) fn spend(&mut self, n: usize) -> bool {
        if self.work < n {
            self.work = 0;
            self.cut = true;
            self.i = self.end;
            return false;
        }
        self.work -= n;
        true
    }

    /// Runs `f` one level deeper, unless that is too deep.
    pub(super) fn deeper<R>(&mut self, otherwise: R, f: impl FnOnce(&mut Self) -> R) -> R {
        if self.depth >= MAX_INLINE_DEPTH {
            self.cut = true;
            self.i = self.end;
            return otherwise;
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Runs `f` on the tokens `start..end`.
    pub(super) fn within<R>(&mut self, start: usize, end: usize, f: impl FnOnce(&mut Self) -> R) -> R {
        let saved = (self.i, self.end);
        self.i = start;
        self.end = end.min(self.toks.len());
        let result = f(self);
        (self.i, self.end) = saved;
        result
    }

    pub(super) fn peek(&self) -> Option<&'a Token<'a>> {
        if self.i < self.end { self.toks.get(self.i) } else { None }
    }

    pub(super) fn peek_at(&self, n: usize) -> Option<&'a Token<'a>> {
        if self.i + n < self.end { self.toks.get(self.i + n) } else { None }
    }

    /// Whether the next token is this word, operator or bracket.
    pub(super) fn is(&self, text: &str) -> bool {
        self.peek().is_some_and(|t| is_code(t) && t.text == text)
    }

    pub(super) fn is_at(&self, n: usize, text: &str) -> bool {
        self.peek_at(n).is_some_and(|t| is_code(t) && t.text == text)
    }

    /// Takes the next token where it is `text`.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.i += usize::from(found);
        found
    }

    pub(super) fn skip_newlines(&mut self) {
        while self.peek().is_some_and(|t| t.kind == Kind::Newline) {
            self.i += 1;
        }
    }

    /// The token after the bracket at `at` is closed.
    pub(super) fn after(&self, at: usize) -> usize {
        let t = &self.toks[at];
        match t.kind {
            Kind::Open | Kind::Tpl | Kind::Cmd | Kind::Code if t.mate > at => (t.mate + 1).min(self.toks.len()),
            _ => at + 1,
        }
    }

    /// The first top-level token of `start..end` that `wanted` accepts.
    pub(super) fn scan(&mut self, start: usize, end: usize, wanted: impl Fn(&Token<'a>) -> bool) -> Option<usize> {
        let mut at = start;
        let end = end.min(self.toks.len());
        while at < end {
            if !self.spend(1) {
                return None;
            }
            if wanted(&self.toks[at]) {
                return Some(at);
            }
            at = self.after(at);
        }
        None
    }

    /// `start..end` cut at its top-level commas; empty parts are left out.
    pub(super) fn segments(&mut self, start: usize, end: usize) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        let mut from = start;
        while from < end {
            let comma = self.scan(from, end, |t| is_code(t) && t.text == ",").unwrap_or(end);
            if comma > from {
                out.push((from, comma));
            }
            from = comma + 1;
            if self.work == 0 {
                break;
            }
        }
        out
    }

    // --- names ---

    pub(super) fn set(&mut self, name: &str, value: Val) {
        if !self.spend(1 + value.weight()) {
            return;
        }
        self.dotted |= name.contains('.');
        if name.starts_with("sys.std")
            && let Val::Name(handle) = &value
        {
            // What is printed goes there.
            self.lose_text(&handle.clone());
        }
        let key: Rc<str> = Rc::from(name);
        let old = self.vars.insert(key.clone(), value);
        self.log.push((key, old));
    }

    pub(super) fn var(&self, name: &str) -> Option<&Val> {
        self.vars.get(name)
    }

    /// Forgets or merges what was assigned since the log had `mark` entries.
    pub(super) fn leave(&mut self, mark: usize, merge: bool) {
        if !merge {
            return;
        }
        let n = self.log.len() - mark.min(self.log.len());
        if !self.spend(n) {
            return;
        }
        for at in mark..self.log.len() {
            let (name, old) = self.log[at].clone();
            let first = !self.log[mark..at].iter().take(32).any(|(n, _)| *n == name);
            if let (true, Some(old), Some(new)) = (first, old, self.vars.get(&name).cloned()) {
                self.vars.insert(name, old.union(new));
            }
        }
    }

    /// Puts back what was assigned since the log had `mark` entries, but for attributes.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            let Some((name, old)) = self.log.pop() else { break };
            // Attributes outlive the call.
            if name.contains('.') || (name.starts_with('@') && self.is_language(Language::Ruby)) {
                continue;
            }
            match old {
                Some(v) => self.vars.insert(name, v),
                None => self.vars.remove(&name),
            };
        }
    }

    /// Binds the pattern in `start..end` (a name, a tuple, an object pattern, with a default) to `value`.
    pub(super) fn bind(&mut self, start: usize, end: usize, value: Val) {
        self.deeper((), |me| me.bind_here(start, end, value));
    }

    fn bind_here(&mut self, start: usize, end: usize, value: Val) {
        let parts = self.segments(start, end);
        if parts.len() > 1 {
            for (n, (s, e)) in parts.into_iter().enumerate() {
                self.bind(s, e, item(&value, n));
            }
            return;
        }
        let Some((mut s, e)) = parts.first().copied() else { return };
        // Modifiers and types before the name.
        while s < e {
            let t = &self.toks[s];
            let modifier = t.kind == Kind::Newline
                || matches!(t.text.as_ref(), "*" | "**" | "..." | "&" | "?" | "|")
                || (t.kind == Kind::Word
                    && matches!(t.text.as_ref(), "my" | "our" | "local" | "const" | "let" | "var" | "list" | "async"))
                || (t.kind == Kind::Word
                    && self.is_language(Language::Php)
                    && s + 1 < e
                    && self.toks[s + 1].text != "=");
            if !modifier {
                break;
            }
            s += 1;
        }
        if s >= e {
            return;
        }
        let t = &self.toks[s];
        match (t.kind, t.text.as_ref()) {
            (Kind::Open, "(" | "[") => {
                let close = t.mate.min(e);
                for (n, (a, b)) in self.segments(s + 1, close).into_iter().enumerate() {
                    self.bind(a, b, item(&value, n));
                }
            }
            (Kind::Open, "{") => {
                let close = t.mate.min(e);
                self.bind_object(s + 1, close, &value);
            }
            (Kind::Word | Kind::Var, _) => self.bind_name(s, e, value),
            _ => {}
        }
    }

    fn bind_name(&mut self, s: usize, e: usize, value: Val) {
        let mut name = self.toks[s].text.to_string();
        let mut at = s + 1;
        while at + 1 < e && matches!(self.toks[at].text.as_ref(), "." | "->") && self.toks[at + 1].kind == Kind::Word {
            name.push('.');
            name.push_str(&self.toks[at + 1].text);
            at += 2;
        }
        let colon = self.is_language(Language::Ruby);
        let default = self.scan(at, e, |t| is_code(t) && (t.text == "=" || (colon && t.text == ":")));
        let value = match (default, value) {
            (Some(d), Val::Null) => self.within(d + 1, e, Interp::expression),
            (_, Val::Null) => Val::Unknown,
            (_, v) => v,
        };
        self.set(&name, value);
    }

    fn bind_object(&mut self, start: usize, end: usize, value: &Val) {
        for (s, e) in self.segments(start, end) {
            let mut s = s;
            while s < e && (self.toks[s].kind == Kind::Newline || self.toks[s].text == "...") {
                s += 1;
            }
            if s >= e {
                continue;
            }
            let key = self.toks[s].text.to_string();
            let part = self.attribute(value, &key);
            match self.toks.get(s + 1) {
                Some(t) if s + 1 < e && matches!(t.text.as_ref(), ":" | "as") => self.bind(s + 2, e, part),
                _ => self.bind(s, e, part),
            }
        }
    }

    // --- functions ---

    pub(super) fn define(&mut self, func: Func) -> usize {
        self.funcs.push(func);
        self.funcs.len() - 1
    }

    /// Calls function `id` of the script.
    pub(super) fn invoke(&mut self, id: usize, args: &Args) -> Val {
        if self.funcs[id].active {
            return Val::Unknown;
        }
        self.funcs[id].called = true;
        self.deeper(Val::Unknown, |me| me.invoke_here(id, args))
    }

    fn invoke_here(&mut self, id: usize, args: &Args) -> Val {
        if !self.spend(8) {
            return Val::Unknown;
        }
        self.funcs[id].active = true;
        let func = self.funcs[id].clone();
        let mark = self.log.len();
        let returns = self.returned.len();
        let saved = (self.column, self.loops);
        self.bind_params(&func, args);
        let value = self.within(func.body.0, func.body.1, |me| {
            if func.expression {
                return me.expression();
            }
            let last = me.statements();
            if me.is_language(Language::Ruby) || me.is_language(Language::Perl) { last } else { Val::Null }
        });
        let value = self.returned.drain(returns..).fold(value, Val::union);
        (self.column, self.loops) = saved;
        self.undo(mark);
        self.funcs[id].active = false;
        if matches!(value, Val::Null) { Val::Unknown } else { value }
    }

    fn bind_params(&mut self, func: &Func, args: &Args) {
        if self.is_language(Language::Perl) {
            self.set("@_", Val::list(args.pos.clone()));
        }
        let mut n = 0usize;
        for (at, (s, e)) in self.segments(func.params.0, func.params.1).into_iter().enumerate() {
            if at == 0 && func.takes_self {
                continue;
            }
            let star = self.toks[s].text == "*" || self.toks[s].text == "...";
            if star {
                let rest = args.pos.get(n..).map_or_else(Vec::new, <[Val]>::to_vec);
                let value = if rest.is_empty() { Val::each(Val::Unknown) } else { Val::list(rest) };
                self.bind(s, e, value);
                n = args.pos.len();
                continue;
            }
            let name = (s..e)
                .find(|&i| matches!(self.toks[i].kind, Kind::Word | Kind::Var))
                .map(|i| self.toks[i].text.clone());
            let name = name.as_deref().unwrap_or("");
            let by_name =
                args.kw.iter().find(|(k, _)| k.as_ref() == name.trim_start_matches('$')).map(|(_, v)| v.clone());
            let value = by_name.or_else(|| args.pos.get(n).cloned()).unwrap_or(Val::Null);
            n += 1;
            self.bind(s, e, value);
        }
    }

    /// A function passed on: called with what is known of its arguments.
    pub(super) fn call_back(&mut self, args: &Args, element: Option<&Val>) -> Val {
        let mut result = Val::Null;
        for (n, arg) in args.pos.iter().enumerate() {
            if let (Val::Name(_), Some(e)) = (arg, element) {
                // A function of a library, for each element.
                let given = Args { pos: vec![e.clone()], kw: Vec::new() };
                self.call(arg, &given);
            } else if let Val::Func(id) = arg {
                let given = match element {
                    Some(e) => Args { pos: vec![e.clone()], kw: Vec::new() },
                    None if self.is_language(Language::Python) && n == 0 => {
                        Args { pos: args.pos[1..].to_vec(), kw: Vec::new() }
                    }
                    None => Args::default(),
                };
                result = result.union(self.invoke(*id, &given));
            }
        }
        for (_, v) in &args.kw {
            if let Val::Func(id) = v {
                let given = match args.named("args") {
                    Some(Val::List(l)) => l.as_ref().clone(),
                    _ => Vec::new(),
                };
                self.invoke(*id, &Args { pos: given, kw: Vec::new() });
            }
        }
        if matches!(result, Val::Null) { Val::Unknown } else { result }
    }

    /// Runs functions that nobody called but somebody else may.
    pub(super) fn run_escaped(&mut self) {
        let mut id = 0;
        while id < self.funcs.len() {
            if self.funcs[id].escapes && !self.funcs[id].called {
                self.invoke(id, &Args::default());
            }
            id += 1;
        }
    }
}

/// Whether the token is code rather than the text of a literal.
pub(super) fn is_code(t: &Token<'_>) -> bool {
    matches!(t.kind, Kind::Word | Kind::Punct | Kind::Open | Kind::Close | Kind::Var)
}

/// Element `n` of a sequence.
pub(super) fn item(value: &Val, n: usize) -> Val {
    match value {
        Val::List(items) => items.get(n).cloned().unwrap_or(Val::Null),
        Val::Lists(lists) => lists.iter().map(|list| item(list, n)).reduce(Val::union).unwrap_or(Val::Null),
        Val::Each(v) => v.as_ref().clone(),
        Val::Str(s) if s.iter().all(super::val::no_separator) => Val::name(),
        _ => Val::Unknown,
    }
}
