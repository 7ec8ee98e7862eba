//! Any text is read and judged: no panic, in time, twice the same, everything that is found lies within the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use workspace_guard::{
    limits::MAX_GAPS,
    shell::{
        Context,
        bash::{analyse, parse},
    },
};

mod support;

fuzz_target!(|text: &str| {
    let script = support::within_time(|| parse(text));
    assert!(script.gaps.len() <= MAX_GAPS + 1);
    script.gaps.iter().for_each(|gap| support::check_span(text, gap.span));
    let world = support::world();
    let context = Context { cwd: "/home/u/p", world: &world };
    let found = support::within_time(|| analyse(text, &context));
    support::check_analysis(text, &found);
    assert_eq!(found, analyse(text, &context), "the same text gets the same answer");
});
