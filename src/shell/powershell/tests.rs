//! Properties of reading and judging: any text, deep nesting, long texts.

#![expect(clippy::unwrap_used, reason = "a test")]

use proptest::prelude::*;

use super::{analyse, parse};
use crate::limits::{MAX_EFFECTS, MAX_GAPS};
use crate::path::Model;
use crate::shell::{Context, GapKind, Target};
use crate::world::FakeWorld;

fn world(model: Model) -> FakeWorld {
    match model {
        Model::Windows => FakeWorld::new(model).with_home(r"C:\Users\me").file(r"C:\p\a.txt", "x"),
        Model::Posix => FakeWorld::new(model).with_home("/home/me").file("/p/a.txt", "x"),
    }
}

/// Reads and judges a text; every span must lie within it and every path must be absolute.
fn judged(text: &str) {
    let script = parse(text);
    assert!(script.gaps.len() <= MAX_GAPS + 1);
    for gap in &script.gaps {
        assert!(text.get(gap.span.start as usize..gap.span.end as usize).is_some(), "{text:?} {gap:?}");
    }
    for (model, cwd) in [(Model::Windows, r"C:\p"), (Model::Posix, "/p")] {
        let world = world(model);
        let found = analyse(text, &Context { cwd, world: &world }, 0);
        assert!(found.effects.len() <= MAX_EFFECTS);
        for effect in found.effects {
            assert!(text.get(effect.span.start as usize..effect.span.end as usize).is_some(), "{text:?} {effect:?}");
            if let Target::Path(path) | Target::Inside(path) = &effect.target {
                assert!(model.is_absolute(path), "{text:?} {path:?}");
            }
        }
    }
}

/// Pieces from which most forms of the language come about.
const PIECES: &[&str] = &[
    "New-Item ",
    "mkdir ",
    "gci | ",
    "% { ",
    "$_ ",
    "$x ",
    "$x = ",
    "\"$(",
    "\"",
    "'",
    "@\"\n",
    "\n\"@",
    "@'\n",
    "\n'@",
    "@(",
    "@{ ",
    "a = ",
    ") ",
    "( ",
    "} ",
    "{ ",
    "] ",
    "[IO.File]",
    "::WriteAllText(",
    ", ",
    "; ",
    "\n",
    " | ",
    " && ",
    " || ",
    " > ",
    " 2>&1 ",
    "C:\\a\\b",
    "..\\x",
    "~",
    "*",
    "-Path ",
    "-Dest:",
    "-WhatIf ",
    "-f ",
    "-join ",
    "-replace ",
    "1..9 ",
    "if ",
    "else ",
    "foreach ",
    "in ",
    "while ",
    "function f ",
    "param(",
    "switch ",
    "try ",
    "catch ",
    "return ",
    "break ",
    "`",
    "`\n",
    "# c\n",
    "<# ",
    "#> ",
    "& ",
    ". ",
    "cmd /c ",
    "bash -c ",
    "pwsh -c ",
    "iex ",
    "python -c ",
    "--% ",
    "${a b}",
    "$env:TEMP",
    "HKLM:\\",
    "é",
    "\u{201c}",
    "\u{2013}",
    "\u{f0000}",
    "\0",
    "Copy-Item ",
    "a b ",
    "Set-Location ",
    "@x ",
    ".Name ",
    ".Replace('a','b') ",
    "[0] ",
    "++ ",
    "%",
    "?",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        judged(&text);
    }

    #[test]
    fn any_pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        judged(&pieces.concat());
    }

    #[test]
    fn bare_words_are_what_they_say(name in "[a-z][a-z0-9_]{0,12}") {
        let world = world(Model::Windows);
        let found = analyse(&format!("mkdir C:\\{name}"), &Context { cwd: r"C:\p", world: &world }, 0);
        prop_assert_eq!(&found.effects[0].target, &Target::Path(format!("C:\\{name}")));
    }

    #[test]
    fn quoting_says_the_same(name in "[a-zA-Z0-9 $'\"`()%{};&|,_-]{1,16}") {
        let quoted = format!("mkdir 'C:\\x{}'", name.replace('\'', "''"));
        let world = world(Model::Windows);
        let found = analyse(&quoted, &Context { cwd: r"C:\p", world: &world }, 0);
        prop_assert!(found.gaps.is_empty());
        let want = Model::Windows.normalize(&format!("C:\\x{name}"));
        prop_assert_eq!(&found.effects[0].target, &Target::Path(want));
    }
}

#[test]
fn deep_nesting_is_a_gap() {
    for (open, close) in
        [("(", ")"), ("$(", ")"), ("@(", ")"), ("{", "}"), ("& {", "}"), ("if (1) {", "}"), ("-not ", ""), ("[a]", "")]
    {
        let text = format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
        let script = parse(&text);
        assert!(script.gaps.iter().any(|g| g.kind == GapKind::Nesting), "{open}");
        judged(&text);
        // As deep as it may be.
        judged(&format!("{}1{}", open.repeat(40), close.repeat(40)));
        judged(&format!("{}1{}", open.repeat(95), close.repeat(95)));
    }
    judged(&format!("$x = {}", "\"$(".repeat(50)));
    judged(&"1 + ".repeat(60_000));
    judged(&format!("$a{}", ".b".repeat(60_000)));
    judged(&format!("{}1", "iex '".repeat(50)));
}

#[test]
fn recursion_ends() {
    judged("function f { f }; f");
    judged("function f($x) { f \"$x$x\" }; f a");
    judged("$x = 'iex $x'; iex $x");
    judged("function f { g }; function g { f; f }; f");
    judged("while ($true) { $x += $x + 'a' }; $x = 'a'; for (;;) { $x = $x * 10 }");
    judged("1..64 | % { 1..64 | % { 1..64 | % { 1..64 | % { mkdir $_ } } } }");
    judged("$f = { & $f }; & $f");
    judged("Set-Alias a b; Set-Alias b a; a");
}

/// Work for a text ten times as long is at most about ten times as much.
#[test]
fn work_is_linear() {
    let forms = [
        "mkdir C:\\x; ",
        "$x = 'a'\n",
        "@\"\n",
        "'a' + ",
        "[x]\n",
        "<# ",
        "\"$(",
        "a | ",
        "if (",
        "{ ",
        "$x[",
        "foo 'a",
        "a,",
        "@{a=1",
        "-a ",
        "[IO.File]::Create('a').",
        "`\n",
        "$h = @{ a = 1 }\n",
        "$l += 1\n",
        "cd a; ",
        "gci | % { $_ }; ",
    ];
    for form in forms {
        let time = |count: usize| {
            let text = form.repeat(count);
            let world = world(Model::Windows);
            let start = crate::busy::Busy::start();
            analyse(&text, &Context { cwd: r"C:\p", world: &world }, 0);
            start.elapsed()
        };
        let small = (0..3).map(|_| time(500)).min().unwrap();
        let large = (0..3).map(|_| time(5_000)).min().unwrap();
        let bound = small * 40 + std::time::Duration::from_millis(60);
        assert!(large < bound, "{form:?}: {small:?} for 500, {large:?} for 5,000");
    }
}
