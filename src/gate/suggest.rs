//! The corrected command: what would be created outside moves into scratch.

use super::Inputs;
use super::call::Tool;
use super::judge::Judgement;
use super::outcome::{Rule, Standing};
use crate::limits::{MAX_MOVED, MAX_REWRITTEN_BYTES};
use crate::path::Model;
use crate::shell::{Certainty, Dialect, EffectKind, Target};

/// What moves: everything below `top` goes to the same place below scratch as it has below `base`.
struct Move {
    /// The topmost folder or file that is not there, or a folder in which unknown entries would appear.
    top: String,
    base: String,
}

/// `command` with what would be created outside moved into the session's scratch, in the ways in which that may be
/// written, the least change first. Whoever takes one judges it again: a candidate is a proposal.
pub(crate) fn moved_into_scratch(
    inputs: &Inputs<'_>,
    dialect: Dialect,
    command: &str,
    judgement: &Judgement,
) -> Vec<String> {
    let Some(plan) = Plan::new(inputs, command, judgement) else { return Vec::new() };
    let mut out: Vec<String> = Vec::new();
    let by_words = |relative| {
        let fixed = if dialect == Dialect::Bash { plan.words(command, judgement, relative) } else { None };
        // A place that no effect names may still belong to what moves: `cd` goes there, a variable holds it.
        fixed.filter(|fixed| !plan.names_a_top(fixed))
    };
    for candidate in [by_words(false), plan.text(dialect, command), by_words(true)].into_iter().flatten() {
        if candidate != command && !out.contains(&candidate) {
            out.push(candidate);
        }
    }
    out
}

struct Plan<'a> {
    model: Model,
    home: Option<String>,
    /// The folder that the call starts in.
    cwd: String,
    scratch: &'a str,
    moves: Vec<Move>,
}

impl<'a> Plan<'a> {
    /// `None` where something else is wrong with the command, or where two things would end up in one place.
    fn new(inputs: &Inputs<'a>, command: &str, judgement: &Judgement) -> Option<Self> {
        if command.len() > MAX_REWRITTEN_BYTES || !judgement.gaps.is_empty() || inputs.place.scratch.is_empty() {
            return None;
        }
        let model = inputs.world.model();
        let cwd = match &inputs.call.tool {
            Tool::Shell { workdir: Some(dir), .. } => model.join(&inputs.call.cwd, dir),
            _ => inputs.call.cwd.clone(),
        };
        let scratch = &inputs.place.scratch;
        let mut plan = Self { model, home: inputs.world.home(), cwd, scratch, moves: Vec::new() };
        for judged in &judgement.effects {
            // Only what is certain can be put right.
            if matches!(judged.standing, Standing::Violation(_)) && judged.effect.certainty == Certainty::Assumed {
                return None;
            }
            match (judged.standing, &judged.effect.target) {
                (Standing::Violation(Rule::CreatesOutside), Target::Path(path)) => {
                    plan.add(first_missing(inputs, path)?);
                }
                (Standing::Violation(Rule::CreatesOutside), Target::Inside(path)) => {
                    plan.add(match inputs.world.target(path) {
                        Some(_) => Move { top: path.clone(), base: path.clone() },
                        None => first_missing(inputs, path)?,
                    });
                }
                (Standing::Violation(_), _) => return None,
                _ => {}
            }
            if plan.moves.len() > MAX_MOVED {
                return None;
            }
        }
        let mut places = Vec::with_capacity(plan.moves.len());
        for one in &plan.moves {
            let place = plan.moved(&one.top)?;
            // What is there already would be written over, or be in the way.
            let taken = one.top != one.base && inputs.world.entry(&place).is_some();
            if taken || places.contains(&place) {
                return None;
            }
            places.push(place);
        }
        Some(plan)
            .filter(|plan| !plan.moves.is_empty() && !plan.takes_along(inputs, judgement) && !plan.clears(command))
    }

    /// Whether something that is there is read or changed below what moves: it would be missing in scratch.
    fn takes_along(&self, inputs: &Inputs<'_>, judgement: &Judgement) -> bool {
        judgement.effects.iter().any(|judged| match (judged.effect.kind, &judged.effect.target) {
            (EffectKind::Read | EffectKind::Modify | EffectKind::Delete, Target::Path(path)) => {
                let beside = |m: &Move| path.len() > m.top.len() && self.model.is_within(path, &m.top);
                self.moves.iter().any(beside) && inputs.world.entry(path).is_some()
            }
            _ => false,
        })
    }

    /// Whether a whole folder, in whose place scratch would stand, is made the same as another: that removes the rest.
    fn clears(&self, command: &str) -> bool {
        let mirrors = |word: &str| {
            let word = word.to_ascii_lowercase();
            word.starts_with("--del") || matches!(word.as_str(), "/mir" | "/purge" | "-mir" | "-purge")
        };
        self.moves.iter().any(|m| m.top == m.base) && command.split_whitespace().any(mirrors)
    }

    fn add(&mut self, one: Move) {
        if !self.moves.iter().any(|m| self.model.is_within(&one.top, &m.top)) {
            self.moves.retain(|m| !self.model.is_within(&m.top, &one.top));
            self.moves.push(one);
        }
    }

    /// Where a path goes; `None` for one that stays.
    fn moved(&self, path: &str) -> Option<String> {
        let one = self.moves.iter().find(|m| self.model.is_within(path, &m.top))?;
        let rest = path.get(one.base.len()..)?.trim_start_matches(|c| self.model.is_separator(c));
        Some(if rest.is_empty() { self.scratch.to_owned() } else { self.model.join(self.scratch, rest) })
    }

    /// Each word that names what moves, replaced as a whole. A relative word is left alone unless `relative`: the
    /// folder that it starts from may move with it.
    fn words(&self, command: &str, judgement: &Judgement, relative: bool) -> Option<String> {
        let mut edits: Vec<(usize, usize, String)> = Vec::new();
        for judged in &judgement.effects {
            let (Target::Path(path) | Target::Inside(path)) = &judged.effect.target else { continue };
            let Some(moved) = self.moved(path) else { continue };
            let (start, end) = (judged.effect.span.start as usize, judged.effect.span.end as usize);
            let raw = command.get(start..end)?;
            let value = start + option_len(raw);
            let word = self.literal(&raw[value - start..])?;
            let text = if self.model.is_absolute(&word) {
                self.replacement(&self.model.normalize(&word), path, &moved)?
            } else {
                self.starts_outside(&word, path)?;
                if !relative {
                    continue;
                }
                moved
            };
            edits.push((value, end, shell_words::quote(&text).into_owned()));
        }
        apply(command, edits)
    }

    /// Whether a relative word that means `path` starts from a folder that stays where it is.
    fn starts_outside(&self, word: &str, path: &str) -> Option<()> {
        if self.model.join(&self.cwd, word) == path {
            return Some(());
        }
        let from = path.strip_suffix(word.trim_end_matches('/'))?.strip_suffix('/')?;
        (!word.split('/').any(|part| part == "..") && self.moved(from).is_none()).then_some(())
    }

    fn names_a_top(&self, text: &str) -> bool {
        self.moves.iter().filter(|m| m.top != m.base).any(|m| !self.named(text, &m.top).is_empty())
    }

    /// Where a path is named in a text by itself or as the head of another.
    fn named(&self, text: &str, path: &str) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        for spelled in self.spellings(path) {
            for (at, _) in text.match_indices(&spelled) {
                let before = text[..at].chars().next_back();
                let after = text[at + spelled.len()..].chars().next();
                let starts = before.is_none_or(|c| c.is_whitespace() || "\"'`=,(<>|;&{".contains(c));
                let ends = after.is_none_or(|c| !(c.is_alphanumeric() || "._-+@%~".contains(c)));
                if starts && ends {
                    out.push((at, at + spelled.len()));
                }
            }
        }
        out
    }

    /// What stands for a word that is `path` itself, or the folder in which `path` would appear.
    fn replacement(&self, word: &str, path: &str, moved: &str) -> Option<String> {
        if word == path {
            return Some(moved.to_owned());
        }
        let is_folder = self.model.parent(path) == Some(word);
        is_folder.then(|| self.model.parent(moved).map(|dir| format!("{dir}/")))?
    }

    /// Every place where the text names a top, replaced: in assignments, in scripts, in options. Only where the
    /// new path needs no quotes of any kind.
    fn text(&self, dialect: Dialect, command: &str) -> Option<String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@".contains(c);
        let windows = |c: char| dialect != Dialect::Bash && "\\:".contains(c);
        if !self.scratch.chars().all(|c| is_plain(c) || windows(c)) {
            return None;
        }
        let mut edits = Vec::new();
        for one in &self.moves {
            let moved = self.moved(&one.top)?;
            if !one.top.chars().all(|c| is_plain(c) || windows(c)) {
                return None;
            }
            edits.extend(self.named(command, &one.top).into_iter().map(|(start, end)| (start, end, moved.clone())));
        }
        apply(command, edits)
    }

    fn spellings(&self, path: &str) -> Vec<String> {
        let mut out = vec![path.to_owned()];
        let below = self.home.as_deref().and_then(|home| path.strip_prefix(home)).filter(|rest| rest.starts_with('/'));
        if let Some(rest) = below {
            out.extend(["~", "$HOME", "${HOME}"].map(|home| format!("{home}{rest}")));
        }
        out
    }

    /// The text of a word that is a plain path, quoted as a whole or not at all; the home folder may be spelled by
    /// its variable.
    fn literal(&self, raw: &str) -> Option<String> {
        let quote = raw.bytes().next().filter(|q| matches!(q, b'\'' | b'"') && raw.len() >= 2);
        let inner = match quote {
            Some(quote) => raw[1..].strip_suffix(char::from(quote))?,
            None => raw,
        };
        let plain = |c: char| c.is_alphanumeric() || "/._-+@%,:=".contains(c) || (c == ' ' && quote.is_some());
        let heads: &[&str] = match quote {
            None => &["~", "$HOME", "${HOME}"],
            Some(b'"') => &["$HOME", "${HOME}"],
            Some(_) => &[],
        };
        let rest = heads.iter().find_map(|h| inner.strip_prefix(h)).filter(|rest| rest.starts_with('/'));
        let text = match rest {
            Some(rest) => format!("{}{rest}", self.home.as_deref()?),
            None => inner.to_owned(),
        };
        // A separator at the end stays where it says that a folder is meant; the path does not need it.
        let known = rest.unwrap_or(inner);
        (known.chars().all(plain) && !text.trim_end_matches('/').is_empty()).then_some(text)
    }
}

/// The topmost part of `path` that does not exist.
fn first_missing(inputs: &Inputs<'_>, path: &str) -> Option<Move> {
    let model = inputs.world.model();
    let mut missing = path;
    loop {
        let parent = model.parent(missing)?;
        if inputs.world.entry(parent).is_some() {
            return Some(Move { top: missing.to_owned(), base: parent.to_owned() });
        }
        if model.parent(parent).is_none() {
            return Some(Move { top: missing.to_owned(), base: parent.to_owned() });
        }
        missing = parent;
    }
}

/// Bytes of `--name=`, `-o` or `name=` before the value of an option or of an operand with a key.
fn option_len(raw: &str) -> usize {
    let is_name = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if let Some(at) = raw.find('=').filter(|&at| is_name(&raw[..at])) {
        return at + 1;
    }
    let attached = raw.len() > 2 && raw.starts_with('-') && raw.as_bytes()[1].is_ascii_alphabetic();
    if attached && matches!(raw.as_bytes()[2], b'/' | b'~' | b'"' | b'\'') { 2 } else { 0 }
}

/// `None` where there is nothing to change, or where one place would have to become two things.
fn apply(command: &str, mut edits: Vec<(usize, usize, String)>) -> Option<String> {
    edits.sort();
    edits.dedup();
    let mut out = String::with_capacity(command.len() + 64);
    let mut at = 0;
    for (start, end, text) in &edits {
        if *start < at {
            return None;
        }
        out.push_str(&command[at..*start]);
        out.push_str(text);
        at = *end;
    }
    out.push_str(&command[at..]);
    (!edits.is_empty()).then_some(out)
}
