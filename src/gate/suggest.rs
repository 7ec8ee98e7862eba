//! The corrected command: what would be created outside moves into scratch.

use super::Inputs;
use super::judge::Judgement;
use super::outcome::{Rule, Standing};
use crate::limits::{MAX_MOVED, MAX_REWRITTEN_BYTES};
use crate::shell::Target;

/// `command` with each literal word that would create outside (and each later use of it) moved into the
/// session's scratch. `None` where a word is not literal or something else is wrong with the command.
pub(crate) fn moved_into_scratch(inputs: &Inputs<'_>, command: &str, judgement: &Judgement) -> Option<String> {
    if command.len() > MAX_REWRITTEN_BYTES || !judgement.gaps.is_empty() {
        return None;
    }
    let model = inputs.world.model();
    // Top missing folders: `/opt/zzz` for `/opt/zzz/out/a.txt`.
    let mut tops: Vec<String> = Vec::new();
    for judged in &judgement.effects {
        match (judged.standing, &judged.effect.target) {
            (Standing::Violation(Rule::CreatesOutside), Target::Path(path)) => {
                let top = first_missing(inputs, path);
                if !tops.contains(&top) {
                    tops.push(top);
                }
                if tops.len() > MAX_MOVED {
                    return None;
                }
            }
            (Standing::Violation(_), _) => return None,
            _ => {}
        }
    }
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for judged in &judgement.effects {
        let Target::Path(path) = &judged.effect.target else { continue };
        let Some(top) = tops.iter().find(|top| model.is_within(path, top)) else { continue };
        let (start, end) = (judged.effect.span.start as usize, judged.effect.span.end as usize);
        let raw = command.get(start..end)?;
        if literal(raw).as_deref() != Some(path.as_str()) {
            return None;
        }
        let base = model.parent(top)?;
        let rest = path.get(base.len()..)?.trim_start_matches(|c| model.is_separator(c));
        let moved = model.join(&inputs.place.scratch, rest);
        edits.push((start, end, shell_words::quote(&moved).into_owned()));
    }
    edits.sort();
    edits.dedup();
    let mut out = String::with_capacity(command.len() + 64);
    let mut at = 0;
    for (start, end, text) in edits {
        if start < at {
            return None;
        }
        out.push_str(&command[at..start]);
        out.push_str(&text);
        at = end;
    }
    if at == 0 {
        return None;
    }
    out.push_str(&command[at..]);
    Some(out)
}

/// The highest ancestor of `path` (or `path`) that does not exist.
fn first_missing(inputs: &Inputs<'_>, path: &str) -> String {
    let model = inputs.world.model();
    let mut missing = path;
    while let Some(parent) = model.parent(missing) {
        if inputs.world.entry(parent).is_some() {
            break;
        }
        missing = parent;
    }
    missing.to_owned()
}

/// The text of a word that is a plain absolute path, quoted as a whole or not at all.
fn literal(raw: &str) -> Option<String> {
    let inner = match raw.as_bytes() {
        [b'\'', .., b'\''] | [b'"', .., b'"'] if raw.len() >= 2 => &raw[1..raw.len() - 1],
        _ => raw,
    };
    let plain = |c: char| c.is_alphanumeric() || "/._-+@%,:=".contains(c) || (c == ' ' && inner.len() < raw.len());
    let trimmed = inner.trim_end_matches('/');
    (inner.starts_with('/') && inner.chars().all(plain) && !trimmed.is_empty()).then(|| trimmed.to_owned())
}
