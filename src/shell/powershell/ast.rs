//! The syntax tree of PowerShell, as far as effects need it.

use std::rc::Rc;

use crate::shell::{Gap, Span};

/// A whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Its statements.
    pub body: Body,
    /// Parts that were not understood.
    pub gaps: Vec<Gap>,
}

/// The inside of a script, a function or a script block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// `param(…)`.
    pub params: Vec<Param>,
    /// `begin`, then the plain statements and `process`, then `end`, in the order in which they run.
    pub statements: Vec<Statement>,
    /// `process { … }` or a filter: runs once for each input.
    pub process: Vec<Statement>,
    /// `end { … }`.
    pub end: Vec<Statement>,
}

/// A parameter of a function or script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Lower-case name.
    pub name: String,
    /// `[switch]`.
    pub switch: bool,
    /// What it is where nothing is given.
    pub default: Option<Expr>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What kind.
    pub kind: StatementKind,
    /// Where.
    pub span: Span,
}

/// Kinds of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `a | b && c`.
    Chain(Chain),
    /// `$x = …`, `$x += …`.
    Assign {
        /// The left side.
        target: Box<Expr>,
        /// What stands before the `=` (`+`, `??`), empty for a plain one.
        operator: &'static str,
        /// The right side.
        value: Box<Statement>,
    },
    /// `if`, `elseif`, `else`.
    If {
        /// Conditions and what runs.
        arms: Vec<(Statement, Vec<Statement>)>,
        /// `else`.
        otherwise: Option<Vec<Statement>>,
    },
    /// `while`, `do … while`, `do … until`.
    While {
        /// The condition.
        condition: Box<Statement>,
        /// What runs.
        body: Vec<Statement>,
        /// The body runs before the condition is asked.
        first: bool,
        /// Ends where the condition holds.
        until: bool,
    },
    /// `for (init; condition; step)`.
    For {
        /// Runs once.
        init: Option<Box<Statement>>,
        /// Asked before each turn.
        condition: Option<Box<Statement>>,
        /// Runs after each turn.
        step: Option<Box<Statement>>,
        /// What runs.
        body: Vec<Statement>,
    },
    /// `foreach ($x in …)`.
    ForEach {
        /// Lower-case name.
        variable: String,
        /// What it goes over.
        list: Box<Statement>,
        /// What runs.
        body: Vec<Statement>,
    },
    /// `switch`.
    Switch {
        /// What is tested.
        value: Box<Statement>,
        /// `-File`: the value is a file that is read.
        file: bool,
        /// Tests (`None`: `default`) and what runs.
        cases: Vec<(Option<Expr>, Vec<Statement>)>,
        /// Tests are patterns, not plain text.
        patterns: bool,
    },
    /// `try`, `catch`, `finally`.
    Try {
        /// What is tried.
        body: Vec<Statement>,
        /// Each `catch`.
        catches: Vec<Vec<Statement>>,
        /// `finally`.
        finally: Vec<Statement>,
    },
    /// `trap { … }`.
    Trap(Vec<Statement>),
    /// `function name { … }`, `filter name { … }`.
    Function {
        /// Lower-case name.
        name: String,
        /// What it runs.
        body: Rc<Body>,
    },
    /// `return`, `break`, `continue`, `throw`, `exit`.
    Flow(Flow, Option<Box<Statement>>),
    /// `data { … }` and other blocks that just run.
    Block(Vec<Statement>),
}

/// Where control goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Out of the function or script.
    Return,
    /// Out of the loop.
    Break,
    /// To the next turn.
    Continue,
    /// To the nearest `catch`.
    Throw,
    /// Out of the shell.
    Exit,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The first one.
    pub first: Pipeline,
    /// The others with what stands before them: `true` for `&&`.
    pub rest: Vec<(bool, Pipeline)>,
}

/// Commands joined by `|`.
pub type Pipeline = Vec<Element>;

/// One part of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// What kind.
    pub kind: ElementKind,
    /// Its redirections.
    pub redirects: Vec<Redirect>,
    /// Where.
    pub span: Span,
}

/// Kinds of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// A command.
    Command(Command),
    /// An expression.
    Expr(Expr),
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// `&` or `.` before it.
    pub invocation: Option<Invocation>,
    /// The command's name.
    pub name: Expr,
    /// What follows it.
    pub args: Vec<Argument>,
}

/// What stands before a command's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// `&`.
    Call,
    /// `.`: in the same scope.
    Dot,
}

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// What kind.
    pub kind: ArgumentKind,
    /// Where.
    pub span: Span,
}

/// Kinds of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A value.
    Value(Expr),
    /// `-Name` or `-Name:value`.
    Parameter {
        /// As written, without the dash.
        name: String,
        /// What stands behind the colon.
        value: Option<Expr>,
    },
    /// `@name`: the elements of a variable.
    Splat(String),
    /// What stands behind `--%`.
    Verbatim(String),
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The stream: 1 to 6, 0 for `*`.
    pub stream: u8,
    /// `>>`.
    pub append: bool,
    /// The file; `None` where streams are merged (`2>&1`).
    pub file: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What kind.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// Text that is taken as it stands; `bare`: not quoted.
    Text {
        /// The text.
        text: String,
        /// A bare word.
        bare: bool,
    },
    /// Text with variables and sub-expressions in it.
    Expandable {
        /// In order.
        parts: Vec<Expr>,
        /// A bare word.
        bare: bool,
    },
    /// A number, as written.
    Number(String),
    /// A variable by its lower-case name with its scope or drive.
    Variable(String),
    /// `$( … )`.
    Sub(Vec<Statement>),
    /// `@( … )`.
    Array(Vec<Statement>),
    /// `( … )`.
    Paren(Box<Statement>),
    /// `@{ … }`.
    Hash(Vec<(Expr, Statement)>),
    /// `{ … }`.
    Block(Rc<Body>),
    /// `[Type]`, lower-case.
    Type(String),
    /// `[Type]value`.
    Cast(String, Box<Expr>),
    /// `value.name`, `[Type]::name`.
    Member {
        /// Of what.
        of: Box<Expr>,
        /// Which.
        name: Box<Expr>,
    },
    /// `value.name(…)`, `[Type]::name(…)`.
    Call {
        /// Of what.
        of: Box<Expr>,
        /// Which.
        name: Box<Expr>,
        /// With what.
        args: Vec<Expr>,
    },
    /// `value[index]`.
    Index(Box<Expr>, Box<Expr>),
    /// `-not x`, `!x`, `-x`, `-join x`.
    Unary(&'static str, Box<Expr>),
    /// `a -eq b`, `a + b`.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `a, b`.
    List(Vec<Expr>),
    /// `a ? b : c`.
    Ternary(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `$x++`, `$x--`, `++$x`: by how much.
    Step(Box<Expr>, i8),
}
