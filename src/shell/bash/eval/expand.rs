//! Words -> fields, by the shell's order: braces, tilde, parameters and substitutions, splitting, globs, quotes.

use super::machine::{Eval, Io};
use super::state::State;
use super::values::{self, Stream};
use crate::limits;
use crate::shell::bash::ast::{List, Part, Word};
use crate::shell::programs::Arg;
use crate::shell::{GapKind, Piece, Value};

/// A part of a field.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub(super) piece: Piece,
    /// Not quoted: pattern characters in it mean something.
    pub(super) live: bool,
}

/// Fields under construction.
#[derive(Debug, Default)]
pub(super) struct Fields {
    done: Vec<Vec<Chunk>>,
    current: Vec<Chunk>,
    open: bool,
}

impl Fields {
    pub(super) fn push(&mut self, piece: Piece, live: bool) {
        self.open = true;
        match (self.current.last_mut(), piece) {
            (_, Piece::Text(s)) if s.is_empty() => {}
            (Some(Chunk { piece: Piece::Text(last), live: same }), Piece::Text(s)) if *same == live => {
                last.push_str(&s);
            }
            (_, piece) => self.current.push(Chunk { piece, live }),
        }
    }

    fn push_value(&mut self, value: Value, live: bool) {
        self.open = true;
        for piece in value.pieces {
            self.push(piece, live);
        }
    }

    /// Ends the field under construction, where there is one.
    pub(super) fn cut(&mut self) {
        if self.open {
            self.done.push(std::mem::take(&mut self.current));
            self.open = false;
        }
    }

    pub(super) fn finish(mut self) -> Vec<Vec<Chunk>> {
        self.cut();
        self.done
    }
}

/// How far a word is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A command's argument: everything.
    Fields,
    /// An assignment's value, a here-document, a `case` subject: one string.
    One,
}

pub(super) fn chunks_value(chunks: Vec<Chunk>) -> Value {
    let mut value = Value::default();
    for chunk in chunks {
        value.push(chunk.piece);
    }
    values::capped(value)
}

impl Eval<'_> {
    /// The arguments of a simple command.
    pub(super) fn expand_args(&mut self, st: &mut State, words: &[Word]) -> Vec<Arg> {
        let mut args = Vec::with_capacity(words.len());
        for word in words {
            if !self.charge(1) {
                break;
            }
            let span = self.span(word.span);
            if let [Part::Bare(text)] = word.parts.as_slice()
                && self.holes.is_empty()
                && !text.bytes().any(|b| matches!(b, b'*' | b'?' | b'[' | b'(' | b'{' | b'~'))
            {
                args.push(Arg { value: Value::text(text.as_str()), span });
                continue;
            }
            let before = args.len();
            args.extend(self.expand_word(st, word).into_iter().map(|value| Arg { value, span }));
            if !self.charge((args.len() - before).saturating_sub(1)) {
                break;
            }
        }
        args
    }

    pub(super) fn expand_values(&mut self, st: &mut State, words: &[Word]) -> Vec<Value> {
        self.expand_args(st, words).into_iter().map(|a| a.value).collect()
    }

    /// The fields that one word becomes.
    pub(super) fn expand_word(&mut self, st: &mut State, word: &Word) -> Vec<Value> {
        let mut out = Vec::new();
        if !super::brace::is_braced(&word.parts) {
            self.expand_parts(st, &word.parts, &mut out);
            return out;
        }
        let Some(words) = super::brace::expand(&word.parts, limits::MAX_EXPANSION) else {
            self.gap(GapKind::Size, word.span);
            return vec![Value::any()];
        };
        for parts in words.parts() {
            let size = |part: &Part| if let Part::Bare(text) = part { text.len() } else { limits::BYTES_PER_STEP };
            if !self.charge_bytes(parts.iter().map(size).sum()) {
                break;
            }
            self.expand_parts(st, &parts, &mut out);
        }
        out
    }

    fn expand_parts(&mut self, st: &mut State, parts: &[Part], out: &mut Vec<Value>) {
        for field in self.fields(st, parts, Mode::Fields) {
            self.glob(st, field, out);
            if out.len() > limits::MAX_EXPANSION {
                let rest = out.split_off(limits::MAX_EXPANSION - 1);
                out.push(values::join_all(&rest));
            }
        }
    }

    /// The one string that a word becomes where the shell neither splits nor globs.
    pub(super) fn expand_value(&mut self, st: &mut State, word: &Word) -> Value {
        let mut fields = self.fields(st, &word.parts, Mode::One);
        match fields.len() {
            0 => Value::default(),
            1 => chunks_value(fields.remove(0)),
            _ => {
                let mut out = Value::default();
                for (i, field) in fields.into_iter().enumerate() {
                    if i > 0 {
                        out.push_str(" ");
                    }
                    out.append(chunks_value(field));
                }
                values::capped(out)
            }
        }
    }

    /// The body of a here-document: everything is quoted.
    pub(super) fn expand_quoted(&mut self, st: &mut State, word: &Word) -> Value {
        let mut fields = Fields::default();
        for part in &word.parts {
            self.part(st, part, true, Mode::One, &mut fields);
        }
        chunks_value(fields.finish().pop().unwrap_or_default())
    }

    /// An assignment's value: tilde also after `:`.
    pub(super) fn expand_assigned(&mut self, st: &mut State, word: &Word) -> Value {
        let mut fields = Fields::default();
        for (i, part) in word.parts.iter().enumerate() {
            match part {
                Part::Bare(text) if text.contains('~') => {
                    let alone = i + 1 == word.parts.len();
                    let pieces = text.split(':').count();
                    for (j, piece) in text.split(':').enumerate() {
                        if j > 0 {
                            fields.push(Piece::Text(":".to_owned()), true);
                        }
                        let starts = if j == 0 { i == 0 } else { true };
                        let ends = j + 1 < pieces || alone;
                        self.bare(st, piece, starts, ends, &mut fields);
                    }
                }
                _ => self.part(st, part, false, Mode::One, &mut fields),
            }
        }
        let mut out = Value::default();
        for (i, field) in fields.finish().into_iter().enumerate() {
            if i > 0 {
                out.push_str(" ");
            }
            out.append(chunks_value(field));
        }
        values::capped(out)
    }

    /// Everything but braces and globs.
    pub(super) fn fields(&mut self, st: &mut State, parts: &[Part], mode: Mode) -> Vec<Vec<Chunk>> {
        let mut fields = Fields::default();
        for (i, part) in parts.iter().enumerate() {
            match part {
                Part::Bare(text) if text.contains('~') => {
                    let alone = i + 1 == parts.len();
                    // `NAME=~/x` as an argument: bash expands it there too.
                    let assigned = if i == 0 && mode == Mode::Fields { assignment_head(text) } else { 0 };
                    if assigned > 0 {
                        fields.push(Piece::Text(text[..assigned].to_owned()), true);
                    }
                    self.bare(st, &text[assigned..], i == 0, alone, &mut fields);
                }
                _ => self.part(st, part, false, mode, &mut fields),
            }
        }
        fields.finish()
    }

    /// Unquoted text; `starts`: a tilde at its start counts, `alone`: nothing quoted follows it.
    fn bare(&mut self, st: &mut State, text: &str, starts: bool, alone: bool, fields: &mut Fields) {
        let rest = if starts && text.starts_with('~') {
            let end = text.find('/');
            if let (None, false) = (end, alone) {
                text
            } else {
                let end = end.unwrap_or(text.len());
                match self.tilde(st, &text[1..end]) {
                    Some(home) => {
                        // `~` alone is never empty, and nothing in it is a pattern.
                        fields.push_value(home, false);
                        &text[end..]
                    }
                    None => text,
                }
            }
        } else {
            text
        };
        if !rest.is_empty() {
            let value = self.literal(rest);
            fields.push_value(value, true);
        }
    }

    pub(super) fn part(&mut self, st: &mut State, part: &Part, quoted: bool, mode: Mode, fields: &mut Fields) {
        if self.halted() {
            return;
        }
        match part {
            Part::Bare(text) => {
                let value = self.literal(text);
                fields.push_value(value, !quoted);
            }
            Part::Quoted(text) => {
                self.charge_bytes(text.len());
                let value = self.literal(text);
                fields.push_value(value, false);
            }
            Part::Double(parts) => {
                // `"$@"` without parameters is no field at all.
                let only_list = matches!(parts.as_slice(), [Part::Param(p)] if super::param::is_list(p));
                if !only_list {
                    fields.open = true;
                }
                for part in parts {
                    self.part(st, part, true, mode, fields);
                }
            }
            Part::Param(param) => self.param(st, param, quoted, mode, fields),
            Part::Command { list, .. } => {
                let stream = self.substitute(st, list);
                let value = match stream {
                    Stream::Text(v) => values::trim_newlines(v),
                    other => other.whole(),
                };
                self.add(st, value, quoted, mode, fields);
            }
            Part::Arith(word) => {
                let value = self.arith(st, word);
                fields.push_value(value, false);
            }
            Part::Process { write, list, .. } => {
                let path = self.process(st, *write, list);
                fields.push_value(path, false);
            }
            Part::ArrayLiteral(words) => {
                for value in self.expand_values(st, words) {
                    fields.push_value(value, false);
                    fields.cut();
                }
            }
        }
    }

    /// Adds the result of an expansion: split where it is not quoted.
    pub(super) fn add(&mut self, st: &mut State, value: Value, quoted: bool, mode: Mode, fields: &mut Fields) {
        self.charge_bytes(value.text_len() + value.pieces.len() * limits::BYTES_PER_PIECE);
        if quoted {
            fields.push_value(value, false);
            return;
        }
        if mode == Mode::One {
            if !value.is_empty() {
                fields.push_value(value, true);
            }
            return;
        }
        let separators = Self::separators(st);
        for piece in value.pieces {
            match piece {
                Piece::Text(text) => split_text(&text, &separators, fields),
                other => fields.push(other, true),
            }
        }
    }

    /// The characters of `IFS`.
    pub(super) fn separators(st: &State) -> String {
        match st.var("IFS") {
            None => " \t\n".to_owned(),
            Some(slot) => match slot.var.joined() {
                Some(value) => value.known().map_or_else(|| " \t\n".to_owned(), std::borrow::Cow::into_owned),
                None => " \t\n".to_owned(),
            },
        }
    }

    /// The output of a command substitution.
    fn substitute(&mut self, st: &mut State, list: &List) -> Stream {
        let io = Io::new(Stream::Unknown, true);
        // `$(< file)` is the file's text.
        if let [item] = list.as_slice()
            && let [command] = item.pipeline.commands.as_slice()
            && let crate::shell::bash::ast::CommandKind::Simple { assignments, words } = &command.kind
            && assignments.is_empty()
            && words.is_empty()
        {
            let mut redirected = self.redirects(st, &command.redirects, &io);
            self.restore_descriptors(&mut redirected);
            return redirected.io.take_stdin();
        }
        self.deeper(|eval| eval.subshell(st, list, &io).out).unwrap_or(Stream::Unknown)
    }

    /// Runs the list of `<( )` or `>( )`; the path that stands for it.
    fn process(&mut self, st: &mut State, write: bool, list: &List) -> Value {
        let io = Io::new(Stream::Unknown, !write);
        let out = self.deeper(|eval| eval.subshell(st, list, &io).out).unwrap_or(Stream::Unknown);
        let path = format!("/dev/fd/{}", 63_u32.saturating_sub(self.pipes));
        self.pipes += 1;
        if !write {
            self.overlay.make_file(&path, out);
        }
        Value::text(path)
    }

    /// What `~name` stands for; `None` where it stays as it is.
    fn tilde(&mut self, st: &mut State, name: &str) -> Option<Value> {
        match name {
            "" => Some(self.home(st)),
            "+" => Some(self.variable(st, "PWD").unwrap_or_default()),
            "-" => self.variable(st, "OLDPWD"),
            "root" => Some(Value::text("/root")),
            _ if name.trim_start_matches(['+', '-']).bytes().all(|b| b.is_ascii_digit()) => Self::stacked(st, name),
            _ if name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')) => {
                let users = self.world.read_text("/etc/passwd", limits::MAX_SOURCED_BYTES);
                let home = users.as_deref().and_then(|text| home_of(text, name));
                home.map(Value::text).or_else(|| {
                    let own = self.world.home()?;
                    (self.world.model().base_name(&own) == name).then(|| Value::text(own))
                })
            }
            _ => None,
        }
    }

    /// `$HOME` as assigned, else the user's.
    pub(super) fn home(&mut self, st: &mut State) -> Value {
        match self.variable(st, "HOME") {
            Some(home) => home,
            // Unset: the account's own.
            None => self.world.home().map_or_else(Value::any, Value::text),
        }
    }
}

fn home_of<'a>(users: &'a str, name: &str) -> Option<&'a str> {
    let line = users.lines().find(|l| l.split(':').next() == Some(name))?;
    line.split(':').nth(5)
}

/// Length of `NAME=` at the start, where a tilde follows; else 0.
fn assignment_head(text: &str) -> usize {
    let Some(at) = text.find("=~") else { return 0 };
    let name = &text[..at];
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') { at + 1 } else { 0 }
}

fn split_text(text: &str, separators: &str, fields: &mut Fields) {
    let mut rest = text;
    while let Some(at) = rest.find(|c| separators.contains(c)) {
        if at > 0 {
            fields.push(Piece::Text(rest[..at].to_owned()), true);
        }
        let c = rest[at..].chars().next().unwrap_or(' ');
        if !c.is_whitespace() {
            // `a::b`: an empty field between two separators that are no blanks.
            fields.open = true;
        }
        fields.cut();
        rest = &rest[at + c.len_utf8()..];
    }
    if !rest.is_empty() {
        fields.push(Piece::Text(rest.to_owned()), true);
    }
}
