//! Calls: which row of the tables they are, and the acts that follow.

use super::interp::{Args, Interp};
use super::rows::ops;
use super::val::{Val, base, concat, join};
use crate::limits::{MAX_INLINE_ACTS, MAX_REENTRY};
use crate::shell::programs::{Act, Arg, Language};
use crate::shell::{Certainty, Dialect, EffectKind, Piece, Value};
use crate::world::EntryKind;

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
                self.call_name(&n, args)
            }
            _ => self.call_back(args, None),
        }
    }

    fn call_name(&mut self, name: &str, args: &Args) -> Val {
        if let Some(v) = self.special(name, args) {
            return v;
        }
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
            let receiver = Val::named(prefix);
            return self.method_row(&receiver, last, args);
        }
        self.construct(&name, args);
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
                Val::List(_) | Val::Each(_) | Val::Map(_) => Some(receiver.element()),
                _ if name == "map" || name == "starmap" => args.pos.get(1).map(Val::element),
                _ => None,
            };
            let result = self.call_back(args, element.as_ref());
            match (receiver, self.language) {
                (Val::List(_) | Val::Each(_), Language::Ruby) => receiver.clone(),
                (Val::List(_) | Val::Each(_), _) if name.starts_with("map") || name.starts_with("flatMap") => {
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
        if op.only_strings && !first.as_ref().is_some_and(Val::is_string) {
            return;
        }
        match (op.verb, first) {
            ('I', first) => {
                let folder = first.unwrap_or_else(|| Val::text("."));
                self.inside(&folder);
            }
            ('T', _) => {
                if let Some(dir) = args.named("dir") {
                    let dir = dir.clone();
                    self.inside(&dir);
                }
            }
            ('c', Some(v)) => self.effect(EffectKind::Create, &v),
            ('m', Some(v)) => self.effect(EffectKind::Modify, &v),
            ('d', Some(v)) => self.effect(EffectKind::Delete, &v),
            ('r', Some(v)) => self.effect(EffectKind::Read, &v),
            ('i', Some(v)) => self.inside(&v),
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
            ('a', Some(v)) => self.archive(&v, second.as_ref()),
            ('k', Some(v)) => self.change_folder(&v),
            ('e', Some(v)) => self.evaluate(&v),
            ('s', Some(v)) => self.shell(&v, args),
            ('S', Some(_)) => self.system(args),
            ('x', Some(v)) => self.run(&v, args),
            ('X' | 'V', Some(v)) => self.spawn(&v, second, op.verb == 'V', args),
            ('u', Some(v)) => self.subprocess(&v, args),
            ('P', Some(v)) => self.perl_open(&v, args),
            _ => {}
        }
    }

    // --- effects on paths ---

    fn act(&mut self, act: Act) {
        if self.acts.len() >= MAX_INLINE_ACTS {
            self.cut = true;
        } else {
            self.acts.push(act);
        }
    }

    /// The path as seen from the folder that the script was started in; `None` for what is no file.
    fn located(&self, v: &Value) -> Option<Value> {
        let prefix = v.prefix();
        if ["php://", "http://", "https://", "data:", ":memory:", "s3://", "gs://", "ftp://", "hdfs://"]
            .iter()
            .any(|p| prefix.starts_with(p))
        {
            return None;
        }
        let v = if prefix.starts_with("file:///") { v.skip(7) } else { v.clone() };
        match &self.chdir {
            Some(dir) if v.is_empty() => Some(dir.clone()),
            Some(dir) => Some(join(dir, &v)),
            None => Some(v),
        }
    }

    pub(super) fn effect(&mut self, kind: EffectKind, value: &Val) {
        match value {
            Val::Str(alternatives) => {
                for v in alternatives.iter() {
                    let empty = v.is_empty();
                    let unknown_read = kind == EffectKind::Read && v.known().is_none();
                    if let Some(value) = self.located(v).filter(|_| !empty && !unknown_read) {
                        let (span, certainty) = (self.span, Certainty::Proven);
                        self.act(Act::Path { kind, value, certainty, span, package_install: false });
                    }
                }
            }
            Val::List(items) => {
                for item in items.iter() {
                    if !self.spend(1) {
                        break;
                    }
                    self.deeper((), |me| me.effect(kind, item));
                }
            }
            Val::Each(item) => self.deeper((), |me| me.effect(kind, item)),
            Val::Unknown | Val::Name(_) if kind != EffectKind::Read => {
                let (span, certainty) = (self.span, Certainty::Proven);
                self.act(Act::Path { kind, value: Value::any(), certainty, span, package_install: false });
            }
            Val::Null | Val::Int(_) | Val::Map(_) | Val::Func(_) | Val::Unknown | Val::Name(_) => {}
        }
    }

    fn inside(&mut self, folder: &Val) {
        for v in folder.strings() {
            if let Some(value) = self.located(&v) {
                let (span, certainty) = (self.span, Certainty::Proven);
                self.act(Act::Inside { value, certainty, span });
            }
        }
    }

    /// A path opened with a mode.
    fn open(&mut self, path: &Val, mode: Option<&Val>) {
        let kind = match mode {
            Some(Val::Str(modes)) => modes
                .iter()
                .map(|m| m.known().map_or(EffectKind::Create, |m| mode_kind(&m)))
                .max()
                .unwrap_or(EffectKind::Read),
            Some(Val::Name(flags)) => flags_kind(flags),
            None | Some(Val::Int(0) | Val::Null | Val::Map(_) | Val::Func(_)) => EffectKind::Read,
            Some(_) => {
                // Who passes a mode on may mean to write: judged where the path is known.
                if path.is_string() {
                    for v in path.strings() {
                        if let Some(value) = self.located(&v) {
                            let (span, certainty) = (self.span, Certainty::Assumed);
                            self.act(Act::Path {
                                kind: EffectKind::Create,
                                value,
                                certainty,
                                span,
                                package_install: false,
                            });
                        }
                    }
                }
                return;
            }
        };
        self.effect(kind, path);
    }

    fn is_folder(&self, v: &Value) -> bool {
        let Some(path) = self.located(v).and_then(|v| v.known().map(std::borrow::Cow::into_owned)) else {
            return false;
        };
        path.ends_with('/') || self.world.target(&self.world.model().join(self.cwd, &path)) == Some(EntryKind::Dir)
    }

    /// `source` appears at `dest`, or in it where it is a folder.
    fn into(&mut self, source: &Val, dest: &Val) {
        if matches!(source, Val::List(_) | Val::Each(_)) {
            let items = match source {
                Val::List(items) => items.as_ref().clone(),
                other => vec![other.element()],
            };
            for item in items {
                let named = item.combine(dest, |s, d| join(d, &base(s)));
                self.effect(EffectKind::Create, &named);
            }
            return;
        }
        let folders = dest.strings().iter().any(|d| self.is_folder(d));
        if folders {
            let sources = if source.is_string() { source.clone() } else { Val::name() };
            let named = sources.combine(dest, |s, d| if self.is_folder(d) { join(d, &base(s)) } else { d.clone() });
            self.effect(EffectKind::Create, &named);
        } else {
            self.effect(EffectKind::Create, dest);
        }
    }

    fn copy(&mut self, source: &Val, dest: Option<Val>, on_source: EffectKind) {
        self.effect(on_source, source);
        if let Some(dest) = dest {
            self.into(source, &dest);
        }
    }

    fn archive(&mut self, name: &Val, format: Option<&Val>) {
        let suffix = match format.and_then(Val::known).as_deref() {
            Some("zip") => ".zip",
            Some("tar") => ".tar",
            Some("gztar") => ".tar.gz",
            Some("bztar") => ".tar.bz2",
            Some("xztar") => ".tar.xz",
            _ => "",
        };
        let v = name.combine(&Val::text(suffix), concat);
        self.effect(EffectKind::Create, &v);
    }

    fn change_folder(&mut self, to: &Val) {
        let known = to.strings();
        let v = match known.as_slice() {
            [one] => one.clone(),
            _ => Value::any(),
        };
        self.chdir = Some(self.absolute(&v));
    }

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

    fn folder_for(&self, args: &Args) -> Option<Value> {
        let given = args.named("cwd").or_else(|| args.named("chdir")).filter(|v| v.is_string());
        match given.map(Val::strings) {
            Some(v) if v.len() == 1 => self.located(&v[0]),
            Some(_) => Some(Value::any()),
            None => self.chdir.clone(),
        }
    }

    /// A shell runs the text.
    pub(super) fn shell(&mut self, text: &Val, args: &Args) {
        let cwd = self.folder_for(args);
        for text in text.strings() {
            let span = self.span;
            self.act(Act::Shell { text, dialect: Dialect::Bash, args: Vec::new(), span, cwd: cwd.clone() });
        }
    }

    fn words(argv: &Val) -> Vec<Val> {
        match argv {
            Val::List(items) => items.as_ref().clone(),
            Val::Each(item) => vec![item.as_ref().clone()],
            other => vec![other.clone()],
        }
    }

    /// A program is started with the list `argv`.
    fn run(&mut self, list: &Val, args: &Args) {
        let list = Self::words(list);
        if list.is_empty() || list.len() > 4096 {
            return;
        }
        let cwd = self.folder_for(args);
        let options: Vec<Vec<Value>> = list.iter().map(Val::strings).collect();
        let rounds = options.iter().map(Vec::len).max().unwrap_or(1).min(64);
        for round in 0..rounds {
            if !self.spend(options.len()) {
                return;
            }
            let span = self.span;
            let words: Vec<Arg> = options
                .iter()
                .filter_map(|o| o.get(round.min(o.len().saturating_sub(1))))
                .map(|v| Arg { value: v.clone(), span })
                .collect();
            self.act(Act::Run {
                argv: words,
                cwd: cwd.clone(),
                env: Vec::new(),
                more_from_stdin: false,
                stdin_placeholder: None,
            });
        }
    }

    /// `system`, `exec`: one text is a shell's, several are a command.
    fn system(&mut self, args: &Args) {
        let pos: Vec<Val> = args.pos.iter().filter(|v| !matches!(v, Val::Map(_))).cloned().collect();
        let pos = match pos.as_slice() {
            [Val::List(items)] => items.as_ref().clone(),
            _ => pos,
        };
        match pos.as_slice() {
            [] => {}
            [one] => self.shell(one, args),
            _ => self.run(&Val::list(pos), args),
        }
    }

    /// A program and the list of its arguments; `whole`: the list begins with the program's name.
    fn spawn(&mut self, program: &Val, list: Option<Val>, whole: bool, args: &Args) {
        let list = list.or_else(|| args.named("args").cloned());
        let mut words = vec![program.clone()];
        match list {
            Some(Val::List(items)) => words.extend(items.iter().skip(usize::from(whole)).cloned()),
            Some(v @ (Val::Each(_) | Val::Unknown | Val::Name(_))) => words.push(v.element()),
            _ => {}
        }
        if args.named("shell").is_some_and(Val::is_true) {
            let text = self.joined(&Val::text(" "), &Val::list(words));
            return self.shell(&text, args);
        }
        self.run(&Val::list(words), args);
    }

    fn subprocess(&mut self, command: &Val, args: &Args) {
        let by_shell = args.named("shell").is_some_and(|v| v.is_true() || matches!(v, Val::Unknown | Val::Name(_)));
        match command {
            Val::List(items) if by_shell => {
                let text = items.first().cloned().unwrap_or(Val::Null);
                self.shell(&text, args);
            }
            Val::List(_) => self.run(command, args),
            Val::Each(_) => self.run(&command.element(), args),
            _ if by_shell => self.shell(command, args),
            _ => self.run(&Val::list(vec![command.clone()]), args),
        }
    }

    /// Perl's `open`: two arguments, three, or a list to a program.
    fn perl_open(&mut self, second: &Val, args: &Args) {
        if let Some(third) = args.pos.get(2) {
            let mode = second.known().unwrap_or_default();
            let mode = mode.trim();
            if mode == "|-" || mode == "-|" {
                let rest = Args { pos: args.pos[2..].to_vec(), kw: Vec::new() };
                return self.system(&rest);
            }
            let kind = match mode.split(':').next().unwrap_or("").trim() {
                ">" | ">>" | "+>" | "+>>" => EffectKind::Create,
                "+<" => EffectKind::Modify,
                "<" => EffectKind::Read,
                _ if second.known().is_none() => EffectKind::Create,
                _ => return,
            };
            return self.effect(kind, third);
        }
        for v in second.strings() {
            let p = v.prefix();
            let lead = p.len() - p.trim_start().len();
            let v = v.skip(lead);
            let p = v.prefix();
            let marks = p.bytes().take_while(|b| matches!(b, b'>' | b'<' | b'+' | b'|')).count();
            let (mode, rest) = (p[..marks].to_owned(), v.skip(marks));
            let space = rest.prefix().len() - rest.prefix().trim_start().len();
            let rest = rest.skip(space);
            let piped = matches!(rest.pieces.last(), Some(Piece::Text(t)) if t.trim_end().ends_with('|'));
            match mode.as_str() {
                "|" => self.shell(&Val::one(rest), &Args::default()),
                ">" | ">>" | "+>" | "+>>" if !rest.prefix().starts_with('&') => {
                    self.effect(EffectKind::Create, &Val::one(rest));
                }
                "+<" => self.effect(EffectKind::Modify, &Val::one(rest)),
                "" if piped => {
                    let text =
                        rest.known().map_or_else(Value::any, |t| Value::text(t.trim_end().trim_end_matches('|')));
                    self.shell(&Val::one(text), &Args::default());
                }
                "" | "<" => self.effect(EffectKind::Read, &Val::one(rest)),
                _ => {}
            }
        }
    }
}

/// What a mode like `w`, `a+`, `rb` does to the file.
fn mode_kind(mode: &str) -> EffectKind {
    if mode.contains(['w', 'a', 'x', 'c']) {
        EffectKind::Create
    } else if mode.contains('+') {
        EffectKind::Modify
    } else {
        EffectKind::Read
    }
}

/// What flags like `os.O_CREAT|os.O_WRONLY` do.
fn flags_kind(flags: &str) -> EffectKind {
    if flags.contains("CREAT") {
        EffectKind::Create
    } else if flags.contains("WRONLY") || flags.contains("RDWR") {
        EffectKind::Modify
    } else if flags.contains("RDONLY") {
        EffectKind::Read
    } else {
        EffectKind::Create
    }
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
