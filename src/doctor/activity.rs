//! What has happened lately: a registration that never fires looks right in every file.

use std::time::SystemTime;

use super::probe::PROBE_SESSION;
use crate::home::Home;
use crate::session::clean::{Folder, Life, Rules, list};

/// A session that was heard of.
#[derive(Clone, Debug)]
pub struct SessionSeen {
    /// Its id.
    pub id: String,
    /// The harness's short name; empty where unknown.
    pub harness: String,
    /// Its project folder; empty where unknown.
    pub project: String,
    /// Its scratch folder.
    pub scratch: std::path::PathBuf,
    /// When it was last heard of.
    pub last_event: SystemTime,
    /// Whether it may still go on.
    pub live: bool,
}

/// The sessions that were heard of, the latest first. The probe's own is left out.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// The sessions.
    pub sessions: Vec<SessionSeen>,
}

impl Activity {
    /// As the scratch folders and their records tell it.
    pub(crate) fn read(home: &Home, rules: &Rules<'_>) -> Self {
        let folders = list(home, rules).unwrap_or_default();
        let mut sessions: Vec<SessionSeen> = folders.into_iter().filter_map(seen).collect();
        sessions.sort_by_key(|s| std::cmp::Reverse(s.last_event));
        Self { sessions }
    }

    /// When `harness` was last heard of.
    pub fn last_of(&self, harness: &str) -> Option<SystemTime> {
        self.sessions.iter().find(|s| s.harness == harness).map(|s| s.last_event)
    }
}

fn seen(folder: Folder) -> Option<SessionSeen> {
    let owner = folder.owner?;
    (owner.session_id != PROBE_SESSION).then_some(SessionSeen {
        id: owner.session_id,
        harness: owner.harness,
        project: owner.cwd,
        scratch: folder.path,
        last_event: folder.last_event,
        live: folder.life == Life::Live,
    })
}

/// How long ago, in words.
pub(crate) fn ago(time: SystemTime) -> String {
    let seconds = SystemTime::now().duration_since(time).unwrap_or_default().as_secs();
    match seconds {
        0..60 => "less than a minute ago".to_owned(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}
