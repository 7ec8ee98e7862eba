//! The cases, from the text that holds them.

use super::text::unescape;
use crate::path::guard::Refusal;

/// Version of the corpus. It grows when a case is added or changed.
pub const VERSION: u32 = 1;

/// The corpus as text; its head says how it is read.
const TEXT: &str = include_str!("cases.txt");

/// A kind of hazard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Stable name.
    pub name: &'static str,
    /// What makes it one, for people.
    pub sentence: &'static str,
}

/// What comes of a path that is put below a root without a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It leaves the root.
    Escapes,
    /// It stays inside, but reaches a device, a stream, or a file of another name.
    Reaches,
    /// A file of exactly that name, which the next reader takes for something else.
    Confuses,
    /// A file of exactly that name.
    Filename,
    /// The system refuses it.
    Error,
    /// The root itself.
    Harmless,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Escapes, Self::Reaches, Self::Confuses, Self::Filename, Self::Error, Self::Harmless];

    /// The name in the corpus and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Escapes => "escapes",
            Self::Reaches => "reaches",
            Self::Confuses => "confuses",
            Self::Filename => "filename",
            Self::Error => "error",
            Self::Harmless => "harmless",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

/// A path that has to be refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Stable name.
    pub id: &'static str,
    /// Its class.
    pub class: Class,
    /// The path as the corpus spells it: printable.
    pub shown: &'static str,
    /// The path.
    pub path: Vec<u8>,
    /// Why it has to be refused, under the portable rules.
    pub refusal: Refusal,
    /// What an unguarded join does with it on POSIX.
    pub posix: Outcome,
    /// What an unguarded join does with it on Windows.
    pub windows: Outcome,
    /// Which honest names are lost by refusing it.
    pub cost: Option<&'static str>,
}

/// Every case, in the corpus's order.
pub fn cases() -> impl Iterator<Item = Case> {
    let mut class = Class { name: "", sentence: "" };
    TEXT.lines().filter_map(move |line| {
        if let Some(found) = head(line) {
            class = found;
        }
        case(line, class)
    })
}

/// Every class, in the corpus's order.
pub fn classes() -> impl Iterator<Item = Class> {
    TEXT.lines().filter_map(head)
}

fn head(line: &'static str) -> Option<Class> {
    let (name, sentence) = line.strip_prefix("== ")?.split_once(": ")?;
    Some(Class { name, sentence })
}

/// A line that holds a case. Any other is `None`; a test counts that no line is lost so.
fn case(line: &'static str, class: Class) -> Option<Case> {
    if line.starts_with(['#', '=']) {
        return None;
    }
    let mut columns = line.split('\t');
    let (id, shown, code) = (columns.next()?, columns.next()?, columns.next()?);
    let (posix, windows) = (Outcome::named(columns.next()?)?, Outcome::named(columns.next()?)?);
    let refusal = Refusal::from_code(&format!("path_{code}"))?;
    Some(Case { id, class, shown, path: unescape(shown)?, refusal, posix, windows, cost: columns.next() })
}
