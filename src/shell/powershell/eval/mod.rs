//! The abstract interpreter of PowerShell: a syntax tree -> effects on paths, without running anything.
//!
//! Invariants: every loop and recursion is bounded by [`crate::limits`]; where something can't be known the
//! result says so ([`crate::shell::Target::Opaque`], a [`crate::shell::Gap`]) and never looks harmless for it.

mod analyse;
mod bind;
mod call;
mod cmdlet;
mod content;
mod environment;
mod expr;
mod filter;
mod flow;
mod items;
mod location;
mod machine;
mod member;
mod method;
mod native;
mod operate;
mod paths;
mod pipeline;
mod place;
mod shells;
mod state;
mod statement;
mod table;
mod val;
mod variable;
mod web;

#[cfg(test)]
mod tests;

pub use analyse::analyse;
pub(in crate::shell) use analyse::{filled, nowhere};
