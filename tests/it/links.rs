//! Symbolic links that cross the border, both ways.

use std::fs;

use crate::env::{TestEnv, symlink, text};

/// `None` where the machine has no links.
fn env_with_links() -> Option<TestEnv> {
    let env = TestEnv::new();
    fs::create_dir(env.project().join("sub")).unwrap();
    let link = |target: &std::path::Path, name: &str| symlink(target, env.root().join(name));
    let made = link(&env.root().join("outside"), "project/out")
        && link("../outside".as_ref(), "project/relative")
        && link(&env.project(), "outside/in")
        && link(&env.root().join("outside/dangling-target"), "project/dangling")
        && link("loop-b".as_ref(), "project/loop-a")
        && link("loop-a".as_ref(), "project/loop-b")
        && link("out/deeper".as_ref(), "project/sub/chain");
    made.then_some(env)
}

#[test]
fn a_link_out_of_the_project_does_not_carry_a_write() {
    let Some(env) = env_with_links() else { return };
    for name in ["out/b.md", "out/new/b.md", "relative/b.md", "out/existing.txt"] {
        env.write(&env.inside(name)).assert_refused();
    }
    for command in
        ["mkdir out/new", "echo x > out/b.md", "cp a.txt relative/", "touch ./out/../out/x", "cd out && touch x"]
    {
        env.bash(command).assert_refused();
    }
}

#[test]
fn dots_after_a_link_go_where_the_kernel_goes() {
    let Some(env) = env_with_links() else { return };
    // `out/..` is the folder above `outside`, not the project.
    env.bash("echo x > out/../stray.txt").assert_refused();
    env.write(&env.inside("out/../stray.txt")).assert_refused();
}

#[test]
fn a_link_into_the_project_is_the_project() {
    let Some(env) = env_with_links() else { return };
    env.write(&env.outside("in/b.md")).assert_pass();
    env.bash(&format!("mkdir -p {}", env.outside("in/new"))).assert_pass();
}

#[test]
fn a_dangling_link_is_judged_by_its_target() {
    let Some(env) = env_with_links() else { return };
    env.write(&env.inside("dangling")).assert_refused();
    env.bash("echo x > dangling").assert_refused();
}

#[test]
fn links_that_lead_nowhere_are_answered() {
    let Some(env) = env_with_links() else { return };
    // The kernel refuses both; what counts is a valid answer in time.
    env.write(&env.inside("loop-a/b.md")).answer();
    env.bash("echo x > loop-a").answer();
    env.bash("ls loop-a").assert_pass();
}

#[test]
fn reading_through_links_passes() {
    let Some(env) = env_with_links() else { return };
    for command in ["cat out/existing.txt", "ls -la out/", "grep -r x relative"] {
        env.bash(command).assert_pass();
    }
}

#[test]
fn making_a_link_outside_is_a_creation() {
    let Some(env) = env_with_links() else { return };
    let path = env.outside("l");
    env.bash(&format!("ln -s {} {path}", env.inside("a.txt"))).assert_denied(&path);
}

#[test]
fn a_project_reached_through_a_link_is_the_same_project() {
    let mut env = TestEnv::new();
    let alias = env.root().join("alias");
    if !symlink(env.project(), &alias) {
        return;
    }
    env.set("CLAUDE_PROJECT_DIR", &alias);
    env.write(&env.inside("b.md")).assert_pass();
    env.write(&text(&alias.join("b.md"))).assert_pass();
    env.write(&env.outside("b.md")).assert_refused();
}
