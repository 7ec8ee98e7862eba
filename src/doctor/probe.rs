//! The live probe: the registered command line is run with calls whose answers are known.

use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};

use super::registration::Registered;
use super::registration_check::expand;
use crate::harness::Client;
use crate::harness::hooks::entry::Entry;
use crate::harness::program::on_path;

/// The session that probes run in.
pub const PROBE_SESSION: &str = "wsguard-doctor";

/// A registered hook gets at most this long, however long its own time-out is.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of an answer that are looked at.
const MAX_ANSWER: u64 = 64 << 10;

/// What a probe asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeKind {
    /// A write outside of every allowed root.
    MustDeny,
    /// A write into the guard's own folder, which no setting allows.
    MustDenyFence,
    /// A write into the session's project.
    MustAllow,
}

impl ProbeKind {
    /// A word for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::MustDeny => "must-deny",
            Self::MustDenyFence => "must-deny (fence)",
            Self::MustAllow => "must-allow",
        }
    }
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Came {
    /// The call is refused.
    Deny {
        /// What the agent reads.
        reason: String,
    },
    /// The user is asked.
    Ask {
        /// What the user reads.
        reason: String,
    },
    /// No opinion.
    Pass,
    /// No opinion, and something said to the agent.
    Note {
        /// What.
        text: String,
    },
    /// The hook answered with something else, or not at all.
    Failed {
        /// What happened.
        what: String,
    },
}

/// One probe with its outcome.
#[derive(Clone, Debug, Serialize)]
pub struct Probe {
    /// What was asked.
    pub kind: ProbeKind,
    /// The path that the call would write.
    pub path: String,
    /// The command line that was run.
    pub command: String,
    /// What came back.
    #[serde(flatten)]
    pub came: Came,
    /// Milliseconds.
    pub took_ms: u64,
}

/// The tool that a probe's call uses.
pub(super) const fn written_by(client: Client) -> &'static str {
    match client {
        Client::ClaudeCode => "Write",
        Client::Codex => "patch",
    }
}

/// Runs the command line of `entry` as its client would, with a call that writes `path` in `project`.
pub(crate) fn run(kind: ProbeKind, path: &str, entry: &Entry, from: &Registered, project: &Path) -> Probe {
    let start = Instant::now();
    let (mut command, shown) = match from.client {
        Client::ClaudeCode => command_line(&entry.value, from.plugin_root.as_deref(), project),
        Client::Codex => shell_line(&entry.value),
    };
    command.current_dir(project);
    if from.client == Client::ClaudeCode {
        command.env("CLAUDE_PROJECT_DIR", project.as_os_str()).env("CLAUDECODE", "1");
        command.env("CLAUDE_CODE_SESSION_ID", PROBE_SESSION);
    }
    // No call of an agent's: nothing that appears meanwhile is its work.
    command.env("WSGUARD_OBSERVE", "false");
    let payload = payload(from.client, kind, path, project);
    let came = match answer(&mut command, &payload.to_string(), patience(&entry.value)) {
        Ok((status, stdout, stderr)) => classify(from.client, status, &stdout, &stderr),
        Err(what) => Came::Failed { what },
    };
    let took_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    Probe { kind, path: path.to_owned(), command: shown, came, took_ms }
}

fn payload(client: Client, kind: ProbeKind, path: &str, project: &Path) -> Value {
    let mut payload = json!({
        "session_id": PROBE_SESSION,
        "transcript_path": project.join("transcript.jsonl"),
        "cwd": project,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_use_id": format!("{PROBE_SESSION}-{kind:?}"),
    });
    let (tool, input) = match client {
        Client::ClaudeCode => ("Write", json!({"file_path": path, "content": ""})),
        Client::Codex => {
            payload["turn_id"] = json!(PROBE_SESSION);
            payload["model"] = json!("none");
            let text = format!("*** Begin Patch\n*** Add File: {path}\n+probe\n*** End Patch\n");
            ("apply_patch", json!({"command": text}))
        }
    };
    payload["tool_name"] = json!(tool);
    payload["tool_input"] = input;
    payload
}

fn patience(entry: &Value) -> Duration {
    let seconds = entry.get("timeout").and_then(Value::as_f64).filter(|s| *s > 0.0 && *s < PATIENCE.as_secs_f64());
    seconds.map_or(PATIENCE, Duration::from_secs_f64)
}

/// Exec form is started directly, shell form by `/bin/sh -c`.
fn command_line(entry: &Value, plugin_root: Option<&Path>, project: &Path) -> (Command, String) {
    let text = entry.get("command").and_then(Value::as_str).unwrap_or_default();
    let Some(args) = entry.get("args").and_then(Value::as_array) else {
        let shell = if cfg!(windows) { "sh" } else { "/bin/sh" };
        let mut command = Command::new(shell);
        command.arg("-c").arg(text);
        if let Some(root) = plugin_root {
            command.env("CLAUDE_PLUGIN_ROOT", root);
        }
        return (command, format!("{shell} -c {}", shell_words::quote(text)));
    };
    let words: Vec<String> = std::iter::once(text)
        .chain(args.iter().filter_map(Value::as_str))
        .map(|word| expand(word, plugin_root, project))
        .collect();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    (command, shell_words::join(&words))
}

/// Codex knows a line for a shell alone: the user's own as a login shell; on Windows PowerShell, cmd where there is none.
fn shell_line(entry: &Value) -> (Command, String) {
    let text = entry.get("command").and_then(Value::as_str).unwrap_or_default();
    let (shell, args): (std::ffi::OsString, &[&str]) = if cfg!(windows) {
        match on_path("pwsh").or_else(|| on_path("powershell")) {
            Some(shell) => (shell.into(), &["-NoProfile", "-Command"]),
            None => ("cmd".into(), &["/C"]),
        }
    } else {
        (std::env::var_os("SHELL").filter(|s| !s.is_empty()).unwrap_or_else(|| "/bin/sh".into()), &["-lc"])
    };
    let mut command = Command::new(&shell);
    command.args(args).arg(text);
    (command, format!("{} {} {}", shell.to_string_lossy(), args.join(" "), shell_words::quote(text)))
}

/// Starts, feeds and waits; the process is killed when `patience` is over.
fn answer(command: &mut Command, stdin: &str, patience: Duration) -> Result<(ExitStatus, String, String), String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("it can't be started: {e}"))?;
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    if let Some(mut pipe) = child.stdin.take() {
        // The payload is smaller than a pipe's buffer; a program that does not read it loses nothing by that.
        drop(pipe.write_all(stdin.as_bytes()));
    }
    let status = wait(&mut child, patience)?;
    // A process that it left behind may keep the pipes open.
    let text = |pipe: mpsc::Receiver<String>| pipe.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
    Ok((status, text(stdout), text(stderr)))
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What was read before a failure still tells something.
            drop(pipe.take(MAX_ANSWER).read_to_end(&mut bytes));
        }
        // Nobody listens any more when the time is over.
        drop(sender.send(String::from_utf8_lossy(&bytes).into_owned()));
    });
    receiver
}

fn wait(child: &mut Child, patience: Duration) -> Result<ExitStatus, String> {
    let end = Instant::now() + patience;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) => {
                drop(child.kill());
                drop(child.wait());
                return Err(format!("no answer within {} s", patience.as_secs_f32()));
            }
            Err(e) => return Err(format!("it can't be waited for: {e}")),
        }
    }
}

/// What the client makes of such an end (measured on Claude Code 2.1.332 and Codex 0.171.0).
fn classify(client: Client, status: ExitStatus, stdout: &str, stderr: &str) -> Came {
    let first = |text: &str| text.lines().find(|l| !l.trim().is_empty()).unwrap_or_default().to_owned();
    match status.code() {
        Some(0) => {}
        Some(2) if client == Client::Codex && stderr.trim().is_empty() => {
            return Came::Failed { what: "exit code 2 and nothing on standard error".to_owned() };
        }
        Some(2) => return Came::Deny { reason: first(stderr) },
        Some(code) => return Came::Failed { what: format!("exit code {code} {}", first(stderr)).trim().to_owned() },
        None => return Came::Failed { what: format!("ended by a signal: {status}") },
    }
    if stdout.trim().is_empty() {
        return Came::Pass;
    }
    let Ok(Value::Object(answer)) = serde_json::from_str::<Value>(stdout) else {
        return Came::Failed { what: format!("an answer that is no JSON object: {}", first(stdout)) };
    };
    let specific = answer.get("hookSpecificOutput");
    let text = |key: &str| specific.and_then(|s| s.get(key)).and_then(Value::as_str).map(str::to_owned);
    let reason = text("permissionDecisionReason").unwrap_or_default();
    if client == Client::Codex {
        const KNOWN: [&str; 4] =
            ["hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext"];
        let inner = specific.and_then(Value::as_object).into_iter().flatten().map(|(key, _)| key);
        let odd = inner.filter(|key| !KNOWN.contains(&key.as_str()));
        let odd = odd.chain(answer.keys().filter(|key| *key != "hookSpecificOutput")).next();
        if let Some(key) = odd {
            return Came::Failed { what: format!("an answer with the key \"{key}\", which Codex drops") };
        }
        if text("permissionDecision").as_deref() == Some("ask") {
            return Came::Failed { what: "the decision \"ask\", which Codex drops".to_owned() };
        }
    }
    match text("permissionDecision").as_deref() {
        Some("deny") => Came::Deny { reason },
        Some("ask") => Came::Ask { reason },
        Some(other) => Came::Failed { what: format!("the decision \"{other}\"") },
        None => match text("additionalContext") {
            Some(text) => Came::Note { text },
            None => Came::Pass,
        },
    }
}
