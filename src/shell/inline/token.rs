//! The tokens that every language's source is cut into.

use std::borrow::Cow;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or keyword.
    Word,
    /// A variable with its sigil (`$x`, `@x`, `%x`).
    Var,
    /// A number.
    Num,
    /// A string without interpolation; `text` is decoded.
    Str,
    /// An operator or separator.
    Punct,
    /// `(`, `[`, `{`; `mate` is the closing token.
    Open,
    /// `)`, `]`, `}`.
    Close,
    /// The end of a logical line; `mate` is the indentation of the next one.
    Newline,
    /// A regular expression, a read from a handle: something that names no path.
    Opaque,
    /// Start of an interpolated string: `Str` and `Code … CodeEnd` follow; `mate` is its `TplEnd`.
    Tpl,
    /// The same, but a shell runs it.
    Cmd,
    /// End of an interpolated string.
    TplEnd,
    /// Start of an interpolated expression; `mate` is its `CodeEnd`.
    Code,
    /// End of an interpolated expression.
    CodeEnd,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token<'s> {
    /// What it is.
    pub(super) kind: Kind,
    /// Its text; for strings the decoded text.
    pub(super) text: Cow<'s, str>,
    /// See [`Kind`].
    pub(super) mate: usize,
    /// White space stands before it.
    pub(super) gap: bool,
}

/// A source as tokens.
#[derive(Debug, Default)]
pub(super) struct Tokens<'s> {
    /// In order.
    pub(super) list: Vec<Token<'s>>,
    /// Something was nested deeper than the limit and is missing.
    pub(super) cut: bool,
}
