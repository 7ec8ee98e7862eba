//! The guard by its behaviour.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests stop at the first surprise and say what they skip"
)]

mod order;
mod ordinary;
mod properties;
mod reference;
mod table;

use std::fs;
use std::path::Path;

use super::{Fault, PathGuard, Refusal, Rules};

/// The code, or `ok`.
fn verdict(raw: &[u8], rules: Rules) -> &'static str {
    PathGuard::new(rules).judge(raw).map_or_else(Refusal::code, |_| "ok")
}

#[test]
fn the_module_makes_no_system_call() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/path/guard");
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        files += 1;
        let text = fs::read_to_string(&path).unwrap();
        let code: String = text.lines().filter(|line| !line.trim().starts_with("//")).collect::<Vec<_>>().join("\n");
        // Whatever could reach the system is named through one of these roots.
        for root in ["std::", "core::", "crate::", "alloc::"] {
            for (i, _) in code.match_indices(root) {
                let named: String =
                    code[i + root.len()..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let pure = ["borrow", "fmt", "str", "error", "limits"];
                assert!(pure.contains(&&*named), "{}: {root}{named}", path.display());
            }
        }
        for word in [
            "unsafe",
            "extern",
            "cfg!",
            "cfg(unix",
            "cfg(windows",
            "env!",
            "include_",
            "libc",
            "static mut",
            "thread_local",
        ] {
            assert!(!code.contains(word), "{}: {word}", path.display());
        }
    }
    assert!(files >= 8, "the sources were read");
}

#[test]
fn the_list_and_the_codes_are_in_step() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/REFUSALS.md");
    let text = fs::read_to_string(path).unwrap();
    let rows = |start: &str| -> Vec<(String, String)> {
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "));
        rows.filter(|(code, _)| code.starts_with(start))
            .map(|(code, text)| (code.to_owned(), text.to_owned()))
            .collect()
    };
    let refusals: Vec<_> = Refusal::ALL.map(|r| (r.code().to_owned(), r.sentence().to_owned())).into();
    assert_eq!(rows("path_"), refusals);
    let faults: Vec<_> = Fault::ALL.map(|f| (f.code().to_owned(), f.sentence().to_owned())).into();
    assert_eq!(rows("workspace_"), faults);
}

#[test]
fn codes_are_stable_names() {
    let mut codes: Vec<_> = Refusal::ALL.map(Refusal::code).into_iter().chain(Fault::ALL.map(Fault::code)).collect();
    for refusal in Refusal::ALL {
        assert_eq!(Refusal::from_code(refusal.code()), Some(refusal));
        assert!(refusal.sentence().ends_with('.') && !refusal.sentence().contains('\n'));
    }
    assert!(codes.iter().all(|code| code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')));
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), Refusal::ALL.len() + Fault::ALL.len());
    assert_eq!(Refusal::from_code("path_is_fine"), None);
}
