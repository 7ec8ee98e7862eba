//! What the operator allowed, and that an agent can't allow anything.

use crate::{
    env::TestEnv,
    payload::{Payload, SESSION},
};

#[test]
fn allow_lets_a_path_pass_until_it_is_revoked() {
    let env = TestEnv::new();
    let path = env.outside("granted");
    let (below, beside) = (env.outside("granted/sub/f.txt"), env.outside("granted-twin"));
    env.write(&below).assert_denied(&below);
    env.wsguard_ok(&["allow", &path]);
    env.write(&below).assert_pass();
    env.bash(&format!("mkdir -p {path}/x && echo x > {path}/x/f")).assert_pass();
    env.write(&beside).assert_denied(&beside);
    assert!(env.wsguard_ok(&["grants"]).contains(&path));
    env.wsguard_ok(&["revoke", &path]);
    env.write(&below).assert_denied(&below);
    assert!(!env.wsguard_ok(&["grants"]).contains(&path));
}

#[test]
fn a_grant_for_one_session_is_not_anothers() {
    let env = TestEnv::new();
    let path = env.outside("granted");
    env.wsguard_ok(&["allow", &path, "--session", SESSION]);
    env.write(&path).assert_pass();
    env.hook(&Payload::write(&env.project(), &path).session("another-session")).assert_refused();
}

#[test]
fn a_grant_for_a_time_ends() {
    let env = TestEnv::new();
    let path = env.outside("granted");
    env.wsguard_ok(&["allow", &path, "--for", "1h"]);
    env.write(&path).assert_pass();
    let short = env.outside("short");
    env.wsguard_ok(&["allow", &short, "--for", "1s"]);
    std::thread::sleep(std::time::Duration::from_millis(2100));
    env.write(&short).assert_refused();
}

#[test]
fn a_grant_for_once_is_used_up() {
    let env = TestEnv::new();
    let path = env.outside("granted");
    env.wsguard_ok(&["allow", &path, "--once"]);
    env.write(&path).assert_pass();
    let next = Payload::write(&env.project(), &path).with("tool_use_id", serde_json::json!("toolu_test_0002"));
    env.hook(&next).assert_refused();
}

#[test]
fn the_operator_commands_are_not_for_agents() {
    let mut env = TestEnv::new();
    // Inside an agent's shell, whatever way it was reached.
    env.set("CLAUDECODE", "1").set("CLAUDE_CODE_SESSION_ID", SESSION);
    let path = env.outside("granted");
    let out = env.wsguard(&["allow", &path]);
    assert_ne!(out.code, Some(0), "{out:?}");
    env.write(&path).assert_refused();
}
