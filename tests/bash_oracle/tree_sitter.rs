//! tree-sitter-bash's reading of a script.

use std::ops::Range;

use tree_sitter::{Node, Parser};

use crate::agree::{self, Known};
use crate::fact::{Fact, Reading, Role, operator};

/// Where it is wrong.
pub(crate) const KNOWN: &[Known] = &[
    Known { reason: "an escaped blank is part of a word", holds: |case| case.misses(|_, text| text.contains("\\ ")) },
    Known {
        reason: "`time`, `coproc` and a second `!` are reserved words",
        holds: |case| case.claims(|role, text| *role == Role::Command && matches!(text, "time" | "coproc" | "!")),
    },
    Known {
        reason: "`!` may stand before any command",
        holds: |case| {
            let reserved = ["for", "select", "function", "while", "until", "if", "case", "{", "[[", "(("];
            case.claims(|role, text| *role == Role::Command && reserved.contains(&text))
        },
    },
    Known {
        reason: "an option before a redirection is a word",
        holds: |case| {
            let before_redirect = |fact: &&Fact| {
                let rest = case.text[fact.at.1..].trim_start_matches([' ', '\\', '\n']);
                let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                case.of(fact).starts_with('-') && rest.starts_with(['<', '>'])
            };
            case.ours.iter().any(before_redirect)
        },
    },
    Known {
        reason: "a name begins with a letter",
        holds: |case| {
            let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
            case.claims(|role, text| *role == Role::Assignment && !text.starts_with(letter))
        },
    },
    Known {
        reason: "`{}`, `[]` and the like are words",
        holds: |case| {
            let brackets = |text: &str| text.contains(' ') && text.trim_matches(['{', '}', '[', ']', ' ']).is_empty();
            case.misses(|role, text| *role == Role::Command && matches!(text, "{}" | "[]" | "[a-z]"))
                || case.claims(|_, text| brackets(text))
        },
    },
    Known {
        reason: "`!` before anything but a blank belongs to the word",
        holds: |case| case.misses(|role, text| *role == Role::Command && text.starts_with('!') && text.len() > 1),
    },
    agree::CLOSING,
    Known {
        reason: "what follows `>&-` is not its target",
        holds: |case| {
            case.theirs.iter().any(|fact| {
                let before = case.before(fact);
                matches!(fact.role, Role::Target(">&" | "<&")) && (before.ends_with(">&-") || before.ends_with("<&-"))
            })
        },
    },
    agree::TORN,
    agree::JOINED,
    Known {
        reason: "a `$` before a name that is not ASCII, or that nothing follows, is text",
        holds: |case| {
            case.claims(|_, text| text.ends_with('$')) || case.misses(|_, text| text.contains("$ ") || text == "$")
        },
    },
    Known {
        reason: "`((…))` is arithmetic when it ends with two brackets",
        holds: |case| {
            let opens = |fact: &&Fact| fact.role == Role::Command && case.before(fact).ends_with("((");
            case.ours.is_empty() && case.theirs.iter().any(opens)
        },
    },
    Known {
        reason: "a delimiter ends at an operator",
        holds: |case| case.claims(|role, text| *role == Role::Target("<<") && text.contains(['|', '&', ';'])),
    },
    Known {
        reason: "a here-document's body begins at the newline behind `&&` too",
        holds: |case| {
            let behind = |fact: &Fact| {
                let line = case.before(fact).strip_suffix("&&\n").and_then(|before| before.rsplit('\n').next());
                line.is_some_and(|line| line.contains("<<"))
            };
            case.ours.is_empty() && case.theirs.iter().any(|fact| behind(fact))
        },
    },
    Known {
        reason: "back-quotes in a here-document run",
        holds: |case| {
            let inside = |fact: &Fact| fact.quoted && case.text[..fact.at.0].contains("<<");
            case.theirs.is_empty() && case.ours.iter().all(|fact| inside(fact))
        },
    },
    Known {
        reason: "`declare -` has an argument",
        holds: |case| case.misses(|role, text| *role == Role::Argument && text == "-"),
    },
    Known {
        reason: "a pattern in brackets can be a command, and ends with them",
        holds: |case| {
            let pattern = |text: &str| ["@(", "+(", "?(", "*("].iter().any(|open| text.contains(open));
            case.misses(|role, text| *role == Role::Command && pattern(text))
                || case.claims(|_, text| pattern(text) && text.contains(") &&"))
        },
    },
    Known {
        reason: "blanks in a subscript belong to the word",
        holds: |case| case.misses(|_, text| agree::meta_subscript(text)),
    },
];

/// `None` where it finds an error.
pub(crate) fn read(text: &str) -> Option<Reading> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
    let tree = parser.parse(text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut walk = Walk { text, quoted: None, reading: Reading::default() };
    walk.node(tree.root_node());
    Some(walk.reading)
}

struct Walk<'a> {
    text: &'a str,
    quoted: Option<Range<usize>>,
    reading: Reading,
}

impl Walk<'_> {
    fn push(&mut self, node: Node<'_>, role: Role) {
        self.reading.push(node.byte_range(), role, self.quoted.as_ref());
    }

    fn node(&mut self, node: Node<'_>) {
        let back = self.quoted.clone();
        self.facts(node);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            self.node(child);
        }
        self.quoted = back;
    }

    /// `{name}` or, behind an escaped newline, `2` right before an operator.
    fn names_descriptor(&self, node: Node<'_>) -> bool {
        let text = &self.text[node.byte_range()];
        let name = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let named = name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
        (named || text.bytes().all(|b| b.is_ascii_digit())) && self.text[node.end_byte()..].starts_with(['<', '>'])
    }

    fn facts(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let field = |i: usize| node.field_name_for_child(u32::try_from(i).unwrap());
        match node.kind() {
            "command" | "heredoc_redirect" => {
                for (i, &child) in children.iter().enumerate() {
                    match field(i) {
                        Some("name") => self.push(child, Role::Command),
                        // It takes descriptors for words.
                        Some("argument") if self.names_descriptor(child) => {}
                        Some("argument") => self.push(child, Role::Argument),
                        _ if child.kind() == "heredoc_start" => self.push(child, Role::Target("<<")),
                        _ => {}
                    }
                }
            }
            "declaration_command" | "unset_command" => {
                for (i, &child) in children.iter().enumerate() {
                    if !self.names_descriptor(child) {
                        self.push(child, if i == 0 { Role::Command } else { Role::Argument });
                    }
                }
            }
            "variable_assignment" => {
                let parent = node.parent().map_or("", |parent| parent.kind());
                if matches!(parent, "c_style_for_statement" | "parenthesized_expression" | "declaration_command") {
                    return;
                }
                self.push(node, Role::Assignment);
            }
            "file_redirect" => {
                let op = children.iter().find(|child| !child.is_named()).unwrap();
                let sign = op.byte_range();
                let op = operator(&self.text[sign.start..]);
                if self.text[sign.clone()].ends_with('-') {
                    // `>&-` is one sign to it.
                    self.reading.push(sign.end - 1..sign.end, Role::Target(op), self.quoted.as_ref());
                }
                let mut targets = (0..children.len()).filter(|&i| field(i) == Some("destination"));
                if let Some(first) = targets.next() {
                    self.push(children[first], Role::Target(op));
                }
                // It takes the words behind a target for more targets; they are arguments.
                for i in targets {
                    if !self.names_descriptor(children[i]) {
                        self.push(children[i], Role::Argument);
                    }
                }
            }
            "herestring_redirect" => {
                if let Some(&word) = children.last() {
                    self.push(word, Role::Target("<<<"));
                }
            }
            "function_definition" => {
                let start = node.start_byte();
                self.reading.push(start..start, Role::Function, self.quoted.as_ref());
            }
            // It reads no back-quotes in there.
            "heredoc_body" if self.text[node.byte_range()].contains('`') => self.reading.blind.push(node.byte_range()),
            // It does not look for substitutions in patterns.
            "regex" | "extglob_pattern" => self.reading.blind.push(node.byte_range()),
            "command_substitution" => {
                let at = node.byte_range();
                if self.quoted.is_none() && self.text[at.clone()].starts_with('`') {
                    // What is listed above can't be told by its place in there.
                    let odd = ["time", "! ", "coproc", "#", "$ ", "$\n", "\\", "}>"];
                    if odd.iter().any(|odd| self.text[at.clone()].contains(odd)) {
                        self.reading.blind.push(at.clone());
                    }
                    self.quoted = Some(at);
                }
            }
            _ => {}
        }
    }
}
