//! What `install` and `uninstall` say about the edit of a settings file.

use serde_json::json;
use similar::{ChangeTag, TextDiff};

use super::failure::{Failure, Kind};
use super::hook_trust;
use super::output::{self, BAD, DIM, GOOD, paint};
use super::target::TargetArgs;
use crate::harness::Client;
use crate::harness::hooks::entry::Fault;
use crate::harness::hooks::install::{Outcome, Remark};
use crate::harness::hooks::register::Done;
use crate::harness::settings::SettingsError;

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// A registration.
    Install,
    /// Its removal.
    Uninstall,
}

/// An error of a settings file as the command line shows it.
pub fn failure(error: SettingsError) -> Failure {
    let kind = if error.is_content() { Kind::Data } else { Kind::Io };
    let (code, hint) = (error.code(), error.hint());
    Failure::new(kind, code, error).hint(hint)
}

/// Shows what was done or would be.
pub fn show(
    outcome: &Outcome,
    target: &TargetArgs,
    verb: Verb,
    trust: Option<&hook_trust::Standing>,
) -> anyhow::Result<()> {
    if target.json {
        let mut shown = as_json(outcome, target.dry_run);
        if let Some(standing) = trust {
            shown["trust"] = standing.as_json();
        }
        return output::print_json(&shown);
    }
    let path = outcome.path.display();
    match (outcome.done.is_empty(), verb) {
        (true, Verb::Install) => output::println(format_args!("already registered in {path}"))?,
        (true, Verb::Uninstall) => output::println(format_args!("not registered in {path}"))?,
        (false, _) if target.dry_run => output::print(diff(outcome))?,
        (false, _) => {
            output::print(done_lines(outcome))?;
            if verb == Verb::Install {
                output::println("next: `wsguard doctor` shows that it denies")?;
            }
        }
    }
    if verb == Verb::Install {
        outcome.remarks.iter().for_each(|&found| remark(client(target), found));
        if let Some(standing) = trust {
            standing.show()?;
        }
    }
    Ok(())
}

fn done_lines(outcome: &Outcome) -> String {
    let mut out = format!("{}\n", outcome.path.display());
    for done in &outcome.done {
        let line = match done {
            Done::Added(event) => format!("  {} {event}", paint(GOOD, "added   ")),
            Done::Repaired(event, faults) => {
                let why: Vec<String> = faults.iter().map(Fault::text).collect();
                format!("  {} {event}: {}", paint(GOOD, "repaired"), why.join(", "))
            }
            Done::Removed(event) => format!("  {} {event}", paint(GOOD, "removed ")),
        };
        out.push_str(&line);
        out.push('\n');
    }
    if let Some(backup) = &outcome.backup {
        out.push_str(&paint(DIM, format_args!("backup: {}\n", backup.display())).to_string());
    }
    out
}

fn diff(outcome: &Outcome) -> String {
    let path = outcome.path.display().to_string();
    let old = if outcome.existed { path.as_str() } else { "/dev/null" };
    let diff = TextDiff::from_lines(outcome.before.as_str(), outcome.after.as_str());
    let text = diff.unified_diff().context_radius(3).header(old, &path).to_string();
    text.split_inclusive('\n')
        .map(|line| match tag(line) {
            Some(ChangeTag::Insert) => paint(GOOD, line).to_string(),
            Some(ChangeTag::Delete) => paint(BAD, line).to_string(),
            _ => line.to_owned(),
        })
        .collect()
}

fn tag(line: &str) -> Option<ChangeTag> {
    match line.as_bytes() {
        [b'+', ..] if !line.starts_with("+++") => Some(ChangeTag::Insert),
        [b'-', ..] if !line.starts_with("---") => Some(ChangeTag::Delete),
        _ => None,
    }
}

fn client(target: &TargetArgs) -> Client {
    target.harness.client()
}

fn remark(client: Client, remark: Remark) {
    match remark {
        Remark::Comments => {
            output::warn(format_args!(
                "this file is no plain JSON (it holds comments or control characters), and {} ignores such a file as a whole: the guard is off",
                client.title()
            ));
            output::hint("take them out of the file");
        }
        Remark::ForeignKey => {
            output::warn(format_args!(
                "this file holds further keys beside \"hooks\", and {} ignores such a file as a whole: the guard is off",
                client.title()
            ));
            output::hint("take them out of the file");
        }
        Remark::HooksDisabled => {
            output::warn("this file says \"disableAllHooks\": true: the guard is off");
            output::hint("remove that line");
        }
    }
}

fn as_json(outcome: &Outcome, dry_run: bool) -> serde_json::Value {
    let done: Vec<_> = outcome
        .done
        .iter()
        .map(|done| match done {
            Done::Added(event) => json!({"event": event, "done": "added"}),
            Done::Repaired(event, faults) => {
                let why: Vec<String> = faults.iter().map(Fault::text).collect();
                json!({"event": event, "done": "repaired", "faults": why})
            }
            Done::Removed(event) => json!({"event": event, "done": "removed"}),
        })
        .collect();
    let remarks: Vec<&str> = outcome
        .remarks
        .iter()
        .map(|r| match r {
            Remark::Comments => "comments",
            Remark::ForeignKey => "foreign_key",
            Remark::HooksDisabled => "hooks_disabled",
        })
        .collect();
    json!({
        "settings": outcome.path,
        "changed": !outcome.done.is_empty() && !dry_run,
        "dryRun": dry_run,
        "events": done,
        "backup": outcome.backup,
        "remarks": remarks,
        "after": dry_run.then_some(&outcome.after),
    })
}
