//! shfmt's reading of a script, from the tree that it prints as JSON.

use std::io::Write as _;
use std::ops::Range;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::agree::{self, Case, Known};
use crate::fact::{Fact, Reading, Role, operator};

/// Whether there is one to ask.
pub(crate) fn here() -> bool {
    Command::new("shfmt").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Where it is wrong.
pub(crate) const KNOWN: &[Known] = &[
    Known {
        reason: "`name+=` with nothing behind it is an assignment: its place lacks the `=`",
        holds: |case| case.claims(|role, text| *role == Role::Assignment && text.ends_with('+')),
    },
    agree::CLOSING,
    agree::TORN,
    Known {
        reason: "a delimiter that is quoted in part is quoted",
        holds: |case| case.theirs.iter().all(|fact| quotes_delimiter(case, fact)) && case.ours.is_empty(),
    },
    Known {
        reason: "behind `|` the word `time` is a command",
        holds: |case| case.misses(|role, text| *role == Role::Command && text == "time"),
    },
    Known {
        reason: "a comment that ends with a backslash ends there",
        holds: |case| case.claims(|_, text| text.split('\n').any(|line| line.contains('#') && line.ends_with('\\'))),
    },
];

/// Whether a here-document with a delimiter like `"E"1` is around the fact.
fn quotes_delimiter(case: &Case<'_>, fact: &Fact) -> bool {
    let before = &case.text[..fact.at.0];
    before.rsplit_once("<< \"E\"").is_some_and(|(_, since)| {
        let digits = since.bytes().take_while(u8::is_ascii_digit).count();
        let end = format!("\nE{}\n", &since[..digits]);
        digits > 0 && since.contains('\n') && !since.contains(&end)
    })
}

/// `None` where it finds an error.
pub(crate) fn read(text: &str) -> Option<Reading> {
    let mut run = Command::new("shfmt")
        .args(["-tojson", "-ln=bash"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    run.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = run.wait_with_output().unwrap();
    if !output.status.success() {
        return None;
    }
    let tree: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut walk = Walk { text, quoted: None, reading: Reading::default() };
    walk.node(&tree);
    Some(walk.reading)
}

struct Walk<'a> {
    text: &'a str,
    quoted: Option<Range<usize>>,
    reading: Reading,
}

/// An offset that is left out is 0.
fn offset(pos: &Value) -> usize {
    usize::try_from(pos["Offset"].as_u64().unwrap_or(0)).unwrap()
}

fn range(node: &Value) -> Range<usize> {
    offset(&node["Pos"])..offset(&node["End"])
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map(Vec::as_slice).unwrap_or_default()
}

impl Walk<'_> {
    fn push(&mut self, node: &Value, role: Role) {
        self.reading.push(range(node), role, self.quoted.as_ref());
    }

    fn node(&mut self, node: &Value) {
        let back = self.quoted.clone();
        match node {
            Value::Array(nodes) => {
                for node in nodes {
                    self.node(node);
                }
            }
            Value::Object(fields) => {
                self.facts(node);
                for field in fields.values() {
                    self.node(field);
                }
            }
            _ => {}
        }
        self.quoted = back;
    }

    fn facts(&mut self, node: &Value) {
        match node["Type"].as_str() {
            Some("CallExpr") => {
                for assign in items(&node["Assigns"]) {
                    self.push(assign, Role::Assignment);
                }
                for (i, word) in items(&node["Args"]).iter().enumerate() {
                    self.push(word, if i == 0 { Role::Command } else { Role::Argument });
                }
            }
            Some("DeclClause") => {
                self.push(&node["Variant"], Role::Command);
                for word in items(&node["Args"]) {
                    self.push(word, Role::Argument);
                }
            }
            Some("FuncDecl") => {
                let start = offset(&node["Pos"]);
                self.reading.push(start..start, Role::Function, self.quoted.as_ref());
            }
            Some("CmdSubst") => {
                let at = range(node);
                if self.quoted.is_none() && self.text[at.clone()].starts_with('`') {
                    self.quoted = Some(at);
                }
            }
            // A pattern's text is not looked into.
            Some("ExtGlob") => self.reading.blind.push(range(node)),
            _ => {}
        }
        for redirect in items(&node["Redirs"]) {
            let op = operator(&self.text[offset(&redirect["OpPos"])..]);
            self.push(&redirect["Word"], Role::Target(op));
        }
    }
}
