//! Programs that print paths.

use std::borrow::Cow;

use super::machine::Eval;
use super::output::{line, operands};
use super::state::State;
use super::values::{self, Stream};
use crate::limits::{MAX_SEARCH_ENTRIES, MAX_TURNS};
use crate::path::resolve;
use crate::shell::programs::Arg;
use crate::shell::{Piece, Target, Value};
use crate::world::{EntryKind, World};

impl Eval<'_> {
    pub(super) fn real_paths(&mut self, st: &State, name: &str, args: &[Arg]) -> Stream {
        let follows = name.ends_with("realpath")
            || args.iter().any(|a| {
                a.value.known().is_some_and(|v| {
                    v.starts_with("--canonicalize")
                        || v.starts_with('-') && !v.starts_with("--") && v.contains(['f', 'e', 'm'])
                })
            });
        if args.iter().any(|a| a.value.prefix().starts_with("--relative")) {
            return Stream::Unknown;
        }
        let mut out = Stream::empty();
        for arg in operands(args) {
            let value = match self.target(&st.folder(), &arg.value, true) {
                Target::Path(path) if follows => Value::text(resolve(&self.overlay, &path, true).path),
                Target::Path(path) => self.overlay.read_link(&path).map_or_else(Value::any, Value::text),
                Target::Inside(folder) => Value::under(folder),
                Target::Opaque => Value::any(),
            };
            out = out.then(line(value));
        }
        out
    }

    pub(super) fn temporary(&mut self, st: &mut State, args: &[Arg]) -> Stream {
        let temp = match self.variable(st, "TMPDIR").filter(|v| !v.is_empty()) {
            Some(dir) => dir,
            None => Value::text("/tmp"),
        };
        let mut folder: Option<Value> = None;
        let mut template: Option<Value> = None;
        let mut in_temp = false;
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            at += 1;
            match arg.value.known().as_deref() {
                Some("-p") => {
                    folder = args.get(at).map(|a| a.value.clone());
                    at += 1;
                }
                Some("--tmpdir" | "-t") => in_temp = true,
                Some("--suffix") => at += 1,
                _ if arg.value.prefix().starts_with("--tmpdir=") => folder = Some(arg.value.skip("--tmpdir=".len())),
                _ if arg.value.prefix().starts_with("-p") => folder = Some(arg.value.skip(2)),
                Some(flag) if flag.starts_with('-') => in_temp |= !flag.starts_with("--") && flag.contains('t'),
                _ => template = Some(arg.value.clone()),
            }
        }
        let folder = folder.filter(|f| !f.is_empty()).or(in_temp.then(|| temp.clone()));
        let mut path = match (&folder, &template) {
            (Some(folder), _) => folder.clone(),
            (None, Some(_)) => Value::default(),
            (None, None) => temp,
        };
        if !path.is_empty() {
            path.push_str("/");
        }
        if let Some(template) = template {
            for piece in template.pieces {
                match piece {
                    Piece::Text(s) => match s.rfind("XXX") {
                        // The last run of them is what it fills in.
                        Some(at) => {
                            path.push_str(s[..at].trim_end_matches('X'));
                            path.push(Piece::Name);
                            path.push_str(&s[at + 3..]);
                        }
                        None => path.push_str(&s),
                    },
                    other => path.push(other),
                }
            }
        } else {
            path.push_str("tmp.");
            path.push(Piece::Name);
        }
        line(path)
    }

    pub(super) fn listing(&mut self, st: &State, args: &[Arg]) -> Stream {
        let flags: String = args.iter().filter_map(|a| a.value.known()).filter(|v| v.starts_with('-')).collect();
        if flags.contains(['l', 'R', 's', 'i', 'n', 'g', 'o', 'F']) {
            return Stream::Unknown;
        }
        let whole = flags.contains('d');
        let mut lines = Vec::new();
        for arg in operands(args) {
            let folder = match self.known_path(st, &arg.value) {
                Some(path) => match self.overlay.target(&path) {
                    Some(EntryKind::Dir) => true,
                    Some(_) => false,
                    None => continue,
                },
                None => !matches!(arg.value.pieces.last(), Some(Piece::Text(_))),
            };
            lines.push(if whole || !folder { arg.value.clone() } else { Value::name() });
        }
        if operands(args).next().is_none() {
            lines.push(Value::name());
        }
        match lines.as_slice() {
            [] => Stream::empty(),
            [one] if one.known().is_some() => line(one.clone()),
            _ => Stream::Lines(values::join_all(&lines)),
        }
    }

    pub(super) fn found_paths(&mut self, st: &State, name: &str, args: &[Arg]) -> Option<Stream> {
        let text = |a: &Arg| a.value.known().map(Cow::into_owned).unwrap_or_default();
        if args.iter().any(|a| {
            matches!(text(a).as_str(), "-exec" | "-execdir" | "-ok" | "-x" | "-X" | "--exec" | "-delete" | "-ls")
        }) {
            return None;
        }
        if let Some(at) = args.iter().position(|a| text(a) == "-printf") {
            let format = args.get(at + 1).map(text).unwrap_or_default();
            let directives: String = format.split('%').skip(1).filter_map(|s| s.chars().next()).collect();
            return Some(match directives.as_str() {
                "f" | "T" | "s" => Stream::Lines(Value::name()),
                "p" | "h" => Stream::Lines(self.below(st, name, args)),
                _ => Stream::Unknown,
            });
        }
        if name == "find"
            && let Some(found) = self.search(st, args, MAX_SEARCH_ENTRIES)
            && found.len() <= MAX_TURNS
        {
            let mut text = found.join("\n");
            if !text.is_empty() {
                text.push('\n');
            }
            // Nothing tells here which end records have.
            let known = !args.iter().any(|a| a.value.known().as_deref() == Some("-print0"));
            if known || text.is_empty() {
                return Some(Stream::text(text));
            }
        }
        Some(Stream::Lines(self.below(st, name, args)))
    }

    /// A path below the folders that a search is given.
    fn below(&mut self, st: &State, name: &str, args: &[Arg]) -> Value {
        let mut roots = Vec::new();
        let starts: Vec<&Arg> = if name == "find" {
            let first = args.iter().skip_while(|a| matches!(a.value.known().as_deref(), Some("-L" | "-H" | "-P")));
            first.take_while(|a| !a.value.prefix().starts_with(['-', '(', '!'])).collect()
        } else {
            operands(args).skip(1).collect()
        };
        for arg in starts {
            roots.push(match self.target(&st.folder(), &arg.value, true) {
                Target::Path(path) | Target::Inside(path) => Value::under(path),
                Target::Opaque => Value::any(),
            });
        }
        if roots.is_empty() {
            return match st.known_folder() {
                Some(path) => Value::under(path),
                None => st.folder(),
            };
        }
        values::join_all(&roots)
    }

    pub(super) fn git_output(&mut self, st: &State, args: &[Arg]) -> Option<Stream> {
        let mut folder = st.folder();
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            match arg.value.known().as_deref() {
                Some("-C") => {
                    let place = args.get(at + 1)?;
                    folder = match self.target(&folder, &place.value, true) {
                        Target::Path(path) => Value::text(path),
                        Target::Inside(path) => Value::under(path),
                        Target::Opaque => Value::any(),
                    };
                    at += 2;
                }
                Some("-c") => at += 2,
                Some(flag) if flag.starts_with('-') => at += 1,
                _ => break,
            }
        }
        let words: Vec<Cow<'_, str>> = args.get(at..)?.iter().map(|a| a.value.known().unwrap_or_default()).collect();
        let has = |s: &str| words.iter().any(|w| w == s);
        let starts = |s: &str| words.iter().any(|w| w.starts_with(s));
        Some(match words.first().map(AsRef::as_ref)? {
            "rev-parse" if has("--show-toplevel") => line(self.top_level(&folder)),
            "rev-parse" if has("--git-dir") || has("--git-common-dir") => line(self.top_level_git(&folder)),
            "rev-parse" if has("--abbrev-ref") => line(Value::any()),
            "rev-parse" | "rev-list" | "describe" | "hash-object" | "write-tree" | "commit-tree" | "merge-base" => {
                Stream::Lines(Value::name())
            }
            "ls-files" | "ls-tree" => Stream::Lines(below_value(&folder)),
            "diff" | "show" if has("--name-only") => Stream::Lines(below_value(&self.top_level(&folder))),
            "log"
                if starts("--format=%h")
                    || starts("--format=%H")
                    || starts("--pretty=%h")
                    || starts("--format=%ct") =>
            {
                Stream::Lines(Value::name())
            }
            "clone" | "init" | "add" | "commit" | "checkout" | "switch" | "worktree" => return None,
            _ => Stream::Unknown,
        })
    }

    /// The top of the repository that `folder` lies in.
    fn top_level(&mut self, folder: &Value) -> Value {
        let model = self.world.model();
        let Some(start) = folder.known().filter(|f| model.is_absolute(f)) else { return Value::any() };
        let mut at = Some(start.as_ref());
        while let Some(dir) = at {
            if self.overlay.entry(&model.join(dir, ".git")).is_some() {
                return Value::text(dir);
            }
            at = model.parent(dir);
        }
        // No repository: git prints nothing.
        Value::default()
    }

    fn top_level_git(&mut self, folder: &Value) -> Value {
        let mut top = self.top_level(folder);
        if !top.is_empty() {
            top.push_str("/.git");
        }
        top
    }
}

fn below_value(folder: &Value) -> Value {
    match folder.pieces.as_slice() {
        [Piece::Text(s)] => Value::under(s.clone()),
        _ => folder.clone(),
    }
}
