//! The corpus: that it is whole, that what it claims is so, and that a run can fail.

#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod run;

use std::collections::{BTreeMap, BTreeSet};

use super::text::unescape;
use super::{Outcome, cases, classes, unguarded};
use crate::path::Model;
use crate::path::guard::{PathGuard, Refusal, Rules};

#[test]
fn no_line_is_lost() {
    let text = include_str!("../cases.txt");
    let lines: Vec<&str> = text.lines().filter(|l| !l.is_empty() && !l.starts_with(['#', '='])).collect();
    let read: Vec<&str> = cases().map(|case| case.id).collect();
    let written: Vec<&str> = lines.iter().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(read, written);
    for case in cases() {
        assert!(case.id.strip_prefix(case.class.name).is_some_and(|rest| rest.starts_with('-')), "{}", case.id);
        assert!(case.shown.bytes().all(|b| (b' '..=b'~').contains(&b)), "{}: not printable", case.id);
        assert!(case.cost.is_none_or(|cost| !cost.is_empty()), "{}", case.id);
    }
}

#[test]
fn it_is_large_and_varied() {
    let all: Vec<_> = cases().collect();
    assert!(all.len() >= 250, "{}", all.len());
    assert!(classes().count() >= 15);
    assert_eq!(all.iter().map(|case| case.id).collect::<BTreeSet<_>>().len(), all.len(), "ids are unique");
    let paths: BTreeMap<_, _> = all.iter().map(|case| (case.path.clone(), case.id)).collect();
    let twice: Vec<_> = all.iter().filter(|case| paths[&case.path] != case.id).map(|case| case.id).collect();
    assert!(twice.is_empty(), "paths are unique: {twice:?}");
    for class in classes() {
        assert!(all.iter().filter(|case| case.class == class).count() >= 3, "{}", class.name);
    }
    let codes: BTreeSet<_> = all.iter().map(|case| case.refusal).collect();
    let missing: Vec<_> = Refusal::ALL.into_iter().filter(|code| !codes.contains(code)).collect();
    // The codes that the guard never gives.
    assert_eq!(missing, [Refusal::EscapesViaLink, Refusal::CollidesWithSibling, Refusal::GitFolder]);
    for outcome in Outcome::ALL {
        assert!(all.iter().any(|case| case.posix == outcome || case.windows == outcome), "{outcome:?}");
    }
}

#[test]
fn every_case_is_refused_with_its_code() {
    let mut wrong = Vec::new();
    for case in cases() {
        let got = PathGuard::new(Rules::Portable).judge(&case.path).map_or_else(Refusal::code, |_| "ok");
        if got != case.refusal.code() {
            wrong.push(format!("{} {}: {got}, not {}", case.id, case.shown, case.refusal.code()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_unguarded_claim_is_true() {
    let mut wrong = Vec::new();
    for case in cases() {
        for (model, claim) in [(Model::Posix, case.posix), (Model::Windows, case.windows)] {
            let got = unguarded(&case.path, model);
            if got != claim {
                wrong.push(format!("{} {}: {got:?} on {model:?}, not {claim:?}", case.id, case.shown));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Rules for one platform admit only what is a plain name there: nothing that leaves, and on Windows nothing that reaches.
#[test]
fn rules_of_one_platform_admit_only_names() {
    for case in cases() {
        if PathGuard::new(Rules::Posix).judge(&case.path).is_ok() {
            assert!(matches!(case.posix, Outcome::Confuses | Outcome::Filename), "{} {}", case.id, case.shown);
            assert_ne!(case.windows, Outcome::Escapes, "{} {}", case.id, case.shown);
        }
        let windows = PathGuard::new(Rules::Windows).judge(&case.path);
        if windows.is_ok() {
            assert_eq!((case.refusal, case.windows), (Refusal::SegmentTooLong, Outcome::Filename), "{}", case.id);
        }
    }
}

#[test]
fn ordinary_paths_are_what_they_seem() {
    for path in ["a.txt", "src/main.rs", "café/名前.md", "a b/c", ".gitignore", "a..b"] {
        for model in [Model::Posix, Model::Windows] {
            assert_eq!(unguarded(path.as_bytes(), model), Outcome::Filename, "{path}");
        }
    }
    assert_eq!(unguarded(b"a/../b", Model::Posix), Outcome::Reaches);
    assert_eq!(unguarded(b"..\\b", Model::Posix), Outcome::Confuses);
    assert_eq!(unguarded(b"..\\b", Model::Windows), Outcome::Escapes);
}

#[test]
fn spelling_and_bytes() {
    let check = |text: &str, want: Option<&[u8]>| assert_eq!(unescape(text).as_deref(), want, "{text}");
    check("a/b", Some(b"a/b"));
    check(r"\\\n\r\t\x00\xff", Some(b"\\\n\r\t\0\xff"));
    check(r"\u{e9}x\{ab*3}y", Some("éxabababy".as_bytes()));
    check(r"\{\u{e9}*2}", Some("éé".as_bytes()));
    for wrong in [r"\", r"\x", r"\x1", r"\xg0", r"\u{}", r"\u{d800}", r"\u{1", r"\{a*}", r"\{a}", r"\q", r"\{a*99999}"]
    {
        check(wrong, None);
    }
}
