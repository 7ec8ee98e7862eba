//! Symbolic links that cross the border, both ways.

use std::{fs, os::unix::fs::symlink};

use crate::env::TestEnv;

fn env_with_links() -> TestEnv {
    let env = TestEnv::new();
    fs::create_dir(env.project().join("sub")).unwrap();
    symlink(env.root().join("outside"), env.project().join("out")).unwrap();
    symlink("../outside", env.project().join("relative")).unwrap();
    symlink(env.root().join("project"), env.root().join("outside/in")).unwrap();
    symlink(env.root().join("outside/dangling-target"), env.project().join("dangling")).unwrap();
    symlink("loop-b", env.project().join("loop-a")).unwrap();
    symlink("loop-a", env.project().join("loop-b")).unwrap();
    symlink("out/deeper", env.project().join("sub/chain")).unwrap();
    env
}

#[test]
fn a_link_out_of_the_project_does_not_carry_a_write() {
    let env = env_with_links();
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
    let env = env_with_links();
    // `out/..` is the folder above `outside`, not the project.
    env.bash("echo x > out/../stray.txt").assert_refused();
    env.write(&env.inside("out/../stray.txt")).assert_refused();
}

#[test]
fn a_link_into_the_project_is_the_project() {
    let env = env_with_links();
    env.write(&env.outside("in/b.md")).assert_pass();
    env.bash(&format!("mkdir -p {}", env.outside("in/new"))).assert_pass();
}

#[test]
fn a_dangling_link_is_judged_by_its_target() {
    let env = env_with_links();
    env.write(&env.inside("dangling")).assert_refused();
    env.bash("echo x > dangling").assert_refused();
}

#[test]
fn links_that_lead_nowhere_are_answered() {
    let env = env_with_links();
    // The kernel refuses both; what counts is a valid answer in time.
    env.write(&env.inside("loop-a/b.md")).answer();
    env.bash("echo x > loop-a").answer();
    env.bash("ls loop-a").assert_pass();
}

#[test]
fn reading_through_links_passes() {
    let env = env_with_links();
    for command in ["cat out/existing.txt", "ls -la out/", "grep -r x relative"] {
        env.bash(command).assert_pass();
    }
}

#[test]
fn making_a_link_outside_is_a_creation() {
    let env = env_with_links();
    let path = env.outside("l");
    env.bash(&format!("ln -s {} {path}", env.inside("a.txt"))).assert_denied(&path);
}

#[test]
fn a_project_reached_through_a_link_is_the_same_project() {
    let mut env = TestEnv::new();
    let alias = env.root().join("alias");
    symlink(env.project(), &alias).unwrap();
    env.set("CLAUDE_PROJECT_DIR", &alias);
    env.write(&env.inside("b.md")).assert_pass();
    env.write(alias.join("b.md").to_str().unwrap()).assert_pass();
    env.write(&env.outside("b.md")).assert_refused();
}
