//! The store: journal, grants, audit.

pub mod files;
mod grants;
pub mod stamp;

pub use grants::{Grant, GrantError, Grants, Scope, Who};
