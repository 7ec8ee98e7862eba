//! The reader's state: position, depth, fuel, and the lexical steps that every form shares.

use std::collections::BTreeSet;

use super::ast::{List, Script, Word};
use super::heredoc::{Body, Pending};
use crate::limits::{MAX_COMMAND_BYTES, MAX_GAPS, MAX_NESTING, MAX_NODES};
use crate::shell::{Gap, GapKind, Span};

/// Why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The text is no bash here; reading can go on at a later line.
    Syntax,
    /// Nested too deep; nothing after it is read.
    Nesting,
    /// More commands, words and expansions than [`MAX_NODES`], or ambiguous brackets that cost too much re-reading; nothing after
    /// it is read.
    Size,
}

pub(super) type R<T> = Result<T, Stop>;

/// Reads one text. All positions are byte offsets into it; every delimiter of the language is ASCII, so
/// slices between them are on character boundaries.
pub(super) struct Parser<'a> {
    /// The text up to the end of the region being read.
    pub(super) text: &'a str,
    pub(super) pos: usize,
    pub(super) gaps: Vec<Gap>,
    /// Nesting of the form being read.
    depth: usize,
    /// Bytes that may still be read a second time.
    fuel: usize,
    /// Commands, words and expansions that may still be read.
    steps: usize,
    /// Stands for every span: the text is the unescaped body of a back-quote substitution.
    base: Option<Span>,
    /// Here-documents whose bodies follow the next newline.
    pub(super) pending: Vec<Pending>,
    /// Where the bodies are, by opener; complete in the second pass.
    pub(super) bodies: Vec<Body>,
    /// The bodies are known: openers take theirs.
    pub(super) second_pass: bool,
    /// Within `$(…)`, `<(…)`: a here-document may end at `EOF…)`.
    pub(super) in_substitution: bool,
    /// Within `${ …; }`: any `}` in command position ends the list.
    pub(super) in_brace_substitution: bool,
    /// Whether a reserved word may follow the compound command just read.
    pub(super) reserved_ok: bool,
    /// Openers of `((` that turned out to be two subshells, while an enclosing one is still undecided.
    not_arith: BTreeSet<usize>,
    /// Undecided `((` around the position.
    undecided: usize,
}

/// Reads `text`; what is not understood is listed in [`Script::gaps`].
pub fn parse(text: &str) -> Script {
    if text.len() > MAX_COMMAND_BYTES {
        let gap = Gap { kind: GapKind::Size, span: span_of(0, text.len()) };
        return Script { list: List::new(), gaps: vec![gap] };
    }
    let mut parser = Parser::new(text);
    let list = parser.run().0;
    if let Some(at) = text.bytes().position(|b| b == 0) {
        parser.gaps.push(Gap { kind: GapKind::Nul, span: span_of(at, at + 1) });
    }
    Script { list, gaps: parser.gaps }
}

fn span_of(start: usize, end: usize) -> Span {
    // Texts are far shorter than 4 GiB: MAX_COMMAND_BYTES.
    Span { start: u32::try_from(start).unwrap_or(u32::MAX), end: u32::try_from(end).unwrap_or(u32::MAX) }
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            pos: 0,
            gaps: Vec::new(),
            depth: 0,
            // Enough for every sane mixture of `((` and here-documents, linear in the text.
            fuel: 16 * text.len() + 4096,
            steps: MAX_NODES,
            base: None,
            pending: Vec::new(),
            bodies: Vec::new(),
            second_pass: false,
            in_substitution: false,
            in_brace_substitution: false,
            reserved_ok: true,
            not_arith: BTreeSet::new(),
            undecided: 0,
        }
    }

    /// Reads the whole text, twice where it holds here-documents: their bodies stand after their openers,
    /// so the first pass only finds them. Also says what ended the reading early.
    fn run(&mut self) -> (List, Option<Stop>) {
        let (depth, steps) = (self.depth, self.steps);
        let (list, stop) = self.script(depth);
        if self.bodies.is_empty() || stop.is_some() {
            return (list, stop);
        }
        self.bodies.sort_unstable_by_key(|body| body.at);
        self.second_pass = true;
        self.steps = steps;
        self.gaps.clear();
        self.pos = 0;
        self.script(depth)
    }

    fn script(&mut self, depth: usize) -> (List, Option<Stop>) {
        let mut list = List::new();
        loop {
            let begin = self.pos;
            let mut line = begin;
            let stop = match self.list(&mut list, &mut line) {
                Ok(()) if self.pos >= self.text.len() => return (list, None),
                Ok(()) | Err(Stop::Syntax) => Stop::Syntax,
                Err(stop) => stop,
            };
            let end = self.text.len();
            if stop != Stop::Syntax {
                let kind = if stop == Stop::Nesting { GapKind::Nesting } else { GapKind::Size };
                self.gap(kind, line, end);
                return (list, Some(stop));
            }
            // An error at the very end is an unclosed quote or bracket: the line that opened it is lost, the
            // following ones may still be commands.
            let failed = if self.pos >= end { line } else { self.pos };
            let next = self.text.get(failed..).and_then(|rest| rest.find('\n')).map_or(end, |at| failed + at + 1);
            self.depth = depth;
            self.undecided = 0;
            self.pending.clear();
            self.in_substitution = false;
            self.in_brace_substitution = false;
            let reread = self.pos.saturating_sub(next);
            self.pos = next;
            if self.burn(reread + 64).is_err() {
                self.gap(GapKind::Syntax, line, end);
                return (list, None);
            }
            self.gap(GapKind::Syntax, line, next);
            if next >= end {
                return (list, None);
            }
        }
    }

    /// Reads the unescaped body of a back-quote substitution that stands at `span`.
    pub(super) fn detached(&mut self, body: &str, span: Span) -> R<List> {
        let mut sub = Parser::new(body);
        sub.depth = self.depth;
        sub.base = Some(self.base.unwrap_or(span));
        sub.fuel = self.fuel;
        sub.steps = self.steps;
        let (list, stop) = sub.run();
        self.fuel = sub.fuel;
        self.steps = sub.steps;
        self.gaps.append(&mut sub.gaps);
        match stop {
            Some(stop) => Err(stop),
            None => Ok(list),
        }
    }

    /// Runs `read` on the text up to `end`, then stands at `end`. Here-documents around it don't mix with
    /// those within. A syntax error within is a gap of its own and gives the default.
    pub(super) fn region<T: Default>(&mut self, end: usize, read: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        let (whole, depth, undecided) = (self.text, self.depth, self.undecided);
        let pending = std::mem::take(&mut self.pending);
        let flags = (self.in_substitution, self.in_brace_substitution, self.reserved_ok);
        let start = self.pos;
        self.text = whole.get(..end).unwrap_or(whole);
        (self.in_substitution, self.in_brace_substitution, self.reserved_ok) = (false, false, true);
        let result = read(self);
        self.text = whole;
        self.pos = end;
        self.pending = pending;
        (self.in_substitution, self.in_brace_substitution, self.reserved_ok) = flags;
        match result {
            Err(Stop::Syntax) => {
                self.depth = depth;
                self.undecided = undecided;
                self.gap(GapKind::Syntax, start, end);
                Ok(T::default())
            }
            other => other,
        }
    }

    /// Tries `((` … `))`, whose first byte is `opener` and whose expression begins here: an expression if
    /// the bracket that closes the inner one is followed by another, otherwise `None` with nothing read.
    pub(super) fn arithmetic(&mut self, opener: usize) -> R<Option<Word>> {
        if self.not_arith.contains(&opener) {
            return Ok(None);
        }
        let (start, gaps, bodies) = (self.pos, self.gaps.len(), self.bodies.len());
        self.undecided += 1;
        let word = self.arith_word(b')')?;
        self.undecided -= 1;
        if self.byte(self.pos + 1) == Some(b')') {
            self.pos += 2;
            return Ok(Some(word));
        }
        self.burn(self.pos - start)?;
        self.pos = start;
        self.gaps.truncate(gaps);
        self.bodies.truncate(bodies);
        if self.undecided > 0 {
            self.not_arith.insert(opener);
        } else {
            self.not_arith.clear();
        }
        Ok(None)
    }

    pub(super) fn burn(&mut self, bytes: usize) -> R<()> {
        self.fuel = self.fuel.checked_sub(bytes).ok_or(Stop::Size)?;
        Ok(())
    }

    /// Counts a command, a word or an expansion.
    pub(super) fn step(&mut self) -> R<()> {
        self.steps = self.steps.checked_sub(1).ok_or(Stop::Size)?;
        Ok(())
    }

    /// One level deeper; to be followed by [`Self::leave`] unless reading fails.
    pub(super) fn enter(&mut self) -> R<()> {
        self.depth += 1;
        if self.depth > MAX_NESTING { Err(Stop::Nesting) } else { Ok(()) }
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub(super) fn gap(&mut self, kind: GapKind, start: usize, end: usize) {
        let span = self.base.unwrap_or(span_of(start, end));
        let full = self.gaps.len() >= MAX_GAPS;
        match self.gaps.last_mut() {
            Some(last) if full => last.span.end = last.span.end.max(span.end),
            _ => self.gaps.push(Gap { kind, span }),
        }
    }

    /// From `start` to here.
    pub(super) fn span(&self, start: usize) -> Span {
        self.base.unwrap_or(span_of(start, self.pos))
    }

    pub(super) fn span_between(&self, start: usize, end: usize) -> Span {
        self.base.unwrap_or(span_of(start, end))
    }

    /// The text from `start` to here.
    pub(super) fn source(&self, start: usize) -> &'a str {
        self.slice(start, self.pos)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// `at`, or the position after the escaped newlines that stand there.
    pub(super) fn ahead(&self, mut at: usize) -> usize {
        while self.byte(at) == Some(b'\\') && self.byte(at + 1) == Some(b'\n') {
            at += 2;
        }
        at
    }

    /// The byte here, after any escaped newlines.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.pos = self.ahead(self.pos);
        self.byte(self.pos)
    }

    /// The byte after the one at `at`, escaped newlines left out.
    pub(super) fn after(&self, at: usize) -> Option<u8> {
        self.byte(self.ahead(at + 1))
    }

    /// Takes `first` `second` here, escaped newlines left out.
    pub(super) fn take2(&mut self, first: u8, second: u8) -> bool {
        if self.peek() != Some(first) {
            return false;
        }
        let next = self.ahead(self.pos + 1);
        if self.byte(next) != Some(second) {
            return false;
        }
        self.pos = next + 1;
        true
    }

    /// Takes `wanted`.
    pub(super) fn expect(&mut self, wanted: u8) -> R<()> {
        if self.peek() != Some(wanted) {
            return Err(Stop::Syntax);
        }
        self.pos += 1;
        Ok(())
    }

    /// Skips what may stand between the tokens of a line: blanks, and a comment up to its newline.
    pub(super) fn skip_blanks(&mut self) {
        while let Some(b) = self.peek() {
            match b {
                b' ' | b'\t' => self.pos += 1,
                b'#' => {
                    let rest = self.text.get(self.pos..).unwrap_or_default();
                    self.pos += rest.find('\n').unwrap_or(rest.len());
                    return;
                }
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and newlines (with the here-documents that follow them).
    pub(super) fn skip_newlines(&mut self) -> R<()> {
        loop {
            self.skip_blanks();
            if self.byte(self.pos) != Some(b'\n') {
                return Ok(());
            }
            self.newline()?;
        }
    }

    /// Takes the newline here, and the bodies of here-documents after it.
    pub(super) fn newline(&mut self) -> R<()> {
        self.pos += 1;
        if self.pending.is_empty() { Ok(()) } else { self.read_bodies() }
    }
}
