//! Commands and what they would do, grouped by construct.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

mod builtins;
mod compound;
mod grounded;
mod limits;
mod opaque;
mod outputs;
mod overlay;
mod own_files;
mod redirects;
mod scripts;
mod text;
mod words;
mod wrappers;

use crate::path::Model;
use crate::shell::{Analysis, Context, EffectKind, Target};
use crate::world::FakeWorld;

fn world() -> FakeWorld {
    FakeWorld::new(Model::Posix)
        .with_home("/home/u")
        .dir("/w/sub/deep")
        .dir("/w/.git")
        .file("/w/a.txt", "a\n")
        .file("/w/b.txt", "b\n")
        .file("/w/list.txt", "one\ntwo\n")
        .file("/w/env.sh", "OUT=/srv/env\nmkdir /srv/from-env-file\n")
        .file("/w/.hidden", "")
        .link("/w/linked", "/srv/data")
        .dir("/srv/data/in")
        .file("/srv/data/f1.txt", "")
        .file("/srv/data/f2.txt", "")
        .link("/srv/current", "/w")
        .dir("/tmp")
        .dir("/opt")
        .link("/opt/tool", "/usr/local/bin/wsguard")
        .file("/usr/local/bin/wsguard", "")
        .file("/home/u/.cargo/bin/wsguard", "")
        .file("/home/u/src/Cargo.toml", "")
        .file("/home/u/src/target/release/wsguard", "")
        .dir("/home/u/wsguard")
        .file("/usr/bin/pgrep", "")
        .link("/usr/bin/pkill", "pgrep")
        .file("/home/u/.cargo/bin/rustup", "")
        .link("/home/u/.cargo/bin/cargo", "rustup")
        .file("/usr/bin/python3", "")
        .file("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nann:x:1:1::/home/ann:/bin/sh\n")
        .var("PATH", "/usr/local/bin:/usr/bin")
        .var("USER", "u")
        .var("PWD", "/w")
}

fn analysis(command: &str) -> Analysis {
    let world = world();
    super::analyse(command, &Context { cwd: "/w", world: &world })
}

/// Effects that change something: `+` creates, `~` modifies, `-` deletes; `/*` below, `?` unknown.
fn changes(command: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for effect in analysis(command).effects {
        if matches!(effect.program.as_str(), "git" | "make" | "cargo" | "go")
            && effect.target != Target::Inside("/srv/t".to_owned())
        {
            // What they write in their own folder is their table's matter.
            continue;
        }
        let sign = match effect.kind {
            EffectKind::Create => '+',
            EffectKind::Modify => '~',
            EffectKind::Delete => '-',
            EffectKind::Read | EffectKind::Mention | EffectKind::Opaque => continue,
        };
        let place = match effect.target {
            Target::Path(path) => path,
            Target::Inside(path) => format!("{}/*", path.trim_end_matches('/')),
            Target::Opaque => "?".to_owned(),
        };
        let line = format!("{sign}{place}");
        if !out.contains(&line) {
            out.push(line);
        }
    }
    out
}

/// Every row is a command and its changes, separated by blanks.
fn check(rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (command, want) in rows {
        let got = changes(command).join(" ");
        if got != *want {
            wrong.push(format!("{command}\n   want {want}\n   got  {got}"));
        }
        let gaps = analysis(command).gaps;
        if !gaps.is_empty() {
            wrong.push(format!("{command}\n   gaps {gaps:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
