//! Shell patterns: `*`, `?`, `[…]`.

use super::expand::{Chunk, Mode};
use super::machine::Eval;
use super::state::State;
use crate::limits::{MATCHES_PER_STEP, MAX_PATTERN_TEXT, MAX_SET_READS};
use crate::shell::bash::ast::Word;
use crate::shell::{Piece, Value};

/// One element of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Char(char),
    /// `?`
    One,
    /// `*`
    Many,
    /// `[a-z]`, `[!x]`.
    Set {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

/// A pattern; `None` where a part of it is unknown, extended (`@(a|b)`), or beyond what is read of sets.
pub(super) type Pattern = Option<Vec<Token>>;

/// The pattern that `chunks` spell.
pub(super) fn compile(chunks: &[Chunk]) -> Pattern {
    let mut chars: Vec<(char, bool)> = Vec::new();
    for chunk in chunks {
        match &chunk.piece {
            Piece::Text(text) => chars.extend(text.chars().map(|c| (c, chunk.live))),
            _ => return None,
        }
    }
    let mut allowance = chars.len() * MAX_SET_READS;
    let mut out = Vec::with_capacity(chars.len());
    let mut at = 0;
    while at < chars.len() {
        let (c, live) = chars[at];
        if live && matches!(c, '@' | '?' | '*' | '+' | '!') && chars.get(at + 1) == Some(&('(', true)) {
            return None;
        }
        match (c, live) {
            ('*', true) => {
                if out.last() != Some(&Token::Many) {
                    out.push(Token::Many);
                }
            }
            ('?', true) => out.push(Token::One),
            ('[', true) => match set(&chars[at..], &mut allowance) {
                Bracket::Set(token, len) => {
                    out.push(token);
                    at += len;
                    continue;
                }
                Bracket::Character => out.push(Token::Char('[')),
                Bracket::Unread => return None,
            },
            (c, _) => out.push(Token::Char(c)),
        }
        at += 1;
    }
    Some(out)
}

/// What a `[` in a pattern begins.
enum Bracket {
    /// A set, and its length in characters.
    Set(Token, usize),
    /// No set: it stands for itself.
    Character,
    /// Not known, the allowance being used up: a `[` that nothing closes is read to the end, and so may be each of many.
    Unread,
}

/// What the `[` that `chars` begin with is.
fn set(chars: &[(char, bool)], allowance: &mut usize) -> Bracket {
    let mut at = 1;
    let negated = matches!(chars.get(at), Some(('!' | '^', true)));
    if negated {
        at += 1;
    }
    let mut ranges = Vec::new();
    let first = at;
    loop {
        let Some(left) = allowance.checked_sub(1) else { return Bracket::Unread };
        *allowance = left;
        let Some(&(c, live)) = chars.get(at) else { return Bracket::Character };
        if c == ']' && live && at > first {
            return Bracket::Set(Token::Set { negated, ranges }, at + 1);
        }
        if c == '[' && chars.get(at + 1).is_some_and(|&(c, _)| c == ':') {
            // No class has a longer name.
            let near = &chars[at..chars.len().min(at + "[:xdigit:]".len())];
            let Some(close) = near.windows(2).position(|w| w[0].0 == ':' && w[1].0 == ']') else {
                return Bracket::Character;
            };
            let name: String = chars.get(at + 2..at + close).unwrap_or_default().iter().map(|&(c, _)| c).collect();
            let Some(class) = class(&name) else { return Bracket::Character };
            ranges.extend_from_slice(class);
            at += close + 2;
            continue;
        }
        match (chars.get(at + 1), chars.get(at + 2)) {
            (Some(('-', true)), Some(&(end, _))) if end != ']' => {
                ranges.push((c, end));
                at += 3;
            }
            _ => {
                ranges.push((c, c));
                at += 1;
            }
        }
    }
}

fn class(name: &str) -> Option<&'static [(char, char)]> {
    Some(match name {
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "digit" => &[('0', '9')],
        "alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        "upper" => &[('A', 'Z')],
        "lower" => &[('a', 'z')],
        "word" => &[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')],
        "ascii" => &[('\0', '\x7f')],
        "cntrl" => &[('\0', '\x1f'), ('\x7f', '\x7f')],
        "graph" => &[('!', '~')],
        "print" => &[(' ', '~')],
        "space" => &[(' ', ' '), ('\t', '\r')],
        "blank" => &[(' ', ' '), ('\t', '\t')],
        "xdigit" => &[('0', '9'), ('a', 'f'), ('A', 'F')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        _ => return None,
    })
}

impl Token {
    fn accepts(&self, c: char) -> bool {
        match self {
            Self::Char(x) => *x == c,
            Self::One => true,
            Self::Many => false,
            Self::Set { negated, ranges } => ranges.iter().any(|&(a, b)| (a..=b).contains(&c)) != *negated,
        }
    }
}

/// Lengths in characters of the prefixes of `text` that `pattern` matches wholly, ascending.
pub(super) fn prefix_lengths(pattern: &[Token], text: &[char]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut here = vec![false; pattern.len() + 1];
    let mut next = here.clone();
    here[0] = true;
    close_many(pattern, &mut here);
    if here[pattern.len()] {
        found.push(0);
    }
    for (i, &c) in text.iter().enumerate() {
        next.fill(false);
        let mut alive = false;
        for (j, token) in pattern.iter().enumerate() {
            if !here[j] {
                continue;
            }
            if *token == Token::Many {
                next[j] = true;
                alive = true;
            } else if token.accepts(c) {
                next[j + 1] = true;
                alive = true;
            }
        }
        if !alive {
            break;
        }
        close_many(pattern, &mut next);
        if next[pattern.len()] {
            found.push(i + 1);
        }
        std::mem::swap(&mut here, &mut next);
    }
    found
}

/// How often matching a name costs what matching it with a literal does.
pub(super) fn weight(pattern: &[Token]) -> usize {
    let many = pattern.iter().filter(|token| **token == Token::Many).count();
    if many > 1 { 1 + pattern.len() / 2 } else { 1 }
}

fn close_many(pattern: &[Token], here: &mut [bool]) {
    for (j, token) in pattern.iter().enumerate() {
        if here[j] && *token == Token::Many {
            here[j + 1] = true;
        }
    }
}

/// Whether `pattern` matches all of `text`.
pub(super) fn matches_all(mut pattern: &[Token], mut text: &str) -> bool {
    // Most names differ from most patterns at one of their ends, which takes no table.
    while let [Token::Char(first), rest @ ..] = pattern {
        let Some(after) = text.strip_prefix(*first) else { return false };
        (pattern, text) = (rest, after);
    }
    while let [rest @ .., Token::Char(last)] = pattern {
        let Some(before) = text.strip_suffix(*last) else { return false };
        (pattern, text) = (rest, before);
    }
    if pattern == [Token::Many] {
        return true;
    }
    let chars: Vec<char> = text.chars().collect();
    prefix_lengths(pattern, &chars).last() == Some(&chars.len())
}

impl Eval<'_> {
    /// The pattern that a word spells.
    pub(super) fn pattern(&mut self, st: &mut State, word: &Word) -> Pattern {
        let mut all = Vec::new();
        for field in self.fields(st, &word.parts, Mode::One) {
            all.extend(field);
        }
        compile(&all)
    }

    /// Whether the pattern matches, where that can be told.
    pub(super) fn matches(&mut self, pattern: &Pattern, value: &Value) -> Option<bool> {
        let pattern = pattern.as_deref()?;
        if pattern == [Token::Many] {
            return Some(true);
        }
        let text = value.known()?;
        if text.len() > MAX_PATTERN_TEXT || !self.charge(text.len() * pattern.len() / MATCHES_PER_STEP) {
            return None;
        }
        Some(matches_all(pattern, &text))
    }
}
