//! Values in brackets: tuples, lists, mappings, comprehensions.

use std::rc::Rc;

use super::expr::key_of;
use super::interp::{Interp, is_code};
use super::token::Kind;
use super::val::Val;
use crate::shell::programs::Language;

impl Interp<'_> {
    /// A value in brackets: a group, a tuple, a list, a mapping, a comprehension, the parameters of a function.
    pub(super) fn bracketed(&mut self) -> Val {
        let at = self.i;
        let t = &self.toks[at];
        let close = t.mate.clamp(at + 1, self.end.max(at + 1));
        if t.text == "("
            && self.toks.get(close + 1).is_some_and(|t| t.text == "=>" && is_code(t))
            && self.is_language(Language::Node)
        {
            self.i = close + 2;
            return self.arrow((at + 1, close));
        }
        // `(a, b): Type => …`
        self.i = (close + 1).min(self.toks.len());
        if t.text == "{" && !matches!(self.language, Language::Python) {
            return self.mapping(at + 1, close);
        }
        let round = t.text == "(";
        let value = self.collection(at + 1, close, t.text.as_ref());
        match value {
            // A group is its content.
            Val::List(items) if round && items.len() == 1 && !self.trailing_comma(close) => items[0].clone(),
            v => v,
        }
    }

    pub(super) fn trailing_comma(&self, close: usize) -> bool {
        close > 0 && self.toks[close - 1].text == "," && self.is_language(Language::Python)
    }

    /// The comma-separated values of `start..end`.
    pub(super) fn collection(&mut self, start: usize, end: usize, open: &str) -> Val {
        if self.is_language(Language::Python)
            && let Some(word) = self.scan(start, end, |t| t.kind == Kind::Word && t.text == "for")
        {
            return self.comprehension(start, word, end);
        }
        if open == "{" {
            return self.mapping(start, end);
        }
        let mut items = Vec::new();
        let mut pairs: Vec<(Rc<str>, Val)> = Vec::new();
        self.within(start, end, |me| {
            while me.i < me.end && me.spend(1) {
                let before = me.i;
                if me
                    .peek()
                    .is_some_and(|t| t.kind == Kind::Newline || (is_code(t) && matches!(t.text.as_ref(), "," | ";")))
                {
                    me.i += 1;
                    continue;
                }
                let spread = me.is("*") || me.is("...");
                let value = me.expression();
                if me.take("=>") {
                    let key: Rc<str> = Rc::from(key_of(&value));
                    let v = me.expression();
                    items.push(value);
                    items.push(v.clone());
                    pairs.push((key, v));
                } else {
                    match value {
                        Val::Lists(_) if spread => items.extend(Self::words(&value)),
                        Val::List(l) if spread || me.is_language(Language::Perl) && open == "(" => {
                            if me.spend(l.len()) {
                                items.extend(l.iter().cloned());
                            }
                        }
                        v => items.push(v),
                    }
                }
                if me.take("as") {
                    me.bind_as();
                }
                me.i = me.i.max(before + 1);
            }
        });
        // PHP's arrays and Perl's hashes are lists of pairs.
        if !pairs.is_empty() && (self.is_language(Language::Php) || pairs.len() * 2 == items.len()) {
            return Val::Map(Rc::new(pairs));
        }
        Val::list(items)
    }

    /// The name after `as` gets the value that was seen last; what it names is no path.
    pub(super) fn bind_as(&mut self) {
        if let Some(t) = self.peek()
            && t.kind == Kind::Word
        {
            let name = t.text.to_string();
            self.i += 1;
            self.set(&name, Val::Unknown);
        }
    }

    pub(super) fn comprehension(&mut self, start: usize, word: usize, end: usize) -> Val {
        let mark = self.log.len();
        self.within(word, end, |me| {
            while me.i < me.end && me.spend(1) {
                if me.take("for") {
                    let from = me.i;
                    let to = me.scan(from, me.end, |t| t.kind == Kind::Word && t.text == "in").unwrap_or(me.end);
                    me.i = (to + 1).min(me.end);
                    let value = me.binary(3).element();
                    me.bind(from, to, value);
                } else if me.take("if") {
                    me.binary(3);
                } else {
                    me.i += 1;
                }
            }
        });
        let value = self.within(start, word, |me| {
            let v = me.expression_list();
            if me.take(":") { me.expression().union(Val::Unknown) } else { v }
        });
        self.undo(mark);
        Val::each(value)
    }

    /// `{a: b}` in its forms.
    pub(super) fn mapping(&mut self, start: usize, end: usize) -> Val {
        let mut pairs: Vec<(Rc<str>, Val)> = Vec::new();
        self.within(start, end, |me| {
            while me.i < me.end && me.spend(1) {
                let before = me.i;
                me.skip_newlines();
                if !(me.take(",") || me.take(";")) {
                    me.pair(&mut pairs);
                }
                me.i = me.i.max(before + 1);
            }
        });
        Val::Map(Rc::new(pairs))
    }

    pub(super) fn pair(&mut self, pairs: &mut Vec<(Rc<str>, Val)>) {
        let Some(t) = self.peek() else { return };
        if self.is("...") || self.is("**") {
            self.i += 1;
            if let Val::Map(more) = self.expression()
                && self.spend(more.len())
            {
                pairs.extend(more.iter().cloned());
            }
            return;
        }
        let key: Rc<str> = Rc::from(t.text.as_ref());
        let simple = matches!(t.kind, Kind::Word | Kind::Str | Kind::Num);
        if simple && self.is_at(1, ":") {
            self.i += 2;
            self.skip_newlines();
            let value = self.expression();
            pairs.push((key, value));
            return;
        }
        if t.kind == Kind::Word && self.is_language(Language::Node) {
            // `run() {…}`, `async run() {…}`, `get x() {…}`, `{a}`
            while self.peek_at(1).is_some_and(|t| t.kind == Kind::Word) {
                self.i += 1;
            }
            if self.is_at(1, "(")
                && let Some(id) = self.method_definition()
            {
                pairs.push((key, Val::Func(id)));
                return;
            }
        }
        let name = self.expression();
        if self.take(":") || self.take("=>") {
            self.skip_newlines();
            let value = self.expression();
            pairs.push((Rc::from(key_of(&name)), value));
        } else if t.kind == Kind::Word {
            pairs.push((key, name));
        } else if self.take(",") && self.is_language(Language::Perl) {
            let value = self.expression();
            pairs.push((Rc::from(key_of(&name)), value));
        }
    }
}
