//! `explain` shows what the hook would decide, without deciding or writing anything.

use serde_json::Value;

use crate::env::TestEnv;

fn explain(env: &TestEnv, command: &str) -> Value {
    let out = env.wsguard_ok(&["explain", "--json", command]);
    serde_json::from_str(&out).unwrap()
}

#[test]
fn every_effect_has_its_place_in_the_command() {
    let env = TestEnv::new();
    let (new, old) = (env.outside("new"), env.outside("existing.txt"));
    let command = format!("cat {old} && cd {} && mkdir -p new/sub > log.txt", env.outside(""));
    let answer = explain(&env, &command);
    assert_eq!(answer["verdict"], "deny");
    assert_eq!(answer["rule"], "creates_outside");
    let effects = answer["effects"].as_array().unwrap();
    let find = |kind: &str, path: &str| {
        let fits = |e: &&Value| e["kind"] == kind && e["path"] == path;
        effects.iter().find(fits).unwrap_or_else(|| panic!("{kind} {path}: {answer:#}"))
    };
    let read = find("read", &old);
    assert_eq!((&read["program"], &read["text"]), (&"cat".into(), &old.clone().into()));
    let made = find("create", &format!("{new}/sub"));
    assert_eq!(
        (&made["text"], &made["there"], &made["standing"]),
        (&"new/sub".into(), &Value::Null, &"violation".into())
    );
    assert_eq!(made["certainty"], "proven");
    let log = find("create", &env.outside("log.txt"));
    assert_eq!(log["text"], "log.txt");
    for effect in effects {
        let (start, end) = (effect["start"].as_u64().unwrap(), effect["end"].as_u64().unwrap());
        let part = &command[usize::try_from(start).unwrap()..usize::try_from(end).unwrap()];
        assert_eq!(effect["text"], part);
    }
}

#[test]
fn the_verdict_is_the_hooks() {
    let env = TestEnv::new();
    for command in [
        format!("mkdir {}", env.outside("a")),
        "mkdir a".to_owned(),
        format!("git commit -m 'move {} away'", env.outside("a")),
        "mkdir \"$(decode)\"".to_owned(),
        "echo 'unclosed".to_owned(),
        "wsguard allow /".to_owned(),
    ] {
        let answer = explain(&env, &command);
        let hook = env.bash(&command);
        let want = if hook.raw.stdout.is_empty() { "allow" } else { "deny" };
        assert_eq!(answer["verdict"], want, "{command}: {answer:#}");
    }
}

#[test]
fn explaining_writes_nothing() {
    let env = TestEnv::new();
    explain(&env, &format!("mkdir {}", env.outside("a")));
    assert!(!env.guard_home().exists());
}

#[test]
fn people_see_the_part_underlined() {
    let env = TestEnv::new();
    let path = env.outside("a");
    let shown = env.wsguard_ok(&["explain", &format!("mkdir {path}")]);
    let carets = "^".repeat(path.len());
    assert!(shown.contains(&format!("mkdir {path}\n         {carets} mkdir, proven; nothing there")), "{shown}");
    assert!(shown.contains("verdict: deny (creates_outside)"), "{shown}");
    assert!(shown.contains("wsguard allow"), "{shown}");
}

#[test]
fn the_folder_and_the_dialect_are_chosen() {
    let env = TestEnv::new();
    let out = env.wsguard_ok(&["explain", "--json", "--cwd", "/", "mkdir a"]);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["cwd"], "/");
    let out = env.wsguard_ok(&["explain", "--json", "--dialect", "cmd", "mkdir a"]);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["verdict"], "deny");
    assert_eq!(env.wsguard(&["explain", "--dialect", "fish", "ls"]).code, Some(64));
}

#[test]
fn a_configuration_that_is_broken_is_named() {
    let env = TestEnv::new();
    env.config("shel = \"strict\"\n");
    let out = env.wsguard(&["explain", "ls"]);
    assert_eq!(out.code, Some(78), "{out:?}");
    assert!(out.stderr.contains("error[config_unknown_key]") && out.stderr.contains("hint:"), "{out:?}");
}
