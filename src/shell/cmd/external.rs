//! Programs: their arguments, other shells, scripts that this very command wrote.

use super::command::Call;
use super::machine::{Cmd, Io, Outcome, Status};
use super::state::{Flow, State};
use super::text::Text;
use super::values;
use crate::shell::bash::{Start, Stream};
use crate::shell::programs::{self, Arg};
use crate::shell::{EffectKind, GapKind, Piece, Value};

/// Words of `start` that are looked at: a title, its options and the command's name.
const MAX_START_WORDS: usize = 24;

impl Cmd<'_, '_, '_> {
    pub(super) fn external(&mut self, st: &mut State, call: &Call<'_>) -> Outcome {
        let spelled = self.filled(call.name);
        let Some(name) = Self::program_name(&spelled) else {
            return self.nameless(st, call, &spelled);
        };
        if let Some(outcome) = self.own_script(st, call, &spelled) {
            return outcome;
        }
        match name.as_str() {
            "cmd" => self.other_cmd(st, call),
            "forfiles" => self.for_files(st, call),
            "subst" => self.substitute(st, call),
            _ => self.program(st, call, &name),
        }
    }

    /// A program whose name is not known may do anything with what it is given.
    fn nameless(&mut self, st: &State, call: &Call<'_>, spelled: &Value) -> Outcome {
        if spelled.pieces.iter().any(|p| matches!(p, Piece::Any)) {
            self.host.gap(GapKind::Syntax, call.span);
        }
        let name = spelled.known().map_or_else(|| "?".to_owned(), std::borrow::Cow::into_owned);
        self.program(st, call, &name)
    }

    fn program(&mut self, st: &State, call: &Call<'_>, name: &str) -> Outcome {
        let own = format!("cmd:{name}");
        let row = if programs::has_row(&own) { &own } else { name };
        let spelled = self.filled(call.name);
        let known = programs::has_row(row);
        // By its path a file of somebody's own is told from a program.
        let first = if known { Value::text(row) } else { self.script_path(st, spelled) };
        let mut argv = vec![Arg { value: first, span: call.span }];
        let given = self.arguments(call.tail);
        if known {
            argv.extend(given);
        } else {
            argv.extend(given.into_iter().filter_map(operand));
        }
        let start =
            Start { cwd: st.folder(), vars: &st.vars(), stdin: call.io.stdin.clone(), capture: call.io.capture };
        let (out, known) = self.host.run(&argv, start);
        let out = match name {
            // They pass on some of the lines that they read.
            "findstr" | "find" | "sort" | "more" if matches!(out, Stream::Unknown) => call.io.stdin.some_lines(),
            "where" if matches!(out, Stream::Unknown) => Stream::Unknown,
            _ => out,
        };
        let status = match known {
            None if matches!(name, "findstr" | "find" | "where" | "fc" | "comp" | "tasklist") => Status::Unknown,
            None => Status::Likely,
            known => Status::of(known),
        };
        Outcome::new(status, out)
    }

    /// A batch file in the folder, named by its path.
    fn script_path(&self, st: &State, spelled: Value) -> Value {
        let Some(name) = spelled.known().filter(|n| !n.contains(['\\', '/'])) else { return spelled };
        let endings = if values::has_extension(&name, &["bat", "cmd"]) { &[""][..] } else { &[".bat", ".cmd"] };
        for ending in endings {
            let file = Value::text(format!(".\\{name}{ending}"));
            if self.one_path(st, &file).is_some_and(|path| self.host.world().target(&path).is_some()) {
                return file;
            }
        }
        spelled
    }

    /// A batch file whose text stands in this very command.
    fn own_script(&mut self, st: &mut State, call: &Call<'_>, spelled: &Value) -> Option<Outcome> {
        let text = self.script_text(st, spelled)?;
        let args = self.script_arguments(call.name, call.tail);
        Some(self.run_script(st, &text, args, call))
    }

    fn script_text(&mut self, st: &State, spelled: &Value) -> Option<Value> {
        let name = spelled.known()?;
        let endings: &[&str] = if values::has_extension(&name, &["bat", "cmd"]) { &[""] } else { &[".bat", ".cmd"] };
        for ending in endings {
            let path = self.one_path(st, &Value::text(format!("{name}{ending}")))?;
            if let Some(Stream::Text(text)) = self.host.written(&path) {
                return Some(text);
            }
        }
        None
    }

    fn run_script(&mut self, st: &mut State, text: &Value, args: Vec<Value>, call: &Call<'_>) -> Outcome {
        if !self.host.reenter() {
            return Outcome::silent(Status::Unknown);
        }
        let text = self.text_of(text, call.span);
        let outer = st.args.replace(std::rc::Rc::new(args));
        let out = self.run_text(st, &text, true, call.io);
        st.args = outer;
        if st.flow == Flow::Return {
            st.flow = Flow::Next;
        }
        self.host.leave_text();
        Outcome::new(Status::Unknown, out)
    }

    /// `cmd /c TEXT`
    fn other_cmd(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        let tail = call.tail;
        let s = tail.as_str();
        let mut child = st.child();
        let mut strips = false;
        let mut at = 0;
        let text = loop {
            let rest = &s[at..];
            let Some(skip) = rest.find(|c: char| !matches!(c, ' ' | '\t' | ',' | ';' | '=')) else { break None };
            at += skip;
            let rest = &s[at..];
            let Some(letter) = rest.strip_prefix('/').map(|r| r.trim_start_matches('/')).and_then(|r| r.chars().next())
            else {
                break None;
            };
            let slashes = rest.len() - rest.trim_start_matches('/').len();
            let name_at = at + slashes;
            match letter.to_ascii_lowercase() {
                'c' | 'k' | 'r' => break Some(name_at + 1),
                's' => strips = true,
                'v' => child.delayed = !rest[slashes..].to_ascii_lowercase().starts_with("v:off"),
                _ => {}
            }
            at = name_at + rest[slashes..].find([' ', '/', '\t']).unwrap_or(rest.len() - slashes);
        };
        let Some(at) = text else {
            // Commands come from standard input.
            return match call.io.stdin.clone() {
                Stream::Text(text) => self.run_script(&mut child, &text, Vec::new(), call),
                _ => Outcome::silent(Status::Unknown),
            };
        };
        let text = without_quotes(&tail.part(at, tail.len()), strips);
        if !self.host.reenter() {
            return Outcome::silent(Status::Unknown);
        }
        self.host.charge_bytes(text.len() * 4);
        let out = self.run_text(&mut child, &text, false, call.io);
        self.host.leave_text();
        Outcome::new(Status::Likely, out)
    }

    /// `start "TITLE" /d DIR COMMAND`
    pub(super) fn start(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        let tail = call.tail;
        let words = self.first_words(tail, MAX_START_WORDS);
        let mut child = st.child();
        let mut rest = words.as_slice();
        if rest.first().is_some_and(|w| w.quoted && w.switch.is_empty()) {
            rest = &rest[1..];
        }
        while let Some((word, after)) = rest.split_first() {
            if word.switch.is_empty() {
                break;
            }
            rest = after;
            let takes = matches!(word.switch.as_str(), "/d" | "/node" | "/affinity" | "/machine");
            let folder = if word.switch.starts_with("/d") && word.switch.len() > 2 {
                Some(word.value.skip(2))
            } else if takes {
                let value = rest.first().map(|w| w.value.clone());
                rest = rest.get(1..).unwrap_or_default();
                value.filter(|_| word.switch == "/d")
            } else {
                None
            };
            if let Some(folder) = folder {
                child.cwd = self.spelled_values(st, &folder);
                if child.cwd.is_empty() {
                    child.cwd.push(Value::any());
                }
            }
        }
        let Some(at) = rest.first().map(|w| w.at) else { return Outcome::silent(Status::True) };
        let line = tail.part(at, tail.len());
        if !self.host.enter() {
            return Outcome::silent(Status::Unknown);
        }
        let io = Io { stdin: Stream::Unknown, capture: false };
        self.run_command(&mut child, &line, &io);
        self.host.leave();
        Outcome::silent(Status::Likely)
    }

    /// `forfiles /p DIR /c "cmd /c …@path…"`
    fn for_files(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        let args = self.arguments(call.tail);
        let mut folder = st.folder();
        let mut command = None;
        for pair in args.windows(2) {
            match pair[0].value.known().map(|s| s.to_ascii_lowercase()).as_deref() {
                Some("/p" | "-p") => {
                    let values = self.spelled_values(st, &pair[1].value);
                    folder = values.into_iter().next().unwrap_or_else(Value::any);
                }
                Some("/c" | "-c") => command = Some(pair[1].clone()),
                _ => {}
            }
        }
        let Some(command) = command else { return Outcome::new(Status::Likely, Stream::Unknown) };
        let below = match folder.known() {
            Some(path) => Value::under(path),
            None => Value::any(),
        };
        let mut text = command.value;
        for (mark, value) in [
            ("@path", below),
            ("@relpath", Value::name()),
            ("@file", Value::name()),
            ("@fname", Value::name()),
            ("@ext", Value::name()),
        ] {
            text = text.replace(mark, &value);
        }
        let line = self.text_of(&text, command.span);
        let mut child = st.child();
        child.cwd = vec![folder];
        if !self.host.reenter() {
            return Outcome::silent(Status::Unknown);
        }
        let io = Io { stdin: Stream::Unknown, capture: false };
        let outcome = self.run_command(&mut child, &line, &io);
        self.host.leave_text();
        Outcome::new(Status::Likely, outcome.out)
    }

    /// `subst X: DIR`
    fn substitute(&mut self, st: &State, call: &Call<'_>) -> Outcome {
        let words = self.words(call.tail);
        let letter = words.first().and_then(|w| super::paths::drive_of(w.value.prefix()));
        let (Some(letter), Some(dir)) = (letter, words.get(1)) else {
            return Outcome::new(Status::Likely, Stream::Unknown);
        };
        let to = if dir.switch == "/d" { None } else { self.spelled_values(st, &dir.value).into_iter().next() };
        if let Some(folder) = &to
            && dir.switch.is_empty()
        {
            self.effect(st, EffectKind::Read, folder, "subst", dir.span);
        }
        match to.as_ref().map(Value::known) {
            Some(Some(path)) => self.host.map_drive(letter, Some(path.into_owned())),
            // A drive that stands for an unknown folder.
            Some(None) => self.host.gap(GapKind::Syntax, dir.span),
            None => self.host.map_drive(letter, None),
        }
        Outcome::silent(Status::Likely)
    }
}

/// What an unknown program is given: `/x` is an option here, and what follows its colon may be a path.
fn operand(arg: Arg) -> Option<Arg> {
    let text = arg.value.prefix();
    let Some(rest) = text.strip_prefix('/') else { return Some(arg) };
    let at = rest.find([':', '=']);
    let name = &rest[..at.unwrap_or(rest.len())];
    if name.contains(['\\', '/']) {
        return Some(arg);
    }
    let at = at?;
    let value = arg.value.skip(1 + at + 1);
    (!value.is_empty()).then_some(Arg { value, span: arg.span })
}

/// What cmd makes of the quotes around the text of `/c`: the first and the last go, unless they stand around the name
/// of a program alone.
fn without_quotes(text: &Text, strips: bool) -> Text {
    let s = text.as_str();
    let start = s.len() - s.trim_start().len();
    if !s[start..].starts_with('"') {
        return text.part(start, s.len());
    }
    let Some(last) = s.rfind('"').filter(|&l| l > start) else { return text.part(start + 1, s.len()) };
    let inner = &s[start + 1..last];
    let only_two = !inner.contains('"');
    let plain = !inner.contains(['&', '<', '>', '(', ')', '@', '^', '|']);
    let names_program = values::is_program_path(inner);
    if !strips && only_two && plain && inner.contains([' ', '\t']) && names_program {
        return text.part(start, s.len());
    }
    let mut out = text.part(start + 1, last);
    out.push_part(text, last + 1, s.len());
    out
}
