//! Adding, repairing and removing our entries in a client's settings.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::entry::{Entry, Fault, entries};
use super::form::{Event, Form, TIMEOUT_SECONDS};
use crate::harness::Client;
use crate::harness::settings::{JsonText, SettingsError, Step};

/// What was done about one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// An entry was added.
    Added(&'static str),
    /// An entry of ours was put right.
    Repaired(&'static str, Vec<Fault>),
    /// Our entries of this event were removed.
    Removed(String),
}

/// Registers every event in the settings `doc`, which came from `path`. Nothing done means that everything was registered
/// already.
pub fn register(doc: &mut JsonText, path: &Path, form: &Form) -> Result<Vec<Done>, SettingsError> {
    let edit = Edit { path };
    let value = doc.value();
    edit.check_shape(doc, &value)?;
    if value.get("hooks").is_none() {
        edit.ok(doc.insert_key(&[], "hooks", &serde_json::Map::new()))?;
    }
    let mut done = Vec::new();
    for &event in form.client.events() {
        let value = doc.value();
        let own: Vec<Entry> = entries(&value, event.name).into_iter().filter(|e| e.ours).collect();
        match own.as_slice() {
            [] => {
                edit.add(doc, event, form)?;
                done.push(Done::Added(event.name));
            }
            [entry] => {
                let faults = entry.faults(form.client, event, Some(form));
                if !faults.is_empty() {
                    edit.repair(doc, event, entry, form, &faults)?;
                    done.push(Done::Repaired(event.name, faults));
                }
            }
            // The client would run each of them.
            several => {
                edit.remove_own(doc, event.name, several)?;
                edit.add(doc, event, form)?;
                done.push(Done::Repaired(event.name, vec![Fault::Repeated]));
            }
        }
    }
    Ok(done)
}

/// Removes every entry of ours, and the groups, events and `hooks` that this empties. Comments stay, and so do
/// the containers that hold one.
pub fn unregister(doc: &mut JsonText, path: &Path, client: Client) -> Result<Vec<Done>, SettingsError> {
    let edit = Edit { path };
    let value = doc.value();
    edit.check_shape(doc, &value)?;
    let Some(Value::Object(hooks)) = value.get("hooks") else { return Ok(Vec::new()) };
    let mut done = Vec::new();
    // In the order of a session, then whatever else there is.
    let events = client.events();
    let known = events.iter().map(|e| e.name).filter(|name| hooks.contains_key(*name));
    let others = hooks.keys().map(String::as_str).filter(|name| events.iter().all(|e| e.name != *name));
    for name in known.chain(others) {
        let own: Vec<Entry> = entries(&value, name).into_iter().filter(|e| e.ours).collect();
        if own.is_empty() {
            continue;
        }
        edit.remove_own(doc, name, &own)?;
        let at = [Step::Key("hooks"), Step::Key(name)];
        if doc.is_blank(&at) {
            edit.ok(doc.remove(&at))?;
        }
        done.push(Done::Removed(name.to_owned()));
    }
    if !done.is_empty() && doc.is_blank(&[Step::Key("hooks")]) {
        edit.ok(doc.remove(&[Step::Key("hooks")]))?;
    }
    Ok(done)
}

struct Edit<'a> {
    path: &'a Path,
}

impl Edit<'_> {
    fn ok<T>(&self, result: Result<T, crate::harness::settings::SyntaxError>) -> Result<T, SettingsError> {
        result.map_err(|source| SettingsError::Syntax { path: self.path.to_owned(), source })
    }

    fn shape(&self, at: &str, found: &Value, want: &'static str) -> SettingsError {
        SettingsError::Shape { path: self.path.to_owned(), at: at.to_owned(), found: kind(found), want }
    }

    /// The file is an object, `hooks` an object of arrays, and no key on the way there occurs twice.
    fn check_shape(&self, doc: &JsonText, value: &Value) -> Result<(), SettingsError> {
        if !value.is_object() {
            return Err(self.shape("(the whole file)", value, "an object"));
        }
        for at in [&[][..], &[Step::Key("hooks")]] {
            if let Some((key, line)) = doc.duplicate_key(at) {
                return Err(SettingsError::DuplicateKey { path: self.path.to_owned(), key, line });
            }
        }
        let Some(hooks) = value.get("hooks") else { return Ok(()) };
        let Value::Object(events) = hooks else { return Err(self.shape("hooks", hooks, "an object")) };
        match events.iter().find(|(_, groups)| !groups.is_array()) {
            Some((name, groups)) => Err(self.shape(&format!("hooks.{name}"), groups, "an array")),
            None => Ok(()),
        }
    }

    fn add(&self, doc: &mut JsonText, event: Event, form: &Form) -> Result<(), SettingsError> {
        let group = form.group(event);
        let hooks = [Step::Key("hooks")];
        if doc.value()["hooks"].get(event.name).is_some() {
            return self.ok(doc.push(&[hooks[0], Step::Key(event.name)], &group));
        }
        self.ok(doc.insert_key(&hooks, event.name, &[group]))
    }

    fn repair(
        &self,
        doc: &mut JsonText,
        event: Event,
        entry: &Entry,
        form: &Form,
        faults: &[Fault],
    ) -> Result<(), SettingsError> {
        let group = [Step::Key("hooks"), Step::Key(event.name), Step::Index(entry.group)];
        if faults.contains(&Fault::Matcher) {
            if entry.alone {
                let at = [group[0], group[1], group[2], Step::Key("matcher")];
                self.ok(doc.replace(&at, &"*"))?;
            } else {
                // The matcher belongs to the others in the group: ours moves out.
                self.remove_own(doc, event.name, std::slice::from_ref(entry))?;
                return self.add(doc, event, form);
            }
        }
        let own = [group[0], group[1], group[2], Step::Key("hooks"), Step::Index(entry.index)];
        for fault in faults {
            match fault {
                Fault::Matcher | Fault::Repeated => {}
                Fault::Type => self.set(doc, &own, "type", &"command")?,
                Fault::Command | Fault::OpenLine | Fault::BlockingLine => {
                    self.set(doc, &own, "command", &form.command(event))?;
                }
                Fault::Args => self.set(doc, &own, "args", &form.client.hook_args())?,
                Fault::Timeout => self.set(doc, &own, "timeout", &TIMEOUT_SECONDS)?,
                Fault::OpenOnFailure => self.set(doc, &own, "onFailure", &"block")?,
                Fault::BlocksUser => self.unset(doc, &own, "onFailure")?,
                Fault::Key(key) => self.unset(doc, &own, key)?,
            }
        }
        Ok(())
    }

    fn set(
        &self,
        doc: &mut JsonText,
        at: &[Step<'_>],
        key: &'static str,
        value: &impl Serialize,
    ) -> Result<(), SettingsError> {
        let there = crate::harness::settings::get(&doc.value(), at).is_some_and(|v| v.get(key).is_some());
        if there {
            let at: Vec<Step<'_>> = at.iter().copied().chain([Step::Key(key)]).collect();
            return self.ok(doc.replace(&at, value));
        }
        self.ok(doc.insert_key(at, key, value))
    }

    fn unset(&self, doc: &mut JsonText, at: &[Step<'_>], key: &str) -> Result<(), SettingsError> {
        let at: Vec<Step<'_>> = at.iter().copied().chain([Step::Key(key)]).collect();
        self.ok(doc.remove(&at))
    }

    /// Removes these entries of `event` and the groups that this empties.
    fn remove_own(&self, doc: &mut JsonText, event: &str, own: &[Entry]) -> Result<(), SettingsError> {
        for entry in own.iter().rev() {
            let group = [Step::Key("hooks"), Step::Key(event), Step::Index(entry.group)];
            let hooks = [group[0], group[1], group[2], Step::Key("hooks")];
            self.ok(doc.remove(&[hooks[0], hooks[1], hooks[2], hooks[3], Step::Index(entry.index)]))?;
            if doc.is_blank(&hooks) {
                self.ok(doc.remove(&group))?;
            }
        }
        Ok(())
    }
}

/// What a value is, for people.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
