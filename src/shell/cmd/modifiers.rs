//! `%~dpnxI`: parts of a path in a variable.

use super::machine::Cmd;
use super::paths::drive_of;
use super::state::State;
use super::values::{self, base_name, folder_of, is_separator};
use crate::path::Model;
use crate::shell::{Piece, Value};

/// Letters that may stand between `%~` and a variable.
pub(super) const LETTERS: &str = "fdpnxsatz";

/// The value with modifiers applied, which are letters in any case. Quotes around it go.
pub(super) fn apply(cmd: &Cmd<'_, '_, '_>, st: &State, value: &Value, modifiers: &str) -> Value {
    let value = values::unquoted(value);
    let letters = modifiers.to_ascii_lowercase();
    let has = |c| letters.contains(c);
    if letters.is_empty() || letters.bytes().all(|b| b == b's') {
        return if letters.is_empty() { value } else { absolute(cmd, st, &value) };
    }
    if has('a') || has('t') || has('z') {
        return Value::any();
    }
    let full = absolute(cmd, st, &value);
    if has('f') {
        return full;
    }
    let mut out = Value::default();
    let folder = folder_of(&full);
    match (has('d'), has('p')) {
        (true, true) => out.append(folder),
        (true, false) => match full.known().and_then(|t| drive_of(&t)) {
            Some(letter) => out.push_str(&format!("{letter}:")),
            None => match full.pieces.first() {
                Some(Piece::Under(folder)) => out.push_str(folder.get(..2).unwrap_or_default()),
                Some(Piece::Text(text)) => out.push_str(text.get(..2).unwrap_or_default()),
                _ => out.push(Piece::Any),
            },
        },
        (false, true) => match folder.known() {
            Some(text) if drive_of(&text).is_some() => out.push_str(&text[2..]),
            _ => out.push(Piece::Any),
        },
        (false, false) => {}
    }
    let name = base_name(&full).unwrap_or_default();
    match (has('n'), has('x')) {
        (true, true) => out.append(name),
        (true, false) => out.append(stem(name)),
        (false, true) => out.append(extension(&name)),
        (false, false) => {}
    }
    out
}

fn absolute(cmd: &Cmd<'_, '_, '_>, st: &State, value: &Value) -> Value {
    match value.known() {
        Some(text) if text.is_empty() => value.clone(),
        Some(text) => match cmd.full_path(st, &text) {
            Some(path) if text.ends_with(is_separator) && !path.ends_with('\\') => Value::text(format!("{path}\\")),
            Some(path) => Value::text(path),
            None => Value::any(),
        },
        None => {
            let rooted = Model::Windows.is_absolute(value.prefix());
            match value.pieces.first() {
                Some(Piece::Under(_)) => value.clone(),
                Some(Piece::Text(_)) if rooted => value.clone(),
                Some(Piece::Text(_) | Piece::Name) => values::below(&st.folder(), value),
                _ => Value::any(),
            }
        }
    }
}

fn stem(mut name: Value) -> Value {
    if let Some(Piece::Text(text)) = name.pieces.last_mut()
        && let Some(dot) = text.rfind('.')
    {
        text.truncate(dot);
        if text.is_empty() {
            name.pieces.pop();
        }
    }
    name
}

fn extension(name: &Value) -> Value {
    match name.pieces.last() {
        Some(Piece::Text(text)) => text.rfind('.').map(|dot| Value::text(&text[dot..])).unwrap_or_default(),
        Some(_) => Value::name(),
        None => Value::default(),
    }
}
