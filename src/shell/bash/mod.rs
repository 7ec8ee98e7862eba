//! bash, sh and zsh: text -> [`ast::Script`] ([`parse`]) -> effects ([`analyse`]).

pub mod ast;
