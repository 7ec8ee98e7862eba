//! The PowerShell parser against tree-sitter-pwsh: on which words are commands and where redirections are.
//!
//! Scripts come from a grammar, from it with a few random edits, and from pieces thrown together. Those that both
//! accept are compared. Each disagreement is ours to mend, or the other's known error: those are listed as a predicate
//! with the reason.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

mod generate;
mod ours;
mod theirs;

use generate::{edited, generated, thrown};

/// What a parser says of a place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    /// A command's name begins here.
    Command(usize),
    /// A redirection begins here.
    Redirect(usize),
}

impl Fact {
    fn at(self) -> usize {
        match self {
            Self::Command(at) | Self::Redirect(at) => at,
        }
    }
}

/// A place of which the parsers say different things.
struct Case<'a> {
    fact: Fact,
    /// The product alone says so.
    ours: bool,
    before: &'a str,
    rest: &'a str,
}

impl<'a> Case<'a> {
    fn new(text: &'a str, fact: Fact, ours: bool) -> Self {
        let (before, rest) = text.split_at(fact.at());
        Self { fact, ours, before, rest }
    }

    /// The text around it.
    fn around(&self) -> String {
        let before: String = self.before.chars().rev().take(12).collect();
        let rest: String = self.rest.chars().take(12).collect();
        let who = if self.ours { "ours alone" } else { "theirs alone" };
        format!("\n    {who}: {:?} of {:?}", self.fact, format!("{}«»{rest}", before.chars().rev().collect::<String>()))
    }

    fn redirects(&self) -> bool {
        matches!(self.fact, Fact::Redirect(_))
    }
}

/// A known error of the other parser: why it is not ours, and whether it explains a difference.
type Known = (&'static str, fn(&Case<'_>) -> bool);

const KNOWN: &[Known] = &[
    ("`1..3` is an expression, and so is what begins with a number", |case| {
        let end = case.rest.trim_start_matches(|c: char| c.is_ascii_digit());
        !case.ours && end.len() < case.rest.len() && end.starts_with(['.', '>'])
    }),
    ("an escaped separator belongs to the word", |case| {
        !case.ours && (case.before.ends_with('`') || case.before.ends_with("`;"))
    }),
    ("a blank between braces belongs to the variable's name", |case| {
        !case.ours && case.before.rfind("${").is_some_and(|at| !case.before[at..].contains('}'))
    }),
    ("`#` within a word begins no comment", |case| {
        case.ours && case.before.rsplit('\n').next().is_some_and(|line| line.contains('#'))
    }),
    ("a file may follow the sign of a redirection directly", |case| {
        let sign = case.rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('>');
        case.ours && case.redirects() && !sign.starts_with(' ')
    }),
    ("a redirection has a file", |case| {
        !case.ours && case.redirects() && case.rest.trim_start_matches(['>', '2', ' ']).starts_with('|')
    }),
    ("a dot before a dash begins a name", |case| {
        case.rest.starts_with(".-") && case.ours || case.before.ends_with('.') && case.rest.starts_with('-')
    }),
];

fn compare(name: &str, scripts: &[String], least: usize) {
    let (mut accepted, mut compared, mut differ) = (0, 0, 0);
    let mut excused = vec![0; KNOWN.len()];
    let mut wrong = Vec::new();
    for text in scripts {
        let Some(ours) = ours::read(text) else { continue };
        accepted += 1;
        let Some(theirs) = theirs::read(text) else { continue };
        compared += 1;
        if ours == theirs {
            continue;
        }
        let alone = ours.difference(&theirs).map(|fact| (*fact, true));
        let both = alone.chain(theirs.difference(&ours).map(|fact| (*fact, false)));
        let mut unknown = String::new();
        for (fact, ours) in both {
            let case = Case::new(text, fact, ours);
            match KNOWN.iter().position(|(_, holds)| holds(&case)) {
                Some(at) => excused[at] += 1,
                None => unknown.push_str(&case.around()),
            }
        }
        if unknown.is_empty() {
            differ += 1;
        } else {
            wrong.push(format!("{text:?}{unknown}"));
        }
    }
    eprintln!("{name}: {} scripts, {accepted} accepted, {compared} compared, {differ} known to differ", scripts.len());
    for ((reason, _), count) in KNOWN.iter().zip(&excused) {
        eprintln!("  {count:5}  {reason}");
    }
    wrong.sort_by_key(String::len);
    let shown = wrong.len().min(12);
    assert!(wrong.is_empty(), "{name}: {} differ, the shortest:\n{}", wrong.len(), wrong[..shown].join("\n"));
    assert!(compared * 100 >= accepted * least, "{name}: only {compared} of {accepted} were compared");
    assert!(differ * 100 <= compared * 15, "{name}: {differ} of {compared} are excused");
}

#[test]
fn generated_scripts() {
    compare("generated", &generated(1, 1_500), 60);
}

#[test]
fn edited_scripts() {
    compare("edited", &edited(2, 3_000), 50);
}

#[test]
fn thrown_scripts() {
    compare("thrown", &thrown(3, 5_000), 40);
}
