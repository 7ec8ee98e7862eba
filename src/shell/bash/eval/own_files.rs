//! Files of this very command that programs take commands from: a Makefile's rules, a package's scripts, a
//! repository's hooks and aliases.

use super::machine::{Eval, Io, fill_holes, with_holes};
use super::recipes::{self, Makefile};
use super::state::State;
use super::values::Stream;
use crate::limits::{MAX_NESTING, MAX_SOURCED_BYTES};
use crate::shell::programs::Arg;
use crate::shell::{Span, Value};
use crate::world::{EntryKind, World};

/// Hooks that a sub-command of git runs.
const HOOKS: [(&str, &[&str]); 8] = [
    ("commit", &["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]),
    ("merge", &["pre-merge-commit", "post-merge"]),
    ("pull", &["pre-merge-commit", "post-merge"]),
    ("push", &["pre-push"]),
    ("checkout", &["post-checkout"]),
    ("switch", &["post-checkout"]),
    ("rebase", &["pre-rebase", "post-rewrite"]),
    ("am", &["applypatch-msg", "pre-applypatch", "post-applypatch"]),
];

impl Eval<'_> {
    /// Runs what such files hold, as far as this very command wrote them.
    pub(super) fn own_files(&mut self, st: &mut State, name: &str, argv: &[Arg], io: &Io) {
        let is_make = matches!(name, "make" | "gmake");
        if !self.overlay.is_touched() && !is_make && self.hooks.is_none() {
            return;
        }
        let words: Vec<String> =
            argv.iter().skip(1).map(|a| a.value.known().unwrap_or_default().into_owned()).collect();
        let span = argv.first().map(|a| a.span).unwrap_or_default();
        match name {
            "make" | "gmake" => self.own_make(st, &words, span, io),
            "npm" | "yarn" | "pnpm" | "bun" => self.own_package(st, &words, span, io),
            "git" => self.own_hooks(st, &words, span, io),
            _ => {}
        }
    }

    fn own_make(&mut self, st: &mut State, words: &[String], span: Span, io: &Io) {
        let Some(call) = recipes::make_call(words) else { return };
        let mut child = st.child(self.world);
        if let Some(folder) = &call.folder {
            self.enter(&mut child, Some(&Value::text(folder.as_str())));
        }
        let names: &[&str] = &["GNUmakefile", "makefile", "Makefile"];
        let file = call.file.as_deref();
        let text = match file {
            Some("-" | "/dev/stdin") => match io.take_stdin() {
                Stream::Text(text) => Some(text),
                _ => None,
            },
            _ => file.iter().chain(names).find_map(|name| self.own_text(&child, &Value::text(*name))),
        };
        if text.is_none() && call.before.is_empty() {
            return;
        }
        let mut all = Value::default();
        for line in &call.before {
            all.push_str(line);
            all.push_str("\n");
        }
        all.append(text.unwrap_or_default());
        let Some((source, holes)) = with_holes(&all) else { return };
        self.charge_bytes(source.len() * 4);
        let makefile = Makefile::parse(&source, &call.variables);
        for line in makefile.lines(&call.targets) {
            let line = match line.known() {
                Some(text) => fill_holes(&holes, &text),
                None => line,
            };
            // Each line has a shell of its own.
            let mut shell = child.clone();
            self.run_text(&mut shell, &line, span, io);
            if self.halted() {
                return;
            }
        }
    }

    fn own_package(&mut self, st: &mut State, words: &[String], span: Span, io: &Io) {
        let mut child = st.child(self.world);
        let mut rest = words.iter().map(String::as_str);
        let mut operands = Vec::new();
        while let Some(word) = rest.next() {
            match word {
                "--prefix" | "-C" | "--dir" | "--cwd" => {
                    let folder = rest.next().map(Value::text);
                    self.enter(&mut child, folder.as_ref());
                }
                "--" => break,
                _ if word.starts_with('-') => {}
                _ => operands.push(word),
            }
        }
        let Some(text) = self.own_text(&child, &Value::text("package.json")) else { return };
        let Some(text) = text.known() else { return };
        for script in recipes::package_scripts(&text, &operands) {
            let mut shell = child.clone();
            self.run_text(&mut shell, &Value::text(script), span, io);
        }
    }

    fn own_hooks(&mut self, st: &mut State, words: &[String], span: Span, io: &Io) {
        let command = words.iter().find_map(|w| HOOKS.iter().find(|(name, _)| name == w));
        let (Some((_, hooks)), Some(top)) = (command, self.work_tree(st)) else { return };
        if words.iter().any(|w| matches!(w.as_str(), "--no-verify" | "-n")) {
            return;
        }
        let given = words.iter().find_map(|w| w.strip_prefix("core.hooksPath="));
        let folder = given.map(str::to_owned).or_else(|| self.hooks.clone());
        let folder = self.world.model().join(&top, folder.as_deref().unwrap_or(".git/hooks"));
        for hook in *hooks {
            let path = self.world.model().join(&folder, hook);
            let file = Arg { value: Value::text(path), span };
            if self.own_text(st, &file.value).is_some() {
                self.own_program(st, &[file], io);
            }
        }
    }

    /// The folder above the shell's that holds `.git`.
    fn work_tree(&self, st: &State) -> Option<String> {
        let model = self.world.model();
        let mut at = st.known_folder();
        for _ in 0..MAX_NESTING {
            let dir = at?;
            if self.overlay.target(&model.join(dir, ".git")) == Some(EntryKind::Dir) {
                return Some(dir.to_owned());
            }
            at = model.parent(dir);
        }
        None
    }

    /// `git config alias.x '!COMMAND'`: the settings as they are from here on.
    pub(super) fn git_settings(&mut self, st: &State, argv: &[Arg]) {
        let words: Vec<_> = argv.iter().skip(1).filter_map(|a| a.value.known()).collect();
        if words.first().is_none_or(|w| w != "config") {
            return;
        }
        let operands: Vec<&str> = words[1..].iter().map(AsRef::as_ref).filter(|w| !w.starts_with("--")).collect();
        let [key, value] = operands.as_slice() else { return };
        if key.eq_ignore_ascii_case("core.hookspath") {
            self.hooks = Some((*value).to_owned());
            return;
        }
        let Some(alias) = key.strip_prefix("alias.") else { return };
        let model = self.world.model();
        let path = if words.iter().any(|w| w == "--global") {
            self.world.home().map(|home| model.join(&home, ".gitconfig"))
        } else {
            self.work_tree(st).map(|top| model.join(&top, ".git/config"))
        };
        let Some(path) = path else { return };
        let before = self.overlay.read_text(&path, MAX_SOURCED_BYTES).unwrap_or_default();
        let quoted = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        self.charge_bytes(before.len() + quoted.len());
        let text = format!("{before}\n[alias]\n\t{alias} = \"{quoted}\"\n");
        self.overlay.make_file(&path, Stream::text(text));
    }
}
