//! Cmdlets that read and write text: `Set-Content`, `Out-File`, `Get-Content`, `Tee-Object`, transcripts.

use super::cmdlet::Call;
use super::machine::Eval;
use super::pipeline::lines_of;
use super::state::State;
use super::val::Val;
use crate::limits::MAX_SOURCED_BYTES;
use crate::shell::bash::eval::values::{self, Stream};
use crate::shell::{EffectKind, Target, Value};
use crate::world::World;

impl Eval<'_> {
    pub(super) fn out_file(&mut self, st: &mut State, call: &Call<'_>, names: &[&str]) -> Vec<Val> {
        let text = match (call.binding.get("inputobject"), &call.feed) {
            (Some(bound), _) => lines_of(&bound.val.clone().items()),
            (None, Some(feed)) => lines_of(feed),
            (None, None) => Stream::empty(),
        };
        let append = call.binding.has("append");
        let Some(bound) = call.binding.first(names) else { return Vec::new() };
        for path in bound.val.paths() {
            let by = call.by(bound.span);
            if call.dry {
                self.path_effect(st, EffectKind::Read, &path, &by);
            } else {
                self.written(st, &path, text.clone(), append, &by);
            }
        }
        Vec::new()
    }

    pub(super) fn set_content(&mut self, st: &mut State, call: &Call<'_>, append: bool) -> Vec<Val> {
        let value = call.binding.get("value").map(|b| b.val.clone());
        let text = match (&value, &call.feed) {
            (Some(value), _) => lines_of(&value.clone().items()),
            (None, Some(feed)) => lines_of(feed),
            (None, None) => Stream::empty(),
        };
        let wild = call.binding.get("literalpath").is_none();
        let Some(bound) = call.binding.first(&["path", "literalpath"]) else { return Vec::new() };
        for path in bound.val.paths() {
            if let Some(name) = super::items::env_name(&path) {
                let value = value.as_ref().map(Val::string).unwrap_or_default();
                self.set_env(st, &name, value);
                continue;
            }
            if self.define(st, &path, value.as_ref()) {
                continue;
            }
            let by = call.by(bound.span);
            if call.dry {
                self.path_effect(st, EffectKind::Read, &path, &by);
            } else if wild && path.known().is_some_and(|p| p.contains(['*', '?'])) {
                // A pattern stands for what is there.
                for found in self.matching(st, &path, true) {
                    self.path_effect(st, EffectKind::Modify, &found, &by);
                }
            } else {
                self.written(st, &path, text.clone(), append, &by);
            }
        }
        if call.binding.has("passthru") { vec![Val::Unknown] } else { Vec::new() }
    }

    pub(super) fn tee(&mut self, st: &mut State, call: Call<'_>) -> Vec<Val> {
        self.out_file(st, &call, &["filepath", "literalpath"]);
        let out = call.feed.unwrap_or_default();
        if let Some(name) = call.binding.val("variable").and_then(Val::known) {
            self.set_variable(st, &name.to_lowercase(), Val::collect(out.clone()));
        }
        out
    }

    pub(super) fn get_content(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let raw = call.binding.has("raw");
        let some = ["totalcount", "tail", "stream", "delimiter", "readcount", "asbytestream"];
        let whole = !some.iter().any(|name| call.binding.get(name).is_some());
        let mut out = Vec::new();
        for (path, span) in call.input_paths(&["path", "literalpath"]) {
            if let Some(name) = super::items::env_name(&path) {
                out.push(self.variable(st, &format!("env:{name}")));
                continue;
            }
            let wild = call.binding.get("literalpath").is_none();
            for found in self.matching(st, &path, wild) {
                self.path_effect(st, EffectKind::Read, &found, &call.by(span));
                let text = match self.target(st, &found) {
                    Some(Target::Path(known)) if whole => self.file_text(&known),
                    _ => Stream::Unknown,
                };
                match text {
                    Stream::Text(text) if raw => out.push(Val::Str(text)),
                    text => match text.lines() {
                        Some(lines) => {
                            let trim = |v: Value| match v.known() {
                                Some(line) => Value::text(line.trim_end_matches('\r')),
                                None => v,
                            };
                            super::statement::give(&mut out, lines.into_iter().map(|l| Val::Str(trim(l))).collect());
                        }
                        None => out.push(Val::Str(text.any_line())),
                    },
                }
            }
        }
        out
    }

    /// What reading the file at `path` gives, as far as it is known.
    pub(super) fn file_text(&mut self, path: &str) -> Stream {
        if let Some(written) = self.overlay.written(path) {
            return written.clone();
        }
        if path.starts_with("/dev/") || path.starts_with("/proc/") {
            return Stream::Unknown;
        }
        match self.overlay.read_text(path, MAX_SOURCED_BYTES) {
            Some(text) => {
                self.charge_bytes(text.len());
                Stream::Text(values::capped(Value::text(text)))
            }
            None => Stream::Unknown,
        }
    }

    pub(super) fn transcript(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        if let Some(bound) = call.binding.first(&["path", "literalpath"]) {
            for path in bound.val.paths() {
                let by = call.by(bound.span);
                if call.dry {
                    self.path_effect(st, EffectKind::Read, &path, &by);
                } else {
                    self.written(st, &path, Stream::Unknown, false, &by);
                }
            }
            return Vec::new();
        }
        // Without a path it goes to the user's documents.
        let (folders, span) = if let Some(bound) = call.binding.get("outputdirectory") {
            (bound.val.paths(), bound.span)
        } else {
            let documents = self.world.home().map(|home| {
                let below = if self.windows() { "\\Documents" } else { "" };
                Value::text(format!("{}{below}", home.trim_end_matches('\\')))
            });
            (documents.into_iter().collect(), call.span)
        };
        for folder in folders.iter().filter(|_| !call.dry) {
            self.inside_effect(st, folder, &call.by(span));
        }
        Vec::new()
    }
}
