//! Session ids, the scratch folder and its owner file.

use std::{collections::HashSet, fs};

use serde_json::Value;

use crate::{
    env::{TestEnv, set_modified, text},
    payload::{Payload, SESSION},
};

#[test]
fn owner_file_proves_that_the_folder_is_ours() {
    let env = TestEnv::new();
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    let owner: Value = serde_json::from_slice(&fs::read(env.scratch().join(".dsh-owner.json")).unwrap()).unwrap();
    assert_eq!(owner["sessionId"], SESSION);
    assert_eq!(owner["harness"], "claude-code");
    assert_eq!(owner["cwd"], env.project().to_str().unwrap());
    assert_eq!(owner["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_refusal_makes_the_scratch_that_it_names() {
    let env = TestEnv::new();
    assert!(!env.guard_home().exists());
    let path = env.outside("x");
    env.bash(&format!("mkdir {path}")).assert_denied(&path);
    assert!(env.scratch().join(".dsh-owner.json").is_file());
}

#[test]
fn a_hostile_id_stays_below_the_scratch_root() {
    let env = TestEnv::new();
    let long = "x".repeat(5000);
    let ids = [
        "../../escape",
        "..",
        ".",
        "",
        "/etc/wsg-test",
        "a/b",
        "a\\b",
        "con",
        "NUL.txt",
        "a:b",
        "a b",
        "-rf",
        "$(id)",
        "`id`",
        "a\nb",
        "a\0b",
        "ﬁ",
        "e\u{301}",
        ".hidden",
        "trailing.",
        "trailing ",
        "*",
        "?",
        "<|>",
        "\"",
        "'",
        long.as_str(),
    ];
    for id in ids {
        let path = env.outside("x");
        let out = env.hook(&Payload::write(&env.project(), &path).session(id));
        out.assert_refused();
    }
    let scratch = env.guard_home().join("scratch");
    for entry in fs::read_dir(&scratch).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        assert!(entry.file_type().unwrap().is_dir(), "{name}");
        assert!(name.len() <= 255 && !name.contains([':', '\\', '*', '?', '<', '>', '|', '"', '\n']), "{name:?}");
        assert!(!name.ends_with(['.', ' ']) && !name.is_empty(), "{name:?} is a name on Windows too");
        assert!(entry.path().join(".dsh-owner.json").is_file() || name.starts_with('.'), "{name}");
    }
    let beside: Vec<_> = fs::read_dir(env.root()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(beside.len(), 3, "nothing escaped: {beside:?}");
    assert!(!env.user_home().join("escape").exists() && !env.guard_home().join("escape").exists());
}

#[test]
fn ids_that_differ_only_in_case_do_not_share() {
    let env = TestEnv::new();
    let mut folders = HashSet::new();
    for id in ["Session-A", "session-a", "SESSION-A"] {
        let text =
            env.hook(&Payload::session_start(&env.project(), "startup").session(id)).assert_context("SessionStart");
        assert!(!text.is_empty());
    }
    for entry in fs::read_dir(env.guard_home().join("scratch")).unwrap() {
        folders.insert(entry.unwrap().file_name().to_str().unwrap().to_lowercase());
    }
    assert_eq!(folders.len(), 3, "{folders:?}");
}

#[test]
fn scratch_root_can_be_moved() {
    let env = TestEnv::new();
    let root = env.root().join("elsewhere");
    env.config(&format!("scratch_root = {:?}\n", root.to_str().unwrap()));
    let context = env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    let folder = root.join(SESSION);
    assert!(context.contains(&text(&folder)), "{context}");
    assert!(folder.is_dir());
    env.write(&text(&folder.join("a.txt"))).assert_pass();
}

#[test]
fn homes_are_found_in_the_published_order() {
    let mut env = TestEnv::new();
    let (first, second) = (env.root().join("one"), env.root().join("two"));
    env.set("DSH_HOME", &second);
    let path = env.outside("x");
    assert!(env.write(&path).assert_refused().contains(&text(&second)));
    env.set("WSGUARD_HOME", &first);
    assert!(env.write(&path).assert_refused().contains(&text(&first)));
    assert!(first.join("scratch").join(SESSION).is_dir());
}

#[test]
fn old_scratch_is_kept_unless_the_operator_said_otherwise() {
    let env = TestEnv::new();
    env.hook(&Payload::session_start(&env.project(), "startup").session("old-one")).assert_context("SessionStart");
    let old = env.guard_home().join("scratch/old-one");
    fs::write(old.join("work.txt"), "kept").unwrap();
    let past = std::time::SystemTime::now() - std::time::Duration::from_hours(24 * 365);
    for path in [old.join("work.txt"), old.join(".dsh-owner.json"), old.clone()] {
        set_modified(&path, past);
    }
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    assert!(old.join("work.txt").is_file());
}
