//! Looks at the watched folders on the operator's behalf.

use std::path::PathBuf;

use super::failure::Failure;
use super::place::Place;
use crate::hook::Places;
use crate::observe::{Observer, Over, roots};

/// The watched folders, as they are here and now.
pub(super) struct Looking {
    place: Place,
    places: Places,
    /// The current folder, where an agent's session may be at work in it; else empty.
    project: String,
}

impl Looking {
    pub(super) fn new(place: Place) -> Self {
        let places = Places::of(&place.home, &place.policy);
        let project = if place.is_project(&place.cwd) { place.cwd.clone() } else { String::new() };
        Self { place, places, project }
    }

    /// The folders.
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        let around = self.places.around(&self.project);
        let found = roots(&self.place.policy, &around);
        // Others come and go with their sessions: the look every few seconds finds them.
        found.into_iter().map(|root| PathBuf::from(root.path)).filter(|path| path.is_dir()).collect()
    }

    /// Looks, and writes to the journal what is different since the last look, whoever made that.
    pub(super) fn look(&self) -> anyhow::Result<()> {
        let around = self.places.around(&self.project);
        let observer = Observer::new(&self.place.home, &self.place.policy, &around);
        Ok(observer.catch_up("", Over::Nothing).map_err(Failure::from)?)
    }
}
