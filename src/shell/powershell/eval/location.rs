//! The current location and drives.

use std::rc::Rc;

use super::cmdlet::Call;
use super::machine::Eval;
use super::state::{Place, State};
use super::val::Val;
use crate::limits::{FOLDERS_PER_STEP, MAX_EXPANSION, steps_of_path};
use crate::shell::{EffectKind, Target, Value};
use crate::world::{EntryKind, World};

impl Eval<'_> {
    pub(super) fn set_location(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let inputs = call.input_paths(&["path", "literalpath"]);
        match inputs.first() {
            Some((path, span)) => {
                let known = path.known();
                if matches!(known.as_deref(), Some("-" | "+")) {
                    if let Some(Val::Item(before)) = st.var("oldplace:").cloned() {
                        st.place = Place::Folder(before);
                    }
                    return Vec::new();
                }
                self.path_effect(st, EffectKind::Read, path, &call.by(*span));
                self.go(st, path);
            }
            // Home with PowerShell 7, nowhere with 5.1.
            None if call.feed.is_none() && !self.windows() => {
                if let Some(home) = self.world.home() {
                    st.place = Place::Folder(Value::text(home));
                }
            }
            None => {}
        }
        Vec::new()
    }

    /// Makes `path` the current location where there is such a folder.
    pub(super) fn go(&mut self, st: &mut State, path: &Value) {
        if path.is_empty() {
            return;
        }
        let Some(target) = self.target(st, path) else {
            st.place = Place::Elsewhere;
            return;
        };
        let place = match target {
            Target::Path(path) => {
                if !self.charge(steps_of_path(path.len())) {
                    return;
                }
                let entry = self.overlay.target(&path);
                let may = self.dirty || self.overlay.knows(&path);
                // It stays where it is when there is no such folder.
                if entry == Some(EntryKind::File) || entry.is_none() && !may {
                    return;
                }
                Value::folder(path)
            }
            Target::Inside(folder) => Value::under(folder),
            Target::Opaque => Value::any(),
        };
        let before = st.folder();
        st.set("oldplace:", Val::Item(before));
        st.place = Place::Folder(place);
    }

    pub(super) fn push_location(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        self.charge(st.stack.len() / FOLDERS_PER_STEP);
        if st.stack.len() < MAX_EXPANSION {
            let here = st.place.clone();
            Rc::make_mut(&mut st.stack).push(here);
        }
        if let Some((path, span)) = call.input_paths(&["path", "literalpath"]).first() {
            self.path_effect(st, EffectKind::Read, path, &call.by(*span));
            self.go(st, path);
        }
        Vec::new()
    }

    pub(super) fn pop_location(st: &mut State) -> Vec<Val> {
        if let Some(place) = Rc::make_mut(&mut st.stack).pop() {
            st.place = place;
        }
        Vec::new()
    }

    pub(super) fn new_drive(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let provider = call.binding.val("psprovider").and_then(Val::known).unwrap_or_default();
        let Some(name) = call.binding.val("name").and_then(Val::known) else { return Vec::new() };
        let root = call.binding.val("root").map(Val::string).unwrap_or_default();
        let root = match provider.to_lowercase().as_str() {
            "filesystem" | "" => {
                let full = self.cmdlet_path(st, &root);
                Some(full)
            }
            _ => None,
        };
        if st.drives.len() < MAX_EXPANSION {
            Rc::make_mut(&mut st.drives).insert(name.to_lowercase(), root);
        }
        Vec::new()
    }
}
