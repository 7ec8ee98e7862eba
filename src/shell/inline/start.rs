//! Programs and shells that a script starts.

use super::interp::{Args, Interp};
use super::val::Val;
use crate::shell::programs::{Act, Arg};
use crate::shell::{Dialect, EffectKind, Piece, Value};

impl Interp<'_> {
    pub(super) fn folder_for(&self, args: &Args) -> Option<Value> {
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

    pub(super) fn words(argv: &Val) -> Vec<Val> {
        match argv {
            Val::List(items) => items.as_ref().clone(),
            Val::Each(item) => vec![item.as_ref().clone()],
            Val::Lists(_) => Self::words(&argv.merged()),
            other => vec![other.clone()],
        }
    }

    /// A program is started with the list `argv`.
    pub(super) fn run(&mut self, list: &Val, args: &Args) {
        if let Val::Lists(lists) = list {
            for one in lists.iter() {
                self.run_one(one, args);
            }
        } else {
            self.run_one(list, args);
        }
    }

    fn run_one(&mut self, list: &Val, args: &Args) {
        let list = Self::words(list);
        self.shell_input(&list, args);
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
                more_from_stdin: None,
                stdin_placeholder: None,
            });
        }
    }

    /// A shell without a script reads what it is given as `input`.
    fn shell_input(&mut self, command: &[Val], args: &Args) {
        let Some(input) = args.named("input").filter(|v| v.is_string()).cloned() else { return };
        let Some((program, options)) = command.split_first() else { return };
        let name = program.known().unwrap_or_default();
        let shell = matches!(name.rsplit('/').next(), Some("sh" | "bash" | "zsh" | "dash"));
        if shell && options.iter().all(|o| o.known().is_some_and(|o| o.starts_with('-') && !o.contains('c'))) {
            self.shell(&input, args);
        }
    }

    /// `system`, `exec`: one text is a shell's, several are a command.
    pub(super) fn system(&mut self, args: &Args) {
        let pos: Vec<Val> = args.pos.iter().filter(|v| !matches!(v, Val::Map(_))).cloned().collect();
        let pos = match pos.as_slice() {
            [Val::List(items)] => items.as_ref().clone(),
            [lists @ Val::Lists(_)] => return self.run(lists, args),
            _ => pos,
        };
        match pos.as_slice() {
            [] => {}
            [one] => self.shell(one, args),
            _ => self.run(&Val::list(pos), args),
        }
    }

    /// A program and the list of its arguments; `whole`: the list begins with the program's name.
    pub(super) fn spawn(&mut self, program: &Val, list: Option<Val>, whole: bool, args: &Args) {
        let list = list.or_else(|| args.named("args").cloned());
        let mut words = vec![program.clone()];
        match list {
            Some(Val::List(items)) => {
                let room = if self.spend(items.len()) { items.len() } else { 0 };
                words.extend(items.iter().take(room).skip(usize::from(whole)).cloned());
            }
            Some(Val::Lists(lists)) if !lists.is_empty() => {
                for one in lists.iter() {
                    self.spawn(program, Some(one.clone()), whole, args);
                }
                return;
            }
            Some(v @ (Val::Each(_) | Val::Unknown | Val::Name(_))) => words.push(v.element()),
            _ => {}
        }
        if args.named("shell").is_some_and(Val::is_true) {
            let text = self.joined(&Val::text(" "), &Val::list(words));
            return self.shell(&text, args);
        }
        self.run(&Val::list(words), args);
    }

    pub(super) fn subprocess(&mut self, command: &Val, args: &Args) {
        let by_shell = args.named("shell").is_some_and(|v| v.is_true() || matches!(v, Val::Unknown | Val::Name(_)));
        match command {
            Val::Lists(lists) => {
                for one in lists.iter() {
                    self.subprocess(one, args);
                }
            }
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
    pub(super) fn perl_open(&mut self, second: &Val, args: &Args) {
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
