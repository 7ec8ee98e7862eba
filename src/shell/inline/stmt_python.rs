//! Python's statements.

use std::rc::Rc;

use super::interp::{Func, Interp, is_code};
use super::stmt::{Blocks, Ends};
use super::token::Kind;
use super::val::Val;

impl Interp<'_> {
    pub(super) fn python(&mut self, blocks: &mut Blocks) -> Option<Val> {
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
            "yield" => {
                self.i += 1;
                self.take("from");
                let value = self.expression_list();
                self.returned.push(Val::each(value));
            }
            "async" | "del" | "assert" | "raise" | "global" | "nonlocal" | "pass" | "break" | "continue" => {
                self.i += 1;
            }
            "print" | "exec" if !self.is_at(1, "(") => self.i += 1,
            _ => return Some(self.simple_statement()),
        }
        None
    }

    /// After a header: its `:` and the block behind it.
    pub(super) fn python_block(&mut self, blocks: &mut Blocks, merge: bool, repeats: bool) {
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

    pub(super) fn python_for(&mut self, blocks: &mut Blocks) {
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

    pub(super) fn python_with(&mut self) {
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

    pub(super) fn dotted_name(&mut self) -> String {
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

    pub(super) fn python_import(&mut self) {
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

    pub(super) fn python_from(&mut self) {
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

    pub(super) fn class_header(&mut self, blocks: &mut Blocks) {
        self.i += 1;
        if self.is("(") {
            self.i = self.after(self.i);
        }
        self.python_block(blocks, false, false);
        if let Some(b) = blocks.0.last_mut() {
            b.class = true;
        }
    }

    pub(super) fn python_def(&mut self, blocks: &mut Blocks) {
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
}
