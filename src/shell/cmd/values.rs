//! Operations on partly known strings under the Windows model.

use crate::limits;
use crate::path::Model;
use crate::shell::{Piece, Value};

/// Bytes of a variable's value; Windows takes no longer one.
const MAX_VARIABLE: usize = 32 << 10;

pub(super) const fn is_separator(c: char) -> bool {
    matches!(c, '\\' | '/')
}

/// A value that covers all of `values`.
pub(super) fn join_all(values: &[Value]) -> Value {
    let Some(first) = values.first() else { return Value::default() };
    if values.iter().all(|v| v == first) {
        return first.clone();
    }
    if values.iter().all(is_plain_name) {
        return Value::name();
    }
    common_folder(values)
}

/// Whether the value holds no separator, and is neither `.` nor `..`.
fn is_plain_name(value: &Value) -> bool {
    !matches!(value.known().as_deref(), Some("." | ".."))
        && value.pieces.iter().all(|p| match p {
            Piece::Text(s) => !s.contains([':', '\\', '/']),
            Piece::Name => true,
            Piece::Under(_) | Piece::Any => false,
        })
}

/// The deepest folder that all start with, and something in it.
fn common_folder(values: &[Value]) -> Value {
    let mut common: Option<String> = None;
    for value in values {
        let start = match value.pieces.first() {
            Some(Piece::Under(folder)) => format!("{folder}\\"),
            Some(Piece::Text(text)) if !text.contains("..") => match text.rfind(is_separator) {
                Some(at) => text[..=at].to_owned(),
                None => return Value::any(),
            },
            _ => return Value::any(),
        };
        common = Some(match common {
            None => start,
            Some(so_far) => {
                let len = so_far
                    .char_indices()
                    .zip(start.chars())
                    .take_while(|((_, a), b)| a.eq_ignore_ascii_case(b))
                    .last()
                    .map_or(0, |((i, c), _)| i + c.len_utf8());
                so_far[..so_far[..len].rfind(is_separator).map_or(0, |i| i + 1)].to_owned()
            }
        });
    }
    match common {
        Some(folder) if Model::Windows.root_len(&folder) > 0 => Value::under(Model::Windows.normalize(&folder)),
        _ => Value::any(),
    }
}

/// Whether the value is longer than Windows takes.
pub(super) fn is_too_long(value: &Value) -> bool {
    value.text_len() > MAX_VARIABLE || value.pieces.len() > limits::MAX_PIECES
}

/// The value, or an unknown one where it is longer than Windows takes.
pub(super) fn capped(value: Value) -> Value {
    if is_too_long(&value) { Value::any() } else { value }
}

/// The value without quotes anywhere.
pub(super) fn unquoted(value: &Value) -> Value {
    value.replace("\"", &Value::default())
}

/// Whether the known end is a separator.
pub(super) fn ends_with_separator(value: &Value) -> bool {
    matches!(value.pieces.last(), Some(Piece::Text(t)) if t.ends_with(is_separator))
}

/// The last component; `None` where it names nothing of its own (`.`, `C:\`, empty).
pub(super) fn base_name(value: &Value) -> Option<Value> {
    let mut parts: Vec<Piece> = Vec::new();
    for (i, piece) in value.pieces.iter().rev().enumerate() {
        match piece {
            Piece::Text(text) => {
                let text = if i == 0 { text.trim_end_matches(is_separator) } else { text };
                match text.rfind(|c| is_separator(c) || c == ':') {
                    Some(at) => {
                        parts.push(Piece::Text(text[at + 1..].to_owned()));
                        break;
                    }
                    None => parts.push(Piece::Text(text.to_owned())),
                }
            }
            Piece::Name => parts.push(Piece::Name),
            Piece::Under(_) | Piece::Any => {
                parts.push(Piece::Name);
                break;
            }
        }
    }
    let mut out = Value::default();
    for piece in parts.into_iter().rev() {
        out.push(piece);
    }
    match out.known().as_deref() {
        Some("" | "." | "..") => None,
        _ => Some(out),
    }
}

/// The folder of a path with its separator, empty where none is spelled.
pub(super) fn folder_of(value: &Value) -> Value {
    let mut pieces = value.pieces.clone();
    while let Some(last) = pieces.last_mut() {
        match last {
            Piece::Text(text) => {
                if let Some(at) = text.rfind(|c| is_separator(c) || c == ':') {
                    text.truncate(at + 1);
                    break;
                }
                pieces.pop();
            }
            Piece::Name => drop(pieces.pop()),
            Piece::Under(_) | Piece::Any => break,
        }
    }
    Value { pieces }
}

/// `folder\name`
pub(super) fn below(folder: &Value, name: &Value) -> Value {
    let mut out = folder.clone();
    let on_drive = matches!(out.pieces.last(), Some(Piece::Text(t)) if t.ends_with(':'));
    if !out.is_empty() && !ends_with_separator(&out) && !on_drive {
        out.push_str("\\");
    }
    out.append(name.clone());
    out
}

/// Whether any part could match several names.
pub(super) fn has_wildcard(value: &Value) -> bool {
    value.pieces.iter().any(|p| matches!(p, Piece::Text(t) if t.trim_start_matches(r"\\?\").contains(['*', '?'])))
}

/// Whether text is the path of a program file by its form.
pub(super) fn is_program_path(text: &str) -> bool {
    has_extension(text, &["exe", "com", "cmd", "bat"])
}

/// Whether a path ends with one of these extensions; case does not count.
pub(super) fn has_extension(text: &str, extensions: &[&str]) -> bool {
    let Some((_, extension)) = text.rsplit_once('.') else { return false };
    extensions.iter().any(|e| e.eq_ignore_ascii_case(extension))
}
