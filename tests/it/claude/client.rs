//! The real client: where it comes from, how it is started, what its model received.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use serde_json::Value;

use super::mock::Script;
use crate::{
    env::TestEnv,
    mock::Mock,
    npm::{Package, finish},
    platform::is_reachable,
};

/// The release that the hook's contract was measured on.
const VERSION: &str = "2.1.332";

/// The client's program, installed on the first use; `None`, said aloud, where it can't be had.
/// `WSGUARD_TEST_CLAUDE` names a program to use instead, or `skip`.
pub(crate) fn client() -> Option<PathBuf> {
    let package = Package { name: "@anthropic-ai/claude-code", version: VERSION, program: program_in };
    package.program("WSGUARD_TEST_CLAUDE")
}

/// The native program that the package for this platform holds.
fn program_in(folder: &Path) -> Option<PathBuf> {
    let scope = fs::read_dir(folder.join("node_modules/@anthropic-ai")).ok()?;
    scope.flatten().map(|entry| entry.path().join("claude")).find(|program| program.is_file())
}

/// What one run of the client left behind.
#[derive(Debug)]
pub(crate) struct Run {
    /// Each request to the model.
    pub(crate) requests: Vec<Value>,
    /// What the model got for each call, by the call's id.
    pub(crate) results: BTreeMap<String, String>,
    script: Script,
}

impl Run {
    /// Starts the client with a script, without a terminal, and waits for it.
    pub(crate) fn play(env: &TestEnv, program: &Path, script: Script, session: &[&str]) -> Self {
        let program = reachable(env, program);
        let mock = Mock::start(script.clone());
        let out = env.root().join("client-output");
        let stdout = fs::File::create(&out).unwrap();
        let mut command = env.command(program);
        command
            .env_remove("CLAUDE_PROJECT_DIR")
            .envs([("SHELL", "/bin/bash"), ("TERM", "dumb"), ("USER", "tester")])
            .envs([("ANTHROPIC_BASE_URL", mock.url().as_str()), ("ANTHROPIC_API_KEY", "not-a-key")])
            .envs(["DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING"].map(|name| (name, "1")))
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("CLAUDE_CODE_TMPDIR", env.user_home())
            .args(["-p", &format!("{} now", Mock::MAIN), "--model", "claude-sonnet-4-5"])
            .args(["--permission-mode", "bypassPermissions", "--tools", "default"])
            .args(["--output-format", "stream-json", "--verbose", "--include-hook-events"])
            .args(session)
            .stdin(Stdio::null())
            .stderr(stdout.try_clone().unwrap())
            .stdout(stdout);
        let status = finish(command, &out);
        let requests = mock.requests();
        assert!(status.success(), "the client failed: {}", fs::read_to_string(&out).unwrap());
        let results = results(&requests);
        Self { requests, results, script }
    }

    /// What the model got for the main script's call at `step`.
    pub(crate) fn main(&self, step: usize) -> &str {
        self.result(&self.script.id("main", step))
    }

    /// What the model got for the sub-agent's call at `step`.
    pub(crate) fn sub(&self, step: usize) -> &str {
        self.result(&self.script.id("sub", step))
    }

    fn result(&self, id: &str) -> &str {
        self.results.get(id).unwrap_or_else(|| panic!("no result for {id}; there are {:#?}", self.results))
    }

    /// The first request that holds `word` in its messages, as text.
    pub(crate) fn first_request_with(&self, word: &str, without: &str) -> String {
        let talks = self.requests.iter().map(|body| body["messages"].to_string());
        let mut found = talks.filter(|talk| talk.contains(word) && (without.is_empty() || !talk.contains(without)));
        found.next().expect("a request of that conversation")
    }
}

/// The program at a place that the unprivileged user can reach.
fn reachable(env: &TestEnv, program: &Path) -> PathBuf {
    let real = program.canonicalize().unwrap();
    if is_reachable(real.parent().unwrap()) {
        return real;
    }
    let copy = env.root().join("client");
    if !copy.exists() && fs::hard_link(&real, &copy).is_err() {
        fs::copy(&real, &copy).unwrap();
    }
    copy
}

/// What the model received for each call: the text of every tool result in every request.
fn results(requests: &[Value]) -> BTreeMap<String, String> {
    let mut results = BTreeMap::new();
    let messages = requests.iter().flat_map(|body| body["messages"].as_array().into_iter().flatten());
    for block in messages.flat_map(|message| message["content"].as_array().into_iter().flatten()) {
        if let (Some("tool_result"), Some(id)) = (block["type"].as_str(), block["tool_use_id"].as_str()) {
            let text = match &block["content"] {
                Value::String(text) => text.clone(),
                Value::Array(parts) => parts.iter().filter_map(|p| p["text"].as_str()).collect::<Vec<_>>().join("\n"),
                other => other.to_string(),
            };
            results.entry(id.to_owned()).or_insert(text);
        }
    }
    results
}
