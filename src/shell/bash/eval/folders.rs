//! The working folder: `cd`, `pushd`, `popd`, `dirs`, `pwd`.

use std::rc::Rc;

use super::machine::{Eval, Outcome, Status};
use super::state::{State, Var};
use super::values::{self, Stream};
use crate::limits::{FOLDERS_PER_STEP, MAX_STACK};
use crate::path::resolve;
use crate::shell::programs::Arg;
use crate::shell::{Piece, Target, Value};
use crate::world::{EntryKind, World};

impl Eval<'_> {
    pub(super) fn cd(&mut self, st: &mut State, args: &[Arg]) -> Outcome {
        let mut physical = false;
        let mut args = args;
        while let Some(first) = args.first() {
            match first.value.known().as_deref() {
                Some("-P") => physical = true,
                Some("-L" | "-e" | "-q") => {}
                Some("--") => {
                    args = &args[1..];
                    break;
                }
                _ => break,
            }
            args = &args[1..];
        }
        let value = match args.first() {
            None => self.home(st),
            Some(arg) if arg.value.known().as_deref() == Some("-") => {
                self.variable(st, "OLDPWD").unwrap_or_else(Value::any)
            }
            Some(arg) => match self.by_search_path(st, &arg.value) {
                Some(found) => found,
                None => self.by_variable(st, &arg.value).unwrap_or_else(|| arg.value.clone()),
            },
        };
        self.change(st, &value, physical)
    }

    /// The folder that `CDPATH` finds for a relative name.
    fn by_search_path(&mut self, st: &mut State, value: &Value) -> Option<Value> {
        let text = value.known()?;
        if text.is_empty() || matches!(text.split('/').next(), Some("" | "." | "..")) {
            return None;
        }
        let list = self.variable(st, "CDPATH")?;
        let list = list.known()?;
        let model = self.world.model();
        let here = st.known_folder();
        let mut dirs = list.split(':').take(64);
        let found = dirs.find_map(|dir| {
            let dir = if model.is_absolute(dir) { dir.to_owned() } else { model.join(here?, dir) };
            let path = model.join(&dir, &text);
            (self.overlay.target(&path) == Some(EntryKind::Dir)).then_some(path)
        })?;
        Some(Value::text(found))
    }

    /// The folder that a variable of this name holds, where there is none of the name itself (`cdable_vars`).
    fn by_variable(&mut self, st: &mut State, value: &Value) -> Option<Value> {
        let name = value.known().filter(|name| st.cdable && super::declare::is_name(name))?;
        let there = self.known_path(st, value).and_then(|path| self.overlay.target(&path));
        if there == Some(EntryKind::Dir) { None } else { self.variable(st, &name) }
    }

    /// `~2`, `~+2`, `~-2`: an entry of the stack, which is counted from the shell's folder or from its other end.
    pub(super) fn stacked(st: &State, name: &str) -> Option<Value> {
        let from_end = name.strip_prefix('-');
        let digits = from_end.or(name.strip_prefix('+')).unwrap_or(name);
        let number: usize = digits.parse().ok()?;
        let last = st.dirs.len();
        let at = if from_end.is_some() { number } else { last.checked_sub(number)? };
        if at == last { Some(st.folder()) } else { st.dirs.get(at).cloned() }
    }

    /// Makes `value` the working folder.
    fn change(&mut self, st: &mut State, value: &Value, physical: bool) -> Outcome {
        if value.is_empty() {
            return Outcome::silent(Status::True);
        }
        let here = st.folder();
        let (place, status) = if let Some(Some(path)) = value.known().map(|text| self.spelled(&here, &text)) {
            if !self.charge(crate::limits::steps_of_path(path.len())) {
                return Outcome::silent(Status::Unknown);
            }
            let path = if physical { resolve(&self.overlay, &path, true).path } else { path };
            let status = match self.overlay.target(&path) {
                Some(EntryKind::Dir) => Status::True,
                // Something that an earlier command made.
                Some(_) if self.overlay.knows(&path) => Status::Likely,
                // Nothing can have made it, so the shell stays where it is.
                None | Some(EntryKind::File) if !self.may_be_made(&path) => return Outcome::silent(Status::False),
                _ => Status::Unknown,
            };
            (Value::folder(path), status)
        } else {
            let place = match self.target(&here, value, true) {
                Target::Path(path) => Value::folder(path),
                Target::Inside(folder) => Value::under(folder),
                Target::Opaque => Value::any(),
            };
            (place, Status::Likely)
        };
        let failed = (status == Status::Unknown).then(|| Box::new(st.clone()));
        st.set("OLDPWD", Var::one(here), self.world);
        if st.var("PWD").is_some() {
            st.put("PWD", None);
        }
        st.cwd = vec![place];
        Outcome { status, out: Stream::empty(), failed }
    }

    /// Whether the commands so far may have put something at `path` that the overlay can't show: a program did so by
    /// itself, or it lies in a folder that they made, by a copy perhaps.
    pub(super) fn may_be_made(&self, path: &str) -> bool {
        self.dirty || self.overlay.knows_about(path)
    }

    /// `cd` takes `..` off the path as it is spelled, links or not.
    fn spelled(&self, here: &Value, text: &str) -> Option<String> {
        let model = self.world.model();
        if model == crate::path::Model::Windows && text.starts_with('/') {
            return self.absolute(here, text);
        }
        if model.is_absolute(text) {
            return Some(model.normalize(text));
        }
        match here.pieces.as_slice() {
            [Piece::Text(base)] => Some(model.join(base, text)),
            _ => self.absolute(here, text),
        }
    }

    pub(super) fn pushd(&mut self, st: &mut State, args: &[Arg]) -> Outcome {
        self.charge(st.dirs.len() / FOLDERS_PER_STEP);
        let operand = args.iter().find(|a| !a.value.prefix().starts_with(['-', '+']));
        let here = st.folder();
        if let Some(arg) = operand.filter(|_| stays(args)) {
            // Only the stack is changed.
            st.dirs = pushed(&st.dirs, arg.value.clone());
            return Outcome::silent(Status::True);
        }
        if let Some(arg) = operand {
            let outcome = self.change(st, &arg.value.clone(), false);
            st.dirs = pushed(&st.dirs, here);
            outcome
        } else {
            let mut dirs = st.dirs.to_vec();
            let place = match dirs.pop() {
                Some(place) if args.is_empty() => place,
                // `pushd +2`: one of them.
                Some(place) => values::join(&place, &values::join_all(&dirs)),
                None => return Outcome::silent(Status::False),
            };
            dirs.push(here);
            st.dirs = Rc::new(dirs);
            self.change(st, &place, false)
        }
    }

    pub(super) fn popd(&mut self, st: &mut State, args: &[Arg]) -> Outcome {
        self.charge(st.dirs.len() / FOLDERS_PER_STEP);
        let mut dirs = st.dirs.to_vec();
        let Some(place) = dirs.pop() else { return Outcome::silent(Status::False) };
        // An unknown folder at the bottom may stand for any number of them.
        let bottomless = dirs.is_empty() && place == Value::any();
        let before = bottomless.then(|| Box::new(st.clone()));
        if !bottomless {
            st.dirs = Rc::new(dirs);
        }
        let mut outcome = if stays(args) { Outcome::silent(Status::True) } else { self.change(st, &place, false) };
        if bottomless {
            (outcome.status, outcome.failed) = (Status::Unknown, before);
        }
        outcome
    }

    pub(super) fn dirs(st: &mut State, args: &[Arg]) -> Outcome {
        if args.first().is_some_and(|a| a.value.known().as_deref() == Some("-c")) {
            st.dirs = Rc::default();
        }
        let mut line = st.folder();
        for place in st.dirs.iter().rev() {
            line.push_str(" ");
            line.append(place.clone());
        }
        line.push_str("\n");
        Outcome::new(Status::True, Stream::Text(line))
    }

    pub(super) fn pwd(&mut self, st: &State, args: &[Arg]) -> Outcome {
        let physical = args.first().is_some_and(|a| matches!(a.value.known().as_deref(), Some("-P" | "-W")));
        let mut line = match st.known_folder() {
            Some(path) if physical => Value::text(resolve(&self.overlay, path, true).path),
            _ => st.folder(),
        };
        line.push_str("\n");
        Outcome::new(Status::True, Stream::Text(line))
    }
}

/// `pushd -n`, `popd -n`.
fn stays(args: &[Arg]) -> bool {
    args.iter().any(|arg| arg.value.known().as_deref() == Some("-n"))
}

/// The stack with one more folder on it. It is copied each time, so there is an end to it.
fn pushed(stack: &[Value], folder: Value) -> Rc<Vec<Value>> {
    let mut stack = stack.to_vec();
    if stack.len() >= MAX_STACK {
        stack.remove(1);
        stack[0] = Value::any();
    }
    stack.push(folder);
    Rc::new(stack)
}
