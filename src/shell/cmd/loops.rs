//! `for`: its turns, and its variables in text.

use super::ast::{For, Form};
use super::lines::LineOptions;
use super::machine::{Cmd, Io, Outcome, Status};
use super::modifiers;
use super::state::{Flow, State};
use super::text::Text;
use super::values;
use crate::limits;
use crate::shell::bash::Stream;
use crate::shell::{Piece, Value};
use crate::world::EntryKind;

/// What one turn gives its variables.
type Turn = Vec<(char, Value)>;

impl Cmd<'_, '_, '_> {
    pub(super) fn repeat(&mut self, st: &mut State, parts: &For, io: &Io) -> Outcome {
        let turns = self.turns(st, parts);
        self.host.charge(turns.len() / 8);
        let mut out = Stream::empty();
        let outer = std::rc::Rc::clone(&st.loops);
        for turn in turns {
            if self.host.halted() {
                break;
            }
            let loops = std::rc::Rc::make_mut(&mut st.loops);
            for (variable, value) in turn {
                loops.retain(|(name, _)| *name != variable);
                loops.push((variable, value));
            }
            out = out.then(self.node(st, &parts.body, io).out);
            if st.flow != Flow::Next {
                break;
            }
        }
        st.loops = outer;
        Outcome::new(Status::Likely, out)
    }

    fn turns(&mut self, st: &State, parts: &For) -> Vec<Turn> {
        let set = self.expanded(st, &parts.set);
        let one = |value| vec![(parts.variable, value)];
        match &parts.form {
            Form::Words => self.items(st, &set, None).into_iter().map(one).collect(),
            Form::Folders => self.items(st, &set, Some(EntryKind::Dir)).into_iter().map(one).collect(),
            Form::Tree(root) => self.tree(st, root.as_ref(), &set).into_iter().map(one).collect(),
            Form::Numbers => numbers(set.as_str()).into_iter().map(one).collect(),
            Form::Lines(options) => {
                let options = options.as_ref().map(|o| self.expanded(st, o));
                let options = LineOptions::read(options.as_ref().map_or("", Text::as_str));
                self.lines_of(st, &set, &options, parts.variable)
            }
        }
    }

    /// The words of a set; those with wildcards stand for what is there.
    fn items(&mut self, st: &State, set: &Text, kind: Option<EntryKind>) -> Vec<Value> {
        let words = self.words(set);
        let mut out = Vec::new();
        for word in words {
            if values::has_wildcard(&word.value) {
                out.extend(self.matches(st, &word.value, kind));
            } else {
                // Quotes stay in the variable.
                out.push(if word.quoted { quoted(&word.value) } else { word.value });
            }
        }
        if out.len() > limits::MAX_TURNS { vec![values::join_all(&out)] } else { out }
    }

    /// The entries that a pattern fits, with the folder that it spells.
    fn matches(&mut self, st: &State, pattern: &Value, kind: Option<EntryKind>) -> Vec<Value> {
        let folder = values::folder_of(pattern);
        let unknown = vec![values::below(&folder, &Value::name())];
        let (Some(name), false) =
            (values::base_name(pattern).and_then(|n| n.known().map(String::from)), self.host.is_dirty())
        else {
            return unknown;
        };
        let place = if folder.is_empty() { Value::text(".") } else { folder.clone() };
        let Some(dir) = self.one_path(st, &place) else { return unknown };
        let Some(names) = self.host.world().list(&dir, limits::MAX_GLOB_ENTRIES) else { return unknown };
        self.host.charge(names.len() / 16);
        let mut found: Vec<String> = names.into_iter().filter(|n| fits(&name, n)).collect();
        let model = self.host.world().model();
        found.retain(|n| {
            let entry = self.host.world().target(&model.join(&dir, n));
            (entry == Some(EntryKind::Dir)) == (kind == Some(EntryKind::Dir))
        });
        if found.is_empty() || found.len() > limits::MAX_TURNS {
            return unknown;
        }
        found.into_iter().map(|n| values::below(&folder, &Value::text(n))).collect()
    }

    /// `for /r ROOT`: each word below each folder; with wildcards what is there.
    fn tree(&mut self, st: &State, root: Option<&Text>, set: &Text) -> Vec<Value> {
        let root = match root {
            Some(root) => {
                let root = self.expanded(st, root);
                self.plain(&root)
            }
            None => st.folder(),
        };
        let path = match self.one_path(st, &root) {
            Some(_) => self.full_path(st, &root.known().unwrap_or_default()).map(Value::under),
            None => None,
        };
        let found = path.unwrap_or_else(Value::any);
        let mut out = Vec::new();
        for word in self.words(set) {
            if values::has_wildcard(&word.value) {
                out.push(found.clone());
            } else {
                out.push(values::below(&found, &word.value));
            }
        }
        out.truncate(limits::MAX_TURNS);
        out
    }

    /// Text with the variables of the loops around put in.
    pub(super) fn loop_variables(&mut self, st: &State, text: &Text) -> Text {
        let s = text.as_str();
        if st.loops.is_empty() || !s.contains('%') {
            return text.clone();
        }
        let mut out = Text::default();
        let (mut done, mut at) = (0, 0);
        while let Some(p) = s[at..].find('%').map(|i| at + i) {
            let double = usize::from(s[p + 1..].starts_with('%'));
            let Some((value, len)) = self.loop_variable(st, &s[p + 1 + double..]) else {
                at = p + 1;
                continue;
            };
            let end = p + 1 + double + len;
            out.push_part(text, done, p);
            self.push_value(&mut out, &value, text.span(p, end));
            done = end;
            at = end;
            if out.len() > limits::MAX_COMMAND_BYTES {
                self.host.stop(crate::shell::GapKind::Size);
                break;
            }
        }
        out.push_part(text, done, s.len());
        self.host.charge_bytes(out.len());
        out
    }

    /// The variable at the start of `rest` (behind the percent sign) and the length of what names it.
    fn loop_variable(&self, st: &State, rest: &str) -> Option<(Value, usize)> {
        let find = |c: char| st.loops.iter().rev().find(|(name, _)| *name == c).map(|(_, value)| value);
        let first = rest.chars().next()?;
        if first != '~' {
            return Some((find(first)?.clone(), first.len_utf8()));
        }
        let mut best = None;
        for (i, c) in rest.char_indices().skip(1).take(modifiers::LETTERS.len() + 1) {
            if let Some(value) = find(c) {
                best = Some((value, i, c));
            }
            if !modifiers::LETTERS.contains(c.to_ascii_lowercase()) {
                break;
            }
        }
        let (value, i, c) = best?;
        Some((modifiers::apply(self, st, value, &rest[1..i]), i + c.len_utf8()))
    }
}

fn quoted(value: &Value) -> Value {
    let mut out = Value::text("\"");
    out.append(value.clone());
    out.push_str("\"");
    out
}

/// `(start,step,end)`
fn numbers(set: &str) -> Vec<Value> {
    let mut parts = set.split([',', ' ', ';', '\t']).filter(|p| !p.is_empty()).map(str::parse::<i64>);
    let (Some(Ok(start)), Some(Ok(step)), Some(Ok(end))) = (parts.next(), parts.next(), parts.next()) else {
        return vec![Value::name()];
    };
    let distance = end.saturating_sub(start);
    let (Some(steps), false) = (distance.checked_div(step), distance.signum() * step.signum() < 0) else {
        // Without a step it never ends; away from the end it never begins.
        return if step == 0 { vec![Value::name()] } else { Vec::new() };
    };
    if usize::try_from(steps).unwrap_or(usize::MAX) >= limits::MAX_TURNS {
        return vec![Value::name()];
    }
    (0..=steps).map(|i| Value::text(start.saturating_add(i.saturating_mul(step)).to_string())).collect()
}

/// Whether a name fits a pattern of `*` and `?`; case does not count.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let pattern = if pattern == "*.*" { "*" } else { pattern };
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.to_lowercase().chars().collect(), name.to_lowercase().chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where to go on after the last `*` when the rest does not fit.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            retry = Some((p, n));
            p += 1;
        } else if pattern.get(p).is_some_and(|&c| c == '?' || c == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((star, from)) = retry {
            retry = Some((star, from + 1));
            p = star + 1;
            n = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// The value without quotes around it.
pub(super) fn bare(value: &Value) -> Value {
    match value.pieces.as_slice() {
        [Piece::Text(text)] => Value::text(text.trim_matches('"')),
        _ => value.clone(),
    }
}
