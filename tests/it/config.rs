//! `wsguard config` as an operator uses it.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::env::{RawOutput, TestEnv};

const CONFIG: &str = "\u{feff}# mine\r\n\r\n  action   = 'ask'   # for now\r\nallowRoots = [ # places\r\n  '/srv/a', # one\r\n]\r\n# end";

fn file(env: &TestEnv) -> PathBuf {
    env.guard_home().join("config.toml")
}

fn text(env: &TestEnv) -> String {
    fs::read_to_string(file(env)).unwrap()
}

fn json(env: &TestEnv, args: &[&str]) -> Value {
    let out = env.wsguard(args);
    serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {out:?}"))
}

fn assert_fails(out: &RawOutput, code: &str) {
    assert!(!matches!(out.code, Some(0 | 2) | None), "{out:?}");
    assert!(out.stderr.contains(code) || out.stdout.contains(code), "{out:?}");
}

/// Every setting's name, as the program itself lists them.
fn settings(env: &TestEnv) -> Vec<String> {
    let list = json(env, &["config", "list", "--json"]);
    list.as_array().unwrap().iter().map(|s| s["key"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn set_makes_home_and_file() {
    let env = TestEnv::new();
    assert_eq!(env.wsguard_ok(&["config", "path"]).trim_end(), crate::env::text(&file(&env)));
    assert!(!env.guard_home().exists());
    env.wsguard_ok(&["config", "set", "shell", "strict+precise"]);
    let text = text(&env);
    assert!(text.starts_with("# workspace-guard") && text.ends_with("\n\nshell = \"strict+precise\"\n"), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(env.guard_home()).unwrap().permissions().mode() & 0o777, 0o700);
    }
}

#[test]
fn set_and_unset_touch_one_line() {
    let env = TestEnv::new();
    env.config(CONFIG);
    env.wsguard_ok(&["config", "set", "action", "deny"]);
    let want = CONFIG.replace("'ask'", "\"deny\"");
    assert_eq!(text(&env), want);
    env.wsguard_ok(&["config", "set", "scan_depth", "2"]);
    assert_eq!(text(&env), format!("{want}\r\nscan_depth = 2\r\n"));
    env.wsguard_ok(&["config", "unset", "scanDepth"]);
    assert_eq!(text(&env), format!("{want}\r\n"));
    env.wsguard_ok(&["config", "unset", "allow_roots"]);
    assert_eq!(text(&env), "\u{feff}# mine\r\n\r\n  action   = \"deny\"   # for now\r\n# end\r\n");
    let before = text(&env);
    env.wsguard_ok(&["config", "unset", "gate"]);
    assert_eq!(text(&env), before);
    // Nothing but the file and the lock is left behind.
    let mut names: Vec<_> = fs::read_dir(env.guard_home()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["config.lock", "config.toml"]);
}

#[test]
fn unset_makes_nothing() {
    let env = TestEnv::new();
    env.wsguard_ok(&["config", "unset", "gate"]);
    assert!(!env.guard_home().exists());
}

#[test]
fn values_are_taken_as_people_type_them() {
    let check = |key: &str, value: &str, line: &str| {
        let env = TestEnv::new();
        env.wsguard_ok(&["config", "set", key, value]);
        assert!(text(&env).ends_with(&format!("\n{line}\n")), "{}", text(&env));
        assert_eq!(env.wsguard(&["config", "check"]).code, Some(0));
    };
    check("gate", "off", "gate = false");
    check("gate", "true", "gate = true");
    check("gate", "ask", "gate = \"ask\"");
    check("prompt", "no", "prompt = false");
    check("hook_deadline_ms", "2_000", "hook_deadline_ms = 2_000");
    check("scratchRoot", "~/s", "scratch_root = \"~/s\"");
    check("scratch_root", "'~/s'", "scratch_root = '~/s'");
    check("allow_roots", "[]", "allow_roots = []");
    check("protect_drives", "c", "protect_drives = [\"C\"]");
    #[cfg(unix)]
    check("allow_roots", "/a:$HOME/b \"c\"", "allow_roots = [\"/a\", '$HOME/b \"c\"']");
}

#[test]
fn bad_values_and_files_change_nothing() {
    let check = |config: &str, args: &[&str], code: &str| {
        let env = TestEnv::new();
        env.config(config);
        let args: Vec<&str> = [&["config"], args].concat();
        assert_fails(&env.wsguard(&args), code);
        assert_eq!(text(&env), config, "{args:?}");
    };
    check("", &["set", "action", "asl"], "did you mean \"ask\"?");
    check("", &["set", "acton", "ask"], "did you mean \"action\"?");
    check("", &["unset", "acton"], "did you mean \"action\"?");
    check("", &["set", "scan_depth", "9"], "config_range");
    check("", &["set", "scan_depth", "-1"], "config_range");
    check("", &["set", "allow_roots", "here"], "config_type");
    check("", &["set", "gate", "true\nprompt = false"], "config_value");
    check("gate = \n", &["set", "action", "ask"], "config_syntax");
    check("gate = \n", &["unset", "gate"], "config_syntax");
    check("[gate]\n", &["set", "action", "ask"], "config_type");
    check("action = 'ask'\n", &["set", "gate", "warn"], "config_duplicate");
    check("", &["set", "action"], "VALUE");
}

#[test]
fn set_mends_a_wrong_value() {
    let env = TestEnv::new();
    env.config("shell = 'precize'\nnope = 1\n");
    env.wsguard_ok(&["config", "set", "shell", "precise"]);
    assert_eq!(text(&env), "shell = \"precise\"\nnope = 1\n");
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let env = TestEnv::new();
    let real = env.root().join("dotfiles.toml");
    fs::write(&real, "gate = true\n").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir(env.guard_home()).unwrap();
    symlink(&real, file(&env)).unwrap();
    env.wsguard_ok(&["config", "set", "gate", "false"]);
    assert!(file(&env).is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "gate = false\n");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);

    fs::set_permissions(&real, fs::Permissions::from_mode(0o440)).unwrap();
    assert_fails(&env.wsguard(&["config", "set", "gate", "true"]), "config_read_only");
    assert_eq!(fs::read_to_string(&real).unwrap(), "gate = false\n");

    fs::remove_file(&real).unwrap();
    let out = env.wsguard(&["config", "check"]);
    assert!(out.stdout.contains("leads nowhere") && out.code == Some(1), "{out:?}");
}

#[test]
fn two_writers_lose_nothing() {
    let env = TestEnv::new();
    let numbers = [("scan_depth", 8), ("scratch_ttl_hours", 100), ("hook_deadline_ms", 500)];
    std::thread::scope(|scope| {
        for (key, value) in numbers {
            let env = &env;
            scope.spawn(move || {
                for round in 0..5 {
                    env.wsguard_ok(&["config", "set", key, &(value - round).to_string()]);
                }
            });
        }
    });
    let text = text(&env);
    for (key, value) in numbers {
        assert_eq!(text.matches(&format!("{key} = {}\n", value - 4)).count(), 1, "{text}");
    }
    assert_eq!(text.lines().filter(|line| line.contains('=')).count(), numbers.len(), "{text}");
}

#[test]
fn show_says_where_each_value_came_from() {
    let mut env = TestEnv::new();
    env.config("# c\nprofile = 'strict'\nprompt = false\n");
    env.set("WSGUARD_SCAN_DEPTH", "3");
    fs::write(env.project().join(".wsguard.toml"), "gate = false\nprompt = true\n").unwrap();
    let out = env.wsguard(&["config", "show"]);
    assert_eq!(out.code, Some(0), "{out:?}");
    for line in [
        "profile = \"strict\"  # config.toml:2",
        "shell = \"strict+precise\"  # profile strict",
        "prompt = true  # .wsguard.toml:2",
        "scan_depth = 3  # env WSGUARD_SCAN_DEPTH",
        "fail = \"closed\"  # profile strict",
        "action = \"deny\"  # profile strict",
        "scan_roots = []  # default",
    ] {
        assert!(out.stdout.lines().any(|l| l == line), "{line}\n{}", out.stdout);
    }
    assert!(out.stderr.contains(".wsguard.toml:1: gate = false"), "{}", out.stderr);

    let shown = json(&env, &["config", "show", "--json"]);
    for key in settings(&env) {
        assert!(shown["settings"][&key]["from"]["layer"].is_string(), "{key}");
    }
    assert_eq!(shown["settings"]["scan_depth"]["value"], 3);
    assert_eq!(shown["settings"]["profile"]["from"], serde_json::json!({ "layer": "config", "line": 2 }));
    assert_eq!(shown["notices"][0]["key"], "gate");

    // Another project, no such file.
    let elsewhere = env.outside("");
    let shown = json(&env, &["config", "show", "--json", "--project", &elsewhere]);
    assert_eq!(shown["settings"]["prompt"]["value"], false);
    assert_eq!(shown["notices"], serde_json::json!([]));
    let one = env.wsguard_ok(&["config", "show", "scanDepth"]);
    assert_eq!(one, "scan_depth = 3  # env WSGUARD_SCAN_DEPTH\n");
}

#[test]
fn what_show_prints_is_a_configuration() {
    let env = TestEnv::new();
    env.config("profile = 'dsh'\nallow_roots = ['~/a b']\n");
    let shown = env.wsguard_ok(&["config", "show"]);
    env.config(&shown);
    let again = env.wsguard_ok(&["config", "show"]);
    let values =
        |text: &str| -> Vec<String> { text.lines().map(|l| l.split("  # ").next().unwrap().to_owned()).collect() };
    assert_eq!(values(&shown), values(&again));
}

#[test]
fn check_names_all_that_is_wrong() {
    let mut env = TestEnv::new();
    assert_eq!(env.wsguard_ok(&["config", "check"]), "the configuration is sound\n");
    env.config("gate = true\n\nprotectDrive = ['C']\nscan_depth = 0\n");
    let out = env.wsguard(&["config", "check"]);
    assert_eq!(out.code, Some(1));
    let place = |line: u32| format!("{}:{line}:1: error[", crate::env::text(&file(&env)));
    assert!(
        out.stdout.contains(&format!("{}config_unknown_key]: unknown key \"protectDrive\"\n", place(3))),
        "{out:?}"
    );
    assert!(out.stdout.contains(&format!("{}config_range]: ", place(4))), "{out:?}");
    assert!(out.stdout.contains("did you mean \"protect_drives\"?"), "{out:?}");
    let errors = json(&env, &["config", "check", "--json"]);
    assert_eq!(errors["errors"].as_array().unwrap().len(), 2);
    assert_eq!(errors["errors"][0]["nearest"], "protect_drives");
    assert_eq!(env.wsguard(&["config", "show"]).code, Some(1));

    env.config("");
    env.set("WSGUARD_PROTECT_DRIVE", "C");
    let out = env.wsguard(&["config", "check"]);
    assert_eq!(out.code, Some(0));
    assert!(out.stderr.contains("did you mean WSGUARD_PROTECT_DRIVES?"), "{out:?}");
    env.set("WSGUARD_SHELL", "stric");
    assert_fails(&env.wsguard(&["config", "check"]), "WSGUARD_SHELL");
}

#[test]
fn check_takes_a_file() {
    let env = TestEnv::new();
    let profiles = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("profiles");
    for entry in fs::read_dir(profiles).unwrap() {
        env.wsguard_ok(&["config", "check", &crate::env::text(&entry.unwrap().path())]);
    }
    fs::write(env.project().join("x.toml"), "gate = 1").unwrap();
    assert_eq!(env.wsguard(&["config", "check", "x.toml"]).code, Some(1));
    assert_fails(&env.wsguard(&["config", "check", "none.toml"]), "config_missing");
    assert_fails(&env.wsguard(&["config", "check", "."]), "config_unreadable");
}

#[test]
fn help_explains_every_setting() {
    let env = TestEnv::new();
    let (help, list) = (env.wsguard_ok(&["config", "--help"]), env.wsguard_ok(&["config", "list"]));
    let names = settings(&env);
    assert!(names.len() > 15);
    for name in names {
        assert!(help.contains(&format!("{name} = ")) && list.contains(&format!("{name} = ")), "{name}");
    }
}

#[test]
fn without_any_home_there_is_a_hint() {
    let mut env = TestEnv::new();
    env.set("WSGUARD_HOME", "relative/path");
    assert_fails(&env.wsguard(&["config", "path"]), "WSGUARD_HOME");
}

/// What a project may not loosen is no mistake, but whoever checks wants to know that it does not hold.
#[test]
fn check_names_what_is_not_taken() {
    let env = TestEnv::new();
    fs::write(env.project().join(".wsguard.toml"), "action = \"warn\"\n").unwrap();
    let out = env.wsguard(&["config", "check"]);
    assert_eq!(out.code, Some(0), "{out:?}");
    assert!(out.stderr.contains("action") && out.stderr.contains("is not taken"), "{out:?}");
}
