//! Variables and control: set, setlocal, goto, exit, call, shift.

use super::command::Call;
use super::machine::{Cmd, Outcome, Status};
use super::parse::is_delimiter;
use super::state::{Flow, State};
use super::text::Text;
use super::values;
use crate::shell::Value;
use crate::shell::bash::Stream;

impl Cmd<'_, '_, '_> {
    pub(super) fn set(&mut self, st: &mut State, call: &Call<'_>) -> Outcome {
        let text = call.tail.as_str();
        let text = text.trim_start_matches([' ', '\t', ',', ';', '=']);
        let lower = text.get(..2).map(str::to_ascii_lowercase);
        if lower.as_deref() == Some("/a") {
            let result = calculate(st, &text[2..]);
            return Outcome::new(Status::Likely, Stream::Text(result));
        }
        let asks = lower.as_deref() == Some("/p");
        let text = if asks { text[2..].trim_start() } else { text };
        // `set "NAME=VALUE" rest`: up to the last quote.
        let text = match text.strip_prefix('"') {
            Some(inner) => inner.rfind('"').map_or(inner, |end| &inner[..end]),
            None => text,
        };
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            // Only shown.
            return Outcome::new(Status::Likely, Stream::Unknown);
        };
        let (name, value) = (self.filled(name), self.filled(value));
        let Some(name) = name.known() else { return Outcome::silent(Status::Likely) };
        let value = if asks { Self::first_line(call.io) } else { value };
        let value = (asks || !value.is_empty()).then_some(value);
        self.host.charge_bytes(text.len());
        st.set(&name.to_uppercase(), value);
        Outcome::silent(if asks { Status::Likely } else { Status::True })
    }

    /// `path C:\x;%path%`
    pub(super) fn set_path(&mut self, st: &mut State, call: &Call<'_>) -> Outcome {
        let value = self.rest_of(call.tail);
        if value.is_empty() {
            return Outcome::new(Status::True, Stream::Unknown);
        }
        st.set("PATH", Some(value));
        Outcome::silent(Status::True)
    }

    /// `call :LABEL ARGS`, `call FILE ARGS`, `call COMMAND`: variables are put in once more.
    pub(super) fn call(&mut self, st: &mut State, call: &Call<'_>) -> Outcome {
        let tail = call.tail;
        let start = tail.as_str().bytes().position(|b| !is_delimiter(b)).unwrap_or(tail.len());
        let line = tail.part(start, tail.len());
        let batch = std::mem::replace(&mut self.batch, false);
        let line = self.percent(st, &line);
        self.batch = batch;
        let line = self.loop_variables(st, &line);
        let Some(rest) = line.as_str().strip_prefix(':') else {
            if !self.host.enter() {
                return Outcome::silent(Status::Unknown);
            }
            let outcome = self.run_command(st, &line, call.io);
            self.host.leave();
            return outcome;
        };
        let label: String = rest.chars().take_while(|c| !matches!(c, ' ' | '\t' | ',' | ';' | '=' | ':')).collect();
        if label.eq_ignore_ascii_case("eof") {
            return Outcome::silent(Status::True);
        }
        let behind = line.part(1 + label.len(), line.len());
        let args = self.script_arguments(&label, &behind);
        let out = self.call_label(st, &label, args, call.io);
        Outcome::new(Status::Unknown, out)
    }

    /// `%0`, `%1` and on: quotes stay.
    pub(super) fn script_arguments(&mut self, name: &str, tail: &Text) -> Vec<Value> {
        let mut out = vec![Value::text(name)];
        for word in self.words(tail) {
            out.push(if word.quoted {
                let mut value = Value::text("\"");
                value.append(word.value);
                value.push_str("\"");
                value
            } else {
                word.value
            });
        }
        out
    }

    /// The program that a path names: without folder and extension, in lower case.
    pub(super) fn program_name(spelled: &Value) -> Option<String> {
        let name = values::base_name(spelled)?.known()?.to_lowercase();
        let bare = [".exe", ".com", ".cmd", ".bat"].iter().find_map(|e| name.strip_suffix(e));
        Some(bare.unwrap_or(&name).to_owned())
    }
}

/// `set /a`: numbers, whose names may stand without percent signs.
fn calculate(st: &mut State, text: &str) -> Value {
    let text = text.replace('"', "");
    let mut last = Value::name();
    for part in text.split(',') {
        let Some((left, right)) = part.split_once('=') else { continue };
        let name = left.trim().trim_end_matches(|c: char| "+-*/%&|^<>".contains(c)).trim();
        if name.is_empty() || name.contains(|c: char| "()~!".contains(c)) {
            continue;
        }
        let plain = left.trim() == name;
        let number = right.trim().parse::<i64>().ok().filter(|_| plain);
        last = number.map_or_else(Value::name, |n| Value::text(n.to_string()));
        st.set(&name.to_uppercase(), Some(last.clone()));
    }
    last
}

pub(super) fn set_local(st: &mut State, call: &Call<'_>) -> Outcome {
    st.save();
    let words = call.tail.as_str().to_ascii_lowercase();
    if words.contains("enabledelayedexpansion") {
        st.delayed = true;
    } else if words.contains("disabledelayedexpansion") {
        st.delayed = false;
    }
    Outcome::silent(Status::True)
}

pub(super) fn goto(st: &mut State, call: &Call<'_>) -> Outcome {
    let text = call.tail.as_str().trim_start_matches(|c: char| c.is_ascii() && is_delimiter(c as u8));
    let label: String = text
        .trim_start_matches(':')
        .chars()
        .take_while(|c| !matches!(c, ' ' | '\t' | ':' | '+' | ',' | ';' | '='))
        .collect();
    let label = label.to_lowercase();
    st.flow = if label == "eof" { Flow::Return } else { Flow::Goto(label) };
    Outcome::silent(Status::True)
}

pub(super) fn exit(st: &mut State, call: &Call<'_>) -> Outcome {
    let leaves_script = call.tail.as_str().to_ascii_lowercase().contains("/b");
    st.flow = if leaves_script { Flow::Return } else { Flow::Exit };
    let zero = call.tail.as_str().split_ascii_whitespace().last().is_none_or(|w| w == "0" || w.starts_with('/'));
    Outcome::silent(if zero { Status::True } else { Status::False })
}

pub(super) fn shift(st: &mut State) -> Outcome {
    if let Some(args) = &mut st.args {
        let args = std::rc::Rc::make_mut(args);
        if !args.is_empty() {
            args.remove(0);
        }
    }
    Outcome::silent(Status::True)
}
