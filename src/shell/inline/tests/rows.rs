//! The tables themselves.

use crate::shell::inline::rows::{ops, table};
use crate::shell::programs::Language;

const LANGUAGES: [Language; 5] = [Language::Python, Language::Node, Language::Perl, Language::Ruby, Language::Php];

#[test]
fn every_row_is_found() {
    for language in LANGUAGES {
        let mut before = "";
        for line in table(language).lines() {
            let (name, want) = line.split_once(' ').unwrap();
            assert!(before < name, "{language:?}: {before} stands before {name}");
            before = name;
            assert_eq!(ops(language, name), Some(want), "{language:?} {name}");
        }
        assert_eq!(ops(language, "zzz.none"), None);
        assert_eq!(ops(language, ""), None);
    }
}

#[test]
fn every_op_is_known() {
    for language in LANGUAGES {
        for op in table(language).lines().flat_map(|l| l.split(' ').skip(1)) {
            let known = op == "if@"
                || op.strip_prefix('=').is_some_and(|n| !n.is_empty())
                || op.trim_start_matches('?').starts_with(|c| "bcmdriIopvltaksSxXVuePTAw".contains(c));
            assert!(known, "{language:?}: {op}");
        }
    }
}
