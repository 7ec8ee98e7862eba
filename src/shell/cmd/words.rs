//! A command's text -> its words: as internal commands take it apart, and as programs do.

use super::machine::Cmd;
use super::parse::is_delimiter;
use super::text::Text;
use crate::shell::programs::Arg;
use crate::shell::{Span, Value};

/// Work on a byte that is taken apart, as against one that is copied.
const WORK: usize = 4;

/// Words that are made, or put together again, for the price of a step.
pub(super) const WORDS_A_STEP: usize = 2;

/// One word of an internal command.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// Without quotes.
    pub(super) value: Value,
    pub(super) span: Span,
    /// The byte of the command's text that it begins at.
    pub(super) at: usize,
    /// `/x`, in lower case, with its value; empty for an operand.
    pub(super) switch: String,
    /// It began with a quote.
    pub(super) quoted: bool,
}

impl Cmd<'_, '_, '_> {
    /// The words of an internal command: blanks, commas, semicolons and equal signs separate them, and a slash begins
    /// a switch.
    pub(super) fn words(&mut self, tail: &Text) -> Vec<Word> {
        self.host.charge_bytes(tail.len() * WORK);
        let words = self.first_words(tail, usize::MAX);
        self.host.charge(words.len() / WORDS_A_STEP);
        words
    }

    /// At most `count` of the words.
    pub(super) fn first_words(&self, tail: &Text, count: usize) -> Vec<Word> {
        let mut out = Vec::new();
        let s = tail.as_str();
        let bytes = s.as_bytes();
        let mut at = 0;
        while at < bytes.len() && out.len() < count {
            if is_delimiter(bytes[at]) {
                at += 1;
                continue;
            }
            let start = at;
            let mut in_quotes = false;
            // A switch, and what can only be a path of Windows, ends where a switch begins.
            let mut ends = bytes[at] == b'/';
            while at < bytes.len() {
                match bytes[at] {
                    b'"' => (in_quotes, ends) = (!in_quotes, true),
                    b'\\' => ends = true,
                    b if !in_quotes && is_delimiter(b) => break,
                    b'/' if !in_quotes
                        && at > start
                        && ends
                        && (bytes[start] == b'/' || begins_switch(&s[at + 1..])) =>
                    {
                        break;
                    }
                    _ => {}
                }
                at += 1;
            }
            let raw = &s[start..at];
            let is_switch = raw.starts_with('/') && !raw[1..].contains(['\\', '/']);
            out.push(Word {
                value: self.filled(&raw.replace('"', "")),
                span: tail.span(start, at),
                at: start,
                switch: if is_switch { raw.to_ascii_lowercase() } else { String::new() },
                quoted: raw.starts_with('"'),
            });
        }
        out
    }

    /// The words of a program, by the rules of the C runtime.
    pub(super) fn arguments(&mut self, tail: &Text) -> Vec<Arg> {
        self.host.charge_bytes(tail.len() * WORK);
        let s = tail.as_str();
        let bytes = s.as_bytes();
        let mut out = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            if matches!(bytes[at], b' ' | b'\t' | b'\n') {
                at += 1;
                continue;
            }
            let start = at;
            let mut word = String::new();
            let mut quoted = false;
            let mut copied = at;
            while at < bytes.len() {
                match bytes[at] {
                    b' ' | b'\t' | b'\n' if !quoted => break,
                    b'\\' => {
                        let run = bytes[at..].iter().take_while(|b| **b == b'\\').count();
                        let before_quote = bytes.get(at + run) == Some(&b'"');
                        if before_quote {
                            word.push_str(&s[copied..at]);
                            word.extend(std::iter::repeat_n('\\', run / 2));
                            at += run;
                            if run % 2 == 1 {
                                word.push('"');
                                at += 1;
                            }
                            copied = at;
                        } else {
                            at += run;
                        }
                    }
                    b'"' => {
                        word.push_str(&s[copied..at]);
                        if quoted && bytes.get(at + 1) == Some(&b'"') {
                            word.push('"');
                            at += 1;
                        }
                        quoted = !quoted;
                        at += 1;
                        copied = at;
                    }
                    _ => at += 1,
                }
            }
            word.push_str(&s[copied..at]);
            out.push(Arg { value: self.filled(&word), span: tail.span(start, at) });
        }
        self.host.charge(out.len() / WORDS_A_STEP);
        out
    }
}

/// Whether a slash within a path that is spelled in Windows' way begins a switch, by what stands behind it (`C:\x/q`). In
/// `a/b` it is part of a path.
fn begins_switch(rest: &str) -> bool {
    let end = rest.bytes().position(|b| is_delimiter(b) || b == b'/').unwrap_or(rest.len());
    let name = rest[..end].split(':').next().unwrap_or_default();
    name.len() <= 1 && !rest[..end].contains('\\')
}
