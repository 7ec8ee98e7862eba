//! `wsguard status`: one screen of facts.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::SystemTime;

use serde_json::json;

use super::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};
use crate::doctor::{HarnessStatus, SessionSeen, Status, Surroundings, status};
use crate::ledger::{Grant, Scope, stamp};

/// Sessions that are shown.
const MAX_SESSIONS: usize = 8;

/// Shows settings, registrations, sessions, last refusals and grants.
///
/// Writes and runs nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard status")]
pub struct Args {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let status = status(&Surroundings::from_env(super::current_dir()?));
    if args.json {
        output::print_json(&as_json(&status))?;
    } else {
        output::print(text(&status))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(status: &Status) -> String {
    let mut out = String::new();
    let none = || paint(DIM, "none").to_string();
    let home = status.home.as_ref().map_or_else(|| paint(BAD, "unknown").to_string(), |h| h.display().to_string());
    row(&mut out, "home", home);
    let file = if status.config_exists { "config.toml" } else { "no config.toml" };
    row(&mut out, "config", format_args!("{file}, profile {}", status.profile));
    for error in &status.config_errors {
        row(&mut out, "", paint(BAD, error));
    }
    row(&mut out, "gate", gate(status));
    for harness in &status.harnesses {
        let name = harness.client.name();
        if harness.registered.is_empty() {
            row(&mut out, "harness", format_args!("{name} {}", paint(BAD, "not registered")));
        }
        for (label, path, events) in &harness.registered {
            row(&mut out, "harness", format_args!("{name} by {label}, {events} events, {}", path.display()));
        }
        if harness.untrusted > 0 {
            let text =
                format!("not trusted, so {} passes them over: {} of them", harness.client.title(), harness.untrusted);
            row(&mut out, "", paint(BAD, text));
        }
    }
    for harness in &status.harnesses {
        let last = harness.last_event.map_or_else(none, when);
        row(&mut out, "last event", format_args!("{} {last}", harness.client.name()));
    }
    let live: Vec<&SessionSeen> = status.activity.sessions.iter().filter(|s| s.live).collect();
    row(&mut out, "sessions", format_args!("{} live, {} known", live.len(), status.activity.sessions.len()));
    for session in live.iter().take(MAX_SESSIONS) {
        row(&mut out, "", format_args!("{} {}", paint(BOLD, &session.id), when(session.last_event)));
        row(&mut out, "", format_args!("  project {}", session.project));
        row(&mut out, "", format_args!("  scratch {}", session.scratch.display()));
    }
    if live.len() > MAX_SESSIONS {
        row(&mut out, "", paint(DIM, format_args!("… and {} more", live.len() - MAX_SESSIONS)));
    }
    row(&mut out, "refusals", if status.denials.is_empty() { none() } else { String::new() });
    for event in &status.denials {
        let path = event.path.as_deref().unwrap_or_default();
        row(&mut out, "", format_args!("{} {} {path}", event.time, event.rule));
    }
    row(&mut out, "grants", if status.grants.is_empty() { none() } else { String::new() });
    for grant in &status.grants {
        row(&mut out, "", format_args!("{} {}", grant.path, scope(grant)));
    }
    for trouble in &status.troubles {
        row(&mut out, "trouble", paint(BAD, trouble));
    }
    out
}

fn row(out: &mut String, name: &str, text: impl std::fmt::Display) {
    // Writing to a String does not fail.
    let _infallible = writeln!(out, "{}", format!("{}  {text}", paint(BOLD, format_args!("{name:<10}"))).trim_end());
}

fn gate(status: &Status) -> String {
    let Some(policy) = &status.policy else {
        return paint(BAD, "the configuration can't be read: every call that writes is refused").to_string();
    };
    if !policy.gate {
        return paint(BAD, "off").to_string();
    }
    let (shell, action, fail) = (policy.shell.word(), policy.action.word(), policy.fail.word());
    format!("{}, shell {shell}, action {action}, fail {fail}", paint(GOOD, "on"))
}

fn scope(grant: &Grant) -> String {
    let text = match grant.scope {
        Scope::Forever => "until revoked".to_owned(),
        Scope::Session => format!("for session {}", grant.session.as_deref().unwrap_or("?")),
        Scope::Until => format!("until {}", grant.until.as_deref().unwrap_or("?")),
        Scope::Once => "for one call".to_owned(),
    };
    paint(WARN, text).to_string()
}

fn when(time: SystemTime) -> String {
    stamp::format_utc(stamp::to_ms(time))
}

fn as_json(status: &Status) -> serde_json::Value {
    let session = |s: &SessionSeen| {
        json!({
            "id": s.id, "harness": s.harness, "project": s.project, "scratch": s.scratch,
            "lastEvent": when(s.last_event), "live": s.live,
        })
    };
    let harness = |h: &HarnessStatus| {
        let registered = h.registered.iter();
        json!({
            "name": h.client.name(),
            "registered": registered.map(|(label, path, events)| json!({"by": label, "path": path, "events": events}))
                .collect::<Vec<_>>(),
            "untrusted": h.untrusted,
            "lastEvent": h.last_event.map(when),
        })
    };
    json!({
        "home": status.home,
        "config": {"exists": status.config_exists, "profile": status.profile, "errors": status.config_errors},
        "gate": status.policy.as_ref().map(|p| json!({
            "on": p.gate, "shell": p.shell.word(), "action": p.action.word(), "fail": p.fail.word(),
        })),
        "harnesses": status.harnesses.iter().map(harness).collect::<Vec<_>>(),
        "sessions": status.activity.sessions.iter().map(session).collect::<Vec<_>>(),
        "refusals": status.denials,
        "grants": status.grants,
        "troubles": status.troubles,
    })
}
