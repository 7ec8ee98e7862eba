//! Files that are run: judged where their text stands in this very command, named as opaque otherwise.

use std::rc::Rc;

use super::acts::{Doer, is_shell, program_of};
use super::machine::{Eval, Io, Outcome, Status};
use super::state::State;
use super::values::Stream;
use crate::shell::programs::{Act, Arg, Language};
use crate::shell::{Certainty, Effect, EffectKind, Span, Target, Value};

impl Eval<'_> {
    /// Names a file that is run without being judged.
    pub(super) fn opaque_file(&mut self, st: &State, file: &Arg, program: &str) {
        // The name of a process substitution says nothing to anyone.
        if file.value.prefix().starts_with("/dev/") || file.value.is_empty() {
            return self.opaque_text(program, file.span);
        }
        let who = (program, file.span);
        self.dirty = true;
        self.path_effect(st, EffectKind::Opaque, &file.value, Certainty::Proven, who, false);
    }

    /// Names text that is run and can't be known.
    pub(super) fn opaque_text(&mut self, program: &str, span: Span) {
        self.dirty = true;
        let program = program.to_owned();
        let (kind, certainty) = (EffectKind::Opaque, Certainty::Proven);
        self.push(Effect { kind, target: Target::Opaque, certainty, program, span, package_install: false });
    }

    /// The text of a file that an earlier part of this very command wrote, as far as it is known.
    pub(super) fn own_text(&self, st: &State, file: &Value) -> Option<Value> {
        if !self.overlay.is_touched() {
            return None;
        }
        let path = self.known_path(st, file)?;
        match self.overlay.written(&self.overlay.through_links(&path, true))? {
            Stream::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// What a descriptor that is named like a file gives: `/dev/stdin`, `/dev/fd/3`.
    pub(super) fn descriptor(&self, file: &Value, io: &Io) -> Option<Stream> {
        let path = file.known()?;
        let number = match path.as_ref() {
            "/dev/stdin" => "0",
            path => path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"))?,
        };
        if number == "0" { Some(io.take_stdin()) } else { self.overlay.written(&format!("/dev/fd/{number}")).cloned() }
    }

    /// A program that is a script of this very command's own (`cat > x <<E …; chmod +x x; ./x`).
    pub(super) fn own_program(&mut self, st: &mut State, argv: &[Arg], io: &Io) -> Option<Outcome> {
        let file = argv.first().filter(|a| a.value.prefix().contains('/'))?;
        let text = self.own_text(st, &file.value)?;
        let (shell, language) = interpreter(text.prefix());
        if !shell && language.is_none() {
            return None;
        }
        self.read_effect(st, file, program_name(language));
        Some(self.script_text(st, (language, file), &text, &argv[1..], io))
    }

    /// A file given to an interpreter.
    pub(super) fn script_file(
        &mut self,
        st: &mut State,
        (language, file): (Option<Language>, &Arg),
        args: &[Arg],
        program: &str,
        io: &Io,
    ) -> Outcome {
        self.read_effect(st, file, program);
        let given = self.descriptor(&file.value, io).and_then(|stream| match stream {
            Stream::Text(text) => Some(text),
            _ => None,
        });
        if let Some(text) = given.or_else(|| self.own_text(st, &file.value)) {
            return self.script_text(st, (language, file), &text, args, io);
        }
        self.opaque_file(st, file, program);
        Outcome::new(Status::Likely, Stream::Unknown)
    }

    fn script_text(
        &mut self,
        st: &mut State,
        (language, file): (Option<Language>, &Arg),
        text: &Value,
        args: &[Arg],
        io: &Io,
    ) -> Outcome {
        if let Some(language) = language {
            let doer = Doer { name: program_of(language), span: file.span };
            let mut args = args.to_vec();
            if language == Language::Node {
                // `process.argv` holds the script before its arguments.
                args.insert(0, file.clone());
            }
            self.code(st, language, text, &args, file.span, &doer, io);
            return Outcome::new(Status::Likely, Stream::Unknown);
        }
        let mut child = st.child(self.world);
        child.name = file.value.clone();
        child.params = Rc::new(args.iter().map(|a| a.value.clone()).collect());
        self.startup_file(&mut child, file.span, io);
        self.run_text(&mut child, text, file.span, io)
    }

    /// Where the text of a script is known, so is what it does with its arguments: what was assumed of them falls away.
    pub(super) fn drop_script_arguments(&self, st: &State, acts: &mut Vec<Act>) {
        let own = |act: &Act| match act {
            Act::Script { value, .. } => self.own_text(st, value).is_some(),
            _ => false,
        };
        if self.overlay.is_touched() && acts.iter().any(own) {
            acts.retain(|act| !matches!(act, Act::Path { certainty: Certainty::Assumed, .. }));
        }
    }

    /// The file that `BASH_ENV` names, where this very command wrote it.
    pub(super) fn startup_file(&mut self, child: &mut State, span: Span, io: &Io) {
        if child.var("BASH_ENV").is_none() {
            return;
        }
        let file = self.variable(child, "BASH_ENV").unwrap_or_default();
        let Some(path) = self.known_path(child, &file) else { return };
        let path = self.overlay.through_links(&path, true);
        if let Some(Stream::Text(text)) = self.overlay.written(&path).cloned() {
            // The shells that it starts do not read it again.
            let slot = child.var("BASH_ENV").cloned();
            child.put("BASH_ENV", None);
            self.run_text(child, &text, span, io);
            child.put("BASH_ENV", slot);
        }
    }
}

/// The name that a script's reading carries.
fn program_name(language: Option<Language>) -> &'static str {
    language.map_or("sh", program_of)
}

fn language_of(name: &str) -> Option<Language> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(match stem {
        "python" | "pypy" => Language::Python,
        "node" | "nodejs" | "bun" => Language::Node,
        "perl" => Language::Perl,
        "ruby" => Language::Ruby,
        "php" => Language::Php,
        "awk" | "gawk" | "mawk" | "nawk" => Language::Awk,
        "sed" | "gsed" => Language::Sed,
        _ => return None,
    })
}

/// Who runs a script that starts like this.
fn interpreter(start: &str) -> (bool, Option<Language>) {
    let Some(line) = start.strip_prefix("#!") else { return (true, None) };
    let line = line.lines().next().unwrap_or_default();
    let mut words = line.split_whitespace().map(|w| w.rsplit('/').next().unwrap_or(w));
    let name = match words.next() {
        Some("env") => words.find(|w| !w.starts_with('-')),
        other => other,
    };
    let name = name.unwrap_or_default();
    (is_shell(name), language_of(name))
}
