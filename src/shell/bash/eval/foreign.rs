//! Texts that a command hands to a shell of another kind.

use super::environment::Environment;
use super::machine::{Eval, Outcome, Status, with_holes};
use super::state::State;
use super::values::Stream;
use crate::limits::{MAX_EXPANSION, MAX_REENTRY, STEPS_PER_OTHER_SHELL};
use crate::shell::analyse::analyse_within;
use crate::shell::powershell::{filled, nowhere};
use crate::shell::{Context, Dialect, EffectKind, GapKind, Span, Target, Value};
use crate::world::World;

impl Eval<'_> {
    /// Judges `text` as a command of `dialect` that starts in `child`.
    pub(super) fn foreign(&mut self, child: &State, dialect: Dialect, text: &Value, span: Span) -> Outcome {
        let unknown = Outcome::new(Status::Unknown, Stream::Unknown);
        let Some((source, holes)) = with_holes(text) else { return unknown };
        if self.reentry >= MAX_REENTRY {
            self.stop(GapKind::Nesting);
            return unknown;
        }
        if !self.charge(STEPS_PER_OTHER_SHELL) {
            return unknown;
        }
        self.charge_bytes(source.len() * 8);
        let model = self.world.model();
        let cwd = child.known_folder().map_or_else(|| nowhere(model), str::to_owned);
        let environment = Environment::new(&self.overlay, child, holes);
        let context = Context { cwd: &cwd, world: &environment };
        let found = analyse_within(dialect, &source, &context, self.reentry + 1);
        let holes = environment.into_holes();
        self.dirty = true;
        for gap in found.gaps {
            // Text that is only known in part need not be what it looks like.
            if gap.kind != GapKind::Syntax || holes.is_empty() {
                self.gap(gap.kind, span);
            }
        }
        for mut effect in found.effects {
            effect.span = self.span(span);
            effect.target = filled(model, effect.target, &holes);
            if let (EffectKind::Create, Target::Path(path)) = (effect.kind, &effect.target)
                && self.overlay.entry(path).is_none()
            {
                self.overlay.make_file(path, Stream::Unknown);
            }
            self.push(effect);
        }
        for mut call in found.operator_calls {
            if self.found.operator_calls.len() < MAX_EXPANSION {
                call.span = self.span(span);
                self.found.operator_calls.push(call);
            }
        }
        unknown
    }
}
