//! What the evaluation offers to the other shells: programs are started, effects recorded and work counted in one
//! place, whatever language a command is written in and however often languages change within it.

use super::machine::{Eval, Io, Status, with_holes};
use super::state::{State, Var};
use super::values::Stream;
use crate::limits;
use crate::shell::programs::Arg;
use crate::shell::{Analysis, Certainty, Context, Effect, EffectKind, GapKind, Piece, Span, Target, Value};
use crate::world::World;

/// A text of another shell's language that is about to be judged.
pub(in crate::shell) struct Guest {
    /// The text; a character of plane 15 stands for each unknown part.
    pub(in crate::shell) text: String,
    /// The unknown parts.
    pub(in crate::shell) holes: Vec<Piece>,
    /// Its standard input.
    pub(in crate::shell) stdin: Stream,
}

/// What a guest gives back.
pub(in crate::shell) type Judge = fn(&mut Host<'_, '_>, Guest) -> Stream;

/// The services.
pub(in crate::shell) struct Host<'e, 'a> {
    eval: &'e mut Eval<'a>,
    /// What programs inherit: working folder and variables are replaced at each start.
    base: State,
}

impl<'a> Host<'_, 'a> {
    /// Judges a whole command of another shell's language; `reentry`: how many texts it lies within.
    pub(in crate::shell) fn analyse(text: &str, ctx: &Context<'a>, reentry: usize, judge: Judge) -> Analysis {
        let mut eval = Eval::new(ctx);
        eval.reentry = reentry;
        eval.msys = false;
        let mut host = Host { eval: &mut eval, base: State::new(ctx.cwd) };
        if text.len() > limits::MAX_COMMAND_BYTES {
            host.gap(GapKind::Size, Span { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) });
        } else {
            judge(&mut host, Guest { text: text.to_owned(), holes: holes_of(text), stdin: Stream::Unknown });
        }
        eval.found
    }
}

impl Eval<'_> {
    /// Judges a text of another shell's language that a program was handed in `st`.
    pub(super) fn guest(&mut self, st: &State, text: &Value, span: Span, io: &Io, judge: Judge) -> Stream {
        if self.reentry >= limits::MAX_REENTRY {
            self.stop(GapKind::Nesting);
            return Stream::Unknown;
        }
        let Some((text, holes)) = with_holes(text) else {
            self.gap(GapKind::Dialect, span);
            return Stream::Unknown;
        };
        self.charge_bytes(text.len() * 4);
        let stdin = io.take_stdin();
        let (outer, msys) = (self.outer.replace(self.span(span)), std::mem::replace(&mut self.msys, false));
        self.reentry += 1;
        self.dirty = true;
        let out = self.deeper(|eval| {
            let mut host = Host { eval, base: st.clone() };
            judge(&mut host, Guest { text, holes, stdin })
        });
        self.reentry -= 1;
        self.outer = outer;
        self.msys = msys;
        out.unwrap_or(Stream::Unknown)
    }
}

impl Host<'_, '_> {
    /// Disk and environment as the commands so far leave them.
    pub(in crate::shell) fn world(&self) -> &dyn World {
        &self.eval.overlay
    }

    /// The working folder at the start: known absolute text, below a known folder, or unknown.
    pub(in crate::shell) fn folder(&self) -> Value {
        self.base.folder()
    }

    /// A variable that the surrounding shell set, else the environment's; `Some(None)`: known to be unset.
    pub(in crate::shell) fn env(&self, name: &str) -> Option<Value> {
        match self.base.var(name) {
            Some(slot) if slot.exported => slot.var.joined(),
            _ => self.eval.world.env(name).map(Value::text),
        }
    }

    /// Counts work; `false` when there was too much of it.
    pub(in crate::shell) fn charge(&mut self, steps: usize) -> bool {
        self.eval.charge(steps)
    }

    /// Counts copied text.
    pub(in crate::shell) fn charge_bytes(&mut self, bytes: usize) -> bool {
        self.eval.charge_bytes(bytes)
    }

    /// Whether a limit was reached; nothing more is looked at then.
    pub(in crate::shell) fn halted(&self) -> bool {
        self.eval.halted()
    }

    /// Goes one level deeper; `false` (and a gap) where that is too deep. [`Host::leave`] undoes it.
    pub(in crate::shell) fn enter(&mut self) -> bool {
        if self.eval.depth >= limits::MAX_DEPTH {
            self.eval.stop(GapKind::Nesting);
            return false;
        }
        self.eval.depth += 1;
        true
    }

    /// Comes back from a level.
    pub(in crate::shell) fn leave(&mut self) {
        self.eval.depth -= 1;
    }

    /// Like [`Host::enter`], for text that is handed to another interpreter.
    pub(in crate::shell) fn reenter(&mut self) -> bool {
        if self.eval.reentry >= limits::MAX_REENTRY {
            self.eval.stop(GapKind::Nesting);
            return false;
        }
        self.eval.reentry += 1;
        true
    }

    /// Undoes [`Host::reenter`].
    pub(in crate::shell) fn leave_text(&mut self) {
        self.eval.reentry -= 1;
    }

    /// Notes that a part is not judged; the rest is.
    pub(in crate::shell) fn gap(&mut self, kind: GapKind, span: Span) {
        self.eval.gap(kind, span);
    }

    /// Gives up.
    pub(in crate::shell) fn stop(&mut self, kind: GapKind) {
        self.eval.stop(kind);
    }

    /// A program ran whose effects on the disk are not all known.
    pub(in crate::shell) fn is_dirty(&self) -> bool {
        self.eval.dirty
    }

    /// Records an effect and what it leaves on the disk.
    pub(in crate::shell) fn effect(&mut self, kind: EffectKind, target: Target, program: &str, span: Span) {
        self.effect_as(kind, target, Certainty::Proven, program, span);
    }

    /// [`Host::effect`] with its certainty.
    pub(in crate::shell) fn effect_as(
        &mut self,
        kind: EffectKind,
        target: Target,
        certainty: Certainty,
        program: &str,
        span: Span,
    ) {
        let span = self.eval.span(span);
        let program = program.to_owned();
        self.eval.push(Effect { kind, target, certainty, program, span, package_install: false });
    }

    /// From here on `path` is a folder.
    pub(in crate::shell) fn made_dir(&mut self, path: &str) {
        self.eval.overlay.make_dir(path);
    }

    /// From here on `path` is a file that holds this.
    pub(in crate::shell) fn made_file(&mut self, path: &str, text: Stream, append: bool) {
        self.eval.write_file(path, text, append);
    }

    /// From here on `path` is a link.
    pub(in crate::shell) fn made_link(&mut self, path: &str, to: &str) {
        self.eval.overlay.make_link(path, to);
    }

    /// From here on nothing is at `path`.
    pub(in crate::shell) fn removed(&mut self, path: &str) {
        self.eval.overlay.remove(path);
    }

    /// `path` with the links followed that earlier commands made.
    pub(in crate::shell) fn through_links(&self, path: &str, follow_last: bool) -> String {
        self.eval.overlay.through_links(path, follow_last)
    }

    /// What an earlier part of the same command wrote to the file.
    pub(in crate::shell) fn written(&self, path: &str) -> Option<Stream> {
        self.eval.overlay.written(path).cloned()
    }

    /// What reading the file gives, as far as it is known.
    pub(in crate::shell) fn file_text(&mut self, path: &str) -> Stream {
        self.eval.file_text(path)
    }

    /// What is meant by a drive letter from here on (`subst X: DIR`, a mapped share).
    pub(in crate::shell) fn map_drive(&mut self, letter: char, to: Option<String>) {
        self.eval.drives.retain(|(l, _)| *l != letter.to_ascii_uppercase());
        if let Some(to) = to
            && self.eval.drives.len() < 26
        {
            self.eval.drives.push((letter.to_ascii_uppercase(), to));
        }
    }

    /// Starts a program: its standard output and whether it succeeds. `argv[0]` may name a row of one shell's own
    /// (`cmd:sort`).
    pub(in crate::shell) fn run(&mut self, argv: &[Arg], start: Start<'_>) -> (Stream, Option<bool>) {
        let mut st = self.base.clone();
        st.cwd = vec![start.cwd];
        for (name, value) in start.vars {
            let var = value.clone().map_or(Var::Unset, Var::one);
            st.set(name, var, self.eval.world);
            st.export(name, true, self.eval.world);
        }
        let first = self.eval.found.effects.len();
        let io = Io::new(start.stdin, start.capture);
        // A guest counts in its own text.
        let argv: Vec<Arg> =
            argv.iter().map(|a| Arg { value: a.value.clone(), span: self.eval.span(a.span) }).collect();
        let outcome = self.eval.invoke(&mut st, &argv, &io);
        for effect in self.eval.found.effects.get_mut(first..).unwrap_or_default() {
            // `cmd:sort`, `C:\bin\tool.exe`
            if let Some((_, name)) = effect.program.rsplit_once([':', '\\']) {
                effect.program = name.to_owned();
            }
        }
        let known = match outcome.status {
            Status::True => Some(true),
            Status::False => Some(false),
            Status::Likely | Status::Unknown => None,
        };
        (outcome.out, known)
    }
}

/// The characters in a text that may stand for the unknown parts of somebody else stand for themselves here.
fn holes_of(text: &str) -> Vec<Piece> {
    let Some(last) = text.chars().filter(|c| ('\u{F0000}'..='\u{FFFFD}').contains(c)).max() else { return Vec::new() };
    ('\u{F0000}'..=last).map(|c| Piece::Text(c.to_string())).collect()
}

/// How a program is started.
pub(in crate::shell) struct Start<'s> {
    /// The working folder: known absolute text, below a known folder, or unknown.
    pub(in crate::shell) cwd: Value,
    /// Variables that the shell set, unset where `None`.
    pub(in crate::shell) vars: &'s [(String, Option<Value>)],
    /// Its standard input.
    pub(in crate::shell) stdin: Stream,
    /// Somebody looks at its output.
    pub(in crate::shell) capture: bool,
}
