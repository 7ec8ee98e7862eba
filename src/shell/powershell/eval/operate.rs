//! Operators.

use std::rc::Rc;

use super::machine::Eval;
use super::val::Val;
use crate::limits::{MAX_ALTERNATIVES, MAX_EXPANSION, MAX_VALUE_BYTES};
use crate::shell::bash::eval::values;
use crate::shell::{Piece, Value};

impl Eval<'_> {
    /// `left OPERATOR right`.
    pub(super) fn operate(&mut self, operator: &str, left: Val, right: Val) -> Val {
        self.charge_bytes(left.size() + right.size());
        match operator {
            "+" => self.add(left, right),
            "-" | "/" | "%" => arithmetic(operator, &left, &right),
            "*" => self.times(left, &right),
            ".." => range(&left, &right),
            "f" => each(&left, |template| self.format(template, &right)),
            "join" => {
                let separator = right.string();
                let mut out = Value::default();
                for (i, item) in left.items().iter().enumerate() {
                    if i > 0 {
                        out.append(separator.clone());
                    }
                    out.append(item.string());
                }
                self.charge_bytes(out.text_len());
                Val::Str(values::capped(out))
            }
            "split" => split(&left, &right),
            "replace" => {
                let (pattern, with) = match right {
                    Val::List(items) => {
                        (items.first().cloned().unwrap_or(Val::Null), items.get(1).cloned().unwrap_or(Val::Null))
                    }
                    other => (other, Val::Null),
                };
                match left {
                    Val::List(items) => Val::list(items.iter().map(|v| replaced(v, &pattern, &with, true)).collect()),
                    other => each(&other, |v| replaced(v, &pattern, &with, true)),
                }
            }
            "and" | "or" | "xor" => logic(operator, &left, &right),
            "eq" | "ne" => match compared(&left, &right) {
                Some(same) => Val::Bool(same == (operator == "eq")),
                None => Val::Unknown,
            },
            "gt" | "ge" | "lt" | "le" => match (left.number(), right.number()) {
                (Some(a), Some(b)) => Val::Bool(match operator {
                    "gt" => a > b,
                    "ge" => a >= b,
                    "lt" => a < b,
                    _ => a <= b,
                }),
                _ => Val::Unknown,
            },
            "contains" => membership(&left, &right),
            "in" => membership(&right, &left),
            "notcontains" => negated(&membership(&left, &right)),
            "notin" => negated(&membership(&right, &left)),
            "??" => match left {
                Val::Null => right,
                other => Val::either(vec![other, right]),
            },
            "as" => left,
            _ => Val::Unknown,
        }
    }

    fn add(&mut self, left: Val, right: Val) -> Val {
        match (left, right) {
            (Val::Null, right) => right,
            (Val::List(items), right) => {
                let mut all = Rc::unwrap_or_clone(items);
                self.charge(all.len() / 8);
                all.extend(right.items());
                Val::list(all)
            }
            (Val::Hash(a), Val::Hash(b)) => {
                let mut all = Rc::unwrap_or_clone(a);
                self.charge((all.len() + b.len()) / 8);
                all.extend(b.iter().cloned());
                if all.len() > MAX_EXPANSION { Val::Unknown } else { Val::Hash(Rc::new(all)) }
            }
            (Val::Int(a), right) => match right.number() {
                Some(b) => Val::Int(a.saturating_add(b)),
                None => Val::Str(Value::name()),
            },
            (left, right) => {
                let (a, b) = (left.alternatives(), right.alternatives());
                if a.len() * b.len() > MAX_ALTERNATIVES {
                    let mut text = Val::either(a).string();
                    text.append(Val::either(b).string());
                    return Val::Str(values::capped(text));
                }
                let mut all = Vec::with_capacity(a.len() * b.len());
                for x in &a {
                    for y in &b {
                        let mut text = x.string();
                        text.append(y.string());
                        self.charge_bytes(text.text_len());
                        all.push(Val::Str(values::capped(text)));
                    }
                }
                Val::either(all)
            }
        }
    }

    fn times(&mut self, left: Val, right: &Val) -> Val {
        let Some(count) = right.number().and_then(|n| usize::try_from(n).ok()) else { return Val::Unknown };
        match left {
            Val::Int(n) => right.number().map_or(Val::Unknown, |m| Val::Int(n.saturating_mul(m))),
            Val::Str(text) => {
                let bytes = text.text_len().saturating_mul(count);
                if bytes > MAX_VALUE_BYTES || !self.charge_bytes(bytes) || count > MAX_EXPANSION {
                    return Val::Unknown;
                }
                let mut out = Value::default();
                for _ in 0..count {
                    out.append(text.clone());
                }
                Val::Str(values::capped(out))
            }
            _ => Val::Unknown,
        }
    }

    /// `template -f arguments`.
    fn format(&mut self, template: &Val, arguments: &Val) -> Val {
        let args = match arguments {
            Val::List(items) => items.to_vec(),
            other => vec![other.clone()],
        };
        let Val::Str(template) = template else { return Val::Unknown };
        let mut out = Value::default();
        for piece in &template.pieces {
            let Piece::Text(text) = piece else {
                out.push(piece.clone());
                continue;
            };
            let mut rest = text.as_str();
            while let Some(at) = rest.find(['{', '}']) {
                out.push_str(&rest[..at]);
                let tail = &rest[at..];
                if tail.starts_with("{{") || tail.starts_with("}}") {
                    out.push_str(&tail[..1]);
                    rest = &tail[2..];
                    continue;
                }
                let Some(end) = tail.find('}').filter(|_| tail.starts_with('{')) else {
                    rest = &tail[1..];
                    continue;
                };
                out.append(formatted(&tail[1..end], &args));
                rest = &tail[end + 1..];
                if !self.charge_bytes(out.text_len()) {
                    return Val::Unknown;
                }
            }
            out.push_str(rest);
        }
        Val::Str(values::capped(out))
    }

    /// `OPERATOR value`.
    pub(super) fn unary(&mut self, operator: &str, value: Val) -> Val {
        match operator {
            "not" => negated(&value),
            "-" => value.number().map_or(Val::Unknown, |n| Val::Int(n.saturating_neg())),
            "+" => value.number().map_or(Val::Unknown, Val::Int),
            "join" => self.operate("join", value, Val::text("")),
            "split" => match value.known() {
                Some(text) => Val::list(text.split_whitespace().map(Val::text).collect()),
                None => Val::Unknown,
            },
            _ => Val::Unknown,
        }
    }
}

/// `{0}`, `{0:d3}`, `{0,-5}`.
fn formatted(slot: &str, args: &[Val]) -> Value {
    let (index, style) = match slot.find([':', ',']) {
        Some(at) => (&slot[..at], &slot[at..]),
        None => (slot, ""),
    };
    let Some(value) = index.trim().parse::<usize>().ok().and_then(|i| args.get(i)) else { return Value::any() };
    if style.is_empty() {
        return value.string();
    }
    let digits = style.strip_prefix(':').map(|s| s.trim_start_matches(['d', 'D']));
    let width = digits.and_then(|d| if d.bytes().all(|b| b == b'0') { Some(d.len()) } else { d.parse().ok() });
    match (value, width) {
        (Val::Int(n), Some(width)) if width <= 32 => Value::text(format!("{n:0width$}")),
        // A date's or number's style may hold separators of its own.
        _ if style.contains(['/', '\\']) => Value::any(),
        _ => Value::name(),
    }
}

/// `f` on each alternative.
fn each(value: &Val, mut f: impl FnMut(&Val) -> Val) -> Val {
    match value {
        Val::Either(all) => Val::either(all.iter().map(f).collect()),
        other => f(other),
    }
}

fn arithmetic(operator: &str, left: &Val, right: &Val) -> Val {
    match (left.number(), right.number()) {
        (Some(a), Some(b)) => match operator {
            "-" => Val::Int(a.saturating_sub(b)),
            "/" if b != 0 && a.checked_rem(b) == Some(0) => Val::Int(a.saturating_div(b)),
            "%" if b != 0 => Val::Int(a.checked_rem(b).unwrap_or(0)),
            _ => Val::Str(Value::name()),
        },
        _ => Val::Str(Value::name()),
    }
}

fn range(left: &Val, right: &Val) -> Val {
    let (Some(a), Some(b)) = (left.number(), right.number()) else {
        return Val::list(vec![Val::Str(Value::name())]);
    };
    if a.abs_diff(b) >= MAX_EXPANSION as u64 {
        return Val::list(vec![Val::Str(Value::name())]);
    }
    let up = a.min(b)..=a.max(b);
    let items = if a <= b { up.map(Val::Int).collect() } else { up.rev().map(Val::Int).collect() };
    Val::list(items)
}

fn logic(operator: &str, left: &Val, right: &Val) -> Val {
    let result = match (operator, left.truth(), right.truth()) {
        ("and", Some(false), _) | ("and", _, Some(false)) | ("or", Some(false), Some(false)) => Some(false),
        ("and", Some(true), Some(true)) | ("or", Some(true), _) | ("or", _, Some(true)) => Some(true),
        ("xor", Some(a), Some(b)) => Some(a != b),
        _ => None,
    };
    result.map_or(Val::Unknown, Val::Bool)
}

fn negated(value: &Val) -> Val {
    value.truth().map_or(Val::Unknown, |t| Val::Bool(!t))
}

/// Whether two values are the same text, where both are known.
fn compared(left: &Val, right: &Val) -> Option<bool> {
    match (left, right) {
        (Val::Null, Val::Null) => Some(true),
        (Val::Null, Val::Str(_) | Val::Int(_) | Val::Bool(_) | Val::Item(_))
        | (Val::Str(_) | Val::Int(_) | Val::Bool(_) | Val::Item(_), Val::Null) => Some(false),
        (Val::List(_) | Val::Either(_), _) => None,
        (Val::Bool(a), other) => Some(*a == other.truth()?),
        _ => match (left.number(), right.number()) {
            (Some(a), Some(b)) => Some(a == b),
            _ => Some(left.known()?.to_lowercase() == right.known()?.to_lowercase()),
        },
    }
}

fn membership(list: &Val, item: &Val) -> Val {
    let Val::List(items) = list else { return Val::Unknown };
    let mut unsure = false;
    for one in items.iter().take(MAX_EXPANSION) {
        match compared(one, item) {
            Some(true) => return Val::Bool(true),
            Some(false) => {}
            None => unsure = true,
        }
    }
    if unsure { Val::Unknown } else { Val::Bool(false) }
}

/// The literal text of a pattern that is one.
fn literal_pattern(pattern: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(c) if !c.is_alphanumeric() => out.push(c),
                _ => return None,
            },
            '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '^' | '$' | '|' => return None,
            c => out.push(c),
        }
    }
    Some(out)
}

fn split(left: &Val, right: &Val) -> Val {
    let separator = match right {
        Val::List(items) => items.first().and_then(Val::known),
        other => other.known(),
    };
    let (Val::Str(text), Some(separator)) = (left, separator.and_then(|s| literal_or_class(&s))) else {
        return Val::list(vec![Val::Unknown]);
    };
    match text.known() {
        Some(text) if !separator.is_empty() => Val::list(text.split(&*separator).map(Val::text).collect()),
        _ => Val::list(vec![Val::Unknown]),
    }
}

/// `\r?\n` and its like are line ends.
fn literal_or_class(pattern: &str) -> Option<String> {
    match pattern {
        "\\r?\\n" | "\\n" | "`r?`n" | "\r?\n" => Some("\n".to_owned()),
        other => literal_pattern(other),
    }
}

/// `-replace` (a pattern) or `.Replace()` (plain text).
pub(super) fn replaced(value: &Val, pattern: &Val, with: &Val, is_pattern: bool) -> Val {
    let text = match value {
        Val::Str(text) | Val::Item(text) => text.clone(),
        Val::Int(_) => value.string(),
        _ => return Val::Unknown,
    };
    let with = with.string();
    let plain = pattern.known().and_then(|p| if is_pattern { literal_pattern(&p) } else { Some(p) });
    if let Some(plain) = plain
        && !(is_pattern && with.pieces.iter().any(|p| matches!(p, Piece::Text(t) if t.contains('$'))))
    {
        // Patterns do not tell case apart; where only the case differs the text is unknown.
        let folded = |v: &Value| {
            v.pieces.iter().any(|p| matches!(p, Piece::Text(t) if t.to_lowercase().contains(&plain.to_lowercase())))
        };
        let replaced = text.replace(&plain, &with);
        if !is_pattern || replaced != text || !folded(&text) {
            return Val::Str(values::capped(replaced));
        }
    }
    if values::is_plain_name(&text) && values::is_plain_name(&with) {
        return Val::Str(Value::name());
    }
    Val::Str(Value::any())
}
