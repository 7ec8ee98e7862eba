//! Calls: which row of the tables they are, and the acts that follow.

use super::interp::{Args, Interp};
use super::rows::ops;
use super::val::{Val, concat, join};
use crate::limits::MAX_REENTRY;
use crate::shell::programs::Language;
use crate::shell::{EffectKind, Value};

/// Begins the name of what `open` returns; the path follows.
pub(super) const FILE: &str = "\u{1}file ";

/// Items of one list in a call that are looked at in search of open files.
const MAX_HANDED: usize = 64;

/// What an op is about.
struct Op<'t> {
    verb: char,
    only_strings: bool,
    first: char,
    second: Option<char>,
    name: Option<&'t str>,
}

impl<'t> Op<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let (text, name) = text.split_once(':').map_or((text, None), |(t, n)| (t, Some(n)));
        let only_strings = text.starts_with('?');
        let mut chars = text.trim_start_matches('?').chars();
        let verb = chars.next()?;
        let first = chars.next()?;
        let second = if chars.next() == Some(',') { chars.next() } else { None };
        Some(Self { verb, only_strings, first, second, name })
    }
}

impl Interp<'_> {
    /// Calls `value`.
    pub(super) fn call(&mut self, value: &Val, args: &Args) -> Val {
        match value {
            Val::Func(id) => self.invoke(*id, args),
            Val::Name(n) => {
                let n = n.clone();
                self.hand_on(args);
                if n.starts_with(FILE) {
                    // `w = f.write; w("x")`
                    self.lose_text(&n);
                    return self.call_back(args, None);
                }
                self.call_name(&n, args)
            }
            _ => {
                self.hand_on(args);
                self.call_back(args, None)
            }
        }
    }

    /// Whoever is given an open file may write to it.
    fn hand_on(&mut self, args: &Args) {
        if self.language != Language::Python {
            return;
        }
        let mut given = Vec::new();
        for value in args.pos.iter().chain(args.kw.iter().map(|(_, value)| value)) {
            let inner = if let Val::List(items) = value { items.as_slice() } else { std::slice::from_ref(value) };
            given.extend(inner.iter().take(MAX_HANDED).filter_map(|value| match value {
                Val::Name(n) if n.starts_with(FILE) && !n.ends_with(".name") => Some(n.clone()),
                _ => None,
            }));
        }
        for handle in given {
            self.lose_text(&handle);
        }
    }

    /// What the file of this handle, or of an attribute of one (`f.buffer`), holds is not known any more.
    pub(super) fn lose_text(&mut self, handle: &str) {
        let mut name = handle;
        while self.var(name).is_none()
            && let Some((object, _)) = name.rsplit_once('.')
        {
            name = object;
        }
        let Some(path) = name.strip_prefix(FILE) else { return };
        self.holds(&Val::text(path), None, false);
        self.set(name, Val::Int(1));
    }

    fn call_name(&mut self, name: &str, args: &Args) -> Val {
        if let Some(v) = self.special(name, args) {
            return v;
        }
        let original = name;
        let name = canonical(self.language, name);
        if let Some(ops) = ops(self.language, &name) {
            return self.apply(ops, args, None);
        }
        if !name.contains('.') {
            for at in 0..self.stars.len().min(8) {
                let full = format!("{}.{name}", self.stars[at]);
                if let Some(ops) = ops(self.language, &full) {
                    return self.apply(ops, args, None);
                }
            }
        }
        if let Some((prefix, last)) = name.rsplit_once('.') {
            // `Path.write_text(p, "x")`: the method with its object as an argument.
            if matches!(prefix, "pathlib.Path" | "Path")
                && let Some((object, rest)) = args.pos.split_first()
            {
                let rest = Args { pos: rest.to_vec(), kw: args.kw.clone() };
                return self.method_row(&object.clone(), last, &rest);
            }
            let receiver = Val::named(prefix);
            return self.method_row(&receiver, last, args);
        }
        self.construct(original, args);
        self.call_back(args, None)
    }

    /// A class of the script: its constructor runs.
    fn construct(&mut self, name: &str, args: &Args) {
        if !name.starts_with(|c: char| c.is_uppercase()) {
            return;
        }
        let found = self
            .funcs
            .iter()
            .position(|f| matches!(f.name.as_ref(), "__init__" | "constructor" | "initialize" | "__construct"));
        if let Some(id) = found {
            self.invoke(id, args);
        }
    }

    /// Calls `value.name(…)`; `full` is the dotted name where one is known.
    pub(super) fn method(&mut self, value: &Val, name: &str, full: Option<&str>, args: &Args) -> Val {
        if self.dotted
            && let Some(f) = full
            && let Some(Val::Func(id)) = self.var(f)
        {
            let id = *id;
            return self.invoke(id, args);
        }
        if let Some(Val::Func(id)) = value.get(name) {
            return self.invoke(*id, args);
        }
        if let Val::Name(n) = value
            && let Some(path) = n.strip_prefix(FILE)
        {
            let (n, path) = (n.clone(), Val::text(path));
            if self.var(&n).is_none() {
                self.lose_text(&n);
            } else if matches!(name, "write" | "writelines") {
                // The first text takes the place of what was there.
                let append = !matches!(self.var(&n), Some(Val::Null));
                self.holds(&path, args.pos.first(), append);
                self.set(&n, Val::Int(1));
            } else if !matches!(name, "close" | "flush") {
                self.lose_text(&n);
            }
            self.hand_on(args);
            return self.call_back(args, None);
        }
        self.hand_on(args);
        if let Val::Name(n) = value {
            let dotted = format!("{n}.{name}");
            if let Some(v) = self.special(&dotted, args) {
                return v;
            }
            let known = canonical(self.language, &dotted);
            if let Some(ops) = ops(self.language, &known) {
                return self.apply(ops, args, None);
            }
        }
        if matches!(value, Val::Func(_)) && matches!(name, "call" | "apply" | "bind") {
            let rest = Args { pos: args.pos.get(1..).unwrap_or(&[]).to_vec(), kw: Vec::new() };
            return self.call(value, &rest);
        }
        if let Some(v) = self.value_method(value, name, full, args) {
            return v;
        }
        let own = self.funcs.iter().position(|f| f.name.as_ref() == name);
        if let Some(id) = own.filter(|_| !value.is_string()) {
            return self.invoke(id, args);
        }
        self.method_row(value, name, args)
    }

    fn method_row(&mut self, receiver: &Val, name: &str, args: &Args) -> Val {
        let row = match self.language {
            Language::Node => format!(".{}", name.trim_end_matches("Sync")),
            Language::Php => format!(".{}", name.to_ascii_lowercase()),
            _ => format!(".{name}"),
        };
        if let Some(ops) = ops(self.language, &row) {
            self.apply(ops, args, Some(receiver))
        } else {
            let element = match receiver {
                Val::List(_) | Val::Lists(_) | Val::Each(_) | Val::Map(_) => Some(receiver.element()),
                _ if name == "map" || name == "starmap" => args.pos.get(1).map(Val::element),
                _ => None,
            };
            let result = self.call_back(args, element.as_ref());
            match (receiver, self.language) {
                (Val::List(_) | Val::Lists(_) | Val::Each(_), Language::Ruby) => receiver.clone(),
                (Val::List(_) | Val::Lists(_) | Val::Each(_), _)
                    if name.starts_with("map") || name.starts_with("flatMap") =>
                {
                    Val::each(result)
                }
                _ => Val::Unknown,
            }
        }
    }

    fn apply(&mut self, ops: &str, args: &Args, receiver: Option<&Val>) -> Val {
        let mut result = Val::Unknown;
        let mut called_back = false;
        for text in ops.split_ascii_whitespace() {
            if text == "if@" {
                if !receiver.is_some_and(Val::is_string) {
                    return self.call_back(args, None);
                }
                continue;
            }
            if let Some(name) = text.strip_prefix('=') {
                result = self.result(name, args, receiver);
                called_back |= matches!(name, "map");
                continue;
            }
            if let Some(op) = Op::parse(text) {
                self.op(&op, args, receiver);
            }
        }
        if !called_back {
            self.call_back(args, None);
        }
        result
    }

    fn pick(which: char, name: Option<&str>, args: &Args, receiver: Option<&Val>) -> Option<Val> {
        match which {
            '@' => match receiver {
                Some(v @ Val::Str(_)) => Some(v.clone()),
                // `remote.mkdir("x")` is about something else.
                Some(_) if args.pos.iter().any(Val::is_string) => None,
                Some(_) => Some(Val::Unknown),
                None => None,
            },
            '^' => receiver.map(|v| if v.is_string() { v.clone() } else { Val::Unknown }),
            '*' => Some(Val::list(args.pos.clone())),
            digit => {
                let n = digit.to_digit(10)? as usize;
                let by_name = || name.and_then(|names| names.split('|').find_map(|n| args.named(n).cloned()));
                args.pos.get(n).cloned().or_else(by_name)
            }
        }
    }

    fn op(&mut self, op: &Op<'_>, args: &Args, receiver: Option<&Val>) {
        let first = Self::pick(op.first, op.name, args, receiver);
        let second = op.second.and_then(|s| Self::pick(s, None, args, receiver));
        let first = first.map(|v| Self::from_descriptor(v, op.first, args));
        if op.only_strings && !first.as_ref().is_some_and(Val::is_string) {
            return;
        }
        match (op.verb, first) {
            ('I', first) => {
                let folder = first.unwrap_or_else(|| Val::text("."));
                self.inside(&folder);
            }
            ('T', by_place) => {
                let named = args.named("dir").or_else(|| args.named("DIR")).cloned();
                let set = || self.var("tempfile.tempdir").filter(|v| v.is_string()).cloned();
                if let Some(dir) = named.or(by_place.filter(|_| op.first != '0')).or_else(set) {
                    self.inside(&dir);
                }
            }
            ('c', Some(v)) => self.effect(EffectKind::Create, &v),
            ('m', Some(v)) => self.effect(EffectKind::Modify, &v),
            ('d', Some(v)) => self.effect(EffectKind::Delete, &v),
            ('r', Some(v)) => self.effect(EffectKind::Read, &v),
            ('i', Some(v)) => self.inside(&v),
            // Ruby's `open("|command")`.
            ('o', Some(v)) if self.is_language(Language::Ruby) && v.known().is_some_and(|v| v.starts_with('|')) => {
                self.shell(&v.map(|v| v.skip(1)), args);
            }
            // Perl's `IO::File->new("> x")` and `->new("x", ">")`.
            ('o', Some(v)) if self.is_language(Language::Perl) && second.is_none() => {
                self.perl_open(&v, &Args::default());
            }
            ('o', Some(v)) if second.as_ref().and_then(Val::known).is_some_and(|m| m.contains('>')) => {
                self.effect(EffectKind::Create, &v);
            }
            ('o', Some(v)) => {
                let mode = second
                    .or_else(|| args.named("mode").cloned())
                    .or_else(|| args.named("flags").cloned())
                    .or_else(|| args.named("flag").cloned());
                self.open(&v, mode.as_ref());
            }
            ('p', Some(v)) => self.copy(&v, second.or_else(|| args.named("dst").cloned()), EffectKind::Read),
            ('v', Some(v)) => self.copy(&v, second.or_else(|| args.named("dst").cloned()), EffectKind::Delete),
            ('l', Some(v)) => {
                if let Some(dest) = second {
                    self.into(&v, &dest);
                }
            }
            ('t', Some(v)) => {
                let v = v.combine(&Val::name(), concat);
                self.effect(EffectKind::Create, &v);
            }
            ('b', Some(v)) => {
                self.effect(EffectKind::Read, &v);
                if let Some(suffix) = args.named("backup").cloned() {
                    let kept = v.combine(&suffix, concat);
                    self.effect(EffectKind::Create, &kept);
                }
            }
            ('a', Some(v)) => self.archive(&v, second.as_ref()),
            ('k', Some(v)) => self.change_folder(&v),
            ('e', Some(v)) => self.evaluate(&v),
            ('s', Some(v)) => self.shell(&v, args),
            ('S', Some(_)) => self.system(args),
            ('x', Some(v)) => self.run(&v, args),
            ('w', Some(v)) => self.holds(&v, second.as_ref(), false),
            ('A', Some(v)) => {
                let behind = op.first.to_digit(10).map_or(0, |n| n as usize + 2);
                let list = args.pos.get(behind..).unwrap_or_default().to_vec();
                self.spawn(&v, Some(Val::list(list)), false, args);
            }
            ('u', Some(v)) if self.is_language(Language::Ruby) && v.is_string() => self.shell(&v, args),
            ('X' | 'V', Some(v)) => self.spawn(&v, second, op.verb == 'V', args),
            ('u', Some(v)) => self.subprocess(&v, args),
            ('P', Some(v)) => self.perl_open(&v, args),
            _ => {}
        }
    }

    /// Python's `dir_fd=`: a relative path starts at the folder that was opened.
    fn from_descriptor(path: Val, place: char, args: &Args) -> Val {
        let own = if place == '1' { "dst_dir_fd" } else { "src_dir_fd" };
        match args.named("dir_fd").or_else(|| args.named(own)) {
            Some(folder) if folder.is_string() => folder.combine(&path, join),
            Some(Val::Unknown | Val::Name(_)) => Val::one(Value::any()).combine(&path, join),
            _ => path,
        }
    }

    // --- effects on paths ---

    fn evaluate(&mut self, text: &Val) {
        let Some(text) = text.known() else { return };
        if self.reentry >= MAX_REENTRY / 4 || !self.spend(text.len() / 4) {
            self.cut = true;
            return;
        }
        let acts = super::acts::acts_within(
            self.language,
            &text,
            self.args,
            self.cwd,
            self.world,
            self.span,
            self.reentry + 1,
        );
        for act in acts {
            self.act(act);
        }
    }

    // --- programs ---
}

/// A call's name as the tables spell it.
pub(super) fn canonical(language: Language, name: &str) -> String {
    match language {
        Language::Node => {
            let mut out = name.replace(".promises.", ".").replace(".default.", ".");
            for prefix in ["globalThis.", "global."] {
                if let Some(rest) = out.strip_prefix(prefix) {
                    out = rest.to_owned();
                }
            }
            if out.len() > 4 && out.ends_with("Sync") {
                out.truncate(out.len() - 4);
            }
            out
        }
        Language::Perl => {
            let last = name.rsplit("::").next().unwrap_or(name);
            last.trim_start_matches('&').to_owned()
        }
        Language::Ruby => name.strip_prefix("Kernel.").unwrap_or(name).to_owned(),
        Language::Php => name.to_ascii_lowercase(),
        _ => name.strip_prefix("builtins.").unwrap_or(name).to_owned(),
    }
}
