//! The evaluation: what it carries along, and how the lines of a text follow one another.

use super::ast::{Node, Trouble};
use super::parse::Parser;
use super::state::{Flow, State};
use super::text::Text;
use crate::limits;
use crate::shell::bash::{Guest, Host, Stream};
use crate::shell::{Analysis, Context, GapKind, Piece, Span, Value};

/// Plane 15 is private use: no command has a meaning for these characters, which stand for unknown parts.
const FIRST_HOLE: u32 = 0xF_0000;
const LAST_HOLE: u32 = 0xF_FFFD;

/// The evaluation of one text for cmd.exe and of all texts that it leads to.
pub(super) struct Cmd<'h, 'e, 'a> {
    pub(super) host: &'h mut Host<'e, 'a>,
    holes: Vec<Piece>,
    /// The text is a batch file's: `%%i`, and what is not set is empty.
    pub(super) batch: bool,
    /// Where control may have gone besides, with what was remembered then.
    pub(super) jumps: Vec<(String, State)>,
    /// The lines of the script under way, for `call :label`.
    pub(super) script: std::rc::Rc<Script>,
}

/// A text by lines.
#[derive(Debug, Default)]
pub(super) struct Script {
    lines: Vec<Text>,
}

/// Where input comes from and whether output is wanted.
#[derive(Clone, Debug)]
pub(super) struct Io {
    pub(super) stdin: Stream,
    pub(super) capture: bool,
}

/// Whether a command succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    True,
    /// As far as anyone expects: what follows `||` is judged too.
    Likely,
    Unknown,
    False,
}

impl Status {
    pub(super) fn of(known: Option<bool>) -> Self {
        match known {
            Some(true) => Self::True,
            Some(false) => Self::False,
            None => Self::Unknown,
        }
    }
}

/// What a command leaves behind besides the state.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) status: Status,
    /// Its standard output, where someone asked for it.
    pub(super) out: Stream,
    /// It fails as far as anyone can see; what follows a success is judged in this state all the same.
    pub(super) success: Option<Box<State>>,
}

impl Outcome {
    pub(super) fn new(status: Status, out: Stream) -> Self {
        Self { status, out, success: None }
    }

    pub(super) fn silent(status: Status) -> Self {
        Self::new(status, Stream::empty())
    }
}

/// What the command `text` would do in cmd.exe when it runs in `ctx`; `reentry`: how many texts of other interpreters
/// it lies within. Never fails: what was not understood is a gap.
pub fn analyse(text: &str, ctx: &Context<'_>, reentry: usize) -> Analysis {
    Host::analyse(text, ctx, reentry, judge)
}

/// Judges a text that somebody hands to cmd.exe.
pub(in crate::shell) fn judge(host: &mut Host<'_, '_>, guest: Guest) -> Stream {
    if let Some(at) = guest.text.find('\0') {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        host.gap(GapKind::Nul, Span { start: at, end: at + 1 });
        return Stream::Unknown;
    }
    let mut st = State::new(host.folder());
    let holes = guest.holes;
    let batch = is_batch(&guest.text);
    let mut cmd = Cmd { host, holes, batch, jumps: Vec::new(), script: std::rc::Rc::default() };
    let io = Io { stdin: guest.stdin, capture: true };
    cmd.run_text(&mut st, &Text::source(&guest.text, 0), batch, &io)
}

/// Whether a text can only be a batch file's: several lines, or variables of loops with two percent signs.
fn is_batch(text: &str) -> bool {
    let mut rest = text.trim_end();
    while let Some(at) = rest.find('\n') {
        if !rest[..at].trim_end_matches('\r').ends_with('^') {
            return true;
        }
        rest = &rest[at + 1..];
    }
    let names_variable = |i: usize| text[i + 2..].starts_with(|c: char| c == '~' || c.is_alphabetic());
    text.match_indices("%%").any(|(i, _)| names_variable(i)) && text.to_ascii_lowercase().contains("for ")
}

impl Script {
    fn new(text: &Text) -> Self {
        let mut lines = Vec::new();
        let mut at = 0;
        let s = text.as_str();
        while at <= s.len() {
            let end = s[at..].find('\n').map_or(s.len(), |i| at + i);
            let bare = s[at..end].strip_suffix('\r').map_or(end, |l| at + l.len());
            lines.push(text.part(at, bare));
            at = end + 1;
        }
        Self { lines }
    }

    /// The line behind a label, searched from line `from` on and then from the start.
    fn label(&self, name: &str, from: usize) -> Option<usize> {
        let count = self.lines.len();
        (0..count)
            .map(|i| (from + i) % count)
            .find(|&i| label_of(self.lines[i].as_str()) == Some(name.to_owned()))
            .map(|i| i + 1)
    }
}

/// The label that a line is, in lower case.
fn label_of(line: &str) -> Option<String> {
    let rest = line.trim_start_matches([' ', '\t', ',', ';', '=']).strip_prefix(':')?;
    let name: String = rest
        .trim_start_matches([' ', '\t'])
        .chars()
        .take_while(|c| !matches!(c, ' ' | '\t' | ':' | '+' | ',' | ';' | '=' | '&' | '|' | '<' | '>'))
        .collect();
    (!name.is_empty()).then(|| name.to_lowercase())
}

impl Cmd<'_, '_, '_> {
    /// Runs all lines of a text; what it prints.
    pub(super) fn run_text(&mut self, st: &mut State, text: &Text, batch: bool, io: &Io) -> Stream {
        if !self.host.enter() {
            return Stream::Unknown;
        }
        let script = std::rc::Rc::new(Script::new(text));
        let outer = std::mem::replace(&mut self.script, std::rc::Rc::clone(&script));
        let was_batch = std::mem::replace(&mut self.batch, batch);
        let jumps = std::mem::take(&mut self.jumps);
        let out = self.run_from(st, &script, 0, io);
        self.jumps = jumps;
        self.batch = was_batch;
        self.script = outer;
        self.host.leave();
        out
    }

    /// Runs the script from a line on, and from where it may have jumped to besides.
    fn run_from(&mut self, st: &mut State, script: &Script, start: usize, io: &Io) -> Stream {
        let mut seen = Vec::new();
        let mut out = self.run_lines(st, script, start, io, &mut seen);
        while let Some((label, mut other)) = self.jumps.pop() {
            if self.host.halted() {
                break;
            }
            let Some(line) = script.label(&label, 0).filter(|l| !seen.contains(l)) else { continue };
            seen.push(line);
            other.flow = Flow::Next;
            out = out.or(self.run_lines(&mut other, script, line, io, &mut seen));
            st.merge(other);
        }
        out
    }

    fn run_lines(&mut self, st: &mut State, script: &Script, start: usize, io: &Io, seen: &mut Vec<usize>) -> Stream {
        let mut out = Stream::empty();
        let mut next = start;
        let mut turns = 0;
        while next < script.lines.len() && !self.host.halted() {
            let parsed = self.parse(st, script, &mut next);
            match parsed {
                Ok(Some(node)) => out = out.then(self.node(st, &node, io).out),
                Ok(None) => {}
                Err(Trouble::Syntax(span)) => self.host.gap(GapKind::Syntax, span),
                Err(Trouble::Nesting(span)) => self.host.gap(GapKind::Nesting, span),
            }
            match std::mem::take(&mut st.flow) {
                Flow::Next => {}
                Flow::Goto(label) => match script.label(&label, next) {
                    Some(line) if turns < limits::MAX_TURNS => {
                        seen.push(line);
                        turns += 1;
                        next = line;
                    }
                    // Around and around: what stands there was judged. Without its label the script ends.
                    Some(_) => {}
                    None => break,
                },
                other => {
                    st.flow = other;
                    break;
                }
            }
        }
        out
    }

    /// The next line, and those that its brackets take in.
    fn parse(&mut self, st: &State, script: &Script, next: &mut usize) -> Result<Option<Node>, Trouble> {
        self.host.charge(1);
        let first = self.percent(st, &script.lines[*next]);
        *next += 1;
        let mut feed = |text: &mut Text| {
            let Some(line) = script.lines.get(*next) else { return false };
            *next += 1;
            let line = self.percent(st, line);
            text.push_all_from("\n", line.span(0, 0));
            text.push_part(&line, 0, line.len());
            text.len() <= limits::MAX_COMMAND_BYTES
        };
        Parser::new(first, &mut feed).line()
    }

    /// `call :label ARGS`
    pub(super) fn call_label(&mut self, st: &mut State, label: &str, args: Vec<Value>, io: &Io) -> Stream {
        let script = std::rc::Rc::clone(&self.script);
        let Some(line) = script.label(&label.to_lowercase(), 0) else { return Stream::empty() };
        if !self.host.enter() {
            return Stream::Unknown;
        }
        let args = st.args.replace(std::rc::Rc::new(args));
        let jumps = std::mem::take(&mut self.jumps);
        let locals = st.locals();
        let out = self.run_from(st, &script, line, io);
        self.jumps = jumps;
        while st.locals() > locals {
            st.restore();
        }
        st.args = args;
        if st.flow == Flow::Return {
            st.flow = Flow::Next;
        }
        self.host.leave();
        out
    }

    /// Both states are possible.
    pub(super) fn merge(&mut self, st: &mut State, other: State) {
        for state in [&*st, &other] {
            if let Flow::Goto(label) = &state.flow
                && (st.flow == Flow::Next || other.flow == Flow::Next || st.flow != other.flow)
                && self.jumps.len() < limits::MAX_EXPANSION
            {
                self.jumps.push((label.clone(), state.clone()));
            }
        }
        st.merge(other);
    }

    /// A state that only may have come about: where it jumped to is looked at later.
    pub(super) fn forget(&mut self, other: State) {
        if let Flow::Goto(label) = &other.flow
            && self.jumps.len() < limits::MAX_EXPANSION
        {
            self.jumps.push((label.clone(), other));
        }
    }

    /// The character that stands for an unknown part.
    pub(super) fn hole(&mut self, piece: Piece) -> char {
        let index = self.holes.iter().take(64).position(|p| *p == piece).unwrap_or(self.holes.len());
        let index = index.min((LAST_HOLE - FIRST_HOLE) as usize);
        match self.holes.get_mut(index) {
            // So many that one has to stand for another: for anything then.
            Some(held) if *held != piece => *held = Piece::Any,
            Some(_) => {}
            None => self.holes.push(piece),
        }
        u32::try_from(index).ok().and_then(|i| char::from_u32(FIRST_HOLE + i)).unwrap_or('\u{F0000}')
    }

    /// Text with its unknown parts in place.
    pub(super) fn filled(&self, text: &str) -> Value {
        let mut out = Value::default();
        let mut rest = text;
        while let Some(at) = rest.find(|c| (FIRST_HOLE..=LAST_HOLE).contains(&u32::from(c))) {
            out.push_str(&rest[..at]);
            let Some(c) = rest[at..].chars().next() else { break };
            let end = at + c.len_utf8();
            match self.holes.get((u32::from(c) - FIRST_HOLE) as usize) {
                Some(piece) => out.push(piece.clone()),
                None => out.push_str(&rest[at..end]),
            }
            rest = &rest[end..];
        }
        out.push_str(rest);
        out
    }

    /// Known text behind unknown parts, as text again.
    pub(super) fn text_of(&mut self, value: &Value, span: Span) -> Text {
        let mut out = Text::default();
        self.push_value(&mut out, value, span);
        out
    }
}
