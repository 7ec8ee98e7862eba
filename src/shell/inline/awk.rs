//! awk programs: what `print > file` writes, what `print | command`, `command | getline` and `system()` run.

use std::collections::BTreeMap;

use super::interp::is_code;
use super::lex;
use super::token::{Kind, Token};
use super::val::{Val, concat};
use crate::limits::{MAX_INLINE_ACTS, MAX_INLINE_TEMPLATES, MAX_INLINE_WORK};
use crate::shell::programs::{Act, Arg, Language};
use crate::shell::{Certainty, Dialect, EffectKind, Span, Value};
use crate::world::World;

/// What the awk program `source` does besides printing.
pub(super) fn acts(source: &str, args: &[Arg], world: &dyn World, span: Span) -> Vec<Act> {
    let tokens = lex::lex(Language::Awk, source);
    let mut awk = Awk {
        toks: &tokens.list,
        vars: BTreeMap::new(),
        world,
        span,
        acts: Vec::new(),
        work: MAX_INLINE_WORK + 8 * tokens.list.len(),
        depth: 0,
    };
    for arg in args {
        if let Some((name, _)) = arg.value.prefix().split_once('=').filter(|(n, _)| n.bytes().all(lex::is_word)) {
            let skip = name.len() + 1;
            awk.vars.insert(name.to_owned(), Val::one(arg.value.skip(skip)));
        }
    }
    let files = args.iter().filter(|a| !a.value.prefix().contains('=')).map(|a| Val::one(a.value.clone()));
    if let Some(files) = files.reduce(Val::union) {
        awk.vars.insert("FILENAME".to_owned(), files);
    }
    awk.assignments();
    awk.run();
    if awk.work == 0 || awk.acts.len() >= MAX_INLINE_ACTS {
        awk.acts.push(super::acts::unknown(span));
    }
    awk.acts
}

struct Awk<'a> {
    toks: &'a [Token<'a>],
    vars: BTreeMap<String, Val>,
    world: &'a dyn World,
    span: Span,
    acts: Vec<Act>,
    work: usize,
    depth: usize,
}

impl Awk<'_> {
    fn is(&self, at: usize, text: &str) -> bool {
        self.toks.get(at).is_some_and(|t| is_code(t) && t.text == text)
    }

    /// Every value that a variable may get, wherever.
    fn assignments(&mut self) {
        for at in 0..self.toks.len() {
            if self.toks[at].kind != Kind::Word || !self.is(at + 1, "=") {
                continue;
            }
            let end = self.statement_end(at + 2);
            let value = self.value(at + 2, end);
            let name = self.toks[at].text.to_string();
            let old = self.vars.remove(&name).unwrap_or(Val::Null);
            self.vars.insert(name, old.union(value));
        }
    }

    fn statement_end(&mut self, from: usize) -> usize {
        let mut at = from;
        while let Some(t) = self.toks.get(at) {
            self.work = self.work.saturating_sub(1);
            let over =
                matches!(t.kind, Kind::Newline | Kind::Close) || (is_code(t) && matches!(t.text.as_ref(), ";" | ","));
            if over || self.work == 0 {
                break;
            }
            at = self.after(at);
        }
        at
    }

    fn after(&self, at: usize) -> usize {
        let t = &self.toks[at];
        if t.kind == Kind::Open && t.mate > at { t.mate + 1 } else { at + 1 }
    }

    fn run(&mut self) {
        let mut at = 0;
        while at < self.toks.len() && self.work > 0 && self.acts.len() < MAX_INLINE_ACTS {
            let t = &self.toks[at];
            self.work = self.work.saturating_sub(1);
            if t.kind == Kind::Word {
                match t.text.as_ref() {
                    "print" | "printf" => self.print(at + 1),
                    "system" if self.is(at + 1, "(") => {
                        let end = self.toks[at + 1].mate;
                        let text = self.value(at + 2, end);
                        self.shell(&text);
                    }
                    "getline" => self.getline(at),
                    _ => {}
                }
            }
            at += 1;
        }
    }

    /// The redirection of a `print`, where it has one.
    fn print(&mut self, from: usize) {
        let mut at = from;
        while let Some(t) = self.toks.get(at) {
            self.work = self.work.saturating_sub(1);
            if matches!(t.kind, Kind::Newline | Kind::Close) || (is_code(t) && t.text == ";") || self.work == 0 {
                return;
            }
            if t.kind == Kind::Punct && matches!(t.text.as_ref(), ">" | ">>" | "|") {
                // `|&` is a coprocess.
                let start = if self.is(at + 1, "&") { at + 2 } else { at + 1 };
                let end = self.statement_end(start);
                let target = self.value(start, end);
                if t.text == "|" {
                    self.shell(&target);
                } else {
                    self.path(EffectKind::Create, &target);
                }
                return;
            }
            at = self.after(at);
        }
    }

    fn getline(&mut self, at: usize) {
        // `command | getline`
        if at > 0 && (self.is(at - 1, "|") || self.is(at - 1, "&")) {
            let mut from = at - 1;
            while from > 0 && from + 64 > at {
                let t = &self.toks[from - 1];
                if matches!(t.kind, Kind::Newline | Kind::Open)
                    || (is_code(t) && matches!(t.text.as_ref(), ";" | "{" | "&&" | "||" | "while" | "if"))
                {
                    break;
                }
                from -= 1;
            }
            let text = self.value(from, at - 1);
            self.shell(&text);
            return;
        }
        // `getline [var] < file`
        let less = if self.is(at + 1, "<") { at + 1 } else { at + 2 };
        if self.is(less, "<") {
            let end = self.statement_end(less + 1).min(less + 2);
            let target = self.value(less + 1, end);
            if target.known().is_some() {
                self.path(EffectKind::Read, &target);
            }
        }
    }

    /// The expression in `start..end`: what stands side by side is joined.
    fn value(&mut self, start: usize, end: usize) -> Val {
        if self.depth >= MAX_INLINE_TEMPLATES {
            return Val::one(Value::any());
        }
        self.depth += 1;
        let value = self.value_here(start, end.min(self.toks.len()));
        self.depth -= 1;
        value
    }

    fn value_here(&mut self, start: usize, end: usize) -> Val {
        let mut out = Val::text("");
        let mut at = start;
        while at < end && self.work > 0 {
            let t = &self.toks[at];
            self.work = self.work.saturating_sub(1 + out.weight());
            let next = self.after(at);
            let part = match (t.kind, t.text.as_ref()) {
                (Kind::Str | Kind::Num, s) => Val::text(s),
                (Kind::Open, "(") => self.value(at + 1, t.mate.min(end)),
                (Kind::Word, _) if self.is(at + 1, "(") && at + 1 < end => {
                    let close = self.toks[at + 1].mate.min(end);
                    let part = self.function(&t.text.clone(), at + 2, close);
                    out = out.combine(&part, concat);
                    at = (close + 1).max(at + 1);
                    continue;
                }
                (Kind::Word, "ENVIRON") if self.is(at + 1, "[") => {
                    let close = self.toks[at + 1].mate.min(end);
                    let key = self.value(at + 2, close).known().unwrap_or_default();
                    let part = self.world.env(&key).map_or(Val::one(Value::any()), Val::text);
                    out = out.combine(&part, concat);
                    at = (close + 1).max(at + 1);
                    continue;
                }
                (Kind::Word, "NR" | "FNR" | "NF" | "RSTART" | "RLENGTH") => Val::name(),
                (Kind::Word, name) => self.vars.get(name).cloned().unwrap_or_else(|| Val::one(Value::any())),
                (Kind::Punct, "$") => {
                    out = out.combine(&Val::one(Value::any()), concat);
                    at = self.after(next.min(end.saturating_sub(1)).max(at)).max(at + 1);
                    continue;
                }
                (Kind::Punct, "?") => {
                    // `c ? a : b`
                    let colon = (at..end).find(|&i| self.is(i, ":")).unwrap_or(end);
                    let yes = self.value(at + 1, colon);
                    let no = self.value(colon + 1, end);
                    return yes.union(no);
                }
                (Kind::Punct, _) => {
                    // Arithmetic and comparisons make numbers.
                    let rest_is_text = matches!(t.text.as_ref(), "!" | "+" | "-");
                    if rest_is_text && at == start { Val::text("") } else { return Val::name() }
                }
                _ => Val::one(Value::any()),
            };
            out = out.combine(&part, concat);
            at = next;
        }
        out
    }

    fn function(&mut self, name: &str, start: usize, end: usize) -> Val {
        match name {
            "sprintf" => {
                let comma = self.statement_end(start).min(end);
                let template = self.value(start, comma).known().unwrap_or_default();
                let cut = template.find('%').unwrap_or(template.len());
                let mut v = Value::text(&template[..cut]);
                if cut < template.len() {
                    let numbers = !template[cut..].contains("%s") && !template[cut..].contains("%c");
                    let tail = &template[cut..];
                    let simple = numbers && tail.matches('%').count() == 1;
                    v.push(if numbers { crate::shell::Piece::Name } else { crate::shell::Piece::Any });
                    if let (true, Some(d)) = (simple, tail.find(['d', 'i', 'f'])) {
                        v.push_str(&tail[d + 1..]);
                    }
                }
                Val::one(v)
            }
            "length" | "index" | "int" | "rand" | "systime" | "strftime" | "match" | "split" => Val::name(),
            _ => Val::one(Value::any()),
        }
    }

    fn path(&mut self, kind: EffectKind, target: &Val) {
        for value in target.strings() {
            // gawk's own names for open streams and sockets.
            if value.prefix().starts_with("/inet") {
                continue;
            }
            self.acts.push(Act::Path {
                kind,
                value,
                certainty: Certainty::Proven,
                span: self.span,
                package_install: false,
            });
        }
    }

    fn shell(&mut self, text: &Val) {
        for text in text.strings() {
            self.acts.push(Act::Shell { text, dialect: Dialect::Bash, args: Vec::new(), span: self.span, cwd: None });
        }
    }
}
