//! tmux and screen: several commands in one call, and text that is typed into a shell.

use super::act::{Act, Arg};
use super::job::Job;
use super::table;
use crate::limits::MAX_PARALLEL_INPUTS;
use crate::shell::bash;
use crate::shell::{Dialect, Value};

/// `tmux new -d \; split-window \; send-keys …`: each command by itself. False where there is only one.
pub(super) fn sequence(job: &mut Job<'_>, args: &[Arg]) -> bool {
    let ends = |a: &Arg| a.value.known().is_some_and(|v| v == ";" || v.ends_with(';') && !v.ends_with("\\;"));
    if !args.iter().any(ends) {
        return false;
    }
    let Some(row) = table::find("tmux") else { return false };
    for command in args.split_inclusive(ends).take(MAX_PARALLEL_INPUTS) {
        let mut command = command.to_vec();
        if let Some(last) = command.pop_if(|a| ends(a)) {
            let text = last.value.known().unwrap_or_default().trim_end_matches(';').to_owned();
            if !text.is_empty() {
                command.push(Arg { value: Value::text(text), span: last.span });
            }
        }
        job.base = Value::default();
        job.row(row, &command);
    }
    true
}

/// Keys by name that `send-keys` presses; those that end a line first.
const KEYS: [&str; 24] = [
    "Enter", "C-m", "KPEnter", "C-j", "C-c", "C-d", "C-u", "C-l", "C-z", "C-a", "C-e", "C-k", "C-w", "C-r", "Escape",
    "Tab", "Up", "Down", "Left", "Right", "BSpace", "Home", "End", "q",
];
/// How many of them end a line.
const ENDS: usize = 4;

/// What `send-keys` and `screen -X stuff` type. What reads it is taken for a shell where the text begins with a
/// program's name and is a command; it may be prose for somebody else.
pub(super) fn typed(job: &mut Job<'_>, first: &Arg, rest: &[Arg]) {
    let mut text = Value::default();
    for arg in std::iter::once(first).chain(rest) {
        let known = arg.value.known();
        match KEYS.iter().position(|k| known.as_deref() == Some(*k)) {
            Some(at) if at < ENDS => text.push_str("\n"),
            Some(_) => {}
            None if known.as_deref() == Some("Space") => text.push_str(" "),
            None => text.append(lines(&arg.value)),
        }
    }
    let word = text.prefix().split_ascii_whitespace().next().unwrap_or_default();
    let is_command =
        !word.is_empty() && (word == "cd" || table::find(word).is_some()) && bash::parse(text.prefix()).gaps.is_empty();
    if is_command {
        let act = Act::Shell { text, dialect: Dialect::Bash, args: Vec::new(), span: first.span, cwd: None };
        job.acts.push(act);
    }
}

/// The ends of lines as `stuff` spells them.
fn lines(value: &Value) -> Value {
    let end = Value::text("\n");
    value.replace("\\n", &end).replace("\\r", &end).replace("^M", &end).replace("\\015", &end).replace("\\012", &end)
}
