//! Pathname expansion against the disk.

use super::expand::{Chunk, chunks_value};
use super::machine::Eval;
use super::pattern::{Pattern, Token, compile, matches_all, weight};
use super::state::State;
use crate::limits;
use crate::shell::{Piece, Value};
use crate::world::{EntryKind, World};

/// A component of a path that may be a pattern.
enum Component {
    Text(String),
    Pattern {
        tokens: Vec<Token>,
        hidden: bool,
    },
    /// `**` with `globstar`.
    Deep,
}

impl Eval<'_> {
    /// Adds the paths that a field stands for.
    pub(super) fn glob(&mut self, st: &State, field: Vec<Chunk>, out: &mut Vec<Value>) {
        if st.noglob || !field.iter().any(is_pattern) {
            out.push(chunks_value(field));
            return;
        }
        if !self.charge(limits::STEPS_PER_PATTERN) {
            out.push(blurred(&field));
            return;
        }
        let long = |c: &Chunk| matches!(&c.piece, Piece::Text(text) if text.len() > limits::MAX_WRITTEN_PATH_BYTES);
        if field.iter().any(|c| !matches!(c.piece, Piece::Text(_)) || long(c)) {
            out.push(blurred(&field));
            return;
        }
        let literal = chunks_value(field.clone());
        match self.paths(st, &field) {
            Some(found) if !found.is_empty() => out.extend(found),
            // Nothing matches: the pattern stays as it is.
            Some(_) => {
                if !st.nullglob {
                    out.push(literal);
                }
            }
            None => out.push(blurred(&field)),
        }
    }

    /// The matches, sorted; `None` where they can't be listed.
    fn paths(&mut self, st: &State, field: &[Chunk]) -> Option<Vec<Value>> {
        let (absolute, components) = components(st, field)?;
        let base = if absolute { "/".to_owned() } else { st.known_folder()?.to_owned() };
        let model = self.world.model();
        // The path as written and where it is.
        let mut found: Vec<(String, String)> = vec![(if absolute { "/".to_owned() } else { String::new() }, base)];
        let mut checked = true;
        let last = components.len().saturating_sub(1);
        for (i, component) in components.iter().enumerate() {
            let mut next = Vec::new();
            for (written, place) in &found {
                match component {
                    // A separator at the end: folders alone.
                    Component::Text(text) if text.is_empty() && self.overlay.target(place) != Some(EntryKind::Dir) => {}
                    Component::Text(text) => {
                        let place = model.join(place, text);
                        next.push((format!("{written}{text}{}", if i == last { "" } else { "/" }), place));
                        checked = false;
                    }
                    Component::Pattern { tokens, hidden } => {
                        if self.overlay.entry(place).is_none() {
                            continue;
                        }
                        self.folders_left = self.folders_left.checked_sub(1)?;
                        let names = match self.overlay.list(place, limits::MAX_GLOB_ENTRIES) {
                            Some(names) => names,
                            None if self.overlay.target(place) == Some(EntryKind::Dir) => return None,
                            None => continue,
                        };
                        self.folders_left = self.folders_left.saturating_sub(names.len() / 1000);
                        self.charge(names.len() * weight(tokens) / limits::NAMES_PER_STEP);
                        for name in names {
                            if name.starts_with('.') && !hidden || !matches_all(tokens, &name) {
                                continue;
                            }
                            let end = if i == last { "" } else { "/" };
                            next.push((format!("{written}{name}{end}"), model.join(place, &name)));
                        }
                        checked = true;
                    }
                    Component::Deep => return None,
                }
                if next.len() > limits::MAX_EXPANSION || self.halted() {
                    return None;
                }
            }
            found = next;
        }
        if !checked {
            found.retain(|(_, place)| self.overlay.entry(place).is_some());
        }
        found.sort_unstable();
        Some(found.into_iter().map(|(written, _)| Value::text(written)).collect())
    }
}

/// Whether a part of a field is a pattern, a simple or an extended one.
fn is_pattern(chunk: &Chunk) -> bool {
    let Piece::Text(text) = &chunk.piece else { return false };
    chunk.live && (text.contains(['*', '?', '[']) || extended(text).is_some())
}

/// Where an extended pattern (`!(a|b)`) begins.
fn extended(text: &str) -> Option<usize> {
    text.match_indices('(')
        .map(|(at, _)| at)
        .find(|&at| text[..at].ends_with(['@', '?', '*', '+', '!']))
        .map(|at| at - 1)
}

/// The components of a known pattern; `None` where one is extended.
fn components(st: &State, field: &[Chunk]) -> Option<(bool, Vec<Component>)> {
    let mut parts: Vec<Vec<Chunk>> = vec![Vec::new()];
    for chunk in field {
        let Piece::Text(text) = &chunk.piece else { return None };
        for (i, piece) in text.split('/').enumerate() {
            if i > 0 {
                parts.push(Vec::new());
            }
            if !piece.is_empty()
                && let Some(last) = parts.last_mut()
            {
                last.push(Chunk { piece: Piece::Text(piece.to_owned()), live: chunk.live });
            }
        }
    }
    let absolute = parts.len() > 1 && parts.first().is_some_and(Vec::is_empty);
    let slash_at_end = parts.len() > 1 && parts.last().is_some_and(Vec::is_empty);
    let mut out = Vec::new();
    for part in parts.into_iter().filter(|p| !p.is_empty()) {
        if !part.iter().any(is_pattern) {
            out.push(Component::Text(chunks_value(part).known()?.into_owned()));
            continue;
        }
        let starred = st.globstar && matches!(part.as_slice(), [c] if c.piece == Piece::Text("**".to_owned()));
        if starred {
            out.push(Component::Deep);
            continue;
        }
        let tokens: Pattern = compile(&part);
        let tokens = tokens?;
        let hidden = st.dotglob || tokens.first() == Some(&Token::Char('.'));
        out.push(Component::Pattern { tokens, hidden });
    }
    if slash_at_end {
        out.push(Component::Text(String::new()));
    }
    Some((absolute, out))
}

/// The field with its patterns as unknown names.
fn blurred(field: &[Chunk]) -> Value {
    let mut value = Value::default();
    for (i, chunk) in field.iter().enumerate() {
        match &chunk.piece {
            // What it matches reaches to the end, as far as is known.
            Piece::Text(text) if chunk.live && extended(text).is_some() => {
                let at = extended(text).unwrap_or_default();
                value.push_str(&text[..at]);
                let more = field[i + 1..].iter().all(|c| matches!(&c.piece, Piece::Text(t) if !t.contains('/')));
                value.push(if more && !text[at..].contains('/') { Piece::Name } else { Piece::Any });
                return value;
            }
            Piece::Text(text) if chunk.live && text.contains(['*', '?', '[']) => {
                let mut rest = text.as_str();
                let last_close = text.rfind(']');
                while let Some(at) = rest.find(['*', '?', '[']) {
                    if value.pieces.len() >= limits::MAX_PIECES {
                        // One of more pieces counts as unknown, so no more are made.
                        value.push(Piece::Any);
                        return value;
                    }
                    value.push_str(&rest[..at]);
                    let skip = if rest[at..].starts_with('[') {
                        // One that nothing closes is a character, and nothing is looked for.
                        let closes = last_close.is_some_and(|close| close > text.len() - rest.len() + at);
                        let Some(close) = closes.then(|| rest[at..].find(']')).flatten() else {
                            value.push_str("[");
                            rest = &rest[at + 1..];
                            continue;
                        };
                        close + 1
                    } else {
                        let run = rest[at..].find(|c| c != '*' && c != '?').unwrap_or(rest.len() - at);
                        if rest[at..].starts_with("**") {
                            value.push(Piece::Any);
                            rest = &rest[at + run..];
                            continue;
                        }
                        run
                    };
                    value.push(Piece::Name);
                    rest = &rest[at + skip..];
                }
                value.push_str(rest);
            }
            other => value.push(other.clone()),
        }
    }
    value
}
