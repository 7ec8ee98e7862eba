//! From the layers to one policy.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Problem, position};
use super::policy::Policy;
use super::profile::profile;
use super::settings::{Key, Kind, push_env_name};
use super::value::{Context, Value, Written, from_text, from_toml, split_list};
use super::{Loaded, Origin, Outcome, PROJECT_FILE, Step, file, merge};
use crate::home::Home;
use crate::limits::MAX_CONFIG_ERRORS;
use crate::path::Model;

/// The environment as the hook hands it over.
#[derive(Clone, Copy)]
pub struct Environment<'a> {
    /// A variable's value.
    pub get: &'a dyn Fn(&str) -> Option<String>,
    /// Whether any `WSGUARD_` variable could be a setting. Asking for each setting by name costs a fifth of a
    /// hook's instructions, and hardly ever is one set.
    pub overrides: bool,
}

/// The policy in force: what the hook calls.
///
/// `project` is the session's project folder. A missing file is no error; anything that is there and can't be
/// understood is.
pub fn load(home: &Home, project: Option<&Path>, env: &Environment<'_>) -> Result<Policy, ConfigError> {
    let mut loader = Loader::new(Context { model: Model::native(), env: env.get }, false);
    loader.overridden = env.overrides;
    loader.run(home, project);
    match loader.errors.into_iter().next() {
        None => Ok(loader.policy),
        Some(error) => Err(error),
    }
}

/// The same with every step and every error: what the operator's commands call.
pub fn load_all(home: &Home, project: Option<&Path>, env: &dyn Fn(&str) -> Option<String>) -> Loaded {
    let mut loader = Loader::new(Context { model: Model::native(), env }, true);
    loader.run(home, project);
    Loaded { policy: loader.policy, steps: loader.steps, errors: loader.errors }
}

/// Everything that is wrong with `text`, as the configuration file `path`.
pub fn check_text(path: &Path, text: &str, context: Context<'_>) -> Vec<ConfigError> {
    let mut loader = Loader::new(context, true);
    loader.items(path, text);
    loader.errors
}

/// The environment of this process, for [`load`].
///
/// A value that is not UTF-8 comes with replacement characters: it then fails where a word is expected, and names no
/// existing place where a path is, instead of being overlooked.
pub fn process_env(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?;
    Some(value.into_string().unwrap_or_else(|value| value.to_string_lossy().into_owned()))
}

/// The text of the file `path`, under the same limits as everywhere; `None` where nothing is there.
pub fn read_file(path: &Path) -> Result<Option<String>, ConfigError> {
    file::read(path).map_err(|problem| ConfigError::file(path, problem))
}

/// Everything that is wrong with the file `path`; `None` where nothing is there.
pub fn check_file(path: &Path, context: Context<'_>) -> Option<Vec<ConfigError>> {
    match read_file(path) {
        Ok(text) => text.map(|text| check_text(path, &text, context)),
        Err(error) => Some(vec![error]),
    }
}

/// The TOML text that `text` means for `key` as a person types it: TOML, or the bare word or list that a variable
/// takes. Paths are checked but stay as they were typed.
pub fn typed(key: Key, text: &str, context: Context<'_>) -> Result<String, ConfigError> {
    let written = Written { key, name: key.name() };
    if let Ok(value) = DeValue::parse(text)
        && from_toml(written, value.get_ref(), &context).is_ok()
    {
        return Ok(text.trim().to_owned());
    }
    let value = from_text(written, text, &context).map_err(ConfigError::argument)?;
    Ok(match key.kind() {
        Kind::Folder => Value::Text(text.to_owned()),
        Kind::Folders | Kind::Patterns => Value::List(split_list(text, context.model).map(str::to_owned).collect()),
        _ => value,
    }
    .to_toml())
}

/// A value with the byte offset of its key.
struct Item {
    key: Key,
    value: Value,
    offset: usize,
}

struct Loader<'a> {
    context: Context<'a>,
    policy: Policy,
    /// For the operator: every step is kept, every mistake reported.
    thorough: bool,
    overridden: bool,
    steps: Vec<Step>,
    errors: Vec<ConfigError>,
}

impl<'a> Loader<'a> {
    fn new(context: Context<'a>, thorough: bool) -> Self {
        let policy = Policy::for_model(context.model);
        Self { context, policy, thorough, overridden: true, steps: Vec::new(), errors: Vec::new() }
    }

    fn run(&mut self, home: &Home, project: Option<&Path>) {
        let config = home.config();
        let text = self.read(&config);
        let mut items = text.as_deref().map_or_else(Vec::new, |text| self.items(&config, text));
        let mut variables = if self.overridden { self.variables() } else { Vec::new() };
        let by_file = take_profile(&mut items);
        let by_variable = take_profile(&mut variables);
        if let Some(item) = &by_file {
            self.trace(item, || Origin::Config { line: line(text.as_deref(), item.offset) }, Outcome::Applied);
        }
        if let Some(item) = &by_variable {
            self.trace(item, || Origin::Env { name: Key::Profile.env_name() }, Outcome::Applied);
        }
        if let Some(Item { value: Value::Text(name), .. }) = by_variable.or(by_file) {
            self.apply_profile(&name, false);
        }
        for item in items {
            self.set(item, |offset, _| Origin::Config { line: line(text.as_deref(), offset) });
        }
        for item in variables {
            self.set(item, |_, key| Origin::Env { name: key.env_name() });
        }
        if let Some(project) = project {
            self.project(&project.join(PROJECT_FILE));
        }
    }

    fn project(&mut self, path: &Path) {
        let Some(text) = self.read(path) else { return };
        let mut items = self.items(path, &text);
        if let Some(item) = take_profile(&mut items) {
            self.trace(&item, || Origin::Project { line: line(Some(&text), item.offset) }, Outcome::Applied);
            if let Value::Text(name) = item.value {
                self.apply_profile(&name, true);
            }
        }
        for item in items {
            self.tighten(&item, |offset| Origin::Project { line: line(Some(&text), offset) });
        }
    }

    fn apply_profile(&mut self, name: &str, project: bool) {
        let Some(text) = profile(name) else { return };
        let origin = || Origin::Profile { name: name.to_owned(), project };
        for item in self.items(Path::new(name), text) {
            if project {
                self.tighten(&item, |_| origin());
            } else {
                self.set(item, |_, _| origin());
            }
        }
    }

    fn set(&mut self, item: Item, origin: impl Fn(usize, Key) -> Origin) {
        self.trace(&item, || origin(item.offset, item.key), Outcome::Applied);
        merge::set(&mut self.policy, item.key, item.value);
    }

    fn tighten(&mut self, item: &Item, origin: impl Fn(usize) -> Origin) {
        let before = self.thorough.then(|| self.policy.clone());
        let result = merge::tighten(&mut self.policy, item.key, item.value.clone(), self.context.model);
        let Some(before) = before else { return };
        // A list can be taken in part: what was taken holds, the rest is noted.
        if before != self.policy {
            let value = match &item.value {
                // The switch was taken, the action of the same word was not.
                Value::Gate(on, Some(_)) if before.action == self.policy.action => Value::Gate(*on, None),
                value => value.clone(),
            };
            let taken = Item { key: item.key, value, offset: item.offset };
            self.trace(&taken, || origin(item.offset), Outcome::Applied);
        } else if result.is_ok() {
            self.trace(item, || origin(item.offset), Outcome::Unchanged);
        }
        if let Err(why) = result {
            self.trace(item, || origin(item.offset), Outcome::Ignored(why));
        }
    }

    fn trace(&mut self, item: &Item, origin: impl FnOnce() -> Origin, outcome: Outcome) {
        if self.thorough {
            self.steps.push(Step { key: item.key, value: item.value.clone(), origin: origin(), outcome });
        }
    }

    fn read(&mut self, path: &Path) -> Option<String> {
        read_file(path).unwrap_or_else(|error| {
            self.errors.push(error);
            None
        })
    }

    /// The values of a file, each of the right type; what is wrong goes to `errors` in the order of the file.
    fn items(&mut self, path: &Path, text: &str) -> Vec<Item> {
        let table = match self.table(text) {
            Ok(table) => table,
            Err(errors) => {
                for error in errors.into_iter().take(MAX_CONFIG_ERRORS) {
                    let offset = error.span().map_or(0, |span| span.start);
                    let problem = Problem::Syntax { message: error.message().to_owned() };
                    self.errors.push(ConfigError::at(path, text, offset, problem));
                }
                return Vec::new();
            }
        };
        let most = self.errors.len() + if self.thorough { MAX_CONFIG_ERRORS } else { 1 };
        let mut entries: Vec<_> = table.get_ref().iter().collect();
        entries.sort_unstable_by_key(|(name, _)| name.span().start);
        let mut items: Vec<Item> = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            let offset = name.span().start;
            let item = self.item(name.get_ref(), offset, |key, context| from_toml(key, value.get_ref(), context));
            let added = item.and_then(|item| add(&mut items, item, name.get_ref(), |at| position(text, at).0));
            if let Err(problem) = added {
                self.errors.push(ConfigError::at(path, text, offset, problem));
                // To find a line takes time that grows with the file, and anybody can write a project's file.
                if self.errors.len() == most {
                    break;
                }
            }
        }
        items
    }

    /// The parsed text, or what is wrong with it: the first mistake, or (`thorough`) all.
    fn table<'t>(&self, text: &'t str) -> Result<Spanned<DeTable<'t>>, Vec<toml::de::Error>> {
        if !self.thorough {
            return DeTable::parse(text).map_err(|error| vec![error]);
        }
        let (table, errors) = DeTable::parse_recoverable(text);
        if errors.is_empty() { Ok(table) } else { Err(errors) }
    }

    fn item(
        &self,
        name: &str,
        offset: usize,
        value: impl FnOnce(Written<'_>, &Context<'_>) -> Result<Value, Problem>,
    ) -> Result<Item, Problem> {
        let Some(key) = Key::find(name) else {
            return Err(Problem::unknown_key(name));
        };
        value(Written { key, name }, &self.context).map(|value| Item { key, value, offset })
    }

    /// The values of the environment.
    fn variables(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        let mut name = String::with_capacity(40);
        for (short, key) in Key::names() {
            name.clear();
            push_env_name(short, &mut name);
            // An empty variable counts as not set, as everywhere.
            let Some(text) = (self.context.env)(&name).filter(|text| !text.is_empty()) else { continue };
            let value = from_text(Written { key, name: short }, &text, &self.context);
            let added = value.and_then(|value| add(&mut items, Item { key, value, offset: 0 }, &name, |_| 0));
            if let Err(problem) = added {
                self.errors.push(ConfigError::variable(name.clone(), problem));
            }
        }
        items
    }
}

/// Adds an item that no other of the same layer contradicts.
fn add(items: &mut Vec<Item>, item: Item, name: &str, line: impl Fn(usize) -> u32) -> Result<(), Problem> {
    let sets_action = |item: &Item| item.key == Key::Action || matches!(item.value, Value::Gate(_, Some(_)));
    let same = |other: &&Item| other.key == item.key || sets_action(other) && sets_action(&item);
    if let Some(first) = items.iter().find(same) {
        let key = if first.key == item.key { item.key } else { Key::Action };
        return Err(Problem::Duplicate { key: name.to_owned(), name: key.name(), first_line: line(first.offset) });
    }
    items.push(item);
    Ok(())
}

fn take_profile(items: &mut Vec<Item>) -> Option<Item> {
    let at = items.iter().position(|item| item.key == Key::Profile)?;
    Some(items.swap_remove(at))
}

fn line(text: Option<&str>, offset: usize) -> u32 {
    position(text.unwrap_or_default(), offset).0
}
