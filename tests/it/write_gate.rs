//! The write gate: tools that name the file they write.

use std::fs;

use serde_json::json;

use crate::{
    env::{TestEnv, text},
    payload::Payload,
};

#[test]
fn write_inside_the_project_passes() {
    let env = TestEnv::new();
    for path in [env.inside("a.txt"), env.inside("new/deep/b.md"), env.inside("./x/../c.txt")] {
        env.write(&path).assert_pass();
    }
}

#[test]
fn write_outside_is_refused_whether_it_exists_or_not() {
    let env = TestEnv::new();
    for path in [env.outside("b.md"), env.outside("new/b.md"), env.outside("existing.txt")] {
        env.write(&path).assert_denied(&path);
    }
}

#[test]
fn usual_places_outside_are_refused() {
    let env = TestEnv::new();
    let places = if cfg!(windows) {
        ["C:/wsg-test-new/b.md", "c:/Users/wsg-test-new.txt", "C:/wsg-test.md", "C:/Temp/wsg-test-new/x"]
    } else {
        ["/srv/wsg-test-new/b.md", "/opt/wsg-test-new.txt", "/wsg-test.md", "/var/tmp/wsg-test-new/x"]
    };
    for path in places {
        env.write(path).assert_denied(path);
    }
}

#[test]
fn temp_scratch_and_the_systems_own_folders_pass() {
    let env = TestEnv::new();
    let temp = text(&env.user_home().join("AppData/Local/Temp/wsg-test-new/b.md"));
    let places = if cfg!(windows) {
        [temp.as_str(), "C:/Windows/Temp/x", "c:/program files/x/y"]
    } else {
        ["/tmp/wsg-test-new/b.md", "/dev/null", "/proc/self/comm"]
    };
    for path in places.into_iter().chain([&*text(&env.scratch().join("b.md"))]) {
        env.write(path).assert_pass();
    }
}

#[test]
fn every_writing_tool_is_judged() {
    let env = TestEnv::new();
    let (bad, good) = (env.outside("f.txt"), env.inside("f.txt"));
    let calls = |path: &str| {
        [
            ("Write", json!({"file_path": path, "content": "x"})),
            ("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b", "replace_all": false})),
            ("MultiEdit", json!({"file_path": path, "edits": [{"old_string": "a", "new_string": "b"}]})),
            ("NotebookEdit", json!({"notebook_path": path, "cell_id": "c1", "new_source": "print(2)"})),
            ("mcp__probe__write_note", json!({"path": path, "text": "x"})),
            ("mcp__fs__write_file", json!({"file_path": path, "content": "x"})),
            ("mcp__fs__create_directory", json!({"path": path})),
        ]
    };
    for (tool, input) in calls(&bad) {
        env.tool(tool, input).assert_denied(&bad);
    }
    for (tool, input) in calls(&good) {
        env.tool(tool, input).assert_pass();
    }
}

#[test]
fn mcp_tools_that_only_read_or_name_no_path_pass() {
    let env = TestEnv::new();
    env.tool("mcp__fs__read_file", json!({"path": env.outside("existing.txt")})).assert_pass();
    env.tool("mcp__issues__create", json!({"title": "see /srv/zzz", "body": "/opt/zzz/a"})).assert_pass();
}

#[test]
fn mcp_move_is_judged_by_where_it_writes() {
    let env = TestEnv::new();
    let to = env.outside("moved.txt");
    env.tool("mcp__fs__move_file", json!({"source": env.inside("a.txt"), "destination": to})).assert_denied(&to);
}

#[test]
fn dots_are_resolved_before_they_are_judged() {
    let env = TestEnv::new();
    env.write(&env.inside("../outside/b.md")).assert_denied(&env.outside("b.md"));
    env.write(&env.outside("../project/b.md")).assert_pass();
    env.write("../outside/b.md").assert_denied(&env.outside("b.md"));
}

#[test]
fn tilde_is_the_users_home() {
    let env = TestEnv::new();
    let path = env.user_home().join("notes.md");
    env.write("~/notes.md").assert_denied(&text(&path));
}

#[test]
fn relative_paths_start_at_the_payloads_cwd() {
    let env = TestEnv::new();
    let outside = env.root().join("outside");
    let path = env.outside("rel.txt");
    env.hook(&Payload::write(&outside, "rel.txt")).assert_denied(&path);
    env.write("rel.txt").assert_pass();
}

#[test]
fn a_cwd_that_drifted_does_not_widen_the_project() {
    let env = TestEnv::new();
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    let outside = env.root().join("outside");
    let path = env.outside("drift.txt");
    env.hook(&Payload::write(&outside, &path)).assert_denied(&path);
}

#[test]
fn similar_names_are_not_inside() {
    let env = TestEnv::new();
    let twin = format!("{}-twin/a.txt", text(&env.project()));
    env.write(&twin).assert_denied(&twin);
    fs::create_dir(env.root().join("project-twin")).unwrap();
    env.write(&twin).assert_denied(&twin);
}

#[test]
fn strange_names_are_judged_like_others() {
    let env = TestEnv::new();
    for name in ["mit Leerzeichen.txt", "quote'\".txt", "新しい.md", "-rf", "new\nline", "$HOME", "a\\b", "*"] {
        env.write(&env.inside(name)).assert_pass();
        env.write(&env.outside(name)).assert_refused();
    }
}

#[test]
fn a_nul_in_a_path_is_never_accepted() {
    let env = TestEnv::new();
    env.write(&env.inside("a\0b")).assert_refused();
    env.write(&format!("{}\0", env.outside("x"))).assert_refused();
}

#[test]
fn a_path_of_the_wrong_type_is_refused() {
    let env = TestEnv::new();
    for path in [json!(null), json!(7), json!(["/srv/zzz"]), json!({"a": "/srv/zzz"}), json!(true)] {
        env.tool("Write", json!({"file_path": path, "content": "x"})).assert_refused();
    }
    env.tool("Write", json!({})).assert_refused();
    env.tool("Write", json!("text")).assert_refused();
}

#[test]
fn an_allowed_root_of_the_configuration_passes() {
    let env = TestEnv::new();
    env.write(&env.outside("b.md")).assert_refused();
    env.config(&format!("allow_roots = [{:?}]\n", env.outside("").trim_end_matches('/')));
    env.write(&env.outside("b.md")).assert_pass();
}

#[test]
fn actions() {
    let env = TestEnv::new();
    let path = env.outside("b.md");
    env.config("action = \"ask\"\n");
    match env.write(&path).answer() {
        crate::env::Answer::Ask(reason) => assert!(reason.contains(&path), "{reason}"),
        other => panic!("{other:?}"),
    }
    env.config("action = \"warn\"\n");
    match env.write(&path).answer() {
        crate::env::Answer::Pass => {}
        crate::env::Answer::Context { text, .. } => assert!(text.contains(&path), "{text}"),
        other => panic!("warn never blocks: {other:?}"),
    }
    env.config("gate = false\n");
    env.write(&path).assert_pass();
}

#[test]
fn tools_that_run_code_use_the_same_engine() {
    let env = TestEnv::new();
    let path = env.outside("made");
    let calls = [
        ("mcp__x__run_code", json!({"language": "python", "code": format!("open('{path}', 'w')")})),
        ("mcp__x__run_code", json!({"language": "bash", "code": format!("cd {}; mkdir made", env.outside(""))})),
        ("mcp__x__run_code", json!({"code": format!("require('fs').mkdirSync('{path}')")})),
        ("mcp__ide__executeCode", json!({"code": format!("import os\nos.makedirs('{path}')")})),
        ("mcp__sh__run_command", json!({"command": "mkdir", "args": [path.clone()]})),
        ("mcp__sh__exec", json!({"command": "mkdir made", "cwd": env.outside("")})),
        ("mcp__sh__run_commands", json!({"commands": [format!("cd {}", env.outside("")), "mkdir made"]})),
    ];
    for (tool, input) in calls {
        env.tool(tool, input).assert_denied(&path);
    }
    let harmless = [
        json!({"language": "python", "code": format!("print('{path}')")}),
        json!({"language": "bash", "code": format!("cat {path}")}),
        json!({"code": "1 + 1"}),
    ];
    for input in harmless {
        env.tool("mcp__x__run_code", input).assert_pass();
    }
}
