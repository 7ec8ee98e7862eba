//! Path algebra on partly known strings.

use crate::path::Model;
use crate::shell::{Piece, Value};

/// `value` as seen from the folder `base`, which may be relative itself.
pub(in crate::shell) fn join(model: Model, base: &Value, value: &Value) -> Value {
    let absolute = match value.pieces.first() {
        None => return base.clone(),
        // Without a drive it begins at a root all the same; which one the shell's own rules say.
        Some(Piece::Text(text)) => model.is_absolute(text) || text.starts_with(|c| model.is_separator(c)),
        Some(Piece::Name) => false,
        // Unknown text may be absolute; it stays unknown.
        Some(Piece::Under(_) | Piece::Any) => true,
    };
    if absolute || base.is_empty() {
        return value.clone();
    }
    let mut out = base.clone();
    if !ends_with_separator(model, base) {
        out.push_str(&model.separator().to_string());
    }
    out.append(value.clone());
    out
}

/// Whether the known end of the value is a separator.
pub(in crate::shell) fn ends_with_separator(model: Model, value: &Value) -> bool {
    matches!(value.pieces.last(), Some(Piece::Text(t)) if t.ends_with(|c| model.is_separator(c)))
}

/// The last component. `None` where it names no entry of its own (`.`, `..`, `/`, empty).
pub(in crate::shell) fn base_name(model: Model, value: &Value) -> Option<Value> {
    let mut parts: Vec<Piece> = Vec::new();
    for (i, piece) in value.pieces.iter().rev().enumerate() {
        match piece {
            Piece::Text(text) => {
                let text = if i == 0 { text.trim_end_matches(|c| model.is_separator(c)) } else { text };
                match text.rfind(|c| model.is_separator(c)) {
                    Some(at) => {
                        parts.push(Piece::Text(text[at + 1..].to_owned()));
                        break;
                    }
                    None => parts.push(Piece::Text(text.to_owned())),
                }
            }
            Piece::Name => parts.push(Piece::Name),
            // Where the unknown text holds a separator the name starts behind it: a name either way.
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

/// The value without its extension (`.c`); unchanged where it has none.
pub(in crate::shell) fn without_extension(model: Model, mut value: Value) -> Value {
    if let Some(Piece::Text(text)) = value.pieces.last_mut() {
        let name_at = text.rfind(|c| model.is_separator(c)).map_or(0, |i| i + 1);
        if let Some(dot) = text[name_at..].rfind('.').filter(|&d| d > 0) {
            text.truncate(name_at + dot);
        }
    }
    value
}

/// The value with `suffix` taken off its end. `None` where it is not known to end so.
pub(in crate::shell) fn without_suffix(mut value: Value, suffix: &str) -> Option<Value> {
    match value.pieces.last_mut() {
        Some(Piece::Text(text)) if text.ends_with(suffix) && text.len() > suffix.len() => {
            text.truncate(text.len() - suffix.len());
            Some(value)
        }
        _ => None,
    }
}

/// The folder that holds the value; `None`: the current folder.
pub(in crate::shell) fn parent(model: Model, value: &Value) -> Option<Value> {
    let mut pieces = value.pieces.clone();
    while let Some(last) = pieces.last_mut() {
        match last {
            Piece::Text(text) => match text.rfind(|c| model.is_separator(c)) {
                Some(at) => {
                    text.truncate(at.max(model.root_len(text)));
                    return Some(Value {
                        pieces: pieces.into_iter().filter(|p| *p != Piece::Text(String::new())).collect(),
                    });
                }
                None => {
                    pieces.pop();
                }
            },
            Piece::Name => {
                pieces.pop();
            }
            Piece::Under(_) | Piece::Any => return Some(Value { pieces }),
        }
    }
    None
}

/// The last component of a URL's path, without query, fragment and `strip`. `None` where the path has none.
pub(in crate::shell) fn url_name(value: &Value, strip: &str) -> Option<Value> {
    let Some(text) = value.known() else {
        return base_name(Model::Posix, value);
    };
    let text = text.split(['?', '#']).next().unwrap_or("");
    let path = match text.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        // `host:path` and plain paths.
        None => text.rsplit_once(':').map_or(text, |(_, path)| path),
    };
    let path = path.trim_end_matches('/');
    let path = if strip.is_empty() { path } else { path.strip_suffix(strip).unwrap_or(path).trim_end_matches('/') };
    let name = path.rsplit('/').next().filter(|n| !n.is_empty() && *n != "." && *n != "..")?;
    Some(Value::text(name))
}

/// The folder that a clone of a URL gets. `rule`: an end that is taken off, and behind a `>` what it gets instead.
pub(super) fn cloned_name(value: &Value, rule: &str) -> Option<Value> {
    let (strip, append) = rule.split_once('>').unwrap_or((rule, ""));
    let mut name = url_name(value, strip)?;
    name.push_str(append);
    Some(name)
}

/// `host:path`, `user@host:path`, `host::module`: not on this machine (scp's rule: a colon before any slash).
pub(in crate::shell) fn is_remote(model: Model, value: &Value) -> bool {
    let text = value.prefix();
    if text.contains("://") {
        return true;
    }
    let Some(colon) = text.find(':') else { return false };
    if model == Model::Windows && colon == 1 {
        return false;
    }
    !text[..colon].contains('/')
}

/// Whether the value is the path of something that is there (a result of `find`, of a glob).
pub(in crate::shell) fn is_existing(value: &Value) -> bool {
    matches!(value.pieces.as_slice(), [Piece::Under(_)])
}
