//! What only Windows has: its spellings in a client's payloads, drives, other names of one file, access lists, files
//! that others hold open, numbers of files, its shells.
//!
//! Tests of the rest run here too; what differs is in `platform.rs`. A new test that needs Windows goes into one of these
//! files and is a test like any other; see `ARCHITECTURE.md`, "Windows".

mod calls;
mod cmd_run;
mod files;
mod ledger;
mod names;
mod operator;
mod payloads;
mod trash;

use crate::env::{TestEnv, text};

/// A path as Windows writes it.
fn native(env: &TestEnv, name: &str) -> String {
    env.root().join(name).to_str().unwrap().replace('/', r"\")
}

/// As Git Bash writes it: `/c/Users/x`.
fn git_bash(env: &TestEnv, name: &str) -> String {
    let path = text(&env.root().join(name));
    format!("/{}{}", path[..1].to_lowercase(), &path[2..])
}
