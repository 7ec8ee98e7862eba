//! Links and pipes in place of the guard's files.

use std::fs;

use crate::env::TestEnv;
use crate::payload::Payload;

#[test]
fn settings_behind_a_link_that_leads_nowhere_close() {
    let env = TestEnv::new();
    env.config("gate = true\n");
    let file = env.guard_home().join("config.toml");
    let elsewhere = env.user_home().join("dotfiles.toml");
    fs::rename(&file, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
    env.bash("ls").assert_pass();
    fs::remove_file(&elsewhere).unwrap();
    let reason = env.bash("ls").assert_refused();
    assert!(reason.contains("config.toml") && reason.contains("link"), "{reason}");
}

/// Nobody writes to these pipes: waiting for one would cost the deadline, and the reason with it.
#[test]
fn pipes_in_place_of_files_hold_nothing_up() {
    let env = TestEnv::new();
    let pipe = |path: &std::path::Path| {
        let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
        assert!(made.success());
    };
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    pipe(&env.guard_home().join("workspace-mgr/grants.json"));
    let path = env.outside("x");
    let reason = env.write(&path).assert_refused();
    assert!(reason.contains(&path), "{reason}");
    let exports = env.user_home().join("exports.sh");
    pipe(&exports);
    let mut command = env.hook_command();
    command.env("CLAUDE_ENV_FILE", &exports);
    let answer = env.finish(command, &Payload::session_start(&env.project(), "startup").line());
    let text = answer.assert_context("SessionStart");
    assert!(text.contains("TMPDIR is not redirected"), "{text}");
}
