//! The evaluation itself: what it carries along, its limits, and how it records what it finds.

use std::rc::Rc;

use super::super::ast::Flow;
use super::state::State;
use super::val::Val;
use crate::limits;
use crate::path::Model;
use crate::shell::bash::eval::machine::fill_holes;
use crate::shell::bash::eval::overlay::Overlay;
use crate::shell::{Analysis, Certainty, Context, Effect, EffectKind, Gap, GapKind, Piece, Span, Target, Value};
use crate::world::World;

/// The evaluation of one command.
pub(super) struct Eval<'a> {
    pub(super) overlay: Overlay<'a>,
    pub(super) world: &'a dyn World,
    pub(super) found: Analysis,
    /// Where texts that are not the command itself came from.
    pub(super) outer: Option<Span>,
    /// Unknown parts of the text under evaluation, by the character that stands for each.
    pub(super) holes: Rc<Vec<Piece>>,
    pub(super) reentry: usize,
    pub(super) depth: usize,
    /// Names of active functions.
    pub(super) calls: Vec<String>,
    /// Variables that the active functions assigned to an outer scope.
    pub(super) outward: Vec<String>,
    /// A program ran whose effects on the disk are not all known.
    pub(super) dirty: bool,
    /// Folders that may still be listed.
    pub(super) folders_left: usize,
    /// What `$_` is.
    pub(super) current: Val,
    /// States in which control left a loop, function or `try` on a path that need not be taken.
    pub(super) parked: Vec<(Flow, State)>,
    steps: usize,
    halted: bool,
}

impl<'a> Eval<'a> {
    pub(super) fn new(ctx: &Context<'a>, reentry: usize) -> Self {
        Self {
            overlay: Overlay::new(ctx.world),
            world: ctx.world,
            found: Analysis::default(),
            outer: None,
            holes: Rc::default(),
            reentry,
            depth: 0,
            calls: Vec::new(),
            outward: Vec::new(),
            dirty: false,
            folders_left: limits::MAX_GLOB_FOLDERS,
            current: Val::Null,
            parked: Vec::new(),
            steps: 0,
            halted: false,
        }
    }

    pub(super) fn model(&self) -> Model {
        self.world.model()
    }

    pub(super) fn windows(&self) -> bool {
        self.model() == Model::Windows
    }

    /// Whether a limit was reached; nothing more is looked at then.
    pub(super) fn halted(&self) -> bool {
        self.halted
    }

    /// Counts work; `false` when there was too much of it.
    pub(super) fn charge(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_add(steps).saturating_add(self.overlay.take_steps());
        if self.steps > limits::MAX_STEPS {
            self.stop(GapKind::Size);
        }
        !self.halted
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
        let gap = Gap { kind, span: self.span(span) };
        if self.found.gaps.last() != Some(&gap) && self.found.gaps.len() < limits::MAX_EXPANSION {
            self.found.gaps.push(gap);
        }
    }

    /// The span in the outermost text.
    pub(super) fn span(&self, span: Span) -> Span {
        self.outer.unwrap_or(span)
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

    /// Literal source text as a value: characters that stand for unknown parts become them.
    pub(super) fn literal(&self, text: &str) -> Value {
        if self.holes.is_empty() { Value::text(text) } else { fill_holes(&self.holes, text) }
    }

    /// Records an effect.
    pub(super) fn push(&mut self, kind: EffectKind, target: Target, by: &By<'_>) {
        if let Target::Path(path) = &target
            && self.windows()
            && is_device(self.model().base_name(path))
        {
            return;
        }
        let effect = Effect {
            kind,
            target,
            certainty: by.certainty,
            program: by.program.to_owned(),
            span: self.span(by.span),
            package_install: false,
        };
        self.record(effect);
    }

    pub(super) fn record(&mut self, mut effect: Effect) {
        effect.target = effect.target.grounded(self.model());
        self.charge(limits::STEPS_PER_EFFECT);
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
}

/// Who does something, and which word says so.
#[derive(Clone, Copy, Debug)]
pub(super) struct By<'n> {
    pub(super) program: &'n str,
    pub(super) span: Span,
    pub(super) certainty: Certainty,
}

impl<'n> By<'n> {
    pub(super) fn proven(program: &'n str, span: Span) -> Self {
        Self { program, span, certainty: Certainty::Proven }
    }
}

/// Names that are devices in every folder of Windows.
pub(super) fn is_device(name: &str) -> bool {
    let stem = name.split(['.', ':']).next().unwrap_or(name).trim_end();
    let lower = stem.to_ascii_lowercase();
    matches!(lower.as_str(), "nul" | "con" | "prn" | "aux" | "conin$" | "conout$")
        || matches!(lower.as_bytes(), [b'c', b'o', b'm', b'1'..=b'9'] | [b'l', b'p', b't', b'1'..=b'9'])
}
