//! What an expression gives, as far as it can be known.

use std::rc::Rc;

use super::super::ast::Body;
use crate::limits::{MAX_ALTERNATIVES, MAX_EXPANSION};
use crate::shell::bash::eval::values;
use crate::shell::{Piece, Value};

/// A value of PowerShell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Val {
    /// `$null`.
    Null,
    /// `$true`, `$false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A string, known as far as its pieces are.
    Str(Value),
    /// A file or folder by its full path.
    Item(Value),
    /// An array or a pipeline's output.
    List(Rc<Vec<Val>>),
    /// A hashtable or an object made of one.
    Hash(Rc<Vec<(String, Val)>>),
    /// A script block.
    Block(Rc<Body>),
    /// A type by its lower-case name.
    Type(Rc<str>),
    /// An object that stands for a file (a writer, a shortcut).
    Object(Value),
    /// One of these.
    Either(Rc<Vec<Val>>),
    /// Nothing is known.
    Unknown,
}

impl Val {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Str(Value::text(text))
    }

    /// A pipeline's output as a value: nothing, one thing, or a list.
    pub(super) fn collect(mut items: Vec<Self>) -> Self {
        match items.len() {
            0 => Self::Null,
            1 => items.pop().unwrap_or(Self::Null),
            _ => Self::list(items),
        }
    }

    pub(super) fn list(mut items: Vec<Self>) -> Self {
        if items.len() > MAX_EXPANSION {
            items = vec![Self::Unknown];
        }
        Self::List(Rc::new(items))
    }

    /// One of `all`.
    pub(super) fn either(all: Vec<Self>) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        for one in all {
            let more = match one {
                Self::Either(inner) => inner.to_vec(),
                other => vec![other],
            };
            for one in more {
                if !kept.contains(&one) {
                    kept.push(one);
                }
            }
        }
        if kept.len() > MAX_ALTERNATIVES {
            return Self::Unknown;
        }
        match kept.len() {
            0 => Self::Null,
            1 => kept.pop().unwrap_or(Self::Null),
            _ => Self::Either(Rc::new(kept)),
        }
    }

    /// Each value that this may be.
    pub(super) fn alternatives(self) -> Vec<Self> {
        match self {
            Self::Either(all) => all.to_vec(),
            other => vec![other],
        }
    }

    /// What a pipeline hands on one by one.
    pub(super) fn items(self) -> Vec<Self> {
        match self {
            Self::Null => Vec::new(),
            Self::List(items) => items.to_vec(),
            other => vec![other],
        }
    }

    /// As a string, one value that covers all alternatives.
    pub(super) fn string(&self) -> Value {
        match self {
            Self::Null => Value::default(),
            Self::Bool(true) => Value::text("True"),
            Self::Bool(false) => Value::text("False"),
            Self::Int(n) => Value::text(n.to_string()),
            Self::Str(value) | Self::Item(value) | Self::Object(value) => value.clone(),
            Self::List(items) => {
                let mut out = Value::default();
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push_str(" ");
                    }
                    out.append(item.string());
                }
                values::capped(out)
            }
            Self::Hash(_) => Value::text("System.Collections.Hashtable"),
            Self::Type(name) => Value::text(&**name),
            Self::Either(all) => {
                let all: Vec<Value> = all.iter().map(Self::string).collect();
                join(&all)
            }
            Self::Block(_) | Self::Unknown => Value::any(),
        }
    }

    /// As a known string.
    pub(super) fn known(&self) -> Option<String> {
        match self {
            Self::List(items) if items.len() != 1 => None,
            Self::List(items) => items.first()?.known(),
            Self::Null | Self::Block(_) | Self::Unknown | Self::Hash(_) => None,
            other => other.string().known().map(std::borrow::Cow::into_owned),
        }
    }

    /// Each path that an argument names.
    pub(super) fn paths(&self) -> Vec<Value> {
        match self {
            Self::Null => Vec::new(),
            Self::List(items) | Self::Either(items) => items.iter().flat_map(Self::paths).collect(),
            Self::Hash(pairs) => pairs
                .iter()
                .find(|(k, _)| ["fullname", "path", "pspath", "literalpath"].contains(&k.to_lowercase().as_str()))
                .map_or_else(|| vec![Value::any()], |(_, v)| v.paths()),
            other => vec![other.string()],
        }
    }

    /// Whether a condition holds, where that is known.
    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            Self::Null => Some(false),
            Self::Bool(b) => Some(*b),
            Self::Int(n) => Some(*n != 0),
            Self::Str(value) => match value.pieces.as_slice() {
                [] => Some(false),
                pieces if pieces.iter().any(|p| matches!(p, Piece::Text(_) | Piece::Under(_))) => Some(true),
                _ => None,
            },
            Self::Item(_) | Self::Hash(_) | Self::Block(_) | Self::Type(_) | Self::Object(_) => Some(true),
            Self::List(items) => match items.as_slice() {
                [] => Some(false),
                [one] => one.truth(),
                _ => Some(true),
            },
            Self::Either(all) => {
                let first = all.first()?.truth()?;
                all.iter().all(|v| v.truth() == Some(first)).then_some(first)
            }
            Self::Unknown => None,
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            Self::Bool(b) => Some(i64::from(*b)),
            Self::Null => Some(0),
            Self::Str(_) => self.known()?.trim().parse().ok(),
            _ => None,
        }
    }

    /// Bytes of text in it.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Str(v) | Self::Item(v) | Self::Object(v) => v.text_len(),
            Self::List(items) | Self::Either(items) => 8 + items.len() * 8,
            Self::Hash(pairs) => 8 + pairs.len() * 8,
            _ => 8,
        }
    }
}

/// A value that covers all of `all`, which may be spelled with either separator.
pub(super) fn join(all: &[Value]) -> Value {
    let Some(first) = all.first() else { return Value::default() };
    if all.iter().all(|v| v == first) {
        return first.clone();
    }
    if all.iter().all(values::is_plain_name) {
        return Value::name();
    }
    let shared = all.iter().map(Value::prefix).reduce(|a, b| &a[..shared(a, b)]).unwrap_or_default();
    let kept = shared.rfind(['/', '\\']).map_or(0, |i| i + 1);
    let mut out = Value::text(&shared[..kept]);
    out.push(Piece::Any);
    out
}

/// Bytes that two texts begin with alike.
fn shared(a: &str, b: &str) -> usize {
    a.char_indices().zip(b.chars()).find(|((_, x), y)| x != y).map_or(a.len().min(b.len()), |((i, _), _)| i)
}
