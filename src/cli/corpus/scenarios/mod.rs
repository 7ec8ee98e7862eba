//! What no text shows: links, hard links, mounts, pipes and races, tried on the disk.

#[cfg(unix)]
mod hazards;
#[cfg(unix)]
pub(super) mod mounts;
#[cfg(unix)]
mod place;
#[cfg(unix)]
mod race;
mod run;

pub(super) use run::run;
