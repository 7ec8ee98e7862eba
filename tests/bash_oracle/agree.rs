//! Another parser's reading beside ours.

use std::collections::BTreeSet;

use workspace_guard::shell::bash::parse;

use crate::fact::{Fact, Reading, Role, even_escapes};
use crate::ours;

/// A known error of another parser.
pub(crate) struct Known {
    /// What goes wrong there, and why it is not ours.
    pub(crate) reason: &'static str,
    /// Whether it explains that the readings differ.
    pub(crate) holds: fn(&Case<'_>) -> bool,
}

/// `>&-x` closes and is followed by `x`.
pub(crate) const CLOSING: Known = Known {
    reason: "the `-` of `>&-` is a word of its own",
    holds: |case| {
        let closes = |role: &Role, text: &str| matches!(role, Role::Target(">&" | "<&")) && text == "-";
        case.claims(|role, text| matches!(role, Role::Target(">&" | "<&")) && text.starts_with('-'))
            && (case.misses(closes) || case.claims(|_, text| text.starts_with("-\\\n")))
    },
};

/// Only a blank, a newline or an operator stands behind a word, and no escape is cut.
pub(crate) const TORN: Known = Known {
    reason: "a word ends at a blank, an operator or a newline only",
    holds: |case| {
        let torn = |fact: &&Fact| {
            let rest = case.text[fact.at.1..].trim_start_matches("\\\n");
            let ends = [' ', '\t', '\n', '|', '&', ';', '(', ')', '<', '>'];
            let cut = !even_escapes(&case.text[..fact.at.1]) && rest.starts_with('\n');
            let goes_on = rest.starts_with("<(") || rest.starts_with(">(");
            cut || goes_on || !(rest.is_empty() || rest.starts_with(ends))
        };
        let words: Vec<_> = case.theirs.iter().filter(|fact| !fact.quoted && fact.at.1 > fact.at.0).collect();
        let overlap = |a: &Fact| words.iter().any(|b| a.at.0 < b.at.0 && b.at.0 < a.at.1 && a.at.1 < b.at.1);
        words.iter().any(|fact| torn(fact) || overlap(fact))
    },
};

/// Outside quotes and brackets a newline ends a command.
pub(crate) const JOINED: Known = Known {
    reason: "an unescaped newline ends the command",
    holds: |case| {
        case.swaps(|ours, theirs, fact| {
            let ended = |before: &str| {
                let line = before.rsplit('\n').next().unwrap_or_default();
                even_escapes(before) || line.contains(" #") || line.contains("\t#")
            };
            let newline =
                case.text[..fact.at.0].strip_suffix('\n').is_some_and(ended) || case.before(fact).ends_with('\n');
            *ours == Role::Command && *theirs == Role::Argument && newline
        })
    },
};

/// A script that is read in two ways.
pub(crate) struct Case<'a> {
    pub(crate) text: &'a str,
    /// Facts that the product alone sees.
    pub(crate) ours: Vec<&'a Fact>,
    /// Facts that the other alone sees.
    pub(crate) theirs: Vec<&'a Fact>,
}

impl<'a> Case<'a> {
    pub(crate) fn of(&self, fact: &Fact) -> &'a str {
        &self.text[fact.at.0..fact.at.1]
    }

    /// The text before a fact, without blanks and escaped newlines at its end.
    pub(crate) fn before(&self, fact: &Fact) -> &'a str {
        let mut before = &self.text[..fact.at.0];
        loop {
            let shorter = before.trim_end_matches([' ', '\t']);
            let shorter = shorter.strip_suffix("\\\n").unwrap_or(shorter);
            if shorter.len() == before.len() {
                return before;
            }
            before = shorter;
        }
    }

    /// Whether the same word is `ours` to the product and `theirs` to the other.
    pub(crate) fn swaps(&self, holds: impl Fn(&Role, &Role, &Fact) -> bool) -> bool {
        self.theirs
            .iter()
            .any(|their| self.ours.iter().any(|our| our.at == their.at && holds(&our.role, &their.role, their)))
    }

    /// Whether the other alone sees a word with such a role and text.
    pub(crate) fn claims(&self, holds: impl Fn(&Role, &str) -> bool) -> bool {
        self.theirs.iter().any(|fact| holds(&fact.role, self.of(fact)))
    }

    /// Whether the product alone sees a word with such a role and text.
    pub(crate) fn misses(&self, holds: impl Fn(&Role, &str) -> bool) -> bool {
        self.ours.iter().any(|fact| holds(&fact.role, self.of(fact)))
    }

    fn show(&self) -> String {
        let list = |facts: &[&Fact]| -> String {
            let each = |fact: &&Fact| {
                let quoted = if fact.quoted { " in back-quotes" } else { "" };
                format!("\n      {:?} {:?}{quoted}", self.of(fact), fact.role)
            };
            facts.iter().map(each).collect()
        };
        format!("{:?}\n    ours alone:{}\n    theirs alone:{}", self.text, list(&self.ours), list(&self.theirs))
    }
}

/// `a[b c]`, `a[1>2]`.
pub(crate) fn meta_subscript(text: &str) -> bool {
    let inside =
        |rest: &str| rest.split(']').next().is_some_and(|index| index.contains([' ', '<', '>', '&', '|', ';']));
    text.contains(']') && text.split('[').skip(1).any(inside)
}

/// How much must be compared.
pub(crate) struct Share {
    /// Of the scripts that the product accepts, in percent: those that the other accepts too.
    pub(crate) accepted: usize,
    /// Of those, in percent, at most: those whose difference is a known one.
    pub(crate) known: usize,
}

/// Compares on all scripts that both parsers accept.
pub(crate) fn check(
    name: &str,
    scripts: &[String],
    read: impl Fn(&str) -> Option<Reading>,
    known: &[Known],
    share: &Share,
) {
    let (mut accepted, mut compared) = (0, 0);
    let mut excused = vec![0; known.len()];
    let mut wrong = Vec::new();
    for text in scripts {
        let script = parse(text);
        if !script.gaps.is_empty() {
            continue;
        }
        accepted += 1;
        let Some(theirs) = read(text) else { continue };
        compared += 1;
        let ours = ours::read(text, &script);
        let (ours, theirs) = (ours.visible(text, &theirs.blind), theirs.visible(text, &theirs.blind));
        if ours == theirs {
            continue;
        }
        let alone = |one: &'_ BTreeSet<(Fact, usize)>, other: &BTreeSet<(Fact, usize)>| -> Vec<Fact> {
            one.difference(other).map(|(fact, _)| fact.clone()).collect()
        };
        let (ours, theirs) = (alone(&ours, &theirs), alone(&theirs, &ours));
        let case = Case { text, ours: ours.iter().collect(), theirs: theirs.iter().collect() };
        match known.iter().position(|known| (known.holds)(&case)) {
            Some(at) => excused[at] += 1,
            None => wrong.push(case.show()),
        }
    }
    let total: usize = excused.iter().sum();
    eprintln!(
        "{name}: {accepted} scripts, {compared} of them compared, {total} known to differ, {} differ",
        wrong.len()
    );
    for (known, count) in known.iter().zip(&excused) {
        eprintln!("  {count:5}  {}", known.reason);
    }
    wrong.sort_by_key(String::len);
    let shown = std::env::var("WSGUARD_ORACLE_SHOW").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let shortest = &wrong[..wrong.len().min(shown)];
    assert!(wrong.is_empty(), "{name}: {} of {compared} differ, the shortest:\n{}", wrong.len(), shortest.join("\n"));
    assert!(compared * 100 >= accepted * share.accepted, "{name}: only {compared} of {accepted} were compared");
    assert!(total * 100 <= compared * share.known, "{name}: {total} of {compared} are excused");
}
