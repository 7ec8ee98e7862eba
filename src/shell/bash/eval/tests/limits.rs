//! Everything ends, and says so where it was cut short.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{analysis, changes, world};
use crate::limits::{MAX_PATH_BYTES, MAX_STEPS};
use crate::shell::{Context, GapKind, Target};

fn ends_with_gap(command: &str) {
    let gaps = analysis(command).gaps;
    assert!(gaps.iter().any(|g| matches!(g.kind, GapKind::Size | GapKind::Nesting)), "{command}: {gaps:?}");
}

#[test]
fn bombs() {
    ends_with_gap(
        "f() { f $1 & f $1 & f $1; }; g() { f 1; g; g; }; f() { f | f; }; f; for i in {1..60}; do for j in {1..60}; do for k in {1..60}; do :; done; done; done",
    );
    ends_with_gap("echo {1..9}{1..9}{1..9}{1..9}{1..9}");
    ends_with_gap("echo {1..100000000}");
    let mut evals = "X='eval \"$X\"'; eval \"$X\"".to_owned();
    ends_with_gap(&evals);
    evals.clear();
    for _ in 0..40 {
        evals.push_str("x=$x$x$x; ");
    }
    analysis(&format!("x=abcdefgh; {evals}"));
    let mut nested = "mkdir /srv/x".to_owned();
    for _ in 0..6 {
        nested = format!("bash -c {}", shell_words::quote(&nested));
    }
    assert_eq!(changes(&nested), ["+/srv/x"]);
}

#[test]
fn long_lists_are_quick() {
    let mut text = String::new();
    for i in 0..750 {
        writeln!(text, "mkdir -p out/{i} && cp a.txt out/{i}/").unwrap();
    }
    let found = analysis(&text);
    assert!(found.gaps.is_empty(), "{:?}", found.gaps);
}

#[path = "../../../../../tests/it/hostile.rs"]
mod hostile;

/// Work grows with the length at most, and ends where the limit is.
#[test]
fn work_is_linear() {
    let world = world();
    let context = Context { cwd: "/w", world: &world };
    let steps = |kind: &hostile::Hostile, bytes| super::super::analyse::steps(&kind.command(bytes), &context);
    let mut wrong = Vec::new();
    for kind in hostile::KINDS {
        let (small, large) = (steps(kind, 1 << 10), steps(kind, 4 << 10));
        // What is over the limit is not done any more.
        if large.min(MAX_STEPS) > 6 * small + 100 {
            wrong.push(format!("{}: {small} steps, {large} for four times the length", kind.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What an agent may well write in one call is judged to its end.
#[test]
fn long_but_sane() {
    let text = "a line of some text, $HOME and `all`\n";
    let quoted = format!("cat > a.txt <<'EOF'\n{}EOF\nmkdir /srv/x", text.repeat(300 * 1024 / text.len()));
    let message = format!("git commit -m '{}'; mkdir /srv/x", text.repeat(100 * 1024 / text.len()));
    let files = " src/a.rs".repeat(2_000);
    let program = format!("python3 - <<'EOF'\n{}EOF\nmkdir /srv/x", "print('some text')\n".repeat(3_000));
    for command in [quoted, message, format!("git add{files}; mkdir /srv/x"), program] {
        let found = analysis(&command);
        assert!(found.gaps.is_empty(), "{:.40}: {:?}", command, found.gaps);
        assert!(changes(&command).contains(&"+/srv/x".to_owned()), "{command:.40}");
    }
}

#[test]
fn alternatives_stay_few() {
    let mut text = String::new();
    for i in 0..30 {
        writeln!(text, "if grep -q {i} f; then V{i}=/srv/{i}; else V{i}=/tmp/{i}; fi").unwrap();
    }
    text.push_str("mkdir");
    for i in 0..30 {
        write!(text, " $V{i}").unwrap();
    }
    assert!(analysis(&text).gaps.is_empty());
    assert!(changes(&text).len() > 1);
}

fn fragment() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[ -~]{0,12}",
        Just("mkdir /srv/x".to_owned()),
        Just("x=$x/$y".to_owned()),
        Just("cd $x".to_owned()),
        Just("echo $(pwd) ${x:-y} ${x%%/*}".to_owned()),
        Just("read a b".to_owned()),
        Just("echo 'a b' > $x".to_owned()),
        Just("f $1".to_owned()),
        Just("eval \"$x\"".to_owned()),
        Just("break".to_owned()),
        Just("return".to_owned()),
        Just("rm *.txt {a,b}{c,d}".to_owned()),
    ];
    leaf.prop_recursive(5, 48, 4, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}; {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} && {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} || {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} | {b}")),
            inner.clone().prop_map(|a| format!("( {a} )")),
            inner.clone().prop_map(|a| format!("x=$( {a} )")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("if {a}; then {b}; fi")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("while {a}; do {b}; done")),
            inner.clone().prop_map(|a| format!("for x in a $x b; do {a}; done")),
            inner.clone().prop_map(|a| format!("f() {{ {a}; }}; f $x")),
            inner.clone().prop_map(|a| format!("case $x in a) {a};; *) {a};; esac")),
            inner.prop_map(|a| format!("trap '{a}' EXIT")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn never_panics(text in fragment()) {
        let world = world();
        super::super::analyse(&text, &Context { cwd: "/w", world: &world });
    }
}

/// However deep a loop goes, no path is longer than what a system call takes.
#[test]
fn folders_do_not_grow_for_ever() {
    let world = world();
    let context = Context { cwd: "/w", world: &world };
    for command in [
        "./x.sh; for i in {1..64}; do for j in {1..64}; do cd a-rather-long-name; mkdir y; done; done",
        "./x.sh; for i in {1..64}; do for j in {1..64}; do pushd a-rather-long-name; echo > y; done; done",
        "pwsh -c '1..64 | % { 1..64 | % { mkdir a-rather-long-name; cd a-rather-long-name; mkdir y } }'",
        "cmd /c 'for /L %i in (1,1,64) do for /L %j in (1,1,64) do (md a-rather-long-name & cd a-rather-long-name & md y)'",
    ] {
        let found = super::super::analyse(command, &context);
        let longest = found.effects.iter().filter_map(|effect| match &effect.target {
            Target::Path(path) | Target::Inside(path) => Some(path.len()),
            Target::Opaque => None,
        });
        assert!(longest.max().is_some_and(|bytes| bytes <= MAX_PATH_BYTES + 64), "{command}");
        let bytes: usize = found.effects.iter().map(|effect| format!("{:?}", effect.target).len()).sum();
        assert!(bytes < 8 << 20, "{command}: {bytes} bytes of paths");
    }
}
