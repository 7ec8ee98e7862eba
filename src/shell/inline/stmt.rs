//! Statements: blocks, loops, definitions, imports. Both branches of every condition are taken, loops run once with all their values.

use std::rc::Rc;

use super::interp::{Func, Interp, is_code};
use super::token::Kind;
use super::val::Val;
use crate::shell::programs::Language;

/// Where a block ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// At this token.
    At(usize),
    /// At the first line that is indented no deeper.
    Indent(usize),
    /// With the line.
    Line,
}

#[derive(Clone, Copy)]
struct Block {
    ends: Ends,
    mark: usize,
    /// It may be skipped: what was known before stays possible.
    merge: bool,
    repeats: bool,
    class: bool,
}

/// Blocks that are open in one body.
#[derive(Default)]
pub(super) struct Blocks(Vec<Block>);

impl Interp<'_> {
    /// All statements up to the end of the range; the value of the last one.
    pub(super) fn statements(&mut self) -> Val {
        self.deeper(Val::Unknown, |me| {
            let mut blocks = Blocks::default();
            let mut last = Val::Unknown;
            while me.i < me.end && me.spend(1) {
                let before = me.i;
                me.close_blocks(&mut blocks);
                if let Some(v) = me.statement(&mut blocks) {
                    last = v;
                }
                if me.i <= before {
                    me.i = before + 1;
                }
            }
            while let Some(b) = blocks.0.pop() {
                me.leave_block(b);
            }
            last
        })
    }

    fn close_blocks(&mut self, blocks: &mut Blocks) {
        while let Some(b) = blocks.0.last().copied() {
            let t = &self.toks[self.i];
            let over = match b.ends {
                Ends::At(at) => self.i >= at,
                Ends::Indent(col) => t.kind == Kind::Newline && t.mate <= col,
                Ends::Line => t.kind == Kind::Newline,
            };
            if !over {
                break;
            }
            blocks.0.pop();
            self.leave_block(b);
        }
    }

    fn leave_block(&mut self, b: Block) {
        self.leave(b.mark, b.merge);
        self.loops -= usize::from(b.repeats).min(self.loops);
    }

    fn enter(&mut self, blocks: &mut Blocks, ends: Ends, merge: bool, repeats: bool, class: bool) {
        self.loops += usize::from(repeats);
        let mark = self.log.len();
        blocks.0.push(Block { ends, mark, merge, repeats, class });
    }

    fn statement(&mut self, blocks: &mut Blocks) -> Option<Val> {
        let t = self.peek()?;
        if t.kind == Kind::Newline {
            self.column = t.mate;
            self.i += 1;
            return None;
        }
        if t.kind == Kind::Punct && matches!(t.text.as_ref(), ";" | "," | ":" | "\\") || t.kind == Kind::Close {
            self.i += 1;
            return None;
        }
        match self.language {
            Language::Python => self.python(blocks),
            Language::Ruby => self.ruby(),
            _ => self.braces(blocks),
        }
    }

    // --- Python ---

    fn python(&mut self, blocks: &mut Blocks) -> Option<Val> {
        let t = self.peek()?;
        if t.kind == Kind::Punct && t.text == "@" {
            self.i += 1;
            self.decorated = true;
            self.expression();
            return None;
        }
        if t.kind != Kind::Word || self.is_at(1, "=") || self.is_at(1, ".") {
            return Some(self.simple_statement());
        }
        let word = t.text.clone();
        match word.as_ref() {
            "import" => self.python_import(),
            "from" => self.python_from(),
            "def" => self.python_def(blocks),
            "class" => {
                self.i += 1;
                self.class_header(blocks);
            }
            "for" => {
                self.i += 1;
                self.python_for(blocks);
            }
            "if" | "elif" | "while" => {
                self.i += 1;
                let main = self.is("__name__");
                self.expression();
                self.python_block(blocks, !main, word == "while");
            }
            "else" | "except" | "try" | "finally" => {
                self.i += 1;
                if !self.is(":") {
                    self.expression_list();
                    if self.take("as") {
                        self.i += 1;
                    }
                }
                self.python_block(blocks, matches!(word.as_ref(), "else" | "except"), false);
            }
            "with" => {
                self.i += 1;
                self.python_with();
                self.python_block(blocks, false, false);
            }
            "return" => self.returns(),
            "async" | "del" | "assert" | "raise" | "global" | "nonlocal" | "pass" | "break" | "continue" | "yield" => {
                self.i += 1;
            }
            "print" | "exec" if !self.is_at(1, "(") => self.i += 1,
            _ => return Some(self.simple_statement()),
        }
        None
    }

    pub(super) fn returns(&mut self) {
        self.i += 1;
        if self.peek().is_some_and(|t| t.kind != Kind::Newline && t.text != ";") {
            let value = self.expression_list();
            self.returned.push(value);
        }
    }

    /// After a header: its `:` and the block behind it.
    fn python_block(&mut self, blocks: &mut Blocks, merge: bool, repeats: bool) {
        let colon = self.scan(self.i, self.end, |t| t.kind == Kind::Newline || (is_code(t) && t.text == ":"));
        let Some(colon) = colon else { return };
        if self.toks[colon].kind == Kind::Newline {
            self.i = colon;
            return;
        }
        self.i = colon + 1;
        let ends =
            if self.peek().is_some_and(|t| t.kind == Kind::Newline) { Ends::Indent(self.column) } else { Ends::Line };
        self.enter(blocks, ends, merge, repeats, false);
    }

    fn python_for(&mut self, blocks: &mut Blocks) {
        let from = self.i;
        let Some(to) =
            self.scan(from, self.end, |t| t.kind == Kind::Newline || (t.kind == Kind::Word && t.text == "in"))
        else {
            return;
        };
        self.i = to + 1;
        let value = self.expression_list().element();
        let mark = self.log.len();
        self.bind(from, to, value);
        self.python_block(blocks, true, true);
        // The loop's variable is assigned in the block.
        if let Some(b) = blocks.0.last_mut() {
            b.mark = mark;
        }
    }

    fn python_with(&mut self) {
        while self.i < self.end && self.spend(1) {
            let value = self.expression();
            if self.take("as") {
                let from = self.i;
                let to = self
                    .scan(from, self.end, |t| is_code(t) && matches!(t.text.as_ref(), "," | ":"))
                    .unwrap_or(self.end);
                self.bind(from, to, value);
                self.i = to;
            }
            if !self.take(",") {
                break;
            }
        }
    }

    fn dotted_name(&mut self) -> String {
        let mut name = String::new();
        while let Some(t) = self.peek() {
            if t.kind == Kind::Word && !matches!(t.text.as_ref(), "import" | "as") || is_code(t) && t.text == "." {
                name.push_str(&t.text);
                self.i += 1;
            } else {
                break;
            }
        }
        name
    }

    fn python_import(&mut self) {
        self.i += 1;
        while self.i < self.end && self.spend(1) {
            let name = self.dotted_name();
            if self.take("as") {
                if let Some(t) = self.peek() {
                    self.i += 1;
                    self.set(&t.text, Val::named(&name));
                }
            } else if let Some(top) = name.split('.').next()
                && !top.is_empty()
            {
                self.set(top, Val::named(top));
            }
            if !self.take(",") {
                break;
            }
        }
    }

    fn python_from(&mut self) {
        self.i += 1;
        let module = self.dotted_name();
        if !self.take("import") {
            return;
        }
        if self.is("*") {
            self.stars.push(Rc::from(module.as_str()));
            return;
        }
        let (from, to) = if self.is("(") {
            let open = self.i;
            self.i = self.after(open);
            (open + 1, self.toks[open].mate)
        } else {
            let from = self.i;
            let to = self
                .scan(from, self.end, |t| t.kind == Kind::Newline || (is_code(t) && t.text == ";"))
                .unwrap_or(self.end);
            self.i = to;
            (from, to)
        };
        for (s, e) in self.segments(from, to) {
            let words: Vec<usize> = (s..e).filter(|&i| self.toks[i].kind == Kind::Word).collect();
            let (Some(&first), Some(&last)) = (words.first(), words.last()) else { continue };
            let full = format!("{module}.{}", self.toks[first].text);
            let name = self.toks[last].text.to_string();
            let value = self.builtin_value(&full).unwrap_or_else(|| Val::named(&full));
            self.set(&name, value);
        }
    }

    fn class_header(&mut self, blocks: &mut Blocks) {
        self.i += 1;
        if self.is("(") {
            self.i = self.after(self.i);
        }
        self.python_block(blocks, false, false);
        if let Some(b) = blocks.0.last_mut() {
            b.class = true;
        }
    }

    fn python_def(&mut self, blocks: &mut Blocks) {
        self.i += 1;
        let Some(name) = self.peek() else { return };
        let open = self.i + 1;
        if !self.is_at(1, "(") {
            return;
        }
        let close = self.toks[open].mate;
        let colon = self.scan(close + 1, self.end, |t| t.kind == Kind::Newline || (is_code(t) && t.text == ":"));
        let Some(colon) = colon else { return };
        let start = colon + 1;
        let column = self.column;
        let block = self.toks.get(start).is_some_and(|t| t.kind == Kind::Newline);
        let end =
            self.scan(start, self.end, |t| t.kind == Kind::Newline && (!block || t.mate <= column)).unwrap_or(self.end);
        let method = blocks.0.iter().any(|b| b.class);
        let escapes = std::mem::take(&mut self.decorated);
        let id = self.define(Func {
            name: Rc::from(name.text.as_ref()),
            params: (open + 1, close),
            body: (start, end),
            expression: false,
            takes_self: method,
            called: false,
            escapes,
            active: false,
        });
        if !method {
            self.set(&name.text, Val::Func(id));
        }
        self.i = end;
    }

    /// An expression, an assignment, several of them.
    fn simple_statement(&mut self) -> Val {
        let start = self.i;
        let Some(t) = self.peek() else { return Val::Unknown };
        // `a, b = …`, `(a, b) = …`, `a: T = …`
        let pattern = match t.kind {
            Kind::Word | Kind::Var => self.is_at(1, ",") || self.is_at(1, ":"),
            Kind::Open => true,
            Kind::Punct => t.text == "*",
            _ => false,
        };
        if pattern {
            let eq = self.scan(start, self.end, |t| {
                t.kind == Kind::Newline || (is_code(t) && matches!(t.text.as_ref(), "=" | ";" | "{"))
            });
            if let Some(eq) = eq.filter(|&e| self.toks[e].text == "=") {
                let annotated = self.is_at(1, ":");
                self.i = eq + 1;
                self.skip_newlines();
                let value = self.expression_list();
                self.bind(start, if annotated { start + 1 } else { eq }, value);
                return Val::Unknown;
            }
        }
        let value = self.expression_list();
        // `a = b = c` went into the expression; what is left are operators that we don't know.
        if self.i == start {
            self.i += 1;
        }
        value
    }

    // --- JavaScript, Perl, PHP ---

    fn braces(&mut self, blocks: &mut Blocks) -> Option<Val> {
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
    fn header(&mut self, blocks: &mut Blocks, repeats: bool) {
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

    fn brace_for(&mut self, blocks: &mut Blocks) {
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

    fn loop_head(&mut self, start: usize, end: usize, names: Option<(usize, usize)>) {
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

    fn declaration(&mut self) {
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
    fn name_function(&mut self, id: usize, at: usize) {
        self.funcs[id].escapes = false;
        if self.funcs[id].name.is_empty() {
            self.funcs[id].name = Rc::from(self.toks[at].text.as_ref());
        }
    }

    fn class_member(&mut self) -> Option<Val> {
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

    fn perl_sub(&mut self) -> Option<Val> {
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

    fn expression_statement(&mut self) -> Val {
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
    fn perl_modifier(&mut self) {
        let found = self.scan(self.i, self.end, |t| {
            (is_code(t) && matches!(t.text.as_ref(), ";" | "{"))
                || (t.kind == Kind::Word && matches!(t.text.as_ref(), "for" | "foreach"))
        });
        let Some(at) = found.filter(|&at| self.toks[at].kind == Kind::Word) else { return };
        let to = self.scan(at, self.end, |t| is_code(t) && t.text == ";").unwrap_or(self.end);
        let value = self.collection(at + 1, to, "(");
        let value = match &value {
            Val::List(items) if items.len() == 1 && matches!(items[0], Val::List(_) | Val::Each(_)) => {
                items[0].element()
            }
            v => v.element(),
        };
        self.set("$_", value);
    }

    // --- imports of the others ---

    /// `import …`, `use …`; `false` where it is an expression.
    fn import(&mut self, word: &str) -> bool {
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

    fn perl_use(&mut self) {
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

    fn js_import(&mut self) {
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

    // --- Ruby ---

    fn ruby(&mut self) -> Option<Val> {
        let t = self.peek()?;
        if t.kind != Kind::Word || self.is_at(1, "=") || self.is_at(1, ".") {
            return Some(self.simple_statement());
        }
        match t.text.as_ref() {
            "if" | "unless" | "while" | "until" | "elsif" | "else" | "end" | "then" | "do" | "begin" | "rescue"
            | "ensure" | "case" | "when" | "module" | "private" | "public" | "and" | "or" | "not" | "BEGIN" | "END" => {
                self.i += 1;
                None
            }
            "class" => {
                self.i = self.scan(self.i, self.end, |t| t.kind == Kind::Newline || t.text == ";").unwrap_or(self.end);
                None
            }
            "for" => {
                self.i += 1;
                let from = self.i;
                let to =
                    self.scan(from, self.end, |t| t.kind == Kind::Newline || (t.kind == Kind::Word && t.text == "in"))?;
                self.i = to + 1;
                let value = self.expression().element();
                self.bind(from, to, value);
                None
            }
            "def" => {
                self.ruby_def();
                None
            }
            "return" => {
                self.returns();
                None
            }
            _ => Some(self.simple_statement()),
        }
    }

    fn ruby_def(&mut self) {
        self.i += 1;
        if self.is("self") {
            self.i += 2;
        }
        let Some(name) = self.peek() else { return };
        let column = self.column;
        self.i += 1;
        let params = if self.is("(") {
            let p = (self.i + 1, self.toks[self.i].mate);
            self.i = self.after(self.i);
            p
        } else {
            let from = self.i;
            let to = self
                .scan(from, self.end, |t| t.kind == Kind::Newline || (is_code(t) && t.text == ";"))
                .unwrap_or(self.end);
            self.i = to;
            (from, to)
        };
        let start = self.i;
        let one_line = self.peek().is_some_and(|t| t.kind != Kind::Newline);
        // The `end` in the column of its `def`, or the first one on one line.
        let mut end = self.end;
        let mut at = start;
        while let Some(found) = self.scan(at, self.end, |t| t.kind == Kind::Word && t.text == "end") {
            let first = found > 0 && self.toks[found - 1].kind == Kind::Newline && self.toks[found - 1].mate <= column;
            if first || one_line {
                end = found;
                break;
            }
            at = found + 1;
        }
        self.i = (end + 1).min(self.end);
        let id = self.define(Func {
            name: Rc::from(name.text.as_ref()),
            params,
            body: (start, end),
            expression: false,
            takes_self: false,
            called: false,
            escapes: false,
            active: false,
        });
        self.set(&name.text, Val::Func(id));
    }
}
