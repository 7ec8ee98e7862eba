//! What a cmd.exe remembers between two commands. Copies are cheap: the tables are shared until one is written.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::values;
use crate::limits;
use crate::shell::Value;

/// Where control goes after a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Flow {
    /// To the next command.
    #[default]
    Next,
    /// To a label, in lower case.
    Goto(String),
    /// Out of the script or the called label.
    Return,
    /// Out of the shell.
    Exit,
}

/// A cmd.exe's memory.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Possible working folders: known absolute text, below a known folder, or unknown.
    pub(super) cwd: Vec<Value>,
    /// Other drives' working folders, by letter in upper case.
    pub(super) drives: Rc<BTreeMap<char, Value>>,
    /// Variables that were set (or unset) by the command, by their names in upper case.
    vars: Rc<BTreeMap<String, Option<Value>>>,
    /// Variables of the loops around.
    pub(super) loops: Rc<Vec<(char, Value)>>,
    /// `%0` and on of a called label or script.
    pub(super) args: Option<Rc<Vec<Value>>>,
    /// The stack of `pushd`, the newest last.
    pub(super) dirs: Rc<Vec<Value>>,
    /// What `setlocal` put away.
    saved: Rc<Vec<Saved>>,
    /// `!NAME!` is expanded.
    pub(super) delayed: bool,
    pub(super) flow: Flow,
}

#[derive(Clone, Debug)]
struct Saved {
    vars: Rc<BTreeMap<String, Option<Value>>>,
    cwd: Vec<Value>,
    delayed: bool,
}

impl State {
    pub(super) fn new(cwd: Value) -> Self {
        Self {
            cwd: vec![cwd],
            drives: Rc::default(),
            vars: Rc::default(),
            loops: Rc::default(),
            args: None,
            dirs: Rc::default(),
            saved: Rc::default(),
            delayed: false,
            flow: Flow::Next,
        }
    }

    /// The working folder, one value for all alternatives.
    pub(super) fn folder(&self) -> Value {
        values::join_all(&self.cwd)
    }

    /// A variable that the command set or unset; `None`: the environment's counts.
    pub(super) fn var(&self, upper: &str) -> Option<&Option<Value>> {
        self.vars.get(upper)
    }

    /// Every variable that the command set or unset.
    pub(super) fn vars(&self) -> Vec<(String, Option<Value>)> {
        self.vars.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
    }

    pub(super) fn set(&mut self, name: &str, value: Option<Value>) {
        if self.vars.len() < limits::MAX_EXPANSION || self.vars.contains_key(name) {
            Rc::make_mut(&mut self.vars).insert(name.to_uppercase(), value.map(values::capped));
        }
    }

    /// `setlocal`
    pub(super) fn save(&mut self) {
        if self.saved.len() < limits::MAX_CALLS {
            let saved = Saved { vars: Rc::clone(&self.vars), cwd: self.cwd.clone(), delayed: self.delayed };
            Rc::make_mut(&mut self.saved).push(saved);
        }
    }

    /// `endlocal`
    pub(super) fn restore(&mut self) {
        if let Some(saved) = Rc::make_mut(&mut self.saved).pop() {
            self.vars = saved.vars;
            self.cwd = saved.cwd;
            self.delayed = saved.delayed;
        }
    }

    /// How many `setlocal` are open.
    pub(super) fn locals(&self) -> usize {
        self.saved.len()
    }

    /// A copy whose changes nobody sees: a side of a pipe, another cmd.exe.
    pub(super) fn child(&self) -> Self {
        Self { saved: Rc::default(), flow: Flow::Next, ..self.clone() }
    }

    /// Both states are possible; one that went elsewhere does not count where the other goes on.
    pub(super) fn merge(&mut self, other: Self) {
        if other.flow != Flow::Next && self.flow == Flow::Next {
            return;
        }
        if self.flow != Flow::Next && other.flow == Flow::Next {
            *self = other;
            return;
        }
        for cwd in other.cwd {
            if !self.cwd.contains(&cwd) {
                self.cwd.push(cwd);
            }
        }
        if self.cwd.len() > limits::MAX_ALTERNATIVES {
            self.cwd = vec![values::join_all(&self.cwd)];
        }
        if !Rc::ptr_eq(&self.vars, &other.vars) && self.vars != other.vars {
            let vars = Rc::make_mut(&mut self.vars);
            for (name, value) in other.vars.iter() {
                match vars.get_mut(name) {
                    Some(mine) if mine == value => {}
                    Some(mine) => {
                        let both: Vec<Value> = mine.iter().chain(value).cloned().collect();
                        *mine = Some(values::join_all(&both));
                    }
                    // Elsewhere it is the environment's: not looked up here, so nothing is known.
                    None => drop(vars.insert(name.clone(), value.clone())),
                }
            }
        }
        if !Rc::ptr_eq(&self.drives, &other.drives) {
            let drives = Rc::make_mut(&mut self.drives);
            for (letter, folder) in other.drives.iter() {
                if drives.get(letter) != Some(folder) {
                    drives.insert(*letter, Value::any());
                }
            }
        }
        self.delayed |= other.delayed;
    }
}
