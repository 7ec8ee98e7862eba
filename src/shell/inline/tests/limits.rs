//! Junk, depth and size.

use std::fmt::Write as _;
use std::time::Duration;

use proptest::prelude::*;

use super::run;
use crate::busy::Busy;
use crate::shell::EffectKind;
use crate::shell::programs::{Act, Language};

const ALL: [Language; 7] =
    [Language::Python, Language::Node, Language::Perl, Language::Ruby, Language::Php, Language::Awk, Language::Sed];

const PARTS: [&str; 64] = [
    "open", "(", ")", "[", "]", "{", "}", "'", "\"", "`", "/", "\\", "\n", "    ", "f'", "${", "#{", "$x", "@x", "%w",
    "<<EOF", "EOF", "=", "+=", ".", "->", "::", ",", ":", ";", "for", "in", "x", "def", "class", "lambda", "=>",
    "function", "if", "else", "print", ">", "|", "s", "w /srv/a", "q(", "import", "from", "return", "'''", "é", "\0",
    "?", "*", "do", "end", "#", "//", "/*", "1", "y", "m", "!", "<?php",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn junk_never_panics(parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..120)) {
        let source: String = parts.concat();
        for language in ALL {
            run(language, &source, &["a"]);
        }
    }

    #[test]
    fn spaced_junk_never_panics(parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..120)) {
        let source = parts.join(" ");
        for language in ALL {
            run(language, &source, &["a"]);
        }
    }

    #[test]
    fn any_text_never_panics(source in any::<String>()) {
        for language in ALL {
            run(language, &source, &[]);
        }
    }
}

#[test]
fn depth_is_bounded_and_never_silent() {
    for open in [
        "(", "[", "{", "f(", "x=", "lambda:", "not ", "!", "a?", "f'{", "`${", "(x=>", "-", "if(1){", "\"#{", "\"@{[",
        "1+(", "x[", "$$", "async ",
    ] {
        let source = open.repeat(20_000);
        for language in ALL {
            run(language, &source, &[]);
        }
    }
    let deep = format!("{}open('/srv/a','w'){}", "f(".repeat(200), ")".repeat(200));
    let acts = run(Language::Python, &deep, &[]);
    assert!(acts.iter().any(|a| matches!(a, Act::Path { kind: EffectKind::Create, .. })), "{acts:?}");
}

#[test]
fn time_is_linear() {
    // A debug build takes ten times as long.
    let size = if cfg!(debug_assertions) { 8 << 10 } else { 64 << 10 };
    let mut sources: Vec<String> = Vec::new();
    for unit in [
        "a=a+a\n",
        "f(",
        "x.y",
        "'",
        "f'{x}' ",
        "/[",
        "<<A\n",
        "s/",
        "a();",
        "(a)",
        "for x in y:\n ",
        "x=[1,2,3]\n",
        "def f(a):\n  f(a)\n",
        "${",
        "`",
        "{a:",
        "}",
        "])",
        "a,b=",
        "open('/srv/'+x,'w')\n",
        "{print > ",
        "if(",
        "f\"{\"",
        "f'''{",
    ] {
        sources.push(unit.repeat(size / unit.len()));
    }
    let mut calls = String::from("def f(x):\n");
    for i in 0..500 {
        let _ = writeln!(calls, "  x = x + 'a{i}'");
    }
    calls.push_str(&"f('b')\n".repeat(size / 16));
    sources.push(calls);
    // Ten times what it takes on an idle machine.
    let most = Duration::from_millis(if cfg!(debug_assertions) { 2000 } else { 200 });
    for source in &sources {
        for language in ALL {
            let start = Busy::start();
            run(language, source, &[]);
            let took = start.elapsed();
            assert!(took < most, "{language:?} {:?}: {took:?}", &source[..12]);
        }
    }
}

/// Of more strings than are kept apart, those behind the limit count like those before it.
#[test]
fn many_alternatives_stay_covered() {
    let names = |form: &str, n: usize| (0..n).map(|i| form.replace('@', &i.to_string())).collect::<Vec<_>>().join(",");
    for n in [1, 63, 64, 65, 66, 130, 200] {
        for source in [
            format!("for k in {{{}, '/opt/x': 1}}: open(k, 'w')", names("'/tmp/a@': 1", n)),
            format!("for k in [{}, '/opt/x']: open(k, 'w')", names("'/tmp/a@'", n)),
            format!("for k in ['/opt/x', {}]: open(k, 'w')", names("'/tmp/a@'", n)),
            format!("for k in ({}, '/opt/x'): open('/' + k[1:], 'w')", names("'/tmp/a@'", n)),
        ] {
            let acts = run(Language::Python, &source, &[]);
            let covers = |act: &Act| match act {
                Act::Path { kind: EffectKind::Create, value, .. } => {
                    let start = value.prefix();
                    "/opt/x".starts_with(start) && (start == "/opt/x" || value.known().is_none())
                }
                _ => false,
            };
            assert!(acts.iter().any(covers), "{n} names: {} …: {acts:?}", &source[..60]);
        }
    }
}
