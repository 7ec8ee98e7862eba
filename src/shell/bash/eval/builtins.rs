//! The shell's own commands.

use std::borrow::Cow;
use std::rc::Rc;

use super::machine::{Eval, Io, Outcome, Status};
use super::state::{Flow, Slot, State, Var, add_alternative};
use super::values::{self, Stream};
use crate::limits;
use crate::shell::programs::Arg;
use crate::shell::programs::installs::{environment_around, list_separator};
use crate::shell::{Piece, Value};

impl Eval<'_> {
    /// Runs a builtin; `None` where `name` is none.
    pub(super) fn builtin(&mut self, st: &mut State, name: &str, args: &[Arg], io: &Io) -> Option<Outcome> {
        let rest = args.get(1..).unwrap_or_default();
        Some(match name {
            ":" | "true" => Outcome::silent(Status::True),
            "false" => Outcome::silent(Status::False),
            "cd" | "chdir" => self.cd(st, rest),
            "pushd" => self.pushd(st, rest),
            "popd" => self.popd(st, rest),
            "dirs" => Self::dirs(st, rest),
            "pwd" => self.pwd(st, rest),
            "echo" | "print" => {
                Outcome::new(Status::True, if io.capture { super::print::echo(rest) } else { Stream::empty() })
            }
            "printf" => self.printf(st, rest, io),
            "test" => Outcome::silent(self.test(st, rest)),
            "[" => Outcome::silent(self.bracket(st, rest)),
            "read" => self.read(st, rest, io),
            "mapfile" | "readarray" => self.mapfile(st, rest, io),
            "eval" => self.eval(st, rest, io),
            "source" | "." => self.source(st, name, rest, io),
            "exec" => self.exec(st, rest, io),
            "command" | "builtin" => self.command_builtin(st, rest, io),
            "unset" => self.unset(st, rest),
            "set" => set_options(st, rest),
            "shopt" | "setopt" => shopt(st, rest),
            "shift" => shift(st, rest),
            "trap" => self.trap(rest),
            "alias" => define_alias(st, rest),
            "unalias" => {
                st.aliases = Rc::default();
                Outcome::silent(Status::True)
            }
            "let" => self.let_builtin(st, rest),
            "getopts" => self.getopts(st, rest),
            "exit" | "logout" => leave(st, Flow::Exit, rest),
            "return" => leave(st, Flow::Return, rest),
            "break" => leave(st, Flow::Break(count(rest)), &[]),
            "continue" => leave(st, Flow::Continue(count(rest)), &[]),
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare_values(st, name, rest),
            "hash" => self.hash(st, rest, io),
            "type" | "which" | "whence" => self.find_programs(rest, io),
            "wait" | "jobs" | "fg" | "bg" | "disown" | "umask" | "ulimit" | "times" | "help" | "bind" | "caller"
            | "complete" | "compgen" | "compopt" | "enable" | "fc" | "suspend" | "kill" | "autoload" | "emulate"
            | "unsetopt" | "zmodload" | "rehash" => Outcome::new(Status::Likely, Stream::Unknown),
            _ => return None,
        })
    }

    fn eval(&mut self, st: &mut State, args: &[Arg], io: &Io) -> Outcome {
        let mut text = Value::default();
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                text.push_str(" ");
            }
            text.append(arg.value.clone());
        }
        if text.is_empty() {
            return Outcome::silent(Status::True);
        }
        let span = args.first().map(|a| a.span).unwrap_or_default();
        let text = values::capped(text);
        self.run_text(st, &text, span, io)
    }

    fn source(&mut self, st: &mut State, name: &str, args: &[Arg], io: &Io) -> Outcome {
        let args =
            if args.first().is_some_and(|a| a.value.known().as_deref() == Some("--")) { &args[1..] } else { args };
        let Some(file) = args.first() else { return Outcome::silent(Status::False) };
        let made = self.known_path(st, &file.value).map(|p| self.overlay.through_links(&p, true));
        let given = self.descriptor(&file.value, io);
        let own = given.is_some() || made.as_ref().is_some_and(|p| self.overlay.knows(p));
        let text = match (given, &made) {
            (Some(text), _) => text,
            (None, Some(path)) => self.file_text(path),
            (None, None) => Stream::Unknown,
        };
        self.read_effect(st, file, name);
        let Stream::Text(text) = text else {
            self.opaque_file(st, file, name);
            self.activated(st, made.as_deref());
            return Outcome::new(Status::Likely, Stream::Unknown);
        };
        let params = Rc::clone(&st.params);
        if args.len() > 1 {
            st.params = Rc::new(args.iter().skip(1).map(|a| a.value.clone()).collect());
        }
        let mut outcome = Outcome::new(Status::Likely, Stream::Unknown);
        self.returned.push(None);
        if own {
            // Its text stands in this very command.
            outcome = self.run_text(st, &text, file.span, io);
        } else {
            self.opaque_file(st, file, name);
            let mut copy = st.clone();
            self.in_passing(limits::MAX_SOURCED_STEPS, |eval| {
                eval.run_text(&mut copy, &text, file.span, io);
            });
            copy.flow = Flow::Next;
            *st = copy;
        }
        if st.flow == Flow::Return {
            st.flow = Flow::Next;
        }
        if let Some(returned) = self.returned.pop().flatten() {
            self.merge(st, returned);
        }
        st.params = params;
        self.activated(st, made.as_deref());
        outcome
    }

    /// `source .venv/bin/activate`: programs of that virtual environment come first from here on, which its text says in
    /// ways that depend on the system, or which stands in no text yet.
    fn activated(&self, st: &mut State, file: Option<&str>) {
        let model = self.world.model();
        let Some(file) = file.filter(|f| model.base_name(f) == "activate") else { return };
        let Some(environment) = environment_around(model, file) else { return };
        let before = st.var("PATH").and_then(|slot| slot.var.joined());
        let mut path = Value::text(model.parent(file).unwrap_or_default());
        path.push_str(list_separator(model).encode_utf8(&mut [0; 4]));
        path.append(before.unwrap_or_else(|| Value::text(self.world.env("PATH").unwrap_or_default())));
        let var = |value| Some(Slot { var: Var::one(value), exported: true });
        st.put("VIRTUAL_ENV", var(Value::text(environment)));
        st.put("PATH", var(values::capped(path)));
    }

    fn exec(&mut self, st: &mut State, args: &[Arg], io: &Io) -> Outcome {
        let mut args = args;
        while let Some(first) = args.first() {
            match first.value.known().as_deref() {
                Some("-c" | "-l" | "-cl" | "-lc" | "--") => args = &args[1..],
                Some("-a") => args = args.get(2..).unwrap_or_default(),
                _ => break,
            }
        }
        if args.is_empty() {
            return Outcome::silent(Status::True);
        }
        let outcome = self.invoke(st, args, io);
        st.flow = Flow::Exit;
        Outcome { failed: None, ..outcome }
    }

    fn command_builtin(&mut self, st: &mut State, args: &[Arg], io: &Io) -> Outcome {
        let mut args = args;
        while let Some(first) = args.first() {
            match first.value.known() {
                Some(flag) if matches!(flag.as_ref(), "-v" | "-V" | "-pv") => {
                    return self.find_programs(&args[1..], io);
                }
                Some(flag) if matches!(flag.as_ref(), "-p" | "--") => args = &args[1..],
                _ => break,
            }
        }
        self.rerun(st, args, io)
    }

    /// `hash -p PATH NAME`: from here on the name stands for that program.
    fn hash(&mut self, st: &mut State, args: &[Arg], io: &Io) -> Outcome {
        let at = args.iter().position(|a| a.value.known().as_deref() == Some("-p"));
        if let Some([path, name, ..]) = at.map(|at| &args[at + 1..])
            && let (Some(path), Some(name)) = (path.value.known(), name.value.known())
        {
            let text = shell_words::quote(&path).into_owned();
            Rc::make_mut(&mut st.aliases).insert(name.into_owned(), text);
            return Outcome::silent(Status::True);
        }
        self.find_programs(args, io)
    }

    /// `command -v x`, `which x`: the path of an existing program.
    fn find_programs(&mut self, args: &[Arg], io: &Io) -> Outcome {
        let mut out = Stream::empty();
        if io.capture {
            for arg in args {
                match arg.value.known() {
                    Some(flag) if flag.starts_with('-') => {}
                    Some(name) => out = out.then(Stream::Text(self.program_path(&name))),
                    None => out = Stream::Unknown,
                }
            }
        }
        Outcome::new(Status::Unknown, out)
    }

    fn program_path(&self, name: &str) -> Value {
        if let Some(path) = self.world.env("PATH").filter(|_| !name.contains('/')) {
            for dir in path.split(':').filter(|d| d.starts_with('/')).take(64) {
                let candidate = format!("{}/{name}", dir.trim_end_matches('/'));
                if self.world.target(&candidate).is_some() {
                    return Value::text(candidate + "\n");
                }
            }
        }
        let end = if name.contains('/') { "\n".to_owned() } else { format!("/{name}\n") };
        Value { pieces: vec![Piece::Under("/usr".to_owned()), Piece::Text(end)] }
    }

    fn unset(&mut self, st: &mut State, args: &[Arg]) -> Outcome {
        let mut functions = false;
        for arg in args {
            match arg.value.known().as_deref() {
                Some("-f") => functions = true,
                Some("-v" | "-n") => functions = false,
                Some(name) if functions => {
                    Rc::make_mut(&mut st.functions).remove(name);
                }
                Some(name) if super::declare::is_name(name) => st.set(name, Var::Unset, self.world),
                _ => {}
            }
        }
        Outcome::silent(Status::True)
    }

    fn trap(&mut self, args: &[Arg]) -> Outcome {
        let args = match args.first().and_then(|a| a.value.known()).as_deref() {
            Some("--") => &args[1..],
            Some("-l" | "-p") => &[],
            _ => args,
        };
        if let [action, _, ..] = args
            && !matches!(action.value.known().as_deref(), Some("" | "-"))
            && self.traps.len() < limits::MAX_EXPANSION
        {
            self.traps.push((action.value.clone(), action.span));
        }
        Outcome::silent(Status::True)
    }

    /// Runs what was left for the shell's end.
    pub(super) fn run_traps(&mut self, st: &mut State) {
        let io = Io::new(Stream::Unknown, false);
        for (text, span) in std::mem::take(&mut self.traps) {
            st.flow = Flow::Next;
            let mut copy = st.clone();
            self.run_text(&mut copy, &text, span, &io);
        }
    }

    fn let_builtin(&mut self, st: &mut State, args: &[Arg]) -> Outcome {
        let mut last = None;
        for arg in args {
            last = arg.value.known().map(Cow::into_owned).and_then(|text| self.arith_text(st, &text));
        }
        Outcome::silent(Status::of(last.map(|n| n != 0)))
    }

    fn getopts(&mut self, st: &mut State, args: &[Arg]) -> Outcome {
        if let Some(name) = args.get(1).and_then(|a| a.value.known()) {
            let params = args.get(2..).unwrap_or_default();
            let values: Vec<Value> =
                if params.is_empty() { st.params.to_vec() } else { params.iter().map(|a| a.value.clone()).collect() };
            if values.is_empty() {
                return Outcome::silent(Status::False);
            }
            if let Some((letters, arguments)) = given_options(&args[0].value, &values) {
                if letters.is_empty() {
                    return Outcome::silent(Status::False);
                }
                st.set(&name, Var::Scalar(letters), self.world);
                if !arguments.is_empty() {
                    st.set("OPTARG", Var::Scalar(arguments), self.world);
                }
                st.set("OPTIND", Var::one(Value::name()), self.world);
                return Outcome::silent(Status::Unknown);
            }
            st.set(&name, Var::one(Value::name()), self.world);
            st.set("OPTARG", Var::one(values::join_all(&values)), self.world);
            st.set("OPTIND", Var::one(Value::name()), self.world);
        }
        Outcome::silent(Status::Unknown)
    }

    /// A declaration builtin with expanded words (`command export A=b`).
    fn declare_values(&mut self, st: &mut State, builtin: &str, args: &[Arg]) -> Outcome {
        let is_option = |text: &str| text.len() > 1 && text.starts_with('-') && text != "--";
        let mut options = args.iter().map_while(|a| a.value.known()).take_while(|text| is_option(text));
        let functions = builtin == "export" && options.any(|text| text.contains('f'));
        for arg in args {
            let prefix = arg.value.prefix();
            if functions {
                st.export_function(prefix);
            } else if let Some(at) = prefix.find('=')
                && super::declare::is_name(&prefix[..at])
            {
                let name = prefix[..at].to_owned();
                self.store(st, &name, None, false, arg.value.skip(at + 1));
                if builtin == "export" {
                    st.export(&name, true, self.world);
                }
            } else if builtin == "export" && super::declare::is_name(prefix) {
                st.export(prefix, true, self.world);
            }
        }
        Outcome::silent(Status::True)
    }
}

/// The letters that `getopts` finds among these words, and their arguments; `None` where they can't be told.
fn given_options(wanted: &Value, words: &[Value]) -> Option<(Vec<Value>, Vec<Value>)> {
    let wanted = wanted.known().filter(|letters| letters.len() <= 256)?;
    let (mut letters, mut arguments) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.prefix();
        if !text.starts_with('-') || text.len() < 2 || text == "--" {
            // An unknown word may be an option.
            return if text.is_empty() && !word.is_empty() { None } else { Some((letters, arguments)) };
        }
        for (at, letter) in text.char_indices().skip(1) {
            add_alternative(&mut letters, &Value::text(letter.to_string()));
            let takes = wanted.find(letter).is_some_and(|i| wanted[i + letter.len_utf8()..].starts_with(':'));
            if takes {
                let attached = word.skip(at + letter.len_utf8());
                let argument = if attached.is_empty() { words.next().cloned() } else { Some(attached) };
                if let Some(argument) = argument {
                    add_alternative(&mut arguments, &argument);
                }
                break;
            }
        }
    }
    Some((letters, arguments))
}

fn shift(st: &mut State, args: &[Arg]) -> Outcome {
    let n = args.first().map_or(Some(1), |a| a.value.known()?.parse::<usize>().ok());
    let status = match n {
        Some(n) if n > st.params.len() => Status::False,
        Some(n) => {
            st.params = Rc::new(st.params.iter().skip(n).cloned().collect());
            Status::True
        }
        None => Status::Unknown,
    };
    Outcome::silent(status)
}

fn count(args: &[Arg]) -> u32 {
    args.first().and_then(|a| a.value.known()?.parse().ok()).unwrap_or(1).max(1)
}

fn leave(st: &mut State, flow: Flow, args: &[Arg]) -> Outcome {
    st.flow = flow;
    let status = match (flow, args.first().map(|a| a.value.known())) {
        (Flow::Break(_) | Flow::Continue(_), _) => Status::True,
        (_, Some(Some(code))) => Status::of(Some(code == "0")),
        _ => Status::Unknown,
    };
    Outcome::silent(status)
}

fn set_options(st: &mut State, args: &[Arg]) -> Outcome {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        match arg.value.known().as_deref() {
            Some("--") => {
                st.params = Rc::new(args[at + 1..].iter().map(|a| a.value.clone()).collect());
                break;
            }
            Some(sign @ ("-o" | "+o")) => {
                at += 1;
                if args.get(at).is_some_and(|a| a.value.known().as_deref() == Some("allexport")) {
                    st.allexport = sign == "-o";
                }
            }
            Some(flags) if flags.starts_with(['-', '+']) && flags.len() > 1 => {
                let on = flags.starts_with('-');
                if flags.contains('f') {
                    st.noglob = on;
                }
                if flags.contains('a') {
                    st.allexport = on;
                }
            }
            _ => {
                st.params = Rc::new(args[at..].iter().map(|a| a.value.clone()).collect());
                break;
            }
        }
        at += 1;
    }
    Outcome::silent(Status::True)
}

fn shopt(st: &mut State, args: &[Arg]) -> Outcome {
    let off = args.iter().any(|a| a.value.known().as_deref() == Some("-u"));
    for arg in args {
        match arg.value.known().as_deref() {
            Some("nullglob" | "null_glob") => st.nullglob = !off,
            Some("dotglob" | "glob_dots") => st.dotglob = !off,
            Some("globstar") => st.globstar = !off,
            Some("cdable_vars" | "cdablevars") => st.cdable = !off,
            _ => {}
        }
    }
    Outcome::silent(Status::Likely)
}

fn define_alias(st: &mut State, args: &[Arg]) -> Outcome {
    for arg in args {
        if let Some(text) = arg.value.known()
            && let Some((name, body)) = text.split_once('=')
        {
            Rc::make_mut(&mut st.aliases).insert(name.to_owned(), body.to_owned());
        }
    }
    Outcome::new(Status::True, Stream::Unknown)
}
