//! The entry, and texts that are handed to another shell.

use std::rc::Rc;

use super::super::parse;
use super::environment::Environment;
use super::machine::Eval;
use super::state::{Place, State};
use super::val::Val;
use crate::limits::{MAX_COMMAND_BYTES, MAX_REENTRY, STEPS_PER_OTHER_SHELL};
use crate::path::Model;
use crate::shell::bash::eval::machine::with_holes;
use crate::shell::{Analysis, Context, Dialect, GapKind, Piece, Span, Target, Value};

/// What the PowerShell command `text` would do when it runs in `ctx`. Never fails: what was not understood is a gap.
/// `reentry`: how many interpreters handed this text on.
pub fn analyse(text: &str, ctx: &Context<'_>, reentry: usize) -> Analysis {
    let mut eval = Eval::new(ctx, reentry);
    let script = parse(text);
    eval.found.gaps = script.gaps;
    let mut state = State::new(ctx.cwd);
    let out = eval.body(&mut state, &script.body, None);
    drop(out);
    eval.found
}

impl Eval<'_> {
    /// Runs a known or partly known text as a script in `st`; what it gives.
    pub(super) fn run_text(&mut self, st: &mut State, text: &Value, span: Span) -> Vec<Val> {
        let Some((source, holes)) = with_holes(text) else { return vec![Val::Unknown] };
        if self.reentry >= MAX_REENTRY {
            self.stop(GapKind::Nesting);
            return Vec::new();
        }
        if source.len() > MAX_COMMAND_BYTES {
            self.stop(GapKind::Size);
            return Vec::new();
        }
        self.charge_bytes(source.len() * 4);
        let script = parse(&source);
        let span = self.span(span);
        let outer = self.outer.replace(span);
        let holes = std::mem::replace(&mut self.holes, Rc::new(holes));
        self.reentry += 1;
        for gap in &script.gaps {
            // Text that is only known in part need not be what it looks like.
            if gap.kind != GapKind::Syntax || self.holes.is_empty() {
                self.gap(gap.kind, gap.span);
            }
        }
        let out = self.deeper(|eval| eval.body(st, &script.body, None)).unwrap_or_default();
        self.reentry -= 1;
        self.holes = holes;
        self.outer = outer;
        out
    }

    /// Runs a text in another shell that starts in `cwd` (the current folder where there is none).
    pub(super) fn other_shell(
        &mut self,
        st: &State,
        dialect: Dialect,
        text: &Value,
        cwd: Option<&Value>,
        span: Span,
    ) -> Vec<Val> {
        let mut child = st.child();
        if let Some(cwd) = cwd {
            child.place = Place::Folder(self.folder_of(st, cwd));
            child.process = child.folder();
        }
        if dialect == Dialect::PowerShell {
            let out = self.run_text(&mut child, text, span);
            return if out.is_empty() { out } else { vec![Val::Unknown] };
        }
        let Some((source, holes)) = with_holes(text) else { return vec![Val::Unknown] };
        if self.reentry >= MAX_REENTRY {
            self.stop(GapKind::Nesting);
            return Vec::new();
        }
        if !self.charge(STEPS_PER_OTHER_SHELL) {
            return Vec::new();
        }
        self.charge_bytes(source.len() * 8);
        let folder = child.folder();
        let folder = folder.known().map_or_else(|| nowhere(self.model()), std::borrow::Cow::into_owned);
        let (analysis, holes) = {
            let world = Environment::new(&self.overlay, &child, holes);
            let ctx = Context { cwd: &folder, world: &world };
            let analysis = crate::shell::analyse::analyse_within(dialect, &source, &ctx, self.reentry + 1);
            (analysis, world.into_holes())
        };
        self.dirty = true;
        self.adopt(analysis, &holes, span);
        vec![Val::Unknown]
    }

    /// Takes over what another interpreter's text was found to do.
    fn adopt(&mut self, analysis: Analysis, holes: &[Piece], span: Span) {
        let model = self.model();
        for gap in analysis.gaps {
            if gap.kind != GapKind::Syntax || holes.is_empty() {
                self.gap(gap.kind, span);
            }
        }
        for mut effect in analysis.effects {
            effect.span = self.span(span);
            effect.target = filled(model, effect.target, holes);
            if let (Target::Path(path), crate::shell::EffectKind::Create) = (&effect.target, effect.kind)
                && path.len() < crate::limits::MAX_PATH_BYTES
            {
                self.overlay.make_dir(path);
            }
            self.record(effect);
        }
        for mut call in analysis.operator_calls {
            call.span = self.span(span);
            self.found.operator_calls.push(call);
        }
    }

    /// The folder that a program is started in.
    pub(super) fn folder_of(&self, st: &State, cwd: &Value) -> Value {
        match self.target(st, cwd) {
            Some(Target::Path(path)) => Value::text(path),
            Some(Target::Inside(folder)) => Value::under(folder),
            _ => Value::any(),
        }
    }
}

/// A working folder that is not known: no path below it exists.
pub(in crate::shell) fn nowhere(model: Model) -> String {
    match model {
        Model::Posix => "/\u{0}".to_owned(),
        Model::Windows => "C:\\\u{0}".to_owned(),
    }
}

/// What a character that stands for an unknown part begins with in UTF-8 (RFC 3629, section 3).
const HOLE_BYTE: u8 = 0xF3;

/// A target whose path holds characters that stand for unknown parts, or that lies in the folder that is not known.
pub(in crate::shell) fn filled(model: Model, target: Target, holes: &[Piece]) -> Target {
    let (Target::Path(path) | Target::Inside(path)) = &target else { return target };
    if path.contains('\0') {
        return Target::Opaque;
    }
    // Few paths have any, and some are thousands of bytes long.
    if holes.is_empty() || !path.as_bytes().contains(&HOLE_BYTE) {
        return target;
    }
    let is_hole = |c: char| ('\u{F_0000}'..='\u{F_FFFD}').contains(&c);
    let Some(at) = path.find(is_hole) else { return target };
    let index = path[at..].chars().next().map_or(0, |c| u32::from(c) - 0xF_0000) as usize;
    match holes.get(index) {
        Some(Piece::Under(folder)) => Target::Inside(folder.clone()),
        Some(Piece::Any) if path[..at].ends_with(|c| model.is_separator(c)) && !path[at..].contains(['/', '\\']) => {
            Target::Opaque
        }
        _ => match model.parent(&path[..at]) {
            Some(folder) if !path[..at].ends_with(|c| model.is_separator(c)) => Target::Inside(folder.to_owned()),
            _ => Target::Inside(model.normalize(&path[..at])),
        },
    }
}
