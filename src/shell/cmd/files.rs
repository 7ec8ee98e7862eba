//! Internal commands on files and folders: md, rd, del, copy, move, ren, type, dir, mklink.

use super::command::Call;
use super::machine::{Cmd, Io, Outcome, Status};
use super::paths::key;
use super::state::State;
use super::values::{base_name, below, ends_with_separator, folder_of, has_wildcard};
use super::words::Word;
use crate::limits;
use crate::shell::bash::Stream;
use crate::shell::{EffectKind, Piece, Span, Value};
use crate::world::EntryKind;

impl Cmd<'_, '_, '_> {
    pub(super) fn make_folders(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        for word in self.words(call.tail) {
            // `/p` is an option of another system's; a longer one is a path of the drive.
            if word.switch.is_empty() || word.switch.len() > 2 {
                self.effect(st, EffectKind::Create, &word.value, "md", word.span);
            }
        }
        Outcome::silent(Status::Likely)
    }

    pub(super) fn remove(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        for word in self.words(call.tail) {
            if word.switch.is_empty() {
                self.effect(st, EffectKind::Delete, &word.value, call.name, word.span);
            }
        }
        Outcome::silent(Status::Likely)
    }

    /// `copy A+B DEST`
    pub(super) fn copy(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        let mut groups: Vec<Vec<Word>> = Vec::new();
        let mut joins = false;
        for word in self.words(call.tail) {
            if !word.switch.is_empty() {
                continue;
            }
            for (i, part) in split_plus(&word).into_iter().enumerate() {
                joins |= i > 0;
                if part.value.is_empty() {
                    continue;
                }
                match groups.last_mut() {
                    Some(group) if joins => group.push(part),
                    _ => groups.push(vec![part]),
                }
                joins = false;
            }
            joins = matches!(word.value.pieces.last(), Some(Piece::Text(t)) if t.ends_with('+'));
        }
        let Some((sources, rest)) = groups.split_first() else { return Outcome::silent(Status::False) };
        for source in sources {
            self.effect(st, EffectKind::Read, &source.value, "copy", source.span);
        }
        match rest.first().and_then(|g| g.first()) {
            Some(dest) => self.copies(st, sources, dest, "copy"),
            // Joined in the first; or copied here.
            None if sources.len() > 1 => {
                self.effect(st, EffectKind::Create, &sources[0].value, "copy", sources[0].span);
            }
            None => {
                let here = Word { value: Value::text("."), ..sources[0].clone() };
                self.copies(st, sources, &here, "copy");
            }
        }
        Outcome::new(Status::Likely, Stream::Unknown)
    }

    /// `DEST\NAME` of each source where DEST is a folder, else DEST itself.
    fn copies(&mut self, st: &State, sources: &[Word], dest: &Word, program: &str) {
        let entry = self.one_path(st, &dest.value).and_then(|path| self.host.world().target(&path));
        let folder = ends_with_separator(&dest.value)
            || matches!(entry, Some(EntryKind::Dir | EntryKind::Unreadable))
            || values_name_nothing(&dest.value);
        if has_wildcard(&dest.value) {
            return self.inside(st, &or_here(folder_of(&dest.value)), program, dest.span);
        }
        if !folder {
            return self.effect(st, EffectKind::Create, &dest.value, program, dest.span);
        }
        for source in sources {
            match base_name(&source.value).filter(|_| !has_wildcard(&source.value)) {
                Some(name) => {
                    let value = below(&dest.value, &name);
                    self.effect(st, EffectKind::Create, &value, program, dest.span);
                }
                None => self.inside(st, &dest.value, program, dest.span),
            }
        }
    }

    pub(super) fn rename_into(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        let words: Vec<Word> = self.words(call.tail).into_iter().filter(|w| w.switch.is_empty()).collect();
        let (sources, dest) = match words.as_slice() {
            [] => return Outcome::silent(Status::False),
            [only] => (std::slice::from_ref(only), Word { value: Value::text("."), ..only.clone() }),
            [sources @ .., dest] => (sources, dest.clone()),
        };
        // Where it goes is looked up before anything is gone.
        let from = self.one_path(st, &sources[0].value);
        let is_folder = from.is_some_and(|path| self.host.world().target(&path) == Some(EntryKind::Dir));
        self.copies(st, sources, &dest, "move");
        for source in sources {
            self.effect(st, EffectKind::Delete, &source.value, "move", source.span);
        }
        // A folder that was moved is a folder in its new place.
        if let Some(to) = self.one_path(st, &dest.value).filter(|_| is_folder) {
            self.host.made_dir(&to);
        }
        Outcome::silent(Status::Likely)
    }

    pub(super) fn rename(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        let words: Vec<Word> = self.words(call.tail).into_iter().filter(|w| w.switch.is_empty()).collect();
        let [from, to, ..] = words.as_slice() else { return Outcome::silent(Status::False) };
        let folder = folder_of(&from.value);
        if has_wildcard(&to.value) || has_wildcard(&from.value) {
            self.inside(st, &or_here(folder), "ren", to.span);
        } else {
            // The new name stands for an entry of the same folder, whatever folder it is written with.
            let name = base_name(&to.value).unwrap_or_else(Value::name);
            self.effect(st, EffectKind::Create, &below(&folder, &name), "ren", to.span);
        }
        self.effect(st, EffectKind::Delete, &from.value, "ren", from.span);
        Outcome::silent(Status::Likely)
    }

    pub(super) fn type_files(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        let mut out = Stream::empty();
        for word in self.words(call.tail) {
            if !word.switch.is_empty() {
                continue;
            }
            self.effect(st, EffectKind::Read, &word.value, "type", word.span);
            let text = match self.one_path(st, &word.value) {
                Some(path) if call.io.capture => self.host.file_text(&path),
                _ => Stream::Unknown,
            };
            out = out.then(text);
        }
        Outcome::new(Status::Likely, out)
    }

    pub(super) fn list(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        let words = self.words(call.tail);
        let has = |s: &str| words.iter().any(|w| w.switch == s);
        let (bare, deep) = (has("/b"), has("/s"));
        let mut place: Option<Value> = None;
        for word in words.iter().filter(|w| w.switch.is_empty()) {
            self.effect(st, EffectKind::Read, &word.value, "dir", word.span);
            let folder = if has_wildcard(&word.value) { or_here(folder_of(&word.value)) } else { word.value.clone() };
            place = Some(folder);
        }
        let out = match (bare, deep) {
            (true, false) => Stream::Lines(Value::name()),
            (true, true) => {
                let known = place.unwrap_or_else(|| st.folder()).known().map(String::from);
                match known.and_then(|p| self.full_path(st, &p)) {
                    Some(path) => Stream::Lines(Value::under(path)),
                    None => Stream::Unknown,
                }
            }
            _ => Stream::Unknown,
        };
        Outcome::new(Status::Likely, out)
    }

    pub(super) fn link(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        let words: Vec<Word> = self.words(call.tail).into_iter().filter(|w| w.switch.is_empty()).collect();
        let [link, target, ..] = words.as_slice() else { return Outcome::silent(Status::False) };
        let made = self.one_path(st, &link.value);
        self.effect(st, EffectKind::Create, &link.value, "mklink", link.span);
        // What the link leads to is seen from the link's own folder; a junction from here.
        if let (Some(path), Some(text)) = (made, target.value.known()) {
            let to = match self.full_path(st, &text) {
                Some(full) if call.tail.as_str().to_ascii_lowercase().contains("/j") => full,
                _ => text.into_owned(),
            };
            self.host.made_link(&path, &key(&to));
        }
        Outcome::silent(Status::Likely)
    }

    /// A known path made absolute.
    pub(super) fn full_path(&self, st: &State, text: &str) -> Option<String> {
        let value = Value::text(text);
        match self.spelled_values(st, &value).as_slice() {
            [only] => only.known().map(std::borrow::Cow::into_owned),
            _ => None,
        }
    }

    /// What the `set /p` and the like read.
    pub(super) fn first_line(io: &Io) -> Value {
        match io.stdin.lines() {
            Some(lines) => lines.into_iter().next().unwrap_or_default(),
            None => Value::any(),
        }
    }
}

/// `a+b` is two sources.
fn split_plus(word: &Word) -> Vec<Word> {
    let Some(text) = word.value.known().filter(|t| t.contains('+') && !word.quoted) else { return vec![word.clone()] };
    let span = word.span;
    let mut at = 0;
    let mut out = Vec::new();
    for part in text.split('+').take(limits::MAX_EXPANSION) {
        let start = span.start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        let end = start.saturating_add(u32::try_from(part.len()).unwrap_or(u32::MAX));
        let span = if end <= span.end { Span { start, end } } else { span };
        out.push(Word { value: Value::text(part), span, at: word.at, switch: String::new(), quoted: false });
        at += part.len() + 1;
    }
    out
}

/// `.`, `..`, `C:` and the like: folders by their form.
fn values_name_nothing(value: &Value) -> bool {
    base_name(value).is_none()
}

fn or_here(folder: Value) -> Value {
    if folder.is_empty() { Value::text(".") } else { folder }
}
