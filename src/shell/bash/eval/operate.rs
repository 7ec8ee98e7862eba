//! The operations of a parameter expansion on one value.

use super::machine::Eval;
use super::pattern::{Pattern, Token, prefix_lengths};
use super::values;
use crate::limits::{MATCHES_PER_STEP, MAX_PATTERN_TEXT, STEPS_PER_ASSIGNMENT};
use crate::shell::bash::ast::Anchor;
use crate::shell::{Piece, Value};

/// What is done with the value, its words expanded.
pub(super) enum Operation {
    Prefix(Pattern, bool),
    Suffix(Pattern, bool),
    Replace(Pattern, Value, bool, Anchor),
    Case(bool, bool),
    Transform(char),
}

impl Eval<'_> {
    pub(super) fn operate(&mut self, value: &Value, operation: &Operation) -> Value {
        let cost = value.text_len();
        self.charge(STEPS_PER_ASSIGNMENT);
        self.charge_bytes(cost);
        if let Operation::Prefix(Some(pattern), _)
        | Operation::Suffix(Some(pattern), _)
        | Operation::Replace(Some(pattern), ..) = operation
        {
            let text = cost.min(MAX_PATTERN_TEXT);
            // A replacement is tried at each character, and with a `*` as far as the text goes.
            let tries = match operation {
                Operation::Replace(..) if pattern.contains(&Token::Many) => text,
                Operation::Replace(..) => pattern.len().min(text),
                _ => 1,
            };
            if !self.charge(text * pattern.len() * tries / MATCHES_PER_STEP) {
                return Value::any();
            }
        }
        match operation {
            Operation::Prefix(pattern, longest) => remove_prefix(value, pattern, *longest),
            Operation::Suffix(pattern, longest) => remove_suffix(value, pattern, *longest),
            Operation::Replace(pattern, with, all, anchor) => replace(value, pattern, with, *all, *anchor),
            Operation::Case(upper, all) => change_case(value, *upper, *all),
            Operation::Transform('U') => change_case(value, true, true),
            Operation::Transform('u') => change_case(value, true, false),
            Operation::Transform('L') => change_case(value, false, true),
            Operation::Transform('Q') => match value.known() {
                Some(s) => Value::text(shell_words::quote(&s).into_owned()),
                None => value.clone(),
            },
            Operation::Transform(_) => value.clone(),
        }
    }
}

fn remove_prefix(value: &Value, pattern: &Pattern, longest: bool) -> Value {
    if let (Some(pattern), Some(text)) = (pattern.as_deref(), value.known())
        && text.len() <= MAX_PATTERN_TEXT
    {
        let chars: Vec<char> = text.chars().collect();
        let lengths = prefix_lengths(pattern, &chars);
        let n = if longest { lengths.last() } else { lengths.first() };
        return Value::text(chars[n.copied().unwrap_or(0)..].iter().collect::<String>());
    }
    let to_slash = pattern.as_deref() == Some(&[Token::Many, Token::Char('/')]);
    if to_slash && longest {
        return values::base_name(value);
    }
    // A known start that the pattern spells out.
    if let Some(literal) = pattern.as_deref().and_then(spelled) {
        if value.prefix().starts_with(&literal) {
            return value.skip(literal.len());
        }
        if literal == "./" && matches!(value.pieces.first(), Some(Piece::Under(_))) {
            return value.clone();
        }
    }
    if values::is_plain_name(value) { Value::name() } else { Value::any() }
}

/// The text that a pattern without special characters spells.
fn spelled(pattern: &[Token]) -> Option<String> {
    pattern.iter().map(|t| if let Token::Char(c) = t { Some(*c) } else { None }).collect()
}

fn remove_suffix(value: &Value, pattern: &Pattern, longest: bool) -> Value {
    let Some(pattern) = pattern.as_deref() else { return cut_end(value) };
    let reversed: Vec<Token> = pattern.iter().rev().cloned().collect();
    if let Some(text) = value.known().filter(|t| t.len() <= MAX_PATTERN_TEXT) {
        let chars: Vec<char> = text.chars().rev().collect();
        let lengths = prefix_lengths(&reversed, &chars);
        let n = if longest { lengths.last() } else { lengths.first() };
        return Value::text(chars[n.copied().unwrap_or(0)..].iter().rev().collect::<String>());
    }
    if pattern == [Token::Char('/'), Token::Many] && !longest {
        return values::dir_name(value);
    }
    // The shortest match that lies within the known end.
    if !longest
        && let Some(Piece::Text(end)) = value.pieces.last()
        && end.len() <= MAX_PATTERN_TEXT
    {
        let chars: Vec<char> = end.chars().rev().collect();
        if let Some(&n) = prefix_lengths(&reversed, &chars).first() {
            let mut pieces = value.pieces[..value.pieces.len() - 1].to_vec();
            let kept: String = chars[n..].iter().rev().collect();
            if !kept.is_empty() {
                pieces.push(Piece::Text(kept));
            }
            return Value { pieces };
        }
    }
    // A suffix that starts with a dot or the like takes nothing before the last separator.
    if !pattern.contains(&Token::Char('/')) && !pattern.contains(&Token::Many) {
        return value.clone();
    }
    cut_end(value)
}

/// The value with an unknown part of its end taken off.
fn cut_end(value: &Value) -> Value {
    if values::is_plain_name(value) {
        return Value::name();
    }
    match value.pieces.as_slice() {
        [Piece::Under(_), ..] => Value { pieces: value.pieces[..1].to_vec() },
        [Piece::Text(s), ..] => {
            let keep = s.rfind('/').map_or(0, |i| i + 1);
            let mut out = Value::text(&s[..keep]);
            out.push(if value.pieces.len() > 1 || keep < s.len() { Piece::Any } else { Piece::Name });
            out
        }
        _ => Value::any(),
    }
}

fn replace(value: &Value, pattern: &Pattern, with: &Value, all: bool, anchor: Anchor) -> Value {
    let known = value.known().filter(|t| t.len() <= MAX_PATTERN_TEXT);
    let (Some(pattern), Some(text)) = (pattern.as_deref(), known) else {
        return replace_unknown(value, pattern, with, all);
    };
    if pattern.is_empty() {
        return match anchor {
            Anchor::Start => joined(with.clone(), &text),
            Anchor::End => {
                let mut out = Value::text(text.as_ref());
                out.append(with.clone());
                out
            }
            Anchor::None => value.clone(),
        };
    }
    let chars: Vec<char> = text.chars().collect();
    let mut out = Value::default();
    let mut at = 0;
    let mut done = false;
    while at <= chars.len() {
        let candidates = if done { Vec::new() } else { prefix_lengths(pattern, &chars[at..]) };
        let hit = match anchor {
            Anchor::End => candidates.last().copied().filter(|n| at + n == chars.len()),
            _ => candidates.last().copied(),
        };
        if let Some(n) = hit.filter(|&n| n > 0) {
            out.append(with.clone());
            at += n;
            done = !all || anchor != Anchor::None;
        } else {
            let Some(&c) = chars.get(at) else { break };
            out.push_str(c.encode_utf8(&mut [0; 4]));
            at += 1;
            done |= anchor == Anchor::Start;
        }
    }
    values::capped(out)
}

fn joined(mut head: Value, tail: &str) -> Value {
    head.push_str(tail);
    head
}

fn replace_unknown(value: &Value, pattern: &Pattern, with: &Value, all: bool) -> Value {
    let plain = values::is_plain_name(with);
    // All separators replaced by something else: what is left is a name.
    if all && plain && pattern.as_deref() == Some(&[Token::Char('/')]) {
        return Value::name();
    }
    // `${x//[^a-z]/_}`: a set that takes the separator.
    if all
        && plain
        && let Some([token @ Token::Set { .. }]) = pattern.as_deref()
        && prefix_lengths(std::slice::from_ref(token), &['/']).contains(&1)
    {
        return Value::name();
    }
    if plain && values::is_plain_name(value) { Value::name() } else { Value::any() }
}

fn change_case(value: &Value, upper: bool, all: bool) -> Value {
    let mut out = Value::default();
    for (i, piece) in value.pieces.iter().enumerate() {
        match piece {
            Piece::Text(s) if all => out.push_str(&if upper { s.to_uppercase() } else { s.to_lowercase() }),
            Piece::Text(s) if i == 0 => {
                let mut chars = s.chars();
                if let Some(c) = chars.next() {
                    let first: String = if upper { c.to_uppercase().collect() } else { c.to_lowercase().collect() };
                    out.push_str(&first);
                    out.push_str(chars.as_str());
                }
            }
            Piece::Under(_) if all => out.push(Piece::Any),
            other => out.push(other.clone()),
        }
    }
    out
}
