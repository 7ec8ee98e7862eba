//! Parameter expansion.

use super::expand::{Fields, Mode};
use super::machine::{Eval, Io, Reading};
use super::operate::Operation;
use super::state::{State, Var};
use super::values::{self, Stream};
use crate::shell::bash::ast::{Param, ParamOp, Part, Word};
use crate::shell::{Piece, Value};

/// What a parameter holds before its operation.
enum Held {
    Unset,
    One(Value),
    /// `@` or `*`.
    List(Vec<Value>),
}

/// Whether this is `$@`, `${x[@]}` or the like, which may be any number of fields.
pub(super) fn is_list(param: &Param) -> bool {
    let index = param.index.as_ref().and_then(|w| match w.parts.as_slice() {
        [Part::Bare(s) | Part::Quoted(s)] => Some(s.as_str()),
        _ => None,
    });
    (param.name == "@" || index == Some("@")) && param.op != ParamOp::Length
}

/// `$*`, `${a[*]}`: one word.
fn is_star(param: &Param) -> bool {
    let index = param.index.as_ref().is_some_and(|w| matches!(w.parts.as_slice(), [Part::Bare(s)] if s == "*"));
    (param.name == "*" || index) && param.op != ParamOp::Length
}

impl Eval<'_> {
    /// Expands `param` into `fields`.
    pub(super) fn param(&mut self, st: &mut State, param: &Param, quoted: bool, mode: Mode, fields: &mut Fields) {
        if !self.charge(0) {
            return;
        }
        let mut held = self.held(st, param);
        if is_star(param) && (quoted || mode == Mode::One) {
            held = Self::starred(st, held);
        }
        match &param.op {
            ParamOp::Default { word, colon } | ParamOp::Error { word, colon } => {
                if is_missing(&held, *colon) {
                    if matches!(param.op, ParamOp::Default { .. }) {
                        self.operand(st, word, quoted, mode, fields);
                    }
                } else {
                    self.add_held(st, held, quoted, mode, fields);
                }
            }
            ParamOp::Alternative { word, colon } => {
                if !is_missing(&held, *colon) {
                    self.operand(st, word, quoted, mode, fields);
                }
            }
            ParamOp::AssignDefault { word, colon } => {
                if is_missing(&held, *colon) {
                    let value = self.expand_value(st, word);
                    st.set(&param.name, Var::one(value.clone()), self.world);
                    self.add(st, value, quoted, mode, fields);
                } else {
                    self.add_held(st, held, quoted, mode, fields);
                }
            }
            ParamOp::Plain => self.add_held(st, held, quoted, mode, fields),
            ParamOp::Length => {
                let value = match held {
                    Held::Unset => Value::text("0"),
                    Held::One(v) => v.known().map_or_else(Value::name, |s| Value::text(s.chars().count().to_string())),
                    Held::List(items) => Value::text(items.len().to_string()),
                };
                self.add(st, value, quoted, mode, fields);
            }
            ParamOp::Names => {
                let value = Value::name();
                self.add(st, value, quoted, mode, fields);
            }
            ParamOp::Substring { offset, length } => self.substring(st, held, (offset, length), quoted, mode, fields),
            op => {
                let held = match held {
                    Held::Unset => Held::One(Value::default()),
                    other => other,
                };
                let held = self.apply(st, held, op);
                self.add_held(st, held, quoted, mode, fields);
            }
        }
    }

    /// The operand of `${x:-w}`: part of the word that it stands in.
    fn operand(&mut self, st: &mut State, word: &Word, quoted: bool, mode: Mode, fields: &mut Fields) {
        if quoted || mode == Mode::One || word.parts.iter().any(|p| matches!(p, Part::Bare(s) if s.starts_with('~'))) {
            let value = if quoted { self.expand_quoted(st, word) } else { self.expand_value(st, word) };
            if quoted || !value.is_empty() {
                for piece in value.pieces {
                    fields.push(piece, !quoted);
                }
            }
            return;
        }
        for part in &word.parts {
            match part {
                Part::Bare(text) => {
                    let value = self.literal(text);
                    self.add(st, value, false, mode, fields);
                }
                other => self.part(st, other, false, mode, fields),
            }
        }
    }

    fn add_held(&mut self, st: &mut State, held: Held, quoted: bool, mode: Mode, fields: &mut Fields) {
        match held {
            Held::Unset => {}
            Held::One(value) => self.add(st, value, quoted, mode, fields),
            Held::List(items) => {
                for (i, item) in items.into_iter().enumerate() {
                    if i > 0 {
                        if mode == Mode::One {
                            fields.push(Piece::Text(" ".to_owned()), false);
                        } else {
                            fields.cut();
                        }
                    }
                    self.add(st, item, quoted, mode, fields);
                }
            }
        }
    }

    /// The elements joined by the first character of `IFS`.
    fn starred(st: &State, held: Held) -> Held {
        let Held::List(items) = held else { return held };
        if items.is_empty() {
            return Held::List(items);
        }
        let separator: String = Self::separators(st).chars().take(1).collect();
        let mut out = Value::default();
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                out.push_str(&separator);
            }
            out.append(item);
        }
        Held::One(values::capped(out))
    }

    /// The value of the parameter itself.
    fn held(&mut self, st: &mut State, param: &Param) -> Held {
        let index = param.index.as_ref().map(|word| self.expand_value(st, word));
        let mut name = param.name.clone();
        if param.indirect {
            let Some(target) = self.variable(st, &name) else { return Held::Unset };
            match target.known() {
                Some(known) => name = known.into_owned(),
                None => return Held::One(Value::any()),
            }
        }
        let index = index.as_ref().map(|v| v.known().map(std::borrow::Cow::into_owned));
        match (name.as_str(), index) {
            ("@" | "*", _) => Held::List(st.params.to_vec()),
            (_, Some(Some(key))) if key == "@" || key == "*" => match st.var(&name).map(|s| &s.var) {
                Some(Var::Array(items)) => {
                    let items: Vec<Value> = items.iter().map(|(_, v)| v.clone()).collect();
                    self.charge(items.len() / 16);
                    Held::List(items)
                }
                _ => match self.variable(st, &name) {
                    Some(value) => Held::List(vec![value]),
                    None => Held::List(Vec::new()),
                },
            },
            (_, Some(key)) => self.element(st, &name, key.as_deref()),
            _ => self.variable(st, &name).map_or(Held::Unset, Held::One),
        }
    }

    fn element(&mut self, st: &mut State, name: &str, key: Option<&str>) -> Held {
        match st.var(name).map(|s| &s.var) {
            Some(Var::Array(items)) => {
                let all: Vec<Value> = items.iter().map(|(_, v)| v.clone()).collect();
                let Some(key) = key else { return Held::One(values::join_all(&all)) };
                if let Some((_, v)) = items.iter().find(|(k, _)| k == key) {
                    return Held::One(v.clone());
                }
                let key = key.to_owned();
                let number = self.arith_text(st, &key);
                match number {
                    Some(n) if n < 0 => {
                        let at = usize::try_from(-n).ok().and_then(|n| all.len().checked_sub(n));
                        at.and_then(|i| all.get(i).cloned()).map_or(Held::Unset, Held::One)
                    }
                    Some(n) => {
                        let n = n.to_string();
                        match st.var(name).map(|s| &s.var) {
                            Some(Var::Array(items)) => {
                                items.iter().find(|(k, _)| *k == n).map_or(Held::Unset, |(_, v)| Held::One(v.clone()))
                            }
                            _ => Held::Unset,
                        }
                    }
                    None => Held::One(values::join_all(&all)),
                }
            }
            _ if key == Some("0") => self.variable(st, name).map_or(Held::Unset, Held::One),
            _ if name == "PIPESTATUS" || name == "BASH_REMATCH" || name == "BASH_SOURCE" => Held::One(Value::any()),
            Some(Var::Scalar(_)) => Held::One(Value::any()),
            _ => Held::Unset,
        }
    }

    /// The value of a variable or special parameter as `$name` gives it; `None` where it is not set.
    pub(super) fn variable(&mut self, st: &mut State, name: &str) -> Option<Value> {
        if let Some(slot) = st.var(name) {
            let Var::Scalar(all) = &slot.var else { return slot.var.joined() };
            if let [one] = all.as_slice() {
                return Some(one.clone());
            }
            let picked = match &mut self.reading {
                Reading::Choosing(choices) => all.get(choices.pick(all.len())).cloned(),
                Reading::Joined => None,
            };
            return match picked {
                Some(value) => {
                    st.set(name, Var::one(value.clone()), self.world);
                    Some(value)
                }
                None => Some(values::join_all(all)),
            };
        }
        special(st, name).or_else(|| match name {
            "PWD" => Some(st.folder()),
            "OLDPWD" => self.world.env("OLDPWD").map(Value::text),
            "HOME" => self.world.env("HOME").or_else(|| self.world.home()).map(Value::text),
            _ => self.world.env(name).map(Value::text).or_else(|| unset_but_known(name)),
        })
    }

    /// Operations on each value.
    fn apply(&mut self, st: &mut State, held: Held, op: &ParamOp) -> Held {
        let operation = match op {
            ParamOp::RemovePrefix { pattern, longest } => Operation::Prefix(self.pattern(st, pattern), *longest),
            ParamOp::RemoveSuffix { pattern, longest } => Operation::Suffix(self.pattern(st, pattern), *longest),
            ParamOp::Replace { pattern, with, all, anchor } => {
                let pattern = self.pattern(st, pattern);
                Operation::Replace(pattern, self.expand_value(st, with), *all, *anchor)
            }
            ParamOp::Case { upper, all } => Operation::Case(*upper, *all),
            ParamOp::Transform('P') => return self.as_prompt(st, held),
            ParamOp::Transform(letter) => Operation::Transform(*letter),
            _ => return held,
        };
        match held {
            Held::Unset => Held::Unset,
            Held::One(value) => Held::One(self.operate(&value, &operation)),
            Held::List(items) => Held::List(items.iter().map(|v| self.operate(v, &operation)).collect()),
        }
    }

    /// `${x@P}`: the text is expanded as a prompt is, with its substitutions.
    fn as_prompt(&mut self, st: &mut State, held: Held) -> Held {
        let Held::One(value) = held else { return held };
        if !value.prefix().contains(['$', '`', '\\']) {
            return Held::One(value);
        }
        let mut text = Value::text("printf %s \"");
        text.append(value);
        text.push_str("\"");
        let span = self.outer.unwrap_or_default();
        let outcome = self.run_text(&mut st.clone(), &text, span, &Io::new(Stream::Unknown, true));
        Held::One(if text.prefix().contains('\\') { Value::any() } else { outcome.out.whole() })
    }

    fn substring(
        &mut self,
        st: &mut State,
        held: Held,
        (offset, length): (&Word, &Option<Word>),
        quoted: bool,
        mode: Mode,
        fields: &mut Fields,
    ) {
        let from = self.arith_number(st, offset);
        let count = length.as_ref().map(|w| self.arith_number(st, w));
        let held = match held {
            Held::Unset => Held::Unset,
            Held::List(items) => Held::List(match (from, count) {
                (Some(from), None | Some(Some(_))) => {
                    // `${@:1}` counts from $0.
                    let from = usize::try_from(from.max(0)).unwrap_or(0);
                    let skip = if items == *st.params { from.saturating_sub(1) } else { from };
                    let take = count.flatten().map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(0));
                    items.into_iter().skip(skip).take(take).collect()
                }
                _ => vec![values::join_all(&items)],
            }),
            Held::One(value) => Held::One(match (value.known(), from, count) {
                (Some(s), Some(from), None | Some(Some(_))) => Value::text(cut(&s, from, count.flatten())),
                _ if values::is_plain_name(&value) => Value::name(),
                _ => Value::any(),
            }),
        };
        self.add_held(st, held, quoted, mode, fields);
    }
}

fn is_missing(held: &Held, colon: bool) -> bool {
    match held {
        Held::Unset => true,
        Held::One(v) => colon && v.is_empty(),
        Held::List(items) => items.is_empty() || colon && items.iter().all(Value::is_empty),
    }
}

fn special(st: &State, name: &str) -> Option<Value> {
    if let Ok(n) = name.parse::<usize>() {
        return match n {
            0 => Some(st.name.clone()),
            n => st.params.get(n - 1).cloned(),
        };
    }
    Some(match name {
        "#" => Value::text(st.params.len().to_string()),
        "?" | "$" | "!" | "-" | "RANDOM" | "SRANDOM" | "SECONDS" | "LINENO" | "EPOCHSECONDS" | "EPOCHREALTIME"
        | "BASHPID" | "PPID" | "UID" | "EUID" | "SHLVL" | "BASH_SUBSHELL" => Value::name(),
        "_" => st.last_word.clone(),
        _ => return None,
    })
}

/// Variables that bash itself sets.
fn unset_but_known(name: &str) -> Option<Value> {
    Some(match name {
        "BASH" => Value::text("/bin/bash"),
        "HOSTNAME" | "HOSTTYPE" | "OSTYPE" | "MACHTYPE" | "BASH_VERSION" | "COLUMNS" | "LINES" | "GROUPS" | "REPLY" => {
            Value::name()
        }
        "IFS" => Value::text(" \t\n"),
        "BASH_SOURCE" => Value::any(),
        _ => return None,
    })
}

fn cut(s: &str, from: i64, count: Option<i64>) -> String {
    let chars: Vec<char> = s.chars().collect();
    let len = i64::try_from(chars.len()).unwrap_or(i64::MAX);
    let start = if from < 0 { len.saturating_add(from) } else { from };
    if start < 0 || start > len {
        return String::new();
    }
    let end = match count {
        None => len,
        Some(n) if n < 0 => len.saturating_add(n),
        Some(n) => start.saturating_add(n).min(len),
    };
    let range = usize::try_from(start).unwrap_or(0)..usize::try_from(end.max(start)).unwrap_or(0);
    chars.get(range).map(|c| c.iter().collect()).unwrap_or_default()
}
