//! One screen of facts.

use std::time::SystemTime;

use super::activity::Activity;
use super::examine::Surroundings;
use super::probe::PROBE_SESSION;
use super::registration::registrations;
use crate::config::{Key, Policy, Value, load_all};
use crate::ledger::journal::{Event, Kind};
use crate::ledger::{Grant, Grants, Journal, stamp};
use crate::session::clean::Rules;

/// Denials that are kept.
const LAST_DENIALS: usize = 5;

/// What `wsguard status` shows.
#[derive(Debug)]
pub struct Status {
    /// HOME.
    pub home: Option<std::path::PathBuf>,
    /// Whether there is a `config.toml`.
    pub config_exists: bool,
    /// The profile in force.
    pub profile: String,
    /// The settings in force; `None` where they can't be read.
    pub policy: Option<Policy>,
    /// What is wrong with the configuration.
    pub config_errors: Vec<String>,
    /// Where the hook is registered, with the number of events.
    pub registered: Vec<(String, std::path::PathBuf, usize)>,
    /// The sessions that were heard of.
    pub activity: Activity,
    /// When Claude Code was last heard of.
    pub last_event: Option<SystemTime>,
    /// The last refusals, the latest first.
    pub denials: Vec<Event>,
    /// Grants that still hold for somebody.
    pub grants: Vec<Grant>,
    /// Parts of the store that can't be read.
    pub troubles: Vec<String>,
}

/// Gathers the facts. Nothing is written or run.
pub fn status(around: &Surroundings) -> Status {
    let mut status = Status {
        home: around.home.as_ref().map(|h| h.path().to_owned()),
        config_exists: around.home.as_ref().is_some_and(|h| h.config().exists()),
        profile: "default".to_owned(),
        policy: None,
        config_errors: Vec::new(),
        registered: registrations(&around.places)
            .into_iter()
            .map(|r| (r.source.label(), r.path.clone(), r.events()))
            .filter(|(_, _, events)| *events > 0)
            .collect(),
        activity: Activity::default(),
        last_event: None,
        denials: Vec::new(),
        grants: Vec::new(),
        troubles: Vec::new(),
    };
    let Some(home) = &around.home else { return status };
    let env = |name: &str| std::env::var(name).ok();
    let loaded = load_all(home, Some(&around.places.project), &env);
    if let Some(Value::Text(profile)) = loaded.value(Key::Profile) {
        status.profile = profile;
    }
    status.config_errors = loaded.errors.iter().map(ToString::to_string).collect();
    status.activity = Activity::read(home, &Rules::from(&loaded.policy));
    status.policy = status.config_errors.is_empty().then_some(loaded.policy);
    status.last_event = status.activity.last_of("claude-code");
    match Grants::load(home) {
        Ok(grants) => {
            let now = stamp::now_ms();
            status.grants = grants.iter().filter(|g| !g.is_spent(now)).cloned().collect();
        }
        Err(error) => status.troubles.push(error.to_string()),
    }
    let mut denials = std::collections::VecDeque::new();
    let read = Journal::at(home).read(|event| {
        if event.kind == Kind::Denied && event.session != PROBE_SESSION {
            denials.push_front(event);
            denials.truncate(LAST_DENIALS);
        }
    });
    if let Err(error) = read {
        status.troubles.push(error.to_string());
    }
    status.denials = denials.into();
    status
}
