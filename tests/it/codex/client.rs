//! The real client: where it comes from, how it is started, what its model received.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use serde_json::Value;

use super::script::Script;
use crate::{
    env::{TestEnv, symlink, text},
    mock::Mock,
    npm::{Package, finish},
};

/// The release that the hook's contract was measured on.
const VERSION: &str = "0.171.0";

/// The client's program, installed on the first use; `None`, said aloud, where it can't be had.
/// `WSGUARD_TEST_CODEX` names a program to use instead, or `skip`.
pub(crate) fn client() -> Option<PathBuf> {
    Package { name: "@openai/codex", version: VERSION, program: program_in }.program("WSGUARD_TEST_CODEX")
}

/// The native program that the package for this platform holds.
fn program_in(folder: &Path) -> Option<PathBuf> {
    let below = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let vendors = below(folder.join("node_modules/@openai")).flat_map(|package| below(package.join("vendor")));
    vendors.map(|vendor| vendor.join("bin/codex")).find(|program| program.is_file())
}

/// Lets the processes of this environment find the client by its name.
pub(crate) fn put_on_path(env: &mut TestEnv, program: &Path) {
    let folder = env.root().join("programs");
    fs::create_dir_all(&folder).unwrap();
    symlink(program.canonicalize().unwrap(), folder.join("codex"));
    env.set("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", text(&folder)));
}

/// What one run of the client left behind.
#[derive(Debug)]
pub(crate) struct Run {
    /// Each request to the model.
    pub(crate) requests: Vec<Value>,
    /// What the model got for each call, by the call's id.
    results: BTreeMap<String, String>,
}

impl Run {
    /// Starts the client that is on PATH with a script, without a terminal and without a sandbox, and waits for it.
    pub(crate) fn play(env: &TestEnv, model: &str, script: Script) -> Self {
        let mock = Mock::start(script);
        let out = env.root().join("client-output");
        let stdout = fs::File::create(&out).unwrap();
        let provider = format!(
            r#"model_providers.played={{name="played",base_url="{}/v1",wire_api="responses",env_key="PLAYED_KEY",request_max_retries=0,stream_max_retries=0,supports_websockets=false}}"#,
            mock.url()
        );
        let mut command = env.command(env.root().join("programs/codex"));
        command
            // What a session in Claude Code's shell would inherit.
            .envs([("CLAUDECODE", "1"), ("PLAYED_KEY", "not-a-key")])
            .envs([("SHELL", "/bin/bash"), ("TERM", "dumb"), ("USER", "tester")])
            .args(["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"])
            .args(["--disable", "enable_request_compression", "--model", model])
            .args(["-c", "model_provider=\"played\"", "-c", &provider])
            .args(["-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false"])
            .arg(format!("{} now", Mock::MAIN))
            .stdin(Stdio::null())
            .stderr(stdout.try_clone().unwrap())
            .stdout(stdout);
        let status = finish(command, &out);
        let requests = mock.requests();
        assert!(status.success(), "the client failed: {}", fs::read_to_string(&out).unwrap());
        let results = results(&requests);
        Self { requests, results }
    }

    /// What the model got for the call at `step`.
    pub(crate) fn result(&self, step: usize) -> &str {
        let id = Script::id(step);
        self.results.get(&id).unwrap_or_else(|| panic!("no result for {id}; there are {:#?}", self.results))
    }
}

/// What the model received for each call.
fn results(requests: &[Value]) -> BTreeMap<String, String> {
    let mut results = BTreeMap::new();
    for item in requests.iter().flat_map(|body| body["input"].as_array().into_iter().flatten()) {
        let is_output = item["type"].as_str().is_some_and(|kind| kind.ends_with("_output"));
        if let (true, Some(id)) = (is_output, item["call_id"].as_str()) {
            let text = item["output"].as_str().map_or_else(|| item["output"].to_string(), str::to_owned);
            results.entry(id.to_owned()).or_insert(text);
        }
    }
    results
}
