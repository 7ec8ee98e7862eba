//! What a shell remembers between two commands. Copies are cheap: the tables are shared until one is written.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::ast::{Body, Flow};
use super::val::Val;
use crate::limits::MAX_EXPANSION;
use crate::shell::Value;

/// Where the shell stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// In a folder: known absolute text or a partly known path.
    Folder(Value),
    /// In the registry, the environment or another provider that holds no files.
    Elsewhere,
}

/// A shell's memory.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) place: Place,
    /// The folder of the process: what .NET resolves relative paths against.
    pub(super) process: Value,
    vars: Rc<BTreeMap<String, Val>>,
    pub(super) functions: Rc<BTreeMap<String, Rc<Body>>>,
    pub(super) aliases: Rc<BTreeMap<String, String>>,
    /// Roots of drives that the command made.
    pub(super) drives: Rc<BTreeMap<String, Option<Value>>>,
    /// The stack of `Push-Location`, the newest last.
    pub(super) stack: Rc<Vec<Place>>,
    pub(super) flow: Option<Flow>,
}

impl State {
    pub(super) fn new(cwd: &str) -> Self {
        Self {
            place: Place::Folder(Value::text(cwd)),
            process: Value::text(cwd),
            vars: Rc::default(),
            functions: Rc::default(),
            aliases: Rc::default(),
            drives: Rc::default(),
            stack: Rc::default(),
            flow: None,
        }
    }

    /// The current folder as a value.
    pub(super) fn folder(&self) -> Value {
        match &self.place {
            Place::Folder(value) => value.clone(),
            Place::Elsewhere => Value::any(),
        }
    }

    pub(super) fn var(&self, name: &str) -> Option<&Val> {
        self.vars.get(name)
    }

    pub(super) fn set(&mut self, name: &str, value: Val) {
        if self.vars.len() < MAX_EXPANSION || self.vars.contains_key(name) {
            Rc::make_mut(&mut self.vars).insert(name.to_owned(), value);
        }
    }

    /// All variables, to be put back by [`State::leave`].
    pub(super) fn scope(&self) -> Rc<BTreeMap<String, Val>> {
        Rc::clone(&self.vars)
    }

    /// Leaves a scope: variables are as before, but for the environment and what was assigned to an outer scope.
    pub(super) fn leave(&mut self, before: Rc<BTreeMap<String, Val>>, outer: &[String]) {
        let inner = std::mem::replace(&mut self.vars, before);
        if Rc::ptr_eq(&inner, &self.vars) {
            return;
        }
        let kept = inner.iter().filter(|(name, _)| name.starts_with("env:") || outer.contains(name));
        let kept: Vec<_> = kept.map(|(k, v)| (k.clone(), v.clone())).collect();
        for (name, value) in kept {
            self.set(&name, value);
        }
    }

    /// The memory of another shell that this one starts: the environment goes with it.
    pub(super) fn child(&self) -> Self {
        let Place::Folder(cwd) = &self.place else { return Self { place: self.place.clone(), ..Self::new("") } };
        let env = self.vars.iter().filter(|(k, _)| k.starts_with("env:"));
        Self {
            place: self.place.clone(),
            process: cwd.clone(),
            vars: Rc::new(env.map(|(k, v)| (k.clone(), v.clone())).collect()),
            ..Self::new("")
        }
    }

    /// Variables of the environment that the command set.
    pub(super) fn environment(&self) -> impl Iterator<Item = (&str, &Val)> {
        self.vars.iter().filter_map(|(k, v)| Some((k.strip_prefix("env:")?, v)))
    }

    /// Both memories are possible from here on. `missing` says what a variable is that only one of them has.
    pub(super) fn merge(&mut self, other: &Self, missing: &dyn Fn(&str) -> Val) {
        if self.place != other.place {
            self.place = match (&self.place, &other.place) {
                (Place::Folder(a), Place::Folder(b)) => Place::Folder(super::val::join(&[a.clone(), b.clone()])),
                _ => Place::Folder(Value::any()),
            };
        }
        if self.process != other.process {
            self.process = super::val::join(&[self.process.clone(), other.process.clone()]);
        }
        if !Rc::ptr_eq(&self.vars, &other.vars) {
            let mut names: Vec<String> = self.vars.keys().cloned().collect();
            names.extend(other.vars.keys().filter(|k| !self.vars.contains_key(*k)).cloned());
            for name in names {
                let mine = self.vars.get(&name).cloned().unwrap_or_else(|| missing(&name));
                let theirs = other.vars.get(&name).cloned().unwrap_or_else(|| missing(&name));
                if mine != theirs {
                    self.set(&name, Val::either(vec![mine, theirs]));
                }
            }
        }
        if !Rc::ptr_eq(&self.functions, &other.functions) {
            for (name, body) in other.functions.iter() {
                Rc::make_mut(&mut self.functions).entry(name.clone()).or_insert_with(|| Rc::clone(body));
            }
        }
        if !Rc::ptr_eq(&self.aliases, &other.aliases) {
            for (name, target) in other.aliases.iter() {
                Rc::make_mut(&mut self.aliases).entry(name.clone()).or_insert_with(|| target.clone());
            }
        }
        if !Rc::ptr_eq(&self.drives, &other.drives) {
            for (name, root) in other.drives.iter() {
                Rc::make_mut(&mut self.drives).entry(name.clone()).or_insert_with(|| root.clone());
            }
        }
    }

    /// Variables that are not the same in `other`: they change from turn to turn of a loop.
    pub(super) fn changed(&self, other: &Self) -> Vec<String> {
        if Rc::ptr_eq(&self.vars, &other.vars) {
            return Vec::new();
        }
        self.vars.iter().filter(|(k, v)| other.vars.get(*k) != Some(v)).map(|(k, _)| k.clone()).collect()
    }
}
