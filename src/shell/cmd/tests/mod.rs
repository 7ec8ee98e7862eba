//! Commands and what they would do, grouped by construct.

mod lines;
mod robust;

use crate::path::Model;
use crate::shell::{Analysis, Context, EffectKind, Target};
use crate::world::FakeWorld;

fn world() -> FakeWorld {
    FakeWorld::new(Model::Windows)
        .with_home(r"C:\Users\u")
        .dir(r"C:\w\src")
        .file(r"C:\w\a.txt", "one\ntwo words\n")
        .file(r"C:\w\src\m.c", "")
        .file(r"C:\w\env.bat", "set OUT=C:\\from-file\nmd C:\\never-run\n")
        .dir(r"C:\data")
        .dir(r"D:\backup")
        .var("TEMP", r"C:\Users\u\t")
        .var("OUT", r"C:\out")
        .var("ProgramFiles(x86)", r"C:\Program Files (x86)")
}

fn analysis(command: &str) -> Analysis {
    let world = world();
    super::analyse(command, &Context { cwd: r"C:\w", world: &world }, 0)
}

/// What changes something: `+` creates, `~` modifies, `-` deletes; `\*` below, `?` unknown, `!` a gap.
fn changes(command: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let found = analysis(command);
    for effect in found.effects {
        let sign = match effect.kind {
            EffectKind::Create => '+',
            EffectKind::Modify => '~',
            EffectKind::Delete => '-',
            EffectKind::Read | EffectKind::Mention | EffectKind::Opaque => continue,
        };
        let place = match effect.target {
            Target::Path(path) => path,
            Target::Inside(path) => format!(r"{}\*", path.trim_end_matches('\\')),
            Target::Opaque => "?".to_owned(),
        };
        let line = format!("{sign}{place}");
        if !out.contains(&line) {
            out.push(line);
        }
    }
    out.extend(found.gaps.iter().map(|_| "!".to_owned()));
    out.join(" ")
}

/// Every row is a command and its changes, separated by blanks.
fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(command, want)| {
            let got = changes(command);
            (got != *want).then(|| format!("{command}\n   want {want}\n   got  {got}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
