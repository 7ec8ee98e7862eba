//! Whatever is named begins at a root of the machine that it is judged for.

use super::super::analyse;
use crate::path::Model;
use crate::shell::{Context, EffectKind, Target};
use crate::world::FakeWorld;

/// What a command creates on Windows; `*`: something below, `?`: unknown.
fn creates(command: &str) -> Vec<String> {
    let world = FakeWorld::new(Model::Windows).with_home(r"C:\Users\u").dir(r"C:\data").dir(r"C:\w");
    let found = analyse(command, &Context { cwd: r"C:\w", world: &world });
    let of = |kind| found.effects.iter().filter(move |effect| effect.kind == kind);
    of(EffectKind::Create)
        .map(|effect| match &effect.target {
            Target::Path(path) => path.clone(),
            Target::Inside(path) => format!(r"{path}\*"),
            Target::Opaque => "?".to_owned(),
        })
        .collect()
}

#[test]
fn folders_in_the_spelling_of_git_bash() {
    let found = creates(r"sh unknown.sh; find /c/data -name '*.txt' -exec touch {}.bak \;");
    assert!(found.contains(&r"C:\data\*".to_owned()), "{found:?}");
    for command in [
        r"sh unknown.sh; find /srv/data -exec touch {}.bak \;",
        "touch $(dirname $(which python3))/x",
        "cd /c/data/$x && touch y",
        "cd /c/data; for f in $(ls); do cp $f $f.bak; done",
    ] {
        for path in creates(command) {
            assert!(path == "?" || path.starts_with(r"C:\"), "{command}: {path}");
        }
    }
}

/// What is no path of this machine is not known, and so counts as one outside.
#[test]
fn what_begins_nowhere_is_unknown() {
    let world = FakeWorld::new(Model::Posix).with_home("/home/u").dir("/w");
    for command in
        ["pwsh -c 'cd C:\\data; mkdir q'", "pwsh -c \"[Environment]::CurrentDirectory = 'C:\\data'; mkdir q\""]
    {
        for effect in analyse(command, &Context { cwd: "/w", world: &world }).effects {
            if let Target::Path(path) | Target::Inside(path) = &effect.target {
                assert!(path.starts_with('/'), "{command}: {effect:?}");
            }
        }
    }
}

/// Names that an earlier command took away or made are told from a folder's others as the model compares them.
#[test]
fn patterns_among_what_was_changed() {
    let world = FakeWorld::new(Model::Windows).file(r"C:\w\Readme.md", "").dir(r"C:\data");
    for (command, want) in [
        (r#"for f in [Rr]*; do mkdir "C:/data/$f"; done"#, r"C:\data\readme.md"),
        (r#"rm README.md; touch Rest.md; for f in [Rr]*; do mkdir "C:/data/$f"; done"#, r"C:\data\Rest.md"),
        (r#"touch Rest.md; for f in Re*t*; do mkdir "C:/data/$f"; done"#, r"C:\data\Rest.md"),
        ("mkdir Qu; cd Q* && mkdir ../../data/z", r"C:\data\z"),
        (r#"touch Rest.md; find . -name "Rest*" -exec cp {} C:/data/ \;"#, r"C:\data\Rest.md"),
        (r#"touch README.MD x/y/Rest.md; for f in [Rr]*; do mkdir "C:/data/$f"; done"#, r"C:\data\readme.md"),
    ] {
        let found = analyse(command, &Context { cwd: r"C:\w", world: &world });
        let made: Vec<_> = found
            .effects
            .iter()
            .filter_map(|effect| match &effect.target {
                Target::Path(path) if path.starts_with(r"C:\data\") => Some(path.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(made, [want], "{command}");
    }
}
