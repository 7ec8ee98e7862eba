//! `codex app-server`: the client's own way to list hooks and to trust them (measured on 0.171.0).
//!
//! One JSON object a line each way: `initialize`, then `hooks/list {"cwds": [DIR]}`, then
//! `config/batchWrite` of `hooks.state."KEY".trusted_hash`, which is what the client's own review writes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::harness::program::on_path;

/// How long an answer may take: the client makes its databases when it is started for the first time.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why the client could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// There is no `codex` on PATH.
    #[error("there is no `codex` on PATH")]
    NoProgram,
    /// It can't be started or spoken to.
    #[error("`{} app-server` can't be used: {source}", program.display())]
    Io {
        /// The program.
        program: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// It ended, or says nothing.
    #[error("`codex app-server` gave no answer to {method}")]
    Silent {
        /// What was asked.
        method: &'static str,
    },
    /// It refused, or answered in another form.
    #[error("`codex app-server` answered {method} with {answer}")]
    Refused {
        /// What was asked.
        method: &'static str,
        /// What it said, shortened.
        answer: String,
    },
}

/// A hook as the client lists it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ListedHook {
    /// `FILE:EVENT:GROUP:INDEX`.
    pub key: String,
    /// The command, where it is one.
    #[serde(default)]
    pub command: Option<String>,
    /// The file that it stands in.
    #[serde(default)]
    pub source_path: Option<String>,
    /// Whether the user has it switched on.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// What would have to be trusted.
    #[serde(default)]
    pub current_hash: String,
    /// `trusted`, `untrusted`, `modified` or `managed`.
    #[serde(default)]
    pub trust_status: String,
}

const fn yes() -> bool {
    true
}

impl ListedHook {
    /// Whether the client runs it.
    pub fn runs(&self) -> bool {
        self.enabled && matches!(self.trust_status.as_str(), "trusted" | "managed")
    }
}

/// The hooks that the client would run in a folder, if they are trusted.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Listed {
    /// The hooks.
    #[serde(default)]
    pub hooks: Vec<ListedHook>,
    /// Files that it can't read, in its own words.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The client's program, as a user would start it.
pub fn program() -> Option<PathBuf> {
    on_path("codex").or_else(|| cfg!(windows).then(|| on_path("codex.cmd")).flatten())
}

/// A running `codex app-server`. It is ended when this is dropped.
#[derive(Debug)]
pub struct AppServer {
    program: PathBuf,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    asked: u64,
}

impl AppServer {
    /// Starts the one on PATH in the folder `cwd`.
    pub fn start(cwd: &Path) -> Result<Self, ServerError> {
        let program = program().ok_or(ServerError::NoProgram)?;
        let fail = |source| ServerError::Io { program: program.clone(), source };
        let mut command = Command::new(&program);
        command.arg("app-server").current_dir(cwd);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(fail)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(fail(std::io::Error::other("it has no pipes")));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            // Ends with the program, or when nobody listens any more.
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut server = Self { program, child, stdin, lines, asked: 0 };
        let client = json!({"name": "wsguard", "title": "workspace-guard", "version": env!("CARGO_PKG_VERSION")});
        server.ask("initialize", &json!({"clientInfo": client, "capabilities": {"experimentalApi": true}}))?;
        server.say(&json!({"method": "initialized"}))?;
        Ok(server)
    }

    /// The hooks that the client reads when it is started in `cwd`.
    pub fn hooks(&mut self, cwd: &Path) -> Result<Listed, ServerError> {
        const METHOD: &str = "hooks/list";
        let mut answer = self.ask(METHOD, &json!({"cwds": [cwd]}))?;
        let first = answer.get_mut("data").and_then(|data| data.get_mut(0)).map(Value::take);
        let first = first.ok_or_else(|| refused(METHOD, &answer))?;
        let odd = refused(METHOD, &first);
        serde_json::from_value(first).map_err(|_| odd)
    }

    /// Has the client trust these hooks as they are now.
    pub fn trust(&mut self, hooks: &[&ListedHook]) -> Result<(), ServerError> {
        let edits: Vec<Value> = hooks
            .iter()
            .map(|hook| {
                let state = json!({hook.key.as_str(): {"trusted_hash": hook.current_hash}});
                json!({"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"})
            })
            .collect();
        let params = json!({"edits": edits, "filePath": null, "expectedVersion": null, "reloadUserConfig": true});
        self.ask("config/batchWrite", &params).map(drop)
    }

    fn say(&mut self, message: &Value) -> Result<(), ServerError> {
        let line = format!("{message}\n");
        let sent = self.stdin.write_all(line.as_bytes()).and_then(|()| self.stdin.flush());
        sent.map_err(|source| ServerError::Io { program: self.program.clone(), source })
    }

    fn ask(&mut self, method: &'static str, params: &Value) -> Result<Value, ServerError> {
        self.asked += 1;
        self.say(&json!({"id": self.asked, "method": method, "params": params}))?;
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|_| ServerError::Silent { method })?;
            // It also tells of things that nobody asked about.
            let Ok(mut answer) = serde_json::from_str::<Value>(&line) else { continue };
            if answer.get("id").and_then(Value::as_u64) != Some(self.asked) || answer.get("method").is_some() {
                continue;
            }
            return match answer.get_mut("result") {
                Some(result) => Ok(result.take()),
                None => Err(refused(method, &answer)),
            };
        }
    }
}

impl Drop for AppServer {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn refused(method: &'static str, answer: &Value) -> ServerError {
    ServerError::Refused { method, answer: answer.to_string().chars().take(300).collect() }
}
