//! Where a client would find our hook.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::examine::Surroundings;
use crate::harness::Client;
use crate::harness::claude::places as claude;
use crate::harness::codex::places as codex;
use crate::harness::codex::trust::table;
use crate::harness::hooks::entry::{Entry, entries};
use crate::harness::settings::{JsonText, SettingsError, SettingsFile};

/// What says that a hook is to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A settings file: whose, and what it is called.
    Settings(&'static str, &'static str),
    /// An enabled plugin, by its name.
    Plugin(String),
}

impl Source {
    /// A word for people.
    pub fn label(&self) -> String {
        match self {
            Self::Settings(whose, what) => format!("{whose} {what}"),
            Self::Plugin(name) => format!("plugin {name}"),
        }
    }
}

/// A file that a client reads hooks from, with what is in it.
#[derive(Debug)]
pub struct Registered {
    /// The client.
    pub client: Client,
    /// What it is.
    pub source: Source,
    /// The file.
    pub path: PathBuf,
    /// The plugin's own folder, for `${CLAUDE_PLUGIN_ROOT}`.
    pub plugin_root: Option<PathBuf>,
    /// Its content; `Null` where it can't be read.
    pub settings: Value,
    /// Whether the file is what its client reads: Claude Code 2.1.332 and Codex 0.171.0 ignore every file that is not JSON
    /// without any extension.
    pub strict: bool,
    /// Why it can't be read, and what to do.
    pub error: Option<(String, String)>,
}

impl Registered {
    /// Our entries of one event.
    pub fn own(&self, event: &str) -> Vec<Entry> {
        entries(&self.settings, event).into_iter().filter(|e| e.ours).collect()
    }

    /// Number of events that our hook is registered for.
    pub fn events(&self) -> usize {
        self.client.events().iter().filter(|e| !self.own(e.name).is_empty()).count()
    }

    /// A truth value of the settings.
    pub fn is_set(&self, key: &str) -> bool {
        self.settings.get(key).and_then(Value::as_bool) == Some(true)
    }
}

/// Every file that there is and that a client would read when started in the project.
pub fn registrations(around: &Surroundings) -> Vec<Registered> {
    let mut found = of_claude(&around.places);
    found.extend(of_codex(&around.codex));
    found
}

fn of_claude(places: &claude::Places) -> Vec<Registered> {
    let mut found: Vec<Registered> = Vec::new();
    for place in claude::Place::ALL {
        if let Some(path) = places.settings(place) {
            // Started in the home folder, the project's settings are the user's.
            if !found.iter().any(|f| f.path == path) {
                found.extend(read(Client::ClaudeCode, Source::Settings(place.name(), "settings"), path, None));
            }
        }
    }
    for (name, root) in plugins(places, &found) {
        let path = root.join("hooks").join("hooks.json");
        found.extend(read(Client::ClaudeCode, Source::Plugin(name), path, Some(root)));
    }
    found
}

fn of_codex(places: &codex::Places) -> Vec<Registered> {
    let mut found: Vec<Registered> = Vec::new();
    for place in codex::Place::ALL {
        let hooks = places.hooks(place).map(|path| (path, "hooks"));
        let config = places.config(place).map(|path| (path, "config"));
        for (path, what) in hooks.into_iter().chain(config) {
            if !found.iter().any(|f| f.path == path) {
                found.extend(read(Client::Codex, Source::Settings(place.name(), what), path, None));
            }
        }
    }
    found
}

fn read(client: Client, source: Source, path: PathBuf, plugin_root: Option<PathBuf>) -> Option<Registered> {
    let is_toml = path.extension().is_some_and(|end| end == "toml");
    let (settings, strict, error) = match if is_toml { toml(&path) } else { json(&path) } {
        Ok(None) => return None,
        Ok(Some((settings, strict))) => (settings, strict, None),
        Err(error) => (Value::Null, false, Some(error)),
    };
    Some(Registered { client, source, path, plugin_root, settings, strict, error })
}

type Content = Result<Option<(Value, bool)>, (String, String)>;

fn json(path: &Path) -> Content {
    let parsed = SettingsFile::read(path).and_then(|file| {
        let parse =
            || JsonText::parse(file.text()).map_err(|source| SettingsError::Syntax { path: path.to_owned(), source });
        file.exists().then(parse).transpose()
    });
    match parsed {
        Ok(doc) => Ok(doc.map(|doc| (doc.value(), doc.is_strict()))),
        Err(error) => Err((error.to_string(), error.hint().to_owned())),
    }
}

fn toml(path: &Path) -> Content {
    let mended = "mend the file: the client itself can't read it";
    let table = table(path).map_err(|error| (error.to_string(), mended.to_owned()))?;
    let value = table.map(|table| serde_json::to_value(table).map_err(|error| (error.to_string(), mended.to_owned())));
    Ok(value.transpose()?.map(|value| (value, true)))
}

/// Enabled plugins of ours with their folders.
fn plugins(places: &claude::Places, settings: &[Registered]) -> Vec<(String, PathBuf)> {
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
