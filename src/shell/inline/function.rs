//! Functions as values: arrows, lambdas, closures, methods.

use std::rc::Rc;

use super::interp::{Func, Interp, is_code};
use super::token::Kind;
use super::val::Val;

impl Interp<'_> {
    /// `name(params) {…}` of a class or object, where it is one.
    pub(super) fn method_definition(&mut self) -> Option<usize> {
        let name = self.peek()?.text.to_string();
        let open = self.i + 1;
        let close = self.toks.get(open)?.mate;
        let body = self.brace_from(close + 1)?;
        self.i = self.after(body);
        let id = self.define(Func {
            name: Rc::from(name.as_str()),
            params: (open + 1, close),
            body: (body + 1, self.toks[body].mate),
            expression: false,
            takes_self: false,
            called: false,
            escapes: false,
            active: false,
        });
        Some(id)
    }

    /// The `{` at `at`, after a type annotation or `use (…)` at most.
    pub(super) fn brace_from(&mut self, at: usize) -> Option<usize> {
        let end = self.end.min(at + 24).min(self.toks.len());
        let found =
            self.scan(at, end, |t| is_code(t) && matches!(t.text.as_ref(), "{" | ";" | "," | ")" | "=" | "=>"))?;
        (self.toks[found].text == "{").then_some(found)
    }

    /// The body after `=>`.
    pub(super) fn arrow(&mut self, params: (usize, usize)) -> Val {
        let mut func = Func {
            name: Rc::from(""),
            params,
            body: (self.i, self.i),
            expression: false,
            takes_self: false,
            called: false,
            escapes: true,
            active: false,
        };
        self.skip_newlines();
        if self.is("{") {
            func.body = (self.i + 1, self.toks[self.i].mate);
            self.i = self.after(self.i);
        } else {
            let from = self.i;
            let to = self.scan(from, self.end, |t| {
                t.kind == Kind::Newline || (is_code(t) && matches!(t.text.as_ref(), "," | ";" | ":"))
            });
            let mut to = to.unwrap_or(self.end);
            // `c ? a : b` has a colon of its own.
            if self.toks.get(to).is_some_and(|t| t.text == ":") {
                to = self
                    .scan(to, self.end, |t| {
                        t.kind == Kind::Newline || (is_code(t) && matches!(t.text.as_ref(), "," | ";"))
                    })
                    .unwrap_or(self.end);
            }
            // A chained call on the next line belongs to it.
            func.body = (from, to);
            func.expression = true;
            self.i = to;
        }
        Val::Func(self.define(func))
    }

    /// `function (a, b) {…}` after the keyword.
    pub(super) fn function_expression(&mut self) -> Val {
        self.take("*");
        let name = match self.peek() {
            Some(t) if t.kind == Kind::Word => {
                self.i += 1;
                t.text.to_string()
            }
            _ => String::new(),
        };
        self.take("&");
        let params = if self.is("(") {
            let p = (self.i + 1, self.toks[self.i].mate);
            self.i = self.after(self.i);
            p
        } else {
            (self.i, self.i)
        };
        if self.is("=>") {
            self.i += 1;
            return self.arrow(params);
        }
        let Some(body) = self.brace_from(self.i) else { return Val::Unknown };
        self.i = self.after(body);
        let func = Func {
            name: Rc::from(name.as_str()),
            params,
            body: (body + 1, self.toks[body].mate),
            expression: false,
            takes_self: false,
            called: false,
            escapes: name.is_empty(),
            active: false,
        };
        let id = self.define(func);
        if !name.is_empty() {
            self.set(&name, Val::Func(id));
        }
        Val::Func(id)
    }

    pub(super) fn lambda_python(&mut self) -> Val {
        let from = self.i;
        let Some(colon) = self.scan(from, self.end, |t| is_code(t) && t.text == ":") else { return Val::Unknown };
        let to = self.scan(colon + 1, self.end, |t| {
            t.kind == Kind::Newline || (is_code(t) && matches!(t.text.as_ref(), "," | ";" | ":"))
        });
        let to = to.unwrap_or(self.end);
        self.i = to;
        Val::Func(self.define(Func {
            name: Rc::from(""),
            params: (from, colon),
            body: (colon + 1, to),
            expression: true,
            takes_self: false,
            called: false,
            escapes: true,
            active: false,
        }))
    }

    pub(super) fn lambda_ruby(&mut self) -> Val {
        let params = if self.is("(") {
            let p = (self.i + 1, self.toks[self.i].mate);
            self.i = self.after(self.i);
            p
        } else {
            (self.i, self.i)
        };
        if !self.is("{") {
            return Val::Unknown;
        }
        let body = (self.i + 1, self.toks[self.i].mate);
        self.i = self.after(self.i);
        Val::Func(self.define(Func {
            name: Rc::from(""),
            params,
            body,
            expression: false,
            takes_self: false,
            called: false,
            escapes: true,
            active: false,
        }))
    }
}
