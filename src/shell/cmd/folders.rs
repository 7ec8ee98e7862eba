//! Where cmd stands: cd, pushd, popd, `D:`.

use super::command::Call;
use super::machine::{Cmd, Outcome, Status};
use super::paths::{drive_of, key};
use super::state::State;
use super::values;
use crate::limits;
use crate::shell::bash::Stream;
use crate::shell::{EffectKind, Piece, Value};
use crate::world::EntryKind;

impl Cmd<'_, '_, '_> {
    pub(super) fn change_folder(&mut self, st: &mut State, call: &Call<'_>) -> Outcome {
        let text = call.tail.as_str().trim();
        let (drive_too, text) = match text.get(..2) {
            Some("/d" | "/D") => (true, text[2..].trim()),
            _ => (false, text),
        };
        let place = self.filled(&text.replace('"', ""));
        let place = trimmed(&place);
        if place.is_empty() || place.known().is_some_and(|t| t.len() == 2 && drive_of(&t).is_some()) {
            if drive_too && let Some(letter) = place.known().and_then(|t| drive_of(&t)) {
                return change_drive(st, letter);
            }
            let mut here = st.folder();
            here.push_str("\n");
            return Outcome::new(Status::True, Stream::Text(here));
        }
        self.effect(st, EffectKind::Read, &place, "cd", call.tail.whole());
        let folders = self.folders(st, &place);
        if !drive_too
            && let Some(letter) = place.known().and_then(|t| drive_of(&t))
            && st.cwd.iter().all(|c| drive_of(c.prefix()) != Some(letter))
        {
            // Another drive's folder, for when it is gone to.
            if let Some(folder) = folders.into_iter().next()
                && st.drives.len() < 26
            {
                std::rc::Rc::make_mut(&mut st.drives).insert(letter, folder);
            }
            return Outcome::silent(Status::Likely);
        }
        self.go(st, folders)
    }

    /// Goes to one of the folders; where none is there it stays, and what follows a success is judged from there.
    fn go(&mut self, st: &mut State, folders: Vec<Value>) -> Outcome {
        let folders: Vec<Value> = folders.into_iter().map(Value::or_unknown_if_long).collect();
        self.host.charge(folders.iter().map(|folder| limits::steps_of_path(folder.text_len())).sum());
        let missing = folders.iter().all(|f| match f.known() {
            Some(path) => {
                let entry = self.host.world().target(&key(&path));
                !matches!(entry, Some(EntryKind::Dir | EntryKind::Unreadable))
            }
            None => false,
        });
        if !missing {
            stand(st, folders);
            return Outcome::silent(Status::Likely);
        }
        let mut there = st.clone();
        stand(&mut there, folders);
        if self.host.is_dirty() {
            self.merge(st, there);
            return Outcome::silent(Status::Unknown);
        }
        let mut out = Outcome::silent(Status::False);
        out.success = Some(Box::new(there));
        out
    }

    /// The absolute folders that a path may mean.
    fn folders(&mut self, st: &State, place: &Value) -> Vec<Value> {
        let mut out: Vec<Value> = Vec::new();
        for value in self.spelled_values(st, place) {
            if !out.contains(&value) {
                out.push(value);
            }
        }
        if out.is_empty() {
            out.push(Value::any());
        }
        if out.len() > limits::MAX_ALTERNATIVES { vec![values::join_all(&out)] } else { out }
    }

    pub(super) fn push_folder(&mut self, st: &mut State, call: &Call<'_>) -> Outcome {
        let text = call.tail.as_str().trim().replace('"', "");
        let place = trimmed(&self.filled(&text));
        if place.is_empty() {
            return Outcome::new(Status::True, Stream::Unknown);
        }
        self.effect(st, EffectKind::Read, &place, "pushd", call.tail.whole());
        if st.dirs.len() < limits::MAX_EXPANSION {
            let here = st.folder();
            std::rc::Rc::make_mut(&mut st.dirs).push(here);
        }
        let folders = self.folders(st, &place);
        let out = self.go(st, folders);
        if out.success.is_some() {
            std::rc::Rc::make_mut(&mut st.dirs).pop();
        }
        out
    }
}

pub(super) fn change_drive(st: &mut State, letter: char) -> Outcome {
    if st.cwd.iter().any(|c| drive_of(c.prefix()) == Some(letter)) {
        return Outcome::silent(Status::True);
    }
    let folder = st.drives.get(&letter).cloned().unwrap_or_else(|| Value::text(format!("{letter}:\\")));
    stand(st, vec![folder]);
    Outcome::silent(Status::Likely)
}

pub(super) fn pop_folder(st: &mut State) -> Outcome {
    match std::rc::Rc::make_mut(&mut st.dirs).pop() {
        Some(folder) => {
            stand(st, vec![folder]);
            Outcome::silent(Status::True)
        }
        None => Outcome::silent(Status::False),
    }
}

/// Each drive keeps the folder that was left there.
fn stand(st: &mut State, folders: Vec<Value>) {
    let left = st.folder();
    if let Some(letter) = drive_of(left.prefix())
        && folders.iter().any(|f| drive_of(f.prefix()) != Some(letter))
    {
        std::rc::Rc::make_mut(&mut st.drives).insert(letter, left);
    }
    st.cwd = folders.into_iter().map(Value::or_unknown_if_long).collect();
}

/// Without blanks at its known ends.
fn trimmed(value: &Value) -> Value {
    match value.pieces.as_slice() {
        [Piece::Text(text)] => Value::text(text.trim()),
        _ => value.clone(),
    }
}
