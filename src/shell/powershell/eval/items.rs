//! `New-Item`, `Copy-Item`, `Move-Item`, `Rename-Item`, `Remove-Item` and archives.

use super::cmdlet::Call;
use super::machine::Eval;
use super::paths::{joined, leaf, stem};
use super::state::State;
use super::val::Val;
use crate::shell::bash::eval::values::Stream;
use crate::shell::{EffectKind, Piece, Span, Target, Value};
use crate::world::EntryKind;

impl Eval<'_> {
    pub(super) fn new_item(&mut self, st: &mut State, call: &Call<'_>, folder: bool) -> Vec<Val> {
        let binding = &call.binding;
        let kind = binding.val("itemtype").and_then(Val::known).unwrap_or_default().to_lowercase();
        // The feed is the value of the new item where a path is named.
        let mut paths = match (binding.get("path"), &call.feed) {
            (Some(bound), _) => bound.val.paths().into_iter().map(|p| (p, bound.span)).collect(),
            (None, Some(_)) if binding.get("name").is_none() => call.input_paths(&["path"]),
            _ => vec![(Value::text("."), call.span)],
        };
        if let Some(names) = binding.get("name") {
            let model = self.model();
            let names: Vec<Value> = names.val.paths();
            let span = binding.get("name").map_or(call.span, |b| b.span);
            let at = |p: &Value, n: &Value| (joined(model, &self.native(p), &self.native(n)), span);
            paths = paths.iter().flat_map(|(p, _)| names.iter().map(move |n| (p, n))).map(|(p, n)| at(p, n)).collect();
        }
        let is_folder = folder || !kind.is_empty() && "directory".starts_with(&kind) || kind == "container";
        let is_link = ["symboliclink", "junction", "hardlink"].iter().any(|k| kind.len() > 2 && k.starts_with(&kind));
        let mut out = Vec::new();
        for (path, span) in paths {
            if let Some(name) = env_name(&path) {
                let value = binding.val("value").map(Val::string).unwrap_or_default();
                self.set_env(st, &name, value);
                continue;
            }
            let by = call.by(span);
            if call.dry {
                self.path_effect(st, EffectKind::Read, &path, &by);
                continue;
            }
            let Some(target) = self.target(st, &path) else { continue };
            if let Target::Path(known) = &target {
                let known = known.clone();
                if is_folder {
                    self.overlay.make_dir(&known);
                } else if is_link {
                    let to = binding.val("value").map(Val::string).unwrap_or_default();
                    let to = self.file_path(st, &to).unwrap_or_default();
                    match to.known() {
                        Some(text) => self.overlay.make_link(&known, &text),
                        None => self.overlay.make_dir(&known),
                    }
                } else {
                    let text = binding.val("value").map_or_else(Stream::empty, |v| Stream::Text(v.string()));
                    self.overlay.make_file(&known, text);
                }
            }
            self.push(EffectKind::Create, target, &by);
            out.push(Val::Item(self.cmdlet_path(st, &path)));
        }
        out
    }

    /// Where a copy or a moved thing goes: each source with its new path.
    fn destinations(&mut self, st: &State, sources: &[Value], to: &Value) -> Vec<(Value, bool)> {
        let model = self.model();
        let Some(to) = self.file_path(st, to) else { return Vec::new() };
        let known = match self.locate(&st.folder(), &to, true) {
            Target::Path(path) => self.overlay_target(&path),
            _ => None,
        };
        if !matches!(known, Some(EntryKind::Dir | EntryKind::Unreadable)) {
            return vec![(to, false)];
        }
        let name = |source: &Value| match leaf(model, &self.native(source)) {
            Some(name) => (joined(model, &to, &name), false),
            None => (to.clone(), true),
        };
        sources.iter().map(name).collect()
    }

    pub(super) fn copy_item(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let binding = &call.binding;
        let remote_from = binding.get("fromsession").is_some();
        let sources = self.sources(st, call, if remote_from { None } else { Some(EffectKind::Read) });
        if binding.get("tosession").is_some() {
            return Vec::new();
        }
        self.arrive(st, call, &sources)
    }

    pub(super) fn move_item(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let kind = if call.dry { EffectKind::Read } else { EffectKind::Delete };
        let sources = self.sources(st, call, Some(kind));
        self.arrive(st, call, &sources)
    }

    /// The sources of a copy with wildcards looked up; `kind` is what happens to them.
    fn sources(&mut self, st: &State, call: &Call<'_>, kind: Option<EffectKind>) -> Vec<Value> {
        let mut all = Vec::new();
        let wild = call.binding.get("literalpath").is_none();
        for (path, span) in call.input_paths(&["path", "literalpath"]) {
            let by = call.by(span);
            if self.file_path(st, &path).is_none() {
                // A source of another provider makes no file.
                continue;
            }
            for found in self.matching(st, &path, wild && kind.is_some()) {
                if let Some(kind) = kind {
                    self.path_effect(st, kind, &found, &by);
                }
                all.push(found);
            }
        }
        all
    }

    fn arrive(&mut self, st: &State, call: &Call<'_>, sources: &[Value]) -> Vec<Val> {
        let bound = call.binding.get("destination");
        let span = bound.map_or(call.span, |b| b.span);
        let here = vec![Value::text(".")];
        let mut out = Vec::new();
        for to in bound.map_or(here, |b| b.val.paths()) {
            for (path, inside) in self.destinations(st, sources, &to) {
                let by = call.by(span);
                if call.dry {
                    self.path_effect(st, EffectKind::Read, &path, &by);
                } else if inside {
                    self.inside_effect(st, &path, &by);
                } else {
                    self.made(st, &path, sources, &by);
                }
                out.push(Val::Item(path));
            }
        }
        out
    }

    /// Something is now at `path`, of the kind that the source is.
    fn made(&mut self, st: &State, path: &Value, sources: &[Value], by: &super::machine::By<'_>) {
        let Some(target) = self.target(st, path) else { return };
        if let Target::Path(known) = &target {
            let known = known.clone();
            let from = match sources {
                [one] => self.known_path(st, one),
                _ => None,
            };
            let folder = from.as_ref().is_some_and(|f| self.world_target(f) == Some(EntryKind::Dir));
            if folder {
                self.overlay.make_dir(&known);
            } else if self.overlay_target(&known) != Some(EntryKind::Dir) {
                let text = from.and_then(|f| self.overlay.written(&f).cloned()).unwrap_or(Stream::Unknown);
                self.overlay.make_file(&known, text);
            }
        }
        self.push(EffectKind::Create, target, by);
    }

    fn world_target(&self, path: &str) -> Option<EntryKind> {
        self.overlay_target(path).or_else(|| self.world.target(path))
    }

    fn overlay_target(&self, path: &str) -> Option<EntryKind> {
        use crate::world::World as _;
        self.overlay.target(path)
    }

    pub(super) fn rename_item(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let model = self.model();
        let mut out = Vec::new();
        let before = self.current.clone();
        for (input, span) in call.inputs(&["path", "literalpath"]) {
            let new = match call.binding.val("newname") {
                Some(Val::Block(body)) => {
                    let body = std::rc::Rc::clone(body);
                    self.current = input.clone();
                    Val::collect(self.body(st, &body, None))
                }
                Some(val) => val.clone(),
                None => Val::Unknown,
            };
            for path in input.paths() {
                for name in new.paths() {
                    let at = call.by(call.binding.get("newname").map_or(span, |b| b.span));
                    let full = self.cmdlet_path(st, &path);
                    let to = if self.is_rooted(name.prefix()) {
                        name.clone()
                    } else {
                        joined(model, &self.parent_of(&full), &named(&self.native(&name)))
                    };
                    if call.dry {
                        self.path_effect(st, EffectKind::Read, &to, &at);
                        continue;
                    }
                    self.path_effect(st, EffectKind::Delete, &path, &call.by(span));
                    self.made(st, &to, std::slice::from_ref(&full), &at);
                    out.push(Val::Item(to));
                }
            }
        }
        self.current = before;
        out
    }

    pub(super) fn remove_item(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let wild = call.binding.get("literalpath").is_none();
        for (path, span) in call.input_paths(&["path", "literalpath"]) {
            if let Some(name) = env_name(&path) {
                self.set_env(st, &name, Value::default());
                continue;
            }
            if self.file_path(st, &path).is_none() {
                continue;
            }
            let kind = if call.dry { EffectKind::Read } else { EffectKind::Delete };
            for found in self.matching(st, &path, wild) {
                self.path_effect(st, kind, &found, &call.by(span));
            }
        }
        Vec::new()
    }

    pub(super) fn set_item(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        for (path, span) in call.input_paths(&["path", "literalpath"]) {
            if let Some(name) = env_name(&path) {
                let value = call.binding.val("value").map(Val::string).unwrap_or_default();
                self.set_env(st, &name, value);
            } else {
                self.define(st, &path, call.binding.val("value"));
                let kind = if call.dry { EffectKind::Read } else { EffectKind::Modify };
                self.path_effect(st, kind, &path, &call.by(span));
            }
        }
        Vec::new()
    }

    /// `Set-Item function:name { … }`, `Set-Item alias:name value`, `Set-Item variable:name value`.
    pub(super) fn define(&mut self, st: &mut State, path: &Value, value: Option<&Val>) -> bool {
        let Some(text) = path.known() else { return false };
        let Some((drive, name)) = text.split_once(':') else { return false };
        let name = name.trim_start_matches(['\\', '/']).to_lowercase();
        let value = value.cloned().unwrap_or(Val::Null);
        match (drive.to_ascii_lowercase().as_str(), value) {
            ("function", Val::Block(body)) => {
                std::rc::Rc::make_mut(&mut st.functions).insert(name, body);
            }
            ("alias", value) => {
                if let Some(target) = value.known() {
                    std::rc::Rc::make_mut(&mut st.aliases).insert(name, target.to_lowercase());
                }
            }
            ("variable", value) => self.set_variable(st, &name, value),
            _ => return false,
        }
        true
    }

    pub(super) fn expand_archive(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let archives = call.input_paths(&["path", "literalpath"]);
        for (path, span) in &archives {
            self.path_effect(st, EffectKind::Read, path, &call.by(*span));
        }
        let (targets, span): (Vec<Value>, Span) = if let Some(bound) = call.binding.get("destinationpath") {
            (bound.val.paths(), bound.span)
        } else {
            // A folder named like the archive.
            let model = self.model();
            let names = archives.iter().map(|(path, _)| stem(model, &self.native(path)));
            (names.filter(|n| !n.is_empty()).collect(), call.span)
        };
        for to in targets {
            let by = call.by(span);
            if call.dry {
                self.path_effect(st, EffectKind::Read, &to, &by);
            } else {
                self.inside_effect(st, &to, &by);
            }
        }
        Vec::new()
    }

    pub(super) fn compress_archive(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        for (path, span) in call.input_paths(&["path", "literalpath"]) {
            self.path_effect(st, EffectKind::Read, &path, &call.by(span));
        }
        let Some(bound) = call.binding.get("destinationpath") else { return Vec::new() };
        let mut out = Vec::new();
        for mut to in bound.val.paths() {
            if to.known().is_some_and(|t| !t.to_lowercase().ends_with(".zip")) {
                to.push_str(".zip");
            }
            let by = call.by(bound.span);
            if call.dry {
                self.path_effect(st, EffectKind::Read, &to, &by);
            } else {
                self.written(st, &to, Stream::Unknown, false, &by);
            }
            out.push(Val::Item(to));
        }
        out
    }

    pub(super) fn temporary_file(&mut self, call: &Call<'_>) -> Vec<Val> {
        let folder = Value::text(self.temp_folder().unwrap_or_default());
        if call.dry || folder.is_empty() {
            return vec![Val::Unknown];
        }
        self.inside_at(&folder, &folder, &call.by(call.span));
        let mut path = folder;
        path.push_str(&self.model().separator().to_string());
        path.push(Piece::Name);
        vec![Val::Item(path)]
    }
}

/// Unknown text as a name.
fn named(value: &Value) -> Value {
    let pieces = value.pieces.iter().map(|p| if *p == Piece::Any { Piece::Name } else { p.clone() });
    Value { pieces: pieces.collect() }
}

/// The variable of the environment that a path names.
pub(super) fn env_name(path: &Value) -> Option<String> {
    let text = path.known()?;
    let drive = text.get(..4)?;
    let name = text[4..].trim_start_matches(['\\', '/']);
    (drive.eq_ignore_ascii_case("env:") && !name.is_empty()).then(|| name.to_owned())
}
