//! `for /f`: lines of files and of commands, taken apart.

use super::loops::bare;
use super::machine::{Cmd, Io};
use super::state::State;
use super::text::Text;
use crate::limits;
use crate::shell::bash::Stream;
use crate::shell::{Piece, Value};

/// `"tokens=1,2* delims=, skip=1 eol=; usebackq"`
pub(super) struct LineOptions {
    tokens: Vec<usize>,
    /// The rest of the line behind the last token (`*`).
    rest: bool,
    delims: String,
    skip: usize,
    eol: Option<char>,
    backquoted: bool,
}

impl LineOptions {
    pub(super) fn read(text: &str) -> Self {
        let mut out = Self {
            tokens: Vec::new(),
            rest: false,
            delims: " \t".to_owned(),
            skip: 0,
            eol: Some(';'),
            backquoted: false,
        };
        let text = text.trim_matches('"');
        let lower = text.to_ascii_lowercase();
        out.backquoted = lower.contains("usebackq");
        if let Some(at) = lower.find("tokens=") {
            let list = lower[at + 7..].split([' ', '\t']).next().unwrap_or_default();
            out.rest = list.ends_with('*');
            for part in list.trim_end_matches('*').split(',').filter(|p| !p.is_empty()) {
                let (from, to) = part.split_once('-').unwrap_or((part, part));
                if let (Ok(from), Ok(to)) = (from.parse::<usize>(), to.parse::<usize>()) {
                    out.tokens.extend((from..=to.min(31)).filter(|n| *n > 0));
                }
            }
        } else {
            out.tokens.push(1);
        }
        out.tokens.truncate(26);
        if let Some(at) = lower.find("delims=") {
            let rest = &text[at + 7..];
            // The last option takes in blanks at its end.
            let end = rest.find(' ').filter(|&e| rest[e..].contains('=') || rest[e..].contains("usebackq"));
            rest[..end.unwrap_or(rest.len())].clone_into(&mut out.delims);
        }
        if let Some(at) = lower.find("skip=") {
            let digits: String = lower[at + 5..].chars().take_while(char::is_ascii_digit).collect();
            out.skip = digits.parse().unwrap_or(0);
        }
        if let Some(at) = lower.find("eol=") {
            out.eol = text[at + 4..].chars().next();
        }
        out
    }
}

impl Cmd<'_, '_, '_> {
    /// The turns of `for /f`.
    pub(super) fn lines_of(
        &mut self,
        st: &State,
        set: &Text,
        options: &LineOptions,
        variable: char,
    ) -> Vec<Vec<(char, Value)>> {
        let source = self.source(st, set, options.backquoted);
        let lines = match source.lines() {
            Some(lines) if lines.len() <= limits::MAX_TURNS + options.skip => {
                lines.into_iter().skip(options.skip).collect()
            }
            _ => vec![source.any_line()],
        };
        let is_comment =
            |line: &Value| line.is_empty() || options.eol.is_some_and(|eol| line.prefix().starts_with(eol));
        lines.iter().filter(|line| !is_comment(line)).filter_map(|line| taken_apart(line, options, variable)).collect()
    }

    fn source(&mut self, st: &State, set: &Text, backquoted: bool) -> Stream {
        let s = set.as_str();
        let start = s.len() - s.trim_start().len();
        let end = s.trim_end().len();
        let inner = s.get(start + 1..end.saturating_sub(1).max(start + 1)).unwrap_or_default();
        let (open, close) = (s[start..].chars().next(), s[..end].chars().next_back());
        let closed = open == close && end > start + 1;
        let part = set.part(start + 1, start + 1 + inner.len());
        match open.filter(|_| closed) {
            Some('`') if backquoted => self.output_of(st, &part),
            Some('\'') if !backquoted => self.output_of(st, &part),
            Some('\'') => Stream::Text(self.filled(inner)),
            Some('"') if !backquoted => Stream::Text(self.filled(inner)),
            _ => self.files(st, set, backquoted),
        }
    }

    fn output_of(&mut self, st: &State, command: &Text) -> Stream {
        if !self.host.reenter() {
            return Stream::Unknown;
        }
        let io = Io { stdin: Stream::empty(), capture: true };
        let out = self.run_text(&mut st.child(), command, false, &io);
        self.host.leave_text();
        out
    }

    fn files(&mut self, st: &State, set: &Text, backquoted: bool) -> Stream {
        let mut out = Stream::empty();
        let words = self.words(set);
        let mut names: Vec<(Value, crate::shell::Span)> = words.into_iter().map(|w| (bare(&w.value), w.span)).collect();
        if backquoted && set.as_str().trim().starts_with('"') {
            names = vec![(self.plain(set), set.whole())];
        }
        for (name, span) in names {
            self.effect(st, crate::shell::EffectKind::Read, &name, "for", span);
            let text = match self.one_path(st, &name) {
                Some(path) => self.host.file_text(&path),
                None => Stream::Unknown,
            };
            out = out.then(text);
        }
        out
    }
}

/// The variables that one line gives; `None` where it has none of the tokens.
fn taken_apart(line: &Value, options: &LineOptions, variable: char) -> Option<Vec<(char, Value)>> {
    let letter = |i: usize| char::from_u32(u32::from(variable) + u32::try_from(i).ok()?);
    let count = options.tokens.len() + usize::from(options.rest);
    let Some(text) = line.known() else {
        let whole = options.delims.is_empty() || matches!(line.pieces.as_slice(), [Piece::Name | Piece::Under(_)]);
        let value = if whole { line.clone() } else { Value::any() };
        let rest = (1..count).map(|_| Value::any());
        return Some(
            std::iter::once(value).chain(rest).enumerate().filter_map(|(i, v)| Some((letter(i)?, v))).collect(),
        );
    };
    let text = text.trim_end_matches('\r');
    let mut out = Vec::new();
    let mut rest = text;
    let mut at = 0;
    let last = options.tokens.iter().copied().max().unwrap_or(0);
    let mut words: Vec<&str> = Vec::new();
    while at < last {
        rest = rest.trim_start_matches(|c| options.delims.contains(c));
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c| options.delims.contains(c)).unwrap_or(rest.len());
        words.push(&rest[..end]);
        rest = &rest[end..];
        at += 1;
    }
    for (i, number) in options.tokens.iter().enumerate() {
        let value = words.get(number - 1).copied().unwrap_or_default();
        if i == 0 && value.is_empty() {
            return None;
        }
        out.push((letter(i)?, Value::text(value)));
    }
    if options.rest {
        let rest = rest.trim_start_matches(|c| options.delims.contains(c));
        out.push((letter(options.tokens.len())?, Value::text(rest)));
    }
    (!out.is_empty()).then_some(out)
}
