//! `explain` shows what the hook would decide, without deciding or writing anything.

use std::fs;

use serde_json::{Value, json};

use crate::env::{TestEnv, run};

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
fn what_is_run_unseen_is_named() {
    let env = TestEnv::new();
    let script = env.outside("setup.sh");
    fs::write(&script, format!("mkdir {}\n", env.outside("made"))).unwrap();
    for run in ["source", ".", "bash"] {
        let command = format!("{run} {script}");
        let answer = explain(&env, &command);
        assert_eq!(answer["verdict"], "allow", "{answer:#}");
        let effects = answer["effects"].as_array().unwrap();
        let named = effects.iter().find(|e| e["kind"] == "opaque").unwrap_or_else(|| panic!("{answer:#}"));
        assert_eq!((&named["path"], &named["standing"]), (&script.clone().into(), &"not_judged".into()));
        assert_eq!(named["text"], script.as_str());
        let shown = env.wsguard_ok(&["explain", &command]);
        assert!(shown.contains(&format!("opaque: what `{script}` does is not judged")), "{shown}");
        assert!(env.bash(&command).raw.stdout.is_empty());
    }
    let shown = env.wsguard_ok(&["explain", "curl -s https://h/x | sh"]);
    assert!(shown.contains("opaque: what is run here can't be known and is not judged"), "{shown}");
    // A text that stands in the command itself is judged like the command.
    let copy = env.outside("copy.sh");
    let answer = explain(&env, &format!("cat > s.sh <<'E'\ncp {script} {copy}\nE\nsource ./s.sh"));
    assert_eq!((&answer["verdict"], &answer["path"]), (&"deny".into(), &copy.into()));
}

#[test]
fn the_folder_and_the_dialect_are_chosen() {
    let env = TestEnv::new();
    let root = if cfg!(windows) { "C:/" } else { "/" };
    let out = env.wsguard_ok(&["explain", "--json", "--cwd", root, "mkdir a"]);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["cwd"], root);
    for (dialect, verdict) in [("cmd", "allow"), ("bash", "deny")] {
        let out = env.wsguard_ok(&["explain", "--json", "--dialect", dialect, "rem x & mkdir /zzz"]);
        assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["verdict"], verdict, "{dialect}");
    }
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

#[test]
fn a_list_is_explained_in_one_process() {
    let env = TestEnv::new();
    let world = env.root().join("world.json");
    let description = json!({
        "model": "posix", "cwd": "/w/app", "home": "/home/u", "temp": "/tmp", "scratch": "/s/1",
        "env": {"OUT": "/srv/out"}, "protected": ["/"], "allowed_roots": ["/opt/mine"], "paths": ["/srv/", "/etc/hosts"],
    });
    fs::write(&world, description.to_string()).unwrap();
    let lines = [
        json!({"id": 1, "command": "mkdir /srv/new"}),
        json!({"id": "b", "command": "mkdir $OUT; touch /s/1/a", "dialect": "bash"}),
        json!({"id": 3, "command": "touch x /opt/mine/y /tmp/z; cat /etc/hosts"}),
        json!({"id": 4, "command": "touch x", "cwd": "/srv"}),
        json!({"id": 5, "command": "x", "dialect": "fish"}),
        json!({"id": 6}),
        json!(["a", "mkdir /srv/x"]),
        json!({"id": 8, "command": "touch /srv/y", "dialect": "dash"}),
    ];
    let mut input = lines.each_ref().map(ToString::to_string).join("\n").into_bytes();
    // What is no text spoils its own line.
    input.extend_from_slice(b"\n{\"command\": \"ls \xff\"}\n\n{\"id\": 11, \"command\": \"ls\"}");
    let mut command = env.command(env.program("wsguard"));
    command.args(["explain", "--batch", "--world", world.to_str().unwrap()]);
    let out = run(command, &input);
    assert_eq!(out.code, Some(65), "{out:?}");
    let answers: Vec<Value> = out.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let verdicts: Vec<_> = answers.iter().map(|a| (a["id"].clone(), a["verdict"].clone())).collect();
    let want = [
        (json!(1), json!("deny")),
        (json!("b"), json!("deny")),
        (json!(3), json!("allow")),
        (json!(4), json!("deny")),
        (json!(5), Value::Null),
        (json!(6), Value::Null),
        (Value::Null, Value::Null),
        (json!(8), json!("deny")),
        (Value::Null, Value::Null),
        (json!(11), json!("allow")),
    ];
    assert_eq!(verdicts, want, "{answers:?}");
    assert_eq!(answers[0]["effects"][0]["path"], "/srv/new");
    assert_eq!(answers[4]["error"]["code"], "batch_dialect");
    assert_eq!(answers[5]["error"]["line"], 6);

    fs::write(&world, json!({"model": "posix", "cwd": "here"}).to_string()).unwrap();
    let mut command = env.command(env.program("wsguard"));
    command.args(["explain", "--batch", "--world", world.to_str().unwrap()]);
    let out = run(command, b"");
    assert!(out.code == Some(65) && out.stderr.contains("`cwd` holds `here`"), "{out:?}");
}

#[test]
fn a_described_world_is_for_lists_and_names_real_drives() {
    let env = TestEnv::new();
    let out = env.wsguard(&["explain", "--world", "/nonexistent.json", "mkdir /srv/q"]);
    assert!(out.code == Some(64) && out.stderr.contains("--world"), "{out:?}");
    let world = env.root().join("world.json");
    for (model, cwd, protected) in
        [("posix", "/w", "rubbish"), ("windows", "C:\\w", "12"), ("windows", "C:\\w", "C:\\foo")]
    {
        fs::write(&world, json!({"model": model, "cwd": cwd, "protected": [protected]}).to_string()).unwrap();
        let out = env.wsguard(&["explain", "--batch", "--world", world.to_str().unwrap()]);
        assert!(out.code == Some(65) && out.stderr.contains("`protected` holds"), "{out:?}");
    }
    // Without a scratch folder no reason speaks of one.
    fs::write(&world, json!({"model": "posix", "cwd": "/w"}).to_string()).unwrap();
    let mut command = env.command(env.program("wsguard"));
    command.args(["explain", "--batch", "--world", world.to_str().unwrap()]);
    let out = run(command, br#"{"command": "mkdir /srv/q"}"#);
    assert!(out.code == Some(0) && out.stdout.contains("/srv/q") && !out.stdout.contains("scratch folder"), "{out:?}");
}

#[test]
fn a_folder_that_no_system_call_takes_is_said_to_be_too_long() {
    let env = TestEnv::new();
    let cwd = "/a".repeat(3_000);
    let mut command = env.command(env.program("wsguard"));
    command.args(["explain", "--batch"]);
    let out = run(command, json!({"command": "ls", "cwd": cwd}).to_string().as_bytes());
    assert!(out.code == Some(65) && out.stdout.contains("cwd_too_long"), "{out:?}");
}
