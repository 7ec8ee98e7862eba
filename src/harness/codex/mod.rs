//! Codex CLI: measured on 0.171.0.

pub mod app_server;
pub mod places;
pub(crate) mod surroundings;
mod taken_out;
mod tool;
pub mod trust;

pub(crate) use taken_out::taken_out;
pub(crate) use tool::{READING, tool_of};
