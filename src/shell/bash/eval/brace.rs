//! Brace expansion: `{a,b}`, `{1..10}`, `{a..e..2}`, nested.

use crate::limits::MAX_NESTING;
use crate::shell::bash::ast::Part;

/// One character of unquoted text, or a part that braces only carry along.
#[derive(Clone, Copy)]
enum Atom<'a> {
    Char(char),
    Part(&'a Part),
}

/// The words that brace expansion made of one.
pub(super) struct Words<'a>(Vec<Vec<Atom<'a>>>);

impl Words<'_> {
    /// Each word's parts.
    pub(super) fn parts(&self) -> impl Iterator<Item = Vec<Part>> {
        self.0.iter().map(|word| regroup(word))
    }
}

/// Whether there is anything to expand.
pub(super) fn is_braced(parts: &[Part]) -> bool {
    parts.iter().any(|p| matches!(p, Part::Bare(s) if s.contains('{')))
}

/// The words that `parts` becomes; `None` where there are more than `limit`.
pub(super) fn expand(parts: &[Part], limit: usize) -> Option<Words<'_>> {
    let mut atoms = Vec::new();
    for part in parts {
        match part {
            Part::Bare(text) => atoms.extend(text.chars().map(Atom::Char)),
            other => atoms.push(Atom::Part(other)),
        }
    }
    let groups = groups(&atoms);
    let all = Source { atoms: &atoms, groups: &groups, limit };
    all.words(0, atoms.len(), 0).map(Words)
}

fn regroup(atoms: &[Atom<'_>]) -> Vec<Part> {
    let mut parts = Vec::new();
    for atom in atoms {
        match (atom, parts.last_mut()) {
            (Atom::Char(c), Some(Part::Bare(text))) => text.push(*c),
            (Atom::Char(c), _) => parts.push(Part::Bare(c.to_string())),
            (Atom::Part(part), _) => parts.push((*part).clone()),
        }
    }
    parts
}

/// A pair of brackets and the commas directly inside.
#[derive(Default)]
struct Group {
    start: usize,
    end: usize,
    cuts: Vec<usize>,
}

/// All closed groups by their start.
fn groups(atoms: &[Atom<'_>]) -> Vec<Group> {
    let mut open: Vec<Group> = Vec::new();
    let mut closed = Vec::new();
    for (i, atom) in atoms.iter().enumerate() {
        match atom {
            Atom::Char('{') => open.push(Group { start: i, ..Group::default() }),
            Atom::Char(',') => {
                if let Some(group) = open.last_mut() {
                    group.cuts.push(i);
                }
            }
            Atom::Char('}') => {
                if let Some(mut group) = open.pop() {
                    group.end = i;
                    closed.push(group);
                }
            }
            _ => {}
        }
    }
    closed.sort_unstable_by_key(|g| g.start);
    closed
}

/// What stands between two brackets.
enum Inner<'a> {
    /// These words.
    Words(List<'a>),
    /// Text: the brackets stay.
    Text,
}

type List<'a> = Vec<Vec<Atom<'a>>>;

struct Source<'s, 'a> {
    atoms: &'s [Atom<'a>],
    groups: &'s [Group],
    limit: usize,
}

impl<'a> Source<'_, 'a> {
    /// The words that the atoms from `at` to `end` become.
    fn words(&self, mut at: usize, end: usize, depth: usize) -> Option<List<'a>> {
        let mut out: List<'a> = vec![Vec::new()];
        while at < end {
            if let Some(group) = self.group(at, end).filter(|_| depth < MAX_NESTING)
                && let Inner::Words(choices) = self.alternatives(group, depth)?
            {
                let choices = &choices;
                if out.len().saturating_mul(choices.len()) > self.limit {
                    return None;
                }
                out = out
                    .iter()
                    .flat_map(|head| choices.iter().map(move |tail| [head.as_slice(), tail.as_slice()].concat()))
                    .collect();
                at = group.end + 1;
            } else {
                // `{x}` and `{}` stay, but what is inside may still hold groups.
                for word in &mut out {
                    word.push(self.atoms[at]);
                }
                at += 1;
            }
            // Work is bounded too, not only the number of words.
            if out.len() > 1 && out.len() * out.first().map_or(0, Vec::len) > self.limit * 256 {
                return None;
            }
        }
        Some(out)
    }

    fn group(&self, at: usize, end: usize) -> Option<&Group> {
        if !matches!(self.atoms[at], Atom::Char('{')) {
            return None;
        }
        let found = self.groups.binary_search_by_key(&at, |g| g.start).ok()?;
        self.groups.get(found).filter(|g| g.end < end)
    }

    /// What stands between the brackets as a list of words; `None`: too many.
    fn alternatives(&self, group: &Group, depth: usize) -> Option<Inner<'a>> {
        if group.cuts.is_empty() {
            return sequence(&self.atoms[group.start + 1..group.end], self.limit);
        }
        let mut out = Vec::new();
        let mut from = group.start + 1;
        for &end in group.cuts.iter().chain([&group.end]) {
            out.extend(self.words(from, end, depth + 1)?);
            if out.len() > self.limit {
                return None;
            }
            from = end + 1;
        }
        Some(Inner::Words(out))
    }
}

/// `1..10`, `a..e`, with an optional step.
fn sequence<'a>(inner: &[Atom<'a>], limit: usize) -> Option<Inner<'a>> {
    if inner.len() > 64 {
        return Some(Inner::Text);
    }
    let mut text = String::new();
    for atom in inner {
        match atom {
            Atom::Char(c) => text.push(*c),
            Atom::Part(_) => return Some(Inner::Text),
        }
    }
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [a, b] => (*a, *b, 1i64),
        [a, b, s] => match s.parse::<i64>() {
            Ok(s) => (*a, *b, s.saturating_abs().max(1)),
            Err(_) => return Some(Inner::Text),
        },
        _ => return Some(Inner::Text),
    };
    let numbers = (first.parse::<i64>(), last.parse::<i64>());
    let (from, to, letters) = match numbers {
        (Ok(a), Ok(b)) => (a, b, false),
        _ => match (single(first), single(last)) {
            (Some(a), Some(b)) => (i64::from(u32::from(a)), i64::from(u32::from(b)), true),
            _ => return Some(Inner::Text),
        },
    };
    let count = from.abs_diff(to) / step.unsigned_abs() + 1;
    if count > limit as u64 {
        return None;
    }
    let padded = !letters && [first, last].iter().any(|s| s.trim_start_matches('-').starts_with('0') && s.len() > 1);
    let width = if padded { first.len().max(last.len()) } else { 0 };
    let step = if from <= to { step } else { -step };
    let mut out = Vec::new();
    let mut value = from;
    for _ in 0..count {
        let word: String = if letters {
            u32::try_from(value).ok().and_then(char::from_u32).into_iter().collect()
        } else if padded {
            format!("{value:0width$}")
        } else {
            value.to_string()
        };
        out.push(word.chars().map(Atom::Char).collect());
        value = value.saturating_add(step);
    }
    Some(Inner::Words(out))
}

fn single(s: &str) -> Option<char> {
    let mut chars = s.chars();
    chars.next().filter(|c| c.is_ascii_alphabetic() && chars.next().is_none())
}
