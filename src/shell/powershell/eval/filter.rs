//! Cmdlets in the middle of a pipeline: `Get-ChildItem`, `ForEach-Object`, `Where-Object`, `Select-Object`.

use std::rc::Rc;

use super::cmdlet::Call;
use super::machine::Eval;
use super::state::State;
use super::statement::give;
use super::val::{Val, join};
use crate::limits::{MAX_PATTERN_TEXT, MAX_TURNS};
use crate::shell::bash::eval::values::Stream;
use crate::shell::{EffectKind, Target, Value};
use crate::world::{EntryKind, World};

impl Eval<'_> {
    pub(super) fn children(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let binding = &call.binding;
        let mut paths = call.input_paths(&["path", "literalpath"]);
        if paths.is_empty() && call.feed.is_none() {
            paths.push((Value::text("."), call.span));
        }
        let deep = binding.has("recurse") || binding.get("depth").is_some();
        let filter = binding.val("filter").and_then(Val::known);
        let plain = !["include", "exclude", "attributes", "hidden", "readonly", "system"]
            .iter()
            .any(|name| binding.get(name).is_some());
        let mut out = Vec::new();
        for (path, span) in paths {
            if self.file_path(st, &path).is_none() {
                out.push(Val::Unknown);
                continue;
            }
            let wild = binding.get("literalpath").is_none();
            let patterned = wild && path.known().is_some_and(|p| p.contains(['*', '?', '[']));
            for found in self.matching(st, &path, wild) {
                self.path_effect(st, EffectKind::Read, &found, &call.by(span));
                if patterned && !deep {
                    out.push(Val::Item(found));
                    continue;
                }
                let names = if deep || !plain { None } else { self.names_in(&found, filter.as_deref(), call) };
                match names {
                    Some(names) => give(&mut out, names),
                    None => out.push(Val::Item(self.below(st, &found))),
                }
            }
        }
        if binding.has("name") {
            let model = self.model();
            let leaf = |v: &Val| Val::Str(super::paths::leaf(model, &v.string()).unwrap_or_else(Value::name));
            return out.iter().map(leaf).collect();
        }
        out
    }

    /// Something at or below a folder.
    fn below(&self, st: &State, folder: &Value) -> Value {
        match self.locate(&st.folder(), folder, true) {
            Target::Path(path) | Target::Inside(path) => Value::under(path),
            Target::Opaque => Value::any(),
        }
    }

    /// The entries of a known folder; `None` where they are not known.
    fn names_in(&mut self, folder: &Value, filter: Option<&str>, call: &Call<'_>) -> Option<Vec<Val>> {
        let folder = folder.known()?.into_owned();
        if self.overlay.target(&folder) == Some(EntryKind::File) {
            return Some(vec![Val::Item(Value::text(folder))]);
        }
        if self.dirty {
            return None;
        }
        let names = self.listed(&folder)?;
        self.charge(names.len() / 8);
        let model = self.model();
        let mut out = Vec::new();
        for name in names.iter().filter(|n| filter.is_none_or(|f| is_like(n, f))) {
            let path = model.join(&folder, name);
            let dir = || self.overlay.target(&path) == Some(EntryKind::Dir);
            if call.binding.has("directory") && !dir() || call.binding.has("file") && dir() {
                continue;
            }
            if out.len() >= MAX_TURNS {
                return None;
            }
            out.push(Val::Item(Value::text(path)));
        }
        Some(out)
    }

    /// What a pipeline hands on, item by item; many are one that covers all.
    fn turns(&mut self, feed: Vec<Val>) -> Vec<Val> {
        if feed.len() <= MAX_TURNS {
            return feed;
        }
        self.charge(feed.len() / 8);
        let mut kept = feed[..MAX_TURNS].to_vec();
        let rest: Vec<Value> = feed[MAX_TURNS..].iter().map(Val::string).collect();
        let all_items = feed[MAX_TURNS..].iter().all(|v| matches!(v, Val::Item(_)));
        let rest = join(&rest);
        kept.push(if all_items { Val::Item(rest) } else { Val::Str(rest) });
        kept
    }

    pub(super) fn foreach_object(&mut self, st: &mut State, call: Call<'_>) -> Vec<Val> {
        let binding = call.binding;
        let feed = match binding.val("inputobject") {
            Some(val) => val.clone().items(),
            None => call.feed.unwrap_or_default(),
        };
        let feed = self.turns(feed);
        if let Some(member) = binding.first(&["membername"]).or(binding.get("process")).map(|b| b.val.clone())
            && let Some(name) = member.known()
        {
            let given = binding.val("argumentlist").is_some() || !binding.extra.is_empty();
            let args: Vec<Val> = binding.extra.iter().map(|(v, _)| v.clone()).collect();
            let span = call.span;
            return feed
                .iter()
                .map(|item| {
                    if given {
                        self.instance_call(st, item.clone(), &name.to_lowercase(), args.clone(), span)
                    } else {
                        self.property(item, &name.to_lowercase())
                    }
                })
                .collect();
        }
        let blocks = |name: &str| -> Vec<Rc<super::super::ast::Body>> {
            let items = binding.val(name).cloned().map(Val::items).unwrap_or_default();
            items.into_iter().filter_map(|v| if let Val::Block(b) = v { Some(b) } else { None }).collect()
        };
        let mut out = Vec::new();
        for body in blocks("begin") {
            let more = self.body(st, &body, None);
            give(&mut out, more);
        }
        // `ForEach-Object { begin } { process } { end }`
        let mut process = blocks("process");
        process.extend(binding.extra.iter().filter_map(|(v, _)| match v {
            Val::Block(b) => Some(Rc::clone(b)),
            _ => None,
        }));
        process.extend(blocks("remainingscripts"));
        let parallel = blocks("parallel");
        let (mut first, mut last) = (Vec::new(), Vec::new());
        if process.len() > 1 && binding.get("begin").is_none() {
            first.push(process.remove(0));
            if process.len() > 1 {
                last.extend(process.pop());
            }
        }
        for body in &first {
            let more = self.body(st, body, None);
            give(&mut out, more);
        }
        let before = self.current.clone();
        for item in feed {
            if self.halted() || st.flow.is_some() {
                break;
            }
            self.current = item;
            for body in process.iter().chain(&parallel) {
                let more = self.body(st, body, Some(vec![self.current.clone()]));
                give(&mut out, more);
                // `return` in such a block ends the turn.
                if st.flow == Some(super::super::ast::Flow::Return) {
                    st.flow = None;
                }
            }
        }
        self.current = before;
        last.extend(blocks("end"));
        for body in last {
            let more = self.body(st, &body, None);
            give(&mut out, more);
        }
        out
    }

    pub(super) fn where_object(&mut self, st: &mut State, call: Call<'_>) -> Vec<Val> {
        let feed = match call.binding.val("inputobject") {
            Some(val) => val.clone().items(),
            None => call.feed.unwrap_or_default(),
        };
        let Some(Val::Block(body)) = call.binding.val("filterscript").cloned() else { return feed };
        let before = self.current.clone();
        let mut out = Vec::new();
        for item in self.turns(feed) {
            if self.halted() {
                break;
            }
            self.current = item.clone();
            let holds = Val::collect(self.body(st, &body, None)).truth();
            if holds != Some(false) {
                out.push(item);
            }
        }
        self.current = before;
        out
    }

    pub(super) fn select_object(&mut self, call: Call<'_>) -> Vec<Val> {
        let feed = match call.binding.val("inputobject") {
            Some(val) => val.clone().items(),
            None => call.feed.unwrap_or_default(),
        };
        let feed = match call.binding.val("expandproperty").and_then(Val::known) {
            Some(name) => {
                let lower = name.to_lowercase();
                feed.iter().flat_map(|item| self.property(item, &lower).items()).collect()
            }
            None => feed,
        };
        let count = |name: &str| call.binding.val(name).and_then(Val::number).and_then(|n| usize::try_from(n).ok());
        let known = feed.iter().all(|v| !matches!(v, Val::Unknown) && !v.paths().iter().any(|p| p.known().is_none()));
        match (count("first"), count("last"), count("skip")) {
            (Some(n), None, None) if known => feed.into_iter().take(n).collect(),
            (None, Some(n), None) if known => {
                let skip = feed.len().saturating_sub(n);
                feed.into_iter().skip(skip).collect()
            }
            (None, None, Some(n)) if known => feed.into_iter().skip(n).collect(),
            _ => feed,
        }
    }

    pub(super) fn out_string(call: &Call<'_>) -> Vec<Val> {
        let items = match (call.binding.get("inputobject"), &call.feed) {
            (Some(bound), _) => bound.val.clone().items(),
            (None, Some(feed)) => feed.clone(),
            (None, None) => Vec::new(),
        };
        match super::pipeline::lines_of(&items) {
            Stream::Text(text) => vec![Val::Str(text)],
            _ => vec![Val::Unknown],
        }
    }

    pub(super) fn date(call: &Call<'_>) -> Vec<Val> {
        let style = call.binding.first(&["format", "uformat"]).map(|b| b.val.known());
        vec![match style {
            Some(Some(style)) if !style.contains(['/', '\\', '%']) && style.len() > 1 => Val::Str(Value::name()),
            Some(Some(style)) if style.contains('%') && !style.contains(['/', '\\', 'D']) => Val::Str(Value::name()),
            Some(_) => Val::Str(Value::any()),
            None => Val::Str(Value::name()),
        }]
    }
}

/// `-like` on names: `*`, `?`, `[a-z]`, without case. Anything unusual matches.
pub(super) fn is_like(name: &str, pattern: &str) -> bool {
    if pattern.contains(['[', '`']) || name.len() > MAX_PATTERN_TEXT || pattern.len() > MAX_PATTERN_TEXT {
        return true;
    }
    let name: Vec<char> = name.to_lowercase().chars().collect();
    let pattern: Vec<char> = pattern.to_lowercase().chars().collect();
    let (mut n, mut p) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        if p < pattern.len() && pattern[p] == '*' {
            retry = Some((n, p));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) {
            n += 1;
            p += 1;
        } else if let Some((at, star)) = retry {
            retry = Some((at + 1, star));
            n = at + 1;
            p = star + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}
