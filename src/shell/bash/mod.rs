//! bash, sh and zsh: text -> [`ast::Script`] ([`parse`]) -> effects ([`analyse`]).

pub mod ast;
mod command;
mod compound;
mod conditional;
mod cursor;
#[cfg(test)]
mod dump;
pub(in crate::shell) mod eval;
mod heredoc;
mod keyword;
mod param;
mod quote;
mod redirect;

#[cfg(test)]
mod tests;
mod word;

pub use cursor::parse;
pub(in crate::shell) use eval::analyse_within;
pub(in crate::shell) use eval::{Guest, Host, Start, Stream};
pub use eval::{analyse, analyse_code};
