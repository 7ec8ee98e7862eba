//! One screen of facts.

use std::time::SystemTime;

use super::activity::Activity;
use super::examine::Surroundings;
use super::probe::PROBE_SESSION;
use super::registration::{Registered, registrations};
use crate::config::{Key, Policy, Value, load_all};
use crate::harness::Client;
use crate::harness::codex::trust::{Recorded, Trust};
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
    /// The harnesses that are registered with, or are in use here.
    pub harnesses: Vec<HarnessStatus>,
    /// The sessions that were heard of.
    pub activity: Activity,
    /// The last refusals, the latest first.
    pub denials: Vec<Event>,
    /// Grants that still hold for somebody.
    pub grants: Vec<Grant>,
    /// Parts of the store that can't be read.
    pub troubles: Vec<String>,
}

/// A harness and where it finds the hook.
#[derive(Debug)]
pub struct HarnessStatus {
    /// Which.
    pub client: Client,
    /// By what, in which file, for how many events.
    pub registered: Vec<(String, std::path::PathBuf, usize)>,
    /// Hooks among them that the harness is known to pass over, because the user did not trust them.
    pub untrusted: usize,
    /// When it was last heard of.
    pub last_event: Option<SystemTime>,
}

fn harnesses(around: &Surroundings) -> Vec<HarnessStatus> {
    let found = registrations(around);
    let recorded = Recorded::read(&around.codex).unwrap_or_default();
    let used = |client| client == Client::default() || around.codex.config_dir.as_ref().is_some_and(|dir| dir.is_dir());
    let of = |client: Client| {
        let own = || found.iter().filter(|r| r.client == client && r.events() > 0);
        let untrusted = |r: &Registered| {
            let entries = client.events().iter().flat_map(|e| r.own(e.name).into_iter().map(|entry| (e.name, entry)));
            entries.filter(|(event, entry)| recorded.of(&r.path, event, entry) != Trust::Trusted).count()
        };
        HarnessStatus {
            client,
            registered: own().map(|r| (r.source.label(), r.path.clone(), r.events())).collect(),
            untrusted: if client == Client::Codex { own().map(untrusted).sum() } else { 0 },
            last_event: None,
        }
    };
    Client::ALL.into_iter().map(of).filter(|h| !h.registered.is_empty() || used(h.client)).collect()
}

/// Gathers the facts. Nothing is written or run.
pub fn status(around: &Surroundings) -> Status {
    let mut status = Status {
        home: around.home.as_ref().map(|h| h.path().to_owned()),
        config_exists: around.home.as_ref().is_some_and(|h| h.config().exists()),
        profile: "default".to_owned(),
        policy: None,
        config_errors: Vec::new(),
        harnesses: harnesses(around),
        activity: Activity::default(),
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
    for harness in &mut status.harnesses {
        harness.last_event = status.activity.last_of(harness.client.name());
    }
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
