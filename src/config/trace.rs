//! What each layer gave and what became of it: for the operator, never for the hook.

use std::fmt;

use super::{ConfigError, Key, PROJECT_FILE, Policy, Value, merge};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Compiled in.
    Default,
    /// A compiled-in profile, chosen by the operator or (`project`) by `.wsguard.toml`.
    Profile {
        /// Its name.
        name: String,
        /// Chosen by the project.
        project: bool,
    },
    /// A line of `HOME/config.toml`.
    Config {
        /// From 1.
        line: u32,
    },
    /// An environment variable.
    Env {
        /// Its name.
        name: String,
    },
    /// A line of the project's file.
    Project {
        /// From 1.
        line: u32,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Profile { name, project: false } => write!(f, "profile {name}"),
            Self::Profile { name, project: true } => write!(f, "profile {name} of {PROJECT_FILE}"),
            Self::Config { line } => write!(f, "config.toml:{line}"),
            Self::Env { name } => write!(f, "env {name}"),
            Self::Project { line } => write!(f, "{PROJECT_FILE}:{line}"),
        }
    }
}

/// What became of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds (until a later step sets the same key).
    Applied,
    /// A project's value that holds already.
    Unchanged,
    /// A project's value that would loosen, with the reason.
    Ignored(&'static str),
}

/// One value that a layer gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The setting.
    pub key: Key,
    /// What was given.
    pub value: Value,
    /// By what.
    pub origin: Origin,
    /// What became of it.
    pub outcome: Outcome,
}

/// Everything that a look at the configuration gives.
#[derive(Debug)]
pub struct Loaded {
    /// The policy; meaningful only without errors.
    pub policy: Policy,
    /// Every value given, in the order of application.
    pub steps: Vec<Step>,
    /// Everything that is wrong.
    pub errors: Vec<ConfigError>,
}

impl Loaded {
    /// The value in force for `key`; `None` where it has none.
    pub fn value(&self, key: Key) -> Option<Value> {
        if key != Key::Profile {
            return merge::get(&self.policy, key);
        }
        let chosen = self.steps.iter().rev().find(|s| s.key == key && !matches!(s.origin, Origin::Project { .. }));
        Some(chosen.map_or_else(|| Value::Text("default".to_owned()), |s| s.value.clone()))
    }

    /// What gave `key` its value in force.
    pub fn origin(&self, key: Key) -> Origin {
        let decides = |s: &&Step| {
            s.outcome == Outcome::Applied
                && (s.key == key || key == Key::Action && matches!(s.value, Value::Gate(_, Some(_))))
                && !(key == Key::Profile && matches!(s.origin, Origin::Project { .. }))
        };
        self.steps.iter().rev().find(decides).map_or(Origin::Default, |s| s.origin.clone())
    }
}
