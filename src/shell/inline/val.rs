//! What an expression of a script may be worth.

use std::rc::Rc;

use crate::limits::{MAX_INLINE_ALTERNATIVES, MAX_INLINE_STRING};
use crate::path::{Form, Model};
use crate::shell::{Piece, Value};

/// The abstract value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// Nothing is known.
    Unknown,
    /// `None`, `null`, `undefined`, `nil`.
    Null,
    /// An integer or boolean.
    Int(i64),
    /// A string or path object that is one of these.
    Str(Rc<Vec<Value>>),
    /// A list or tuple with these elements.
    List(Rc<Vec<Val>>),
    /// A list that is one of these, each a [`Val::List`].
    Lists(Rc<Vec<Val>>),
    /// Something iterable of unknown length whose elements are all like this.
    Each(Rc<Val>),
    /// A mapping; keys that are known.
    Map(Rc<Vec<(Rc<str>, Val)>>),
    /// A name that the script did not define: a module, a builtin, a dotted path through them.
    Name(Rc<str>),
    /// A function of the script, by its number.
    Func(usize),
}

impl Val {
    /// A known string.
    pub(super) fn text(s: impl Into<String>) -> Self {
        Self::one(Value::text(s))
    }

    /// A string that is `value`.
    pub(super) fn one(value: Value) -> Self {
        Self::Str(Rc::new(vec![value]))
    }

    /// A string that is one of `values`; each time that there are too many, their common start stands for those so far.
    pub(super) fn alternatives(values: impl IntoIterator<Item = Value>) -> Self {
        let mut distinct: Vec<Value> = Vec::new();
        for v in values {
            if !distinct.contains(&v) {
                distinct.push(v);
            }
            if distinct.len() > MAX_INLINE_ALTERNATIVES {
                distinct = vec![common_start(&distinct)];
            }
        }
        Self::Str(Rc::new(distinct))
    }

    /// Unknown text without a separator.
    pub(super) fn name() -> Self {
        Self::one(Value::name())
    }

    /// A dotted name.
    pub(super) fn named(s: &str) -> Self {
        Self::Name(Rc::from(s))
    }

    /// A list.
    pub(super) fn list(items: Vec<Self>) -> Self {
        Self::List(Rc::new(items))
    }

    /// Iterable of unknown length.
    pub(super) fn each(item: Self) -> Self {
        Self::Each(Rc::new(item))
    }

    /// The string's alternatives; what is no known string is unknown text.
    pub(super) fn strings(&self) -> Vec<Value> {
        match self {
            Self::Str(s) => s.as_ref().clone(),
            Self::Int(n) => vec![Value::text(n.to_string())],
            _ => vec![Value::any()],
        }
    }

    /// The string where exactly one is possible and all of it is known.
    pub(super) fn known(&self) -> Option<String> {
        match self {
            Self::Str(s) if s.len() == 1 => s[0].known().map(std::borrow::Cow::into_owned),
            Self::Int(n) => Some(n.to_string()),
            _ => None,
        }
    }

    /// Whether this is a string of which something is known.
    pub(super) fn is_string(&self) -> bool {
        matches!(self, Self::Str(_))
    }

    /// Whether a condition on this holds for sure.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::Int(n) => *n != 0,
            Self::Str(s) => s.iter().all(|v| !v.is_empty()),
            _ => false,
        }
    }

    /// Rough size in work units.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Str(s) => {
                let n = s.len();
                n + n * n / 16 + s.iter().map(|v| v.text_len() + 8 * v.pieces.len()).sum::<usize>() / 64
            }
            _ => 1,
        }
    }

    /// What one iteration over this yields.
    pub(super) fn element(&self) -> Self {
        match self {
            // Put together at once: one by one each would copy all before it.
            Self::List(items) if items.len() > 1 && items.iter().all(Self::is_string) => {
                Self::alternatives(items.iter().flat_map(Self::strings))
            }
            Self::List(items) => items.iter().cloned().reduce(Self::union).unwrap_or(Self::Null),
            Self::Lists(lists) => lists.iter().map(Self::element).reduce(Self::union).unwrap_or(Self::Null),
            Self::Each(item) => item.as_ref().clone(),
            Self::Map(pairs) => Self::alternatives(pairs.iter().map(|(k, _)| Value::text(k.as_ref()))),
            Self::Str(s) if s.iter().all(no_separator) => Self::name(),
            _ => Self::Unknown,
        }
    }

    /// The value of `key`, where this is a mapping that may have it.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(pairs) => pairs.iter().rev().find(|(k, _)| k.as_ref() == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// Either of two values.
    pub(super) fn union(self, other: Self) -> Self {
        match (self, other) {
            (Self::Null, v) | (v, Self::Null) => v,
            (Self::Unknown, Self::Unknown) => Self::Unknown,
            (Self::Int(a), Self::Int(b)) if a == b => Self::Int(a),
            (Self::Func(a), Self::Func(b)) if a == b => Self::Func(a),
            (Self::Name(a), Self::Name(b)) if a == b => Self::Name(a),
            (Self::List(a), Self::List(b)) if Rc::ptr_eq(&a, &b) => Self::List(a),
            (Self::Str(a), Self::Str(b)) if a == b => Self::Str(a),
            (a @ (Self::List(_) | Self::Lists(_)), b @ (Self::List(_) | Self::Lists(_))) => Self::either_list(&a, &b),
            (
                a @ (Self::List(_) | Self::Lists(_) | Self::Each(_)),
                b @ (Self::List(_) | Self::Lists(_) | Self::Each(_)),
            ) => Self::each(a.element().union(b.element())),
            (Self::Map(a), Self::Map(b)) => {
                let mut pairs = a.as_ref().clone();
                if pairs.len() + b.len() > 64 {
                    return Self::Unknown;
                }
                for (k, v) in b.iter() {
                    match pairs.iter_mut().find(|(name, _)| name == k) {
                        Some((_, old)) => *old = std::mem::replace(old, Self::Null).union(v.clone()),
                        None => pairs.push((k.clone(), v.clone())),
                    }
                }
                Self::Map(Rc::new(pairs))
            }
            (
                a @ (Self::Str(_) | Self::Int(_) | Self::Unknown | Self::Name(_)),
                b @ (Self::Str(_) | Self::Int(_) | Self::Unknown | Self::Name(_)),
            ) if a.is_string() || b.is_string() || matches!((&a, &b), (Self::Int(_), Self::Int(_))) => {
                let mut all = a.strings();
                all.extend(b.strings());
                Self::alternatives(all)
            }
            (f @ Self::Func(_), _) | (_, f @ Self::Func(_)) => f,
            _ => Self::Unknown,
        }
    }

    /// One of two lists; where there are too many, a list with either's elements.
    fn either_list(a: &Self, b: &Self) -> Self {
        let (a, b) = (a.lists(), b.lists());
        let words: usize = a.iter().chain(b).map(|l| if let Self::List(items) = l { items.len() } else { 1 }).sum();
        if words <= MAX_INLINE_ALTERNATIVES {
            return Self::Lists(Rc::new(a.iter().chain(b).cloned().collect()));
        }
        Self::each(a.iter().chain(b).map(Self::element).reduce(Self::union).unwrap_or(Self::Null))
    }

    /// The lists that this may be.
    pub(super) fn lists(&self) -> &[Self] {
        match self {
            Self::Lists(lists) => lists,
            other => std::slice::from_ref(other),
        }
    }

    /// One list for all that this may be: each of its elements is the one or the other.
    pub(super) fn merged(&self) -> Self {
        let Self::Lists(lists) = self else { return self.clone() };
        let mut longest: Vec<Self> = Vec::new();
        for list in lists.iter() {
            let Self::List(items) = list else { return Self::each(self.element()) };
            for (at, item) in items.iter().enumerate() {
                match longest.get_mut(at) {
                    Some(old) => *old = std::mem::replace(old, Self::Null).union(item.clone()),
                    None => longest.push(item.clone()),
                }
            }
        }
        Self::list(longest)
    }

    /// Each pair of alternatives joined by `f`; where that is too many, each with the other's common start.
    pub(super) fn combine(&self, other: &Self, f: impl Fn(&Value, &Value) -> Value) -> Self {
        let (mut a, mut b) = (self.strings(), other.strings());
        if a.len() * b.len() > MAX_INLINE_ALTERNATIVES {
            let shorter = if a.len() < b.len() { &mut a } else { &mut b };
            *shorter = vec![common_start(shorter)];
        }
        Self::alternatives(a.iter().flat_map(|x| b.iter().map(|y| f(x, y)).collect::<Vec<_>>()))
    }

    /// Each alternative changed by `f`.
    pub(super) fn map(&self, f: impl Fn(&Value) -> Value) -> Self {
        Self::alternatives(self.strings().iter().map(f))
    }
}

/// The text that all `values` begin with, followed by unknown text.
fn common_start(values: &[Value]) -> Value {
    let mut start = values.first().map_or("", |v| v.prefix());
    for v in values {
        let same = start.bytes().zip(v.prefix().bytes()).take_while(|(a, b)| a == b).count();
        let mut same = same;
        while !start.is_char_boundary(same) {
            same -= 1;
        }
        start = &start[..same];
    }
    // Half a name would look like a whole one.
    let cut = start.rfind(['/', '\\']).map_or(0, |i| i + 1);
    let mut out = Value::text(&start[..cut]);
    out.push(Piece::Any);
    out
}

/// Whether no separator can be in the string.
pub(super) fn no_separator(v: &Value) -> bool {
    v.pieces.iter().all(|p| match p {
        Piece::Text(s) => !s.contains(['/', '\\']),
        Piece::Name => true,
        Piece::Under(_) | Piece::Any => false,
    })
}

/// `a` followed by `b`.
pub(super) fn concat(a: &Value, b: &Value) -> Value {
    let mut out = a.clone();
    append(&mut out, b);
    out
}

/// Puts `b` behind `out`; two unknown texts side by side are one, and no path is as long as the limit.
fn append(out: &mut Value, b: &Value) {
    if out.text_len() + b.text_len() > MAX_INLINE_STRING {
        *out = common_start(std::slice::from_ref(out));
        return;
    }
    for piece in &b.pieces {
        if let (Piece::Under(_), Some(last)) = (piece, out.pieces.last()) {
            // An absolute path behind other text is no path that we know.
            if !matches!(last, Piece::Any) {
                out.push(Piece::Any);
            }
            continue;
        }
        let same =
            matches!((out.pieces.last(), piece), (Some(Piece::Any), Piece::Any) | (Some(Piece::Name), Piece::Name));
        if !same {
            out.push(piece.clone());
        }
    }
}

/// The path `b` seen from the folder `a`, as path libraries join.
pub(super) fn join(a: &Value, b: &Value) -> Value {
    let absolute =
        b.prefix().starts_with('/') || matches!(b.pieces.first(), Some(Piece::Under(_))) || drive(b.prefix());
    if absolute || a.is_empty() || a.known().as_deref() == Some(".") {
        return b.clone();
    }
    if b.is_empty() {
        return a.clone();
    }
    let mut out = a.clone();
    if !ends_with_separator(a) {
        out.push_str("/");
    }
    append(&mut out, b);
    out
}

/// The same where a leading separator of `b` does not start over (JavaScript, Ruby).
pub(super) fn join_below(a: &Value, b: &Value) -> Value {
    if a.is_empty() {
        return b.clone();
    }
    let skip = b.prefix().len() - b.prefix().trim_start_matches('/').len();
    let b = if skip > 0 { b.skip(skip) } else { b.clone() };
    if b.is_empty() {
        return a.clone();
    }
    let mut out = a.clone();
    if !ends_with_separator(a) {
        out.push_str("/");
    }
    append(&mut out, &b);
    out
}

fn drive(s: &str) -> bool {
    Model::Windows.form(s) == Form::Absolute
}

fn ends_with_separator(v: &Value) -> bool {
    matches!(v.pieces.last(), Some(Piece::Text(s)) if s.ends_with(['/', '\\']))
}

/// The folder that holds the path.
pub(super) fn parent(v: &Value) -> Value {
    let mut pieces = v.pieces.clone();
    if let Some(Piece::Text(s)) = pieces.last_mut() {
        let trimmed = s.trim_end_matches('/').len();
        if trimmed > 0 || pieces.len() > 1 {
            s_truncate(&mut pieces, trimmed);
        }
    }
    while let Some(last) = pieces.last_mut() {
        match last {
            Piece::Text(s) => {
                if let Some(i) = s.rfind(['/', '\\']) {
                    let keep = if i == 0 && pieces.len() == 1 { 1 } else { i };
                    s_truncate(&mut pieces, keep);
                    return Value { pieces };
                }
                pieces.pop();
            }
            Piece::Name => {
                pieces.pop();
            }
            Piece::Under(_) | Piece::Any => return Value { pieces },
        }
    }
    Value::text(".")
}

fn s_truncate(pieces: &mut Vec<Piece>, len: usize) {
    if let Some(Piece::Text(s)) = pieces.last_mut() {
        s.truncate(len);
        if s.is_empty() {
            pieces.pop();
        }
    }
}

/// The last component of the path.
pub(super) fn base(v: &Value) -> Value {
    let mut out: Vec<Piece> = Vec::new();
    for piece in v.pieces.iter().rev() {
        match piece {
            Piece::Text(s) => {
                let s = if out.is_empty() { s.trim_end_matches('/') } else { s };
                if let Some(i) = s.rfind(['/', '\\']) {
                    out.push(Piece::Text(s[i + 1..].to_owned()));
                    break;
                }
                out.push(Piece::Text(s.to_owned()));
            }
            Piece::Name => out.push(Piece::Name),
            Piece::Under(_) | Piece::Any => {
                out.push(Piece::Name);
                break;
            }
        }
    }
    let mut value = Value::default();
    for p in out.into_iter().rev() {
        value.push(p);
    }
    value
}

/// The path without the last suffix, and the suffix with its dot.
pub(super) fn split_suffix(v: &Value) -> (Value, Value) {
    let Some(Piece::Text(s)) = v.pieces.last() else {
        return match v.pieces.last() {
            // The suffix is somewhere in the unknown part.
            Some(_) => (v.clone(), Value::name()),
            None => (v.clone(), Value::default()),
        };
    };
    let from = s.rfind(['/', '\\']).map_or(0, |i| i + 1);
    match s[from..].rfind('.').map(|i| from + i) {
        Some(i) if i > from || (i == 0 && v.pieces.len() > 1) => {
            let mut pieces = v.pieces.clone();
            let suffix = s[i..].to_owned();
            s_truncate(&mut pieces, i);
            (Value { pieces }, Value::text(suffix))
        }
        _ => (v.clone(), Value::default()),
    }
}
