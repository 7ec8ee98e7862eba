//! The entry: program text -> acts.

use std::collections::BTreeMap;

use super::interp::Interp;
use super::{awk, lex, sed};
use crate::limits::{MAX_COMMAND_BYTES, MAX_INLINE_WORK};
use crate::shell::programs::{Act, Arg, Language};
use crate::shell::{Certainty, EffectKind, Span, Value};
use crate::world::World;

/// What the program text `source` would do when it is run in `cwd` (absolute, normal) with `args`.
///
/// Every act carries `span`. Where a limit is reached, an act says that something unknown is created.
pub fn acts(language: Language, source: &str, args: &[Arg], cwd: &str, world: &dyn World, span: Span) -> Vec<Act> {
    acts_within(language, source, args, cwd, world, span, 0)
}

pub(super) fn acts_within(
    language: Language,
    source: &str,
    args: &[Arg],
    cwd: &str,
    world: &dyn World,
    span: Span,
    reentry: usize,
) -> Vec<Act> {
    if source.len() > MAX_COMMAND_BYTES {
        return vec![unknown(span)];
    }
    match language {
        Language::Sed => return sed::acts(source, span),
        Language::Awk => return awk::acts(source, args, world, span),
        _ => {}
    }
    let tokens = lex::lex(language, source);
    let mut interp = Interp {
        language,
        toks: &tokens.list,
        i: 0,
        end: tokens.list.len(),
        args,
        cwd,
        world,
        span,
        acts: Vec::new(),
        vars: BTreeMap::new(),
        log: Vec::new(),
        dotted: false,
        funcs: Vec::new(),
        returned: Vec::new(),
        stars: Vec::new(),
        work: MAX_INLINE_WORK + 4 * tokens.list.len(),
        depth: 0,
        reentry,
        cut: tokens.cut,
        chdir: None,
        loops: 0,
        column: 0,
        decorated: false,
    };
    interp.hoist();
    interp.statements();
    interp.run_escaped();
    let (mut acts, cut) = (interp.acts, interp.cut);
    acts.dedup();
    if cut {
        acts.push(unknown(span));
    }
    acts
}

/// Something is created, nobody knows where.
pub(super) fn unknown(span: Span) -> Act {
    Act::Path {
        kind: EffectKind::Create,
        value: Value::any(),
        certainty: Certainty::Assumed,
        span,
        package_install: false,
    }
}
