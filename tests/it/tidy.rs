//! Rules about the sources themselves that a compiler does not hold.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Lines of one file.
const MAX_LINES: usize = 600;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a folder of the project.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")
}

/// The lines of a file that are code: neither comments nor documentation.
fn code(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(str::trim).filter(|line| !line.starts_with("//")).map(str::to_owned).collect()
}

/// The top-level modules of the crate that a file names.
fn named_modules(path: &Path) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for line in code(path) {
        for rest in line.split("crate::").skip(1).chain(line.split("workspace_guard::").skip(1)) {
            // `use crate::{a::b, c}` names each of them.
            let list = rest.strip_prefix('{').map_or(vec![rest], |list| list.split(',').collect());
            for item in list {
                let word: String = item.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if !word.is_empty() {
                    named.insert(word);
                }
            }
        }
    }
    named
}

/// What each ring may know beside itself. Inner rings know nothing of the outer ones, so that a decision can be
/// tested without a disk and a harness can be added without touching the gate.
const RINGS: [(&str, &[&str]); 17] = [
    ("limits", &[]),
    ("sys", &["limits"]),
    ("path", &["world", "limits"]),
    ("world", &["path", "limits", "sys"]),
    ("home", &["limits"]),
    ("corpus", &["limits", "path"]),
    ("contained", &["limits", "path", "sys"]),
    ("shell", &["path", "world", "limits"]),
    ("config", &["home", "limits", "path", "shell", "world"]),
    ("ledger", &["config", "home", "limits", "path", "sys", "world"]),
    ("scan", &["home", "ledger", "limits", "sys"]),
    ("observe", &["config", "home", "ledger", "limits", "path", "sys"]),
    ("session", &["config", "home", "ledger", "limits", "path", "sys", "world"]),
    ("trash", &["config", "home", "ledger", "limits", "observe", "path", "session", "sys", "world"]),
    ("gate", &["config", "home", "limits", "path", "shell", "world"]),
    ("harness", &["gate", "limits", "path", "shell", "sys", "world"]),
    ("doctor", &["config", "harness", "home", "ledger", "limits", "path", "session", "sys", "world"]),
];

#[test]
fn rings_know_only_what_lies_below() {
    let mut wrong = Vec::new();
    for (ring, may) in RINGS {
        let files = sources(&format!("src/{ring}")).into_iter().chain([root().join(format!("src/{ring}.rs"))]);
        for file in files.filter(|file| file.is_file()) {
            for named in named_modules(&file) {
                let is_module = ["hook", "cli"].contains(&&*named) || RINGS.iter().any(|(ring, _)| *ring == named);
                if is_module && named != ring && !may.contains(&&*named) {
                    wrong.push(format!("{}: {ring} must not know {named}", name(&file)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_module_has_a_ring() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let modules = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let fronts = ["hook", "cli"];
    let missing: Vec<_> = modules.filter(|m| !fronts.contains(m) && !RINGS.iter().any(|(ring, _)| ring == m)).collect();
    assert!(missing.is_empty(), "give {missing:?} a row in RINGS");
}

#[test]
fn files_are_short() {
    let files = ["src", "tests", "benches"].into_iter().flat_map(sources);
    let long: Vec<_> = files
        .map(|file| (name(&file), fs::read_to_string(&file).unwrap().lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .collect();
    assert!(long.is_empty(), "longer than {MAX_LINES} lines: {long:?}");
}

#[test]
fn unsafe_code_is_in_one_place_and_explained() {
    for file in sources("src") {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (i, line) in lines.iter().enumerate() {
            let opens = !line.starts_with("//") && line.contains("unsafe ") && !line.contains("unsafe_code");
            if opens {
                let place = format!("{}:{}: {line}", name(&file), i + 1);
                assert!(place.starts_with("src/sys.rs:") || place.starts_with("src/sys/"), "{place}");
                let before = &lines[i.saturating_sub(6)..=i];
                assert!(before.iter().any(|l| l.contains("SAFETY:")), "no SAFETY comment: {place}");
            }
        }
    }
}

#[test]
fn module_files_hold_no_logic() {
    let with_logic: Vec<_> = sources("src")
        .into_iter()
        .filter(|file| file.ends_with("mod.rs") && !file.ends_with("tests/mod.rs"))
        .filter(|file| {
            code(file).iter().any(|line| line.contains("fn ") && line.ends_with('{') && !line.contains("trait"))
        })
        .map(|file| name(&file))
        .collect();
    assert!(with_logic.is_empty(), "{with_logic:?}");
}

#[test]
fn lints_are_expected_and_never_allowed() {
    for file in ["src", "tests", "benches"].into_iter().flat_map(sources) {
        for line in code(&file) {
            let allows = line.starts_with("#[allow(") || line.starts_with("#![allow(");
            assert!(!allows, "{}: {line}", name(&file));
        }
    }
}

#[test]
fn no_test_is_switched_off() {
    for file in ["src", "tests"].into_iter().flat_map(sources) {
        assert!(!code(&file).iter().any(|line| line.starts_with("#[ignore")), "{}", name(&file));
    }
}

/// The levels of a document's headings, without what stands in code blocks.
fn heading_levels(file: &str) -> Option<Vec<usize>> {
    let text = fs::read_to_string(root().join(file)).ok()?;
    let mut in_code = false;
    let mut levels = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        let level = line.len() - line.trim_start_matches('#').len();
        if !in_code && level > 0 && line[level..].starts_with(' ') {
            levels.push(level);
        }
    }
    Some(levels)
}

#[test]
fn both_manuals_have_the_same_headings() {
    let (english, chinese) = (heading_levels("README.md"), heading_levels("README.zh-TW.md"));
    assert_eq!(english, chinese);
}

#[test]
fn documents_name_no_path_that_is_gone() {
    for document in ["README.md", "README.zh-TW.md", "ARCHITECTURE.md"] {
        let Ok(text) = fs::read_to_string(root().join(document)) else { continue };
        for quoted in text.split('`').skip(1).step_by(2) {
            let is_path = ["src/", "tests/", "hooks/", "profiles/", "benches/", "fuzz/", ".ci/"]
                .iter()
                .any(|p| quoted.starts_with(p));
            if is_path && !quoted.contains(['*', ' ', '<', '{', '…']) {
                assert!(root().join(quoted).exists(), "{document} names {quoted}");
            }
        }
    }
}
