//! Programs: their roles are those of `shell::programs`.

use std::borrow::Cow;

use super::analyse::nowhere;
use super::bind::Given;
use super::environment::{Environment, assigned};
use super::machine::{By, Eval};
use super::pipeline::lines_of;
use super::state::State;
use super::val::Val;
use crate::limits::{MAX_EXPANSION, MAX_REENTRY, STEPS_PER_CMDLET};
use crate::shell::bash::eval::act_values;
use crate::shell::bash::eval::machine::{fill_holes, with_holes};
use crate::shell::bash::eval::values::Stream;
use crate::shell::programs::{self, Act, Arg, Invocation, Language};
use crate::shell::{Certainty, Dialect, EffectKind, GapKind, OperatorCall, Piece, Span, Target, Value, inline};

/// Verbs of cmdlets that no row knows and that change nothing by their convention.
const READING: &str = " get test find show measure select resolve search compare convertto convertfrom format read where \
                       group sort trace ping ";

impl Eval<'_> {
    /// Starts a program, or a cmdlet that no row knows.
    pub(super) fn program(
        &mut self,
        st: &mut State,
        name: &Value,
        span: Span,
        given: Vec<Given>,
        feed: Option<Vec<Val>>,
    ) -> Vec<Val> {
        let base = name.prefix().rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        if matches!(base.trim_end_matches(".exe"), "powershell" | "pwsh") && self.block_program(st, &given) {
            return vec![Val::Unknown];
        }
        let mut argv = vec![Arg { value: name.clone(), span }];
        self.arguments(st, given, &mut argv);
        let stdin = feed.map_or(Stream::Unknown, |feed| lines_of(&feed));
        self.start(st, &argv, &stdin)
    }

    /// Arguments as a program gets them.
    fn arguments(&mut self, st: &State, given: Vec<Given>, argv: &mut Vec<Arg>) {
        for arg in given {
            match arg {
                Given::Value { val, span, bare } => {
                    for one in flat(&val) {
                        let value = if bare { self.as_word(st, one) } else { one };
                        argv.push(Arg { value, span });
                    }
                }
                Given::Param { name, val: None, span } => {
                    argv.push(Arg { value: Value::text(format!("-{name}")), span });
                }
                Given::Param { name, val: Some(val), span } => {
                    let mut value = Value::text(format!("-{name}:"));
                    value.append(val.string());
                    argv.push(Arg { value, span });
                }
                Given::Verbatim { text, span } => {
                    for word in words(&Value::text(text)) {
                        argv.push(Arg { value: word, span });
                    }
                }
            }
            if argv.len() > MAX_EXPANSION {
                self.stop(GapKind::Size);
                return;
            }
        }
    }

    /// A word without quotes: `~` is home, and patterns stand for names where the system has no other way.
    fn as_word(&self, st: &State, value: Value) -> Value {
        let text = value.prefix();
        let home = text == "~" && value.pieces.len() == 1 || text.starts_with("~/") || text.starts_with("~\\");
        if home && let Some(home) = self.world.home() {
            let mut out = Value::text(home);
            out.append(value.skip(1));
            return out;
        }
        if !self.windows()
            && let Some(known) = value.known()
            && let Some(at) = known.find(['*', '?'])
            && !known.contains("://")
            && !known.starts_with('-')
        {
            let folder = known[..at].rfind('/').map_or("", |i| &known[..=i]);
            return match self.locate(&st.folder(), &Value::text(if folder.is_empty() { "." } else { folder }), true) {
                Target::Path(path) => Value::under(path),
                _ => value,
            };
        }
        value
    }

    /// Starts the program `argv[0]`.
    pub(super) fn start(&mut self, st: &State, argv: &[Arg], stdin: &Stream) -> Vec<Val> {
        let out = self.deeper(|eval| eval.start_here(st, argv, stdin));
        out.unwrap_or_default()
    }

    fn start_here(&mut self, st: &State, argv: &[Arg], stdin: &Stream) -> Vec<Val> {
        let Some(first) = argv.first() else { return Vec::new() };
        if !self.charge(STEPS_PER_CMDLET) {
            return Vec::new();
        }
        let spelled = first.value.known().map(Cow::into_owned).unwrap_or_default();
        let base = spelled.rsplit(['/', '\\']).next().unwrap_or_default();
        let lower = base.to_lowercase();
        let name = ["exe", "cmd", "bat", "com", "ps1"]
            .iter()
            .find_map(|end| lower.strip_suffix(end).and_then(|n| n.strip_suffix('.')))
            .unwrap_or(&lower);
        self.operator_call(name, argv);
        if let Some(out) = self.shell_program(st, name, argv) {
            return out;
        }
        if matches!(name, "powershell" | "pwsh") && self.script_program(st, argv) {
            return vec![Val::Unknown];
        }
        let reads = name.split_once('-').is_some_and(|(verb, noun)| {
            READING.contains(&format!(" {verb} ")) && !noun.is_empty() && !spelled.contains(['/', '\\'])
        });
        // A cmdlet that no row knows.
        let folder = st.folder();
        let cwd = folder.known().map_or_else(|| nowhere(self.model()), Cow::into_owned);
        let model = self.model();
        let variables = |name: &str| assigned(st, model, name);
        let acts = {
            let argv = plain_name(argv, &lower, name);
            programs::acts(&Invocation {
                argv: &argv,
                cwd: &cwd,
                world: &self.overlay,
                assigned: &variables,
                input: &Value::default,
            })
        };
        let by = By::proven(name, first.span);
        for act in acts {
            self.act(st, act, &by, reads, stdin);
            if self.halted() {
                break;
            }
        }
        self.dirty |= !is_tame(name);
        self.printed(st, name, argv)
    }

    /// What a program prints, where that is known.
    fn printed(&self, st: &State, name: &str, argv: &[Arg]) -> Vec<Val> {
        let word = |i: usize| argv.get(i).and_then(|a| a.value.known()).unwrap_or_default().into_owned();
        match (name, word(1).as_str()) {
            ("git", "rev-parse") if word(2).starts_with("--show-toplevel") => {
                let folder = st.folder();
                vec![folder.known().map_or(Val::Unknown, |f| Val::Item(self.work_tree(&f)))]
            }
            ("git", "rev-parse" | "branch" | "describe" | "config") | ("hostname" | "whoami", _) => {
                vec![Val::Str(Value::name())]
            }
            ("pwd", _) => vec![Val::Item(st.folder())],
            _ => vec![Val::Unknown],
        }
    }

    /// The folder above that holds `.git`.
    fn work_tree(&self, folder: &str) -> Value {
        use crate::world::World as _;
        let model = self.model();
        let mut at = Some(folder);
        while let Some(dir) = at {
            if self.overlay.entry(&model.join(dir, ".git")).is_some() {
                return Value::text(dir);
            }
            at = model.parent(dir);
        }
        Value::text(folder)
    }

    fn operator_call(&mut self, name: &str, argv: &[Arg]) {
        let Some(first) = argv.first() else { return };
        if self.found.operator_calls.len() >= MAX_EXPANSION {
            return;
        }
        let mut words: Vec<String> = argv[1..].iter().filter_map(|a| a.value.known().map(Cow::into_owned)).collect();
        match name {
            "wsguard" => {}
            "wsguard-hook" if matches!(words.as_slice(), [only] if matches!(only.as_str(), "--help" | "-h" | "--version" | "-V")) =>
                {}
            // It believes what it is told of a session.
            "wsguard-hook" => words.insert(0, "hook".to_owned()),
            // A hook that is killed says nothing, and silence lets a tool run.
            "pkill" | "killall" | "taskkill" | "stop-process" if words.iter().any(|w| w.contains("wsguard")) => {
                words.insert(0, "kill".to_owned());
            }
            _ => return,
        }
        let span = self.span(first.span);
        self.found.operator_calls.push(OperatorCall { args: words, span });
    }

    /// Notes that a cmdlet ends the guard's own processes.
    pub(super) fn kills(&mut self, name: &str, words: &[Val], span: Span) {
        let argv: Vec<Arg> =
            [Val::text(name)].iter().chain(words).flat_map(Val::paths).map(|value| Arg { value, span }).collect();
        self.operator_call(name, &argv);
    }

    /// Carries out one act of a program.
    fn act(&mut self, st: &State, act: Act, by: &By<'_>, reads: bool, stdin: &Stream) {
        let folder = st.folder();
        match act {
            Act::Path { kind, value, certainty, span, package_install } => {
                let kind = if reads && kind != EffectKind::Mention { EffectKind::Read } else { kind };
                if package_install {
                    let target = self.locate(&folder, &value, true);
                    let mut effect = self.effect(kind, target, by, span, certainty);
                    effect.package_install = true;
                    return self.record(effect);
                }
                let value = if nowhere_in(&value) { Value::any() } else { value };
                if value.is_empty() {
                    return;
                }
                let target = self.locate(&folder, &value, kind != EffectKind::Delete);
                if let (EffectKind::Create, Target::Path(path)) = (kind, &target) {
                    self.made_by(by.program, path);
                }
                self.push(kind, target, &By { program: by.program, span, certainty });
            }
            Act::Inside { value, certainty, span } => {
                let value = if nowhere_in(&value) { Value::any() } else { value };
                self.inside_at(&folder, &value, &By { program: by.program, span, certainty });
            }
            // What a file holds is not followed here.
            Act::Text { .. } => {}
            Act::Run { argv, cwd, env, more_from_stdin, stdin_placeholder } => {
                let mut child = st.clone();
                if let Some(cwd) = &cwd {
                    child.place = super::state::Place::Folder(self.folder_of(st, cwd));
                }
                for (name, value) in env {
                    self.set_env(&mut child, &name, value);
                }
                let mut argv = argv;
                if let Some(mark) = stdin_placeholder.filter(|m| !m.is_empty()) {
                    let line = stdin.any_line();
                    for arg in &mut argv {
                        arg.value = arg.value.replace(&mark, &line);
                    }
                } else if more_from_stdin.is_some() {
                    argv.push(Arg { value: stdin.any_line(), span: by.span });
                }
                self.start(&child, &argv, stdin);
            }
            Act::Shell { text, dialect, args: _, span, cwd } => {
                self.other_shell(st, dialect, &text, cwd.as_ref(), span);
            }
            Act::ShellStdin { dialect, args: _ } => {
                self.other_shell(st, dialect, &stdin.whole(), None, by.span);
            }
            Act::Code { language, text, args, span } => self.code(st, language, &text, &args, span, stdin),
            Act::Script { language, value, args, span } => self.script_file(st, language, &value, &args, span, stdin),
            Act::CodeStdin { language, args } => {
                self.code(st, language, &stdin.whole(), &args, by.span, stdin);
            }
        }
    }

    fn effect(
        &self,
        kind: EffectKind,
        target: Target,
        by: &By<'_>,
        span: Span,
        certainty: Certainty,
    ) -> crate::shell::Effect {
        let program = by.program.to_owned();
        crate::shell::Effect { kind, target, certainty, program, span: self.span(span), package_install: false }
    }

    /// What a program made is there for the commands behind it.
    fn made_by(&mut self, program: &str, path: &str) {
        if matches!(program, "mkdir" | "git" | "md" | "install" | "tar" | "python" | "py") {
            self.overlay.make_dir(path);
        } else {
            self.overlay.make_file(path, Stream::Unknown);
        }
    }

    /// A script in another language.
    fn code(&mut self, st: &State, language: Language, text: &Value, args: &[Arg], span: Span, stdin: &Stream) {
        let Some((source, holes)) = with_holes(text) else { return };
        if self.reentry >= MAX_REENTRY {
            return self.stop(GapKind::Nesting);
        }
        self.charge_bytes(source.len() * 4);
        let folder = st.folder();
        let cwd = folder.known().map_or_else(|| nowhere(self.model()), Cow::into_owned);
        let (acts, holes) = {
            let world = Environment::new(&self.overlay, st, holes);
            let acts = inline::acts(language, &source, args, &cwd, &world, span);
            (acts, world.into_holes())
        };
        self.reentry += 1;
        self.dirty = true;
        let by = By::proven(program_of(language), span);
        for act in acts {
            let act = act_values::map(act, &|value| filled(value, &holes));
            self.act(st, act, &by, false, stdin);
            if self.halted() {
                break;
            }
        }
        self.reentry -= 1;
    }

    /// A script file: its text counts where this very command wrote it.
    fn script_file(
        &mut self,
        st: &State,
        language: Option<Language>,
        file: &Value,
        args: &[Arg],
        span: Span,
        stdin: &Stream,
    ) {
        let target = self.locate(&st.folder(), file, true);
        let text = match &target {
            Target::Path(path) => self.overlay.written(path).cloned(),
            _ => None,
        };
        self.push(EffectKind::Read, target, &By::proven(language.map_or("bash", program_of), span));
        let Some(Stream::Text(text)) = text else { return };
        match language {
            Some(language) => self.code(st, language, &text, args, span, stdin),
            None => {
                self.other_shell(st, Dialect::Bash, &text, None, span);
            }
        }
    }

    /// An argument that no parameter takes: judged like an unknown program's.
    pub(super) fn stray(&mut self, st: &State, val: &Val, name: &str, span: Span) {
        if matches!(val, Val::Block(_) | Val::Hash(_) | Val::Null | Val::Bool(_) | Val::Int(_)) {
            return;
        }
        let mut argv = vec![Arg { value: Value::text("?"), span }];
        argv.extend(flat(val).into_iter().map(|value| Arg { value, span }));
        let folder = st.folder();
        let cwd = folder.known().map_or_else(|| nowhere(self.model()), Cow::into_owned);
        let acts = programs::acts(&Invocation {
            argv: &argv,
            cwd: &cwd,
            world: &self.overlay,
            assigned: &|_| None,
            input: &Value::default,
        });
        let by = By { program: name, span, certainty: Certainty::Assumed };
        for act in acts {
            self.act(st, act, &by, false, &Stream::Unknown);
        }
    }
}

/// Programs are looked up by their name without `.cmd` and the like.
fn plain_name<'a>(argv: &'a [Arg], lower: &str, name: &str) -> Cow<'a, [Arg]> {
    if lower == name || argv.is_empty() {
        return Cow::Borrowed(argv);
    }
    let mut all = argv.to_vec();
    all[0].value = Value::text(name);
    Cow::Owned(all)
}

fn nowhere_in(value: &Value) -> bool {
    value.prefix().contains('\0')
}

/// Each argument that a value becomes.
fn flat(val: &Val) -> Vec<Value> {
    match val {
        Val::Null => Vec::new(),
        Val::List(items) => items.iter().flat_map(flat).collect(),
        other => vec![other.string()],
    }
}

/// Words of a command line: blanks separate, double quotes hold together.
pub(super) fn words(line: &Value) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    let (mut quoted, mut open) = (false, false);
    for piece in &line.pieces {
        let Piece::Text(text) = piece else {
            if !open {
                out.push(Value::default());
                open = true;
            }
            if let Some(last) = out.last_mut() {
                last.push(piece.clone());
            }
            continue;
        };
        let mut word = String::new();
        for c in text.chars() {
            if c == '"' {
                quoted = !quoted;
                if !open {
                    out.push(Value::default());
                    open = true;
                }
            } else if c.is_whitespace() && !quoted {
                if let (true, Some(last)) = (open, out.last_mut()) {
                    last.push_str(&std::mem::take(&mut word));
                }
                open = false;
            } else {
                if !open {
                    out.push(Value::default());
                    open = true;
                }
                word.push(c);
            }
        }
        if let (true, Some(last)) = (open, out.last_mut()) {
            last.push_str(&word);
        }
    }
    out
}

/// Programs that leave nothing behind that their acts do not say.
fn is_tame(name: &str) -> bool {
    " git echo where whoami hostname findstr dir type more sort find ipconfig ping ls cat grep rg head tail wc "
        .contains(&format!(" {name} "))
}

fn program_of(language: Language) -> &'static str {
    match language {
        Language::Python => "python",
        Language::Node => "node",
        Language::Perl => "perl",
        Language::Ruby => "ruby",
        Language::Php => "php",
        Language::Awk => "awk",
        Language::Sed => "sed",
    }
}

/// The value with unknown parts back in place of the characters that stood for them.
fn filled(value: Value, holes: &[Piece]) -> Value {
    if holes.is_empty() {
        return value;
    }
    let mut out = Value::default();
    for piece in value.pieces {
        match piece {
            Piece::Text(s) => out.append(fill_holes(holes, &s)),
            other => out.push(other),
        }
    }
    out
}
