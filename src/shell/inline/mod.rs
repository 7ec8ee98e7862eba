//! Inline scripts in other languages -> the paths that they write.
//!
//! A source is cut into tokens (`lex`) and run once in an abstract way: strings are known in part, both
//! branches of a condition are taken, loops run once with all their values, functions when they are called.
//! Which calls touch the disk is data (`rows`).

mod access;
mod acts;
mod arguments;
mod awk;
mod builtin;
mod calls;
mod collection;
mod effects;
mod escape;
mod expr;
mod fill;
mod function;
mod interp;
mod lex;
mod quote;
mod quotelike;
mod results;
mod rows;
mod sed;
mod start;
mod stmt;
mod stmt_braces;
mod stmt_python;
mod stmt_ruby;
mod token;
mod val;

#[cfg(test)]
mod tests;

pub use acts::acts;
