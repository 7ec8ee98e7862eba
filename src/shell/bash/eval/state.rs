//! What a shell remembers between two commands. Copies are cheap: the tables are shared until one is written.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::values;
use crate::limits::{self, NAMES_PER_COPY_STEP, STEPS_PER_COPY};
use crate::shell::bash::ast::Command;
use crate::shell::{Span, Value};
use crate::world::World;

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Var {
    /// One of these values (at least one, at most [`limits::MAX_ALTERNATIVES`]).
    Scalar(Vec<Value>),
    /// Keys and values in order.
    Array(Vec<(String, Value)>),
    /// Known not to be set.
    Unset,
}

impl Var {
    pub(super) fn one(value: Value) -> Self {
        Self::Scalar(vec![value])
    }

    /// A single value that covers this variable as `$x` would give it.
    pub(super) fn joined(&self) -> Option<Value> {
        match self {
            Self::Scalar(values) => Some(values::join_all(values)),
            Self::Array(items) => items.iter().find(|(k, _)| k == "0").or(items.first()).map(|(_, v)| v.clone()),
            Self::Unset => None,
        }
    }
}

/// A variable with its attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) var: Var,
    pub(super) exported: bool,
}

/// A function with the word that its text came from, where it was not the command itself.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) body: Command,
    pub(super) outer: Option<Span>,
    pub(super) holes: Rc<Vec<crate::shell::Piece>>,
}

/// Where control goes after a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Flow {
    /// To the next command.
    #[default]
    Next,
    /// Out of this many loops.
    Break(u32),
    /// To the next turn of the loop this many levels out.
    Continue(u32),
    /// Out of the function or sourced text.
    Return,
    /// Out of the shell.
    Exit,
}

/// A shell's memory.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Possible working folders: known absolute text, [`crate::shell::Piece::Under`] or unknown.
    pub(super) cwd: Vec<Value>,
    vars: Rc<BTreeMap<String, Slot>>,
    /// `declare -n`: a name that stands for another.
    refs: Rc<BTreeMap<String, String>>,
    pub(super) functions: Rc<BTreeMap<String, Rc<Function>>>,
    /// Those of them that the shells which this one starts know too (`export -f`).
    pub(super) exported: Rc<BTreeMap<String, Rc<Function>>>,
    pub(super) aliases: Rc<BTreeMap<String, String>>,
    /// `$1` and on.
    pub(super) params: Rc<Vec<Value>>,
    pub(super) name: Value,
    /// The stack of `pushd`, the newest last.
    pub(super) dirs: Rc<Vec<Value>>,
    /// `$_`.
    pub(super) last_word: Value,
    pub(super) flow: Flow,
    /// `set -f`.
    pub(super) noglob: bool,
    /// `set -a`: what is assigned is exported.
    pub(super) allexport: bool,
    /// `shopt -s nullglob`.
    pub(super) nullglob: bool,
    /// `shopt -s dotglob`.
    pub(super) dotglob: bool,
    /// `shopt -s globstar`.
    pub(super) globstar: bool,
    /// `shopt -s cdable_vars`.
    pub(super) cdable: bool,
    /// Some variable may have more than one value.
    multi: bool,
}

impl State {
    pub(super) fn new(cwd: &str) -> Self {
        Self {
            cwd: vec![Value::text(cwd)],
            vars: Rc::default(),
            refs: Rc::default(),
            functions: Rc::default(),
            exported: Rc::default(),
            aliases: Rc::default(),
            params: Rc::default(),
            name: Value::text("bash"),
            dirs: Rc::default(),
            last_word: Value::any(),
            flow: Flow::Next,
            noglob: false,
            allexport: false,
            nullglob: false,
            dotglob: false,
            globstar: false,
            cdable: false,
            multi: false,
        }
    }

    /// Whether any part of the memory has alternatives.
    pub(super) fn is_multi(&self) -> bool {
        self.multi || self.cwd.len() > 1
    }

    /// The working folder, one value for all alternatives.
    pub(super) fn folder(&self) -> Value {
        values::join_all(&self.cwd)
    }

    /// The working folder where it is known.
    pub(super) fn known_folder(&self) -> Option<&str> {
        match self.cwd.as_slice() {
            [one] if one.pieces.len() == 1 && !one.prefix().is_empty() => Some(one.prefix()),
            _ => None,
        }
    }

    /// A variable that was assigned, unset or taken from the environment.
    pub(super) fn var(&self, name: &str) -> Option<&Slot> {
        self.vars.get(self.meant(name))
    }

    /// From here on `name` stands for the variable `target`.
    pub(super) fn refer(&mut self, name: &str, target: &str) {
        if name != target && (self.refs.len() < limits::MAX_EXPANSION || self.refs.contains_key(name)) {
            Rc::make_mut(&mut self.refs).insert(name.to_owned(), target.to_owned());
        }
    }

    /// The variable that a name stands for. References in a circle stand for one of their names.
    pub(super) fn meant<'n>(&'n self, name: &'n str) -> &'n str {
        let mut name = name;
        for _ in 0..=self.refs.len().min(limits::MAX_CALLS) {
            match self.refs.get(name) {
                Some(target) => name = target,
                None => break,
            }
        }
        name
    }

    /// The names that were assigned.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.vars.iter().filter(|(_, s)| s.var != Var::Unset).map(|(k, _)| k.as_str())
    }

    /// Assigns; a name that comes from the environment stays exported.
    pub(super) fn set(&mut self, name: &str, var: Var, world: &dyn World) {
        let meant = if self.refs.is_empty() { None } else { Some(self.meant(name).to_owned()) };
        let name = meant.as_deref().unwrap_or(name);
        let exported = match self.vars.get(name) {
            Some(slot) => slot.exported || self.allexport,
            None => self.allexport || world.env(name).is_some(),
        };
        self.put(name, Some(Slot { var, exported }));
    }

    /// The value of `name`, to be set again: a table that only this state has is not copied for it.
    pub(super) fn take(&mut self, name: &str) -> Option<Var> {
        let name = self.meant(name).to_owned();
        let slot = Rc::make_mut(&mut self.vars).get_mut(&name)?;
        Some(std::mem::replace(&mut slot.var, Var::Unset))
    }

    /// Steps for a copy of the state that is changed afterwards, or merged with it.
    pub(super) fn copy_steps(&self) -> usize {
        STEPS_PER_COPY + (self.vars.len() + self.functions.len()) / NAMES_PER_COPY_STEP
    }

    /// Sets the slot of this very name, which stops to stand for another.
    pub(super) fn put(&mut self, name: &str, slot: Option<Slot>) {
        if self.refs.contains_key(name) {
            Rc::make_mut(&mut self.refs).remove(name);
        }
        let vars = Rc::make_mut(&mut self.vars);
        match slot {
            Some(slot) => {
                self.multi |= matches!(&slot.var, Var::Scalar(v) if v.len() > 1);
                vars.insert(name.to_owned(), slot);
            }
            None => {
                vars.remove(name);
            }
        }
    }

    pub(super) fn export(&mut self, name: &str, exported: bool, world: &dyn World) {
        let meant = if self.refs.is_empty() { None } else { Some(self.meant(name).to_owned()) };
        let name = meant.as_deref().unwrap_or(name);
        if !self.vars.contains_key(name) {
            let var = world.env(name).map_or(Var::Unset, |v| Var::one(Value::text(v)));
            self.put(name, Some(Slot { var, exported }));
        } else if let Some(slot) = Rc::make_mut(&mut self.vars).get_mut(name) {
            slot.exported = exported;
        }
    }

    /// `export -f NAME`.
    pub(super) fn export_function(&mut self, name: &str) {
        if let Some(function) = self.functions.get(name) {
            Rc::make_mut(&mut self.exported).insert(name.to_owned(), Rc::clone(function));
        }
    }

    /// The memory of a program that this shell starts and that is a shell itself.
    pub(super) fn child(&self, world: &dyn World) -> Self {
        let mut child = Self::new("");
        child.cwd.clone_from(&self.cwd);
        child.multi = self.multi;
        child.functions = Rc::clone(&self.exported);
        child.exported = Rc::clone(&self.exported);
        if self.vars.values().all(|s| s.exported) {
            child.vars = Rc::clone(&self.vars);
        } else {
            let hidden = || Slot { var: Var::Unset, exported: true };
            let kept = self.vars.iter().filter_map(|(k, s)| {
                let slot = if s.exported { s.clone() } else { world.env(k).map(|_| hidden())? };
                Some((k.clone(), slot))
            });
            child.vars = Rc::new(kept.collect());
        }
        child
    }

    /// Both memories are possible from here on.
    pub(super) fn merge(&mut self, other: &Self, world: &dyn World) {
        if self.cwd != other.cwd {
            for value in &other.cwd {
                add_alternative(&mut self.cwd, value);
            }
        }
        if !Rc::ptr_eq(&self.vars, &other.vars) && self.vars != other.vars {
            self.merge_vars(other, world);
        }
        if !Rc::ptr_eq(&self.refs, &other.refs) {
            for (name, target) in other.refs.iter() {
                if !self.refs.contains_key(name) {
                    self.refer(name, target);
                }
            }
        }
        merge_functions(&mut self.functions, &other.functions);
        merge_functions(&mut self.exported, &other.exported);
        if !Rc::ptr_eq(&self.aliases, &other.aliases) && self.aliases != other.aliases {
            for (name, text) in other.aliases.iter() {
                Rc::make_mut(&mut self.aliases).entry(name.clone()).or_insert_with(|| text.clone());
            }
        }
        if self.params != other.params {
            let longest = self.params.len().max(other.params.len());
            let at = |p: &[Value], i: usize| p.get(i).cloned().unwrap_or_default();
            let joined = (0..longest).map(|i| values::join(&at(&self.params, i), &at(&other.params, i))).collect();
            self.params = Rc::new(joined);
        }
        if self.dirs != other.dirs {
            // Where one side has more, `popd` on the other fails, and that changes nothing.
            let (longer, shorter) =
                if self.dirs.len() < other.dirs.len() { (&other.dirs, &self.dirs) } else { (&self.dirs, &other.dirs) };
            let mut dirs = longer.to_vec();
            for (ours, theirs) in dirs.iter_mut().rev().zip(shorter.iter().rev()) {
                *ours = values::join(ours, theirs);
            }
            self.dirs = Rc::new(dirs);
        }
        if self.last_word != other.last_word {
            self.last_word = values::join(&self.last_word, &other.last_word);
        }
        self.multi |= other.multi;
        self.noglob &= other.noglob;
        self.allexport |= other.allexport;
        self.nullglob &= other.nullglob;
        self.dotglob |= other.dotglob;
        self.globstar |= other.globstar;
        self.cdable |= other.cdable;
    }

    fn merge_vars(&mut self, other: &Self, world: &dyn World) {
        // Where one side never touched a name it still has what the environment says.
        let inherited = |name: &str| match world.env(name) {
            Some(v) => Slot { var: Var::one(Value::text(v)), exported: true },
            None => Slot { var: Var::Unset, exported: false },
        };
        let mut changed: Vec<(String, Slot)> = Vec::new();
        for (name, slot) in self.vars.iter() {
            match other.vars.get(name) {
                Some(same) if same == slot => {}
                Some(differs) => changed.push((name.clone(), merge_slots(slot, differs))),
                None => changed.push((name.clone(), merge_slots(slot, &inherited(name)))),
            }
        }
        for (name, slot) in other.vars.iter() {
            if !self.vars.contains_key(name) {
                changed.push((name.clone(), merge_slots(&inherited(name), slot)));
            }
        }
        for (name, slot) in changed {
            self.put(&name, Some(slot));
        }
    }
}

fn merge_functions(ours: &mut Rc<BTreeMap<String, Rc<Function>>>, others: &Rc<BTreeMap<String, Rc<Function>>>) {
    if Rc::ptr_eq(ours, others) {
        return;
    }
    for (name, body) in others.iter() {
        if !ours.contains_key(name) {
            Rc::make_mut(ours).insert(name.clone(), Rc::clone(body));
        }
    }
}

fn merge_slots(a: &Slot, b: &Slot) -> Slot {
    let var = match (&a.var, &b.var) {
        (Var::Scalar(x), Var::Scalar(y)) => {
            let mut all = x.clone();
            for value in y {
                add_alternative(&mut all, value);
            }
            Var::Scalar(all)
        }
        (Var::Scalar(x), Var::Unset) | (Var::Unset, Var::Scalar(x)) => {
            let mut all = x.clone();
            add_alternative(&mut all, &Value::default());
            Var::Scalar(all)
        }
        (Var::Array(x), Var::Unset) | (Var::Unset, Var::Array(x)) => Var::Array(x.clone()),
        (Var::Array(x), Var::Array(y)) => {
            // A command that uses all of one uses some of both: the union keeps every path.
            let mut all = x.clone();
            for item in y {
                if !all.contains(item) {
                    all.push(item.clone());
                }
            }
            if all.len() > limits::MAX_EXPANSION {
                let values: Vec<Value> = all.into_iter().map(|(_, v)| v).collect();
                all = vec![("0".to_owned(), values::join_all(&values))];
            }
            Var::Array(all)
        }
        (Var::Unset, Var::Unset) => Var::Unset,
        (Var::Array(_), Var::Scalar(_)) | (Var::Scalar(_), Var::Array(_)) => Var::one(Value::any()),
    };
    Slot { var, exported: a.exported || b.exported }
}

/// Adds a possible value; beyond the limit they become one.
pub(super) fn add_alternative(all: &mut Vec<Value>, value: &Value) {
    if all.contains(value) {
        return;
    }
    all.push(value.clone());
    if all.len() > limits::MAX_ALTERNATIVES {
        *all = vec![values::join_all(all)];
    }
}
