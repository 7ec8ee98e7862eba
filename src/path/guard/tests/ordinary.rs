//! What the guard costs: of ordinary file names at most one in a hundred is refused, and for a reason that the manual gives.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::super::{PathGuard, Rules};

/// Names that are judged.
const NAMES: usize = 10_000;
/// Of them made here, in other scripts.
const MADE: usize = 1_000;
/// Real names that are gathered before some are taken; enough that no tree fills them alone.
const GATHERED: usize = 40_000;

/// Source trees: this one, those that it is built with, and what systems keep of their own.
fn trees() -> Vec<PathBuf> {
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let mut trees = vec![Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()];
    trees.extend(cargo.map(|cargo| cargo.join("registry/src")));
    trees.extend(["/usr/src", "/usr/include"].map(PathBuf::from));
    trees
}

/// Up to `most` names of files and folders below `tree`, each once.
fn gather(tree: &Path, most: usize, names: &mut BTreeSet<String>) {
    let end = names.len() + most;
    let mut folders = vec![tree.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if names.len() >= end {
                return;
            }
            // What cargo builds has names of its own making.
            let Ok(name) = entry.file_name().into_string() else { continue };
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && name != "target" {
                folders.push(entry.path());
            }
            names.insert(name);
        }
    }
}

/// Names as people give them, in other scripts.
fn made() -> Vec<String> {
    let words = [
        "設計書",
        "会議メモ",
        "スクリーンショット",
        "한국어 문서",
        "프로젝트",
        "отчёт",
        "Договор",
        "Ελληνικά",
        "مستند",
        "مشروع",
        "עברית",
        "हिन्दी",
        "ไทย",
        "café",
        "cafe\u{301}",
        "Übersicht",
        "naïve",
        "señor",
        "Ångström",
        "łódź",
        "İstanbul",
        "ııı",
        "Tiếng Việt",
        "日本語 (コピー)",
        "📷 Urlaub",
        "🎉",
        "Résumé – final",
        "“quoted”",
        "100 %",
        "c++ & more",
        "µ-law",
        "№ 5",
        "½ Seite",
        "naïve’s",
        "中文，标点",
        "「括弧」",
        "ﾊﾝｶｸ",
        "Ñandú",
        "ქართული",
        "Հայերեն",
    ];
    let ends = [".md", ".txt", ".pdf", " 2.docx", "_v3.xlsx", "-final.png", "", ".tar.gz", " (1).jpg", ".test.ts"];
    let counted = (1..).flat_map(|n| ends.iter().map(move |end| (n, end)));
    let all = counted.flat_map(|(n, end)| {
        words.iter().map(move |word| match n {
            1 => format!("{word}{end}"),
            _ => format!("{n} {word}{end}"),
        })
    });
    all.take(MADE).collect()
}

/// The line of the manual that says why a name is lost.
fn cost(name: &str) -> Option<&'static str> {
    let has = |chars: &[char]| name.contains(chars);
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let is_device = ["CON", "PRN", "AUX", "NUL", "CLOCK$"].contains(&&*stem)
        || ["COM", "LPT"].iter().any(|port| stem.strip_prefix(port).is_some_and(|n| n.chars().count() == 1));
    let windows = has(&[':', '<', '>', '"', '|', '?', '*', '\\', '~']) || name.ends_with(['.', ' ']) || is_device;
    let costs = [
        (has(&['\u{200c}', '\u{200d}', '\u{fe0f}']), "emoji that are put together"),
        (has(&['%']), "names that are URL-encoded"),
        (name.starts_with("..") || name.starts_with('…'), "names that start with two dots"),
        (windows || name.starts_with(' '), "under `windows` and `portable`"),
    ];
    costs.into_iter().find(|(applies, _)| *applies).map(|(_, line)| line)
}

#[test]
fn ordinary_names_are_admitted() {
    let manual = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/REFUSALS.md")).unwrap();
    let (_, costs) = manual.split_once("## What it costs").unwrap();
    let mut real = BTreeSet::new();
    let trees = trees();
    for tree in &trees {
        gather(tree, GATHERED / trees.len(), &mut real);
    }
    let made = made();
    let wanted = NAMES - made.len();
    if real.len() < wanted {
        eprintln!("SKIPPED: only {} ordinary names on this machine, {wanted} are needed", real.len());
        return;
    }
    // Evenly from all of them.
    let real: Vec<String> = real.into_iter().collect();
    let names: Vec<&String> = (0..wanted).map(|i| &real[i * real.len() / wanted]).chain(&made).collect();
    assert_eq!(names.len(), NAMES);
    for rules in Rules::ALL {
        let guard = PathGuard::new(rules);
        let refused: Vec<_> =
            names.iter().filter_map(|name| Some((name, guard.judge(name.as_bytes()).err()?))).collect();
        assert!(refused.len() * 100 <= NAMES, "{}: {} refused: {refused:?}", rules.name(), refused.len());
        for (name, refusal) in refused {
            let line =
                cost(name).unwrap_or_else(|| panic!("{name:?} is refused with {} without a reason", refusal.code()));
            assert!(costs.contains(line), "the manual says nothing of {line}");
        }
    }
}
