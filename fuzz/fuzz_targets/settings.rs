//! Any text as a file of ours or of a client: no panic, mistakes point into the text, edits keep what they do not name.
//! The first byte chooses the file.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use workspace_guard::{
    config::{Context, Key, check_text, typed, with_value, without},
    harness::claude::Payload,
    path::Model,
};

mod support;

fuzz_target!(|text: &str| {
    let Some(first) = text.chars().next() else { return };
    let rest = &text[first.len_utf8()..];
    support::within_time(|| match u32::from(first) % 4 {
        0 => configuration(rest),
        1 => edits(rest),
        2 => values(rest),
        _ => drop(Payload::parse(rest.as_bytes())),
    });
});

fn no_variables(_: &str) -> Option<String> {
    None
}

fn context() -> Context<'static> {
    Context { model: Model::Posix, env: &no_variables }
}

fn configuration(text: &str) {
    let lines = u32::try_from(text.matches('\n').count() + 1).unwrap();
    for name in ["/home/u/.wsguard/config.toml", "/home/u/p/.wsguard.toml"] {
        for error in check_text(Path::new(name), text, context()) {
            assert!(error.line().is_none_or(|line| (1..=lines).contains(&line)), "{error:?}");
            assert!(!error.one_line().is_empty() && !error.code().is_empty());
        }
    }
}

/// A setting that is set or taken out leaves a file that says so and is no worse than before.
fn edits(text: &str) {
    let path = Path::new("/home/u/.wsguard/config.toml");
    let before = check_text(path, text, context()).len();
    for key in Key::all() {
        if let Ok(Some(edited)) = without(path, text, key) {
            assert!(check_text(path, &edited, context()).len() <= before, "{key:?}");
        }
    }
    let Some(key) = Key::find("hook_deadline_ms") else { return };
    if let Ok(edited) = with_value(path, text, key, "500") {
        assert!(check_text(path, &edited, context()).len() <= before, "{edited}");
    }
}

/// What a person types for a setting becomes TOML that is read back without a mistake.
fn values(text: &str) {
    let path = Path::new("/home/u/.wsguard/config.toml");
    for key in Key::all() {
        if let Ok(value) = typed(key, text, context()) {
            let edited = with_value(path, "", key, &value).expect("a good value can be set");
            assert_eq!(check_text(path, &edited, context()).len(), 0, "{key:?}: {edited}");
        }
    }
}
