//! Operations on partly known strings.

use crate::limits;
use crate::shell::{Piece, Value};

/// A value that covers both.
pub(in crate::shell) fn join(a: &Value, b: &Value) -> Value {
    join_all(&[a.clone(), b.clone()])
}

/// A value that covers all of `values`.
pub(in crate::shell) fn join_all(values: &[Value]) -> Value {
    let Some(first) = values.first() else { return Value::default() };
    if values.iter().all(|v| v == first) {
        return first.clone();
    }
    if values.iter().all(is_plain_name) {
        return Value::name();
    }
    if values.iter().all(|v| matches!(v.pieces.first(), Some(Piece::Under(_)))) {
        return found_below(values);
    }
    common_start(values)
}

/// Whether no piece can hold a separator, and the whole is neither `.` nor `..`.
pub(in crate::shell) fn is_plain_name(value: &Value) -> bool {
    if matches!(value.known().as_deref(), Some("." | "..")) {
        return false;
    }
    value.pieces.iter().all(|p| match p {
        Piece::Text(s) => !s.contains(['/', '\\']),
        Piece::Name => true,
        Piece::Under(_) | Piece::Any => false,
    })
}

/// Results of several searches.
fn found_below(values: &[Value]) -> Value {
    let mut common: Option<&str> = None;
    for value in values {
        let Some(Piece::Under(folder)) = value.pieces.first() else { return Value::any() };
        common = Some(match common {
            None => folder,
            Some(so_far) => &so_far[..shared(so_far, folder)],
        });
    }
    match common {
        Some(folder) if !folder.is_empty() && folder != "/" => Value::under(folder),
        _ => Value::any(),
    }
}

/// The folder that all of `values` are spelled with, and something in it.
fn common_start(values: &[Value]) -> Value {
    let mut common: Option<String> = None;
    for value in values {
        let start = match value.pieces.first() {
            Some(Piece::Under(folder)) => format!("{folder}/"),
            Some(Piece::Text(text)) => text[..text.rfind('/').map_or(0, |i| i + 1)].to_owned(),
            _ => return Value::any(),
        };
        common = Some(match common {
            None => start,
            Some(so_far) => so_far[..shared(&so_far, &start)].to_owned(),
        });
    }
    let mut common = common.unwrap_or_default();
    common.truncate(common.rfind('/').map_or(0, |i| i + 1));
    // What leads up again may lead anywhere.
    let leads_up = |v: &Value| v.pieces.iter().any(|p| matches!(p, Piece::Text(s) if s.split('/').any(|c| c == "..")));
    if common.is_empty() || values.iter().any(leads_up) {
        return Value::any();
    }
    let names =
        values.iter().all(|v| matches!(v.pieces.first(), Some(Piece::Text(_))) && is_plain_name(&v.skip(common.len())));
    let mut out = Value::text(common);
    out.push(if names { Piece::Name } else { Piece::Any });
    out
}

/// Bytes of the longest common start that ends where components end.
fn shared(a: &str, b: &str) -> usize {
    let mut end = 0;
    let mut at = 0;
    for (x, y) in a.split('/').zip(b.split('/')) {
        if x != y {
            break;
        }
        at += x.len();
        end = at;
        at += 1;
    }
    // `a/` and `a/b`: the separator is common too.
    if a[..end.min(a.len())].len() < a.len()
        && a[end..].starts_with('/')
        && b.get(end..).is_some_and(|r| r.starts_with('/'))
    {
        end += 1;
    }
    end.min(a.len())
}

/// The value cut at every `separator` in its known text. Always at least one part.
pub(in crate::shell) fn split(value: &Value, separator: char) -> Vec<Value> {
    let mut parts = vec![Value::default()];
    for piece in &value.pieces {
        match piece {
            Piece::Text(s) => {
                for (i, part) in s.split(separator).enumerate() {
                    if i > 0 {
                        parts.push(Value::default());
                    }
                    if let Some(last) = parts.last_mut() {
                        last.push_str(part);
                    }
                }
            }
            other => {
                if let Some(last) = parts.last_mut() {
                    last.push(other.clone());
                }
            }
        }
    }
    parts
}

/// The value without newlines at its end, as a command substitution gives it.
pub(super) fn trim_newlines(mut value: Value) -> Value {
    while let Some(Piece::Text(s)) = value.pieces.last_mut() {
        let kept = s.trim_end_matches('\n').len();
        s.truncate(kept);
        if kept > 0 {
            break;
        }
        value.pieces.pop();
    }
    value
}

/// The value, or an unknown one where it has grown beyond the limit.
pub(in crate::shell) fn capped(value: Value) -> Value {
    if value.text_len() > limits::MAX_VALUE_BYTES || value.pieces.len() > limits::MAX_PIECES {
        Value::any()
    } else {
        value
    }
}

/// The last path component.
pub(super) fn base_name(value: &Value) -> Value {
    let mut out = Value::default();
    // Separators at the very end do not count.
    let mut pieces = value.pieces.clone();
    loop {
        let alone = pieces.len() == 1;
        let Some(Piece::Text(s)) = pieces.last_mut() else { break };
        let kept = s.trim_end_matches('/').len();
        if kept == 0 && alone {
            return Value::text(if s.is_empty() { "" } else { "/" });
        }
        s.truncate(kept);
        if kept > 0 {
            break;
        }
        pieces.pop();
    }
    for piece in pieces.into_iter().rev() {
        match piece {
            Piece::Text(s) => match s.rfind('/') {
                Some(i) => return prepend(Piece::Text(s[i + 1..].to_owned()), out),
                None => out = prepend(Piece::Text(s), out),
            },
            Piece::Name => out = prepend(Piece::Name, out),
            Piece::Under(_) | Piece::Any => return prepend(Piece::Name, out),
        }
    }
    out
}

/// The path without its last component, as `dirname` prints it.
pub(super) fn dir_name(value: &Value) -> Value {
    if let Some(s) = value.known() {
        let trimmed = s.trim_end_matches('/');
        if trimmed.is_empty() {
            return Value::text(if s.is_empty() { "." } else { "/" });
        }
        return Value::text(match trimmed.rfind('/') {
            None => ".",
            Some(0) => "/",
            Some(i) => trimmed[..i].trim_end_matches('/'),
        });
    }
    let mut pieces = value.pieces.clone();
    while let Some(piece) = pieces.pop() {
        match piece {
            Piece::Text(s) => {
                if let Some(i) = s.trim_end_matches('/').rfind('/') {
                    let head = if i == 0 && pieces.is_empty() { "/" } else { &s[..i] };
                    let mut out = Value { pieces };
                    out.push_str(head);
                    return out;
                }
            }
            Piece::Name => {}
            // The folder of something below `d` is `d` or below; that of `d` itself is its parent.
            Piece::Under(d) if pieces.is_empty() => return Value::under(d),
            Piece::Under(_) | Piece::Any => {
                pieces.push(Piece::Any);
                return Value { pieces };
            }
        }
    }
    Value::text(".")
}

fn prepend(piece: Piece, rest: Value) -> Value {
    let mut out = Value::default();
    out.push(piece);
    out.append(rest);
    out
}

/// What a program may have written to its standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::shell) enum Stream {
    /// Nothing is known.
    Unknown,
    /// This text.
    Text(Value),
    /// Any number of lines, each of this form.
    Lines(Value),
}

impl Stream {
    pub(in crate::shell) fn empty() -> Self {
        Self::Text(Value::default())
    }

    pub(in crate::shell) fn text(s: impl Into<String>) -> Self {
        Self::Text(Value::text(s))
    }

    pub(in crate::shell) fn is_empty(&self) -> bool {
        matches!(self, Self::Text(v) if v.is_empty())
    }

    /// One output after the other.
    pub(in crate::shell) fn then(self, next: Self) -> Self {
        match (self, next) {
            (a, b) if b.is_empty() => a,
            (a, b) if a.is_empty() => b,
            (Self::Text(mut a), Self::Text(b)) => {
                a.append(b);
                Self::Text(capped(a))
            }
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (a, b) => Self::Lines(join(&a.any_line(), &b.any_line())),
        }
    }

    /// Either output.
    pub(in crate::shell) fn or(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (a, b) => {
                let (a_empty, b_empty) = (a.is_empty(), b.is_empty());
                match (a, b) {
                    (a, _) if b_empty => Self::Lines(a.any_line()),
                    (_, b) if a_empty => Self::Lines(b.any_line()),
                    (a, b) => Self::Lines(join(&a.any_line(), &b.any_line())),
                }
            }
        }
    }

    /// The lines, where their number is known.
    pub(in crate::shell) fn lines(&self) -> Option<Vec<Value>> {
        let Self::Text(value) = self else { return None };
        if value.is_empty() {
            return Some(Vec::new());
        }
        let mut lines = split(value, '\n');
        if lines.last().is_some_and(Value::is_empty) {
            lines.pop();
        }
        Some(lines)
    }

    /// A value that covers every line.
    pub(in crate::shell) fn any_line(&self) -> Value {
        match self {
            Self::Unknown => Value::any(),
            Self::Lines(v) => v.clone(),
            Self::Text(_) => join_all(&self.lines().unwrap_or_default()),
        }
    }

    /// The whole as one string.
    pub(in crate::shell) fn whole(&self) -> Value {
        match self {
            Self::Unknown => Value::any(),
            Self::Text(v) | Self::Lines(v) => v.clone(),
        }
    }

    /// Some of the lines in some order (`grep`, `sort`, `head`).
    pub(in crate::shell) fn some_lines(&self) -> Self {
        match self {
            Self::Unknown => Self::Unknown,
            other if other.is_empty() => Self::empty(),
            other => Self::Lines(other.any_line()),
        }
    }
}
