//! What programs do -> effects.

use std::borrow::Cow;

use super::act_values;
use super::environment::Environment;
use super::machine::{Eval, Io, Outcome, Status, fill_holes, with_holes};
use super::state::{State, Var};
use super::values::{self, Stream};
use crate::limits::{self, MAX_TURNS};
use crate::path::{Model, resolve};
use crate::shell::inline;
use crate::shell::programs::{self, Act, Arg, Invocation, Language, MoreArgs};
use crate::shell::{Certainty, Dialect, Effect, EffectKind, OperatorCall, Piece, Span, Target, Value};
use crate::world::{EntryKind, World as _};

/// Whether a program gives what it is given another name.
fn copies(name: &str) -> bool {
    matches!(name, "cp" | "ln" | "mv" | "install" | "link" | "rsync" | "dd")
}

/// Stands for a working folder that is not known: no path below it exists.
const NOWHERE: &str = "/\u{0}";

/// The program that acts.
pub(super) struct Doer<'n> {
    pub(super) name: &'n str,
    pub(super) span: Span,
}

impl Eval<'_> {
    /// Starts a program.
    pub(super) fn invoke(&mut self, st: &mut State, argv: &[Arg], io: &Io) -> Outcome {
        let result = self.deeper(|eval| eval.invoke_here(st, argv, io));
        result.unwrap_or_else(|| Outcome::silent(Status::Unknown))
    }

    fn invoke_here(&mut self, st: &mut State, argv: &[Arg], io: &Io) -> Outcome {
        let Some(first) = argv.first() else { return Outcome::silent(Status::True) };
        let option = |arg: &&Arg| arg.value.prefix().starts_with('-');
        let options = argv.iter().filter(option).count();
        let arguments = argv.len() - 1 - options.min(argv.len() - 1);
        let work =
            limits::STEPS_PER_PROGRAM + options * limits::STEPS_PER_OPTION + arguments * limits::STEPS_PER_ARGUMENT;
        if !self.charge(work) {
            return Outcome::silent(Status::Unknown);
        }
        let base = values::base_name(&first.value);
        let mut base = base.known().unwrap_or_default();
        if self.world.model() == Model::Windows {
            // `'C:\Tools\GIT.EXE'`
            base = base.rsplit('\\').next().unwrap_or_default().to_ascii_lowercase().into();
        }
        let name = base.strip_suffix(".exe").unwrap_or(&base);
        let behind = self.linked_program(st, &first.value).filter(|behind| behind.as_str() != name);
        for name in std::iter::once(name).chain(behind.as_deref()) {
            if matches!(name, "wsguard" | "wsguard-hook" | "pkill" | "killall" | "taskkill" | "claude" | "cargo")
                || copies(name)
            {
                self.operator_call(st, name, argv);
            }
        }
        if runs_nothing(name, argv, io) {
            return Outcome::new(Status::Likely, Stream::empty());
        }
        if let Some(outcome) = self.own_program(st, argv, io) {
            return outcome;
        }
        let mut out = if io.capture { self.output(st, name, &argv[1..], io) } else { None };
        let cwd = st.known_folder().unwrap_or(NOWHERE);
        let assigned = |name: &str| st.var(name).filter(|s| s.exported)?.var.joined();
        let input = || match &*io.stdin.borrow() {
            Stream::Text(text) => text.clone(),
            _ => Value::default(),
        };
        let invocation = Invocation { argv, cwd, world: &self.overlay, assigned: &assigned, input: &input };
        let mut acts = programs::acts(&invocation);
        if name == "find" {
            acts = self.narrowed(st, &argv[1..], acts);
        }
        self.drop_script_arguments(st, &mut acts);
        // Arguments pay for what they alone name; options that each hold for all operands multiply.
        self.charge(acts.len().saturating_sub(argv.len()) * limits::STEPS_PER_MORE_EFFECTS);
        let doer = Doer { name, span: first.span };
        let moved = self.moves(st, name, argv);
        let mut status = super::output::expected_status(name);
        for act in acts {
            let printed = self.act(st, act, &doer, io);
            if let Some(inner) = printed {
                status = inner.status;
                if out.is_none() {
                    out = Some(inner.out);
                }
            }
            if self.halted() {
                break;
            }
        }
        self.own_files(st, name, argv, io);
        self.leave_behind(st, name, argv, moved, io);
        self.dirty |= !super::output::is_tame(name);
        Outcome::new(status, out.unwrap_or(Stream::Unknown))
    }

    /// The name of the program that a link given by its path leads to.
    fn linked_program(&self, st: &State, program: &Value) -> Option<String> {
        let text = program.known().filter(|text| text.contains('/'))?;
        let model = self.world.model();
        let path = self.overlay.through_links(&self.absolute(&st.folder(), &text)?, true);
        let path =
            if self.world.entry(&path) == Some(EntryKind::Link) { resolve(self.world, &path, true).path } else { path };
        let name = model.base_name(&path);
        let name = if model == Model::Windows { name.to_ascii_lowercase() } else { name.to_owned() };
        Some(name.strip_suffix(".exe").unwrap_or(&name).to_owned())
    }

    /// Whether an argument is the operator's program, a file that is installed somewhere: not one that is being developed.
    fn is_installed_guard(&self, st: &State, word: &str) -> bool {
        let model = self.world.model();
        let word = word.strip_prefix("if=").unwrap_or(word);
        let name = model.base_name(word);
        if !matches!(name.strip_suffix(".exe").unwrap_or(name), "wsguard" | "wsguard-hook") {
            return false;
        }
        let Some(path) = self.absolute(&st.folder(), word) else { return false };
        let sources = |(at, _)| model.join(&path[..at], "Cargo.toml");
        let built = path.match_indices("target").map(sources).any(|file| self.world.entry(&file).is_some());
        !built && self.overlay.target(&path) == Some(EntryKind::File)
    }

    fn operator_call(&mut self, st: &State, name: &str, argv: &[Arg]) {
        let Some(first) = argv.first() else { return };
        if self.found.operator_calls.len() >= limits::MAX_EXPANSION {
            return;
        }
        let mut words: Vec<String> = argv[1..].iter().filter_map(|a| a.value.known().map(Cow::into_owned)).collect();
        match name {
            "wsguard" => {}
            "wsguard-hook" if asks_only(&words) => {}
            // By another name it would not be known any more.
            _ if copies(name) => {
                // The last one is where it goes, unless that is said before.
                let sources = words.len().saturating_sub(usize::from(name != "dd"));
                if !words[..sources].iter().any(|word| self.is_installed_guard(st, word)) {
                    return;
                }
                words.insert(0, "copy".to_owned());
            }
            // It believes what it is told of a session.
            "wsguard-hook" => words.insert(0, "hook".to_owned()),
            // A hook that is killed says nothing, and silence lets a tool run.
            "pkill" | "killall" | "taskkill" if words.iter().any(|w| w.contains("wsguard")) => {
                words.insert(0, "kill".to_owned());
            }
            // A client of one's own without its hooks is no client with a guard.
            "claude" if words.iter().any(|w| w.contains("disableAllHooks")) => words.insert(0, "unhook".to_owned()),
            "cargo"
                if words.iter().find(|w| !w.starts_with(['-', '+'])).is_some_and(|w| w == "uninstall")
                    && words.iter().any(|w| w.starts_with(env!("CARGO_PKG_NAME"))) => {}
            // From the sources.
            "cargo" if words.iter().any(|w| matches!(w.as_str(), "wsguard" | "--bin=wsguard")) => {
                let behind = words.iter().position(|w| w == "--").map_or(words.len(), |at| at + 1);
                words.drain(..behind);
            }
            _ => return,
        }
        self.found.operator_calls.push(OperatorCall { args: words, span: first.span });
    }

    /// Carries out one act; the outcome of a program or script that it starts.
    fn act(&mut self, st: &mut State, act: Act, doer: &Doer<'_>, io: &Io) -> Option<Outcome> {
        match act {
            Act::Path { kind, value, certainty, span, package_install } => {
                self.path_effect(st, kind, &value, certainty, (doer.name, span), package_install);
                None
            }
            Act::Inside { value, certainty, span } => {
                self.inside_effect(st, &value, certainty, doer.name, span);
                None
            }
            Act::Text { value, text, append } => {
                if let Target::Path(path) = self.target(&st.folder(), &value, true) {
                    let before = match self.overlay.written(&path) {
                        Some(Stream::Text(before)) if append => before.text_len(),
                        _ => 0,
                    };
                    self.charge_bytes(before + text.text_len());
                    self.write_file(&path, Stream::Text(text), append);
                }
                None
            }
            Act::Run { argv, cwd, env, more_from_stdin, stdin_placeholder } => {
                let mut child = st.clone();
                self.enter(&mut child, cwd.as_ref());
                for (name, value) in env {
                    child.set(&name, Var::one(value), self.world);
                    child.export(&name, true, self.world);
                }
                Some(self.run(&mut child, &argv, more_from_stdin, stdin_placeholder.as_deref(), io))
            }
            Act::Shell { text, dialect, args, span, cwd } => {
                let mut child = st.child(self.world);
                self.enter(&mut child, cwd.as_ref());
                Some(self.script(&mut child, &text, dialect, &args, span, io))
            }
            Act::ShellStdin { dialect, args } => {
                let text = io.take_stdin().whole();
                let mut child = st.child(self.world);
                child.params = std::rc::Rc::new(args.into_iter().map(|a| a.value).collect());
                Some(self.script(&mut child, &text, dialect, &[], doer.span, io))
            }
            Act::Code { language, text, args, span } => {
                let doer = Doer { name: program_of(language), span };
                self.code(st, language, &text, &args, span, &doer, io);
                None
            }
            Act::Script { language, value, args, span } => {
                let file = Arg { value, span };
                Some(self.script_file(st, (language, &file), &args, doer.name, io))
            }
            Act::CodeStdin { language, args } => {
                let text = io.take_stdin().whole();
                let doer = Doer { name: program_of(language), span: doer.span };
                self.code(st, language, &text, &args, doer.span, &doer, io);
                None
            }
        }
    }

    /// Sets another working folder.
    pub(super) fn enter(&mut self, child: &mut State, cwd: Option<&Value>) {
        let Some(value) = cwd else { return };
        child.cwd = vec![match self.target(&child.folder(), value, true) {
            Target::Path(path) => Value::folder(path),
            Target::Inside(folder) => Value::under(folder),
            Target::Opaque => Value::any(),
        }];
    }

    fn script(
        &mut self,
        child: &mut State,
        text: &Value,
        dialect: Dialect,
        args: &[Arg],
        span: Span,
        io: &Io,
    ) -> Outcome {
        match dialect {
            Dialect::Bash => {}
            Dialect::PowerShell => return self.foreign(child, dialect, text, span),
            Dialect::Cmd => {
                let out = self.guest(child, text, span, io, crate::shell::cmd::judge);
                return Outcome::new(Status::Unknown, out);
            }
        }
        let msys = std::mem::replace(&mut self.msys, true);
        if let Some((name, params)) = args.split_first() {
            child.name = name.value.clone();
            child.params = std::rc::Rc::new(params.iter().map(|a| a.value.clone()).collect());
        }
        let loops = std::mem::take(&mut self.broken);
        self.startup_file(child, span, io);
        let outcome = self.run_text(child, text, span, io);
        self.broken = loops;
        self.msys = msys;
        Outcome { failed: None, ..outcome }
    }

    #[expect(clippy::too_many_arguments, reason = "one call site a form of script")]
    pub(super) fn code(
        &mut self,
        st: &mut State,
        language: Language,
        text: &Value,
        args: &[Arg],
        span: Span,
        doer: &Doer<'_>,
        io: &Io,
    ) {
        let Some((source, holes)) = with_holes(text) else { return self.opaque_text(doer.name, span) };
        if self.reentry >= limits::MAX_REENTRY {
            self.stop(crate::shell::GapKind::Nesting);
            return;
        }
        if !self.charge(source.len() / limits::PROGRAM_BYTES_PER_STEP) {
            return;
        }
        let cwd = st.known_folder().unwrap_or(NOWHERE);
        let environment = Environment::new(&self.overlay, st, holes);
        let acts = inline::acts(language, &source, args, cwd, &environment, span);
        let holes = environment.into_holes();
        self.reentry += 1;
        self.dirty = true;
        for act in acts {
            let act = act_values::map(act, &|value| filled(value, &holes));
            self.act(st, act, doer, io);
            if self.halted() {
                break;
            }
        }
        self.reentry -= 1;
    }

    /// A program text on its own.
    pub(super) fn program_text(&mut self, st: &mut State, language: Language, source: &str, span: Span) {
        let doer = Doer { name: program_of(language), span };
        let io = Io::new(Stream::Unknown, false);
        self.code(st, language, &Value::text(source), &[], span, &doer, &io);
    }

    /// A program started by another one.
    fn run(
        &mut self,
        st: &mut State,
        argv: &[Arg],
        more: Option<MoreArgs>,
        placeholder: Option<&str>,
        io: &Io,
    ) -> Outcome {
        if argv.is_empty() {
            return Outcome::silent(Status::Likely);
        }
        if let Some(mark) = placeholder.filter(|m| !m.is_empty()) {
            let stdin = io.take_stdin();
            let lines = match stdin.lines() {
                Some(lines) if lines.len() <= MAX_TURNS => lines,
                _ => vec![stdin.any_line()],
            };
            let mut out = Stream::empty();
            for line in lines {
                let argv: Vec<Arg> = argv
                    .iter()
                    .map(|a| Arg { value: values::capped(a.value.replace(mark, &line)), span: a.span })
                    .collect();
                out = out.then(self.invoke(st, &argv, io).out);
                if self.halted() {
                    break;
                }
            }
            return Outcome::new(Status::Likely, out);
        }
        if let Some(more) = more {
            return self.run_with_more(st, argv, more, io);
        }
        self.invoke(st, argv, io)
    }

    /// A program that is started with arguments from standard input behind its own.
    fn run_with_more(&mut self, st: &mut State, argv: &[Arg], more: MoreArgs, io: &Io) -> Outcome {
        let span = argv.first().map(|a| a.span).unwrap_or_default();
        let stdin = io.take_stdin();
        let mut items = match (&stdin, more.delimiter) {
            (Stream::Text(text), Some(delimiter)) => parts_of(text, &[delimiter], false),
            (Stream::Text(_), None) => {
                stdin.lines().unwrap_or_default().iter().flat_map(|l| parts_of(l, &[' ', '\t', '\0'], true)).collect()
            }
            (other, _) => vec![other.any_line()],
        };
        if items.len() > limits::MAX_EXPANSION {
            items = vec![values::join_all(&items)];
        }
        let each = if items.len() / more.each > MAX_TURNS { usize::MAX } else { more.each };
        let mut out = Stream::empty();
        let mut turns = items.chunks(each);
        let mut turn = turns.next().unwrap_or_default();
        loop {
            let mut argv = argv.to_vec();
            argv.extend(turn.iter().map(|value| Arg { value: value.clone(), span }));
            let outcome = self.invoke(st, &argv, io);
            match turns.next() {
                Some(next) if !self.halted() => turn = next,
                _ => return Outcome::new(outcome.status, out.then(outcome.out)),
            }
            out = out.then(outcome.out);
        }
    }

    pub(super) fn path_effect(
        &mut self,
        st: &State,
        kind: EffectKind,
        value: &Value,
        certainty: Certainty,
        (program, span): (&str, Span),
        package_install: bool,
    ) {
        if value.is_empty() {
            return;
        }
        // A link that is made, moved or removed is meant itself.
        let itself = kind == EffectKind::Delete || matches!(program, "ln" | "mv" | "rename");
        let mut value = Cow::Borrowed(value);
        if nowhere(&value) {
            value = Cow::Owned(Value::any());
        }
        let target = self.target(&st.folder(), &value, !itself);
        if let Target::Path(path) = &target {
            if !self.charge(limits::steps_of_path(path.len())) {
                return;
            }
            match kind {
                EffectKind::Create => self.created_by(program, path, &value),
                // What is moved is noted with its new place.
                EffectKind::Delete if program != "mv" => self.overlay.remove(path),
                _ => {}
            }
        }
        let program = program.to_owned();
        self.push(Effect { kind, target, certainty, program, span, package_install });
    }

    fn inside_effect(&mut self, st: &State, value: &Value, certainty: Certainty, program: &str, span: Span) {
        let any = Value::any();
        let value = if nowhere(value) { &any } else { value };
        let target = match self.target(&st.folder(), value, true) {
            Target::Path(path) => {
                if !self.charge(limits::steps_of_path(path.len())) {
                    return;
                }
                self.overlay.make_dir(&path);
                Target::Inside(path)
            }
            other => other,
        };
        let program = program.to_owned();
        self.push(Effect { kind: EffectKind::Create, target, certainty, program, span, package_install: false });
    }

    /// Records that a builtin reads a file.
    pub(super) fn read_effect(&mut self, st: &State, file: &Arg, program: &str) {
        self.path_effect(st, EffectKind::Read, &file.value, Certainty::Proven, (program, file.span), false);
    }
}

fn nowhere(value: &Value) -> bool {
    value.prefix().starts_with(NOWHERE)
}

/// Whether a program is told to run nothing, or has nothing to run on.
fn runs_nothing(name: &str, argv: &[Arg], io: &Io) -> bool {
    if is_shell(name) {
        // `-n` reads without running.
        for arg in argv.iter().skip(1) {
            match arg.value.known() {
                Some(flag) if flag.starts_with('-') && !flag.starts_with("--") => {
                    if flag.contains('n') {
                        return true;
                    }
                    if flag.contains(['c', 'o', 'O']) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
    let empty = |a: &Arg| matches!(a.value.known().as_deref(), Some("-r" | "--no-run-if-empty"));
    name == "xargs" && io.stdin.borrow().is_empty() && argv.iter().any(empty)
}

/// Whether a program is only asked what it is.
fn asks_only(args: &[String]) -> bool {
    matches!(args, [only] if matches!(only.as_str(), "--help" | "-h" | "--version" | "-V"))
}

pub(super) fn is_shell(name: &str) -> bool {
    matches!(name, "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash")
}

/// The name that effects of a script carry.
pub(super) fn program_of(language: Language) -> &'static str {
    match language {
        Language::Python => "python",
        Language::Node => "node",
        Language::Perl => "perl",
        Language::Ruby => "ruby",
        Language::Php => "php",
        Language::Awk => "awk",
        Language::Sed => "sed",
    }
}

/// The words that `xargs` makes of a text; with `quotes`, it takes quotes off.
fn parts_of(line: &Value, separators: &[char], quotes: bool) -> Vec<Value> {
    let mut out = Vec::new();
    for part in line.pieces.iter().fold(vec![Value::default()], |mut words, piece| {
        match piece {
            Piece::Text(s) => {
                for (i, word) in s.split(separators).enumerate() {
                    if i > 0 {
                        words.push(Value::default());
                    }
                    if let Some(last) = words.last_mut() {
                        last.push_str(word);
                    }
                }
            }
            other => {
                if let Some(last) = words.last_mut() {
                    last.push(other.clone());
                }
            }
        }
        words
    }) {
        if !part.is_empty() {
            out.push(match part.known() {
                Some(text) if quotes && text.contains(['\'', '"']) => Value::text(text.replace(['\'', '"'], "")),
                _ => part,
            });
        }
    }
    out
}

/// The value with unknown parts back in place of the characters that stood for them.
fn filled(value: Value, holes: &[Piece]) -> Value {
    if holes.is_empty() {
        return value;
    }
    let mut out = Value::default();
    for piece in value.pieces {
        match piece {
            Piece::Text(s) => out.append(fill_holes(holes, &s)),
            other => out.push(other),
        }
    }
    out
}
