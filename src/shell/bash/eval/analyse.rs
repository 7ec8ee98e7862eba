//! The entry.

use super::machine::{Eval, Io};
use super::state::State;
use super::values::Stream;
use crate::limits::MAX_COMMAND_BYTES;
use crate::shell::programs::Language;
use crate::shell::{Analysis, Context, Gap, GapKind, Span};

/// What the bash command `text` would do when it runs in `ctx`. Never fails: what was not understood is a gap.
pub fn analyse(text: &str, ctx: &Context<'_>) -> Analysis {
    analyse_within(text, ctx, 0)
}

/// The same for a text that another interpreter hands on; `reentry`: how many did so.
pub(in crate::shell) fn analyse_within(text: &str, ctx: &Context<'_>, reentry: usize) -> Analysis {
    if text.len() > MAX_COMMAND_BYTES {
        return too_long(text);
    }
    evaluate(text, ctx, reentry).found
}

fn evaluate<'a>(text: &str, ctx: &Context<'a>, reentry: usize) -> Eval<'a> {
    let script = crate::shell::bash::parse(text);
    let mut eval = Eval::new(ctx);
    eval.found.gaps = script.gaps;
    eval.reentry = reentry;
    let mut state = State::new(ctx.cwd);
    let io = Io::new(Stream::Unknown, false);
    let mut outcome = eval.list(&mut state, &script.list, &io);
    eval.settle(&mut state, &mut outcome);
    if !eval.traps.is_empty() {
        eval.run_traps(&mut state);
    }
    eval
}

/// The steps that `text` takes.
#[cfg(test)]
pub(super) fn steps(text: &str, ctx: &Context<'_>) -> usize {
    evaluate(text, ctx, 0).steps()
}

/// What a program text would do that a tool hands to an interpreter.
pub fn analyse_code(language: Language, source: &str, ctx: &Context<'_>) -> Analysis {
    if source.len() > MAX_COMMAND_BYTES {
        return too_long(source);
    }
    let mut eval = Eval::new(ctx);
    let mut state = State::new(ctx.cwd);
    let span = Span { start: 0, end: u32::try_from(source.len()).unwrap_or(u32::MAX) };
    eval.program_text(&mut state, language, source, span);
    eval.found
}

fn too_long(text: &str) -> Analysis {
    let span = Span { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    Analysis { gaps: vec![Gap { kind: GapKind::Size, span }], ..Analysis::default() }
}
