//! What programs print, as far as it can be told from their arguments.

use std::borrow::Cow;

use super::machine::{Eval, Io, Status};
use super::state::State;
use super::values::{self, Stream};
use crate::limits::MAX_TURNS;
use crate::shell::programs::Arg;
use crate::shell::{Piece, Value};

/// Programs whose success nobody can take for granted.
pub(super) fn expected_status(name: &str) -> Status {
    match name {
        "true" => Status::True,
        "false" => Status::False,
        "test" | "[" | "grep" | "egrep" | "fgrep" | "rg" | "ag" | "diff" | "cmp" | "pgrep" | "pidof" | "id"
        | "getent" | "which" | "systemctl" | "ping" | "nc" | "lsof" | "killall" | "pkill" | "kill" | "mountpoint"
        | "timeout" => Status::Unknown,
        _ => Status::Likely,
    }
}

/// Programs that change nothing on the disk but what their acts say.
pub(super) fn is_tame(name: &str) -> bool {
    const TAME: &str = " echo printf cat ls pwd mkdir touch cp mv rm ln chmod chown chgrp rmdir head tail sort uniq wc grep egrep \
        fgrep rg sed awk gawk cut tr date basename dirname realpath readlink mktemp find xargs sudo env timeout nohup nice \
        time tee test [ seq sleep stat du df id whoami hostname uname which diff cmp file tree true false expr nproc ";
    !name.is_empty() && !name.contains(' ') && TAME.contains(&format!(" {name} "))
}

/// Programs that print nothing unless they are asked to.
fn is_silent(name: &str) -> bool {
    matches!(
        name,
        "mkdir"
            | "touch"
            | "cp"
            | "mv"
            | "rm"
            | "ln"
            | "chmod"
            | "chown"
            | "chgrp"
            | "rmdir"
            | "install"
            | "sleep"
            | "true"
            | "false"
            | "test"
            | "["
            | "truncate"
            | "sync"
            | "wsguard-hook"
    )
}

impl Eval<'_> {
    /// The standard output of a program; `None` where nothing is known of it, or where it is that of the program
    /// that it starts.
    pub(super) fn output(&mut self, st: &mut State, name: &str, args: &[Arg], io: &Io) -> Option<Stream> {
        Some(match name {
            "echo" => super::print::echo(args),
            "printf" => super::print::format(args),
            "pwd" => line(st.folder()),
            "tee" => io.stdin.borrow().clone(),
            "cat" | "bat" => self.files_or_stdin(st, args, io),
            // Without a program it prints the words in one line.
            "xargs"
                if args
                    .iter()
                    .all(|a| matches!(a.value.known().as_deref(), Some("-0" | "-r" | "-d" | "\n" | "\\n"))) =>
            {
                let Stream::Text(text) = &*io.stdin.borrow() else { return Some(Stream::Unknown) };
                let words = |s: &str| s.trim_end_matches('\n').replace(['\n', '\0'], " ");
                let pieces = text.pieces.iter().map(|p| match p {
                    Piece::Text(s) => Piece::Text(words(s)),
                    other => other.clone(),
                });
                line(Value { pieces: pieces.collect() })
            }
            "base64" | "gbase64" => {
                let input = self.files_or_stdin(st, args, io);
                super::decode::base64(args, &input).unwrap_or(Stream::Unknown)
            }
            "basename" => base_names(args),
            "dirname" => each_line(args, |v| values::dir_name(&v)),
            "realpath" | "readlink" | "grealpath" | "greadlink" => self.real_paths(st, name, args),
            "date" | "gdate" => date(args),
            "mktemp" => self.temporary(st, args),
            "ls" => self.listing(st, args),
            "find" | "fd" | "fdfind" => self.found_paths(st, name, args)?,
            "grep" | "egrep" | "fgrep" | "rg" | "sort" | "uniq" | "shuf" | "tac" | "head" | "tail" => {
                self.filtered(st, name, args, io)
            }
            "cut" | "tr" | "sed" | "awk" | "gawk" | "mawk" | "xxd" | "rev" => super::filters::reshaped(name, args, io),
            "git" => self.git_output(st, args)?,
            "seq" => sequence(args),
            "printenv" => match args.first().and_then(|a| a.value.known()) {
                Some(name) => self.variable(st, &name).map_or_else(Stream::empty, line),
                None => Stream::Unknown,
            },
            "whoami" | "logname" => line(self.variable(st, "USER").unwrap_or_else(Value::name)),
            "openssl" if args.iter().any(|a| a.value.known().as_deref() == Some("-hex")) => line(Value::name()),
            "wc" | "nproc" | "id" | "hostname" | "uname" | "stat" | "expr" | "uuidgen" | "arch" | "tty" | "getconf"
            | "lsb_release" | "sw_vers" | "dpkg-architecture" | "bc" | "cksum" | "factor" | "numfmt" | "pgrep"
            | "pidof" => {
                if args.iter().any(|a| a.value.known().is_some_and(|v| v.contains('/') || v.contains('%')))
                    && matches!(name, "stat" | "wc" | "cksum" | "expr")
                {
                    Stream::Unknown
                } else {
                    Stream::Lines(Value::name())
                }
            }
            _ if is_silent(name) => {
                let loud = args
                    .iter()
                    .any(|a| matches!(a.value.known().as_deref(), Some("-v" | "--verbose" | "-pv" | "-rv" | "-av")));
                if loud { Stream::Unknown } else { Stream::empty() }
            }
            _ => return None,
        })
    }

    pub(super) fn files_or_stdin(&mut self, st: &State, args: &[Arg], io: &Io) -> Stream {
        let mut out = Stream::empty();
        let mut any = false;
        for arg in operands(args) {
            any = true;
            if arg.value.known().as_deref() == Some("-") {
                out = out.then(io.take_stdin());
                continue;
            }
            let text = match self.known_path(st, &arg.value) {
                Some(path) => {
                    let path = self.overlay.through_links(&path, true);
                    if path == "/dev/stdin" { io.take_stdin() } else { self.file_text(&path) }
                }
                None => Stream::Unknown,
            };
            out = out.then(text);
        }
        if any { out } else { io.take_stdin() }
    }
}

pub(super) fn line(mut value: Value) -> Stream {
    value.push_str("\n");
    Stream::Text(value)
}

/// The arguments that are no options.
pub(super) fn operands(args: &[Arg]) -> impl Iterator<Item = &Arg> {
    let mut options = true;
    args.iter().filter(move |a| match a.value.known() {
        Some(v) if options && v == "--" => {
            options = false;
            false
        }
        Some(v) => !(options && v.starts_with('-') && v.len() > 1),
        None => !(options && a.value.prefix().starts_with('-')),
    })
}

fn each_line(args: &[Arg], f: impl Fn(Value) -> Value) -> Stream {
    if args.len() > crate::limits::MAX_EXPANSION {
        return Stream::Unknown;
    }
    let mut out = Stream::empty();
    for arg in operands(args) {
        out = out.then(line(f(arg.value.clone())));
    }
    out
}

fn base_names(args: &[Arg]) -> Stream {
    let mut several = false;
    let mut suffix: Option<Value> = None;
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        at += 1;
        match arg.value.known().as_deref() {
            Some("-a" | "--multiple") => several = true,
            Some("-s") => {
                suffix = args.get(at).map(|a| a.value.clone());
                several = true;
                at += 1;
            }
            Some("-z" | "--") => {}
            _ => names.push(arg.value.clone()),
        }
    }
    if !several && names.len() == 2 {
        suffix = names.pop();
    }
    if names.len() > crate::limits::MAX_EXPANSION {
        return Stream::Unknown;
    }
    let mut out = Stream::empty();
    for name in names {
        let mut base = values::base_name(&name);
        let alone = base.pieces.len() == 1;
        if let Some(suffix) = suffix.as_ref().and_then(Value::known)
            && let Some(Piece::Text(end)) = base.pieces.last_mut()
            && end.ends_with(suffix.as_ref())
            && !(alone && end.len() == suffix.len())
        {
            end.truncate(end.len() - suffix.len());
            base.pieces.retain(|p| !matches!(p, Piece::Text(s) if s.is_empty()));
        }
        out = out.then(line(base));
    }
    out
}

/// A date holds separators where its format does.
fn date(args: &[Arg]) -> Stream {
    let format = args.iter().find_map(|a| a.value.known().filter(|v| v.starts_with('+')).map(Cow::into_owned));
    let mut value = Value::default();
    match format {
        Some(format) if format.contains("%D") || format.contains("%x") => return Stream::Unknown,
        Some(format) => {
            let mut chars = format[1..].chars().peekable();
            while let Some(c) = chars.next() {
                if c != '%' {
                    value.push_str(c.encode_utf8(&mut [0; 4]));
                    continue;
                }
                while chars
                    .next_if(|c| matches!(c, '-' | '_' | '0' | '^' | '#' | ':' | '1'..='9' | 'E' | 'O'))
                    .is_some()
                {}
                match chars.next() {
                    Some('%') => value.push_str("%"),
                    Some('n') => value.push_str("\n"),
                    Some('t') => value.push_str("\t"),
                    _ => value.push(Piece::Name),
                }
            }
        }
        None => value.push(Piece::Name),
    }
    line(value)
}

fn sequence(args: &[Arg]) -> Stream {
    let numbers: Option<Vec<i64>> = operands_or_numbers(args).map(|a| a.value.known()?.parse().ok()).collect();
    let range = match numbers.as_deref() {
        Some([last]) => Some((1, 1, *last)),
        Some([first, last]) => Some((*first, 1, *last)),
        Some([first, step, last]) if *step != 0 => Some((*first, *step, *last)),
        _ => None,
    };
    let plain = args.iter().all(|a| a.value.known().is_some_and(|v| v.parse::<i64>().is_ok()));
    let (Some((first, step, last)), true) = (range, plain) else { return Stream::Lines(Value::name()) };
    if last.abs_diff(first) / step.unsigned_abs() >= MAX_TURNS as u64 {
        return Stream::Lines(Value::name());
    }
    let mut text = String::new();
    let mut n = first;
    while if step > 0 { n <= last } else { n >= last } {
        text.push_str(&n.to_string());
        text.push('\n');
        n = n.saturating_add(step);
    }
    Stream::text(text)
}

fn operands_or_numbers(args: &[Arg]) -> impl Iterator<Item = &Arg> {
    args.iter().filter(|a| a.value.known().is_none_or(|v| !v.starts_with('-') || v.parse::<i64>().is_ok()))
}
