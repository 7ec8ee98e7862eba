//! What calls return: the `=NAME` ops of the rows, and methods of strings, lists and paths.

use std::rc::Rc;

use super::calls::canonical;
use super::interp::{Args, Interp, item};
use super::val::{Val, base, concat, join, join_below, no_separator, parent, split_suffix};
use crate::shell::programs::Language;
use crate::shell::{Piece, Value};

impl Interp<'_> {
    /// The value of the op `=name`.
    pub(super) fn result(&mut self, name: &str, args: &Args, receiver: Option<&Val>) -> Val {
        let first = args.pos.first().cloned().unwrap_or(Val::Null);
        match name {
            "0" => first,
            "1" => args.pos.get(1).cloned().unwrap_or(Val::Unknown),
            "@" => receiver.cloned().unwrap_or(Val::Unknown),
            "file" => {
                let path = args.pos.first().or_else(|| args.named("file")).or_else(|| args.named("filename")).cloned();
                let mode = args.pos.get(1).or_else(|| args.named("mode")).cloned();
                self.opened(&path.unwrap_or(Val::Null), mode.as_ref())
            }
            "join" => self.join_all(&args.pos, join),
            "below" => {
                let joined = self.join_all(&args.pos, join_below);
                // `File.join("", "opt")` is absolute where Node's `path.join("", "opt")` is not.
                let rooted =
                    self.language != Language::Node && args.pos.len() > 1 && first.known().as_deref() == Some("");
                if rooted { joined.map(|v| join_below(&Value::text("/"), v)) } else { joined }
            }
            "resolve" => self.join_all(&args.pos, join).map(|v| self.absolute(v)),
            "expand" => {
                let at = args.pos.get(1).map(|b| b.combine(&first, join)).unwrap_or(first);
                at.map(|v| self.absolute(&self.expand_user(v)))
            }
            "dir" => first.map(parent),
            "base" => match args.pos.get(1).and_then(Val::known) {
                Some(suffix) => first.map(|v| strip_end(&base(v), &suffix)),
                None => first.map(base),
            },
            "abs" => first.map(|v| self.absolute(v)),
            "user" => first.map(|v| self.expand_user(v)),
            "vars" => self.expand_variables(&first),
            "ext" => {
                let stems = first.map(|v| split_suffix(v).0);
                let suffixes = first.map(|v| split_suffix(v).1);
                Val::list(vec![stems, suffixes])
            }
            "suffix" => first.map(|v| split_suffix(v).1),
            "home" => self.home(),
            "cwd" => self.here(),
            "tmpdir" => Val::one(self.temp_dir()),
            "tmp" => self.temp_path(args, 2),
            "tmpfile" => Val::list(vec![Val::Unknown, self.temp_path(args, 2)]),
            "tmpname" => {
                let path = self.temp_path(args, 6);
                Val::Map(Rc::new(vec![(Rc::from("name"), path.clone()), (Rc::from("path"), path)]))
            }
            "made" => first.combine(&Val::name(), concat),
            "env" => self.env_call(&first, args.pos.get(1)),
            "name" => Val::name(),
            "any" => Val::one(Value::any()),
            "paths" => Val::each(if first.is_string() { first.map(Self::entry_of) } else { Val::one(Value::any()) }),
            "names" => Val::each(Val::name()),
            "walk" => {
                let roots = first.map(|v| self.under(v));
                Val::each(Val::list(vec![roots, Val::each(Val::name()), Val::each(Val::name())]))
            }
            "glob" => {
                Val::each(if first.is_string() { first.map(|v| self.globbed(v)) } else { Val::one(Value::any()) })
            }
            "under" => Val::each(receiver.map_or(Val::Unknown, |r| r.map(|v| self.under(v)))),
            "entries" => Val::each(receiver.map_or(Val::Unknown, |r| r.map(Self::entry_of))),
            "fmt" => {
                let rest = Args { pos: args.pos.get(1..).unwrap_or(&[]).to_vec(), kw: args.kw.clone() };
                self.percent(&first, &rest)
            }
            "split" => Self::split(&first, None),
            "explode" => Self::split(args.pos.get(1).unwrap_or(&Val::Unknown), first.known().as_deref()),
            "implode" => {
                let list = args.pos.get(1).cloned().unwrap_or(Val::Unknown);
                self.joined(&first, &list)
            }
            "perljoin" => {
                let list = Val::list(args.pos.get(1..).unwrap_or(&[]).to_vec());
                self.joined(&first, &list)
            }
            "enum" => Val::each(Val::list(vec![Val::name(), first.element()])),
            "rel" => match &first {
                Val::Str(s) if s.iter().all(|v| matches!(v.pieces.first(), Some(Piece::Under(_)))) => Val::name(),
                _ => Val::one(Value::any()),
            },
            "zip" => Val::each(Val::list(args.pos.iter().map(Val::element).collect())),
            "range" => match args.pos.as_slice() {
                [Val::Int(n)] => Self::range(&Val::Int(0), &Val::Int(n.wrapping_sub(1))),
                [a, Val::Int(n), ..] => Self::range(a, &Val::Int(n.wrapping_sub(1))),
                _ => Val::each(Val::name()),
            },
            "map" => {
                let element = args.pos.get(1).map(Val::element);
                // PHP names functions by strings.
                if let (Some(Val::Str(_)), Some(e), Language::Php) = (args.pos.first(), &element, self.language) {
                    let given = Args { pos: vec![e.clone()], kw: Vec::new() };
                    return Val::each(self.call(&Val::named(&first.known().unwrap_or_default()), &given));
                }
                Val::each(self.call_back(args, element.as_ref()))
            }
            // What the call returns goes by this name in the rows.
            _ if name.starts_with(':') => Val::named(&name[1..]),
            "dict" => Val::Map(Rc::new(args.kw.clone())),
            "module" => first.known().map_or(Val::Unknown, |m| Val::named(&super::builtin::js_module(&m))),
            "keys" => first.element(),
            "pairs" => Self::pairs(&first),
            "replace" => match (args.pos.first().and_then(Val::known), args.pos.get(1), args.pos.get(2)) {
                (Some(what), Some(with), Some(subject)) => Self::replace(subject, &what, with),
                _ => Val::one(Value::any()),
            },
            _ => Val::Unknown,
        }
    }

    fn join_all(&mut self, parts: &[Val], how: fn(&Value, &Value) -> Value) -> Val {
        let mut out = Val::text("");
        for part in parts {
            let parts = match part {
                Val::List(items) => items.as_ref().clone(),
                Val::Each(_) | Val::Lists(_) => vec![Val::one(Value::any())],
                v => vec![v.clone()],
            };
            for part in &parts {
                out = out.combine(part, how);
                let weight = out.weight() + part.weight();
                if !self.spend(weight) {
                    break;
                }
            }
        }
        if out.known().as_deref() == Some("") { Val::text(".") } else { out }
    }

    /// A new name; the folder stands at `place` in Python's calls.
    fn temp_path(&self, args: &Args, place: usize) -> Val {
        let by_place = args.pos.get(place).filter(|_| self.language == Language::Python);
        let given = args.named("dir").or(by_place).or_else(|| self.var("tempfile.tempdir"));
        let dir = given.filter(|v| v.is_string()).cloned().unwrap_or_else(|| Val::one(self.temp_dir()));
        dir.map(Self::entry_of)
    }

    fn env_call(&self, key: &Val, default: Option<&Val>) -> Val {
        let Some(key) = key.known() else { return Val::one(Value::any()) };
        match self.variable_of_environment(&key) {
            Val::Null => default.cloned().unwrap_or(Val::Null),
            v => v,
        }
    }

    fn expand_variables(&self, value: &Val) -> Val {
        let Some(text) = value.known() else { return value.clone() };
        let mut out = Value::default();
        let mut rest = text.as_str();
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let (name, after) = match rest.strip_prefix('{').and_then(|r| r.split_once('}')) {
                Some((name, after)) => (name, after),
                None => rest.split_at(rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()),
            };
            match self.variable_of_environment(name) {
                Val::Null => {
                    out.push_str("$");
                    continue;
                }
                v => out.append(v.strings().into_iter().next().unwrap_or_default()),
            }
            rest = after;
        }
        out.push_str(rest);
        Val::one(out)
    }

    fn pairs(value: &Val) -> Val {
        match value {
            Val::Map(pairs) => {
                Val::list(pairs.iter().map(|(k, v)| Val::list(vec![Val::text(k.as_ref()), v.clone()])).collect())
            }
            _ => Val::each(Val::Unknown),
        }
    }

    fn replace(subject: &Val, what: &str, with: &Val) -> Val {
        let with = with.known();
        subject.map(|v| {
            let mut out = Value::default();
            for piece in &v.pieces {
                match (piece, &with) {
                    (Piece::Text(s), Some(with)) if !what.is_empty() && s.len() < 4096 && with.len() < 256 => {
                        out.push_str(&s.replace(what, with));
                    }
                    (Piece::Text(s), _) if what.is_empty() || !s.contains(what) => out.push_str(s),
                    // A text that is put for another may lead elsewhere.
                    (Piece::Name, Some(w)) if !w.contains(['/', '\\']) => out.push(Piece::Name),
                    (Piece::Under(d), Some(w)) if !w.contains(['/', '\\']) => out.push(Piece::Under(d.clone())),
                    _ => out.push(Piece::Any),
                }
            }
            out
        })
    }

    /// Methods of values of the language itself.
    pub(super) fn value_method(&mut self, value: &Val, name: &str, full: Option<&str>, args: &Args) -> Option<Val> {
        match value {
            Val::Int(_) => match name {
                "times" | "step" | "downto" => Some(Val::each(Val::name())),
                "upto" => Some(Self::range(value, args.pos.first().unwrap_or(&Val::Unknown))),
                _ => None,
            },
            Val::Str(_) => self.string_method(value, name, args),
            Val::List(_) | Val::Lists(_) | Val::Each(_) => self.list_method(value, name, full, args),
            Val::Map(_) => match name {
                "items" | "entries" | "each" | "each_pair" => Some(Self::pairs(value)),
                "keys" => Some(Val::each(value.element())),
                "values" => Some(match Self::pairs(value) {
                    Val::List(p) => Val::list(p.iter().map(|p| item(p, 1)).collect()),
                    v => v,
                }),
                "get" | "fetch" => {
                    let key = args.pos.first().and_then(Val::known)?;
                    Some(value.get(&key).cloned().or_else(|| args.pos.get(1).cloned()).unwrap_or(Val::Unknown))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn list_method(&mut self, value: &Val, name: &str, full: Option<&str>, args: &Args) -> Option<Val> {
        match name {
            "append" | "push" | "add" | "extend" | "unshift" | "insert" => {
                let place = full.and_then(|f| f.rsplit_once('.')).map(|(p, _)| p.to_owned())?;
                let added = args.pos.last().cloned().unwrap_or(Val::Null);
                let new = match value {
                    Val::List(items) if self.loops == 0 && name != "extend" && items.len() < 256 => {
                        let mut items = items.as_ref().clone();
                        items.push(added);
                        Val::list(items)
                    }
                    _ => {
                        let added = if name == "extend" { added.element() } else { added };
                        Val::each(value.element().union(added))
                    }
                };
                self.set(&place, new);
                Some(Val::Unknown)
            }
            "join" => {
                let separator = args
                    .pos
                    .first()
                    .cloned()
                    .unwrap_or_else(|| Val::text(if self.is_language(Language::Node) { "," } else { "" }));
                Some(self.joined(&separator, value))
            }
            "concat" => Some(Val::each(value.element().union(args.pos.first().map_or(Val::Null, Val::element)))),
            "slice" | "sort" | "reverse" | "filter" | "copy" | "flat" | "to_a" | "uniq" | "sorted" | "compact"
            | "select" | "reject" | "values" | "freeze" => {
                self.call_back(args, Some(&value.element()));
                Some(match value {
                    Val::List(_) if matches!(name, "sort" | "reverse" | "copy" | "to_a" | "freeze" | "values") => {
                        value.clone()
                    }
                    _ => Val::each(value.element()),
                })
            }
            "pop" | "shift" | "at" | "first" | "last" | "find" | "sample" => Some(value.element()),
            "each_with_index" => Some(Val::each(Val::list(vec![value.element(), Val::name()]))),
            "entries" => Some(Val::each(Val::list(vec![Val::name(), value.element()]))),
            _ => None,
        }
    }

    fn string_method(&mut self, value: &Val, name: &str, args: &Args) -> Option<Val> {
        let first = args.pos.first();
        let weight = value.weight();
        if !self.spend(weight) {
            return None;
        }
        Some(match name {
            "replace" | "replaceAll" | "gsub" | "sub" if args.pos.len() == 2 => match first.and_then(Val::known) {
                Some(what) => Self::replace(value, &what, &args.pos[1]),
                // By a pattern: some of the name changes.
                None if args.pos[1].known().is_some_and(|w| !w.contains(['/', '\\'])) => {
                    value.map(|v| Self::entry_of(&parent(v)))
                }
                None => Val::one(Value::any()),
            },
            "strip" | "trim" | "rstrip" | "lstrip" | "trimEnd" | "trimStart" | "chomp" => {
                value.map(|v| match v.known() {
                    Some(s) if first.is_none() => Value::text(s.trim()),
                    _ => v.clone(),
                })
            }
            "lower" | "upper" | "toLowerCase" | "toUpperCase" | "downcase" | "upcase" | "title" | "capitalize" => {
                let upper = matches!(name, "upper" | "toUpperCase" | "upcase");
                value.map(|v| {
                    let mut out = Value::default();
                    for p in &v.pieces {
                        match p {
                            Piece::Text(s) if matches!(name, "title" | "capitalize") => {
                                out.push(if s.contains('/') { Piece::Any } else { Piece::Name });
                            }
                            Piece::Text(s) => out.push_str(&if upper { s.to_uppercase() } else { s.to_lowercase() }),
                            p => out.push(p.clone()),
                        }
                    }
                    out
                })
            }
            "format" if self.is_language(Language::Python) => self.braces_format(value, args),
            "join" if self.is_language(Language::Python) => {
                let list = first.cloned().unwrap_or(Val::Unknown);
                self.joined(value, &list)
            }
            "join" | "joinpath" | "concat_path" => {
                let all: Vec<Val> = std::iter::once(value.clone()).chain(args.pos.iter().cloned()).collect();
                self.join_all(&all, join)
            }
            "concat" => args.pos.iter().fold(value.clone(), |a, b| a.combine(b, concat)),
            "split" | "rsplit" => Self::split(value, first.and_then(Val::known).as_deref()),
            "splitlines" | "lines" | "each_line" => Self::split(value, Some("\n")),
            "with_suffix" | "sub_ext" => {
                let suffix = first.cloned().unwrap_or(Val::Unknown);
                let stems = value.map(|v| match v.pieces.last() {
                    Some(Piece::Text(_)) => split_suffix(v).0,
                    _ => v.clone(),
                });
                stems.combine(&suffix, concat)
            }
            "with_name" => value.map(parent).combine(first.unwrap_or(&Val::Unknown), join),
            "with_stem" => {
                let suffix = value.map(|v| split_suffix(v).1);
                value.map(parent).combine(&first.unwrap_or(&Val::Unknown).combine(&suffix, concat), join)
            }
            "resolve" | "absolute" | "expand_path" | "realpath" => value.map(|v| self.absolute(v)),
            "expanduser" => value.map(|v| self.expand_user(v)),
            "as_posix" | "__str__" | "toString" | "to_s" | "to_str" | "to_path" | "encode" | "decode" | "freeze"
            | "dup" | "valueOf" | "normalize" | "cleanpath" | "to_sym" | "__fspath__" | "String" => value.clone(),
            "parent" | "dirname" => value.map(parent),
            "basename" => value.map(base),
            "iterdir" | "children" | "each_child" => Val::each(value.map(Self::entry_of)),
            "glob" if first.is_some() && !self.is_language(Language::Php) => Val::each(value.map(|v| self.under(v))),
            "rglob" | "find" if self.is_language(Language::Python) && name == "rglob" => {
                Val::each(value.map(|v| self.under(v)))
            }
            "walk" => {
                Val::each(Val::list(vec![value.map(|v| self.under(v)), Val::each(Val::name()), Val::each(Val::name())]))
            }
            // It lies below whatever it is joined to.
            "relative_to" => Val::name(),
            "padStart" | "padEnd" | "zfill" | "rjust" | "ljust" | "slice" | "substring" | "substr" | "charAt"
            | "removesuffix" | "removeprefix" | "hex" | "hexdigest" | "isoformat" | "strftime" | "toISOString" => {
                if matches!(value, Val::Str(s) if s.iter().all(no_separator)) {
                    Val::name()
                } else {
                    Val::one(Value::any())
                }
            }
            "chars" | "bytes" | "each_char" => Val::each(Val::name()),
            "items" => Val::Unknown,
            _ => return None,
        })
    }

    /// Calls whose meaning is no row.
    pub(super) fn special(&mut self, name: &str, args: &Args) -> Option<Val> {
        match (self.language, name) {
            (Language::Perl, "shift" | "pop") => {
                let own = if self.var("@_").is_some() { "@_" } else { "@ARGV" };
                let list = match args.pos.first() {
                    Some(Val::List(items)) => return Some(items.first().cloned().unwrap_or(Val::Unknown)),
                    Some(v) => return Some(v.clone()),
                    None => self.name_value(own),
                };
                let (value, rest) = match &list {
                    Val::List(items) => (
                        items.first().cloned().unwrap_or(Val::Unknown),
                        Val::list(items.get(1..).unwrap_or(&[]).to_vec()),
                    ),
                    v => (v.element(), v.clone()),
                };
                self.set(own, rest);
                Some(value)
            }
            (_, "die" | "exit" | "abort" | "croak" | "confess" | "sys.exit" | "quit" | "process.exit" | "raise") => {
                Some(Val::Null)
            }
            (Language::Perl, "push" | "unshift") | (Language::Python, "setattr" | "print") => Some(Val::Unknown),
            (Language::Php, "define") => {
                let name = args.pos.first().and_then(Val::known)?;
                self.set(&name, args.pos.get(1).cloned().unwrap_or(Val::Unknown));
                Some(Val::Null)
            }
            (Language::Python, "getattr") => {
                let key = args.pos.get(1).and_then(Val::known)?;
                let value = args.pos.first()?.clone();
                Some(self.attribute(&value, &key))
            }
            (Language::Node, "require" | "import" | "process.getBuiltinModule") => {
                Some(self.result("module", args, None))
            }
            (Language::Ruby | Language::Php, "require" | "require_relative" | "include" | "load") => Some(Val::Null),
            (Language::Ruby, n) if !matches!(n, "File.new" | "Pathname.new" | "Tempfile.new") => {
                let class = canonical(Language::Ruby, n.strip_suffix(".new")?);
                let found = self.funcs.iter().position(|f| f.name.as_ref() == "initialize");
                if let Some(id) = found {
                    self.invoke(id, args);
                }
                Some(Val::named(&class))
            }
            _ => None,
        }
    }
}

/// The path without `suffix` at its end.
fn strip_end(v: &Value, suffix: &str) -> Value {
    let mut out = v.clone();
    if let Some(Piece::Text(s)) = out.pieces.last_mut()
        && s.len() > suffix.len()
        && s.ends_with(suffix)
    {
        s.truncate(s.len() - suffix.len());
    }
    out
}
