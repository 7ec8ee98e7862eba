//! The statements of JavaScript, Perl and PHP.

use std::rc::Rc;

use super::interp::{Func, Interp, is_code};
use super::stmt::{Blocks, Ends};
use super::token::Kind;
use super::val::Val;
use crate::shell::programs::Language;

impl Interp<'_> {
    pub(super) fn braces(&mut self, blocks: &mut Blocks) -> Option<Val> {
        let t = self.peek()?;
        if t.kind == Kind::Open && t.text == "{" {
            let close = t.mate;
            self.i += 1;
            self.enter(blocks, Ends::At(close), false, false, false);
            return None;
        }
        if t.kind != Kind::Word
            || (self.is_at(1, "=") || self.is_at(1, ".") && !self.is_language(Language::Perl))
            || self.is_at(1, "=>")
        {
            return Some(self.expression_statement());
        }
        if blocks.0.last().is_some_and(|b| b.class && self.is_language(Language::Node)) {
            return self.class_member();
        }
        let word = t.text.clone();
        match word.as_ref() {
            "import" | "use" | "require" if self.import(&word) => {}
            "const" | "let" | "var" | "my" | "our" | "local" | "state" => self.declaration(),
            "function" | "sub" | "async" => {
                if word == "sub" && self.peek_at(1).is_some_and(|t| t.kind == Kind::Word) && self.is_at(2, "{") {
                    return self.perl_sub();
                }
                return Some(self.expression_statement());
            }
            "class" | "interface" | "trait" | "enum" => {
                let open = self.scan(self.i, self.end, |t| is_code(t) && matches!(t.text.as_ref(), "{" | ";"))?;
                self.i = open + 1;
                if self.toks[open].text == "{" {
                    let close = self.toks[open].mate;
                    self.enter(blocks, Ends::At(close), false, false, true);
                }
            }
            "if" | "elsif" | "elseif" | "unless" | "while" | "until" | "switch" | "with" | "catch" => {
                self.i += 1;
                self.header(blocks, matches!(word.as_ref(), "while" | "until"));
            }
            "else" | "do" | "try" | "finally" if self.is_at(1, "{") => {
                let close = self.toks[self.i + 1].mate;
                self.i += 2;
                self.enter(blocks, Ends::At(close), word == "else", false, false);
            }
            "else" | "export" | "default" | "case" | "declare" | "abstract" | "final" | "public" | "private"
            | "protected" | "static" | "readonly" | "no" | "package" | "namespace" | "throw" | "debugger"
            | "global" => self.i += 1,
            "for" | "foreach" => {
                self.i += 1;
                self.brace_for(blocks);
            }
            "return" => self.returns(),
            _ => return Some(self.expression_statement()),
        }
        None
    }

    /// `(condition) {`, `(condition) statement`.
    pub(super) fn header(&mut self, blocks: &mut Blocks, repeats: bool) {
        if self.is("(") {
            let at = self.i;
            let close = self.toks[at].mate;
            self.i = self.after(at);
            self.within(at + 1, close, Self::statements);
        }
        if self.is("{") {
            let close = self.toks[self.i].mate;
            self.i += 1;
            self.enter(blocks, Ends::At(close), true, repeats, false);
        }
    }

    pub(super) fn brace_for(&mut self, blocks: &mut Blocks) {
        let mark = self.log.len();
        // Perl: `for my $x (list) {`
        let mut names = None;
        while self.peek().is_some_and(|t| matches!(t.text.as_ref(), "my" | "our" | "await")) {
            self.i += 1;
        }
        if self.peek().is_some_and(|t| t.kind == Kind::Var) {
            names = Some((self.i, self.i + 1));
            self.i += 1;
        }
        if self.is("(") {
            let at = self.i;
            let close = self.toks[at].mate;
            self.i = self.after(at);
            self.loop_head(at + 1, close, names);
        }
        if self.is("{") {
            let close = self.toks[self.i].mate;
            self.i += 1;
            self.enter(blocks, Ends::At(close), true, true, false);
            if let Some(b) = blocks.0.last_mut() {
                b.mark = mark;
            }
        }
    }

    pub(super) fn loop_head(&mut self, start: usize, end: usize, names: Option<(usize, usize)>) {
        if let Some(semi) = self.scan(start, end, |t| is_code(t) && t.text == ";") {
            // `for (i = 0; i < n; i++)`: the counter is some number.
            self.within(start, end, Self::statements);
            for i in start..semi {
                if matches!(self.toks[i].kind, Kind::Word | Kind::Var)
                    && self.toks.get(i + 1).is_some_and(|t| t.text == "=")
                {
                    let name = self.toks[i].text.to_string();
                    self.set(&name, Val::name());
                }
            }
            return;
        }
        let word = if self.is_language(Language::Php) { "as" } else { "of" };
        let split = self.scan(start, end, |t| t.kind == Kind::Word && (t.text == word || t.text == "in"));
        match (split, self.language) {
            (Some(at), Language::Php) => {
                let value = self.within(start, at, Self::expression);
                match self.scan(at + 1, end, |t| is_code(t) && t.text == "=>") {
                    Some(arrow) => {
                        let item = match &value {
                            Val::Map(pairs) => {
                                pairs.iter().map(|(_, v)| v.clone()).reduce(Val::union).unwrap_or(Val::Unknown)
                            }
                            v => v.element(),
                        };
                        self.bind(at + 1, arrow, value.element());
                        self.bind(arrow + 1, end, item);
                    }
                    None => self.bind(at + 1, end, value.element()),
                }
            }
            (Some(at), _) => {
                let keys = self.toks[at].text == "in";
                let value = self.within(at + 1, end, Self::expression);
                let item = if keys && !matches!(value, Val::Map(_)) { Val::name() } else { value.element() };
                self.bind(start, at, item);
            }
            (None, _) => {
                let value = self.collection(start, end, "(").element();
                match names {
                    Some((s, e)) => self.bind(s, e, value),
                    None => self.set("$_", value),
                }
            }
        }
    }

    pub(super) fn declaration(&mut self) {
        self.i += 1;
        while self.i < self.end && self.spend(1) {
            self.skip_newlines();
            let start = self.i;
            let eq = self.scan(start, self.end, |t| {
                t.kind == Kind::Newline
                    || (is_code(t) && matches!(t.text.as_ref(), "=" | ";" | ","))
                    || (t.kind == Kind::Word && matches!(t.text.as_ref(), "of" | "in"))
            });
            let Some(eq) = eq else {
                self.i = self.end;
                return;
            };
            self.i = eq;
            if self.toks[eq].text == "=" {
                self.i += 1;
                self.skip_newlines();
                let perl_list = self.is_language(Language::Perl) && self.toks[start].text.starts_with(['(', '@', '%']);
                let value = if perl_list && !self.is("(") { self.expression_list() } else { self.expression() };
                if let Val::Func(id) = value
                    && self.toks[start].kind == Kind::Word
                {
                    self.name_function(id, start);
                }
                self.bind(start, eq, value);
            }
            if !self.take(",") {
                return;
            }
        }
    }

    /// A function that got a name is no longer one that somebody else calls, unless the name is passed on.
    pub(super) fn name_function(&mut self, id: usize, at: usize) {
        self.funcs[id].escapes = false;
        if self.funcs[id].name.is_empty() {
            self.funcs[id].name = Rc::from(self.toks[at].text.as_ref());
        }
    }

    pub(super) fn class_member(&mut self) -> Option<Val> {
        while self.peek().is_some_and(|t| {
            matches!(t.text.as_ref(), "static" | "async" | "get" | "set" | "public" | "private" | "*" | "#")
        }) && self.peek_at(1).is_some_and(|t| t.kind == Kind::Word)
        {
            self.i += 1;
        }
        if self.is_at(1, "(") && self.method_definition().is_some() {
            return None;
        }
        Some(self.expression_statement())
    }

    /// Functions that are called before the text that defines them.
    pub(super) fn hoist(&mut self) {
        let word = match self.language {
            Language::Node | Language::Php => "function",
            Language::Perl => "sub",
            _ => return,
        };
        for at in 0..self.toks.len() {
            let named = self.toks[at].kind == Kind::Word
                && self.toks[at].text == word
                && self.toks.get(at + 1).is_some_and(|t| t.kind == Kind::Word);
            if named {
                self.i = at + usize::from(word == "function");
                if word == "sub" {
                    if self.is_at(2, "{") {
                        self.perl_sub();
                    }
                } else {
                    self.function_expression();
                }
            }
        }
        self.i = 0;
    }

    pub(super) fn perl_sub(&mut self) -> Option<Val> {
        let name = self.peek_at(1)?.text.to_string();
        let open = self.i + 2;
        let close = self.toks[open].mate;
        self.i = self.after(open);
        let id = self.define(Func {
            name: Rc::from(name.as_str()),
            params: (open, open),
            body: (open + 1, close),
            expression: false,
            takes_self: false,
            called: false,
            escapes: false,
            active: false,
        });
        self.set(&name, Val::Func(id));
        None
    }

    pub(super) fn expression_statement(&mut self) -> Val {
        let start = self.i;
        if self.is_language(Language::Perl) {
            self.perl_modifier();
        }
        let value = self.simple_statement();
        // Statement modifiers.
        if self.peek().is_some_and(|t| {
            t.kind == Kind::Word && matches!(t.text.as_ref(), "if" | "unless" | "while" | "until" | "for" | "foreach")
        }) && self.is_language(Language::Perl)
        {
            self.i += 1;
            self.expression();
        }
        self.i = self.i.max(start + 1);
        value
    }

    /// `… for LIST;`: what `$_` is in the statement.
    pub(super) fn perl_modifier(&mut self) {
        let found = self.scan(self.i, self.end, |t| {
            (is_code(t) && matches!(t.text.as_ref(), ";" | "{"))
                || (t.kind == Kind::Word && matches!(t.text.as_ref(), "for" | "foreach"))
        });
        let Some(at) = found.filter(|&at| self.toks[at].kind == Kind::Word) else { return };
        let to = self.scan(at, self.end, |t| is_code(t) && t.text == ";").unwrap_or(self.end);
        let value = self.collection(at + 1, to, "(");
        let value = match &value {
            Val::List(items) if items.len() == 1 && matches!(items[0], Val::List(_) | Val::Lists(_) | Val::Each(_)) => {
                items[0].element()
            }
            v => v.element(),
        };
        self.set("$_", value);
    }

    /// `import …`, `use …`; `false` where it is an expression.
    pub(super) fn import(&mut self, word: &str) -> bool {
        match (self.language, word) {
            (Language::Node, "import") if !self.is_at(1, "(") => self.js_import(),
            (Language::Perl, "use") => self.perl_use(),
            (Language::Php, "use") => {
                self.i = self.scan(self.i, self.end, |t| is_code(t) && t.text == ";").unwrap_or(self.end);
            }
            _ => return false,
        }
        true
    }

    pub(super) fn perl_use(&mut self) {
        // `use constant NAME => value` is the only one that matters: the others import functions by their names.
        let constant = self.is_at(1, "constant");
        self.i += if constant { 2 } else { 1 };
        let value = self.expression_list();
        if constant && let Val::List(items) = value {
            // `NAME => v` was read as a name and a value.
            if let [name, v] = items.as_slice() {
                let name = super::expr::key_of(name);
                self.set(&name, v.clone());
            }
        }
    }

    pub(super) fn js_import(&mut self) {
        self.i += 1;
        let start = self.i;
        let from = self.scan(start, self.end, |t| t.kind == Kind::Str || (is_code(t) && t.text == ";"));
        let Some(from) = from else { return };
        self.i = from + 1;
        if self.toks[from].kind != Kind::Str {
            return;
        }
        let module = self.toks[from].text.to_string();
        let names_end = from.saturating_sub(1).max(start);
        for (s, e) in self.segments(start, names_end) {
            let mut s = s;
            while s < e && self.toks[s].kind == Kind::Newline {
                s += 1;
            }
            let star = s < e && self.toks[s].text == "*";
            let module = Val::named(&super::builtin::js_module(&module));
            match self.toks.get(s) {
                Some(t) if t.kind == Kind::Open && s < e => {
                    let close = t.mate;
                    self.bind(s, close + 1, module);
                }
                Some(_) if star && s + 2 < e => self.bind(s + 2, e, module),
                Some(t) if t.kind == Kind::Word && s < e => {
                    let name = t.text.to_string();
                    self.set(&name, module);
                }
                _ => {}
            }
        }
    }
}
