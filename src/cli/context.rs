//! What the command line takes from its surroundings.

use std::path::PathBuf;

use anyhow::Context as _;

/// The current folder.
pub fn current_dir() -> anyhow::Result<PathBuf> {
    std::env::current_dir().context("the current folder can't be found")
}

/// Now, in UTC, in a form that file names can hold: `20260131T235959Z`.
pub fn timestamp() -> String {
    chrono::Utc::now().format("%Y%m%dT%H%M%SZ").to_string()
}
