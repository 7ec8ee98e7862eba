//! The acts of one invocation as they are found.

use super::act::{Act, Arg, Invocation, Language, MoreArgs};
use super::row::Row;
use super::unknown::{self, After};
use super::values::{is_existing, join};
use crate::limits::MAX_HANDED_ON;
use crate::path::Model;
use crate::shell::{Certainty, Dialect, EffectKind, Span, Value};

/// The acts of one invocation as they are found.
pub(super) struct Job<'a> {
    /// What is judged.
    pub(super) inv: &'a Invocation<'a>,
    /// What was found.
    pub(super) acts: Vec<Act>,
    /// Folder that relative paths are seen from (`git -C`); empty: the cwd itself.
    pub(super) base: Value,
    /// The program's own word.
    pub(super) program: Span,
    /// Variables set for a program that is run.
    pub(super) env: Vec<(String, Value)>,
    /// `--dry-run` and the like: writes are reads.
    pub(super) dry: bool,
    /// What the last argument of something unknown was.
    pub(super) after: After,
    /// Sub-commands followed so far.
    pub(super) depth: usize,
    /// Sub-commands that were followed to rows of their own.
    pub(super) followed: usize,
    /// Operands that options beyond the first took all of.
    pub(super) handed_on: Option<usize>,
    /// Sub-commands that `git -c alias.NAME=TEXT` makes.
    pub(super) aliases: Vec<(String, String)>,
    /// Files of a database shell's text that were read so far, and the folder that each was read in.
    pub(super) sql_files: Vec<(String, Value)>,
}

impl<'a> Job<'a> {
    pub(super) fn new(inv: &'a Invocation<'a>, program: Span) -> Self {
        Self {
            inv,
            acts: Vec::new(),
            base: Value::default(),
            program,
            env: Vec::new(),
            dry: false,
            after: After::Other,
            depth: 0,
            followed: 0,
            handed_on: None,
            aliases: Vec::new(),
            sql_files: Vec::new(),
        }
    }

    pub(super) fn model(&self) -> Model {
        self.inv.world.model()
    }

    /// The program's own span, for what no argument names.
    pub(super) fn program_arg(&self, value: impl Into<Value>) -> Arg {
        Arg { value: value.into(), span: self.program }
    }

    /// An effect on a path, relative to the folder that was changed to.
    pub(super) fn path(&mut self, kind: EffectKind, arg: &Arg) {
        if is_dash(arg) || arg.value.is_empty() {
            return;
        }
        let kind = match kind {
            EffectKind::Read | EffectKind::Mention | EffectKind::Opaque => kind,
            _ if self.dry => EffectKind::Read,
            EffectKind::Create if is_existing(&arg.value) => EffectKind::Modify,
            kind => kind,
        };
        let value = join(self.model(), &self.base, &arg.value);
        self.acts.push(Act::Path { kind, value, certainty: Certainty::Proven, span: arg.span, package_install: false });
    }

    /// What follows is relative to the folder `to`; one with a longer path than can be entered is unknown.
    pub(super) fn change_folder(&mut self, to: &Value) {
        let base = join(self.model(), &self.base, to);
        self.base = base.or_unknown_if_long();
    }

    /// Entries with unknown names in a folder.
    pub(super) fn inside(&mut self, arg: &Arg, certainty: Certainty) {
        if self.dry {
            return self.path(EffectKind::Read, arg);
        }
        let value = join(self.model(), &self.base, &arg.value);
        self.acts.push(Act::Inside { value, certainty, span: arg.span });
    }

    pub(super) fn mention(&mut self, arg: &Arg) {
        self.path(EffectKind::Mention, arg);
    }

    /// An argument that no row explains.
    pub(super) fn stray(&mut self, arg: &Arg) {
        self.unknown(std::slice::from_ref(arg));
    }

    /// The arguments of something unknown.
    pub(super) fn unknown(&mut self, args: &[Arg]) {
        let (inv, model, base, dry) = (self.inv, self.model(), self.base.clone(), self.dry);
        let acts = &mut self.acts;
        let exists = |value: &Value| {
            let at = join(model, &base, value);
            at.known().is_some_and(|path| inv.world.entry(&model.normalize(&model.join(inv.cwd, &path))).is_some())
        };
        self.after = unknown::acts(inv.world, args, self.after, &exists, &mut |value, kind, arg| {
            let kind = if dry && kind != EffectKind::Mention { EffectKind::Read } else { kind };
            acts.push(unknown::act(join(model, &base, &value), kind, arg));
        });
    }

    /// Counts operands that one more option takes all of (a second program text, a second folder to copy into); false
    /// where that became too much to look at.
    pub(super) fn hands_on(&mut self, operands: usize) -> bool {
        let before = self.handed_on.replace(self.handed_on.map_or(0, |handed| handed + operands));
        before.is_none_or(|_| self.handed_on.is_some_and(|handed| handed <= MAX_HANDED_ON))
    }

    /// Starts another program.
    pub(super) fn run(&mut self, argv: Vec<Arg>, more_from_stdin: Option<MoreArgs>, stdin_placeholder: Option<String>) {
        let cwd = (!self.base.is_empty()).then(|| self.base.clone());
        let env = std::mem::take(&mut self.env);
        self.acts.push(Act::Run { argv, cwd, env, more_from_stdin, stdin_placeholder });
    }

    pub(super) fn shell(&mut self, row: Row<'_>, text: &Arg, args: Vec<Arg>) {
        let cwd = (!self.base.is_empty()).then(|| self.base.clone());
        let text_value = text.value.clone();
        self.acts.push(Act::Shell { text: text_value, dialect: dialect(row), args, span: text.span, cwd });
    }

    pub(super) fn code(&mut self, row: Row<'_>, text: &Arg, args: Vec<Arg>) {
        if let Some(language) = language(row) {
            self.acts.push(Act::Code { language, text: text.value.clone(), args, span: text.span });
        }
    }

    /// A file that an interpreter runs.
    pub(super) fn script(&mut self, row: Row<'_>, file: &Arg, args: Vec<Arg>) {
        let language = language(row);
        if is_dash(file) {
            return self.code_stdin(row, args);
        }
        if language.is_none() && (row.lang().is_none() || dialect(row) != Dialect::Bash) {
            return self.path(EffectKind::Opaque, file);
        }
        let value = join(self.model(), &self.base, &file.value);
        self.acts.push(Act::Script { language, value, args, span: file.span });
    }

    pub(super) fn code_stdin(&mut self, row: Row<'_>, args: Vec<Arg>) {
        match language(row) {
            Some(language) => self.acts.push(Act::CodeStdin { language, args }),
            None if row.lang().is_some() => self.acts.push(Act::ShellStdin { dialect: dialect(row), args }),
            // A language that nobody here reads.
            None => self.path(EffectKind::Opaque, &self.program_arg(Value::any())),
        }
    }
}

/// `-`: standard input or output.
pub(super) fn is_dash(arg: &Arg) -> bool {
    arg.value.known().is_some_and(|v| v == "-")
}
pub(super) fn dialect(row: Row<'_>) -> Dialect {
    match row.lang() {
        Some("powershell") => Dialect::PowerShell,
        Some("cmd") => Dialect::Cmd,
        _ => Dialect::Bash,
    }
}

fn language(row: Row<'_>) -> Option<Language> {
    Some(match row.lang()? {
        "python" => Language::Python,
        "node" => Language::Node,
        "perl" => Language::Perl,
        "ruby" => Language::Ruby,
        "php" => Language::Php,
        "awk" => Language::Awk,
        "sed" => Language::Sed,
        _ => return None,
    })
}
