//! The calls that matter, as data: one text a language, one call a row, sorted by name.
//!
//! A row is `NAME OP…`. An op is a verb, the argument it is about (`0`, `1`, `@` the receiver, `*` all of
//! them), for some verbs `,` and a second argument, and `:name` where the first may also be given by name.
//! `?` before it: only where the argument is a string of which something is known.
//!
//! | verb | effect |
//! |---|---|
//! | `c` `m` `d` `r` `i` | creates, modifies, deletes, reads the path; something appears inside it |
//! | `o` | opens the path with the mode of the second argument |
//! | `p` `v` | copies, moves the first to the second (into it, where that is a folder) |
//! | `l` | makes a link at the second (into it, where that is a folder) |
//! | `t` | creates a path that begins with the argument |
//! | `a` | creates an archive: base name and format |
//! | `s` `S` | a shell runs the text; `S`: where it is the only argument, else they are a command |
//! | `x` `X` | the list is a command; `X`: a program and the list of its arguments |
//! | `w` | the file holds the text of the second argument from here on |
//! | `A` | the argument is a program, those behind its name are its own |
//! | `u` | Python's `subprocess`: a list is a command, a text with `shell=True` is a shell's |
//! | `b` | reads the path; with `backup=SUFFIX` it is kept beside |
//! | `k` | changes the current folder |
//! | `e` | more text of the same language |
//! | `=NAME` | what the call returns; see `results.rs`; `=:NAME`: an object whose calls are rows `NAME.call` |

use crate::shell::programs::Language;

/// The ops of the call `name`, where it is known.
pub(super) fn ops(language: Language, name: &str) -> Option<&'static str> {
    let table = table(language);
    let bytes = table.as_bytes();
    let (mut low, mut high) = (0usize, bytes.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = bytes[..middle].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let end = bytes[middle..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |i| middle + i);
        let line = &table[start..end];
        let (row, ops) = line.split_once(' ').unwrap_or((line, ""));
        match row.cmp(name) {
            std::cmp::Ordering::Equal => return Some(ops),
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

/// The rows of a language.
pub(super) fn table(language: Language) -> &'static str {
    match language {
        Language::Python => include_str!("rows/python.txt"),
        Language::Node => include_str!("rows/node.txt"),
        Language::Perl => include_str!("rows/perl.txt"),
        Language::Ruby => include_str!("rows/ruby.txt"),
        Language::Php => include_str!("rows/php.txt"),
        Language::Awk | Language::Sed => "",
    }
}
