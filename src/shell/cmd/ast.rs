//! What a line is made of. Words stay text until the command runs: variables of loops and `!NAME!` are expanded then.

use super::text::Text;
use crate::shell::Span;

/// A command or a construct with its redirections.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) redirects: Vec<Redirect>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A command's text, carets taken out, quotes kept.
    Command(Text),
    /// `( … )`
    Group(Vec<Node>),
    /// `a & b`
    Sequence(Vec<Node>),
    /// `a || b`
    Or(Vec<Node>),
    /// `a && b`
    And(Vec<Node>),
    /// `a | b`
    Pipe(Vec<Node>),
    If(Box<If>),
    For(Box<For>),
}

#[derive(Clone, Debug)]
pub(super) struct If {
    pub(super) fold: bool,
    pub(super) not: bool,
    pub(super) test: Test,
    pub(super) then: Node,
    pub(super) otherwise: Option<Node>,
}

#[derive(Clone, Debug)]
pub(super) enum Test {
    Exist(Text),
    Defined(Text),
    /// `errorlevel N`, `cmdextversion N`
    Number,
    /// Left, operator (`==`, lower case), right.
    Compare(Text, String, Text),
}

#[derive(Clone, Debug)]
pub(super) struct For {
    pub(super) form: Form,
    pub(super) variable: char,
    /// What stands between the brackets.
    pub(super) set: Text,
    pub(super) body: Node,
}

#[derive(Clone, Debug)]
pub(super) enum Form {
    /// Words; those with wildcards are file names.
    Words,
    /// `/d`: folder names.
    Folders,
    /// `/r [ROOT]`
    Tree(Option<Text>),
    /// `/l`
    Numbers,
    /// `/f ["OPTIONS"]`
    Lines(Option<Text>),
}

#[derive(Clone, Debug)]
pub(super) struct Redirect {
    /// The handle in front of the operator.
    pub(super) handle: Option<u8>,
    pub(super) kind: RedirectKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum RedirectKind {
    Read(Text),
    Write(Text),
    Append(Text),
    /// `2>&1`, `<&3`
    Same(u8),
}

/// Why a line is not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    Syntax(Span),
    Nesting(Span),
}
