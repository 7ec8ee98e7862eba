//! Settings that change while a session runs.

use std::fs;

use serde_json::json;

use crate::{answer::Answer, env::TestEnv, payload::Payload, platform::text};

/// The hook's answer to a change of the user's settings.
fn changed(env: &TestEnv) -> Answer {
    let file = text(&env.user_home().join(".claude/settings.json"));
    let event = Payload::event(&env.project(), "ConfigChange")
        .with("source", json!("user_settings"))
        .with("file_path", json!(file));
    env.hook(&event).answer()
}

fn installed() -> TestEnv {
    let env = TestEnv::new();
    env.wsguard_ok(&["install", "claude-code"]);
    env
}

#[test]
fn other_changes_are_the_users() {
    let env = installed();
    let file = env.user_home().join(".claude/settings.json");
    assert_eq!(changed(&env), Answer::Pass);
    let settings = fs::read_to_string(&file).unwrap();
    fs::write(&file, settings.replacen('{', "{\"model\": \"x\",", 1)).unwrap();
    assert_eq!(changed(&env), Answer::Pass);
    // Not a settings file.
    let skill = Payload::event(&env.project(), "ConfigChange")
        .with("source", json!("skills"))
        .with("file_path", json!(env.inside("SKILL.md")));
    env.hook(&skill).assert_pass();
}

#[test]
fn a_change_that_unhooks_stays_out_of_the_session() {
    let env = installed();
    let file = env.user_home().join(".claude/settings.json");
    let settings = fs::read_to_string(&file).unwrap();
    let kept = |settings: &str| {
        fs::write(&file, settings).unwrap();
        match changed(&env) {
            Answer::Block(reason) => {
                assert!(reason.contains("wsguard install claude-code"), "{reason}");
                assert!(reason.contains(&text(&file)), "{reason}");
            }
            other => panic!("{settings}: {other:?}"),
        }
    };
    for settings in ["", "{}", "[]", "{\"hooks\":", &settings.replace("\"PreToolUse\"", "\"PreToolUs\"")] {
        kept(settings);
    }
    kept(&settings.replacen('{', "{\"disableAllHooks\": true,", 1));
    kept(&settings.replacen('{', "{\"env\": {\"WSGUARD_GATE\": \"false\"},", 1));
    // The operator's settings can't be read, and still it holds.
    env.config("gate = \n");
    kept("{}");
    fs::remove_file(&file).unwrap();
    assert!(matches!(changed(&env), Answer::Block(_)));
    let journal = fs::read_to_string(env.guard_home().join("workspace-mgr/journal.jsonl")).unwrap();
    assert_eq!(journal.matches("registration_kept").count(), 9, "{journal}");
}

#[test]
fn another_registration_is_enough() {
    let env = installed();
    env.wsguard_ok(&["install", "claude-code", "--scope", "project"]);
    fs::remove_file(env.user_home().join(".claude/settings.json")).unwrap();
    assert_eq!(changed(&env), Answer::Pass);
}

#[test]
fn an_event_without_its_fields_is_answered() {
    let env = installed();
    env.hook(&Payload::event(&env.project(), "ConfigChange")).assert_pass();
    let event = Payload::event(&env.project(), "ConfigChange").with("source", json!("user_settings"));
    env.hook(&event).assert_pass();
    fs::write(env.user_home().join(".claude/settings.json"), "{}").unwrap();
    assert!(matches!(env.hook(&event).answer(), Answer::Block(_)));
}
