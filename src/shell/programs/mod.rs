//! What programs do with their arguments, as data.
//!
//! `*.roles` are the rows (the language is described in `docs/ROLES.md`), [`acts`] applies them to one
//! invocation.

mod act;
mod apply;
mod argv;
mod bwrap;
mod commands;
mod editor;
mod fetch;
mod find;
mod git;
mod index;
pub(in crate::shell) mod installs;
mod job;
mod pathspec;
pub(in crate::shell) mod pwsh;
mod roles;
mod row;
mod search;
mod setting;
mod slash;
mod stops;
mod table;
mod tmux;
mod unknown;
pub(in crate::shell) mod values;
mod xargs;

#[cfg(test)]
mod tests;

pub use act::{Act, Arg, Invocation, Language, MoreArgs};
pub use apply::acts;
pub(in crate::shell) use table::has_row;
