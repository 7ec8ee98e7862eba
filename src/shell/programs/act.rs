//! The contract between the programs' roles and whoever evaluates a command.

use crate::shell::{Certainty, Dialect, EffectKind, Span, Value};
use crate::world::World;

/// One expanded argument with the word it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Its value.
    pub value: Value,
    /// The word in the command's text.
    pub span: Span,
}

/// A program about to be started.
#[derive(Clone, Copy)]
pub struct Invocation<'a> {
    /// `argv[0]` is the program as written.
    pub argv: &'a [Arg],
    /// Absolute, lexically normal.
    pub cwd: &'a str,
    /// Read-only view of the disk.
    pub world: &'a dyn World,
    /// A variable that the command itself set for the program (`GIT_DIR=x git init`, `export GIT_DIR=x`);
    /// what the session's environment holds by itself is not asked for.
    pub assigned: &'a dyn Fn(&str) -> Option<Value>,
    /// What stands on its standard input, as far as it is known; empty where nothing is.
    pub input: &'a dyn Fn() -> Value,
}

/// A language of inline scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Python 2 and 3.
    Python,
    /// JavaScript and TypeScript (node, deno, bun).
    Node,
    /// Perl.
    Perl,
    /// Ruby.
    Ruby,
    /// PHP.
    Php,
    /// awk programs.
    Awk,
    /// sed scripts.
    Sed,
}

/// Arguments that a program is given from standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoreArgs {
    /// How many each start gets (`xargs -n`); at least 1.
    pub each: usize,
    /// What separates them (`xargs -0`); `None`: white space, with quotes read.
    pub delimiter: Option<char>,
}

/// What an invocation would do. Paths in `value` are as given: relative to the invocation's cwd, `~` already
/// expanded by the shell where it would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// An effect on this path.
    Path {
        /// What.
        kind: EffectKind,
        /// On which path.
        value: Value,
        /// How sure.
        certainty: Certainty,
        /// The argument's word.
        span: Span,
        /// A package manager's own tree, unnamed.
        package_install: bool,
    },
    /// Entries with unknown names appear inside this folder (`tar -C`, `unzip -d`, `cp * DIR`).
    Inside {
        /// The folder.
        value: Value,
        /// How sure.
        certainty: Certainty,
        /// The argument's word.
        span: Span,
    },
    /// The text that a file holds from here on, where a script says so; its making is an act of its own.
    Text {
        /// The file.
        value: Value,
        /// Its text.
        text: Value,
        /// Behind what it holds already.
        append: bool,
    },
    /// Another program is started (`sudo`, `env`, `xargs`, `find -exec`).
    Run {
        /// Its arguments; `argv[0]` is the program.
        argv: Vec<Arg>,
        /// Its cwd where it differs (`env -C`, `sudo -D`).
        cwd: Option<Value>,
        /// Variables set for it.
        env: Vec<(String, Value)>,
        /// Further arguments come from standard input (`xargs` without `-I`).
        more_from_stdin: Option<MoreArgs>,
        /// Every occurrence of this text in an argument stands for a line of standard input (`xargs -I{}`).
        stdin_placeholder: Option<String>,
    },
    /// Text is run by a shell (`bash -c`, `eval`, `su -c`).
    Shell {
        /// The script.
        text: Value,
        /// Its dialect.
        dialect: Dialect,
        /// `$0`, `$1` … of the script.
        args: Vec<Arg>,
        /// The word that holds the text.
        span: Span,
        /// Its cwd where it differs.
        cwd: Option<Value>,
    },
    /// Standard input is run by a shell (`| sh`, `bash -s`).
    ShellStdin {
        /// Its dialect.
        dialect: Dialect,
        /// `$1` and on.
        args: Vec<Arg>,
    },
    /// Text is run by another interpreter (`python -c`).
    Code {
        /// The language.
        language: Language,
        /// The program text.
        text: Value,
        /// Arguments of the script.
        args: Vec<Arg>,
        /// The word that holds the text.
        span: Span,
    },
    /// A file is run by an interpreter (`bash x.sh`, `awk -f x.awk`).
    Script {
        /// `None`: a shell.
        language: Option<Language>,
        /// The file.
        value: Value,
        /// Arguments of the script.
        args: Vec<Arg>,
        /// The word that names the file.
        span: Span,
    },
    /// Standard input is run by an interpreter (`python3 - <<EOF`).
    CodeStdin {
        /// The language.
        language: Language,
        /// Arguments of the script.
        args: Vec<Arg>,
    },
}
