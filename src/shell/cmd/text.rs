//! Text under evaluation that knows where each part of it came from.

use crate::shell::Span;

/// A run of bytes with one origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Where it begins in the text.
    at: u32,
    /// Where it comes from.
    src: u32,
    /// Bytes of the source that the whole run stands for (`%NAME%`); 0: byte by byte.
    len: u32,
}

/// Text that knows where each part of it came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    s: String,
    runs: Vec<Run>,
}

impl Text {
    /// Source text that begins at byte `src`.
    pub(super) fn source(s: &str, src: usize) -> Self {
        let mut out = Self::default();
        out.push_source(s, src);
        out
    }

    pub(super) fn as_str(&self) -> &str {
        &self.s
    }

    pub(super) fn len(&self) -> usize {
        self.s.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.s.is_empty()
    }

    /// The byte at `at`, 0 behind the end.
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.s.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The character at `at`, which must begin one.
    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.s.get(at..)?.chars().next()
    }

    pub(super) fn push_source(&mut self, s: &str, src: usize) {
        self.run(Run { at: short(self.s.len()), src: short(src), len: 0 });
        self.s.push_str(s);
    }

    pub(super) fn push_all_from(&mut self, s: &str, span: Span) {
        if s.is_empty() {
            return;
        }
        self.run(Run { at: short(self.s.len()), src: span.start, len: span.end.saturating_sub(span.start).max(1) });
        self.s.push_str(s);
    }

    /// Appends a part of another text.
    pub(super) fn push_part(&mut self, other: &Self, start: usize, end: usize) {
        let Some(part) = other.s.get(start..end).filter(|p| !p.is_empty()) else { return };
        let first = other.runs.partition_point(|r| r.at as usize <= start).saturating_sub(1);
        for run in other.runs[first..].iter().take_while(|r| (r.at as usize) < end) {
            let skipped = start.saturating_sub(run.at as usize);
            let at = short(self.s.len() + (run.at as usize).saturating_sub(start));
            let src = if run.len == 0 { run.src + short(skipped) } else { run.src };
            self.run(Run { at, src, len: run.len });
        }
        self.s.push_str(part);
    }

    /// The part between two bytes.
    pub(super) fn part(&self, start: usize, end: usize) -> Self {
        let mut out = Self::default();
        out.push_part(self, start, end);
        out
    }

    /// Removes and gives the last character.
    pub(super) fn pop(&mut self) -> Option<char> {
        let c = self.s.pop()?;
        while self.runs.last().is_some_and(|r| r.at as usize >= self.s.len() && self.runs.len() > 1) {
            self.runs.pop();
        }
        Some(c)
    }

    /// Where a part came from.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let first = self.origin(start);
        let last = if end > start { self.origin(end - 1) } else { Span { end: first.start, ..first } };
        Span { start: first.start.min(last.start), end: last.end.max(first.end.min(last.end)) }
    }

    /// Where the whole came from.
    pub(super) fn whole(&self) -> Span {
        self.span(0, self.s.len())
    }

    fn origin(&self, at: usize) -> Span {
        let i = self.runs.partition_point(|r| r.at as usize <= at);
        let Some(run) = i.checked_sub(1).and_then(|i| self.runs.get(i)) else { return Span::default() };
        if run.len == 0 {
            let start = run.src + short(at) - run.at;
            Span { start, end: start + 1 }
        } else {
            Span { start: run.src, end: run.src + run.len }
        }
    }

    fn run(&mut self, run: Run) {
        if let Some(last) = self.runs.last_mut() {
            let goes_on = run.len == 0 && last.len == 0 && last.src + (run.at - last.at) == run.src;
            let same = run.len != 0 && run.len == last.len && run.src == last.src;
            if goes_on || same {
                return;
            }
            if last.at == run.at {
                *last = run;
                return;
            }
        }
        self.runs.push(run);
    }
}

/// Spans are 32 bits wide; no text that is judged is longer.
fn short(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::Text;
    use crate::shell::Span;

    #[test]
    fn origins() {
        let mut text = Text::source("md ", 10);
        text.push_all_from("C:\\x", Span { start: 13, end: 18 });
        text.push_source("\\y z", 18);
        assert_eq!(text.as_str(), "md C:\\x\\y z");
        assert_eq!(text.span(3, 9), Span { start: 13, end: 20 });
        assert_eq!(text.span(0, 2), Span { start: 10, end: 12 });
        let part = text.part(3, 9);
        assert_eq!(part.as_str(), "C:\\x\\y");
        assert_eq!(part.whole(), Span { start: 13, end: 20 });
        assert_eq!(text.span(10, 11), Span { start: 21, end: 22 });
        assert_eq!(text.part(8, 11).whole(), Span { start: 19, end: 22 });
    }
}
