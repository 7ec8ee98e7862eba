//! The evaluation itself: what it carries along, its limits, and how it records what it finds.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::overlay::Overlay;
use super::state::State;
use super::values::Stream;
use crate::limits;
use crate::path::{Model, is_device};
use crate::shell::{Analysis, Context, Effect, Gap, GapKind, Piece, Span, Target, Value};
use crate::world::World;

/// Whether a command succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// Certainly.
    True,
    /// As far as anyone expects: what follows `||` is judged too, what follows `&&` runs.
    Likely,
    /// Either way.
    Unknown,
    /// Certainly not.
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

    pub(super) fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Likely | Self::Unknown => Self::Unknown,
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::True | Self::Likely, Self::True | Self::Likely) => Self::Likely,
            _ => Self::Unknown,
        }
    }
}

/// What a command leaves behind besides the state.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) status: Status,
    /// Its standard output, where someone asked for it.
    pub(super) out: Stream,
    /// The state where it failed, if that differs from the state where it succeeded.
    pub(super) failed: Option<Box<State>>,
}

impl Outcome {
    pub(super) fn new(status: Status, out: Stream) -> Self {
        Self { status, out, failed: None }
    }

    pub(super) fn silent(status: Status) -> Self {
        Self::new(status, Stream::empty())
    }
}

/// Where a command's input comes from and whether its output is wanted.
#[derive(Clone, Debug)]
pub(super) struct Io {
    /// Shared by all commands that read from the same place, since one takes what the next does not get.
    pub(super) stdin: Rc<RefCell<Stream>>,
    /// Somebody looks at the output.
    pub(super) capture: bool,
}

impl Io {
    pub(super) fn new(stdin: Stream, capture: bool) -> Self {
        Self { stdin: Rc::new(RefCell::new(stdin)), capture }
    }

    pub(super) fn capturing(&self, capture: bool) -> Self {
        Self { stdin: Rc::clone(&self.stdin), capture }
    }

    /// All that is left of the input.
    pub(super) fn take_stdin(&self) -> Stream {
        self.stdin.replace(Stream::empty())
    }
}

/// Which of several possible values each use of a variable takes in this run of a command.
#[derive(Debug, Default)]
pub(super) struct Choices {
    taken: Vec<(usize, usize)>,
    at: usize,
}

impl Choices {
    /// The alternative to use out of `count`.
    pub(super) fn pick(&mut self, count: usize) -> usize {
        if self.at == self.taken.len() {
            self.taken.push((0, count));
        }
        let (index, _) = self.taken.get(self.at).copied().unwrap_or((0, 1));
        self.at += 1;
        index.min(count.saturating_sub(1))
    }

    /// Moves to the next combination; `false` after the last.
    pub(super) fn advance(&mut self) -> bool {
        self.taken.truncate(self.at);
        self.at = 0;
        while let Some((index, count)) = self.taken.pop() {
            if index + 1 < count {
                self.taken.push((index + 1, count));
                return true;
            }
        }
        false
    }
}

/// How uses of variables with alternatives are read.
#[derive(Debug)]
pub(super) enum Reading {
    /// One value that covers all.
    Joined,
    /// One at a time.
    Choosing(Choices),
}

/// The evaluation of one tool call's command.
pub(super) struct Eval<'a> {
    pub(super) overlay: Overlay<'a>,
    pub(super) world: &'a dyn World,
    pub(super) found: Analysis,
    pub(super) reading: Reading,
    /// Where texts that are not the command itself came from.
    pub(super) outer: Option<Span>,
    /// Unknown parts of the text under evaluation, by the character that stands for each.
    pub(super) holes: Rc<Vec<Piece>>,
    pub(super) reentry: usize,
    pub(super) depth: usize,
    pub(super) calls: Vec<String>,
    /// What `local` hid, by active function.
    pub(super) locals: Vec<Vec<(String, Option<super::state::Slot>)>>,
    pub(super) returned: Vec<Option<State>>,
    pub(super) broken: Vec<Option<State>>,
    /// Texts to run when the shell ends.
    pub(super) traps: Vec<(Value, Span)>,
    /// The folder of git's hooks, where this very command set it.
    pub(super) hooks: Option<String>,
    /// A program ran whose effects on the disk are not all known.
    pub(super) dirty: bool,
    pub(super) pipes: u32,
    /// Folders that globs may still list.
    pub(super) folders_left: usize,
    /// Folders that hold too much to be looked through.
    pub(super) vast: BTreeSet<String>,
    /// Programs are given paths as Git Bash spells them (`/c/x`, `/tmp`), where paths follow the Windows model.
    pub(super) msys: bool,
    /// Drive letters that stand for folders (`subst`).
    pub(super) drives: Vec<(char, String)>,
    steps: usize,
    halted: bool,
    /// Steps after which a text that only matters for what it leaves behind is dropped.
    soft_limit: Option<usize>,
}

impl<'a> Eval<'a> {
    pub(super) fn new(ctx: &Context<'a>) -> Self {
        Self {
            overlay: Overlay::new(ctx.world),
            world: ctx.world,
            found: Analysis::default(),
            reading: Reading::Joined,
            outer: None,
            holes: Rc::default(),
            reentry: 0,
            folders_left: limits::MAX_GLOB_FOLDERS,
            vast: BTreeSet::new(),
            msys: true,
            drives: Vec::new(),
            depth: 0,
            calls: Vec::new(),
            locals: Vec::new(),
            returned: Vec::new(),
            broken: Vec::new(),
            traps: Vec::new(),
            hooks: None,
            dirty: false,
            pipes: 0,
            steps: 0,
            halted: false,
            soft_limit: None,
        }
    }

    /// Whether a limit was reached; nothing more is looked at then.
    pub(super) fn halted(&self) -> bool {
        self.halted
    }

    /// The work so far.
    #[cfg(test)]
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// Counts work; `false` when there was too much of it.
    pub(super) fn charge(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_add(steps).saturating_add(self.overlay.take_steps());
        if self.soft_limit.is_some_and(|limit| self.steps > limit) {
            self.halted = true;
        } else if self.steps > limits::MAX_STEPS {
            self.stop(GapKind::Size);
        }
        !self.halted
    }

    /// Runs `f` for what it leaves behind in the state alone: what it finds is dropped, and so is the rest of it
    /// after `steps` steps.
    pub(super) fn in_passing(&mut self, steps: usize, f: impl FnOnce(&mut Self)) {
        if self.halted || self.soft_limit.is_some() {
            return;
        }
        let found = std::mem::take(&mut self.found);
        self.soft_limit = Some(self.steps.saturating_add(steps).min(limits::MAX_STEPS));
        f(self);
        self.soft_limit = None;
        self.halted = false;
        self.found = found;
    }

    /// Counts copied text.
    pub(super) fn charge_bytes(&mut self, bytes: usize) -> bool {
        self.charge(bytes / limits::BYTES_PER_STEP)
    }

    /// Gives up, once.
    pub(super) fn stop(&mut self, kind: GapKind) {
        if !self.halted {
            self.halted = true;
            let span = self.outer.unwrap_or_default();
            self.found.gaps.push(Gap { kind, span });
        }
    }

    /// Notes that a part is not judged; the rest is.
    pub(super) fn gap(&mut self, kind: GapKind, span: Span) {
        self.dirty = true;
        let gap = Gap { kind, span: self.span(span) };
        if self.found.gaps.last() != Some(&gap) && self.found.gaps.len() < limits::MAX_EXPANSION {
            self.found.gaps.push(gap);
        }
    }

    /// The span in the outermost text.
    pub(super) fn span(&self, span: Span) -> Span {
        self.outer.unwrap_or(span)
    }

    /// Records an effect.
    pub(super) fn push(&mut self, effect: Effect) {
        let Some(mut effect) = self.as_native(effect) else { return };
        effect.target = effect.target.grounded(self.world.model());
        if self.found.effects.len() >= limits::MAX_EFFECTS {
            self.stop(GapKind::Size);
            return;
        }
        // Loops and alternatives say the same again and again.
        let recent = self.found.effects.len().saturating_sub(16);
        if !self.found.effects[recent..].contains(&effect) {
            self.found.effects.push(effect);
        }
    }

    /// The effect on what a native Windows program makes of the path; `None` on a device.
    fn as_native(&self, mut effect: Effect) -> Option<Effect> {
        if self.msys || self.world.model() != Model::Windows {
            return Some(effect);
        }
        if let Target::Path(path) | Target::Inside(path) = &mut effect.target {
            if is_device(path) {
                return None;
            }
            let letter = path.chars().next().unwrap_or_default().to_ascii_uppercase();
            let on_drive = path.as_bytes().get(1) == Some(&b':');
            if let Some((_, to)) = self.drives.iter().find(|(l, _)| on_drive && *l == letter) {
                *path = Model::Windows.normalize(&format!("{to}\\{}", &path[2..]));
            }
        }
        Some(effect)
    }

    /// Runs `f` one level deeper; `None` where that is too deep.
    pub(super) fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= limits::MAX_DEPTH {
            self.stop(GapKind::Nesting);
            return None;
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        Some(result)
    }

    /// Literal source text -> value: characters that stand for unknown parts become them.
    pub(super) fn literal(&self, text: &str) -> Value {
        if self.holes.is_empty() {
            return Value::text(text);
        }
        fill_holes(&self.holes, text)
    }
}

/// The character that stands for the unknown part `index` in a text that is handed to another interpreter.
pub(in crate::shell) fn hole(index: usize) -> Option<char> {
    // Plane 15 is private use: no command has a meaning for these.
    char::from_u32(0xF_0000 + u32::try_from(index).ok()?).filter(|&c| c <= '\u{F_FFFD}')
}

/// A partly known text with characters in place of its unknown parts; `None` where nothing is known.
pub(in crate::shell) fn with_holes(value: &Value) -> Option<(String, Vec<Piece>)> {
    let mut text = String::new();
    let mut holes = Vec::new();
    let mut known = value.is_empty();
    for piece in &value.pieces {
        match piece {
            Piece::Text(s) => {
                known |= !s.trim().is_empty();
                text.push_str(s);
            }
            other => {
                text.push(hole(holes.len())?);
                holes.push(other.clone());
            }
        }
    }
    known.then_some((text, holes))
}

/// The reverse of [`with_holes`].
pub(in crate::shell) fn fill_holes(holes: &[Piece], text: &str) -> Value {
    let mut out = Value::default();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| ('\u{F_0000}'..='\u{F_FFFD}').contains(&c)) {
        let c = rest[at..].chars().next().unwrap_or_default();
        let end = at + c.len_utf8();
        match holes.get((u32::from(c) - 0xF_0000) as usize) {
            Some(piece) => {
                out.push_str(&rest[..at]);
                out.push(piece.clone());
            }
            None => out.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}
