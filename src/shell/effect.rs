//! What a command would do to a path.

use crate::path::Model;

/// A half-open range of bytes in the command's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// What would happen to the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EffectKind {
    /// Named as text only: no file operation is known to follow.
    Mention,
    /// Opened for reading, listed, entered.
    Read,
    /// Run or sourced, and what it does in turn is not judged: a script that is there already, a program outside the
    /// tables that is given by its path, text from elsewhere. The target is what is run.
    Opaque,
    /// Changed in place; never creates (chmod, `sed -i`).
    Modify,
    /// Removed or moved away.
    Delete,
    /// Written so that it exists afterwards, whether it existed before or not.
    Create,
}

/// How sure the effect is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Not known to be harmless (an unknown program was given this path).
    Assumed,
    /// The language's or the program's documented behaviour says so.
    Proven,
}

/// Which path an effect meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// This absolute path; lexically normal, links not yet followed.
    Path(String),
    /// One or more entries with unknown names below this absolute folder (`cp * /srv/`, `tar -C /srv`,
    /// `/srv/$NAME`). The folder itself may exist or not.
    Inside(String),
    /// A path that can't be known at all (`mkdir "$(decode)"`).
    Opaque,
}

impl Target {
    /// Nothing is known of a path that does not begin at a root: the folder that it starts from was none of this system.
    pub(super) fn grounded(self, model: Model) -> Self {
        match self {
            Self::Path(path) | Self::Inside(path) if !model.is_absolute(&path) => Self::Opaque,
            target => target,
        }
    }
}

/// One effect on one path, with the words that say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What would happen.
    pub kind: EffectKind,
    /// To which path.
    pub target: Target,
    /// How sure that is.
    pub certainty: Certainty,
    /// The program (base name, no folder) or construct (`>`, `python`) that does it.
    pub program: String,
    /// The word in the command's text that names the path, as far as one does.
    pub span: Span,
    /// The target is a package manager's own tree that nobody named (`pip install x`): policy
    /// `package_installs` decides.
    pub package_install: bool,
}

/// Why a part of a command was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapKind {
    /// The text does not parse.
    Syntax,
    /// Nested deeper than [`crate::limits::MAX_NESTING`] or [`crate::limits::MAX_REENTRY`].
    Nesting,
    /// More steps, words or effects than the limits allow.
    Size,
    /// A NUL byte.
    Nul,
    /// A shell language that is not judged yet.
    Dialect,
}

/// A part of a command that was not understood. Policy: counts as a creation somewhere unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Why.
    pub kind: GapKind,
    /// Where.
    pub span: Span,
}

/// A call of this product's own operator command found in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorCall {
    /// The words after the program's name, as far as known.
    pub args: Vec<String>,
    /// Where.
    pub span: Span,
}

/// Everything that is known of one command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// In the order in which they would happen.
    pub effects: Vec<Effect>,
    /// Parts that were not understood.
    pub gaps: Vec<Gap>,
    /// Calls of `wsguard` itself.
    pub operator_calls: Vec<OperatorCall>,
}
