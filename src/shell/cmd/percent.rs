//! `%NAME%` and `!NAME!`: variables put into text.

use super::machine::Cmd;
use super::modifiers;
use super::state::State;
use super::text::Text;
use super::values;
use super::words::WORDS_A_STEP;
use crate::limits::MAX_COMMAND_BYTES;
use crate::shell::{GapKind, Piece, Span, Value};

/// Longest name of a variable with its operation; what is longer is text.
const MAX_NAME: usize = 2_048;

/// Work on a byte of a value that is taken apart, as against one that is copied.
const OPERATION_WORK: usize = 16;

impl Cmd<'_, '_, '_> {
    /// A source line with its `%NAME%` expanded.
    pub(super) fn percent(&mut self, st: &State, line: &Text) -> Text {
        let text = line.as_str();
        if !text.contains('%') {
            return line.clone();
        }
        let mut out = Text::default();
        let mut done = 0;
        let mut at = 0;
        while let Some(p) = text[at..].find('%').map(|i| at + i) {
            if self.host.halted() {
                break;
            }
            let Some((value, end)) = self.percent_at(st, text, p) else {
                at = p + 1;
                continue;
            };
            out.push_part(line, done, p);
            self.push_value(&mut out, &value, line.span(p, end));
            done = end;
            at = end;
            self.bounded(&out);
        }
        out.push_part(line, done, text.len());
        self.host.charge_bytes(out.len());
        out
    }

    /// Text that grows beyond what a command may be is given up.
    fn bounded(&mut self, text: &Text) {
        if text.len() > MAX_COMMAND_BYTES {
            self.host.stop(GapKind::Size);
        }
    }

    /// What stands for the `%…` at byte `p`, and where it ends; `None`: it is text.
    fn percent_at(&mut self, st: &State, text: &str, p: usize) -> Option<(Value, usize)> {
        let rest = &text[p + 1..];
        if self.batch && rest.starts_with('%') {
            return Some((Value::text("%"), p + 2));
        }
        if let Some(args) = &st.args
            && let Some(found) = argument(args, rest)
        {
            if rest.starts_with('*') {
                self.host.charge(args.len() / WORDS_A_STEP);
            }
            let (value, modifiers, len) = found;
            let value = match modifiers {
                Some(m) => modifiers::apply(self, st, &value, m),
                None => value,
            };
            return Some((value, p + 1 + len));
        }
        let close = rest.find('%').filter(|&c| c > 0 && c <= MAX_NAME)?;
        let inner = &rest[..close];
        if inner.contains('\n') {
            return None;
        }
        match self.expression(st, inner) {
            Some(value) => Some((value, p + close + 2)),
            // Batch files have nothing in its place, the prompt leaves it as it is.
            None if self.batch => Some((Value::default(), p + close + 2)),
            None => None,
        }
    }

    /// `!NAME!` where delayed expansion is on.
    pub(super) fn delayed(&mut self, st: &State, text: &Text) -> Text {
        let s = text.as_str();
        if !st.delayed || !s.contains('!') {
            return text.clone();
        }
        let mut out = Text::default();
        let (mut done, mut at) = (0, 0);
        while let Some(p) = s[at..].find('!').map(|i| at + i) {
            let close = s[p + 1..].find('!').filter(|&c| c <= MAX_NAME);
            let (value, end) = match close {
                Some(c) if c > 0 => match self.expression(st, &s[p + 1..p + 1 + c]) {
                    Some(value) => (value, p + c + 2),
                    None => (Value::default(), p + c + 2),
                },
                _ => (Value::default(), p + 1),
            };
            out.push_part(text, done, p);
            self.push_value(&mut out, &value, text.span(p, end));
            done = end;
            at = end;
            self.bounded(&out);
            if self.host.halted() {
                break;
            }
        }
        out.push_part(text, done, s.len());
        self.host.charge_bytes(out.len());
        out
    }

    /// `NAME`, `NAME:~1,2`, `NAME:a=b`; `None` where there is no such variable.
    fn expression(&mut self, st: &State, inner: &str) -> Option<Value> {
        let (name, operation) = match inner.split_once(':') {
            Some((name, operation)) if !name.is_empty() && !operation.is_empty() => (name, Some(operation)),
            _ => (inner, None),
        };
        let value = self.variable(st, name)?;
        let Some(operation) = operation else { return Some(value) };
        self.host.charge_bytes(value.text_len() * OPERATION_WORK);
        Some(match operation.strip_prefix('~') {
            Some(range) => substring(&value, range),
            None => match operation.split_once('=') {
                Some((from, to)) => replaced(&value, from, &self.filled(to)),
                None => value,
            },
        })
    }

    /// A variable's value; names do not tell case apart.
    pub(super) fn variable(&mut self, st: &State, name: &str) -> Option<Value> {
        let upper = name.to_uppercase();
        if let Some(set) = st.var(&upper) {
            return set.clone();
        }
        if upper == "CD" {
            return Some(st.folder());
        }
        if let Some(value) = [name, upper.as_str()].into_iter().find_map(|n| self.host.env(n)) {
            return Some(value);
        }
        self.standard(&upper)
    }

    /// Variables that every Windows session has, or that cmd makes up.
    fn standard(&mut self, upper: &str) -> Option<Value> {
        let home = || self.host.env("USERPROFILE").or_else(|| self.host.world().home().map(Value::text));
        let in_home = |rest: &str| {
            let mut value = home()?;
            value.push_str(rest);
            Some(value)
        };
        let drive = || home()?.known().and_then(|h| h.get(..2).map(Value::text));
        Some(match upper {
            "USERPROFILE" => home()?,
            "HOMEDRIVE" => drive()?,
            "HOMEPATH" => home()?.skip(2),
            "USERNAME" => values::base_name(&home()?)?,
            "APPDATA" => in_home(r"\AppData\Roaming")?,
            "LOCALAPPDATA" => in_home(r"\AppData\Local")?,
            "TEMP" | "TMP" => in_home(r"\AppData\Local\Temp")?,
            "SYSTEMDRIVE" => Value::text("C:"),
            "SYSTEMROOT" | "WINDIR" => Value::text(r"C:\Windows"),
            "COMSPEC" => Value::text(r"C:\Windows\System32\cmd.exe"),
            "PROGRAMFILES" | "PROGRAMW6432" => Value::text(r"C:\Program Files"),
            "PROGRAMFILES(X86)" => Value::text(r"C:\Program Files (x86)"),
            "COMMONPROGRAMFILES" => Value::text(r"C:\Program Files\Common Files"),
            "PROGRAMDATA" | "ALLUSERSPROFILE" => Value::text(r"C:\ProgramData"),
            "PUBLIC" => Value::text(r"C:\Users\Public"),
            "COMPUTERNAME"
            | "USERDOMAIN"
            | "RANDOM"
            | "ERRORLEVEL"
            | "CMDEXTVERSION"
            | "PROCESSOR_ARCHITECTURE"
            | "NUMBER_OF_PROCESSORS" => Value::name(),
            // Their separators are the user's choice.
            "DATE" | "TIME" | "PATH" | "PATHEXT" | "PROMPT" | "CMDCMDLINE" => Value::any(),
            "OS" => Value::text("Windows_NT"),
            _ => return None,
        })
    }

    /// Puts a value into text; a character of plane 15 stands for each unknown part.
    pub(super) fn push_value(&mut self, out: &mut Text, value: &Value, span: Span) {
        for piece in &value.pieces {
            match piece {
                Piece::Text(s) => out.push_all_from(s, span),
                other => {
                    let c = self.hole(other.clone());
                    out.push_all_from(c.encode_utf8(&mut [0; 4]), span);
                }
            }
        }
    }
}

/// `*`, `1`, `~dp0` of a called script: the value, its modifiers and how long the text is.
fn argument<'r>(args: &[Value], rest: &'r str) -> Option<(Value, Option<&'r str>, usize)> {
    if rest.starts_with('*') {
        let mut all = Value::default();
        for (i, arg) in args.iter().skip(1).enumerate() {
            if i > 0 {
                all.push_str(" ");
            }
            all.append(arg.clone());
        }
        return Some((all, None, 1));
    }
    let (modifiers, from) = match rest.strip_prefix('~') {
        Some(more) => {
            let len = more.find(|c: char| !c.is_ascii_alphabetic())?;
            (Some(&more[..len]), len + 1)
        }
        None => (None, 0),
    };
    let digit = rest[from..].chars().next()?.to_digit(10)?;
    let value = args.get(digit as usize).cloned().unwrap_or_default();
    Some((value, modifiers, from + 1))
}

/// `%NAME:~start,length%`
fn substring(value: &Value, range: &str) -> Value {
    let (start, len) = match range.split_once(',') {
        Some((start, len)) => (start, Some(len)),
        None => (range, None),
    };
    let number = |s: &str| s.trim().parse::<i64>().ok();
    let Some(text) = value.known() else { return cut(value) };
    let Some(start) = number(start) else { return value.clone() };
    let chars: Vec<char> = text.chars().collect();
    let count = i64::try_from(chars.len()).unwrap_or(i64::MAX);
    let from = if start < 0 { (count + start).max(0) } else { start.min(count) };
    let to = match len.map(number) {
        None => count,
        Some(None) => return cut(value),
        Some(Some(n)) if n < 0 => (count + n).max(from),
        Some(Some(n)) => from.saturating_add(n).min(count),
    };
    let (from, to) = (usize::try_from(from).unwrap_or(0), usize::try_from(to).unwrap_or(0));
    Value::text(chars[from..to.max(from)].iter().collect::<String>())
}

/// Some part of a value that is not all known: dates and times are taken apart like this, and what comes out is a
/// number.
fn cut(value: &Value) -> Value {
    match value.pieces.as_slice() {
        [Piece::Any | Piece::Name] => Value::name(),
        _ => Value::any(),
    }
}

/// `%NAME:from=to%`; case does not count, and `*from` takes all up to it.
fn replaced(value: &Value, from: &str, to: &Value) -> Value {
    let Some(text) = value.known() else {
        return match value.pieces.as_slice() {
            // `%DATE:/=-%`
            [Piece::Any] if matches!(from, "/" | "\\" | ":" | "." | "-" | " " | ",") => Value::name(),
            [Piece::Name] => Value::name(),
            _ => Value::any(),
        };
    };
    let (text, lower) = (text.as_ref(), text.to_ascii_lowercase());
    let (all, from) = match from.strip_prefix('*') {
        Some(rest) => (true, rest.to_ascii_lowercase()),
        None => (false, from.to_ascii_lowercase()),
    };
    if from.is_empty() {
        return value.clone();
    }
    let mut out = Value::default();
    if all {
        if let Some(at) = lower.find(&from) {
            out.append(to.clone());
            out.push_str(&text[at + from.len()..]);
            return out;
        }
        return value.clone();
    }
    let mut at = 0;
    while let Some(i) = lower[at..].find(&from).map(|i| at + i) {
        out.push_str(&text[at..i]);
        out.append(to.clone());
        at = i + from.len();
        if values::is_too_long(&out) {
            return Value::any();
        }
    }
    out.push_str(&text[at..]);
    out
}
