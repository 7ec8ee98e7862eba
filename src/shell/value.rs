//! Strings that are only partly known: the abstract domain of the evaluation.

use std::borrow::Cow;

use crate::limits::MAX_PATH_BYTES;

/// A part of a [`Value`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Exactly this text.
    Text(String),
    /// Unknown text without a path separator, neither `.` nor `..` (a base name, a date, a number). May be empty.
    Name,
    /// The path of something at or below this absolute folder (a result of `find DIR`, of a glob).
    Under(String),
    /// Unknown text.
    Any,
}

/// A string that a shell or a program would produce, as far as it can be known without running anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// In order; adjacent `Text` pieces are merged, and adjacent `Any` ones.
    pub pieces: Vec<Piece>,
}

impl Value {
    /// The known text `s`.
    pub fn text(s: impl Into<String>) -> Self {
        let s = s.into();
        if s.is_empty() { Self::default() } else { Self { pieces: vec![Piece::Text(s)] } }
    }

    /// The folder that one stands in, `path`.
    pub(in crate::shell) fn folder(path: String) -> Self {
        Self::text(path).or_unknown_if_long()
    }

    /// A path beyond what system calls take is unknown.
    pub(in crate::shell) fn or_unknown_if_long(self) -> Self {
        if self.text_len() > MAX_PATH_BYTES { Self::any() } else { self }
    }

    /// Wholly unknown text.
    pub fn any() -> Self {
        Self { pieces: vec![Piece::Any] }
    }

    /// Unknown text without a separator.
    pub fn name() -> Self {
        Self { pieces: vec![Piece::Name] }
    }

    /// The path of something at or below `dir`.
    pub fn under(dir: impl Into<String>) -> Self {
        Self { pieces: vec![Piece::Under(dir.into())] }
    }

    /// The whole string where all of it is known.
    pub fn known(&self) -> Option<Cow<'_, str>> {
        match self.pieces.as_slice() {
            [] => Some(Cow::Borrowed("")),
            [Piece::Text(s)] => Some(Cow::Borrowed(s)),
            _ => None,
        }
    }

    /// The known text at the start (empty where the first piece is unknown).
    pub fn prefix(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text(s)) => s,
            _ => "",
        }
    }

    /// Bytes of known text, an unknown part counting as one.
    pub fn text_len(&self) -> usize {
        let len = |piece: &Piece| if let Piece::Text(s) | Piece::Under(s) = piece { s.len() } else { 1 };
        self.pieces.iter().map(len).sum()
    }

    /// Whether this is the known empty string.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Appends `piece`, merging text.
    pub fn push(&mut self, piece: Piece) {
        match (self.pieces.last_mut(), piece) {
            (_, Piece::Text(s)) if s.is_empty() => {}
            (Some(Piece::Text(last)), Piece::Text(s)) => last.push_str(&s),
            (Some(Piece::Any), Piece::Any) => {}
            (_, piece) => self.pieces.push(piece),
        }
    }

    /// Appends known text.
    pub fn push_str(&mut self, s: &str) {
        self.push(Piece::Text(s.to_owned()));
    }

    /// Appends another value.
    pub fn append(&mut self, other: Self) {
        for piece in other.pieces {
            self.push(piece);
        }
    }

    /// The value with every `what` in its known parts replaced; an empty `what` stands nowhere.
    #[must_use]
    pub fn replace(&self, what: &str, with: &Self) -> Self {
        if what.is_empty() {
            return self.clone();
        }
        let mut out = Self::default();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => {
                    for (i, part) in text.split(what).enumerate() {
                        if i > 0 {
                            out.append(with.clone());
                        }
                        out.push_str(part);
                    }
                }
                other => out.push(other.clone()),
            }
        }
        out
    }

    /// The value after `n` bytes of known prefix were taken off. `n` must lie within [`Value::prefix`], on
    /// a character boundary; otherwise the value is returned whole.
    #[must_use]
    pub fn skip(&self, n: usize) -> Self {
        let mut pieces = self.pieces.clone();
        if let Some(Piece::Text(s)) = pieces.first_mut()
            && s.is_char_boundary(n)
        {
            *s = s.split_off(n);
            if s.is_empty() {
                pieces.remove(0);
            }
        }
        Self { pieces }
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Self::text(s)
    }
}
