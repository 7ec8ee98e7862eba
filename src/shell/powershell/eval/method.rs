//! Methods: static ones of .NET, constructors, methods of values.

use super::super::ast::{Expr, ExprKind};
use super::cmdlet::Call;
use super::machine::{By, Eval};
use super::paths::{extension, joined, leaf, stem};
use super::state::State;
use super::table::{DOTNET, find};
use super::val::Val;
use crate::shell::bash::eval::values::Stream;
use crate::shell::programs::Arg;
use crate::shell::{Dialect, EffectKind, Piece, Span, Target, Value};

impl Eval<'_> {
    /// `value.name(…)`, `[Type]::name(…)`.
    pub(super) fn method(&mut self, st: &mut State, of: &Expr, name: &Expr, args: &[Expr], span: Span) -> Val {
        let value = self.expr(st, of);
        let name = self.expr(st, name).known().unwrap_or_default().to_lowercase();
        let spans: Vec<Span> = args.iter().map(|a| a.span).collect();
        let args: Vec<Val> = args.iter().map(|a| self.expr(st, a)).collect();
        if let Val::Type(class) = &value {
            let class = class.strip_prefix("system.").unwrap_or(class).to_owned();
            return self.static_call(st, &class, &name, &args, &spans, span);
        }
        if let (ExprKind::Variable(variable), Val::List(_) | Val::Hash(_)) = (&of.kind, &value)
            && let Some(new) = added(&value, &name, &args)
        {
            self.charge_bytes(new.size());
            self.set_variable(st, variable, new);
            return Val::Null;
        }
        let span = spans.first().copied().unwrap_or(span);
        let alternatives = value.alternatives();
        let all = alternatives.into_iter().map(|v| self.instance_call(st, v, &name, args.clone(), span)).collect();
        Val::either(all)
    }

    /// The effects that a row lists for `key` on `args`; `false` where there is no row.
    fn by_row(&mut self, st: &mut State, key: &str, args: &[Val], spans: &[Span], span: Span) -> bool {
        let Some(row) = find(DOTNET, key) else { return false };
        // `io.file.writealltext` -> `[IO.File]::writealltext` is too long for a reason.
        let program = key.rsplit('.').next().unwrap_or(key);
        let program = if program == "new" { key.rsplit('.').nth(1).unwrap_or(key) } else { program };
        let mut letters = row.chars().enumerate();
        while let Some((i, letter)) = letters.next() {
            let Some(arg) = args.get(i) else { break };
            let by = By::proven(program, spans.get(i).copied().unwrap_or(span));
            let kind = match letter {
                'r' => EffectKind::Read,
                'm' => EffectKind::Modify,
                'x' => EffectKind::Delete,
                'c' | 'd' | 'i' => EffectKind::Create,
                'o' => {
                    letters.next();
                    opened(args.get(i + 1))
                }
                _ => continue,
            };
            // A stream or writer is no path.
            if matches!(arg, Val::Object(_) | Val::Type(_) | Val::Hash(_) | Val::Block(_)) {
                continue;
            }
            for path in arg.paths() {
                self.dotnet_effect(st, letter, kind, &path, &by);
            }
        }
        true
    }

    fn dotnet_effect(&mut self, st: &State, letter: char, kind: EffectKind, path: &Value, by: &By<'_>) {
        let base = st.process.clone();
        let found = crate::shell::programs::values::is_existing(path);
        let kind = if found && kind == EffectKind::Create { EffectKind::Modify } else { kind };
        if letter == 'i' {
            return self.inside_at(&base, path, by);
        }
        if let (EffectKind::Create, Target::Path(known)) = (kind, self.locate(&base, path, true)) {
            if letter == 'd' {
                self.overlay.make_dir(&known);
            } else {
                self.overlay.make_file(&known, Stream::Unknown);
            }
        }
        self.effect_at(&base, kind, path, by);
    }

    fn static_call(
        &mut self,
        st: &mut State,
        class: &str,
        name: &str,
        args: &[Val],
        spans: &[Span],
        span: Span,
    ) -> Val {
        if name == "new" {
            return self.construct(st, class, args, spans, span);
        }
        self.by_row(st, &format!("{class}.{name}"), args, spans, span);
        let first = args.first().map(Val::string).unwrap_or_default();
        let known = first.known().map(std::borrow::Cow::into_owned);
        match (class, name) {
            ("io.file" | "io.directory" | "io.path", _) => self.io_value(st, class, name, args, &first),
            ("environment", "getfolderpath") => self.special_folder(&known.unwrap_or_default()),
            ("environment", "getenvironmentvariable") => match known {
                Some(name) => self.variable(st, &format!("env:{name}")),
                None => Val::Unknown,
            },
            ("environment", "setenvironmentvariable") => {
                let process = args.get(2).and_then(Val::known).is_none_or(|t| t.eq_ignore_ascii_case("process"));
                if let (Some(name), true) = (known, process) {
                    let value = args.get(1).map(Val::string).unwrap_or_default();
                    self.set_env(st, &name, value);
                }
                Val::Null
            }
            ("environment", "expandenvironmentvariables") => self.percent_expanded(st, &first),
            ("scriptblock", "create") => match known {
                Some(text) if self.holes.is_empty() => {
                    self.charge_bytes(text.len() * 4);
                    let script = super::super::parse(&text);
                    for gap in script.gaps {
                        self.gap(gap.kind, span);
                    }
                    Val::Block(std::rc::Rc::new(script.body))
                }
                _ => Val::Unknown,
            },
            ("string", "format") => {
                let rest = args.get(1..).unwrap_or_default().to_vec();
                self.operate("f", args.first().cloned().unwrap_or(Val::Null), Val::list(rest))
            }
            ("string", "join") => {
                let items = match args.get(1..) {
                    Some([one]) => one.clone(),
                    Some(many) => Val::list(many.to_vec()),
                    None => Val::Null,
                };
                self.operate("join", items, Val::Str(first))
            }
            ("string", "concat") => args.iter().fold(Val::text(""), |all, one| self.operate("+", all, one.clone())),
            ("string", "isnullorempty" | "isnullorwhitespace") => match args.first().and_then(Val::truth) {
                Some(truth) => Val::Bool(!truth),
                None => Val::Unknown,
            },
            ("convert", "frombase64string") => decoded(known.as_deref()),
            ("diagnostics.process", "start") => {
                let mut words = vec![Arg { value: first, span }];
                let more = args.get(1..).unwrap_or_default().iter().flat_map(|v| super::native::words(&v.string()));
                words.extend(more.map(|value| Arg { value, span }));
                self.start(st, &words, &Stream::Unknown);
                Val::Unknown
            }
            ("guid" | "convert" | "int" | "int32" | "math" | "datetime" | "char", _) => Val::Str(Value::name()),
            _ => Val::Unknown,
        }
    }

    /// What methods of `[IO.File]`, `[IO.Directory]` and `[IO.Path]` give.
    fn io_value(&mut self, st: &mut State, class: &str, name: &str, args: &[Val], first: &Value) -> Val {
        let model = self.model();
        match (class, name) {
            ("io.path", "combine" | "join") => {
                let mut parts = args.iter().flat_map(|a| a.clone().items()).collect::<Vec<_>>().into_iter();
                let mut all = parts.next().unwrap_or(Val::Null).alternatives();
                for part in parts {
                    let mut next = Vec::new();
                    for one in &all {
                        for more in part.clone().alternatives() {
                            let more = more.string();
                            let rooted = self.is_rooted(more.prefix()) || more.prefix().starts_with(['/', '\\']);
                            let base = one.string();
                            self.charge_bytes(base.prefix().len() + more.prefix().len());
                            next.push(Val::Str(if rooted && name == "combine" {
                                more
                            } else {
                                joined(model, &base, &more)
                            }));
                        }
                    }
                    all = Val::either(next).alternatives();
                }
                Val::either(all)
            }
            ("io.path", "gettemppath") => Val::text(match self.temp_folder() {
                Some(temp) => format!("{temp}{}", model.separator()),
                None => String::new(),
            }),
            ("io.path", "gettempfilename") | ("io.directory", "createtempsubdirectory") => {
                let folder = Value::text(self.temp_folder().unwrap_or_default());
                let by = By::proven(name, Span::default());
                if !folder.is_empty() {
                    self.inside_at(&folder, &folder, &by);
                }
                let mut path = joined(model, &folder, &Value::name());
                path.push(Piece::Name);
                Val::Str(path)
            }
            ("io.path", "getrandomfilename") => Val::Str(Value::name()),
            ("io.path", "getfilename") => Val::Str(leaf(model, first).unwrap_or_default()),
            ("io.path", "getfilenamewithoutextension") => Val::Str(stem(model, first)),
            ("io.path", "getextension") => Val::Str(extension(model, first)),
            ("io.path", "getdirectoryname") => Val::Str(self.parent_of(first)),
            ("io.path", "getfullpath") => Val::Str(self.full_path(&st.process, first)),
            ("io.path", "getpathroot") => Val::text(&first.prefix()[..model.root_len(first.prefix())]),
            ("io.path", "changeextension") => {
                let mut path = crate::shell::programs::values::without_extension(model, first.clone());
                let new = args.get(1).map(Val::string).unwrap_or_default();
                if !new.is_empty() && !new.prefix().starts_with('.') {
                    path.push_str(".");
                }
                path.append(new);
                Val::Str(path)
            }
            ("io.path", "ispathrooted" | "hasextension") => Val::Unknown,
            (_, "exists") => match self.locate(&st.process, first, true) {
                Target::Path(path) => self.exists(&path, Some(if class == "io.file" { "leaf" } else { "container" })),
                _ => Val::Unknown,
            },
            (_, "readalltext" | "readalllines") => match self.locate(&st.process, first, true) {
                Target::Path(path) => {
                    let by = By::proven(name, Span::default());
                    self.push(EffectKind::Read, Target::Path(path.clone()), &by);
                    match self.file_text(&path) {
                        Stream::Text(text) if name == "readalltext" => Val::Str(text),
                        text => match text.lines() {
                            Some(lines) => Val::list(lines.into_iter().map(Val::Str).collect()),
                            None => Val::Unknown,
                        },
                    }
                }
                _ => Val::Unknown,
            },
            (_, "getcurrentdirectory") => Val::Str(st.process.clone()),
            (_, "setcurrentdirectory") => {
                st.process = self.full_path(&st.process, first);
                Val::Null
            }
            (_, "createdirectory") => Val::Item(self.full_path(&st.process, first)),
            (_, "create" | "createtext" | "appendtext" | "open" | "openwrite") => Val::Object(first.clone()),
            (_, "getfiles" | "getdirectories" | "enumeratefiles" | "enumeratedirectories" | "getfilesystementries") => {
                match self.locate(&st.process, first, true) {
                    Target::Path(path) | Target::Inside(path) => Val::list(vec![Val::Str(Value::under(path))]),
                    Target::Opaque => Val::Unknown,
                }
            }
            (_, "getparent") => Val::Item(self.parent_of(&self.full_path(&st.process, first))),
            _ => Val::Null,
        }
    }

    fn special_folder(&self, name: &str) -> Val {
        use crate::world::World as _;
        let Some(home) = self.overlay.home() else { return Val::Unknown };
        let home = home.trim_end_matches(['\\', '/']).to_owned();
        let lower = name.to_ascii_lowercase();
        if !self.windows() {
            return match lower.as_str() {
                "userprofile" | "personal" | "mydocuments" => Val::text(home),
                "applicationdata" => Val::text(format!("{home}/.config")),
                "localapplicationdata" => Val::text(format!("{home}/.local/share")),
                "desktop" | "desktopdirectory" => Val::text(format!("{home}/Desktop")),
                "commonapplicationdata" => Val::text("/usr/share"),
                _ => Val::Str(Value::any()),
            };
        }
        let below = match lower.as_str() {
            "userprofile" => return Val::text(home),
            "system" => return Val::text("C:\\Windows\\System32"),
            "windows" => return Val::text("C:\\Windows"),
            "programfiles" => return Val::text("C:\\Program Files"),
            "programfilesx86" => return Val::text("C:\\Program Files (x86)"),
            "commonapplicationdata" => return Val::text("C:\\ProgramData"),
            "commondesktopdirectory" => return Val::text("C:\\Users\\Public\\Desktop"),
            "desktop" | "desktopdirectory" => "Desktop",
            "mydocuments" | "personal" => "Documents",
            "mymusic" => "Music",
            "mypictures" => "Pictures",
            "myvideos" => "Videos",
            "applicationdata" => "AppData\\Roaming",
            "localapplicationdata" => "AppData\\Local",
            "startup" => "AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup",
            "startmenu" => "AppData\\Roaming\\Microsoft\\Windows\\Start Menu",
            "programs" => "AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs",
            _ => return Val::Str(Value::any()),
        };
        Val::text(format!("{home}\\{below}"))
    }

    /// `%NAME%` replaced.
    pub(super) fn percent_expanded(&mut self, st: &State, value: &Value) -> Val {
        let Some(text) = value.known() else { return Val::Str(value.clone()) };
        let mut out = Value::default();
        let mut rest = &*text;
        while let Some(at) = rest.find('%') {
            let Some(end) = rest[at + 1..].find('%') else { break };
            let name = &rest[at + 1..at + 1 + end];
            out.push_str(&rest[..at]);
            let known = self.variable(st, &format!("env:{name}"));
            match known {
                Val::Null => out.push_str(&rest[at..at + end + 2]),
                known => out.append(known.string()),
            }
            rest = &rest[at + end + 2..];
        }
        out.push_str(rest);
        Val::Str(out)
    }

    pub(super) fn new_object_cmdlet(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        if call.binding.get("comobject").is_some() {
            return vec![Val::Unknown];
        }
        let class = call.binding.val("typename").and_then(Val::known).unwrap_or_default().to_lowercase();
        let class = class.strip_prefix("system.").unwrap_or(&class).to_owned();
        let bound = call.binding.get("argumentlist");
        let span = bound.map_or(call.span, |b| b.span);
        let args = bound.map(|b| b.val.clone().items()).unwrap_or_default();
        if let (true, Some(pairs)) = (class.ends_with("psobject"), call.binding.val("property")) {
            return vec![pairs.clone()];
        }
        let spans = vec![span; args.len()];
        vec![self.construct(st, &class, &args, &spans, span)]
    }

    /// `[Type]::new(…)`, `New-Object Type …`.
    fn construct(&mut self, st: &mut State, class: &str, args: &[Val], spans: &[Span], span: Span) -> Val {
        let listed = self.by_row(st, &format!("{class}.new"), args, spans, span);
        let first = args.first().map(Val::string).unwrap_or_default();
        match class {
            "io.fileinfo" | "io.directoryinfo" => Val::Item(self.full_path(&st.process, &first)),
            "io.memorystream" | "io.stringwriter" => Val::Type("stream".into()),
            "uri" | "string" | "version" => Val::Str(first),
            "guid" | "random" => Val::Str(Value::name()),
            "hashtable" | "collections.hashtable" => Val::Hash(std::rc::Rc::default()),
            _ if class.starts_with("collections.") || class.ends_with("arraylist") => Val::list(Vec::new()),
            _ if listed => Val::Object(first),
            _ => Val::Unknown,
        }
    }

    /// A method of a value.
    pub(super) fn instance_call(&mut self, st: &mut State, of: Val, name: &str, args: Vec<Val>, span: Span) -> Val {
        if !self.charge(1) {
            return Val::Unknown;
        }
        match (&of, name) {
            (Val::Null, _) => return Val::Null,
            (Val::Block(body), "invoke" | "invokereturnasis" | "invokewithcontext") => {
                let body = std::rc::Rc::clone(body);
                let given = args.into_iter().map(|val| super::bind::Given::Value { val, span, bare: false }).collect();
                let out = self.call(st, &body, given, None, false);
                return Val::collect(out);
            }
            (Val::Block(_), "getnewclosure") => return of,
            (Val::List(items), "foreach" | "where") => {
                let items = items.to_vec();
                return self.each_item(st, items, name, &args);
            }
            (Val::Hash(pairs), "getenumerator") => {
                let entry = |(k, v): &(String, Val)| {
                    let key = Val::text(k.as_str());
                    let all = [("Key", key.clone()), ("Name", key), ("Value", v.clone())];
                    Val::Hash(std::rc::Rc::new(all.map(|(k, v)| (k.to_owned(), v)).to_vec()))
                };
                return Val::list(pairs.iter().map(entry).collect());
            }
            (Val::Item(path), _) => {
                let path = path.clone();
                if let Some(val) = self.item_call(st, &path, name, &args, span) {
                    return val;
                }
            }
            (Val::Str(_) | Val::Int(_), _) => {
                if let Some(val) = string_call(&of, name, &args) {
                    return val;
                }
            }
            _ => {}
        }
        self.object_call(st, &of, name, &args, span)
    }

    fn each_item(&mut self, st: &mut State, items: Vec<Val>, name: &str, args: &[Val]) -> Val {
        let Some(Val::Block(body)) = args.first() else { return Val::list(items) };
        let before = self.current.clone();
        let mut out = Vec::new();
        for item in items.into_iter().take(crate::limits::MAX_TURNS) {
            self.current = item.clone();
            let given = self.body(st, body, None);
            if name == "foreach" {
                super::statement::give(&mut out, given);
            } else if Val::collect(given).truth() != Some(false) {
                out.push(item);
            }
        }
        self.current = before;
        Val::list(out)
    }

    /// A method of a file or folder.
    fn item_call(&mut self, st: &mut State, path: &Value, name: &str, args: &[Val], span: Span) -> Option<Val> {
        let by = By::proven(name, span);
        let base = st.process.clone();
        let to = args.first().map(Val::string).unwrap_or_default();
        match name {
            "create" => self.dotnet_effect(st, 'd', EffectKind::Create, path, &by),
            "createtext" | "openwrite" | "appendtext" | "open" => {
                self.dotnet_effect(st, 'c', EffectKind::Create, path, &by);
                return Some(Val::Object(path.clone()));
            }
            "createsubdirectory" => {
                let path = joined(self.model(), path, &to);
                self.dotnet_effect(st, 'd', EffectKind::Create, &path, &by);
                return Some(Val::Item(path));
            }
            "copyto" => {
                self.dotnet_effect(st, 'c', EffectKind::Create, &to, &by);
                return Some(Val::Item(self.full_path(&base, &to)));
            }
            "moveto" => {
                self.dotnet_effect(st, 'x', EffectKind::Delete, path, &by);
                self.dotnet_effect(st, 'c', EffectKind::Create, &to, &by);
            }
            "delete" => self.dotnet_effect(st, 'x', EffectKind::Delete, path, &by),
            "copyhere" | "movehere" => self.inside_at(&base, path, &by),
            "getfiles" | "getdirectories" | "enumeratefiles" | "enumeratedirectories" => {
                let found = match self.locate(&base, path, true) {
                    Target::Path(path) | Target::Inside(path) => Value::under(path),
                    Target::Opaque => Value::any(),
                };
                return Some(Val::list(vec![Val::Item(found)]));
            }
            "tostring" => return Some(Val::Str(path.clone())),
            "refresh" => {}
            // An item that was made of a string may have been one all along.
            _ => return string_call(&Val::Str(path.clone()), name, args),
        }
        Some(Val::Null)
    }

    /// A method of an object that is known by the method's name alone.
    fn object_call(&mut self, st: &mut State, of: &Val, name: &str, args: &[Val], span: Span) -> Val {
        if matches!(of, Val::Type(_)) {
            return Val::Unknown;
        }
        match (name, args) {
            ("createshortcut", [path, ..]) => return Val::Object(path.string()),
            ("namespace", [path, ..]) => return Val::Item(path.string()),
            ("save", []) => {
                if let Val::Object(path) = of {
                    let by = By::proven(name, span);
                    self.dotnet_effect(st, 'c', EffectKind::Create, &path.clone(), &by);
                }
                return Val::Null;
            }
            ("run" | "exec", [text, ..]) if *of == Val::Unknown => {
                self.other_shell(st, Dialect::Cmd, &text.string(), None, span);
                return Val::Unknown;
            }
            ("getstring" | "tostring", [one]) if !matches!(of, Val::Str(_)) => return one.clone(),
            ("invokescript" | "newscriptblock" | "addscript", [text, ..]) => match text {
                Val::Str(text) => {
                    let text = text.clone();
                    return Val::collect(self.run_text(st, &text, span));
                }
                Val::Block(body) => {
                    let body = std::rc::Rc::clone(body);
                    return Val::collect(self.call(st, &body, Vec::new(), None, false));
                }
                _ => {}
            },
            _ => {}
        }
        let spans = vec![span; args.len()];
        self.by_row(st, &format!(".{name}"), args, &spans, span);
        Val::Unknown
    }
}

/// What opening a file with this mode does.
fn opened(mode: Option<&Val>) -> EffectKind {
    match mode.and_then(Val::known).as_deref() {
        Some(m) if m.eq_ignore_ascii_case("open") || m == "3" || m.eq_ignore_ascii_case("read") => EffectKind::Read,
        Some(m) if m.eq_ignore_ascii_case("truncate") || m == "5" => EffectKind::Modify,
        _ => EffectKind::Create,
    }
}

/// A list or table after something was added to it.
fn added(of: &Val, name: &str, args: &[Val]) -> Option<Val> {
    match (of, name, args) {
        (Val::List(items), "add" | "push" | "enqueue", [one]) => {
            let mut all = items.to_vec();
            all.push(one.clone());
            Some(Val::list(all))
        }
        (Val::List(items), "addrange", [more]) => {
            let mut all = items.to_vec();
            all.extend(more.clone().items());
            Some(Val::list(all))
        }
        (Val::Hash(pairs), "add", [key, value]) => {
            let mut all = pairs.to_vec();
            all.push((key.known()?, value.clone()));
            (all.len() <= crate::limits::MAX_EXPANSION).then(|| Val::Hash(std::rc::Rc::new(all)))
        }
        _ => None,
    }
}

/// A method of a string.
fn string_call(of: &Val, name: &str, args: &[Val]) -> Option<Val> {
    let text = of.string();
    let known = text.known();
    let arg = |i: usize| args.get(i).and_then(Val::known);
    let number = |i: usize| args.get(i).and_then(Val::number).and_then(|n| usize::try_from(n).ok());
    let plain = crate::shell::bash::eval::values::is_plain_name(&text);
    let like = || if plain { Val::Str(Value::name()) } else { Val::Str(Value::any()) };
    Some(match (name, known) {
        ("tostring" | "trim" | "normalize" | "clone", None) => Val::Str(text),
        ("tostring", Some(_)) if args.is_empty() => Val::Str(text),
        ("tostring", Some(_)) => Val::Str(Value::name()),
        ("tolower" | "tolowerinvariant", Some(t)) => Val::text(t.to_lowercase()),
        ("toupper" | "toupperinvariant", Some(t)) => Val::text(t.to_uppercase()),
        ("trim", Some(t)) if args.is_empty() => Val::text(t.trim()),
        ("trim", Some(t)) => Val::text(t.trim_matches(chars(&arg(0)?).as_slice())),
        ("trimend", Some(t)) if args.is_empty() => Val::text(t.trim_end()),
        ("trimend", Some(t)) => Val::text(t.trim_end_matches(chars(&arg(0)?).as_slice())),
        ("trimstart", Some(t)) if args.is_empty() => Val::text(t.trim_start()),
        ("trimstart", Some(t)) => Val::text(t.trim_start_matches(chars(&arg(0)?).as_slice())),
        ("replace", _) => {
            let with = args.get(1).cloned().unwrap_or(Val::Null);
            super::operate::replaced(&Val::Str(text), args.first()?, &with, false)
        }
        ("split", Some(t)) => {
            let separators = chars(&arg(0).unwrap_or_else(|| " ".to_owned()));
            Val::list(t.split(separators.as_slice()).map(Val::text).collect())
        }
        ("split", None) => Val::list(vec![like()]),
        ("substring", Some(t)) => {
            let from = number(0)?;
            let rest = t.chars().skip(from);
            Val::text(match number(1) {
                Some(n) => rest.take(n).collect::<String>(),
                None => rest.collect(),
            })
        }
        ("padleft" | "padright", Some(t)) => {
            let width = number(0).filter(|&w| w <= 256)?;
            let fill: String = arg(1).unwrap_or_else(|| " ".to_owned());
            let pad = fill.repeat(width.saturating_sub(t.chars().count()).min(256));
            Val::text(if name == "padleft" { format!("{pad}{t}") } else { format!("{t}{pad}") })
        }
        ("startswith", Some(t)) => Val::Bool(t.starts_with(&arg(0)?)),
        ("endswith", Some(t)) => Val::Bool(t.ends_with(&arg(0)?)),
        ("contains", Some(t)) => Val::Bool(t.contains(&arg(0)?)),
        ("insert" | "remove" | "tolower" | "toupper" | "trimend" | "trimstart" | "substring" | "padleft", _) => like(),
        _ => return None,
    })
}

fn chars(text: &str) -> Vec<char> {
    text.chars().collect()
}

/// The text that base64 stands for, where it is one.
fn decoded(text: Option<&str>) -> Val {
    use crate::shell::programs::pwsh::{base64, decode};
    let Some(text) = text else { return Val::Unknown };
    let plain = base64(text).and_then(|bytes| String::from_utf8(bytes).ok()).filter(|t| !t.contains('\0'));
    plain.or_else(|| decode(text)).map_or(Val::Unknown, Val::text)
}
