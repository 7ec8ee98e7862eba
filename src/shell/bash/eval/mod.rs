//! The abstract interpreter of bash: a syntax tree -> effects on paths, without running anything.
//!
//! Invariants: every loop and recursion is bounded by [`crate::limits`]; where something can't be known the
//! result says so ([`crate::shell::Target::Opaque`], a [`crate::shell::Gap`]) and never looks harmless for it.

mod act_values;
mod acts;
mod analyse;
mod arith;
mod behind;
mod brace;
mod builtins;
mod declare;
mod decode;
mod environment;
mod expand;
mod filters;
mod folders;
mod glob;
mod input;
mod list;
mod listed;
mod loops;
mod machine;
mod operate;
mod output;
mod overlay;
mod param;
mod pattern;
mod print;
mod redirect;
mod resolve;
mod scripts;
mod search;
mod simple;
mod state;
mod test;
mod values;

#[cfg(test)]
mod tests;

pub use analyse::{analyse, analyse_code};
