//! The environment that a started program sees: what the command set over the world's.

use std::cell::RefCell;

use super::state::State;
use crate::path::Model;
use crate::shell::bash::eval::machine::hole;
use crate::shell::bash::eval::overlay::Overlay;
use crate::shell::{Piece, Value};
use crate::world::{EntryKind, World};

/// A world whose variables are those that the shell hands on. Unknown parts of their values stand as holes.
pub(super) struct Environment<'a> {
    base: &'a Overlay<'a>,
    st: &'a State,
    holes: RefCell<Vec<Piece>>,
}

impl<'a> Environment<'a> {
    /// What a program started in `st` sees; `holes` are those of its text.
    pub(super) fn new(base: &'a Overlay<'a>, st: &'a State, holes: Vec<Piece>) -> Self {
        Self { base, st, holes: RefCell::new(holes) }
    }

    /// The holes of the text and of the variables that were read.
    pub(super) fn into_holes(self) -> Vec<Piece> {
        self.holes.into_inner()
    }

    fn text(&self, value: Value) -> String {
        let mut holes = self.holes.borrow_mut();
        let mut text = String::new();
        for piece in value.pieces {
            match (piece, hole(holes.len())) {
                (Piece::Text(s), _) => text.push_str(&s),
                (other, Some(c)) => {
                    text.push(c);
                    holes.push(other);
                }
                (_, None) => {}
            }
        }
        text
    }
}

/// A variable of the environment that the command set, by a name in any case where the system does not tell.
pub(super) fn assigned(st: &State, model: Model, name: &str) -> Option<Value> {
    let same = |known: &str| match model {
        Model::Posix => known == name,
        Model::Windows => known.eq_ignore_ascii_case(name),
    };
    st.environment().find(|(known, _)| same(known)).map(|(_, value)| value.string())
}

impl World for Environment<'_> {
    fn model(&self) -> Model {
        self.base.model()
    }

    fn entry(&self, path: &str) -> Option<EntryKind> {
        self.base.entry(path)
    }

    fn target(&self, path: &str) -> Option<EntryKind> {
        self.base.target(path)
    }

    fn linked_file(&self, path: &str) -> Option<(u64, u64)> {
        self.base.linked_file(path)
    }

    fn read_link(&self, path: &str) -> Option<String> {
        self.base.read_link(path)
    }

    fn long_name(&self, path: &str) -> Option<String> {
        self.base.long_name(path)
    }

    fn drive_target(&self, letter: char) -> Option<String> {
        self.base.drive_target(letter)
    }

    fn list(&self, path: &str, limit: usize) -> Option<Vec<String>> {
        self.base.list(path, limit)
    }

    fn read_text(&self, path: &str, limit: usize) -> Option<String> {
        self.base.read_text(path, limit)
    }

    fn env(&self, name: &str) -> Option<String> {
        match assigned(self.st, self.base.model(), name) {
            Some(value) if value.is_empty() => None,
            Some(value) => Some(self.text(value)),
            None => self.base.env(name),
        }
    }

    fn home(&self) -> Option<String> {
        self.base.home()
    }
}
