//! The plugin folder registers what the installer registers.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use workspace_guard::harness::Client;
use workspace_guard::harness::hooks::{Form, PROGRAM};
use workspace_guard::path::Model;

fn read(path: &str) -> (String, Value) {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let value = serde_json::from_str(&text).unwrap();
    (text, value)
}

#[test]
fn the_plugin_registers_what_the_installer_registers() {
    let (text, hooks) = read("hooks/claude-code/hooks/hooks.json");
    assert_eq!(hooks["hooks"], Form::claude(PROGRAM).hooks_object());
    // Codex refuses a file with further keys.
    assert_eq!(hooks.as_object().unwrap().keys().collect::<Vec<_>>(), ["description", "hooks"]);
    let places: Vec<_> =
        Client::ClaudeCode.events().iter().map(|e| text.find(&format!("\"{}\":", e.name)).unwrap()).collect();
    assert!(places.is_sorted(), "the events stand in the order of a session");
}

#[test]
fn the_manifests_agree_with_the_package() {
    let (_, plugin) = read("hooks/claude-code/.claude-plugin/plugin.json");
    let (_, market) = read(".claude-plugin/marketplace.json");
    let listed = &market["plugins"][0];
    for (key, want) in [
        ("name", "workspace-guard"),
        ("version", env!("CARGO_PKG_VERSION")),
        ("description", env!("CARGO_PKG_DESCRIPTION")),
    ] {
        assert_eq!(plugin[key], json!(want), "{key}");
        assert_eq!(listed[key], json!(want), "{key}");
    }
    let source = listed["source"].as_str().unwrap();
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(source).join(".claude-plugin/plugin.json").exists());
}

/// Codex's file of hooks names the program by its bare name, and refuses calls where that is not found.
#[test]
fn the_ready_file_for_codex_registers_what_the_installer_registers() {
    let (text, hooks) = read("hooks/codex/hooks.json");
    assert_eq!(hooks["hooks"], Form::codex(Model::Posix, PROGRAM, None).unwrap().hooks_object());
    assert_eq!(hooks.as_object().unwrap().keys().collect::<Vec<_>>(), ["description", "hooks"]);
    let places: Vec<_> =
        Client::Codex.events().iter().map(|e| text.find(&format!("\"{}\":", e.name)).unwrap()).collect();
    assert!(places.is_sorted(), "the events stand in the order of a session");
}
