//! The rows themselves: syntax, order, reachability.

use std::collections::BTreeSet;

use super::super::index::place;
use super::super::row::{Row, Token, places, roles};
use super::super::table::{GROUPS, find, find_program, next_row};

/// Letters that a role may have; docs/ROLES.md explains each.
const LETTERS: &str = "GurcdijmxDCNYItlUabvBepqhPsSkKfMRJE/wTzXVgoyQWFHLAOZ\"?n.";
/// Words on a row as a whole.
const FLAGS: [&str; 15] = [
    "backup", "closed", "first", "folders", "fresh", "gnu", "inplace", "old", "plus", "remote", "slash", "stop",
    "valued", "whole", "words",
];
const LANGS: [&str; 10] = ["awk", "bash", "cmd", "node", "perl", "php", "powershell", "python", "ruby", "sed"];
const CODES: [&str; 9] = ["bwrap", "cmd", "curl", "find", "parallel", "pwsh", "tmux", "wget", "xargs"];

fn rows() -> Vec<Row<'static>> {
    let mut out = Vec::new();
    for text in GROUPS {
        let mut at = next_row(text.as_bytes(), 0);
        while at < text.len() {
            let row = Row::at(text, at);
            out.push(row);
            at = next_row(text.as_bytes(), row.end);
        }
    }
    out
}

#[test]
fn rows_are_sorted_and_unique() {
    let mut seen = BTreeSet::new();
    for text in GROUPS {
        let mut last = "";
        let mut at = next_row(text.as_bytes(), 0);
        while at < text.len() {
            let row = Row::at(text, at);
            assert!(last.as_bytes() < row.name.as_bytes(), "{} stands behind {last}", row.name);
            assert!(seen.insert(row.name), "{} has two rows", row.name);
            last = row.name;
            at = next_row(text.as_bytes(), row.end);
        }
    }
    assert!(seen.len() > 1000, "{}", seen.len());
}

#[test]
fn the_index_holds_every_row_and_nothing_else() {
    for row in rows() {
        let (text, start) = place(row.name).unwrap();
        assert_eq!(Row::at(text, start).name, row.name);
        for odd in
            [format!("{} ", row.name), format!(" {}", row.name), format!("{}\n", row.name), format!("{} see", row.name)]
        {
            assert!(place(&odd).is_none(), "{odd:?}");
        }
    }
    for odd in ["", " ", "\n", "#", "/", "git/", "no-such-program", "\u{1f600}"] {
        assert!(place(odd).is_none(), "{odd:?}");
    }
}

#[test]
fn every_name_resolves() {
    for row in rows() {
        assert!(find(row.name).is_some(), "{}", row.name);
        if !row.name.contains(['/', '@']) {
            assert!(find_program(&format!("/usr/bin/{}", row.name)).is_some(), "{}", row.name);
        }
    }
    for name in [
        "python3.11",
        "/usr/bin/gcc-12",
        "x86_64-linux-gnu-g++-12",
        "pip3",
        "clang++-17",
        "git.exe",
        "lua5.4",
        "CMD.EXE",
        "Git.exe",
    ] {
        assert!(find_program(name).is_some(), "{name}");
    }
    for name in ["", "/", "@read", "git/clone", "no-such-program", "gcc/x", "3"] {
        assert!(find_program(name).is_none(), "{name}");
    }
}

#[test]
fn every_token_is_known() {
    let mut bad = Vec::new();
    for row in rows() {
        if let Some(next) = row.see() {
            if find(next).is_none() {
                bad.push(format!("{} sees {next}", row.name));
            }
            continue;
        }
        let listed: Vec<&str> = row
            .tokens()
            .filter_map(|t| match t {
                Token::Option { names, .. } | Token::Names(names) => Some(names),
                _ => None,
            })
            .collect();
        let mut names = BTreeSet::new();
        for name in listed.iter().flat_map(|n| n.split(',')) {
            if name.len() < 2 || !name.starts_with(['-', '/', '$']) || !names.insert(name) {
                bad.push(format!("{}: option {name}", row.name));
            }
        }
        // One that stands among the tokens is a key without a role.
        bad.extend(row.flags().filter(|flag| !FLAGS.contains(flag)).map(|flag| format!("{}: :{flag}", row.name)));
        bad.extend(row.tokens().filter(|t| !is_sound(*t, &listed)).map(|t| format!("{}: {t:?}", row.name)));
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

fn is_sound(token: Token<'_>, listed: &[&str]) -> bool {
    match token {
        Token::Option { role, .. } => {
            let optional = role.strip_prefix('?').filter(|r| !r.is_empty());
            let role = optional.map_or(role, |r| r.strip_prefix('#').unwrap_or(r));
            are_roles(role.strip_prefix('!').unwrap_or(role), listed)
        }
        Token::Names(_) => true,
        Token::Key { role, .. } => are_roles(role, listed),
        Token::Operands { when, pattern: "0" } => is_condition(when, listed),
        Token::Operands { when, pattern } => {
            let all: Vec<_> = places(pattern).collect();
            is_condition(when, listed)
                && !all.is_empty()
                && all.iter().filter(|p| p.star).count() < 2
                && all.iter().all(|p| are_roles(p.roles, listed))
        }
        Token::Also { when, roles } => is_condition(when, listed) && are_roles(roles, listed),
        Token::Lang(lang) => LANGS.contains(&lang),
        Token::Code(code) => CODES.contains(&code),
    }
}

fn are_roles(text: &str, listed: &[&str]) -> bool {
    !text.is_empty()
        && roles(text).all(|role| {
            LETTERS.contains(role.letter)
                && role.option.is_none_or(|o| listed.iter().any(|n| n.split(',').next() == Some(o)))
                && !role.text.is_some_and(|t| t.contains(['[', ']']))
        })
}

/// A condition names an option by the first of its names.
fn is_condition(when: &str, listed: &[&str]) -> bool {
    when.split('&').filter(|a| !a.is_empty()).all(|atom| {
        let atom = atom.strip_prefix('^').unwrap_or(atom);
        if atom.starts_with('%') {
            return atom.len() > 1;
        }
        if let Some(count) = atom.strip_prefix('#') {
            return count.trim_end_matches('-').parse::<usize>().is_ok();
        }
        let option = atom.split('@').next().unwrap_or(atom);
        option.starts_with(['-', '/', '$']) && !listed.iter().any(|n| n.split(',').skip(1).any(|n| n == option))
    })
}

#[test]
fn every_sub_row_is_reached() {
    let rows = rows();
    let seen: BTreeSet<&str> = rows.iter().filter_map(|r| r.see()).collect();
    let mut bad = Vec::new();
    for row in &rows {
        if row.name.starts_with('@') && !seen.contains(row.name) {
            bad.push(format!("{} is unused", row.name));
        }
        let Some((parent, _)) = row.name.rsplit_once('/') else { continue };
        let Some(above) = rows.iter().find(|r| r.name == parent) else {
            bad.push(format!("{} has no row above it", row.name));
            continue;
        };
        let follows = above.tokens().any(|t| match t {
            Token::Operands { pattern, .. } => pattern.contains('/'),
            Token::Option { role, .. } => role.contains('M'),
            _ => false,
        });
        // A row that another one stands for has no sub-rows of its own.
        if !follows || above.see().is_some() {
            bad.push(format!("{} is never followed to", row.name));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
