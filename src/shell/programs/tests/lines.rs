//! Argument lines -> acts.

use proptest::prelude::*;

use super::super::{Act, Arg, Invocation, acts};
use super::{compact, value, world};
use crate::limits::MAX_EFFECTS;
use crate::shell::{EffectKind, Span, Value};

/// Every line of a table `ARGV => ACTS`.
fn check(table: &str) -> usize {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in table.lines().filter(|l| !l.is_empty() && !l.starts_with("# ")) {
        let (argv, want) = line.rsplit_once(" =>").unwrap();
        let got = compact(argv, false).replace('\n', "\\n");
        if got != want.trim_start() {
            wrong.push(format!("{argv}\n  want {}\n  got  {got}", want.trim_start()));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    count
}

#[test]
fn lines() {
    assert!(check(include_str!("lines.txt")) > 400);
}

#[test]
fn forms_of_options() {
    assert!(check(include_str!("options.txt")) > 250);
}

#[test]
fn reads_and_mentions() {
    for (line, want) in [
        ("cat /opt/a b", "r /opt/a; r b"),
        ("cp a.txt /opt/b", "r a.txt; c /opt/b"),
        ("scp a.txt host:/b", "r a.txt; t host:/b"),
        ("frob https://h/x", "t? https://h/x"),
        ("tar tf a.tar", "r a.tar"),
        ("git -C /srv status", "r /srv"),
        ("cp --help a /opt/x", "r a; r /opt/x"),
        ("rsync -n a /opt/x", ""),
    ] {
        assert_eq!(compact(line, true), want, "{line}");
    }
}

#[test]
fn each_act_has_the_span_of_its_argument() {
    let argv = super::argv("cp -t /srv/data a.txt");
    let world = world();
    let found =
        acts(&Invocation { argv: &argv, cwd: "/w", world: &world, assigned: &|_| None, input: &Value::default });
    let spans: Vec<Span> =
        found.iter().filter_map(|a| if let Act::Path { span, .. } = a { Some(*span) } else { None }).collect();
    assert_eq!(spans, [Span { start: 3, end: 4 }, Span { start: 2, end: 3 }]);
}

#[test]
fn nothing_to_start() {
    let world = world();
    assert_eq!(
        acts(&Invocation { argv: &[], cwd: "/w", world: &world, assigned: &|_| None, input: &Value::default }),
        []
    );
    assert_eq!(compact("$ANY /opt/x", false), "c? /opt/x");
}

/// Words that options, paths and programs are made of.
fn words() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        "[-a-z]{0,3}",
        "--[a-z]{1,6}(=[/a-z.]{0,6})?",
        "-[a-zA-Z0-9é]{1,4}",
        "[/.~a-zA-Z$é:=@{} ]{0,8}",
        Just("$ANY".to_owned()),
        Just("$NAME".to_owned()),
        Just("a$UNDER/b".to_owned()),
        Just("--".to_owned()),
        Just("{}".to_owned()),
        Just(";".to_owned()),
        Just(":::".to_owned()),
        "\\PC{0,6}",
    ];
    prop::collection::vec(word, 0..9)
}

fn programs() -> Vec<&'static str> {
    let mut names = Vec::new();
    for text in super::super::table::GROUPS {
        let lines = text.lines().filter(|l| !l.starts_with([' ', '#', '@']) && !l.is_empty());
        names.extend(lines.filter_map(|l| l.split(' ').next()));
    }
    names
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn any_arguments_are_judged(program in prop::sample::select(programs()), rest in words()) {
        let world = world();
        let argv: Vec<Arg> = program
            .split('/')
            .map(str::to_owned)
            .chain(rest)
            .map(|w| Arg { value: value(&w), span: Span::default() })
            .collect();
        let found = acts(&Invocation { argv: &argv, cwd: "/w", world: &world, assigned: &|_| None, input: &Value::default });
        prop_assert!(found.len() < MAX_EFFECTS);
    }
}

/// Calls in calls are read a bounded number of times, and what is left is said to be unknown.
#[test]
fn calls_of_an_editor() {
    let beside = "delete('/srv/data/old.txt') ".repeat(40);
    assert_eq!(compact(&format!("vim -c \"call {beside}\""), true).matches("x /srv/data/old.txt").count(), 40);
    let nested = "delete(".repeat(300);
    assert_eq!(compact(&format!("vim -c 'call {nested}'"), true), "o <any>");
}

#[test]
fn files_of_a_database_shell() {
    let found = |world: &crate::world::FakeWorld| {
        let argv = super::argv("sqlite3 a.db '.read 0.sql'");
        acts(&Invocation { argv: &argv, cwd: "/w", world, assigned: &|_| None, input: &Value::default })
    };
    let count = |acts: &[Act], wanted: EffectKind, path: &str| {
        let hit = |act: &&Act| match act {
            Act::Path { kind, value, .. } => *kind == wanted && value.known().as_deref() == Some(path),
            _ => false,
        };
        acts.iter().filter(hit).count()
    };
    // One that names itself on every line is followed once.
    let itself = ".read 0.sql\n".repeat(1000);
    let acts = found(&world().file("/w/0.sql", &format!("{itself}.read 1.sql")).file("/w/1.sql", ".output /srv/x"));
    assert_eq!(count(&acts, EffectKind::Create, "/srv/x"), 1);
    assert!(acts.len() < 1100, "{}", acts.len());
    // Too many of them are not judged, which is said.
    let chain = (0..40).fold(world(), |world, i| world.file(&format!("/w/{i}.sql"), &format!(".read {}.sql", i + 1)));
    let last = format!("{}.sql", crate::limits::MAX_SQL_FILES);
    assert_eq!(count(&found(&chain), EffectKind::Opaque, &last), 1);
}
