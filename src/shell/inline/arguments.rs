//! The arguments of a call, with and without brackets, and blocks behind it.

use std::rc::Rc;

use super::expr::{begins_argument, key_of};
use super::interp::{Args, Interp, is_code};
use super::token::Kind;
use super::val::Val;
use crate::shell::programs::Language;

impl Interp<'_> {
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

    pub(super) fn argument_list(&mut self) -> Args {
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

    pub(super) fn argument(&mut self, args: &mut Args) {
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
            Val::Map(pairs) if double => {
                if self.spend(pairs.len()) {
                    args.kw.extend(pairs.iter().cloned());
                }
            }
            Val::Lists(_) if spread || self.spreads(t.text.as_ref()) => args.pos.extend(Self::words(&value)),
            Val::List(items) if spread || self.spreads(t.text.as_ref()) => {
                if self.spend(items.len()) {
                    args.pos.extend(items.iter().cloned());
                }
            }
            v => args.pos.push(v),
        }
    }

    /// In Perl a list among the arguments is its elements.
    pub(super) fn spreads(&self, first: &str) -> bool {
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
    pub(super) fn list_of_words(&self) -> bool {
        self.i >= 2 && self.toks[self.i - 2].text == ","
    }

    pub(super) fn takes_bare_arguments(&self, value: &Val, place: Option<&str>) -> bool {
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

    pub(super) fn bare_arguments(&mut self) -> Args {
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

    pub(super) fn bare_call(&mut self, value: &Val) -> Val {
        let args = self.deeper(Args::default(), Self::bare_arguments);
        let result = self.call(value, &args);
        // A block, a chained call, an operator may follow.
        if self.is_language(Language::Ruby) { self.postfix(result, None) } else { result }
    }

    /// ``$`mkdir x` `` runs a command; other tags do not.
    pub(super) fn tagged(&mut self, tag: &Val) -> Val {
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

    pub(super) fn template_text(&mut self) -> Val {
        let Some(t) = self.peek() else { return Val::Unknown };
        let width = if t.kind == Kind::Tpl { t.mate + 1 } else { self.i + 1 };
        let value = self.within(self.i, width, Self::expression);
        self.i = width;
        value
    }

    /// `{ |x| … }` after a call in Ruby.
    pub(super) fn ruby_block(&mut self, receiver: &Val) {
        let at = self.i;
        let close = self.toks[at].mate;
        self.i = self.after(at);
        self.within(at + 1, close, |me| {
            me.skip_newlines();
            me.block_params(receiver);
            me.statements()
        });
    }

    pub(super) fn block_params(&mut self, receiver: &Val) {
        if !self.take("|") {
            return;
        }
        let from = self.i;
        let to = self.scan(from, self.end, |t| is_code(t) && t.text == "|").unwrap_or(from);
        self.i = (to + 1).min(self.end);
        let element = match receiver {
            Val::List(_) | Val::Lists(_) | Val::Each(_) => receiver.element(),
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
