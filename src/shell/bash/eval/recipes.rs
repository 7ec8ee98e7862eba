//! Makefiles and package descriptions, as far as it takes to know which commands they run.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::limits::MAX_TURNS;
use crate::shell::{Piece, Value};

/// Lines of their own that run something.
const CALLS: [&str; 5] = ["$(shell", "$(file", "$(info", "$(eval", "$(call"];

/// Variables within variables.
const MAX_EXPANDED: usize = 8;

/// What `make` was asked for.
#[derive(Default)]
pub(super) struct Call {
    pub(super) folder: Option<String>,
    pub(super) file: Option<String>,
    pub(super) targets: Vec<String>,
    pub(super) variables: Vec<(String, String)>,
    /// Text that stands before the file's: `--eval`.
    pub(super) before: Vec<String>,
}

/// The arguments of `make`; `None` where it runs nothing.
pub(super) fn make_call(words: &[String]) -> Option<Call> {
    let mut call = Call::default();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((word, None), |(n, v)| (n, Some(v.to_owned())));
        match (name, value) {
            (
                "-n" | "--just-print" | "--dry-run" | "--recon" | "-q" | "--question" | "-p" | "--version" | "--help",
                _,
            ) => {
                return None;
            }
            ("-C" | "--directory", value) => call.folder = value.or_else(|| words.next().map(str::to_owned)),
            ("-f" | "--file" | "--makefile", value) => call.file = value.or_else(|| words.next().map(str::to_owned)),
            ("-E" | "--eval", value) => call.before.extend(value.or_else(|| words.next().map(str::to_owned))),
            (name, _) if name.starts_with("-C") => call.folder = Some(word[2..].to_owned()),
            (name, _) if name.starts_with("-f") => call.file = Some(word[2..].to_owned()),
            (name, _) if name.starts_with('-') || name.bytes().all(|b| b.is_ascii_digit()) => {}
            (name, Some(value)) => call.variables.push((name.to_owned(), value)),
            (name, None) => call.targets.push(name.to_owned()),
        }
    }
    Some(call)
}

#[derive(Default)]
struct Rule {
    targets: Vec<String>,
    needs: Vec<String>,
    recipe: Vec<String>,
}

/// The rules of a Makefile.
#[derive(Default)]
pub(super) struct Makefile {
    variables: BTreeMap<String, String>,
    /// What is run where its text is expanded: `$(shell COMMAND)`.
    run: RefCell<Vec<Value>>,
    rules: Vec<Rule>,
}

impl Makefile {
    /// Reads what is understood of `source`; `given` are variables of the command line.
    pub(super) fn parse(source: &str, given: &[(String, String)]) -> Self {
        let mut out = Self { variables: given.iter().cloned().collect(), ..Self::default() };
        for line in source.replace("\\\n", " ").lines() {
            if let Some(command) = line.strip_prefix('\t') {
                if let Some(rule) = out.rules.last_mut() {
                    rule.recipe.push(command.trim().to_owned());
                }
                continue;
            }
            let line = line.split('#').next().unwrap_or_default().trim();
            let line = line.strip_prefix("export ").unwrap_or(line);
            if CALLS.iter().any(|call| line.starts_with(call)) {
                out.expand(line, None, 0);
                continue;
            }
            if let Some((name, value)) = line.split_once('=')
                && let Some(operator) = name.trim_end().strip_suffix('!')
                && !operator.contains(':')
            {
                let command = out.expand(value.trim(), None, 0);
                out.note(command);
                continue;
            }
            if let Some((name, value)) = line.split_once('=')
                && name.trim_end().ends_with(':')
            {
                // Expanded at once.
                out.expand(value.trim(), None, 0);
            }
            if let Some((name, value)) = line.split_once('=')
                && let name = name.trim_end_matches([':', '?', '+', '!']).trim()
                && !name.is_empty()
                && !name.contains([' ', ':', '\t'])
            {
                if !given.iter().any(|(n, _)| n == name) {
                    out.variables.insert(name.to_owned(), value.trim().to_owned());
                }
                continue;
            }
            if let Some((targets, rest)) = line.split_once(':') {
                let (needs, first) = rest.split_once(';').map_or((rest, None), |(n, c)| (n, Some(c)));
                let words = |text: &str| -> Vec<String> {
                    let text = out.expand(text, None, 0).known().unwrap_or_default().into_owned();
                    text.split_whitespace()
                        .map(|w| w.trim_matches([':', '|']).to_owned())
                        .filter(|w| !w.is_empty())
                        .collect()
                };
                let (targets, needs) = (words(targets), words(needs));
                out.rules.push(Rule {
                    targets,
                    needs,
                    recipe: first.map(|c| c.trim().to_owned()).into_iter().collect(),
                });
            }
        }
        out
    }

    /// The commands that these targets run, the first rule's where none is named, what they need first.
    pub(super) fn lines(&self, targets: &[String]) -> Vec<Value> {
        let first = self.rules.iter().flat_map(|r| &r.targets).find(|t| !t.starts_with('.'));
        let mut open: Vec<(&str, bool)> = match (targets, first) {
            ([], Some(first)) => vec![(first, false)],
            (targets, _) => targets.iter().rev().map(|t| (t.as_str(), false)).collect(),
        };
        let mut seen = BTreeSet::new();
        let mut out = Vec::new();
        // What was run while the file was read.
        out.append(&mut self.run.borrow_mut());
        while let Some((target, needs_done)) = open.pop() {
            let rules = || self.rules.iter().filter(|r| r.targets.iter().any(|t| t == target));
            if needs_done {
                for rule in rules() {
                    let line =
                        |l: &String| self.expand(l.trim_start_matches(['@', '-', '+', ' ']), Some((target, rule)), 0);
                    for recipe in &rule.recipe {
                        let command = line(recipe);
                        out.append(&mut self.run.borrow_mut());
                        out.push(command);
                    }
                }
                continue;
            }
            if seen.len() >= MAX_TURNS || !seen.insert(target) {
                continue;
            }
            open.push((target, true));
            open.extend(rules().flat_map(|r| r.needs.iter().rev()).map(|need| (need.as_str(), false)));
        }
        out
    }

    /// `$(shell COMMAND)`, `$(file > FILE,TEXT)`.
    fn called(&self, call: &str, rule: Option<(&str, &Rule)>, depth: usize) {
        let Some((function, text)) = call.split_once([' ', '\t']) else { return };
        match function {
            "shell" => {
                let command = self.expand(text, rule, depth + 1);
                self.note(command);
            }
            "file" => {
                let mut command = Value::text(": ");
                command.append(self.expand(text.split(',').next().unwrap_or_default(), rule, depth + 1));
                self.note(command);
            }
            _ => {}
        }
    }

    fn note(&self, command: Value) {
        let mut run = self.run.borrow_mut();
        if run.len() < MAX_TURNS {
            run.push(command);
        }
    }

    /// The text with `$(NAME)` and the variables of a rule replaced.
    fn expand(&self, text: &str, rule: Option<(&str, &Rule)>, depth: usize) -> Value {
        let mut out = Value::default();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let Some(next) = rest.chars().next() else { break };
            let close = match next {
                '(' => ')',
                '{' => '}',
                _ => {
                    rest = &rest[next.len_utf8()..];
                    match (next, rule) {
                        ('$', _) => out.push_str("$"),
                        ('@', Some((target, _))) => out.push_str(target),
                        ('<', Some((_, rule))) => out.push_str(rule.needs.first().map_or("", String::as_str)),
                        ('^' | '+', Some((_, rule))) => out.push_str(&rule.needs.join(" ")),
                        _ => out.push(Piece::Name),
                    }
                    continue;
                }
            };
            let end = closed(rest, next, close);
            let name = rest.get(1..end).unwrap_or_default();
            rest = rest.get(end + 1..).unwrap_or_default();
            if depth < MAX_EXPANDED {
                self.called(name, rule, depth);
            }
            match self.variables.get(name) {
                Some(value) if depth < MAX_EXPANDED => out.append(self.expand(value, rule, depth + 1)),
                None if name.contains([' ', ':', '$']) => out.push(Piece::Any),
                None if name == "MAKE" => out.push_str("make"),
                // The environment's, most likely none.
                None => {
                    out.push_str("${");
                    out.push_str(name);
                    out.push_str("}");
                }
                Some(_) => out.push(Piece::Any),
            }
        }
        out.push_str(rest);
        out
    }
}

/// Where the bracket that `text` begins with is closed.
fn closed(text: &str, open: char, close: char) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    text.len()
}

/// The scripts that a package manager runs for these words, by the text of `package.json`.
pub(super) fn package_scripts(text: &str, words: &[&str]) -> Vec<String> {
    let Ok(package) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
    let words = words.strip_prefix(&["run"]).or(words.strip_prefix(&["run-script"])).unwrap_or(words);
    let names: Vec<String> = match words {
        [] | ["install" | "i" | "ci" | "add", ..] => {
            ["preinstall", "install", "postinstall", "prepare"].map(str::to_owned).to_vec()
        }
        [name, ..] => around(name),
    };
    let script = |name: &String| Some(package.get("scripts")?.get(name)?.as_str()?.to_owned());
    names.iter().filter_map(script).collect()
}

fn around(name: &str) -> Vec<String> {
    vec![format!("pre{name}"), name.to_owned(), format!("post{name}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(makefile: &str, words: &[&str]) -> Vec<String> {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        let Some(call) = make_call(&words) else { return vec!["nothing".to_owned()] };
        let lines = Makefile::parse(makefile, &call.variables).lines(&call.targets);
        lines.iter().map(|l| l.known().map_or("?".to_owned(), Into::into)).collect()
    }

    #[test]
    fn rules() {
        const TEXT: &str = "D := out\nP ?= $(D)/x\n.PHONY: all clean\nall: dep $(D)\n\t@echo $@ $< $$HOME\ndep:\n\tmkdir -p $(P)\n\
                            out: ; mkdir $@\nclean: # no\n\t-rm -rf ${D}\n\t$(shell x) $(UNSET)\nloop: loop all\n";
        for (words, want) in [
            (&[][..], &["mkdir -p out/x", "mkdir out", "echo all dep $HOME"][..]),
            (&["dep", "P=/srv/x", "-j4"], &["mkdir -p /srv/x"]),
            (&["clean"], &["rm -rf out", "x", "?"]),
            (&["-n"], &["nothing"]),
            (&["loop"], &["mkdir -p out/x", "mkdir out", "echo all dep $HOME"]),
            (&["none"], &[]),
        ] {
            assert_eq!(lines(TEXT, words), want, "{words:?}");
        }
    }

    #[test]
    fn scripts() {
        const TEXT: &str = r#"{"scripts": {"build": "tsc", "prebuild": "mkdir x", "test": "t", "postinstall": "p"}}"#;
        for (words, want) in [
            (&["run", "build"][..], &["mkdir x", "tsc"][..]),
            (&["test"], &["t"]),
            (&["build"], &["mkdir x", "tsc"]),
            (&["install"], &["p"]),
            (&["run", "none"], &[]),
        ] {
            assert_eq!(package_scripts(TEXT, words), want, "{words:?}");
        }
        assert!(package_scripts("{", &["test"]).is_empty());
    }
}
