//! tree-sitter-pwsh's reading of a script.

use std::collections::BTreeSet;

use tree_sitter::{Node, Parser};

use crate::Fact;

/// `None` where it finds an error.
pub(crate) fn read(text: &str) -> Option<BTreeSet<Fact>> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_pwsh::LANGUAGE.into()).unwrap();
    let tree = parser.parse(text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut facts = BTreeSet::new();
    walk(tree.root_node(), text, &mut facts);
    Some(facts)
}

fn walk(node: Node<'_>, text: &str, facts: &mut BTreeSet<Fact>) {
    match node.kind() {
        "command" => {
            if let Some(name) = node.child_by_field_name("command_name") {
                facts.insert(Fact::Command(name.start_byte()));
            }
        }
        "redirection" => {
            // A blank before it may belong to it.
            let blank = text[node.byte_range()].len() - text[node.byte_range()].trim_start().len();
            facts.insert(Fact::Redirect(node.start_byte() + blank));
        }
        _ => {}
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        walk(child, text, facts);
    }
}
