//! Where Claude Code would find our hook.

use std::path::PathBuf;

use serde_json::Value;

use crate::harness::claude::entry::{Entry, entries};
use crate::harness::claude::places::{Place, Places};
use crate::harness::claude::register::EVENTS;
use crate::harness::settings::{JsonText, SettingsError, SettingsFile};

/// What says that a hook is to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A settings file.
    Settings(Place),
    /// An enabled plugin, by its name.
    Plugin(String),
}

impl Source {
    /// A word for people.
    pub fn label(&self) -> String {
        match self {
            Self::Settings(place) => format!("{} settings", place.name()),
            Self::Plugin(name) => format!("plugin {name}"),
        }
    }
}

/// A file that Claude Code reads hooks from, with what is in it.
#[derive(Debug)]
pub struct Registered {
    /// What it is.
    pub source: Source,
    /// The file.
    pub path: PathBuf,
    /// The plugin's own folder, for `${CLAUDE_PLUGIN_ROOT}`.
    pub plugin_root: Option<PathBuf>,
    /// Its content; `Null` where it can't be read.
    pub settings: Value,
    /// Whether the file is JSON without any extension: Claude Code 2.1.332 ignores every other one.
    pub strict: bool,
    /// Why it can't be read.
    pub error: Option<SettingsError>,
}

impl Registered {
    /// Our entries of one event.
    pub fn own(&self, event: &str) -> Vec<Entry> {
        entries(&self.settings, event).into_iter().filter(|e| e.ours).collect()
    }

    /// Number of events that our hook is registered for.
    pub fn events(&self) -> usize {
        EVENTS.iter().filter(|e| !self.own(e.name).is_empty()).count()
    }

    /// A truth value of the settings.
    pub fn is_set(&self, key: &str) -> bool {
        self.settings.get(key).and_then(Value::as_bool) == Some(true)
    }
}

/// Every file that there is and that Claude Code would read when started in `places.project`.
pub fn registrations(places: &Places) -> Vec<Registered> {
    let mut found = Vec::new();
    for place in Place::ALL {
        if let Some(path) = places.settings(place) {
            // Started in the home folder, the project's settings are the user's.
            if !found.iter().any(|f: &Registered| f.path == path) {
                found.extend(read(Source::Settings(place), path, None));
            }
        }
    }
    for plugin in plugins(places, &found) {
        let (name, root) = plugin;
        let path = root.join("hooks").join("hooks.json");
        found.extend(read(Source::Plugin(name), path, Some(root)));
    }
    found
}

fn read(source: Source, path: PathBuf, plugin_root: Option<PathBuf>) -> Option<Registered> {
    let parsed = SettingsFile::read(&path).and_then(|file| {
        let parse =
            || JsonText::parse(file.text()).map_err(|source| SettingsError::Syntax { path: path.clone(), source });
        file.exists().then(parse).transpose()
    });
    let (settings, strict, error) = match parsed {
        Ok(None) => return None,
        Ok(Some(doc)) => (doc.value(), doc.is_strict(), None),
        Err(error) => (Value::Null, false, Some(error)),
    };
    Some(Registered { source, path, plugin_root, settings, strict, error })
}

/// Enabled plugins of ours with their folders.
fn plugins(places: &Places, settings: &[Registered]) -> Vec<(String, PathBuf)> {
    let enabled = settings.iter().filter_map(|s| s.settings.get("enabledPlugins")?.as_object());
    let names = enabled.flatten().filter(|(_, on)| on.as_bool() == Some(true)).map(|(name, _)| name);
    let ours: Vec<&String> = names.filter(|name| name.split('@').next() == Some("workspace-guard")).collect();
    let Some(config) = places.config_dir.as_ref().filter(|_| !ours.is_empty()) else { return Vec::new() };
    let list = std::fs::read(config.join("plugins").join("installed_plugins.json")).unwrap_or_default();
    let list: Value = serde_json::from_slice(&list).unwrap_or_default();
    ours.into_iter()
        .filter_map(|name| {
            let root = list.get("plugins")?.get(name)?.get(0)?.get("installPath")?.as_str()?;
            Some((name.clone(), PathBuf::from(root)))
        })
        .collect()
}
