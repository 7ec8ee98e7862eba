//! Names, attributes, subscripts, calls and assignments: everything that follows an operand.

use std::rc::Rc;

use super::interp::{Args, Interp, is_code, item};
use super::token::Kind;
use super::val::{Val, concat};
use crate::shell::programs::Language;

impl Interp<'_> {
    /// An operand that begins with a word.
    pub(super) fn word(&mut self) -> Val {
        let Some(t) = self.peek() else { return Val::Unknown };
        let text = t.text.clone();
        self.i += 1;
        if is_code_word(&text, self.language) {
            match text.as_ref() {
                "lambda" if self.is_language(Language::Python) => return self.lambda_python(),
                "lambda" | "proc" if self.is("{") => {
                    let at = self.i;
                    self.i = self.after(at);
                    let func = super::interp::Func {
                        name: Rc::from(""),
                        params: (at, at),
                        body: (at + 1, self.toks[at].mate),
                        expression: false,
                        takes_self: false,
                        called: false,
                        escapes: true,
                        active: false,
                    };
                    return Val::Func(self.define(func));
                }
                "function" | "fn" | "sub" => {
                    let value = self.function_expression();
                    return self.postfix(value, None);
                }
                "async" if self.is("function") => {
                    self.i += 1;
                    let value = self.function_expression();
                    return self.postfix(value, None);
                }
                "async" if self.is("(") || self.peek().is_some_and(|t| t.kind == Kind::Word) && self.is_at(1, "=>") => {
                    return self.operand_again();
                }
                "static" if self.is("fn") || self.is("function") => return self.operand_again(),
                "map" | "grep" | "first" | "any" | "all" | "sort"
                    if self.is("{") && self.is_language(Language::Perl) =>
                {
                    return self.perl_map();
                }
                "do" | "eval" | "BEGIN" | "END" if self.is("{") => {
                    let at = self.i;
                    self.i = self.after(at);
                    let mate = self.toks[at].mate;
                    return self.within(at + 1, mate, Self::statements);
                }
                _ => {}
            }
        }
        if let Some(value) = constant(&text) {
            return self.postfix(value, None);
        }
        if self.is("=>") && self.is_language(Language::Node) {
            self.i += 1;
            return self.arrow((self.i - 2, self.i - 1));
        }
        // A hash key before a fat comma is a string.
        if self.is("=>") {
            return Val::text(text.as_ref());
        }
        if matches!(self.language, Language::Ruby | Language::Php)
            && self.is(":")
            && self.peek_at(1).is_some()
            && !self.is_at(1, ":")
        {
            return Val::text(text.as_ref());
        }
        if self.is_language(Language::Perl)
            && matches!(text.as_ref(), "shift" | "pop")
            && !self.is("(")
            && self.peek().is_none_or(|t| t.kind != Kind::Var)
        {
            let value = self.special(&text, &Args::default()).unwrap_or(Val::Unknown);
            return self.postfix(value, None);
        }
        let value = self.name_value(&text);
        self.postfix(value, Some(text.to_string()))
    }

    /// `map { … } LIST`
    fn perl_map(&mut self) -> Val {
        let at = self.i;
        let close = self.toks[at].mate;
        self.i = self.after(at);
        let list = self.expression_list();
        let element = match &list {
            Val::List(items) if items.len() == 1 && matches!(items[0], Val::List(_) | Val::Lists(_) | Val::Each(_)) => {
                items[0].element()
            }
            v => v.element(),
        };
        self.set("$_", element);
        let value = self.within(at + 1, close, Self::statements);
        Val::each(value)
    }

    fn operand_again(&mut self) -> Val {
        self.expression()
    }

    /// What the bare name `name` is.
    pub(super) fn name_value(&mut self, name: &str) -> Val {
        match self.var(name) {
            Some(v) => {
                let v = v.clone();
                let weight = v.weight() / 8;
                self.spend(weight);
                v
            }
            None => self.builtin_value(name).unwrap_or_else(|| Val::named(name)),
        }
    }

    /// A variable with a sigil: its value, and the name under which it is kept.
    pub(super) fn variable_value(&mut self, text: &str) -> (Val, String) {
        let mut name = text.to_owned();
        if self.is_language(Language::Perl) && text.starts_with('$') {
            // `$x[0]` is an element of `@x`, `$x{k}` of `%x`.
            if self.peek().is_some_and(|t| t.kind == Kind::Open && !t.gap) {
                if self.is("[") {
                    name.replace_range(..1, "@");
                } else if self.is("{") {
                    name.replace_range(..1, "%");
                }
            }
        }
        let value = match self.var(&name) {
            Some(v) => v.clone(),
            None => self.builtin_value(&name).unwrap_or_else(|| Val::named(&name)),
        };
        let weight = value.weight() / 8;
        self.spend(weight);
        (value, name)
    }

    /// Attributes, subscripts, calls and assignments after `value`; `place` is the variable it came from.
    pub(super) fn postfix(&mut self, mut value: Val, mut place: Option<String>) -> Val {
        while let Some(t) = self.peek() {
            if !self.spend(1) {
                break;
            }
            match (t.kind, t.text.as_ref()) {
                (Kind::Newline, _) => {
                    // `.then(…)` on the next line.
                    let chained = matches!(self.language, Language::Node | Language::Ruby)
                        && (self.is_at(1, ".") || self.is_at(1, "?.") || self.is_at(1, "&."));
                    if !chained {
                        break;
                    }
                    self.i += 1;
                }
                (Kind::Punct, "." | "?." | "->" | "::" | "&." | "?->") if self.is_member(&t.text) => {
                    self.i += 1;
                    self.skip_newlines();
                    let Some(next) = self.peek() else { break };
                    match next.kind {
                        Kind::Word | Kind::Var => {
                            self.i += 1;
                            value = self.member(&value, &next.text, &mut place);
                        }
                        Kind::Open => {}
                        _ => break,
                    }
                }
                (Kind::Open, "(") => {
                    if matches!(value, Val::Str(_) | Val::Int(_)) && place.is_none() {
                        break;
                    }
                    let args = self.arguments();
                    value = self.call(&value, &args);
                    place = None;
                }
                // `system qw(touch x)`
                (Kind::Open, "[") if self.is_language(Language::Perl) && is_bare(place.as_deref()) => {
                    value = self.bare_call(&value);
                    break;
                }
                (Kind::Open, "[") => {
                    if t.gap
                        && self.is_language(Language::Ruby)
                        && place.as_deref().is_some_and(|p| self.var(p).is_none())
                    {
                        value = self.bare_call(&value);
                        break;
                    }
                    value = self.subscript(&value, &mut place);
                }
                // `system { PROGRAM } LIST`
                (Kind::Open, "{")
                    if self.is_language(Language::Perl) && matches!(place.as_deref(), Some("system" | "exec")) =>
                {
                    self.i = self.after(self.i);
                    value = self.bare_call(&value);
                    break;
                }
                (Kind::Open, "{") if self.is_language(Language::Perl) && !t.gap => {
                    value = self.subscript(&value, &mut place);
                }
                (Kind::Open, "{") if self.is_language(Language::Ruby) && place.is_none() => self.ruby_block(&value),
                (Kind::Word, "do") if self.is_language(Language::Ruby) => {
                    self.i += 1;
                    self.block_params(&value);
                    break;
                }
                (Kind::Tpl | Kind::Str, _)
                    if self.is_language(Language::Node) && matches!(value, Val::Name(_)) && !t.gap =>
                {
                    value = self.tagged(&value);
                    place = None;
                }
                (Kind::Punct, "++" | "--") => self.i += 1,
                (Kind::Punct, "!")
                    if self.is_language(Language::Node) && !t.gap && (self.is_at(1, ".") || self.is_at(1, ")")) =>
                {
                    self.i += 1;
                }
                (Kind::Punct, op) if is_assignment(op) && place.is_some() => return self.assign(value, place),
                _ if self.takes_bare_arguments(&value, place.as_deref()) => {
                    value = self.bare_call(&value);
                    break;
                }
                _ => break,
            }
        }
        value
    }

    fn is_member(&self, op: &str) -> bool {
        match self.language {
            Language::Python => op == ".",
            Language::Node => matches!(op, "." | "?."),
            Language::Perl => op == "->",
            Language::Php => matches!(op, "->" | "::" | "?->"),
            Language::Ruby => matches!(op, "." | "::" | "&."),
            _ => false,
        }
    }

    fn assign(&mut self, old: Val, place: Option<String>) -> Val {
        let Some(t) = self.peek() else { return old };
        let op = t.text.clone();
        self.i += 1;
        self.skip_newlines();
        let mut value = self.tight_expression();
        if op == "="
            && matches!(self.language, Language::Python | Language::Ruby | Language::Perl)
            && self.is(",")
            && self.depth <= 2
        {
            // `x = 1, 2`
            let mut items = vec![value];
            while self.take(",") && self.spend(1) {
                items.push(self.tight_expression());
            }
            value = Val::list(items);
        }
        let value = match op.as_ref() {
            "=" | ":=" => value,
            "+=" | ".=" => {
                let mut joined = match (&old, &value) {
                    (Val::List(_), Val::List(_)) if self.loops == 0 => self.plus(&old, &value),
                    (Val::List(_) | Val::Lists(_) | Val::Each(_), v) => old.clone().union(v.clone()),
                    (Val::Int(_), Val::Int(_)) => Val::name(),
                    (Val::Str(_), v) => old.combine(v, concat),
                    (Val::Null, v) => v.clone(),
                    _ => Val::Unknown,
                };
                // A loop may do it again and again.
                if self.loops > 0 && joined.is_string() {
                    joined = joined.combine(&Val::Unknown, concat);
                }
                joined
            }
            "/=" if self.is_language(Language::Python) => old.combine(&value, super::val::join),
            "||=" | "//=" | "??=" | "&&=" => match old {
                Val::Name(_) => value,
                old => old.union(value),
            },
            _ => Val::name(),
        };
        if let Some(place) = place {
            self.set(&place, value.clone());
        }
        value
    }

    /// `value.name` and, where brackets follow, `value.name(…)`.
    fn member(&mut self, value: &Val, name: &str, place: &mut Option<String>) -> Val {
        let called = self.is("(") || (matches!(self.language, Language::Node) && self.is("?.") && self.is_at(1, "("));
        if self.is("?.") && called {
            self.i += 1;
        }
        let full = match (value, place.as_deref()) {
            (Val::Name(n), _) => Some(format!("{n}.{name}")),
            (_, Some(p)) => Some(format!("{p}.{name}")),
            _ => None,
        };
        if called {
            let args = self.arguments();
            *place = None;
            return self.method(value, name, full.as_deref(), &args);
        }
        if self.takes_bare_arguments(&Val::Unknown, None) && self.is_language(Language::Ruby) {
            let args = self.bare_arguments();
            *place = None;
            return self.method(value, name, full.as_deref(), &args);
        }
        let assigned = self.peek().is_some_and(|t| t.kind == Kind::Punct && is_assignment(&t.text));
        let stored = full.as_deref().filter(|_| self.dotted).and_then(|f| self.var(f)).cloned();
        place.clone_from(&full);
        if let Some(v) = stored {
            return v;
        }
        let constant = name.starts_with(|c: char| c.is_ascii_uppercase());
        if self.is_language(Language::Ruby) && !assigned && !constant {
            *place = None;
            return self.method(value, name, full.as_deref(), &Args::default());
        }
        self.attribute(value, name)
    }

    fn subscript(&mut self, value: &Val, place: &mut Option<String>) -> Val {
        let at = self.i;
        let close = self.toks[at].mate;
        self.i = self.after(at);
        let colon = self.scan(at + 1, close, |t| is_code(t) && matches!(t.text.as_ref(), ":" | ".."));
        let key = self.within(at + 1, close, |me| {
            me.skip_newlines();
            // Perl's `{key}` and PHP's interpolated `[key]` need no quotes.
            match me.peek() {
                Some(t)
                    if t.kind == Kind::Word
                        && me.end - me.i == 1
                        && !matches!(me.language, Language::Python | Language::Node | Language::Ruby) =>
                {
                    me.i += 1;
                    Val::text(t.text.as_ref())
                }
                _ => me.expression_list(),
            }
        });
        if colon.is_some() {
            *place = None;
            if let Val::List(items) = value
                && let Some((from, to)) = self.slice_bounds(at + 1, close, items.len())
            {
                return Val::list(items.get(from..to).unwrap_or(&[]).to_vec());
            }
            return match value {
                Val::List(_) | Val::Lists(_) | Val::Each(_) => Val::each(value.element()),
                Val::Str(s) if s.iter().all(super::val::no_separator) => Val::name(),
                Val::Str(_) => Val::one(super::expr::unknown_text()),
                _ => Val::Unknown,
            };
        }
        let known = key.known();
        let full = match (place.as_deref(), value, &known) {
            (_, Val::Name(n), Some(k)) => Some(format!("{n}.{k}")),
            (Some(p), _, Some(k)) => Some(format!("{p}.{k}")),
            _ => None,
        };
        let stored = full.as_deref().filter(|_| self.dotted).and_then(|f| self.var(f)).cloned();
        place.clone_from(&full);
        if let Some(v) = stored {
            return v;
        }
        match (value, &key) {
            (Val::Name(n), _) if n.as_ref() == "Dir" && self.is_language(Language::Ruby) => {
                Val::each(key.map(|v| self.globbed(v)))
            }
            (Val::Name(n), _) if known.is_some() => {
                let (n, known) = (n.clone(), known.unwrap_or_default());
                self.environment(&n, &known).unwrap_or_else(|| full.map_or(Val::Unknown, |f| Val::named(&f)))
            }
            (Val::Map(pairs), _) => match known {
                Some(k) => value.get(&k).cloned().unwrap_or(Val::Unknown),
                None => pairs.iter().map(|(_, v)| v.clone()).reduce(Val::union).unwrap_or(Val::Unknown),
            },
            (Val::List(items), Val::Int(n)) => {
                let n = if *n < 0 {
                    items.len().checked_sub(n.unsigned_abs().try_into().unwrap_or(usize::MAX))
                } else {
                    usize::try_from(*n).ok()
                };
                n.map_or(Val::Null, |n| item(value, n))
            }
            (Val::List(_) | Val::Lists(_) | Val::Each(_), _) => value.element(),
            (Val::Str(s), _) if s.iter().all(super::val::no_separator) => Val::name(),
            (Val::Str(_), _) => Val::one(super::expr::unknown_text()),
            _ => Val::Unknown,
        }
    }

    /// The bounds of `[a:b]` where they are numbers.
    fn slice_bounds(&mut self, start: usize, end: usize, len: usize) -> Option<(usize, usize)> {
        let colon = self.scan(start, end, |t| is_code(t) && t.text == ":")?;
        let number = |from: usize, to: usize, empty: usize| -> Option<usize> {
            match self.toks.get(from..to)? {
                [] => Some(empty),
                [one] if one.kind == Kind::Num => one.text.parse::<usize>().ok().map(|n| n.min(len)),
                [minus, one] if minus.text == "-" && one.kind == Kind::Num => len.checked_sub(one.text.parse().ok()?),
                _ => None,
            }
        };
        Some((number(start, colon, 0)?, number(colon + 1, end, len)?))
    }

    /// `value.name`.
    pub(super) fn attribute(&mut self, value: &Val, name: &str) -> Val {
        match value {
            Val::Name(n) => {
                let full = format!("{n}.{name}");
                if self.dotted
                    && let Some(v) = self.var(&full)
                {
                    return v.clone();
                }
                let n = n.clone();
                self.environment(&n, name).or_else(|| self.builtin_value(&full)).unwrap_or_else(|| Val::named(&full))
            }
            Val::Map(_) => value.get(name).cloned().unwrap_or(Val::Unknown),
            Val::Str(_) => Self::path_attribute(value, name),
            // Perhaps an object of the script's own class.
            Val::Unknown if self.dotted => {
                self.var(&format!("{}.{name}", self.this())).cloned().unwrap_or(Val::Unknown)
            }
            _ => Val::Unknown,
        }
    }

    /// What a method calls its own object.
    pub(super) fn this(&self) -> &'static str {
        match self.language {
            Language::Node => "this",
            Language::Php => "$this",
            _ => "self",
        }
    }

    // --- calls ---
}

impl super::token::Token<'_> {
    /// White space stands before it, or it needs none.
    pub(super) fn gap_or_quote(&self) -> bool {
        self.gap || matches!(self.kind, Kind::Str | Kind::Tpl | Kind::Var)
    }
}

/// A word of Perl, which no subscript can follow.
fn is_bare(place: Option<&str>) -> bool {
    place.is_some_and(|p| p.starts_with(|c: char| c.is_ascii_alphabetic()))
}

fn is_assignment(op: &str) -> bool {
    matches!(
        op,
        "=" | "+="
            | ".="
            | "-="
            | "*="
            | "/="
            | "||="
            | "//="
            | "??="
            | "&&="
            | ":="
            | "|="
            | "&="
            | "%="
            | "**="
            | "<<="
            | ">>="
            | "^="
    )
}

fn is_code_word(text: &str, _language: Language) -> bool {
    matches!(
        text,
        "lambda"
            | "proc"
            | "function"
            | "fn"
            | "sub"
            | "async"
            | "static"
            | "do"
            | "eval"
            | "BEGIN"
            | "END"
            | "map"
            | "grep"
            | "first"
            | "any"
            | "all"
            | "sort"
    )
}

fn constant(text: &str) -> Option<Val> {
    Some(match text {
        "None" | "null" | "undefined" | "nil" | "undef" | "NULL" => Val::Null,
        "True" | "true" | "TRUE" => Val::Int(1),
        "False" | "false" | "FALSE" => Val::Int(0),
        _ => return None,
    })
}
