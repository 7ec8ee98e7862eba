//! Whether what follows an operand is another program's: options behind it are not ours then.

use super::argv::{Parsed, Seen, is_named};
use super::row::{Row, Token, places, roles};

/// Answers at each operand. The answer is kept while nothing was given that may change it: a look at all options for
/// each operand would make long lines dear.
pub(super) struct Stops<'a> {
    row: Row<'a>,
    /// One of the row's patterns starts a program or a sub-command.
    may: bool,
    always: bool,
    /// An answer was given, with this many options.
    asked_at: Option<usize>,
    /// Options that conditions ask about, as far as they were given.
    given: Vec<&'a str>,
}

impl<'a> Stops<'a> {
    pub(super) fn new(row: Row<'a>) -> Self {
        let starts = |token| matches!(token, Token::Operands { pattern, .. } if starts_another(pattern));
        Self { row, may: row.tokens().any(starts), always: row.has("stop"), asked_at: None, given: Vec::new() }
    }

    /// Whether the pattern that fits the options so far starts something. A condition on operands can't be told yet,
    /// so such a pattern counts.
    pub(super) fn at_operand(&mut self, so_far: &Parsed<'a>) -> bool {
        if self.always || !self.may {
            return self.always;
        }
        let news = &so_far.options[self.asked_at.unwrap_or(0)..];
        let mut changed = self.asked_at.is_none();
        for seen in news {
            changed |= self.bears_on_it(seen);
        }
        self.asked_at = Some(so_far.options.len());
        changed && self.look(so_far)
    }

    /// Whether the option, which was not given before, may change the answer.
    fn bears_on_it(&mut self, seen: &Seen<'a>) -> bool {
        let mut bears = false;
        for token in self.row.tokens() {
            let Token::Operands { when, .. } = token else { continue };
            for atom in when.split('&').map(|atom| atom.trim_start_matches('^')) {
                bears |= match atom.split_once('@') {
                    Some((option, value)) => {
                        let is_value = |v: &str| v == value;
                        is_named(seen.name, option)
                            && seen.arg.as_ref().and_then(|a| a.value.known()).is_some_and(|v| is_value(&v))
                    }
                    None if is_named(seen.name, atom) && !self.given.contains(&seen.name) => {
                        self.given.push(seen.name);
                        true
                    }
                    None => false,
                };
            }
        }
        bears
    }

    fn look(&self, so_far: &Parsed<'a>) -> bool {
        for token in self.row.tokens() {
            let Token::Operands { when, pattern } = token else { continue };
            let stops = starts_another(pattern);
            if when.contains(['#', '%']) {
                if stops {
                    return true;
                }
            } else if so_far.holds(when) {
                return stops;
            }
        }
        false
    }
}

fn starts_another(pattern: &str) -> bool {
    places(pattern).any(|p| roles(p.roles).any(|r| matches!(r.letter, 'R' | '/' | 'J' | 'Z' | 's' | 'f')))
}
