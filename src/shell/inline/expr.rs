//! Expressions: parsed and evaluated in one pass over the tokens.

use super::interp::{Args, Interp};
use super::token::{Kind, Token};
use super::val::{Val, concat, join};
use crate::shell::programs::Language;
use crate::shell::{Piece, Value};

/// What a binary operator does with paths and strings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    /// Either operand.
    Either,
    /// The second operand.
    Second,
    /// Strings are joined.
    Concat,
    /// Paths are joined.
    Slash,
    /// A template is filled.
    Percent,
    /// Flags are collected.
    Bits,
    /// Numbers.
    Range,
    /// Nothing that is a path.
    Other,
}

impl Interp<'_> {
    /// An expression without top-level commas.
    pub(super) fn expression(&mut self) -> Val {
        self.deeper(Val::Unknown, |me| me.binary(0))
    }

    /// An expression that ends before `or` and `and` where these bind looser than a comma.
    pub(super) fn tight_expression(&mut self) -> Val {
        self.deeper(Val::Unknown, |me| me.binary(1))
    }

    /// An expression list: several values make a tuple.
    pub(super) fn expression_list(&mut self) -> Val {
        let first = self.expression();
        if !self.is(",") {
            return first;
        }
        let mut items = vec![first];
        while self.take(",") {
            self.skip_newlines();
            if self.peek().is_none_or(|t| t.kind == Kind::Newline || t.text == "=" || t.text == ";") {
                break;
            }
            if !self.spend(1) {
                break;
            }
            items.push(self.expression());
        }
        Val::list(items)
    }

    pub(super) fn binary(&mut self, min: u8) -> Val {
        let mut left = self.unary();
        while let Some((prec, op, width)) = self.operator() {
            if prec < min || !self.spend(1) {
                break;
            }
            let text = self.toks[self.i].text.clone();
            self.i += width;
            self.skip_newlines();
            left = match text.as_ref() {
                // `a if c else b`
                "if" => {
                    self.binary(3);
                    if self.take("else") { left.union(self.expression()) } else { left }
                }
                // `c ? a : b`
                "?" => {
                    if self.take(":") {
                        left.union(self.expression())
                    } else {
                        let yes = self.expression();
                        self.skip_newlines();
                        if self.take(":") { yes.union(self.expression()) } else { yes }
                    }
                }
                _ => {
                    let right = self.deeper(Val::Unknown, |me| me.binary(prec + 1));
                    self.combine(op, left, &right)
                }
            };
        }
        left
    }

    /// The binary operator that comes next: precedence, meaning, tokens.
    fn operator(&self) -> Option<(u8, Op, usize)> {
        let mut skip = 0;
        let mut t = self.peek()?;
        if t.kind == Kind::Newline {
            // A line may begin with an operator that goes on.
            t = self.peek_at(1)?;
            skip = 1;
            if !matches!(t.text.as_ref(), "&&" | "||" | "??" | "?" | "+") || t.kind != Kind::Punct {
                return None;
            }
        }
        let lang = self.language;
        let (prec, op) = match (t.kind, t.text.as_ref()) {
            (Kind::Punct, "?") if lang != Language::Python => (1, Op::Either),
            (Kind::Word, "if") if lang == Language::Python => (1, Op::Either),
            // In these languages the words bind looser than anything else.
            (Kind::Word, "or" | "xor") if matches!(lang, Language::Perl | Language::Ruby | Language::Php) => {
                (0, Op::Either)
            }
            (Kind::Word, "and") if matches!(lang, Language::Perl | Language::Ruby | Language::Php) => (0, Op::Second),
            (Kind::Punct, "||" | "??") | (Kind::Word, "or" | "xor") => (3, Op::Either),
            (Kind::Punct, "//") if lang == Language::Perl => (3, Op::Either),
            (Kind::Punct, "&&") | (Kind::Word, "and") => (4, Op::Second),
            (Kind::Punct, "==" | "!=" | "===" | "!==" | "<" | ">" | "<=" | ">=" | "<=>" | "=~" | "!~") => {
                (5, Op::Other)
            }
            (Kind::Word, "in" | "is" | "not" | "instanceof" | "eq" | "ne" | "lt" | "gt" | "le" | "ge" | "cmp")
                if self.is_comparison(&t.text) =>
            {
                (5, Op::Other)
            }
            (Kind::Punct, "..") if lang != Language::Node && lang != Language::Python => (6, Op::Range),
            (Kind::Punct, "...") if lang == Language::Ruby => (6, Op::Range),
            (Kind::Punct, "|" | "^" | "&" | "<<" | ">>" | ">>>") => (7, Op::Bits),
            (Kind::Punct, "+") => (8, Op::Concat),
            (Kind::Punct, "-") => (8, Op::Other),
            (Kind::Punct, ".") if matches!(lang, Language::Perl | Language::Php) => (8, Op::Concat),
            (Kind::Punct, "/") => {
                (9, if matches!(lang, Language::Python | Language::Ruby) { Op::Slash } else { Op::Other })
            }
            (Kind::Punct, "%") => (9, Op::Percent),
            (Kind::Punct, "*" | "//" | "**") => (9, Op::Other),
            (Kind::Word, "x") if lang == Language::Perl => (9, Op::Other),
            _ => return None,
        };
        Some((prec, op, 1 + skip))
    }

    fn is_comparison(&self, word: &str) -> bool {
        match self.language {
            Language::Python => matches!(word, "in" | "is" | "not"),
            Language::Node => matches!(word, "in" | "instanceof"),
            Language::Perl => matches!(word, "eq" | "ne" | "lt" | "gt" | "le" | "ge" | "cmp"),
            Language::Php => word == "instanceof",
            _ => false,
        }
    }

    fn combine(&mut self, op: Op, left: Val, right: &Val) -> Val {
        if !self.spend(left.weight() + right.weight()) {
            return Val::Unknown;
        }
        match op {
            Op::Either => left.union(right.clone()),
            Op::Second => right.clone(),
            Op::Concat => self.plus(&left, right),
            Op::Slash if left.is_string() || right.is_string() => left.combine(right, join),
            Op::Slash if matches!((&left, right), (Val::Unknown | Val::Name(_), Val::Unknown | Val::Name(_))) => {
                Val::Unknown
            }
            Op::Percent if left.is_string() && !self.is_language(Language::Node) => {
                let args = match right {
                    Val::List(items) => Args { pos: items.as_ref().clone(), kw: Vec::new() },
                    Val::Map(pairs) => Args { pos: Vec::new(), kw: pairs.as_ref().clone() },
                    v => Args { pos: vec![v.clone()], kw: Vec::new() },
                };
                self.percent(&left, &args)
            }
            Op::Bits => match (&left, right) {
                (Val::Name(a), Val::Name(b)) => Val::named(&format!("{a}|{b}")),
                (Val::Name(a), _) => Val::Name(a.clone()),
                (_, Val::Name(b)) => Val::Name(b.clone()),
                (Val::Map(_), Val::Map(_)) => left.union(right.clone()),
                _ => Val::Unknown,
            },
            Op::Range => Self::range(&left, right),
            _ => match (&left, right) {
                (Val::Int(_), _) | (_, Val::Int(_)) => Val::name(),
                _ => Val::Unknown,
            },
        }
    }

    pub(super) fn plus(&mut self, left: &Val, right: &Val) -> Val {
        match (left, right) {
            (Val::Int(a), Val::Int(b)) if !matches!(self.language, Language::Perl | Language::Php) => {
                Val::Int(a.wrapping_add(*b))
            }
            (Val::List(a), Val::List(b)) if a.len() + b.len() <= 4096 && self.spend(a.len() + b.len()) => {
                Val::list(a.iter().chain(b.iter()).cloned().collect())
            }
            (Val::List(_) | Val::Lists(_) | Val::Each(_), Val::List(_) | Val::Lists(_) | Val::Each(_)) => {
                Val::each(left.element().union(right.element()))
            }
            (Val::Str(_), _) | (_, Val::Str(_)) => left.combine(right, concat),
            _ if matches!(self.language, Language::Perl | Language::Php) => left.combine(right, concat),
            (Val::Int(_), _) | (_, Val::Int(_)) => Val::name(),
            _ => Val::Unknown,
        }
    }

    /// `a..b`, `range(a, b)`: the numbers where they are few.
    pub(super) fn range(from: &Val, to: &Val) -> Val {
        match (from, to) {
            (Val::Int(a), Val::Int(b)) if b.saturating_sub(*a) <= 32 => Val::list((*a..=*b).map(Val::Int).collect()),
            (Val::Str(a), Val::Str(_)) if a.iter().all(super::val::no_separator) => Val::each(Val::name()),
            _ => Val::each(Val::name()),
        }
    }

    fn unary(&mut self) -> Val {
        // Prefix operators change nothing that matters here.
        let mut negative = false;
        let mut logical = false;
        while let Some(t) = self.peek() {
            let prefix = match t.kind {
                Kind::Punct => matches!(
                    t.text.as_ref(),
                    "!" | "-" | "+" | "~" | "\\" | "&" | "*" | "**" | "..." | "++" | "--" | "@" | "<"
                ),
                Kind::Word => {
                    matches!(
                        t.text.as_ref(),
                        "not"
                            | "await"
                            | "typeof"
                            | "void"
                            | "delete"
                            | "yield"
                            | "new"
                            | "my"
                            | "our"
                            | "local"
                            | "state"
                    ) && !self.is_at(1, "=")
                        && !self.is_at(1, "(")
                        && !self.is_at(1, ".")
                        || matches!(t.text.as_ref(), "my" | "our" | "await" | "not" | "typeof")
                }
                _ => false,
            };
            if !prefix || !self.spend(1) {
                break;
            }
            negative |= t.text == "-";
            logical |= t.text == "!" || t.text == "not";
            self.i += 1;
        }
        let value = self.operand();
        match value {
            Val::Int(n) if negative => Val::Int(n.wrapping_neg()),
            Val::Str(_) if logical => Val::Unknown,
            v => v,
        }
    }

    fn operand(&mut self) -> Val {
        let Some(t) = self.peek() else { return Val::Unknown };
        if !self.spend(1) {
            return Val::Unknown;
        }
        match t.kind {
            Kind::Str | Kind::Tpl => {
                let value = self.string();
                self.postfix(value, None)
            }
            Kind::Cmd => {
                let text = self.string();
                self.shell(&text, &Args::default());
                Val::Unknown
            }
            Kind::Num => {
                self.i += 1;
                let digits = t.text.replace('_', "");
                let value = digits.parse::<i64>().map_or_else(|_| Val::name(), Val::Int);
                self.postfix(value, None)
            }
            Kind::Var => {
                self.i += 1;
                let (value, place) = self.variable_value(&t.text);
                self.postfix(value, Some(place))
            }
            Kind::Opaque => {
                self.i += 1;
                self.postfix(Val::Unknown, None)
            }
            Kind::Open => {
                let value = self.bracketed();
                self.postfix(value, None)
            }
            Kind::Word => self.word(),
            Kind::Punct if t.text == "->" && self.is_language(Language::Ruby) => {
                self.i += 1;
                self.lambda_ruby()
            }
            Kind::Newline | Kind::Close | Kind::TplEnd | Kind::Code | Kind::CodeEnd | Kind::Punct => Val::Unknown,
        }
    }

    /// String literals; adjacent ones are one in Python and Ruby.
    fn string(&mut self) -> Val {
        let mut value = self.one_string();
        while matches!(self.language, Language::Python | Language::Ruby)
            && self.peek().is_some_and(|t| matches!(t.kind, Kind::Str | Kind::Tpl))
        {
            if !self.spend(1) {
                break;
            }
            let next = self.one_string();
            value = value.combine(&next, concat);
        }
        value
    }

    fn one_string(&mut self) -> Val {
        let Some(t) = self.peek() else { return Val::Unknown };
        if t.kind == Kind::Str {
            self.i += 1;
            self.spend(t.text.len() / 64);
            return Val::text(t.text.as_ref());
        }
        let (at, close) = (self.i, t.mate.max(self.i));
        let mut value = Val::text("");
        let mut i = at + 1;
        while i < close && self.work > 0 {
            let t = &self.toks[i];
            let part = match t.kind {
                Kind::Str => {
                    self.spend(1 + t.text.len() / 64);
                    Val::text(t.text.as_ref())
                }
                Kind::Code => {
                    let part = self.within(i + 1, t.mate, |me| {
                        me.skip_newlines();
                        me.expression_list()
                    });
                    match part {
                        Val::List(items) if self.is_language(Language::Perl) => items
                            .iter()
                            .cloned()
                            .reduce(|a, b| a.combine(&b, |a, b| concat(&concat(a, &Value::text(" ")), b)))
                            .unwrap_or(Val::Null),
                        part => part,
                    }
                }
                _ => Val::text(""),
            };
            i = self.after(i);
            value = value.combine(&part, concat);
            let weight = value.weight();
            self.spend(weight);
        }
        self.i = (close + 1).min(self.toks.len());
        value
    }

    // --- functions as values ---
}

/// A value as a mapping's key.
pub(super) fn key_of(value: &Val) -> String {
    match value {
        Val::Name(n) => n.to_string(),
        v => v.known().unwrap_or_default(),
    }
}

/// Unknown text, as a value.
pub(super) fn unknown_text() -> Value {
    Value { pieces: vec![Piece::Any] }
}

/// Whether an argument of a call without brackets may begin with this token.
pub(super) fn begins_argument(t: &Token<'_>, ruby: bool) -> bool {
    match t.kind {
        Kind::Str | Kind::Tpl | Kind::Var | Kind::Num | Kind::Cmd => true,
        Kind::Word => !matches!(
            t.text.as_ref(),
            "if" | "unless"
                | "while"
                | "until"
                | "for"
                | "foreach"
                | "and"
                | "or"
                | "do"
                | "then"
                | "rescue"
                | "in"
                | "x"
                | "eq"
                | "ne"
                | "lt"
                | "gt"
                | "le"
                | "ge"
                | "cmp"
                | "xor"
                | "end"
                | "else"
                | "elsif"
                | "isa"
        ),
        Kind::Open => ruby && t.text == "[" && t.gap,
        _ => false,
    }
}
