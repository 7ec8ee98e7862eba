//! What must hold for any text in a file of ours or of a client, and for any path that the guard judges. Shared by the
//! tests and the fuzz targets.

use std::path::Path;

use workspace_guard::{
    config::{Context, Key, check_text, typed, with_value, without},
    corpus::{Outcome, unguarded},
    harness::Payload,
    path::{
        Model,
        guard::{PathGuard, Rules, SafePath},
    },
};

use super::judged::Watch;

/// Any text as a file of settings, as a value that a person types, or as a payload. The first character chooses.
pub(crate) fn settings(text: &str, watch: Watch<'_>) {
    let Some(first) = text.chars().next() else { return };
    let rest = &text[first.len_utf8()..];
    match u32::from(first) % 4 {
        0 => configuration(rest, watch),
        1 => edits(rest),
        2 => values(rest),
        _ => watch(&mut || drop(Payload::parse(rest.as_bytes(), None))),
    }
}

fn no_variables(_: &str) -> Option<String> {
    None
}

fn context() -> Context<'static> {
    Context { model: Model::Posix, env: &no_variables }
}

/// A mistake points into the text and says something.
fn configuration(text: &str, watch: Watch<'_>) {
    let lines = u32::try_from(text.matches('\n').count() + 1).unwrap();
    for name in ["/home/u/.wsguard/config.toml", "/home/u/p/.wsguard.toml"] {
        let mut errors = Vec::new();
        watch(&mut || errors = check_text(Path::new(name), text, context()));
        for error in errors {
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
            assert!(check_text(path, &edited, context()).len() <= before, "{key:?}: {edited}");
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

/// Any bytes as a path: an admitted one is its own normal form, stays below its root, and a plain join makes of it what
/// its rules promise.
pub(crate) fn path_guard(data: &[u8]) {
    for rules in Rules::ALL {
        let guard = PathGuard::new(rules);
        let judged = guard.judge(data);
        assert_eq!(judged, guard.judge(data), "the same path gets the same answer");
        let Ok(safe) = judged else { continue };
        let path = safe.as_str();
        assert_eq!(guard.judge(path.as_bytes()).as_ref().map(SafePath::as_str), Ok(path));
        assert!(!path.starts_with('/') && !path.contains(['\\', '\0']));
        assert!(path.split('/').all(|name| !matches!(name, "" | ".") && !name.starts_with("..")));
        for (model, root) in [(Model::Posix, "/w/root"), (Model::Windows, r"C:\w\root")] {
            assert!(
                model.is_within(&model.normalize(&model.join(root, path)), root),
                "{path:?} leaves under {model:?}"
            );
            let outcome = unguarded(path.as_bytes(), model);
            assert_ne!(outcome, Outcome::Escapes, "{path:?} under {model:?}");
        }
        // Both rules admit what both admit.
        if rules == Rules::Portable {
            for single in [Rules::Windows, Rules::Posix] {
                assert!(PathGuard::new(single).judge(data).is_ok(), "{single:?} refuses what both admit: {data:?}");
            }
        }
    }
}
