//! Every setting, its default and its documentation, and the layers that a value can come from.
//!
//! Layers, the later one wins: compiled-in defaults, the chosen profile, `HOME/config.toml`, environment
//! (`WSGUARD_<KEY>`), and `.wsguard.toml` in the project, which can only tighten.
//! What can't be read is an error, and an error means closed: a guard that falls back to defaults because of
//! a misspelt key is a guard that is silently weaker than its operator thinks.

mod edit;
mod error;
mod file;
mod load;
mod manual;
mod merge;
mod paths;
mod policy;
mod profile;
mod settings;
mod suggest;
mod trace;
mod value;

pub use edit::{with_value, without};
pub use error::{ConfigError, Problem};
pub use load::{Environment, check_file, check_text, load, load_all, process_env, read_file, typed};
pub use manual::{manual, summary};
pub(crate) use paths::drive;
pub use policy::{Action, Choice, Fail, Policy, ShellMode};
pub use profile::{PROFILES, profile};
pub use settings::{Key, Kind, SETTINGS, Setting};
pub use trace::{Loaded, Origin, Outcome, Step};
pub use value::{Context, Value};

/// The project's own file, in the project's folder.
pub const PROJECT_FILE: &str = ".wsguard.toml";

#[cfg(test)]
mod tests;
