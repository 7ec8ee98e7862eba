//! What programs leave on the disk that later commands of the same text depend on: folders, links, moved trees.

use super::machine::{Eval, Io};
use super::state::State;
use super::values::Stream;
use crate::shell::programs::Arg;
use crate::shell::{Target, Value};
use crate::world::{EntryKind, World};

/// Sources of a program that moves, copies or links, and where they go.
pub(super) struct Moves {
    sources: Vec<Value>,
    place: Option<Value>,
    /// The place was a folder before.
    into_folder: bool,
    symbolic: bool,
    keeps_links: bool,
}

impl Eval<'_> {
    /// A path that a program created.
    pub(super) fn created_by(&mut self, program: &str, path: &str, value: &Value) {
        if self.overlay.target(path) == Some(EntryKind::Dir) {
            return;
        }
        let slash = value.known().is_some_and(|v| v.ends_with('/'));
        if slash || matches!(program, "mkdir" | "git" | "virtualenv" | "venv" | "uv" | "cargo" | "svn" | "hg") {
            self.overlay.make_dir(path);
        } else if !self.overlay.knows(path) {
            self.overlay.make_file(path, Stream::Unknown);
        }
    }

    /// The operands of `ln`, `mv`, `cp` and `install` before they act.
    pub(super) fn moves(&mut self, st: &State, name: &str, argv: &[Arg]) -> Option<Moves> {
        let is_folders = |a: &Arg| matches!(a.value.known().as_deref(), Some("-d" | "--directory"));
        if !matches!(name, "ln" | "mv" | "cp" | "install") || name == "install" && argv.iter().any(is_folders) {
            return None;
        }
        let mut operands = Vec::new();
        let mut moves =
            Moves { sources: Vec::new(), place: None, into_folder: false, symbolic: false, keeps_links: false };
        let mut no_target_folder = false;
        let mut options = true;
        let mut words = argv.iter().skip(1);
        while let Some(arg) = words.next() {
            let text = arg.value.known();
            match text.as_deref() {
                Some("--") if options => options = false,
                Some("-t") if options => moves.place = words.next().map(|a| a.value.clone()),
                Some("--symbolic" | "--symbolic-link") if options => moves.symbolic = true,
                Some("--no-target-directory" | "--no-dereference") if options => no_target_folder = true,
                Some("--archive" | "--recursive" | "--no-dereference=yes") if options => moves.keeps_links = true,
                Some(flag) if options && flag.starts_with("--") => {
                    if let Some(place) = flag.strip_prefix("--target-directory=") {
                        moves.place = Some(Value::text(place));
                    }
                }
                Some(flag) if options && flag.starts_with('-') && flag.len() > 1 && name == "install" => {
                    if flag.ends_with(['m', 'o', 'g', 'S']) {
                        words.next();
                    }
                }
                Some(flag) if options && flag.starts_with('-') && flag.len() > 1 => {
                    moves.symbolic |= flag.contains('s');
                    no_target_folder |= flag.contains('T') || name == "ln" && flag.contains('n');
                    moves.keeps_links |= flag.contains(['a', 'd', 'P', 'R', 'r']);
                }
                _ => operands.push(arg.value.clone()),
            }
        }
        moves.into_folder = moves.place.is_some();
        if moves.place.is_none() && (operands.len() > 1 || name == "ln") {
            if operands.len() > 1 {
                moves.place = operands.pop();
            } else {
                moves.place = Some(Value::text("."));
            }
            moves.into_folder = operands.len() > 1
                || !no_target_folder
                    && moves
                        .place
                        .as_ref()
                        .and_then(|p| self.known_path(st, p))
                        .is_some_and(|p| self.overlay.target(&p) == Some(EntryKind::Dir));
        }
        moves.sources = operands;
        Some(moves)
    }

    /// Notes what such a program left behind.
    pub(super) fn leave_behind(&mut self, st: &State, name: &str, argv: &[Arg], moves: Option<Moves>, io: &Io) {
        if name == "git" {
            return self.git_settings(st, argv);
        }
        if name == "tee" {
            self.copies_of_input(st, argv, io);
            return;
        }
        if name == "dd" {
            return self.copied_blocks(st, argv, io);
        }
        let Some(moves) = moves else {
            if name == "install" {
                self.folders_of(st, argv);
            }
            return;
        };
        let Some(place) = &moves.place else { return };
        for source in &moves.sources {
            let Some(text) = source.known() else { continue };
            let mut to = place.clone();
            if moves.into_folder {
                to.push_str("/");
                to.append(super::values::base_name(source));
            }
            let Target::Path(to) = self.target(&st.folder(), &to, false) else { continue };
            if name == "ln" {
                if moves.symbolic {
                    self.overlay.make_link(&to, &text);
                }
                continue;
            }
            let Some(from) = self.known_path(st, source) else { continue };
            let from = self.overlay.through_links(&from, false);
            if name == "cp" && moves.symbolic && self.overlay.entry(&from).is_some_and(|e| e != EntryKind::Dir) {
                self.overlay.make_link(&to, &text);
                continue;
            }
            match (name, self.overlay.entry(&from)) {
                ("mv", _) => self.overlay.rename(&from, &to),
                (_, Some(EntryKind::Link)) if moves.keeps_links => {
                    if let Some(text) = self.overlay.read_link(&from) {
                        self.overlay.make_link(&to, &text);
                    }
                }
                (_, Some(EntryKind::Dir)) => self.overlay.make_dir(&to),
                _ => {
                    let given = self.descriptor(source, io).or_else(|| self.overlay.written(&from).cloned());
                    let content = given.unwrap_or(Stream::Unknown);
                    if self.overlay.target(&to) != Some(EntryKind::Dir) {
                        if name == "install"
                            && let Some(folder) = self.world.model().parent(&to)
                        {
                            self.overlay.make_dir(folder);
                        }
                        self.overlay.make_file(&to, content);
                    }
                }
            }
        }
    }

    /// `tee`: its files hold what came in.
    fn copies_of_input(&mut self, st: &State, argv: &[Arg], io: &Io) {
        let append = argv.iter().any(|a| matches!(a.value.known().as_deref(), Some("-a" | "--append")));
        for arg in argv.iter().skip(1).filter(|a| !a.value.prefix().starts_with('-')) {
            if let Target::Path(path) = self.target(&st.folder(), &arg.value, true) {
                let text = io.stdin.borrow().clone();
                self.write_file(&path, text, append);
            }
        }
    }

    /// `dd`: its file holds what it read, where it takes all of it.
    fn copied_blocks(&mut self, st: &State, argv: &[Arg], io: &Io) {
        let given = |key: &str| {
            argv.iter().skip(1).find(|a| a.value.prefix().starts_with(key)).map(|a| a.value.skip(key.len()))
        };
        let Some(Target::Path(to)) = given("of=").map(|value| self.target(&st.folder(), &value, true)) else { return };
        let in_part = ["count=", "skip=", "seek=", "conv="].iter().any(|key| given(key).is_some());
        let text = match given("if=") {
            None => Some(io.take_stdin()),
            Some(from) => self.descriptor(&from, io).or_else(|| self.own_text(st, &from).map(Stream::Text)),
        };
        if let Some(text) = text.filter(|_| !in_part) {
            self.write_file(&to, text, false);
        }
    }

    /// `install -d`: every operand is a folder.
    fn folders_of(&mut self, st: &State, argv: &[Arg]) {
        for arg in argv.iter().skip(1) {
            if let Some(path) = self.known_path(st, &arg.value)
                && matches!(self.overlay.target(&path), None | Some(EntryKind::File))
                && self.overlay.knows(&path)
            {
                self.overlay.make_dir(&path);
            }
        }
    }
}
