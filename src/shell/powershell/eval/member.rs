//! Properties of values and of types.

use super::super::ast::{Expr, ExprKind};
use super::machine::Eval;
use super::paths::{extension, leaf, stem};
use super::state::State;
use super::val::Val;
use crate::shell::Value;

impl Eval<'_> {
    /// `value.name`, `[Type]::name`.
    pub(super) fn member(&mut self, st: &mut State, of: &Expr, name: &Expr) -> Val {
        let value = self.expr(st, of);
        let Some(name) = self.expr(st, name).known().map(|n| n.to_lowercase()) else { return Val::Unknown };
        // `$using:x`, `$PSVersionTable.PSVersion` and the like are variables with members.
        if let (Val::Null, ExprKind::Variable(_)) = (&value, &of.kind) {
            return Val::Null;
        }
        match value {
            Val::Type(class) => self.static_member(st, &class, &name),
            value => self.property(&value, &name),
        }
    }

    fn static_member(&self, st: &State, class: &str, name: &str) -> Val {
        let class = class.strip_prefix("system.").unwrap_or(class);
        match (class, name) {
            ("environment", "currentdirectory") => Val::Str(st.process.clone()),
            ("environment", "newline") => Val::text(if self.windows() { "\r\n" } else { "\n" }),
            ("environment", "systemdirectory") => Val::text("C:\\Windows\\System32"),
            ("io.path", "directoryseparatorchar" | "altdirectoryseparatorchar") => {
                Val::text(self.model().separator().to_string())
            }
            ("io.path", "pathseparator") => Val::text(if self.windows() { ";" } else { ":" }),
            ("string", "empty") => Val::text(""),
            ("environment", "username" | "machinename" | "userdomainname" | "processid" | "tickcount")
            | ("datetime" | "datetimeoffset" | "guid" | "timespan" | "int" | "int32" | "int64" | "long" | "math", _) => {
                Val::Str(Value::name())
            }
            _ if class.starts_with("environment+specialfolder") || class.starts_with("io.file") => Val::text(name),
            // A member of an enumeration is its name.
            _ => Val::Unknown,
        }
    }

    /// A property of a value.
    pub(super) fn property(&mut self, value: &Val, name: &str) -> Val {
        self.charge(1);
        let model = self.model();
        match value {
            Val::Null => Val::Null,
            Val::Either(all) => Val::either(all.iter().map(|v| self.property(v, name)).collect()),
            Val::List(items) => match name {
                "count" | "length" | "longlength" => Val::Int(i64::try_from(items.len()).unwrap_or(i64::MAX)),
                _ => {
                    self.charge(items.len() / 8);
                    let all = items.iter().map(|v| self.property(v, name)).collect();
                    Val::list(all)
                }
            },
            Val::Item(path) => match name {
                "fullname" | "path" | "providerpath" | "pspath" => Val::Item(path.clone()),
                "name" | "pschildname" => Val::Str(leaf(model, path).unwrap_or_else(|| path.clone())),
                "basename" => Val::Str(stem(model, path)),
                "extension" => Val::Str(extension(model, path)),
                "directory" | "directoryname" | "parent" | "psparentpath" => Val::Item(self.parent_of(path)),
                "root" | "psdrive" | "drive" | "qualifier" => {
                    Val::text(&path.prefix()[..model.root_len(path.prefix())])
                }
                "target" | "linktarget" => Val::Str(Value::any()),
                "count" => Val::Int(1),
                "length" | "lastwritetime" | "creationtime" | "lastaccesstime" | "mode" | "lastwritetimeutc" => {
                    Val::Str(Value::name())
                }
                _ => Val::Unknown,
            },
            Val::Hash(pairs) => {
                if let Some((_, found)) = pairs.iter().find(|(k, _)| k.eq_ignore_ascii_case(name)) {
                    return found.clone();
                }
                match name {
                    "keys" => Val::list(pairs.iter().map(|(k, _)| Val::text(k.as_str())).collect()),
                    "values" => Val::list(pairs.iter().map(|(_, v)| v.clone()).collect()),
                    "count" => Val::Int(i64::try_from(pairs.len()).unwrap_or(i64::MAX)),
                    _ => Val::Null,
                }
            }
            Val::Str(text) => match (name, text.known()) {
                ("length", Some(text)) => Val::Int(i64::try_from(text.chars().count()).unwrap_or(i64::MAX)),
                ("length", None) => Val::Str(Value::name()),
                ("count", _) => Val::Int(1),
                // What is only known in part may be any object.
                (_, Some(_)) => Val::Null,
                (_, None) => Val::Unknown,
            },
            Val::Object(path) => match name {
                "fullname" | "path" | "name" => Val::Str(path.clone()),
                _ => Val::Unknown,
            },
            Val::Int(_) | Val::Bool(_) | Val::Block(_) | Val::Type(_) | Val::Unknown => Val::Unknown,
        }
    }
}
