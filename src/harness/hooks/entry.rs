//! One hook entry of a client's settings as data: whose it is, and what is wrong with it.

use serde_json::Value;

use super::form::{Event, Form, PROGRAM};
use crate::harness::Client;
use crate::harness::command_line::closes;
use crate::path::Model;

/// Programs that start what their next word names.
const LAUNCHERS: [&str; 10] = ["sh", "bash", "dash", "zsh", "exec", "env", "command", "nohup", "nice", "cmd"];

/// A hook entry, found at `hooks.<event>[group].hooks[index]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Which group of the event.
    pub group: usize,
    /// Which entry of the group.
    pub index: usize,
    /// It starts our hook program.
    pub ours: bool,
    /// The group holds nothing else.
    pub alone: bool,
    /// The group's matcher.
    pub matcher: Option<String>,
    /// The entry itself.
    pub value: Value,
}

/// Something about one of our entries that keeps it from guarding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `type` is not `command`.
    Type,
    /// Another program than the one that belongs to this installation.
    Command,
    /// Other arguments, or none: then a shell starts it.
    Args,
    /// No time-out (the client then waits ten minutes), or one too short for the hook's own deadline.
    Timeout,
    /// Without `"onFailure": "block"` a hook that can't start lets every call through.
    OpenOnFailure,
    /// `onFailure` on an event where a failure would block the user.
    BlocksUser,
    /// A line of a shell that lets every call through where the hook can't run.
    OpenLine,
    /// A line of a shell that would block the user where the hook can't run.
    BlockingLine,
    /// The matcher leaves tools out.
    Matcher,
    /// Several entries of ours for one event.
    Repeated,
    /// A key that keeps the hook from being asked every time or from being waited for.
    Key(&'static str),
}

impl Fault {
    /// For people.
    pub fn text(&self) -> String {
        match self {
            Self::Type => "its type is not \"command\"".to_owned(),
            Self::Command => "it starts another program".to_owned(),
            Self::Args => "its args differ".to_owned(),
            Self::Timeout => "its timeout is missing or too short".to_owned(),
            Self::OpenOnFailure => "\"onFailure\": \"block\" is missing".to_owned(),
            Self::BlocksUser => "\"onFailure\": \"block\" would block the user here".to_owned(),
            Self::OpenLine => "its command lets every call pass when the hook can't run".to_owned(),
            Self::BlockingLine => "its command would block the user when the hook can't run".to_owned(),
            Self::Matcher => "its matcher leaves tools out".to_owned(),
            Self::Repeated => "it is there several times".to_owned(),
            Self::Key(key) => format!("\"{key}\" keeps it from judging every call"),
        }
    }
}

/// The hook entries of `event` in these settings; what has another shape is passed over.
pub fn entries(settings: &Value, event: &str) -> Vec<Entry> {
    let groups = settings.get("hooks").and_then(|h| h.get(event)).and_then(Value::as_array);
    let mut found = Vec::new();
    for (group, value) in groups.into_iter().flatten().enumerate() {
        let matcher = value.get("matcher").and_then(Value::as_str).map(str::to_owned);
        let Some(hooks) = value.get("hooks").and_then(Value::as_array) else { continue };
        for (index, value) in hooks.iter().enumerate() {
            found.push(Entry {
                group,
                index,
                ours: program(value).is_some_and(|p| is_hook_program(&p)),
                alone: hooks.len() == 1,
                matcher: matcher.clone(),
                value: value.clone(),
            });
        }
    }
    found
}

/// The program that an entry starts: `command` itself in exec form, else the command line's first word that is
/// no assignment, option or launcher.
pub fn program(entry: &Value) -> Option<String> {
    let command = entry.get("command")?.as_str()?;
    if entry.get("args").is_some_and(Value::is_array) {
        return Some(command.to_owned());
    }
    // A backslash on Windows is part of a path.
    let plain = || command.split_whitespace().map(|word| word.trim_matches(['"', '\'']).to_owned()).collect();
    let in_path = Model::native() == Model::Windows && command.contains('\\');
    let words: Vec<String> = if in_path { plain() } else { shell_words::split(command).unwrap_or_else(|_| plain()) };
    words.into_iter().find(|word| {
        let assignment = word
            .split_once('=')
            .is_some_and(|(name, _)| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
        !assignment && !word.starts_with('-') && !LAUNCHERS.contains(&base_name(word).trim_end_matches(".exe"))
    })
}

/// Whether `program` is our hook, wherever it lies.
pub fn is_hook_program(program: &str) -> bool {
    let name = base_name(program);
    // Windows does not tell case apart, and nobody else has names that end so.
    match name.len().checked_sub(4).and_then(|end| name.split_at_checked(end)) {
        Some((stem, end)) if end.eq_ignore_ascii_case(".exe") => stem.eq_ignore_ascii_case(PROGRAM),
        _ => name == PROGRAM,
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

impl Entry {
    /// What is wrong with this entry of ours for `event` of `client`; without `form` any program is right.
    pub fn faults(&self, client: Client, event: Event, form: Option<&Form>) -> Vec<Fault> {
        let text = |key: &str| self.value.get(key).and_then(Value::as_str);
        let command = form.map(|form| form.command(event));
        let leaves_out = |matcher: &str| !client.open_matchers().contains(&matcher);
        let mut faults = Vec::new();
        let mut check = |wrong: bool, fault: Fault| {
            if wrong {
                faults.push(fault);
            }
        };
        check(event.has_matcher && self.matcher.as_deref().is_some_and(leaves_out), Fault::Matcher);
        check(text("type") != Some("command"), Fault::Type);
        check(command.is_some() && text("command") != command, Fault::Command);
        check(self.timeout().is_none_or(|s| s < 2.0), Fault::Timeout);
        if client.has_exec_form() {
            check(!self.has_args(client), Fault::Args);
            let block = text("onFailure") == Some("block");
            check(event.blocks && !block, Fault::OpenOnFailure);
            check(!event.blocks && block, Fault::BlocksUser);
        } else if command.is_none() {
            let model = Model::native();
            let closing = text("command").is_some_and(|line| closes(model, line));
            check(event.blocks && !closing && model == Model::Posix, Fault::OpenLine);
            check(!event.blocks && closing, Fault::BlockingLine);
        }
        for &key in client.unguarding_keys() {
            let off = matches!(self.value.get(key), None | Some(Value::Null | Value::Bool(false)));
            check(!off, Fault::Key(key));
        }
        faults
    }

    fn has_args(&self, client: Client) -> bool {
        let args = self.value.get("args").and_then(Value::as_array);
        args.is_some_and(|args| args.iter().map(Value::as_str).eq(client.hook_args().map(Some)))
    }

    /// Seconds, where the entry names them as a number.
    fn timeout(&self) -> Option<f64> {
        self.value.get("timeout")?.as_f64()
    }
}
