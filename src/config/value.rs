//! A setting's value, from TOML or from text.

use std::borrow::Cow;

use toml::de::DeValue;

use super::error::Problem;
use super::paths;
use super::policy::{Action, Choice, Fail, ShellMode};
use super::profile::PROFILES;
use super::settings::{Key, Kind};
use super::suggest::nearest_word;
use crate::limits::MAX_CONFIG_LIST;
use crate::path::Model;

/// A checked value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A switch.
    Bool(bool),
    /// The gate's switch, and the action where the same word sets it too.
    Gate(bool, Option<Action>),
    /// A shell mode.
    Shell(ShellMode),
    /// An action.
    Action(Action),
    /// A failure mode.
    Fail(Fail),
    /// A choice.
    Choice(Choice),
    /// A number within its setting's range.
    Int(u32),
    /// Drives or absolute normal folders.
    List(Vec<String>),
    /// An absolute normal folder, or a profile's name.
    Text(String),
}

/// What values are understood against.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The rules of paths.
    pub model: Model,
    /// The environment.
    pub env: &'a dyn Fn(&str) -> Option<String>,
}

impl Context<'_> {
    /// The user's home folder as the environment names it; absolute.
    pub(super) fn home(&self) -> Option<String> {
        let name = match self.model {
            Model::Posix => "HOME",
            Model::Windows => "USERPROFILE",
        };
        (self.env)(name).filter(|home| self.model.is_absolute(home)).map(|home| self.model.normalize(&home))
    }
}

/// A setting as it was written.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    /// The setting.
    pub key: Key,
    /// Its spelling.
    pub name: &'a str,
}

/// The value that `value` means for `key`.
pub(super) fn from_toml(key: Written<'_>, value: &DeValue<'_>, context: &Context<'_>) -> Result<Value, Problem> {
    match (key.key.kind(), value) {
        (Kind::Bool, DeValue::Boolean(b)) => Ok(Value::Bool(*b)),
        (Kind::Gate, DeValue::Boolean(b)) => Ok(Value::Gate(*b, None)),
        (Kind::Int { min, max }, DeValue::Integer(i)) => {
            number(key, u32::from_str_radix(i.as_str(), i.radix()).ok(), i.as_str(), min, max)
        }
        (kind @ (Kind::Drives | Kind::Folders | Kind::Patterns), DeValue::Array(items)) => {
            let mut texts = Vec::with_capacity(items.len().min(MAX_CONFIG_LIST));
            for item in items {
                let DeValue::String(text) = item.get_ref() else { return Err(wrong_type(key, item.get_ref())) };
                texts.push(text.as_ref());
            }
            list(key, kind, &texts, context)
        }
        (kind, DeValue::String(text)) => match word(key, kind, text, context) {
            Some(value) => value,
            None => Err(wrong_type(key, value)),
        },
        _ => Err(wrong_type(key, value)),
    }
}

/// The value that the plain text `text` means for `key`: an environment variable.
pub(super) fn from_text(key: Written<'_>, text: &str, context: &Context<'_>) -> Result<Value, Problem> {
    match key.key.kind() {
        Kind::Bool => switch(text).map(Value::Bool).ok_or_else(|| not_taken(key, text, SWITCHES, &["true", "false"])),
        Kind::Gate => match switch(text) {
            Some(on) => Ok(Value::Gate(on, None)),
            None => gate(key, text),
        },
        Kind::Int { min, max } => number(key, text.parse().ok(), text, min, max),
        kind @ (Kind::Drives | Kind::Folders | Kind::Patterns) => {
            let parts: Vec<&str> = split_list(text, context.model).collect();
            list(key, kind, &parts, context)
        }
        kind => word(key, kind, text, context).unwrap_or_else(|| Err(not_taken(key, text, "another value", &[]))),
    }
}

/// The items of a list in a variable, which are separated as the platform separates those of PATH.
pub(super) fn split_list(text: &str, model: Model) -> impl Iterator<Item = &str> {
    let separator = match model {
        Model::Posix => ':',
        Model::Windows => ';',
    };
    text.split(separator).filter(|part| !part.is_empty())
}

const SWITCHES: &str = "true or false";

fn switch(text: &str) -> Option<bool> {
    let is = |words: &[&str]| words.iter().any(|w| text.eq_ignore_ascii_case(w));
    match () {
        () if is(&["true", "1", "on", "yes"]) => Some(true),
        () if is(&["false", "0", "off", "no"]) => Some(false),
        () => None,
    }
}

/// The kinds that are spelled as one string; `None` for the others.
fn word(key: Written<'_>, kind: Kind, text: &str, context: &Context<'_>) -> Option<Result<Value, Problem>> {
    fn one<T>(
        key: Written<'_>,
        text: &str,
        found: Option<T>,
        wrap: fn(T) -> Value,
        words: &'static str,
    ) -> Result<Value, Problem> {
        found.map(wrap).ok_or_else(|| {
            let list: Vec<&str> = words.split(", ").map(|w| w.trim_matches('"')).collect();
            not_taken(key, text, words, &list)
        })
    }
    Some(match kind {
        Kind::Gate => gate(key, text),
        Kind::Shell => one(key, text, ShellMode::from_word(text), Value::Shell, ShellMode::WORDS),
        Kind::Action => one(key, text, Action::from_word(text), Value::Action, Action::WORDS),
        Kind::Fail => one(key, text, Fail::from_word(text), Value::Fail, Fail::WORDS),
        Kind::Choice => one(key, text, Choice::from_word(text), Value::Choice, Choice::WORDS),
        Kind::Profile if PROFILES.contains(&text) => Ok(Value::Text(text.to_owned())),
        Kind::Profile => Err(not_taken(key, text, &PROFILES.join(", "), PROFILES)),
        Kind::Folder => paths::folder(text, context).map(Value::Text).map_err(|why| bad_path(key, text, why)),
        Kind::Bool | Kind::Int { .. } | Kind::Drives | Kind::Folders | Kind::Patterns => return None,
    })
}

fn gate(key: Written<'_>, text: &str) -> Result<Value, Problem> {
    match text {
        "on" => Ok(Value::Gate(true, None)),
        "off" => Ok(Value::Gate(false, None)),
        _ => match Action::from_word(text) {
            Some(action) => Ok(Value::Gate(true, Some(action))),
            None => Err(not_taken(
                key,
                text,
                "true, false, \"on\", \"off\", \"deny\", \"ask\" or \"warn\"",
                &["on", "off", "deny", "ask", "warn"],
            )),
        },
    }
}

fn number(key: Written<'_>, value: Option<u32>, text: &str, min: u32, max: u32) -> Result<Value, Problem> {
    match value {
        Some(n) if (min..=max).contains(&n) => Ok(Value::Int(n)),
        _ => Err(Problem::Range { key: key.name.to_owned(), value: text.to_owned(), min, max }),
    }
}

fn list(key: Written<'_>, kind: Kind, texts: &[&str], context: &Context<'_>) -> Result<Value, Problem> {
    if texts.len() > MAX_CONFIG_LIST {
        let found = "a list of more than 256 items";
        return Err(Problem::Type { key: key.name.to_owned(), expected: expected(kind), found });
    }
    let mut items: Vec<String> = Vec::with_capacity(texts.len());
    for text in texts {
        let item = match kind {
            Kind::Drives => paths::drive(text),
            Kind::Patterns => paths::pattern(text, context),
            _ => paths::folder(text, context),
        }
        .map_err(|why| bad_path(key, text, why))?;
        if !items.contains(&item) {
            items.push(item);
        }
    }
    Ok(Value::List(items))
}

fn bad_path(key: Written<'_>, path: &str, why: &'static str) -> Problem {
    Problem::Path { key: key.name.to_owned(), path: path.to_owned(), why }
}

fn not_taken(key: Written<'_>, text: &str, expected: &str, words: &[&'static str]) -> Problem {
    Problem::Value {
        key: key.name.to_owned(),
        value: text.to_owned(),
        expected: expected.to_owned(),
        nearest: nearest_word(text, words),
    }
}

fn wrong_type(key: Written<'_>, value: &DeValue<'_>) -> Problem {
    let found = match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    Problem::Type { key: key.name.to_owned(), expected: expected(key.key.kind()), found }
}

/// What a kind takes, as the middle of a sentence.
pub(super) const fn expected(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "true or false",
        Kind::Gate => "true, false, \"on\", \"off\", \"deny\", \"ask\" or \"warn\"",
        Kind::Int { .. } => "a whole number",
        Kind::Drives => "a list of drive letters and mount points in quotes",
        Kind::Folders => "a list of absolute paths in quotes",
        Kind::Patterns => "a list of names and absolute paths in quotes",
        Kind::Folder => "an absolute path in quotes",
        Kind::Shell | Kind::Action | Kind::Fail | Kind::Choice | Kind::Profile => "a word in quotes",
    }
}

impl Value {
    /// The value as TOML text.
    pub fn to_toml(&self) -> String {
        match self {
            Self::Bool(b) | Self::Gate(b, None) => b.to_string(),
            Self::Gate(_, Some(action)) => quote(action.word()).into_owned(),
            Self::Shell(v) => quote(v.word()).into_owned(),
            Self::Action(v) => quote(v.word()).into_owned(),
            Self::Fail(v) => quote(v.word()).into_owned(),
            Self::Choice(v) => quote(v.word()).into_owned(),
            Self::Int(n) => n.to_string(),
            Self::List(items) => {
                let items: Vec<Cow<'_, str>> = items.iter().map(|item| quote(item)).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Text(text) => quote(text).into_owned(),
        }
    }
}

/// A TOML string: literal where it can be, so that back-slashes stay readable.
fn quote(text: &str) -> Cow<'_, str> {
    let plain = |c: char| !c.is_control() && c != '"' && c != '\\';
    if text.chars().all(plain) {
        return Cow::Owned(format!("\"{text}\""));
    }
    if text.chars().all(|c| !c.is_control() && c != '\'') {
        return Cow::Owned(format!("'{text}'"));
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.extend(format!("\\u{:04X}", u32::from(c)).chars()),
            c => out.push(c),
        }
    }
    out.push('"');
    Cow::Owned(out)
}
