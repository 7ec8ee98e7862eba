//! Variables: automatic ones, the environment, assignments.

use std::rc::Rc;

use super::super::ast::{Expr, ExprKind};
use super::environment::assigned;
use super::machine::Eval;
use super::state::State;
use super::val::Val;
use crate::limits::MAX_EXPANSION;
use crate::path::Model;
use crate::shell::Value;
use crate::world::World;

/// What a variable is that the command never set.
pub(super) fn inherited(world: &dyn World, name: &str) -> Val {
    match name.strip_prefix("env:") {
        Some(name) => environment(world, name).map_or(Val::Null, Val::text),
        None => Val::Null,
    }
}

/// A variable of the environment; on Windows those that always exist are known without asking for them.
fn environment(world: &dyn World, name: &str) -> Option<String> {
    if let Some(value) = world.env(name) {
        return Some(value);
    }
    if world.model() == Model::Posix {
        return if name == "HOME" { world.home() } else { None };
    }
    let upper = name.to_ascii_uppercase();
    let home = || world.home().map(|h| h.trim_end_matches('\\').to_owned());
    let below = |rest: &str| home().map(|h| format!("{h}\\{rest}"));
    match upper.as_str() {
        "USERPROFILE" => home(),
        "APPDATA" => below("AppData\\Roaming"),
        "LOCALAPPDATA" => below("AppData\\Local"),
        "TEMP" | "TMP" => below("AppData\\Local\\Temp"),
        "ONEDRIVE" => below("OneDrive"),
        "HOMEDRIVE" => home().and_then(|h| h.get(..2).map(str::to_owned)),
        "HOMEPATH" => home().and_then(|h| h.get(2..).map(str::to_owned)),
        "USERNAME" => home().and_then(|h| h.rsplit('\\').next().map(str::to_owned)),
        "SYSTEMDRIVE" => Some("C:".to_owned()),
        "SYSTEMROOT" | "WINDIR" => Some("C:\\Windows".to_owned()),
        "PROGRAMDATA" | "ALLUSERSPROFILE" => Some("C:\\ProgramData".to_owned()),
        "PROGRAMFILES" | "PROGRAMW6432" => Some("C:\\Program Files".to_owned()),
        "PROGRAMFILES(X86)" => Some("C:\\Program Files (x86)".to_owned()),
        "COMMONPROGRAMFILES" => Some("C:\\Program Files\\Common Files".to_owned()),
        "PUBLIC" => Some("C:\\Users\\Public".to_owned()),
        "COMSPEC" => Some("C:\\Windows\\system32\\cmd.exe".to_owned()),
        "OS" => Some("Windows_NT".to_owned()),
        _ => None,
    }
}

impl Eval<'_> {
    /// What a variable holds.
    pub(super) fn variable(&mut self, st: &State, name: &str) -> Val {
        let name = plain_name(name);
        if matches!(name, "_" | "psitem") {
            return self.current.clone();
        }
        if let Some(env) = name.strip_prefix("env:") {
            if let Some(value) = assigned(st, self.model(), env) {
                return if value.is_empty() { Val::Null } else { Val::Str(value) };
            }
            return environment(self.world, env).map_or(Val::Null, Val::text);
        }
        if let Some(value) = st.var(name) {
            let value = value.clone();
            self.charge_bytes(value.size());
            return value;
        }
        self.automatic(st, name)
    }

    fn automatic(&self, st: &State, name: &str) -> Val {
        match name {
            "true" => Val::Bool(true),
            "false" => Val::Bool(false),
            "home" => self.world.home().map_or(Val::Unknown, Val::text),
            "pwd" => Val::Item(st.folder()),
            "pshome" => Val::text(if self.windows() {
                "C:\\Windows\\System32\\WindowsPowerShell\\v1.0"
            } else {
                "/opt/microsoft/powershell/7"
            }),
            "profile" => self.world.home().map_or(Val::Unknown, |home| Val::text(self.profile(&home))),
            "islinux" | "ismacos" if self.windows() => Val::Bool(false),
            "iswindows" if !self.windows() => Val::Bool(false),
            "pid" | "lastexitcode" => Val::Str(Value::name()),
            "iswindows" | "islinux" | "ismacos" | "iscoreclr" | "matches" | "error" | "host" | "psversiontable"
            | "executioncontext" | "myinvocation" | "pscmdlet" | "psboundparameters" | "?" | "^" | "$" | "args"
            | "input" | "event" | "sender" | "foreach" | "switch" | "this" | "shellid" | "psculture"
            | "psuiculture" | "psedition" => Val::Unknown,
            _ => Val::Null,
        }
    }

    fn profile(&self, home: &str) -> String {
        if self.windows() {
            let home = home.trim_end_matches('\\');
            format!("{home}\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1")
        } else {
            format!("{home}/.config/powershell/Microsoft.PowerShell_profile.ps1")
        }
    }

    /// `target = value` and its forms.
    pub(super) fn assign(&mut self, st: &mut State, target: &Expr, operator: &str, value: Val) {
        self.charge_bytes(value.size());
        match &target.kind {
            ExprKind::Variable(name) => {
                let value = self.combined(st, name, operator, value);
                self.set_variable(st, name, value);
            }
            ExprKind::Cast(kind, inner) => {
                let value = self.cast(st, kind, value);
                self.assign(st, inner, operator, value);
            }
            ExprKind::List(targets) => {
                let mut items = value.items().into_iter();
                for (i, target) in targets.iter().enumerate() {
                    let item = if i + 1 == targets.len() {
                        Val::collect(items.by_ref().collect())
                    } else {
                        items.next().unwrap_or(Val::Null)
                    };
                    self.assign(st, target, operator, item);
                }
            }
            ExprKind::Member { of, name } => {
                let key = self.expr(st, name).known();
                if let ExprKind::Type(class) = &of.kind {
                    if class.ends_with("environment")
                        && key.as_deref().is_some_and(|k| k.eq_ignore_ascii_case("currentdirectory"))
                    {
                        st.process = value.string();
                    }
                    return;
                }
                self.assign_part(st, of, key, operator, value);
            }
            ExprKind::Index(of, index) => {
                let key = self.expr(st, index).known();
                self.assign_part(st, of, key, operator, value);
            }
            _ => {
                self.expr(st, target);
            }
        }
    }

    fn combined(&mut self, st: &State, name: &str, operator: &str, value: Val) -> Val {
        match operator {
            "" => value,
            "??" => match self.variable(st, name) {
                Val::Null => value,
                Val::Unknown => Val::Unknown,
                old => old,
            },
            operator => {
                let old = self.variable(st, name);
                self.operate(operator, old, value)
            }
        }
    }

    /// Sets a variable by its name with or without a scope.
    pub(super) fn set_variable(&mut self, st: &mut State, name: &str, value: Val) {
        if let Some(name) = name.strip_prefix("env:") {
            self.set_env(st, name, value.string());
            return;
        }
        let plain = plain_name(name);
        if plain.contains(':') {
            return;
        }
        let outward = name.starts_with("global:") || name.starts_with("script:");
        if outward && self.outward.len() < MAX_EXPANSION {
            self.outward.push(plain.to_owned());
        }
        st.set(plain, value);
    }

    pub(super) fn set_env(&self, st: &mut State, name: &str, value: Value) {
        let existing = st
            .environment()
            .map(|(known, _)| known)
            .find(|known| self.windows() && known.eq_ignore_ascii_case(name))
            .unwrap_or(name);
        let key = format!("env:{existing}");
        st.set(&key, Val::Str(value));
    }

    /// `$x.key = value`, `$x[key] = value`.
    fn assign_part(&mut self, st: &mut State, of: &Expr, key: Option<String>, operator: &str, value: Val) {
        let ExprKind::Variable(name) = &of.kind else { return };
        let name = plain_name(name).to_owned();
        let new = match (st.var(&name).cloned(), key) {
            (Some(Val::Hash(pairs)), Some(key)) => {
                let mut pairs = Rc::unwrap_or_clone(pairs);
                self.charge(1 + pairs.len() / 8);
                match pairs.iter().position(|(k, _)| k.eq_ignore_ascii_case(&key)) {
                    Some(at) if operator.is_empty() => pairs[at].1 = value,
                    Some(at) => pairs[at].1 = self.operate(operator, pairs[at].1.clone(), value),
                    None if pairs.len() < MAX_EXPANSION => pairs.push((key, value)),
                    None => return st.set(&name, Val::Unknown),
                }
                Val::Hash(Rc::new(pairs))
            }
            (Some(Val::List(items)), Some(key)) => {
                let mut items = Rc::unwrap_or_clone(items);
                self.charge(1 + items.len() / 8);
                match key.parse::<usize>().ok().filter(|&i| i < items.len()) {
                    Some(i) => items[i] = value,
                    None => items.push(value),
                }
                Val::list(items)
            }
            (Some(Val::Object(path)), _) => Val::Object(path),
            (Some(Val::Item(path)), _) => Val::Item(path),
            (Some(_), _) => Val::Unknown,
            (None, _) => return,
        };
        st.set(&name, new);
    }

    /// `$x++`.
    pub(super) fn step(&mut self, st: &mut State, of: &Expr, by: i8) -> Val {
        let old = self.expr(st, of);
        let new = match old.number() {
            Some(n) => Val::Int(n.saturating_add(i64::from(by))),
            None => Val::Str(Value::name()),
        };
        self.assign(st, of, "", new.clone());
        new
    }
}

/// A variable's name without its scope.
pub(super) fn plain_name(name: &str) -> &str {
    let scopes = ["global:", "script:", "local:", "private:", "using:", "variable:"];
    scopes.iter().find_map(|scope| name.strip_prefix(scope)).unwrap_or(name)
}
