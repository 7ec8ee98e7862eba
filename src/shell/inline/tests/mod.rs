//! Scripts -> acts, in a compact notation.
//!
//! `C p` creates, `M p` modifies, `D p` deletes, `I p` something appears inside, `S text` a shell runs it,
//! `X a|b` a program is started; `@dir` after it: in that folder; `~` before it: assumed only. Reads are left out.
//! In a path `*` is an unknown name, `?` unknown text, `<d>` something below `d`.

#![expect(clippy::unwrap_used, reason = "tests")]

mod limits;
mod node;
mod other;
mod perl_ruby_php;
mod python;
mod rows;
mod scripts;

use crate::path::Model;
use crate::shell::programs::{Act, Arg, Language};
use crate::shell::{Certainty, EffectKind, Piece, Span, Value};
use crate::world::FakeWorld;

fn value(v: &Value) -> String {
    let mut out = String::new();
    for p in &v.pieces {
        match p {
            Piece::Text(s) => out.push_str(s),
            Piece::Name => out.push('*'),
            Piece::Under(d) => out.extend(["<", d, ">"]),
            Piece::Any => out.push('?'),
        }
    }
    out
}

fn show(act: &Act) -> Option<String> {
    let at = |cwd: &Option<Value>| cwd.as_ref().map_or_else(String::new, |c| format!(" @{}", value(c)));
    Some(match act {
        Act::Path { kind: EffectKind::Read | EffectKind::Mention | EffectKind::Opaque, .. } | Act::Text { .. } => {
            return None;
        }
        Act::Path { kind, value: v, certainty, .. } => {
            let sure = if *certainty == Certainty::Proven { "" } else { "~" };
            let letter = match kind {
                EffectKind::Create => 'C',
                EffectKind::Modify => 'M',
                _ => 'D',
            };
            format!("{sure}{letter} {}", value(v))
        }
        Act::Inside { value: v, .. } => format!("I {}", value(v)),
        Act::Shell { text, cwd, .. } => format!("S {}{}", value(text), at(cwd)),
        Act::Run { argv, cwd, .. } => {
            format!("X {}{}", argv.iter().map(|a| value(&a.value)).collect::<Vec<_>>().join("|"), at(cwd))
        }
        other => format!("{other:?}"),
    })
}

fn world() -> FakeWorld {
    FakeWorld::new(Model::Posix)
        .with_home("/home/u")
        .var("OUT", "/srv/out")
        .var("TMPDIR", "/tmp/t")
        .dir("/srv/data")
        .dir("/w/sub")
        .file("/w/a.txt", "a")
}

fn run(language: Language, source: &str, args: &[&str]) -> Vec<Act> {
    let args: Vec<Arg> = args.iter().map(|a| Arg { value: Value::text(*a), span: Span::default() }).collect();
    super::acts(language, source, &args, "/w", &world(), Span { start: 3, end: 9 })
}

fn notation(language: Language, source: &str, args: &[&str]) -> String {
    run(language, source, args).iter().filter_map(show).collect::<Vec<_>>().join("; ")
}

/// Each row: a script, what it does. All rows that are wrong are shown at once.
fn check(language: Language, rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(source, want)| {
            let got = notation(language, source, &["one", "/srv/two"]);
            (got != *want).then(|| format!("--- {source}\n want: {want}\n  got: {got}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} rows\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
