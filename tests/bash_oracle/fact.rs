//! What the parsers are asked about a script: which of its words are what, by their place in the text.

use std::collections::BTreeSet;
use std::ops::Range;

/// One word and what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fact {
    /// Bytes of the script; those of the whole substitution for what is within back-quotes.
    pub(crate) at: (usize, usize),
    pub(crate) role: Role,
    /// Within back-quotes.
    pub(crate) quoted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// The first word of a simple command that is no assignment.
    Command,
    /// Any other word of it.
    Argument,
    /// `a=b` before the first word.
    Assignment,
    /// What a redirection with this operator names; of a here-document its delimiter.
    Target(&'static str),
    /// A function is defined; only its first byte counts.
    Function,
}

/// What one parser says.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) facts: Vec<Fact>,
    /// Texts that this parser does not look into, or is known to misread; a fact counts only outside all of them.
    pub(crate) blind: Vec<Range<usize>>,
}

impl Reading {
    pub(crate) fn push(&mut self, at: Range<usize>, role: Role, within: Option<&Range<usize>>) {
        let span = within.unwrap_or(&at);
        self.facts.push(Fact { at: (span.start, span.end), role, quoted: within.is_some() });
    }

    /// The facts that lie outside all of `blind`, in order; whether blanks before a word and an escaped newline at its
    /// edge belong to it is nobody's business.
    pub(crate) fn visible(&self, text: &str, blind: &[Range<usize>]) -> BTreeSet<(Fact, usize)> {
        let mut seen = BTreeSet::new();
        for fact in &self.facts {
            let (mut start, mut end) = fact.at;
            if !fact.quoted && fact.role == Role::Function {
                let rest = text[start..].trim_start_matches("\\\n").trim_start_matches([' ', '\t']);
                (start, end) = (text.len() - rest.len(), text.len() - rest.len());
            } else if !fact.quoted {
                let joined = |text: &str| text.strip_suffix("\\\n").is_some_and(even_escapes);
                while text[start..end].starts_with([' ', '\t', '\n']) || text[start..end].starts_with("\\\n") {
                    start += 1 + usize::from(text[start..].starts_with('\\'));
                }
                while joined(&text[start..end]) {
                    end -= 2;
                }
            }
            let inside = |b: &Range<usize>| b.start <= start && end <= b.end && (fact.quoted || b.len() > end - start);
            if blind.iter().any(inside) {
                continue;
            }
            // Facts within back-quotes share their place.
            let mut count = 0;
            while !seen.insert((Fact { at: (start, end), ..fact.clone() }, count)) {
                count += 1;
            }
        }
        seen
    }
}

/// Whether a character behind `text` is not escaped.
pub(crate) fn even_escapes(text: &str) -> bool {
    text.bytes().rev().take_while(|&b| b == b'\\').count() % 2 == 0
}

const OPERATORS: &[&str] = &["&>>", "<<<", "<<-", "&>", ">>", ">|", ">&", "<&", "<>", "<<", "<", ">"];

/// The redirection operator that `text` begins with. `>&f` is `&>f` in another spelling.
pub(crate) fn operator(text: &str) -> &'static str {
    match OPERATORS.iter().find(|op| text.starts_with(**op)) {
        Some(&"&>") => ">&",
        Some(&"<<-") => "<<",
        Some(op) => op,
        None => panic!("no redirection: {text:?}"),
    }
}
