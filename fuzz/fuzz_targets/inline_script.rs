//! Any program text of any language is judged: no panic, in time, twice the same. The first byte chooses the language.

#![no_main]

use libfuzzer_sys::fuzz_target;
use workspace_guard::shell::{Context, analyse_code, programs::Language};

mod support;

const LANGUAGES: [Language; 7] = [
    Language::Python,
    Language::Node,
    Language::Perl,
    Language::Ruby,
    Language::Php,
    Language::Awk,
    Language::Sed,
];

fuzz_target!(|text: &str| {
    let Some(first) = text.chars().next() else { return };
    let Some(&language) = LANGUAGES.get((u32::from(first) as usize).wrapping_sub('0' as usize) % LANGUAGES.len()) else {
        return;
    };
    let source = &text[first.len_utf8()..];
    let world = support::world();
    let context = Context { cwd: "/home/u/p", world: &world };
    let found = support::within_time(|| analyse_code(language, source, &context));
    support::check_analysis(source, &found);
    assert_eq!(found, analyse_code(language, source, &context), "the same text gets the same answer");
});
