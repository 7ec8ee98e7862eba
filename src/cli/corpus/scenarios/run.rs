//! All scenarios, and what could not be tried.

use std::path::Path;

use super::hazards;
use super::place::Scratch;
use crate::contained::Way;
use crate::corpus::{NotTried, Scenario};

/// What was tried, and what not.
#[derive(Debug, Default)]
pub(in super::super) struct Tried {
    pub(in super::super) scenarios: Vec<Scenario>,
    pub(in super::super) not_tried: Vec<NotTried>,
}

impl Tried {
    /// Notes how one attempt ended.
    pub(super) fn ended(&mut self, hazard: &'static str, name: &str, passed: bool, got: impl Into<String>) {
        self.scenarios.push(Scenario { hazard, name: name.to_owned(), passed, got: got.into() });
    }

    /// Tries a hazard. Where the system can't make it, what was tried until then counts, and the reason is noted.
    pub(super) fn hazard(&mut self, hazard: &'static str, attempt: impl FnOnce(&mut Self) -> std::io::Result<()>) {
        if let Err(error) = attempt(self) {
            self.skip(hazard, &error);
        }
    }

    /// Notes that a hazard could not be made.
    pub(super) fn skip(&mut self, hazard: &'static str, reason: &dyn std::fmt::Display) {
        let row = NotTried { hazard, reason: reason.to_string() };
        // Both ways meet the same trouble.
        if !self.not_tried.contains(&row) {
            self.not_tried.push(row);
        }
    }
}

/// The kinds of hazard.
const HAZARDS: [&str; 5] = ["links", "hard links", MOUNTS, "pipes", "races"];
/// The one that takes a process of its own.
pub(super) const MOUNTS: &str = "mounts";

/// Tries each in a folder of its own below `root`, which is removed again.
pub(in super::super) fn run(root: &Path) -> Tried {
    let mut tried = Tried::default();
    let scratch = match Scratch::new(root) {
        Ok(scratch) => scratch,
        Err(error) => {
            for hazard in HAZARDS {
                tried.skip(hazard, &error);
            }
            return tried;
        }
    };
    for way in Way::ALL {
        hazards::run(&mut tried, &scratch, way);
    }
    #[cfg(unix)]
    tried.hazard(MOUNTS, |tried| super::mounts::run(tried, &scratch.place(MOUNTS)?));
    #[cfg(windows)]
    tried.skip(MOUNTS, &"on this system an administrator alone mounts a volume in a folder");
    if let Err(error) = scratch.close() {
        // A run writes nothing: what stays is a failure.
        tried.ended("links", "the run's own folder is removed", false, error.to_string());
    }
    tried
}
