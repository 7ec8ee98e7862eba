//! Windows PowerShell 5.1 and PowerShell 7: text -> [`ast::Script`] ([`parse`]) -> effects.

pub mod ast;
mod block;
mod command;
mod cursor;
mod eval;
mod expr;
mod keyword;
mod operator;
mod primary;
mod statement;
mod string;
#[cfg(test)]
mod tests;

pub use cursor::parse;
pub use eval::analyse;
pub(in crate::shell) use eval::{filled, nowhere};
