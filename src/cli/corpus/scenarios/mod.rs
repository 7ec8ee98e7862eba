//! What no text shows: links, hard links, mounts, pipes and races, tried on the disk.

mod hazards;
mod links;
#[cfg(unix)]
pub(super) mod mounts;
mod place;
mod race;
mod run;

pub(super) use run::run;
