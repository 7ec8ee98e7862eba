//! cmd.exe: text -> effects ([`analyse`]).
//!
//! A line is put together as cmd.exe does it: variables into the text, then special characters and words, then
//! variables of loops and `!NAME!` when a command runs. Programs, effects and limits are those of the one evaluation
//! that all shells share.
//!
//! Invariants: every loop and recursion is bounded by [`crate::limits`]; what can't be known is said so
//! ([`crate::shell::Target::Opaque`], a [`crate::shell::Gap`]) and never looks harmless for it.

mod ast;
mod command;
mod exec;
mod external;
mod files;
mod folders;
mod lines;
mod loops;
mod machine;
mod modifiers;
mod parse;
mod parse_compound;
mod paths;
mod percent;
mod settings;
mod state;
mod text;
mod values;
mod words;

#[cfg(test)]
mod tests;

pub use machine::analyse;
pub(in crate::shell) use machine::judge;
