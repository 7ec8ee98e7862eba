//! `read` and `mapfile`: values from standard input.

use super::expand::{Fields, Mode};
use super::machine::{Eval, Io, Outcome, Status};
use super::state::{State, Var};
use super::values::Stream;
use crate::limits;
use crate::shell::programs::Arg;
use crate::shell::{Piece, Value};

/// The options of `read`.
#[derive(Default)]
struct Options {
    array: Option<String>,
    delimiter: Option<String>,
    /// Not from standard input.
    elsewhere: Option<String>,
    names: Vec<String>,
}

fn options(args: &[Arg], with_operand: &str) -> Options {
    let mut out = Options::default();
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.value.known().map(std::borrow::Cow::into_owned).unwrap_or_default();
        at += 1;
        let Some(letters) = text.strip_prefix('-').filter(|l| !l.is_empty() && *l != "-") else {
            if text != "--" {
                out.names.push(text);
            }
            continue;
        };
        for (i, letter) in letters.char_indices() {
            if !with_operand.contains(letter) {
                continue;
            }
            let attached = &letters[i + 1..];
            let operand = if attached.is_empty() {
                at += 1;
                args.get(at - 1).and_then(|a| a.value.known().map(std::borrow::Cow::into_owned)).unwrap_or_default()
            } else {
                attached.to_owned()
            };
            match letter {
                'a' => out.array = Some(operand),
                'd' => out.delimiter = Some(operand),
                'u' => out.elsewhere = Some(operand).filter(|number| number != "0"),
                _ => {}
            }
            break;
        }
    }
    out
}

impl Eval<'_> {
    pub(super) fn read(&mut self, st: &mut State, args: &[Arg], io: &Io) -> Outcome {
        let mut options = options(args, "adinNptu");
        let (line, status) = match &options.elsewhere {
            Some(number) => match self.overlay.written(&format!("/dev/fd/{number}")).cloned() {
                // Nobody counts what was read from it before.
                Some(text) => (text.any_line(), Status::Unknown),
                None => (Value::any(), Status::Unknown),
            },
            None => take_line(io, options.delimiter.as_deref()),
        };
        self.charge_bytes(line.text_len());
        if let Some(name) = options.array {
            let items = self.fields_of(st, line).into_iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect();
            st.set(&name, Var::Array(items), self.world);
            return Outcome::silent(status);
        }
        if options.names.is_empty() {
            st.set("REPLY", Var::one(line), self.world);
            return Outcome::silent(status);
        }
        if options.names.len() == 1 {
            let name = options.names.remove(0);
            let separators = Self::separators(st);
            let value = trimmed(line, &separators);
            st.set(&name, Var::one(value), self.world);
            return Outcome::silent(status);
        }
        let mut fields = self.fields_of(st, line).into_iter();
        let mut unknown = false;
        let last = options.names.len() - 1;
        for (i, name) in options.names.iter().enumerate() {
            let mut value = fields.next().unwrap_or_default();
            if i == last {
                for more in fields.by_ref() {
                    value.push_str(" ");
                    value.append(more);
                }
            }
            // Unknown text may have been any number of fields.
            unknown |= value.pieces.contains(&Piece::Any);
            let value = if unknown { Value::any() } else { value };
            st.set(name, Var::one(value), self.world);
        }
        Outcome::silent(status)
    }

    fn fields_of(&mut self, st: &mut State, line: Value) -> Vec<Value> {
        let mut fields = Fields::default();
        self.add(st, line, false, Mode::Fields, &mut fields);
        fields.finish().into_iter().map(super::expand::chunks_value).collect()
    }

    pub(super) fn mapfile(&mut self, st: &mut State, args: &[Arg], io: &Io) -> Outcome {
        let name = options(args, "dnOsuCc").names.into_iter().next_back().unwrap_or_else(|| "MAPFILE".to_owned());
        let stream = io.take_stdin();
        let called = args.iter().position(|a| a.value.known().as_deref() == Some("-C"));
        if let Some(command) = called.and_then(|at| args.get(at + 1)) {
            self.called_back(st, command, &stream);
        }
        let items = match stream.lines() {
            Some(lines) if lines.len() <= limits::MAX_EXPANSION => {
                lines.into_iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect()
            }
            _ => vec![("0".to_owned(), stream.any_line())],
        };
        st.set(&name, Var::Array(items), self.world);
        Outcome::silent(Status::True)
    }
}

impl Eval<'_> {
    /// `mapfile -C COMMAND`: run with each line's number and text.
    fn called_back(&mut self, st: &mut State, command: &Arg, stream: &Stream) {
        let lines = stream.lines().filter(|lines| lines.len() <= limits::MAX_TURNS);
        for (number, line) in lines.unwrap_or_else(|| vec![stream.any_line()]).into_iter().enumerate() {
            let mut text = command.value.clone();
            text.push_str(&format!(" {number} "));
            match line.known() {
                Some(line) => text.push_str(&shell_words::quote(&line)),
                None => text.append(line),
            }
            self.run_text(st, &text, command.span, &Io::new(Stream::Unknown, false));
            if self.halted() {
                break;
            }
        }
    }
}

/// Takes one record off the input.
fn take_line(io: &Io, delimiter: Option<&str>) -> (Value, Status) {
    let mut stdin = io.stdin.borrow_mut();
    let Stream::Text(text) = &*stdin else {
        return (stdin.any_line(), Status::Unknown);
    };
    if text.is_empty() {
        return (Value::default(), Status::False);
    }
    let Some(end) = delimiter.map_or(Some('\n'), |d| d.chars().next()) else {
        // Records end with a NUL, which no known text holds: any of it, and nobody knows how often.
        let all = stdin.any_line();
        *stdin = Stream::Lines(all.clone());
        return (all, Status::Unknown);
    };
    let mut line = Value::default();
    let mut rest = Value::default();
    let mut found = false;
    for piece in &text.pieces {
        match piece {
            Piece::Text(s) if !found => match s.split_once(end) {
                Some((head, tail)) => {
                    line.push_str(head);
                    rest.push_str(tail);
                    found = true;
                }
                None => line.push_str(s),
            },
            other if found => rest.push(other.clone()),
            other => line.push(other.clone()),
        }
    }
    let several = line.pieces.contains(&Piece::Any);
    *stdin = Stream::Text(rest);
    let status = match (found, several) {
        (_, true) => Status::Unknown,
        (true, false) => Status::True,
        (false, false) => Status::False,
    };
    (line, status)
}

/// Without the separators that are blanks at both ends.
fn trimmed(mut value: Value, separators: &str) -> Value {
    let blank = |c: char| c.is_whitespace() && separators.contains(c);
    if let Some(Piece::Text(s)) = value.pieces.first_mut() {
        *s = s.trim_start_matches(blank).to_owned();
    }
    if let Some(Piece::Text(s)) = value.pieces.last_mut() {
        let kept = s.trim_end_matches(blank).len();
        s.truncate(kept);
    }
    value.pieces.retain(|p| !matches!(p, Piece::Text(s) if s.is_empty()));
    value
}
