//! What programs print, as far as it can be told from their arguments.

use std::borrow::Cow;

use super::machine::{Eval, Io, Status};
use super::state::State;
use super::values::{self, Stream};
use crate::limits::MAX_TURNS;
use crate::path::resolve;
use crate::shell::programs::Arg;
use crate::shell::{Piece, Target, Value};
use crate::world::{EntryKind, World};

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
            "cut" | "tr" | "sed" | "awk" | "gawk" | "mawk" | "xxd" | "rev" => reshaped(name, args, io),
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

    fn files_or_stdin(&mut self, st: &State, args: &[Arg], io: &Io) -> Stream {
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

    fn real_paths(&mut self, st: &State, name: &str, args: &[Arg]) -> Stream {
        let follows = name.ends_with("realpath")
            || args.iter().any(|a| {
                a.value.known().is_some_and(|v| {
                    v.starts_with("--canonicalize")
                        || v.starts_with('-') && !v.starts_with("--") && v.contains(['f', 'e', 'm'])
                })
            });
        if args.iter().any(|a| a.value.prefix().starts_with("--relative")) {
            return Stream::Unknown;
        }
        let mut out = Stream::empty();
        for arg in operands(args) {
            let value = match self.target(&st.folder(), &arg.value, true) {
                Target::Path(path) if follows => Value::text(resolve(&self.overlay, &path, true).path),
                Target::Path(path) => self.overlay.read_link(&path).map_or_else(Value::any, Value::text),
                Target::Inside(folder) => Value::under(folder),
                Target::Opaque => Value::any(),
            };
            out = out.then(line(value));
        }
        out
    }

    fn temporary(&mut self, st: &mut State, args: &[Arg]) -> Stream {
        let temp = match self.variable(st, "TMPDIR").filter(|v| !v.is_empty()) {
            Some(dir) => dir,
            None => Value::text("/tmp"),
        };
        let mut folder: Option<Value> = None;
        let mut template: Option<Value> = None;
        let mut in_temp = false;
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            at += 1;
            match arg.value.known().as_deref() {
                Some("-p") => {
                    folder = args.get(at).map(|a| a.value.clone());
                    at += 1;
                }
                Some("--tmpdir" | "-t") => in_temp = true,
                Some("--suffix") => at += 1,
                _ if arg.value.prefix().starts_with("--tmpdir=") => folder = Some(arg.value.skip("--tmpdir=".len())),
                _ if arg.value.prefix().starts_with("-p") => folder = Some(arg.value.skip(2)),
                Some(flag) if flag.starts_with('-') => in_temp |= !flag.starts_with("--") && flag.contains('t'),
                _ => template = Some(arg.value.clone()),
            }
        }
        let folder = folder.filter(|f| !f.is_empty()).or(in_temp.then(|| temp.clone()));
        let mut path = match (&folder, &template) {
            (Some(folder), _) => folder.clone(),
            (None, Some(_)) => Value::default(),
            (None, None) => temp,
        };
        if !path.is_empty() {
            path.push_str("/");
        }
        if let Some(template) = template {
            for piece in template.pieces {
                match piece {
                    Piece::Text(s) => match s.rfind("XXX") {
                        Some(_) => {
                            let start = s.find("XXX").unwrap_or(0);
                            path.push_str(&s[..start]);
                            path.push(Piece::Name);
                            path.push_str(s[start..].trim_start_matches('X'));
                        }
                        None => path.push_str(&s),
                    },
                    other => path.push(other),
                }
            }
        } else {
            path.push_str("tmp.");
            path.push(Piece::Name);
        }
        line(path)
    }

    fn listing(&mut self, st: &State, args: &[Arg]) -> Stream {
        let flags: String = args.iter().filter_map(|a| a.value.known()).filter(|v| v.starts_with('-')).collect();
        if flags.contains(['l', 'R', 's', 'i', 'n', 'g', 'o', 'F']) {
            return Stream::Unknown;
        }
        let whole = flags.contains('d');
        let mut lines = Vec::new();
        for arg in operands(args) {
            let folder = match self.known_path(st, &arg.value) {
                Some(path) => match self.overlay.target(&path) {
                    Some(EntryKind::Dir) => true,
                    Some(_) => false,
                    None => continue,
                },
                None => !matches!(arg.value.pieces.last(), Some(Piece::Text(_))),
            };
            lines.push(if whole || !folder { arg.value.clone() } else { Value::name() });
        }
        if operands(args).next().is_none() {
            lines.push(Value::name());
        }
        match lines.as_slice() {
            [] => Stream::empty(),
            [one] if one.known().is_some() => line(one.clone()),
            _ => Stream::Lines(values::join_all(&lines)),
        }
    }

    fn found_paths(&mut self, st: &State, name: &str, args: &[Arg]) -> Option<Stream> {
        let text = |a: &Arg| a.value.known().map(Cow::into_owned).unwrap_or_default();
        if args.iter().any(|a| {
            matches!(text(a).as_str(), "-exec" | "-execdir" | "-ok" | "-x" | "-X" | "--exec" | "-delete" | "-ls")
        }) {
            return None;
        }
        if let Some(at) = args.iter().position(|a| text(a) == "-printf") {
            let format = args.get(at + 1).map(text).unwrap_or_default();
            let directives: String = format.split('%').skip(1).filter_map(|s| s.chars().next()).collect();
            return Some(match directives.as_str() {
                "f" | "T" | "s" => Stream::Lines(Value::name()),
                "p" | "h" => Stream::Lines(self.below(st, name, args)),
                _ => Stream::Unknown,
            });
        }
        Some(Stream::Lines(self.below(st, name, args)))
    }

    /// A path below the folders that a search is given.
    fn below(&mut self, st: &State, name: &str, args: &[Arg]) -> Value {
        let mut roots = Vec::new();
        let starts: Vec<&Arg> = if name == "find" {
            let first = args.iter().skip_while(|a| matches!(a.value.known().as_deref(), Some("-L" | "-H" | "-P")));
            first.take_while(|a| !a.value.prefix().starts_with(['-', '(', '!'])).collect()
        } else {
            operands(args).skip(1).collect()
        };
        for arg in starts {
            roots.push(match self.target(&st.folder(), &arg.value, true) {
                Target::Path(path) | Target::Inside(path) => Value::under(path),
                Target::Opaque => Value::any(),
            });
        }
        if roots.is_empty() {
            return match st.known_folder() {
                Some(path) => Value::under(path),
                None => st.folder(),
            };
        }
        values::join_all(&roots)
    }

    fn filtered(&mut self, st: &State, name: &str, args: &[Arg], io: &Io) -> Stream {
        let flag = |letter: char| {
            args.iter().any(|a| {
                a.value.known().is_some_and(|v| v.starts_with('-') && !v.starts_with("--") && v.contains(letter))
            })
        };
        let greps = matches!(name, "grep" | "egrep" | "fgrep" | "rg");
        if greps && flag('c') {
            return Stream::Lines(Value::name());
        }
        if greps && (flag('l') || flag('L')) {
            let places: Vec<Value> = operands(args).skip(1).map(|a| a.value.clone()).collect();
            if places.is_empty() {
                return Stream::Lines(st.known_folder().map_or_else(Value::any, Value::under));
            }
            let roots: Vec<Value> = places
                .iter()
                .map(|v| match self.target(&st.folder(), v, true) {
                    Target::Path(path) | Target::Inside(path) => Value::under(path),
                    Target::Opaque => Value::any(),
                })
                .collect();
            return Stream::Lines(values::join_all(&roots));
        }
        // How many operands are no files: a pattern, a count.
        let own = usize::from(greps && !flag('e') && !flag('f'))
            + usize::from(
                matches!(name, "head" | "tail")
                    && args.iter().any(|a| matches!(a.value.known().as_deref(), Some("-n" | "-c"))),
            );
        let files: Vec<&Arg> = operands(args).skip(own).collect();
        let source = match files.as_slice() {
            [] => io.take_stdin(),
            [one] => self.files_or_stdin(st, std::slice::from_ref(*one), io),
            _ => return Stream::Unknown,
        };
        if greps && flag('o') {
            return if values::is_plain_name(&source.any_line()) {
                Stream::Lines(Value::name())
            } else {
                Stream::Unknown
            };
        }
        if matches!(name, "head" | "tail") {
            return ends(name == "head", args, &source);
        }
        if name == "uniq" && flag('c') {
            return Stream::Unknown;
        }
        source.some_lines()
    }

    fn git_output(&mut self, st: &State, args: &[Arg]) -> Option<Stream> {
        let mut folder = st.folder();
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            match arg.value.known().as_deref() {
                Some("-C") => {
                    let place = args.get(at + 1)?;
                    folder = match self.target(&folder, &place.value, true) {
                        Target::Path(path) => Value::text(path),
                        Target::Inside(path) => Value::under(path),
                        Target::Opaque => Value::any(),
                    };
                    at += 2;
                }
                Some("-c") => at += 2,
                Some(flag) if flag.starts_with('-') => at += 1,
                _ => break,
            }
        }
        let words: Vec<Cow<'_, str>> = args.get(at..)?.iter().map(|a| a.value.known().unwrap_or_default()).collect();
        let has = |s: &str| words.iter().any(|w| w == s);
        let starts = |s: &str| words.iter().any(|w| w.starts_with(s));
        Some(match words.first().map(AsRef::as_ref)? {
            "rev-parse" if has("--show-toplevel") => line(self.top_level(&folder)),
            "rev-parse" if has("--git-dir") || has("--git-common-dir") => line(self.top_level_git(&folder)),
            "rev-parse" if has("--abbrev-ref") => line(Value::any()),
            "rev-parse" | "rev-list" | "describe" | "hash-object" | "write-tree" | "commit-tree" | "merge-base" => {
                Stream::Lines(Value::name())
            }
            "ls-files" | "ls-tree" => Stream::Lines(below_value(&folder)),
            "diff" | "show" if has("--name-only") => Stream::Lines(below_value(&self.top_level(&folder))),
            "log"
                if starts("--format=%h")
                    || starts("--format=%H")
                    || starts("--pretty=%h")
                    || starts("--format=%ct") =>
            {
                Stream::Lines(Value::name())
            }
            "clone" | "init" | "add" | "commit" | "checkout" | "switch" | "worktree" => return None,
            _ => Stream::Unknown,
        })
    }

    /// The top of the repository that `folder` lies in.
    fn top_level(&mut self, folder: &Value) -> Value {
        let model = self.world.model();
        let Some(start) = folder.known().filter(|f| model.is_absolute(f)) else { return Value::any() };
        let mut at = Some(start.as_ref());
        while let Some(dir) = at {
            if self.overlay.entry(&model.join(dir, ".git")).is_some() {
                return Value::text(dir);
            }
            at = model.parent(dir);
        }
        // No repository: git prints nothing.
        Value::default()
    }

    fn top_level_git(&mut self, folder: &Value) -> Value {
        let mut top = self.top_level(folder);
        if !top.is_empty() {
            top.push_str("/.git");
        }
        top
    }
}

fn below_value(folder: &Value) -> Value {
    match folder.pieces.as_slice() {
        [Piece::Text(s)] => Value::under(s.clone()),
        _ => folder.clone(),
    }
}

fn line(mut value: Value) -> Stream {
    value.push_str("\n");
    Stream::Text(value)
}

/// The arguments that are no options.
fn operands(args: &[Arg]) -> impl Iterator<Item = &Arg> {
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
    let mut out = Stream::empty();
    for arg in operands(args).take(crate::limits::MAX_EXPANSION) {
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
    let mut out = Stream::empty();
    for name in names.into_iter().take(crate::limits::MAX_EXPANSION) {
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
            for (i, part) in format[1..].split('/').enumerate() {
                if i > 0 {
                    value.push_str("/");
                }
                let at = part.find('%').unwrap_or(part.len());
                value.push_str(&part[..at]);
                if at < part.len() {
                    value.push(Piece::Name);
                }
            }
        }
        None => value.push(Piece::Name),
    }
    line(value)
}

fn ends(head: bool, args: &[Arg], source: &Stream) -> Stream {
    let bytes = args.iter().any(|a| a.value.known().is_some_and(|v| v.starts_with("-c")));
    if bytes {
        return if values::is_plain_name(&source.any_line()) { Stream::Lines(Value::name()) } else { Stream::Unknown };
    }
    let mut count = Some(10usize);
    for (i, arg) in args.iter().enumerate() {
        let Some(text) = arg.value.known() else { continue };
        if text == "-n" || text == "--lines" {
            count = args.get(i + 1).and_then(|a| a.value.known()?.parse().ok());
        } else if let Some(n) = text.strip_prefix("-n").or_else(|| text.strip_prefix("--lines=")) {
            count = n.parse().ok();
        } else if let Some(n) = text.strip_prefix('-')
            && let Ok(n) = n.parse()
        {
            count = Some(n);
        }
    }
    let (Some(count), Some(lines)) = (count, source.lines()) else { return source.some_lines() };
    if lines.iter().any(|l| l.pieces.contains(&Piece::Any)) {
        return source.some_lines();
    }
    let skip = if head { 0 } else { lines.len().saturating_sub(count) };
    let mut out = Stream::empty();
    for value in lines.into_iter().skip(skip).take(count) {
        out = out.then(line(value));
    }
    out
}

/// Programs that take lines apart: names stay names.
fn reshaped(name: &str, args: &[Arg], io: &Io) -> Stream {
    let stdin = io.take_stdin();
    let texts: Vec<Cow<'_, str>> = args.iter().filter_map(|a| a.value.known()).collect();
    let files = args.len() > 1 && matches!(name, "sed" | "awk" | "gawk" | "mawk") && operands(args).count() > 1;
    if files {
        return Stream::Unknown;
    }
    if name == "tr" {
        return translated(&texts, &stdin);
    }
    let has_slash = match name {
        "sed" => texts
            .iter()
            .any(|t| t.contains("\\/") || t.contains("s|") || t.contains("s#") || t.contains("s,") || t.contains("s@")),
        "awk" | "gawk" | "mawk" => texts.iter().any(|t| t.contains("\"/") || t.contains("/\"")),
        _ => false,
    };
    let one_field = name == "cut" && texts.iter().any(|t| matches!(t.as_ref(), "-d/" | "/"));
    let no_list = texts
        .iter()
        .any(|t| t.strip_prefix("-f").is_some_and(|f| f.parse::<u32>().is_ok()) || t.parse::<u32>().is_ok());
    if name == "xxd" || one_field && no_list || !has_slash && values::is_plain_name(&stdin.any_line()) {
        return if stdin.is_empty() { Stream::empty() } else { Stream::Lines(Value::name()) };
    }
    Stream::Unknown
}

/// `tr`: simple sets are computed, otherwise only what can't remain is known.
fn translated(texts: &[Cow<'_, str>], stdin: &Stream) -> Stream {
    let sets: Vec<&str> = texts.iter().map(AsRef::as_ref).filter(|t| !t.starts_with('-') || t.len() < 2).collect();
    let flags: String = texts.iter().filter(|t| t.starts_with('-') && t.len() > 1).map(|t| &t[1..]).collect();
    let plain = |s: &str| !s.contains(['[', '\\', '-']);
    if let (Stream::Text(value), "", [from, to]) = (stdin, flags.as_str(), sets.as_slice())
        && let Some(text) = value.known()
    {
        let ranges = [("a-z", "A-Z"), ("[:lower:]", "[:upper:]")];
        if ranges.iter().any(|(lower, upper)| from == lower && to == upper) {
            return Stream::text(text.to_ascii_uppercase());
        }
        if ranges.iter().any(|(lower, upper)| from == upper && to == lower) {
            return Stream::text(text.to_ascii_lowercase());
        }
        let to = if *to == "\\n" { "\n" } else { to };
        if plain(from) && (plain(to) || to.len() == 1) && !to.is_empty() {
            let last = to.chars().last().unwrap_or(' ');
            let map = |c: char| match from.chars().position(|f| f == c) {
                Some(i) => to.chars().nth(i).unwrap_or(last),
                None => c,
            };
            return Stream::text(text.chars().map(map).collect::<String>());
        }
    }
    if let (Stream::Text(value), "d", [set]) = (stdin, flags.as_str(), sets.as_slice())
        && let Some(text) = value.known()
        && (plain(set) || *set == "\\n")
    {
        let set = if *set == "\\n" { "\n" } else { set };
        return Stream::text(text.replace(|c| set.contains(c), ""));
    }
    let complement = flags.contains(['c', 'C']);
    let names = match sets.as_slice() {
        [set] if flags.contains('d') => set.contains('/') != complement,
        [from, to] => (from.contains('/') != complement) && !to.contains('/'),
        _ => false,
    };
    if names || values::is_plain_name(&stdin.any_line()) && !sets.get(1).is_some_and(|s| s.contains('/')) {
        return Stream::Lines(Value::name());
    }
    Stream::Unknown
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
