//! The syntax tree of a bash script. Spans are byte ranges in the text that was parsed.
//!
//! Depth is bounded by [`crate::limits::MAX_NESTING`], so walking and dropping it is bounded too.

#![expect(missing_docs, reason = "the fields of a documented form say themselves what they are")]

use crate::shell::{Gap, Span};

/// A parsed text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Its commands.
    pub list: List,
    /// What was not understood; the rest is still there.
    pub gaps: Vec<Gap>,
}

/// Commands in order.
pub type List = Vec<Item>;

/// A pipeline and how it is joined to the one *before* it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// `Always` for the first.
    pub join: Join,
    /// Ended by `&`.
    pub background: bool,
    /// The pipeline.
    pub pipeline: Pipeline,
}

/// When an item runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// First, or after `;`, `&` or a newline.
    Always,
    /// After `&&`.
    And,
    /// After `||`.
    Or,
}

/// `a | b |& c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// Preceded by `!`.
    pub negated: bool,
    /// Preceded by the reserved word `time`.
    pub timed: bool,
    /// At least one.
    pub commands: Vec<Command>,
}

/// A command with its redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What it is.
    pub kind: CommandKind,
    /// In source order, for simple and compound commands alike.
    pub redirects: Vec<Redirect>,
    /// The whole command.
    pub span: Span,
}

/// The forms of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// Assignments and words; both may be empty (a lone redirection).
    Simple {
        /// `A=b` before the first word.
        assignments: Vec<Assign>,
        /// The program and its arguments. For declaration builtins (`export A=b`, `declare -a x=(1 2)`)
        /// an assignment argument whose value is an array stands as `Part::ArrayLiteral` in its word.
        words: Vec<Word>,
    },
    /// `( list )`.
    Subshell(List),
    /// `{ list; }`.
    Group(List),
    /// `if … elif … else … fi`: condition and body of each branch; the `else` body last.
    If {
        /// `if`/`elif` branches.
        branches: Vec<(List, List)>,
        /// The `else` body.
        otherwise: Option<List>,
    },
    /// `while`/`until`.
    While {
        /// `until` instead of `while`.
        until: bool,
        /// The condition.
        condition: List,
        /// The body.
        body: List,
    },
    /// `for name [in words]` and `select name [in words]`.
    For {
        /// The variable.
        name: String,
        /// `None`: over the positional parameters.
        words: Option<Vec<Word>>,
        /// The body.
        body: List,
        /// `select` instead of `for`.
        select: bool,
    },
    /// `for (( a; b; c ))`.
    ForArith {
        /// The three expressions; substitutions inside are parsed.
        header: Word,
        /// The body.
        body: List,
    },
    /// `case word in …`.
    Case {
        /// The subject.
        word: Word,
        /// The arms in order.
        arms: Vec<CaseArm>,
    },
    /// `name() compound` or `function name compound`.
    Function {
        /// The name.
        name: String,
        /// The body, with its own redirections.
        body: Box<Command>,
    },
    /// `[[ … ]]`: the operands and operators as words, in order.
    Test(Vec<Word>),
    /// `(( … ))`: the expression; substitutions inside are parsed.
    Arith(Word),
    /// `coproc [name] command`.
    Coproc(Box<Command>),
}

/// An arm of `case`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseArm {
    /// `a|b`.
    pub patterns: Vec<Word>,
    /// The commands.
    pub body: List,
    /// `;&` or `;;&`: the next arm may run too.
    pub falls_through: bool,
}

/// `name=value`, `name+=value`, `name[i]=value`, `name=(…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assign {
    /// The variable.
    pub name: String,
    /// The subscript's text, where there is one.
    pub index: Option<Word>,
    /// `+=`.
    pub append: bool,
    /// The value.
    pub value: AssignValue,
    /// The whole assignment.
    pub span: Span,
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssignValue {
    /// A single word (possibly empty).
    Word(Word),
    /// `(a b [3]=c)`.
    Array(Vec<Word>),
}

/// A word before expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// In order.
    pub parts: Vec<Part>,
    /// The source text.
    pub span: Span,
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Unquoted text as written: globs, braces and a leading `~` in it are live. Backslash escapes are not
    /// in here (they become `Quoted`).
    Bare(String),
    /// Text that nothing expands further: `'…'`, `$'…'` (decoded), `\x`, literal text within `"…"`.
    Quoted(String),
    /// `"…"` with its parts (`Quoted`, `Param`, `Command`, `Arith` only). Empty for `""`.
    Double(Vec<Part>),
    /// `$name`, `${…}`.
    Param(Box<Param>),
    /// `$( list )` or `` `list` ``, parsed.
    Command {
        /// The commands.
        list: List,
        /// Its text with the brackets.
        span: Span,
    },
    /// `$(( … ))` or `$[ … ]`; substitutions inside are parsed.
    Arith(Box<Word>),
    /// `<( list )` or `>( list )`.
    Process {
        /// `>(…)`: the command reads what is written.
        write: bool,
        /// The commands.
        list: List,
        /// Its text with the brackets.
        span: Span,
    },
    /// `name=(…)` as the argument of a declaration builtin; stands after the `Bare("name=")` part.
    ArrayLiteral(Vec<Word>),
}

/// A parameter expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// A name, a number, or one of `@ * # ? - $ ! 0`.
    pub name: String,
    /// `[…]` after the name: `@`, `*` or an expression.
    pub index: Option<Word>,
    /// `${!name}`.
    pub indirect: bool,
    /// What is done with the value.
    pub op: ParamOp,
    /// The whole expansion.
    pub span: Span,
}

/// The operation of a parameter expansion; words are parsed with all their substitutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamOp {
    /// `$x`, `${x}`.
    Plain,
    /// `${#x}`.
    Length,
    /// `${x-w}`, `${x:-w}`.
    Default { word: Word, colon: bool },
    /// `${x=w}`, `${x:=w}`.
    AssignDefault { word: Word, colon: bool },
    /// `${x?w}`, `${x:?w}`.
    Error { word: Word, colon: bool },
    /// `${x+w}`, `${x:+w}`.
    Alternative { word: Word, colon: bool },
    /// `${x#p}`, `${x##p}`.
    RemovePrefix { pattern: Word, longest: bool },
    /// `${x%p}`, `${x%%p}`.
    RemoveSuffix { pattern: Word, longest: bool },
    /// `${x/p/r}`, `${x//p/r}`, `${x/#p/r}`, `${x/%p/r}`.
    Replace { pattern: Word, with: Word, all: bool, anchor: Anchor },
    /// `${x:o}`, `${x:o:n}`.
    Substring { offset: Word, length: Option<Word> },
    /// `${x^}`, `${x^^}`, `${x,}`, `${x,,}`.
    Case { upper: bool, all: bool },
    /// `${x@Q}` and the like: the operator letter.
    Transform(char),
    /// `${!prefix*}`, `${!x[@]}`: names or keys.
    Names,
}

/// Where a replacement pattern must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Anywhere.
    None,
    /// `/#`.
    Start,
    /// `/%`.
    End,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// `2>`: 2; `{fd}>`: `None` with `fd_var`; otherwise `None`.
    pub fd: Option<u32>,
    /// `{name}>`.
    pub fd_var: Option<String>,
    /// What it does.
    pub kind: RedirectKind,
    /// The operator and its target.
    pub span: Span,
}

/// The forms of a redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// `< word`.
    Read(Word),
    /// `> word` (`clobber`: `>|`).
    Write { word: Word, clobber: bool },
    /// `>> word`.
    Append(Word),
    /// `<> word`: opened for reading and writing, created where missing.
    ReadWrite(Word),
    /// `&> word`, `>& word` (a word that is no number and not `-`).
    WriteBoth(Word),
    /// `&>> word`.
    AppendBoth(Word),
    /// `<& word` (a number, `n-` or `-`; an expansion where it can't be told).
    DupIn(Word),
    /// `>& word` (a number, `n-` or `-`).
    DupOut(Word),
    /// `<<EOF`, `<<-EOF`: the body as one word; expansions parsed unless the delimiter was quoted.
    HereDoc { body: Word, quoted: bool },
    /// `<<< word`.
    HereString(Word),
}
