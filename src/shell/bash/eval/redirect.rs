//! Redirections: what they create, and where input and output go.

use super::expand::Mode;
use super::machine::{Eval, Io, Outcome};
use super::state::{State, Var};
use super::values::Stream;
use crate::limits::{MAX_SOURCED_BYTES, STEPS_PER_REDIRECTION};
use crate::shell::bash::ast::{Redirect, RedirectKind, Word};
use crate::shell::{Certainty, Effect, EffectKind, Target, Value};
use crate::world::World;

/// The input and output of a command after its redirections.
pub(super) struct Redirected {
    pub(super) io: Io,
    /// The file that standard output goes to, and whether it keeps what it holds.
    sink: Option<(Option<String>, bool)>,
    /// Output goes somewhere that nobody reads.
    hidden: bool,
    /// What other descriptors gave before, the first first.
    kept: Vec<(String, Option<Stream>)>,
}

impl Redirected {
    /// The redirections outlive their command, as those of `exec` do.
    pub(super) fn stay(&mut self) {
        self.kept.clear();
    }
}

impl Eval<'_> {
    /// Performs the redirections in order.
    pub(super) fn redirects(&mut self, st: &mut State, redirects: &[Redirect], io: &Io) -> Redirected {
        let mut out = Redirected { io: io.clone(), sink: None, hidden: false, kept: Vec::new() };
        for redirect in redirects {
            if !self.charge(STEPS_PER_REDIRECTION) {
                break;
            }
            self.redirect(st, redirect, io, &mut out);
        }
        if out.sink.is_some() {
            out.io.capture = true;
        } else if out.hidden {
            out.io.capture = false;
        }
        out
    }

    fn redirect(&mut self, st: &mut State, redirect: &Redirect, io: &Io, out: &mut Redirected) {
        if let Some(name) = &redirect.fd_var {
            st.set(name, Var::one(Value::name()), self.world);
        }
        let fd = redirect.fd;
        let own = redirect.fd_var.is_none();
        if !matches!(redirect.kind, RedirectKind::HereDoc { .. } | RedirectKind::HereString(_))
            && let Some(number) = fd
        {
            self.descriptor_gives(number, Stream::Unknown, out);
        }
        match &redirect.kind {
            RedirectKind::Read(word) => {
                let stream = self.read_from(st, word);
                if own && matches!(fd, None | Some(0)) {
                    out.io.stdin = Io::new(stream, false).stdin;
                }
            }
            RedirectKind::Write { word, .. } => {
                let path = self.create(st, word, ">");
                if own && matches!(fd, None | Some(1)) {
                    out.sink = Some((path, false));
                }
            }
            RedirectKind::Append(word) => {
                let path = self.create(st, word, ">>");
                if own && matches!(fd, None | Some(1)) {
                    out.sink = Some((path, true));
                }
            }
            RedirectKind::ReadWrite(word) => {
                let path = self.create(st, word, "<>");
                match fd {
                    None | Some(0) => out.io.stdin = Io::new(Stream::Unknown, false).stdin,
                    Some(1) => out.sink = Some((path, true)),
                    Some(_) => {}
                }
            }
            RedirectKind::WriteBoth(word) => out.sink = Some((self.create(st, word, "&>"), false)),
            RedirectKind::AppendBoth(word) => out.sink = Some((self.create(st, word, "&>>"), true)),
            RedirectKind::DupIn(word) => self.duplicate(st, word, true, fd, out),
            RedirectKind::DupOut(word) => self.duplicate(st, word, false, fd, out),
            RedirectKind::HereDoc { body, .. } => {
                let value = self.expand_quoted(st, body);
                self.here(fd, value, io, out);
            }
            RedirectKind::HereString(word) => {
                let mut value = self.expand_value(st, word);
                value.push_str("\n");
                self.here(fd, value, io, out);
            }
        }
    }

    /// Text that stands in the command itself, on one of its descriptors.
    fn here(&mut self, fd: Option<u32>, value: Value, io: &Io, out: &mut Redirected) {
        match fd {
            None | Some(0) => out.io.stdin = Io::new(Stream::Text(value), io.capture).stdin,
            Some(number) => self.descriptor_gives(number, Stream::Text(value), out),
        }
    }

    /// What `/dev/fd/N` gives from here on. The first three go their own way, unless a text was put there.
    fn descriptor_gives(&mut self, number: u32, stream: Stream, out: &mut Redirected) {
        let path = format!("/dev/fd/{number}");
        if number >= 3 || stream != Stream::Unknown || self.overlay.written(&path).is_some() {
            let before = self.overlay.swap_text(&path, Some(stream));
            out.kept.push((path, before));
        }
    }

    /// Gives the descriptors back what they had before the command.
    pub(super) fn restore_descriptors(&mut self, redirected: &mut Redirected) {
        while let Some((path, before)) = redirected.kept.pop() {
            self.overlay.swap_text(&path, before);
        }
    }

    fn duplicate(&mut self, st: &mut State, word: &Word, input: bool, fd: Option<u32>, out: &mut Redirected) {
        let value = self.expand_value(st, word);
        let number = value.known().map(|v| v.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit()));
        match number {
            Some(true) => {
                let to = value.known().unwrap_or_default().into_owned();
                if input {
                    if matches!(fd, None | Some(0)) && to != "0" {
                        let from = to.trim_end_matches('-');
                        let text = self.overlay.written(&format!("/dev/fd/{from}")).cloned();
                        out.io.stdin = Io::new(text.unwrap_or(Stream::Unknown), false).stdin;
                    }
                } else if matches!(fd, None | Some(1)) && to != "1" {
                    out.hidden = true;
                    out.sink = None;
                }
            }
            // `>& $file` writes to the file; an unknown word here is a descriptor far more often.
            Some(false) if !input => {
                let path = self.created(st, &value, word, ">&");
                out.sink = Some((path, false));
            }
            _ => {}
        }
    }

    /// The one string that a redirection's word becomes.
    fn redirect_word(&mut self, st: &mut State, word: &Word) -> Value {
        let mut fields = Vec::new();
        for field in self.fields(st, &word.parts, Mode::Fields) {
            self.glob(st, field, &mut fields);
        }
        match fields.len() {
            1 => fields.remove(0),
            // None or several: the shell refuses. With an unquoted variable that holds blanks zsh does not.
            _ => self.expand_value(st, word),
        }
    }

    fn create(&mut self, st: &mut State, word: &Word, program: &str) -> Option<String> {
        let value = self.redirect_word(st, word);
        self.created(st, &value, word, program)
    }

    fn created(&mut self, st: &mut State, value: &Value, word: &Word, program: &str) -> Option<String> {
        if value.is_empty() {
            return None;
        }
        let target = self.target(&st.folder(), value, true);
        let path = if let Target::Path(path) = &target { Some(path.clone()) } else { None };
        self.push(Effect {
            kind: EffectKind::Create,
            target,
            certainty: Certainty::Proven,
            program: program.to_owned(),
            span: self.span(word.span),
            package_install: false,
        });
        path
    }

    fn read_from(&mut self, st: &mut State, word: &Word) -> Stream {
        let value = self.redirect_word(st, word);
        let target = self.target(&st.folder(), &value, true);
        let Target::Path(path) = &target else { return Stream::Unknown };
        let stream = self.file_text(path);
        self.push(Effect {
            kind: EffectKind::Read,
            target,
            certainty: Certainty::Proven,
            program: "<".to_owned(),
            span: self.span(word.span),
            package_install: false,
        });
        stream
    }

    /// What reading the file at `path` gives, as far as it is known.
    pub(super) fn file_text(&mut self, path: &str) -> Stream {
        if let Some(written) = self.overlay.written(path) {
            return written.clone();
        }
        if path.starts_with("/dev/") || path.starts_with("/proc/") {
            return Stream::Unknown;
        }
        match self.overlay.read_text(path, MAX_SOURCED_BYTES) {
            Some(text) => {
                self.charge_bytes(text.len());
                Stream::text(text)
            }
            None => Stream::Unknown,
        }
    }

    /// The outcome as others see it, after the output went where it was sent.
    pub(super) fn close(&mut self, mut redirected: Redirected, mut outcome: Outcome) -> Outcome {
        self.restore_descriptors(&mut redirected);
        if let Some((path, append)) = redirected.sink {
            let text = std::mem::replace(&mut outcome.out, Stream::empty());
            if let Some(path) = path.filter(|p| !p.starts_with("/dev/")) {
                self.write_file(&path, text, append);
            }
        } else if redirected.hidden {
            outcome.out = Stream::empty();
        }
        outcome
    }

    /// Notes what a file holds from now on.
    pub(super) fn write_file(&mut self, path: &str, text: Stream, append: bool) {
        let text = if append {
            let before = match self.overlay.written(path) {
                Some(before) => before.clone(),
                None if self.overlay.entry(path).is_none() => Stream::empty(),
                None => Stream::Unknown,
            };
            before.then(text)
        } else {
            text
        };
        self.overlay.make_file(path, text);
    }
}
