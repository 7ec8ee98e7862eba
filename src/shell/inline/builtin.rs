//! Values that a language itself provides: arguments, environment, folders, attributes of paths.

use std::rc::Rc;

use super::interp::{Args, Interp};
use super::val::{Val, base, concat, parent, split_suffix};
use crate::shell::programs::Language;
use crate::shell::{Piece, Value};

/// A module's name as the tables spell it.
pub(super) fn js_module(name: &str) -> String {
    let name = name.strip_prefix("node:").unwrap_or(name);
    match name {
        "fs-extra" | "graceful-fs" | "fs/promises" | "mz/fs" => "fs".to_owned(),
        "path/posix" | "path/win32" => "path".to_owned(),
        "cross-spawn" => "child_process.spawn".to_owned(),
        "execa" => "execa".to_owned(),
        name => name.replace('/', "."),
    }
}

impl Interp<'_> {
    /// A name that the language defines.
    pub(super) fn builtin_value(&mut self, name: &str) -> Option<Val> {
        match self.language {
            Language::Python => match name {
                "sys.argv" => Some(self.argv("-c")),
                "os.sep" | "os.path.sep" => Some(Val::text("/")),
                "os.curdir" => Some(Val::text(".")),
                "os.pardir" => Some(Val::text("..")),
                "os.devnull" => Some(Val::text("/dev/null")),
                "os.linesep" => Some(Val::text("\n")),
                "sys.executable" => Some(Val::text("python3")),
                "__file__" => Some(Val::one(Value::any())),
                "__name__" => Some(Val::text("__main__")),
                "string.ascii_lowercase"
                | "string.ascii_letters"
                | "string.digits"
                | "os.name"
                | "sys.platform"
                | "sys.version" => Some(Val::name()),
                _ => None,
            },
            Language::Node => match name {
                "process.argv" | "Bun.argv" => Some(self.argv("node")),
                "Deno.args" => Some(self.script_args()),
                "__dirname" | "import.meta.dirname" | "import.meta.dir" => Some(Val::text(".")),
                "__filename" => Some(Val::text("[eval]")),
                "path.sep" => Some(Val::text("/")),
                "os.EOL" => Some(Val::text("\n")),
                "os.devNull" => Some(Val::text("/dev/null")),
                "process.execPath" | "process.argv0" => Some(Val::text("node")),
                "process.pid" | "process.platform" | "process.version" => Some(Val::name()),
                "globalThis.process" => Some(Val::named("process")),
                _ => None,
            },
            Language::Perl => match name {
                "@ARGV" | "@_" => Some(self.script_args()),
                "$0" => Some(Val::text("-e")),
                "$$" | "$PID" => Some(Val::name()),
                "$FindBin::Bin" | "$RealBin" | "$Bin" => Some(self.here()),
                _ => None,
            },
            Language::Ruby => match name {
                "ARGV" => Some(self.script_args()),
                "__dir__" => Some(Val::text(".")),
                "__FILE__" | "$0" | "$PROGRAM_NAME" => Some(Val::text("-e")),
                "File.SEPARATOR" => Some(Val::text("/")),
                "$$" => Some(Val::name()),
                _ => None,
            },
            Language::Php => match name {
                "$argv" => Some(self.argv("Standard input code")),
                "__DIR__" => Some(self.here()),
                "__FILE__" => Some(Val::text("Command line code")),
                "DIRECTORY_SEPARATOR" => Some(Val::text("/")),
                "PHP_BINARY" => Some(Val::text("php")),
                "PHP_EOL" => Some(Val::text("\n")),
                _ => None,
            },
            Language::Awk | Language::Sed => None,
        }
    }

    fn script_args(&self) -> Val {
        Val::list(self.args.iter().map(|a| Val::one(a.value.clone())).collect())
    }

    fn argv(&self, first: &str) -> Val {
        let lead = Val::text(first);
        Val::list(std::iter::once(lead).chain(self.args.iter().map(|a| Val::one(a.value.clone()))).collect())
    }

    /// The current folder.
    pub(super) fn here(&self) -> Val {
        Val::one(self.chdir.clone().unwrap_or_else(|| Value::text(self.cwd)))
    }

    /// `key` of the mapping or module `name`, where that is the environment.
    pub(super) fn environment(&mut self, name: &str, key: &str) -> Option<Val> {
        let is_env = match self.language {
            Language::Python => matches!(name, "os.environ" | "environ"),
            Language::Node => matches!(name, "process.env" | "Bun.env" | "env"),
            Language::Perl => matches!(name, "%ENV" | "$ENV"),
            Language::Ruby => name == "ENV",
            Language::Php => matches!(name, "$_ENV" | "$_SERVER"),
            Language::Awk | Language::Sed => name == "ENVIRON",
        };
        if !is_env || matches!(key, "get" | "setdefault" | "copy" | "items" | "fetch" | "pop" | "update") {
            return None;
        }
        Some(self.variable_of_environment(key))
    }

    /// An environment variable.
    pub(super) fn variable_of_environment(&self, key: &str) -> Val {
        match self.world.env(key) {
            Some(v) => Val::text(v),
            None if matches!(key, "HOME" | "USERPROFILE") => self.home(),
            None => Val::Null,
        }
    }

    /// The user's home folder.
    pub(super) fn home(&self) -> Val {
        self.world
            .env("HOME")
            .filter(|h| !h.is_empty())
            .or_else(|| self.world.home())
            .map_or(Val::one(Value::any()), Val::text)
    }

    /// The folder for temporary files.
    pub(super) fn temp_dir(&self) -> Value {
        let found = ["TMPDIR", "TEMP", "TMP"].into_iter().find_map(|n| self.world.env(n).filter(|v| !v.is_empty()));
        Value::text(found.unwrap_or_else(|| "/tmp".to_owned()))
    }

    /// The absolute form of a path.
    pub(super) fn absolute(&self, v: &Value) -> Value {
        if matches!(v.pieces.first(), Some(Piece::Under(_) | Piece::Any)) || v.prefix().starts_with('/') {
            return v.clone();
        }
        let here = self.chdir.clone().unwrap_or_else(|| Value::text(self.cwd));
        let mut rest = v.clone();
        while rest.prefix().starts_with("./") {
            rest = rest.skip(2);
        }
        if rest.known().as_deref() == Some(".") { here } else { super::val::join(&here, &rest) }
    }

    /// `~` and `~/…` with the home folder put in.
    pub(super) fn expand_user(&self, v: &Value) -> Value {
        let p = v.prefix();
        if p == "~" && v.pieces.len() == 1 || p.starts_with("~/") {
            let home = self.home().strings().into_iter().next().unwrap_or_default();
            return concat(&home, &v.skip(1));
        }
        v.clone()
    }

    /// Something at or below the folder `dir`, at any depth.
    pub(super) fn under(&self, dir: &Value) -> Value {
        let dir = self.absolute(dir);
        match dir.known() {
            Some(d) if self.world.model().is_absolute(&d) => Value::under(self.world.model().normalize(&d)),
            _ => {
                if let Some(Piece::Under(d)) = dir.pieces.first() {
                    Value::under(d.clone())
                } else {
                    let mut v = dir.clone();
                    v.push_str("/");
                    v.push(Piece::Any);
                    v
                }
            }
        }
    }

    /// Something in the folder `dir`.
    pub(super) fn entry_of(dir: &Value) -> Value {
        super::val::join(dir, &Value::name())
    }

    /// What a glob pattern may yield.
    pub(super) fn globbed(&self, pattern: &Value) -> Value {
        let p = pattern.prefix();
        let Some(star) = p.find(['*', '?', '[', '{']) else {
            return if pattern.known().is_some() { pattern.clone() } else { self.under(&parent(pattern)) };
        };
        let from = p[..star].rfind('/').map_or(0, |i| i + 1);
        let simple = pattern.known().is_some() && !p[from..].contains(['/', '{']) && !p[from..].contains("**");
        if simple {
            // `dir/*.txt`: what follows the last star is kept.
            let mut v = Value::text(&p[..star]);
            v.push(Piece::Name);
            let end = p.rfind(['*', '?', ']']).map_or(p.len(), |i| i + 1);
            v.push_str(&p[end..]);
            return v;
        }
        let dir = match from {
            0 => ".",
            1 => "/",
            i => &p[..i - 1],
        };
        self.under(&Value::text(dir))
    }

    /// An attribute of a path or string.
    pub(super) fn path_attribute(value: &Val, name: &str) -> Val {
        match name {
            "parent" | "dir" => value.map(parent),
            "name" | "base" => value.map(base),
            "stem" => value.map(|v| split_suffix(&base(v)).0),
            "suffix" => value.map(|v| split_suffix(v).1),
            "parents" => {
                let one = value.map(parent);
                let two = one.map(parent);
                let three = two.map(parent);
                Val::list(vec![one, two, three])
            }
            "path" | "href" | "pathname" => value.clone(),
            "hex" | "length" | "size" => Val::name(),
            _ => Val::Unknown,
        }
    }

    // --- templates ---

    /// `%s` and the like filled in (Python's `%`, `sprintf`, `format`).
    pub(super) fn percent(&mut self, template: &Val, args: &Args) -> Val {
        let Some(text) = template.known() else { return Val::one(Value::any()) };
        let mut out = Val::text("");
        let mut next = 0usize;
        let mut rest = text.as_str();
        while let Some(at) = rest.find('%') {
            out = out.combine(&Val::text(&rest[..at]), concat);
            rest = &rest[at + 1..];
            if !self.spend(1 + out.weight()) {
                return Val::one(Value::any());
            }
            if let Some(r) = rest.strip_prefix('%') {
                out = out.combine(&Val::text("%"), concat);
                rest = r;
                continue;
            }
            let mut given = None;
            if let Some((name, r)) = rest.strip_prefix('(').and_then(|r| r.split_once(')')) {
                given = Some(args.named(name).cloned().unwrap_or(Val::Unknown));
                rest = r;
            }
            let flags = rest
                .bytes()
                .take_while(|b| matches!(b, b'0'..=b'9' | b'-' | b'+' | b' ' | b'#' | b'.' | b'$' | b'l'))
                .count();
            let padded = flags > 0;
            rest = &rest[flags..];
            let Some(kind) = rest.chars().next() else { break };
            rest = &rest[kind.len_utf8()..];
            let value = given.unwrap_or_else(|| {
                next += 1;
                args.pos.get(next - 1).cloned().unwrap_or(Val::Unknown)
            });
            let value = match kind {
                's' | 'r' | 'v' => value,
                'd' | 'i' | 'u' if !padded && matches!(value, Val::Int(_) | Val::Str(_)) => value,
                _ => Val::name(),
            };
            out = out.combine(&value, concat);
        }
        out.combine(&Val::text(rest), concat)
    }

    /// Python's `str.format`.
    pub(super) fn braces_format(&mut self, template: &Val, args: &Args) -> Val {
        let Some(text) = template.known() else { return Val::one(Value::any()) };
        let mut out = Val::text("");
        let mut next = 0usize;
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            out = out.combine(&Val::text(&rest[..at]), concat);
            if !self.spend(1 + out.weight()) {
                return Val::one(Value::any());
            }
            let double = rest.as_bytes().get(at + 1) == rest.as_bytes().get(at);
            if double || rest.as_bytes()[at] == b'}' {
                out = out.combine(&Val::text(&rest[at..=at]), concat);
                rest = &rest[at + if double { 2 } else { 1 }..];
                continue;
            }
            let Some(end) = rest[at..].find('}') else { break };
            let field = &rest[at + 1..at + end];
            rest = &rest[at + end + 1..];
            let (name, spec) = field.split_once(':').unwrap_or((field, ""));
            let name = name.split(['!', '.', '[']).next().unwrap_or("");
            let plain = name.len() == field.len();
            let value = if name.is_empty() {
                next += 1;
                args.pos.get(next - 1).cloned()
            } else if let Ok(n) = name.parse::<usize>() {
                args.pos.get(n).cloned()
            } else {
                args.named(name).cloned()
            };
            let value = match value {
                Some(v) if plain => v,
                _ if spec.ends_with('d') || spec.ends_with('f') => Val::name(),
                _ => Val::Unknown,
            };
            out = out.combine(&value, concat);
        }
        out.combine(&Val::text(rest), concat)
    }

    /// The elements of `list` joined by `separator`.
    pub(super) fn joined(&mut self, separator: &Val, list: &Val) -> Val {
        if let Val::Lists(lists) = list {
            let all: Vec<Val> = lists.iter().map(|one| self.joined(separator, one)).collect();
            return all.into_iter().reduce(Val::union).unwrap_or(Val::Unknown);
        }
        let Val::List(items) = list else {
            let each = list.element();
            return if matches!(&each, Val::Str(s) if s.iter().all(super::val::no_separator))
                && !matches!(separator.known().as_deref(), Some("/"))
            {
                Val::name()
            } else {
                Val::one(Value::any())
            };
        };
        let mut out = Val::text("");
        for (n, item) in items.iter().enumerate() {
            if n > 0 {
                out = out.combine(separator, concat);
            }
            out = out.combine(item, concat);
            let weight = out.weight() + item.weight();
            if !self.spend(weight) {
                break;
            }
        }
        out
    }

    /// The known string cut at `separator`.
    pub(super) fn split(value: &Val, separator: Option<&str>) -> Val {
        let Some(text) = value.known() else {
            return Val::each(if matches!(value, Val::Str(s) if s.iter().all(super::val::no_separator)) {
                Val::name()
            } else {
                Val::Unknown
            });
        };
        if text.len() > 4096 {
            return Val::each(Val::Unknown);
        }
        let parts: Vec<Val> = match separator {
            None => text.split_whitespace().map(Val::text).collect(),
            Some("") => return Val::each(Val::name()),
            Some(s) => text.split(s).map(Val::text).collect(),
        };
        Val::List(Rc::new(parts))
    }
}
