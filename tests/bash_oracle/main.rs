//! The bash parser against others: on what is a script, against bash itself (`bash -n`); on which words are
//! commands, arguments, assignments and targets of redirections, against shfmt, tree-sitter-bash and brush-parser.
//!
//! Scripts come from a grammar, from it with a few random edits, and from pieces thrown together. Extended patterns
//! are on, as they are in the parser (which can't know of an earlier `shopt`).
//!
//! Each disagreement is ours to mend, or the other's known error: those are listed with their oracle, as a text in
//! which it does not count (`Reading::blind`), or as a predicate on a script with the reason.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr, reason = "a test")]

mod agree;
mod bash;
mod brush;
mod fact;
mod grammar;
mod ours;
#[path = "../it/report.rs"]
mod report;
mod shfmt;
mod tree_sitter;

use agree::Share;
use grammar::{edited, generate, seed, thrown};

/// Scripts by the name of their source.
fn sources(scale: usize) -> Vec<String> {
    let mut scripts = generate(seed() + 3, 3 * scale, true).0;
    scripts.extend(generate(seed() + 4, 3 * scale, false).0);
    scripts.extend(edited(seed() + 5, 2 * scale, true));
    scripts.extend(edited(seed() + 6, 2 * scale, false));
    scripts.extend(thrown(seed() + 7, 2 * scale));
    scripts
}

#[test]
fn bash_on_generated_scripts() {
    bash::compare(&generate(seed(), 700, true).0);
}

#[test]
fn bash_on_edited_scripts() {
    bash::compare(&edited(seed() + 1, 1000, false));
}

#[test]
fn bash_on_edited_scripts_with_every_form() {
    bash::compare(&edited(seed() + 2, 500, true));
}

#[test]
fn bash_on_thrown_scripts() {
    bash::compare(&thrown(seed() + 8, 1000));
}

#[test]
fn shfmt_on_words() {
    if !shfmt::here() {
        report::skipped("shfmt is not here; the bash parser was not compared with it");
        return;
    }
    agree::check("shfmt", &sources(150), shfmt::read, shfmt::KNOWN, &Share { accepted: 40, known: 8 });
}

#[test]
fn tree_sitter_on_words() {
    agree::check(
        "tree-sitter-bash",
        &sources(400),
        tree_sitter::read,
        tree_sitter::KNOWN,
        &Share { accepted: 40, known: 25 },
    );
}

#[test]
fn brush_on_words() {
    agree::check("brush-parser", &sources(400), brush::read, brush::KNOWN, &Share { accepted: 50, known: 25 });
}
