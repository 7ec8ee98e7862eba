//! Keeps the work of AI coding agents where it belongs.
//!
//! The library judges one tool call at a time: [`harness`] turns a client's JSON into a
//! [`gate::ToolCall`], [`shell`] says what a command would do to which path, [`gate`] turns that into a
//! [`gate::Verdict`] under a [`config::Policy`]. Everything outside (disk, environment, clock) is seen
//! through [`world::World`]. See `ARCHITECTURE.md` for the rings and their invariants.

#[cfg(test)]
mod busy;
pub mod config;
pub mod contained;
pub mod corpus;
pub mod doctor;
pub mod gate;
pub mod harness;
pub mod home;
pub mod hook;
pub mod ledger;
pub mod limits;
pub mod observe;
pub mod path;
pub mod scan;
pub mod session;
pub mod shell;
pub mod sys;
pub mod trash;
pub mod world;

#[doc(hidden)]
pub mod cli;
