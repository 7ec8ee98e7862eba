//! Names, attributes, subscripts, calls and assignments: everything that follows an operand.

use std::rc::Rc;

use super::expr::{begins_argument, key_of};
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
                    (Val::List(_) | Val::Each(_), v) => old.clone().union(v.clone()),
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
            return match value {
                Val::List(_) | Val::Each(_) => Val::each(value.element()),
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
                n.map_or(Val::Unknown, |n| match item(value, n) {
                    Val::Null => Val::Unknown,
                    v => v,
                })
            }
            (Val::List(_) | Val::Each(_), _) => value.element(),
            (Val::Str(s), _) if s.iter().all(super::val::no_separator) => Val::name(),
            (Val::Str(_), _) => Val::one(super::expr::unknown_text()),
            _ => Val::Unknown,
        }
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
            _ => Val::Unknown,
        }
    }

    // --- calls ---

    /// The arguments in the brackets that come next.
    pub(super) fn arguments(&mut self) -> Args {
        let at = self.i;
        let close = self.toks[at].mate;
        self.i = self.after(at);
        if self.is_language(Language::Python)
            && self.scan(at + 1, close, |t| t.kind == Kind::Word && t.text == "for").is_some()
            && self.scan(at + 1, close, |t| is_code(t) && t.text == "=").is_none()
        {
            return Args { pos: vec![self.collection(at + 1, close, "(")], kw: Vec::new() };
        }
        self.within(at + 1, close, |me| me.deeper(Args::default(), Self::argument_list))
    }

    fn argument_list(&mut self) -> Args {
        let mut args = Args::default();
        while self.i < self.end && self.spend(1) {
            let before = self.i;
            if self
                .peek()
                .is_some_and(|t| t.kind == Kind::Newline || (is_code(t) && matches!(t.text.as_ref(), "," | ";")))
            {
                self.i += 1;
                continue;
            }
            self.argument(&mut args);
            self.i = self.i.max(before + 1);
        }
        args
    }

    fn argument(&mut self, args: &mut Args) {
        let Some(t) = self.peek() else { return };
        let named = match self.language {
            Language::Python => t.kind == Kind::Word && self.is_at(1, "="),
            Language::Ruby | Language::Php => matches!(t.kind, Kind::Word | Kind::Str) && self.is_at(1, ":"),
            _ => false,
        };
        if named {
            self.i += 2;
            self.skip_newlines();
            let value = self.tight_expression();
            args.kw.push((Rc::from(t.text.as_ref()), value));
            return;
        }
        let spread = self.is("*") || self.is("...");
        let double = self.is("**");
        let value = self.tight_expression();
        if self.take("=>") {
            let v = self.tight_expression();
            args.kw.push((Rc::from(key_of(&value)), v));
            return;
        }
        match value {
            Val::Map(pairs) if double => args.kw.extend(pairs.iter().cloned()),
            Val::List(items) if spread || self.spreads(t.text.as_ref()) => args.pos.extend(items.iter().cloned()),
            v => args.pos.push(v),
        }
    }

    /// In Perl a list among the arguments is its elements.
    fn spreads(&self, first: &str) -> bool {
        self.is_language(Language::Perl)
            && (first.starts_with('@')
                || first == "("
                || first == "["
                    && self.i > 0
                    && self.toks[self.i - 1].text == "]"
                    && self.toks[self.i - 1].kind == Kind::Close
                    && self.list_of_words())
    }

    /// Whether the list that just ended came from `qw(…)`: its words are all literals.
    fn list_of_words(&self) -> bool {
        self.i >= 2 && self.toks[self.i - 2].text == ","
    }

    fn takes_bare_arguments(&self, value: &Val, place: Option<&str>) -> bool {
        let Some(t) = self.peek() else { return false };
        let ruby = self.is_language(Language::Ruby);
        match self.language {
            Language::Perl | Language::Ruby => {}
            Language::Php => {
                return matches!(value, Val::Name(n) if matches!(n.as_ref(), "echo" | "print" | "include" | "require" | "include_once" | "require_once"))
                    && begins_argument(t, false);
            }
            _ => return false,
        }
        let callable = matches!(value, Val::Func(_) | Val::Name(_))
            && place.is_none_or(|p| !p.starts_with(['$', '@', '%']))
            || (ruby && place.is_none());
        let file_test = t.text == "-"
            && t.gap
            && self.peek_at(1).is_some_and(|n| !n.gap && n.kind != Kind::Num)
            && self.is_language(Language::Perl);
        callable && t.gap_or_quote() && (begins_argument(t, ruby) || file_test)
    }

    fn bare_arguments(&mut self) -> Args {
        let mut args = Args::default();
        while self.i < self.end && self.spend(1) {
            let before = self.i;
            self.argument(&mut args);
            if self.i == before || !self.take(",") {
                break;
            }
            self.skip_newlines();
        }
        args
    }

    fn bare_call(&mut self, value: &Val) -> Val {
        let args = self.deeper(Args::default(), Self::bare_arguments);
        let result = self.call(value, &args);
        // A block, a chained call, an operator may follow.
        if self.is_language(Language::Ruby) { self.postfix(result, None) } else { result }
    }

    /// ``$`mkdir x` `` runs a command; other tags do not.
    fn tagged(&mut self, tag: &Val) -> Val {
        let text = match self.peek() {
            Some(t) if t.kind == Kind::Str || t.kind == Kind::Tpl => {
                let at = self.i;
                let value = self.within(at, self.end, |me| {
                    let v = me.template_text();
                    (v, me.i)
                });
                self.i = value.1.max(at + 1);
                value.0
            }
            _ => return Val::Unknown,
        };
        if let Val::Name(n) = tag
            && (n.as_ref() == "$" || n.ends_with(".$") || n.as_ref() == "zx" || n.as_ref() == "execa")
        {
            self.shell(&text, &Args::default());
        }
        Val::Unknown
    }

    fn template_text(&mut self) -> Val {
        let Some(t) = self.peek() else { return Val::Unknown };
        let width = if t.kind == Kind::Tpl { t.mate + 1 } else { self.i + 1 };
        let value = self.within(self.i, width, Self::expression);
        self.i = width;
        value
    }

    /// `{ |x| … }` after a call in Ruby.
    fn ruby_block(&mut self, receiver: &Val) {
        let at = self.i;
        let close = self.toks[at].mate;
        self.i = self.after(at);
        self.within(at + 1, close, |me| {
            me.skip_newlines();
            me.block_params(receiver);
            me.statements()
        });
    }

    fn block_params(&mut self, receiver: &Val) {
        if !self.take("|") {
            return;
        }
        let from = self.i;
        let to = self.scan(from, self.end, |t| is_code(t) && t.text == "|").unwrap_or(from);
        self.i = (to + 1).min(self.end);
        let element = match receiver {
            Val::List(_) | Val::Each(_) => receiver.element(),
            Val::Map(pairs) => Val::list(vec![
                receiver.element(),
                pairs.iter().map(|(_, v)| v.clone()).reduce(Val::union).unwrap_or(Val::Unknown),
            ]),
            Val::Str(_) => receiver.clone(),
            _ => Val::Unknown,
        };
        self.bind(from, to, element);
    }
}

impl super::token::Token<'_> {
    /// White space stands before it, or it needs none.
    fn gap_or_quote(&self) -> bool {
        self.gap || matches!(self.kind, Kind::Str | Kind::Tpl | Kind::Var)
    }
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
    matches!(text, "lambda" | "proc" | "function" | "fn" | "sub" | "async" | "static" | "do" | "eval" | "BEGIN" | "END")
}

fn constant(text: &str) -> Option<Val> {
    Some(match text {
        "None" | "null" | "undefined" | "nil" | "undef" | "NULL" => Val::Null,
        "True" | "true" | "TRUE" => Val::Int(1),
        "False" | "false" | "FALSE" => Val::Int(0),
        _ => return None,
    })
}
