//! Programs that pass on what they read, or a part of it.

use std::borrow::Cow;

use super::machine::{Eval, Io};
use super::output::{line, operands};
use super::state::State;
use super::values::{self, Stream};
use crate::shell::programs::Arg;
use crate::shell::{Piece, Target, Value};

impl Eval<'_> {
    pub(super) fn filtered(&mut self, st: &State, name: &str, args: &[Arg], io: &Io) -> Stream {
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
pub(super) fn reshaped(name: &str, args: &[Arg], io: &Io) -> Stream {
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
