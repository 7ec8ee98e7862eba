//! Downloads.

use super::cmdlet::Call;
use super::machine::{By, Eval};
use super::paths::joined;
use super::state::State;
use super::val::Val;
use crate::shell::bash::eval::values::Stream;
use crate::shell::programs::values::url_name;
use crate::shell::{EffectKind, Value};
use crate::world::EntryKind;

impl Eval<'_> {
    pub(super) fn web(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let Some(bound) = call.binding.get("outfile") else { return vec![Val::Unknown] };
        let urls = call.binding.get("uri").map(|b| b.val.paths()).unwrap_or_default();
        for path in bound.val.paths() {
            self.downloaded(st, call, &path, &urls, &call.by(bound.span));
        }
        if call.binding.has("passthru") { vec![Val::Unknown] } else { Vec::new() }
    }

    /// A download goes to a file, or into a folder under the name of its address.
    fn downloaded(&mut self, st: &State, call: &Call<'_>, to: &Value, urls: &[Value], by: &By<'_>) {
        if call.dry {
            return self.path_effect(st, EffectKind::Read, to, by);
        }
        let ends = matches!(to.pieces.last(), Some(crate::shell::Piece::Text(t)) if t.ends_with(['/', '\\']));
        if !ends && self.entry(st, to) != Some(EntryKind::Dir) {
            return self.written(st, to, Stream::Unknown, false, by);
        }
        for url in urls {
            match url_name(url, "") {
                Some(name) => {
                    let path = joined(self.model(), to, &name);
                    self.written(st, &path, Stream::Unknown, false, by);
                }
                None => self.inside_effect(st, to, by),
            }
        }
    }

    pub(super) fn bits_transfer(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let urls: Vec<Value> = call.input_paths(&["source"]).into_iter().map(|(path, _)| path).collect();
        let here = vec![Value::text(".")];
        let bound = call.binding.get("destination");
        let span = bound.map_or(call.span, |b| b.span);
        for to in bound.map_or(here, |b| b.val.paths()) {
            self.downloaded(st, call, &to, &urls, &call.by(span));
        }
        Vec::new()
    }
}
