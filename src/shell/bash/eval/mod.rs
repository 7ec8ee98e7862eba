//! The abstract interpreter of bash: a syntax tree -> effects on paths, without running anything.
//!
//! Invariants: every loop and recursion is bounded by [`crate::limits`]; where something can't be known the
//! result says so ([`crate::shell::Target::Opaque`], a [`crate::shell::Gap`]) and never looks harmless for it.

pub(in crate::shell) mod act_values;
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
mod foreign;
mod glob;
mod host;
mod input;
mod list;
mod listed;
mod loops;
pub(in crate::shell) mod machine;
mod operate;
mod output;
pub(in crate::shell) mod overlay;
mod own_files;
mod param;
mod pattern;
mod print;
mod recipes;
mod redirect;
mod resolve;
mod scripts;
mod search;
mod simple;
mod state;
mod test;
pub(in crate::shell) mod values;

#[cfg(test)]
mod tests;

pub(in crate::shell) use analyse::analyse_within;
pub use analyse::{analyse, analyse_code};
pub(in crate::shell) use host::{Guest, Host, Start};
pub(in crate::shell) use values::Stream;
