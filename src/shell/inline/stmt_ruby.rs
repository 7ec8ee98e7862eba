//! Ruby's statements.

use std::rc::Rc;

use super::interp::{Func, Interp, is_code};
use super::token::Kind;
use super::val::Val;

impl Interp<'_> {
    pub(super) fn ruby(&mut self) -> Option<Val> {
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

    pub(super) fn ruby_def(&mut self) {
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
