//! What can be wrong with a configuration, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::settings::Key;
use super::suggest::nearest_key;

/// Characters of the operator's own text that a message repeats.
const MAX_ECHO: usize = 64;

/// What is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file is there but can't be read.
    #[error("can't be read: {source}")]
    Unreadable {
        /// Why.
        source: io::Error,
    },
    /// A folder, pipe or device stands in for the file.
    #[error("is not a regular file")]
    NotAFile,
    /// Beyond [`crate::limits::MAX_CONFIG_BYTES`].
    #[error("is larger than {} KiB", crate::limits::MAX_CONFIG_BYTES >> 10)]
    TooLarge,
    /// Not UTF-8.
    #[error("is not UTF-8 text")]
    Encoding {
        /// The first line that is not, from 1.
        line: u32,
    },
    /// Not TOML.
    #[error("{message}")]
    Syntax {
        /// The parser's words.
        message: String,
    },
    /// No such setting.
    #[error("unknown key {}", Echo(key))]
    UnknownKey {
        /// As it was written.
        key: String,
        /// The nearest setting, if one is near.
        nearest: Option<&'static str>,
    },
    /// One setting is given twice, by its own name and by the published plugin's.
    #[error("{} sets \"{name}\", which {} sets too", Echo(key), First(*first_line))]
    Duplicate {
        /// As it was written the second time.
        key: String,
        /// The setting.
        name: &'static str,
        /// Where it was set first; 0 in the environment, which has no lines.
        first_line: u32,
    },
    /// A value of another type than the setting's.
    #[error("{} must be {expected}, not {found}", Echo(key))]
    Type {
        /// As it was written.
        key: String,
        /// What the setting takes.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A value of the right type that the setting does not take.
    #[error("{} does not take {}", Echo(key), Echo(value))]
    Value {
        /// As it was written.
        key: String,
        /// As it was written.
        value: String,
        /// What the setting takes.
        expected: String,
        /// The nearest accepted word, if one is near.
        nearest: Option<&'static str>,
    },
    /// A number out of range.
    #[error("{} must be from {min} to {max}, not {}", Echo(key), Echo(value))]
    Range {
        /// As it was written.
        key: String,
        /// As it was written.
        value: String,
        /// Smallest.
        min: u32,
        /// Largest.
        max: u32,
    },
    /// A path that can't be used.
    #[error("{}: {} {why}", Echo(key), Echo(path))]
    Path {
        /// As it was written.
        key: String,
        /// As it was written.
        path: String,
        /// The end of a sentence that starts with the path.
        why: &'static str,
    },
}

impl Problem {
    /// No setting is called `name`.
    pub(super) fn unknown_key(name: &str) -> Self {
        Self::UnknownKey { key: name.to_owned(), nearest: nearest_key(name).map(Key::name) }
    }
}

/// Text of others in a message: quoted, on one line, short.
struct Echo<'a>(&'a str);

impl fmt::Display for Echo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars().take(MAX_ECHO) {
            // A path's back-slashes stay as they are.
            if c == '\\' || c == '"' { write!(f, "{c}")? } else { write!(f, "{}", c.escape_debug())? }
        }
        f.write_str(if self.0.chars().nth(MAX_ECHO).is_some() { "…\"" } else { "\"" })
    }
}

/// Where the first of two values stands.
struct First(u32);

impl fmt::Display for First {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.write_str("another variable") } else { write!(f, "line {}", self.0) }
    }
}

/// Where it is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    File { path: PathBuf, line: u32, column: u32 },
    Variable(String),
    Argument,
}

/// A configuration that can't be used. For the gate this means closed.
#[derive(Debug, thiserror::Error)]
#[error("{}{problem}", PlaceText(place))]
pub struct ConfigError {
    place: Box<Place>,
    #[source]
    problem: Box<Problem>,
}

struct PlaceText<'a>(&'a Place);

impl fmt::Display for PlaceText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Place::File { path, line, .. } => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                write!(f, "{}", name.display())?;
                if *line == 0 { f.write_str(" ") } else { write!(f, ":{line}: ") }
            }
            Place::Variable(name) => write!(f, "{name}: "),
            Place::Argument => Ok(()),
        }
    }
}

impl ConfigError {
    /// About a file as a whole.
    pub(super) fn file(path: &Path, problem: Problem) -> Self {
        let line = if let Problem::Encoding { line } = problem { line } else { 0 };
        Self::place(Place::File { path: path.to_owned(), line, column: line.min(1) }, problem)
    }

    /// About the byte `offset` of `text`, read from `path`.
    pub(super) fn at(path: &Path, text: &str, offset: usize, problem: Problem) -> Self {
        let (line, column) = position(text, offset);
        Self::place(Place::File { path: path.to_owned(), line, column }, problem)
    }

    /// About an environment variable.
    pub(super) fn variable(name: String, problem: Problem) -> Self {
        Self::place(Place::Variable(name), problem)
    }

    /// About something that was typed.
    pub(super) fn argument(problem: Problem) -> Self {
        Self::place(Place::Argument, problem)
    }

    /// A key that was typed and is none.
    pub fn unknown_key(name: &str) -> Self {
        Self::argument(Problem::unknown_key(name))
    }

    fn place(place: Place, problem: Problem) -> Self {
        Self { place: Box::new(place), problem: Box::new(problem) }
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The file, where it is about one.
    pub fn path(&self) -> Option<&Path> {
        match &*self.place {
            Place::File { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The environment variable, where it is about one.
    pub fn variable_name(&self) -> Option<&str> {
        match &*self.place {
            Place::Variable(name) => Some(name),
            _ => None,
        }
    }

    /// The line, from 1, where it is about one.
    pub fn line(&self) -> Option<u32> {
        match &*self.place {
            Place::File { line, .. } if *line > 0 => Some(*line),
            _ => None,
        }
    }

    /// The column in characters, from 1, where it is about a line.
    pub fn column(&self) -> Option<u32> {
        match &*self.place {
            Place::File { line, column, .. } if *line > 0 => Some(*column),
            _ => None,
        }
    }

    /// The key as it was written, where it is about one.
    pub fn key(&self) -> Option<&str> {
        match &*self.problem {
            Problem::UnknownKey { key, .. }
            | Problem::Duplicate { key, .. }
            | Problem::Type { key, .. }
            | Problem::Value { key, .. }
            | Problem::Range { key, .. }
            | Problem::Path { key, .. } => Some(key),
            _ => None,
        }
    }

    /// The nearest known key or value, if one is near.
    pub fn nearest(&self) -> Option<&'static str> {
        match &*self.problem {
            Problem::UnknownKey { nearest, .. } | Problem::Value { nearest, .. } => *nearest,
            _ => None,
        }
    }

    /// A stable code for scripts.
    pub fn code(&self) -> &'static str {
        match &*self.problem {
            Problem::Unreadable { .. } | Problem::NotAFile => "config_unreadable",
            Problem::TooLarge => "config_too_large",
            Problem::Encoding { .. } => "config_encoding",
            Problem::Syntax { .. } => "config_syntax",
            Problem::UnknownKey { .. } => "config_unknown_key",
            Problem::Duplicate { .. } => "config_duplicate",
            // A relative path is a value of the wrong type: the setting takes absolute ones.
            Problem::Type { .. } | Problem::Path { .. } => "config_type",
            Problem::Value { .. } => "config_value",
            Problem::Range { .. } => "config_range",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        if let Some(nearest) = self.nearest() {
            return format!("did you mean \"{nearest}\"?");
        }
        match &*self.problem {
            Problem::Unreadable { .. } => "make it readable for this user, or remove it".to_owned(),
            Problem::NotAFile | Problem::TooLarge => "replace it by a text file of settings, or remove it".to_owned(),
            Problem::Encoding { .. } => "save it as UTF-8".to_owned(),
            Problem::Syntax { .. } => "every line is `key = value`, strings in double quotes".to_owned(),
            Problem::UnknownKey { .. } => "`wsguard config list` names every setting".to_owned(),
            Problem::Duplicate { .. } => "keep one of the two".to_owned(),
            Problem::Value { expected, .. } => format!("it takes {expected}"),
            Problem::Type { .. } | Problem::Range { .. } => {
                "correct the value, or remove the line for the default".to_owned()
            }
            Problem::Path { .. } => "give an absolute path, or one that starts with ~/".to_owned(),
        }
    }

    /// Problem, hint and the command that shows everything, on one line: what a refused agent's operator reads.
    pub fn one_line(&self) -> String {
        let hint = self.hint();
        let end = if hint.ends_with('?') { "" } else { ";" };
        format!("{self}; {hint}{end} run `wsguard config check`")
    }
}

/// Line and column (characters) of a byte offset, both from 1.
pub(super) fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().filter(|c| *c != '\u{feff}').count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}
