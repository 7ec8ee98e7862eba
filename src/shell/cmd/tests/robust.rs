//! No text makes it panic, or work without bounds.

use std::time::Duration;

use proptest::prelude::*;

use super::analysis;
use crate::busy::Busy;
use crate::limits::{MAX_COMMAND_BYTES, MAX_EFFECTS};

/// Pieces that commands are made of.
const PIECES: &[&str] = &[
    "md ",
    "copy ",
    "a",
    "C:\\x",
    "\"",
    "^",
    "&",
    "&&",
    "||",
    "|",
    "(",
    ")",
    ">",
    ">>",
    "2>&1",
    "<",
    "%",
    "%%i",
    "%OUT%",
    "%OUT:~1,2%",
    "%OUT:a=b%",
    "!OUT!",
    "\n",
    "if ",
    "exist ",
    "not ",
    "==",
    " else ",
    "for ",
    "%i ",
    "in ",
    "do ",
    "/f ",
    "/l ",
    "/r ",
    "'echo x'",
    "set A=",
    "set /a ",
    "set /p ",
    "cd ",
    "pushd ",
    "call ",
    "call :x ",
    ":x",
    "goto x",
    "goto :eof",
    "cmd /c ",
    "cmd /v:on /c ",
    "start ",
    "rem ",
    "echo ",
    "%~dpnxi",
    "%1",
    "ä",
    "\u{f0000}",
    " ",
    ",",
    ";",
    "/",
    "\\",
    "..",
    "*",
    "?",
    "nul",
    "setlocal enabledelayedexpansion",
    "exit /b",
    "subst X: ",
    "X:\\y",
    "mklink ",
    "\u{f0001}x",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn nothing_panics(parts in prop::collection::vec(0..PIECES.len(), 0..40), other in ".{0,20}") {
        let text: String = parts.iter().map(|&i| PIECES[i]).collect();
        for text in [text.clone(), format!("{text}{other}")] {
            let found = analysis(&text);
            prop_assert!(found.effects.len() <= MAX_EFFECTS);
            for span in found.gaps.iter().map(|g| g.span).chain(found.effects.iter().map(|e| e.span)) {
                prop_assert!(span.start <= span.end && span.end as usize <= text.len(), "{span:?} of {text:?}");
            }
        }
    }
}

/// What grows with its square, or faster, shows here: a debug build on a quiet machine does these within a second or so each.
#[test]
fn long_texts_end_soon() {
    let fill = |unit: &str| unit.repeat(MAX_COMMAND_BYTES / 8 / unit.len());
    let mut texts = vec![
        fill("md x&"),
        fill("("),
        fill("%"),
        fill("%a"),
        fill("!a"),
        fill("^"),
        fill("\""),
        fill("\n"),
        fill(":x\n"),
        fill("if a==a "),
        fill("if exist a ("),
        fill("for %i in (a) do "),
        fill("cmd /c "),
        fill("call "),
        fill("start "),
        fill("x>a "),
        fill("a,"),
        fill("a|"),
        fill("a&&"),
        fill("a||"),
        fill(")"),
        fill("<"),
        fill("\\"),
        fill("\\\""),
        format!("copy {}", fill("a+")),
        format!("md {}", fill("C:\\x\\..\\")),
        format!("for %i in ({}) do md %i", fill("a ")),
        format!("echo x > {}", fill("a\\")),
        "set A=%A%%A%x\n".repeat(2_000) + "md %A%",
        "goto a\n:a\n".repeat(5_000),
        ":a\ncall :a\ncall :a\ncall :a".to_owned(),
        "for /l %i in (1,1,60) do ".repeat(40) + "md %i",
        format!(
            "setlocal enabledelayedexpansion\nset A={}\n{}",
            "y".repeat(8_000),
            "echo !A:y=zzzzzzzz!\n".repeat(3_000)
        ),
        "echo a %OUT%".repeat(5_000),
        "cd src & cd .. & ".repeat(4_000) + "md x",
        "if exist %RANDOM% cd %RANDOM%\n".repeat(3_000) + "md x",
        ":a\nif exist %RANDOM% goto a\ngoto b\n:b\n".repeat(500),
    ];
    texts.push(fill("x") + &"y".repeat(MAX_COMMAND_BYTES));
    for text in texts {
        let start = Busy::start();
        analysis(&text);
        let took = start.elapsed();
        let shown: String = text.chars().take(40).collect();
        assert!(took < Duration::from_secs(20), "{took:?} for {shown:?}…");
    }
}

/// The words of a command are taken apart in time that grows with their length, whatever they are made of.
#[test]
fn long_words_end_soon() {
    let time = |text: &str| {
        let once = || {
            let start = Busy::start();
            analysis(text);
            start.elapsed()
        };
        (0..3).map(|_| once()).fold(Duration::MAX, Duration::min)
    };
    for command in ["md ", "copy ", "dir ", "set x=", "cd ", "robocopy ", "git "] {
        for unit in ["a/", "/", "a\\/", "\"/", "\"a\"/b", "/a:", "a:", "a=", "a\\", ".\\..", "a^", "%a", "*?"] {
            let text = |bytes: usize| format!("{command}{}", unit.repeat(bytes / unit.len()));
            let (small, large) = (time(&text(1 << 10)), time(&text(16 << 10)));
            let bound = small * 64 + Duration::from_millis(60);
            assert!(large < bound, "{command}{unit}: {small:?} for 1 KiB, {large:?} for 16");
        }
    }
}
