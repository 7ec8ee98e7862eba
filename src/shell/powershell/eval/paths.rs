//! Path algebra of PowerShell and .NET on partly known strings.

use super::bind::Binding;
use super::machine::{By, Eval};
use super::state::State;
use super::val::Val;
use crate::path::Model;
use crate::shell::programs::values;
use crate::shell::{EffectKind, Piece, Target, Value};
use crate::world::{EntryKind, World};

/// The last component; `None` where it names no entry of its own.
pub(super) fn leaf(model: Model, path: &Value) -> Option<Value> {
    values::base_name(model, path)
}

/// `parent` + separator + `child`, as `Join-Path` gives it.
pub(super) fn joined(model: Model, parent: &Value, child: &Value) -> Value {
    if parent.is_empty() {
        return child.clone();
    }
    let is_sep = |c: char| c == '/' || c == '\\';
    let mut out = parent.clone();
    if !matches!(out.pieces.last(), Some(Piece::Text(t)) if t.ends_with(is_sep)) {
        out.push_str(&model.separator().to_string());
    }
    let head = child.prefix();
    let skip = head.len() - head.trim_start_matches(is_sep).len();
    out.append(child.skip(skip));
    out
}

/// The name without its extension.
pub(super) fn stem(model: Model, path: &Value) -> Value {
    leaf(model, path).map_or_else(Value::default, |name| values::without_extension(model, name))
}

/// The extension with its dot.
pub(super) fn extension(model: Model, path: &Value) -> Value {
    match leaf(model, path).as_ref().and_then(|n| n.pieces.last()) {
        Some(Piece::Text(text)) => text.rfind('.').map_or_else(Value::default, |at| Value::text(&text[at..])),
        _ => Value::name(),
    }
}

impl Eval<'_> {
    /// Text with the separators of this system.
    pub(super) fn native(&self, value: &Value) -> Value {
        if self.windows() {
            return value.clone();
        }
        let pieces = value.pieces.iter().map(|piece| match piece {
            Piece::Text(text) if text.contains('\\') => Piece::Text(text.replace('\\', "/")),
            other => other.clone(),
        });
        Value { pieces: pieces.collect() }
    }

    /// The folder of a path.
    pub(super) fn parent_of(&self, path: &Value) -> Value {
        let path = self.native(path);
        let mut text = path.clone();
        if let Some(Piece::Text(t)) = text.pieces.last_mut() {
            let root = self.model().root_len(t);
            let kept = t.trim_end_matches(['/', '\\']).len().max(root);
            t.truncate(kept);
        }
        values::parent(self.model(), &text).unwrap_or_default()
    }

    /// The absolute path that .NET sees.
    pub(super) fn full_path(&self, base: &Value, value: &Value) -> Value {
        match self.locate(base, value, false) {
            Target::Path(path) => Value::text(path),
            _ if self.is_rooted(value.prefix()) => value.clone(),
            _ => joined(self.model(), base, value),
        }
    }

    /// The absolute path that a cmdlet sees.
    pub(super) fn cmdlet_path(&self, st: &State, value: &Value) -> Value {
        match self.file_path(st, value) {
            Some(path) => self.full_path(&st.folder(), &path),
            None => value.clone(),
        }
    }

    pub(super) fn join_path(&mut self, binding: &Binding, feed: Option<Vec<Val>>) -> Vec<Val> {
        let model = self.model();
        let empty = Val::text("");
        let parents = match binding.val("path") {
            Some(path) => vec![path.clone()],
            None => feed.unwrap_or_default(),
        };
        let mut children = vec![binding.val("childpath").unwrap_or(&empty).clone()];
        if let Some(more) = binding.val("additionalchildpath") {
            children.extend(more.clone().items());
        }
        let mut out = Vec::new();
        for parent in parents.into_iter().flat_map(Val::items) {
            let mut all = parent.alternatives();
            for child in &children {
                let mut next = Vec::new();
                for one in &all {
                    for part in child.clone().alternatives() {
                        let joined = joined(model, &self.native(&one.string()), &self.native(&part.string()));
                        self.charge_bytes(joined.prefix().len());
                        next.push(Val::Str(joined));
                    }
                }
                all = Val::either(next).alternatives();
            }
            out.push(Val::either(all));
        }
        out
    }

    pub(super) fn split_path(&mut self, binding: &Binding, feed: Option<Vec<Val>>) -> Vec<Val> {
        let model = self.model();
        let given = binding.first(&["path", "literalpath"]).map(|b| b.val.clone().items());
        let paths = given.or(feed).unwrap_or_default();
        let part = |path: &Value| {
            let path = self.native(path);
            let root = model.root_len(path.prefix());
            if binding.has("leaf") {
                Val::Str(leaf(model, &path).unwrap_or_default())
            } else if binding.has("leafbase") {
                Val::Str(stem(model, &path))
            } else if binding.has("extension") {
                Val::Str(extension(model, &path))
            } else if binding.has("qualifier") {
                Val::text(path.prefix().get(..2).unwrap_or_default())
            } else if binding.has("noqualifier") {
                Val::Str(path.skip(root.saturating_sub(1)))
            } else if binding.has("isabsolute") {
                Val::Bool(root > 0)
            } else {
                Val::Str(self.parent_of(&path))
            }
        };
        paths.iter().map(|p| Val::either(p.paths().iter().map(&part).collect())).collect()
    }

    /// `Resolve-Path`, `Convert-Path`, `Get-Item`.
    pub(super) fn resolve_path(
        &mut self,
        st: &State,
        binding: &Binding,
        feed: Option<Vec<Val>>,
        name: &str,
    ) -> Vec<Val> {
        let bound = binding.first(&["path", "literalpath"]);
        let span = bound.map(|b| b.span).unwrap_or_default();
        let given = bound.map(|b| vec![b.val.clone()]).or(feed).unwrap_or_default();
        let by = By::proven(name, span);
        let wild = binding.get("literalpath").is_none();
        let mut out = Vec::new();
        for path in given.iter().flat_map(Val::paths) {
            if self.file_path(st, &path).is_none() {
                out.push(Val::Unknown);
                continue;
            }
            for found in self.matching(st, &path, wild) {
                self.path_effect(st, EffectKind::Read, &found, &by);
                out.push(Val::Item(found));
            }
        }
        out
    }

    /// The entries that a path with wildcards stands for, as absolute paths; the path itself where it has none.
    pub(super) fn matching(&mut self, st: &State, path: &Value, wild: bool) -> Vec<Value> {
        let full = self.cmdlet_path(st, path);
        let Some(text) = full.known().filter(|t| wild && t.contains(['*', '?', '['])) else {
            return vec![full];
        };
        let model = self.model();
        let at = text.find(['*', '?', '[']).unwrap_or(text.len());
        let folder = text[..at].rfind(|c| model.is_separator(c)).map_or(0, |i| i + 1);
        let (head, pattern) = text.split_at(folder);
        let head = model.normalize(head);
        if !pattern.contains(|c| model.is_separator(c))
            && let Some(names) = self.listed(&head)
        {
            self.charge(names.len() / 8);
            let found: Vec<Value> = names
                .iter()
                .filter(|name| super::filter::is_like(name, pattern))
                .map(|name| Value::text(model.join(&head, name)))
                .collect();
            if found.len() <= crate::limits::MAX_TURNS {
                return found;
            }
        }
        vec![Value::under(head)]
    }

    /// The names in a folder, within limits.
    pub(super) fn listed(&mut self, folder: &str) -> Option<Vec<String>> {
        self.folders_left = self.folders_left.checked_sub(1)?;
        let names = self.overlay.list(folder, crate::limits::MAX_GLOB_ENTRIES)?;
        self.folders_left = self.folders_left.saturating_sub(names.len() / 1_000);
        Some(names)
    }

    pub(super) fn test_path(&mut self, st: &State, binding: &Binding, feed: Option<Vec<Val>>) -> Vec<Val> {
        let given = binding.first(&["path", "literalpath"]).map(|b| vec![b.val.clone()]).or(feed).unwrap_or_default();
        let kind = binding.val("pathtype").and_then(Val::known).map(|k| k.to_lowercase());
        let simple = !["filter", "include", "exclude", "olderthan", "newerthan", "isvalid"]
            .iter()
            .any(|name| binding.get(name).is_some());
        let mut out = Vec::new();
        for path in given.iter().flat_map(Val::paths) {
            let known = self.known_path(st, &path).filter(|p| simple && !p.contains(['*', '?']));
            out.push(known.map_or(Val::Unknown, |p| self.exists(&p, kind.as_deref())));
        }
        out
    }

    /// Whether something stands at a path. A program that ran may have made it.
    pub(super) fn exists(&self, path: &str, kind: Option<&str>) -> Val {
        let entry = self.overlay.target(path);
        match (entry, kind) {
            (None, _) if self.dirty => Val::Unknown,
            (Some(EntryKind::Unreadable), _) => Val::Unknown,
            (Some(EntryKind::Dir), Some(kind)) if "leaf".starts_with(kind) => Val::Bool(false),
            (Some(EntryKind::File), Some(kind)) if "container".starts_with(kind) => Val::Bool(false),
            (entry, _) => Val::Bool(entry.is_some()),
        }
    }
}
