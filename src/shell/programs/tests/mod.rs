//! Argument lines and what they do, and the integrity of the rows.

#![expect(clippy::unwrap_used, reason = "tests")]

mod covered;
mod lines;
mod table;

use super::{Act, Arg, Invocation, acts};
use crate::path::Model;
use crate::shell::{Certainty, EffectKind, Piece, Span, Value};
use crate::world::FakeWorld;

/// `/w` is the cwd.
fn world() -> FakeWorld {
    FakeWorld::new(Model::Posix)
        .dir("/w/dir")
        .dir("/w/src/sub")
        .dir("/opt/tools")
        .dir("/srv/data/src")
        .file("/w/a.txt", "")
        .file("/w/b.txt", "")
        .file("/srv/data/old.txt", "")
        .file("/w/page.html", "")
        .link("/srv/link", "/srv/data")
        .dir("/tmp")
        .with_home("/home/me")
}

/// The arguments of a line; `$ANY` and `$NAME` stand for unknown text, `@DIR/…` for something found below `/srv`.
fn argv(line: &str) -> Vec<Arg> {
    let words = shell_words::split(line).unwrap();
    let span = |i: usize| Span { start: u32::try_from(i).unwrap(), end: u32::try_from(i).unwrap() + 1 };
    words.iter().enumerate().map(|(i, w)| Arg { value: value(w), span: span(i) }).collect()
}

fn value(word: &str) -> Value {
    let mut out = Value::default();
    let mut rest = word;
    loop {
        let next = [("$ANY", Piece::Any), ("$NAME", Piece::Name), ("$UNDER", Piece::Under("/srv".to_owned()))]
            .into_iter()
            .filter_map(|(mark, piece)| rest.find(mark).map(|at| (at, mark, piece)))
            .min_by_key(|(at, ..)| *at);
        let Some((at, mark, piece)) = next else { break };
        out.push_str(&rest[..at]);
        out.push(piece);
        rest = &rest[at + mark.len()..];
    }
    out.push_str(rest);
    out
}

/// `NAME=value` before the program are variables that the command sets.
fn of(line: &str) -> Vec<Act> {
    let words = argv(line);
    let is_assignment =
        |a: &&Arg| a.value.prefix().split_once('=').is_some_and(|(n, _)| n.ends_with(char::is_uppercase));
    let count = words.iter().take_while(is_assignment).count();
    let (set, argv) = words.split_at(count);
    let assigned = |name: &str| {
        let found = set.iter().find(|a| a.value.prefix().split_once('=').is_some_and(|(n, _)| n == name))?;
        Some(found.value.skip(name.len() + 1))
    };
    acts(&Invocation { argv, cwd: "/w", world: &world(), assigned: &assigned, input: &Value::default })
}

/// Every act in a compact form; what only reads is left out unless `reads`.
fn compact(line: &str, reads: bool) -> String {
    let shown: Vec<String> = of(line).iter().filter_map(|a| show(a, reads)).collect();
    shown.join("; ")
}

fn show(act: &Act, reads: bool) -> Option<String> {
    let joined = |args: &[Arg]| args.iter().map(|a| text(&a.value)).collect::<Vec<_>>().join(" ");
    let at = |cwd: &Option<Value>| cwd.as_ref().map_or(String::new(), |c| format!("[{}]", text(c)));
    let maybe = |c: &Certainty| if *c == Certainty::Assumed { "?" } else { "" };
    Some(match act {
        Act::Path { package_install: true, .. } => "package".to_owned(),
        Act::Path { kind, value, certainty, .. } => {
            let letter = match kind {
                EffectKind::Create => "c",
                EffectKind::Modify => "m",
                EffectKind::Delete => "x",
                EffectKind::Read if reads => "r",
                EffectKind::Mention if reads => "t",
                EffectKind::Opaque if reads => "o",
                EffectKind::Read | EffectKind::Mention | EffectKind::Opaque => return None,
            };
            format!("{letter}{} {}", maybe(certainty), text(value))
        }
        Act::Inside { value, certainty, .. } => format!("i{} {}", maybe(certainty), text(value)),
        Act::Text { .. } => return None,
        Act::Run { argv, cwd, env, more_from_stdin, stdin_placeholder } => {
            let env = env.iter().map(|(k, v)| format!("{k}={} ", text(v))).collect::<Vec<_>>().concat();
            let more = if more_from_stdin.is_some() { " …" } else { "" };
            let hole = stdin_placeholder.as_ref().map_or(String::new(), |p| format!(" ({p})"));
            format!("run{} {env}{}{more}{hole}", at(cwd), joined(argv))
        }
        Act::Shell { text: script, args, cwd, dialect, .. } => {
            let args = if args.is_empty() { String::new() } else { format!(" ({})", joined(args)) };
            format!("{dialect:?}{} {}{args}", at(cwd), text(script))
        }
        Act::ShellStdin { dialect, args } => {
            let args = if args.is_empty() { String::new() } else { format!(" ({})", joined(args)) };
            format!("{dialect:?} stdin{args}")
        }
        Act::Code { language, text: script, args, .. } => {
            let args = if args.is_empty() { String::new() } else { format!(" ({})", joined(args)) };
            format!("{language:?} {}{args}", text(script))
        }
        Act::Script { .. } if !reads => return None,
        Act::Script { value, args, .. } => {
            let args = if args.is_empty() { String::new() } else { format!(" ({})", joined(args)) };
            format!("script {}{args}", text(value))
        }
        Act::CodeStdin { language, args } => {
            let args = if args.is_empty() { String::new() } else { format!(" ({})", joined(args)) };
            format!("{language:?} stdin{args}")
        }
    })
}

fn text(value: &Value) -> String {
    value
        .pieces
        .iter()
        .map(|p| match p {
            Piece::Text(t) => t.clone(),
            Piece::Name => "<name>".to_owned(),
            Piece::Under(dir) => format!("<{dir}>"),
            Piece::Any => "<any>".to_owned(),
        })
        .collect()
}
