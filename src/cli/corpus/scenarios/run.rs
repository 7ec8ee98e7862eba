//! All scenarios, and what could not be tried.

use std::io;
use std::path::Path;

use crate::corpus::{NotTried, Scenario};

/// What was tried, and what not.
#[derive(Debug, Default)]
pub(in super::super) struct Tried {
    pub(in super::super) scenarios: Vec<Scenario>,
    pub(in super::super) not_tried: Vec<NotTried>,
}

impl Tried {
    /// Notes how one attempt ended.
    #[cfg(unix)]
    pub(super) fn ended(&mut self, hazard: &'static str, name: &str, passed: bool, got: impl Into<String>) {
        self.scenarios.push(Scenario { hazard, name: name.to_owned(), passed, got: got.into() });
    }

    /// Notes that a hazard could not be made.
    pub(super) fn skip(&mut self, hazard: &'static str, reason: &dyn std::fmt::Display) {
        self.not_tried.push(NotTried { hazard, reason: reason.to_string() });
    }
}

/// Tries each in a folder of its own below `root`, which is removed again.
#[cfg(unix)]
pub(in super::super) fn run(root: &Path) -> io::Result<Tried> {
    use super::{hazards, mounts};
    use crate::contained::Way;

    let mut tried = Tried::default();
    let place = || tempfile::Builder::new().prefix(".wsguard-corpus-").tempdir_in(root);
    for way in Way::ALL {
        let place = place()?;
        hazards::run(&mut tried, place.path(), way)?;
        place.close()?;
    }
    let place = place()?;
    mounts::run(&mut tried, place.path())?;
    place.close()?;
    Ok(tried)
}

/// None yet.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere files are made")]
pub(in super::super) fn run(_: &Path) -> io::Result<Tried> {
    let mut tried = Tried::default();
    for hazard in ["links", "hard links", "mounts", "pipes", "races"] {
        tried.skip(hazard, &"this build opens no files beneath a root on this system");
    }
    Ok(tried)
}
