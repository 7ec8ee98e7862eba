//! Defaults, profiles, file and environment, and which wins.

use super::{Bench, abs, toml_abs};
use crate::config::{Action, Choice, Fail, Key, Kind, Origin, Outcome, PROFILES, Policy, SETTINGS, ShellMode, Value};
use crate::path::Model;

#[test]
fn nothing_there_means_the_defaults() {
    let bench = Bench::new();
    assert_eq!(bench.policy(), Policy::default());
    for key in Key::all() {
        assert_eq!(bench.all().origin(key), Origin::Default, "{key:?}");
    }
}

#[test]
fn the_defaults_are_these() {
    let check = |model: Model, drives: &[&str]| {
        let policy = Policy::for_model(model);
        assert!(policy.gate && policy.redirect_temp && policy.prompt);
        assert!(!policy.protect_existing && !policy.allow_home_as_project && !policy.auto_clean_scratch);
        assert_eq!(policy.protect_drives, drives);
        assert_eq!((policy.shell, policy.action, policy.fail), (ShellMode::Precise, Action::Deny, Fail::Closed));
        assert_eq!((policy.opaque, policy.package_installs), (Choice::Deny, Choice::Ask));
        assert_eq!((policy.hook_deadline_ms, policy.scratch_ttl_hours, policy.scan_depth), (1000, 168, 1));
        assert!(policy.allow_roots.is_empty() && policy.scan_roots.is_empty() && policy.scratch_root.is_none());
    };
    check(Model::Posix, &["/"]);
    check(Model::Windows, &["C"]);
}

#[test]
fn the_table_states_the_real_defaults() {
    let bench = Bench::new();
    let loaded = bench.all();
    for setting in SETTINGS {
        let value = loaded.value(setting.key).map(|value| value.to_toml());
        match setting.key {
            Key::ScratchRoot => assert_eq!(value, None),
            Key::ProtectDrives => assert_eq!(setting.default, r#"["/"]; Windows: ["C"]"#),
            _ => assert_eq!(value.as_deref(), Some(setting.default), "{:?}", setting.key),
        }
    }
}

/// For each setting: TOML text, text of a variable, and the value that both mean. None is the default.
fn samples() -> Vec<(Key, String, String, Value)> {
    let list = |items: &[&str]| Value::List(items.iter().map(|i| abs(i)).collect());
    let pair = format!("{}{}{}", abs("/a"), if cfg!(windows) { ";" } else { ":" }, abs("/b"));
    let pattern_pair = format!("*.log{}{}", if cfg!(windows) { ";" } else { ":" }, abs("/a/x*"));
    let toml_pair = format!("[{}, {}]", toml_abs("/a"), toml_abs("/b/"));
    let sample = |key, toml: &str, text: &str, value| (key, toml.to_owned(), text.to_owned(), value);
    vec![
        sample(Key::Gate, "false", "off", Value::Gate(false, None)),
        sample(Key::ProtectDrives, r#"["d:"]"#, "d", Value::List(vec!["D".to_owned()])),
        sample(Key::Shell, r#""strict""#, "strict", Value::Shell(ShellMode::Strict)),
        sample(Key::Action, r#""ask""#, "ask", Value::Action(Action::Ask)),
        sample(Key::Fail, r#""open""#, "open", Value::Fail(Fail::Open)),
        sample(Key::HookDeadlineMs, "0x64", "100", Value::Int(100)),
        sample(Key::AllowRoots, &toml_pair, &pair, list(&["/a", "/b"])),
        sample(Key::ProtectExisting, "true", "1", Value::Bool(true)),
        sample(Key::AllowHomeAsProject, "true", "YES", Value::Bool(true)),
        sample(Key::Opaque, r#""allow""#, "allow", Value::Choice(Choice::Allow)),
        sample(Key::PackageInstalls, r#""deny""#, "deny", Value::Choice(Choice::Deny)),
        sample(Key::ScratchRoot, &toml_abs("/s/x/../y"), &abs("/s/y"), Value::Text(abs("/s/y"))),
        sample(Key::AutoCleanScratch, "true", "true", Value::Bool(true)),
        sample(Key::ScratchTtlHours, "1_000", "1000", Value::Int(1000)),
        sample(Key::RedirectTemp, "false", "false", Value::Bool(false)),
        sample(Key::Prompt, "false", "no", Value::Bool(false)),
        sample(Key::ScanRoots, &toml_pair, &pair, list(&["/a", "/b"])),
        sample(Key::ScanDepth, "8", "8", Value::Int(8)),
        sample(
            Key::ScanIgnore,
            &format!("['*.log', {}]", toml_abs("/a/x*/")),
            &pattern_pair,
            Value::List(vec!["*.log".to_owned(), abs("/a/x*")]),
        ),
        sample(Key::ScanCap, "100", "100", Value::Int(100)),
        sample(Key::Observe, "false", "off", Value::Bool(false)),
        sample(Key::CallTtlHours, "8760", "8760", Value::Int(8760)),
    ]
}

#[test]
fn every_setting_from_every_layer() {
    let samples = samples();
    assert_eq!(samples.len() + 1, SETTINGS.len(), "every setting but `profile` has a sample");
    for (key, toml, text, want) in samples {
        let alias = SETTINGS.iter().find(|s| s.key == key).and_then(|s| s.alias);
        for name in [Some(key.name()), alias].into_iter().flatten() {
            let bench = Bench::new().config(format!("# one\n\n{name} = {toml}\n"));
            let loaded = bench.all();
            assert!(loaded.errors.is_empty(), "{name}: {:?}", loaded.errors);
            assert_eq!(loaded.value(key), Some(want.clone()), "{name}");
            assert_eq!(loaded.origin(key), Origin::Config { line: 3 }, "{name}");
            assert_eq!(loaded.policy, bench.policy(), "both loaders agree");
        }
        let bench = Bench::new().env(&key.env_name(), &text);
        let loaded = bench.all();
        assert!(loaded.errors.is_empty(), "{key:?}: {:?}", loaded.errors);
        assert_eq!(loaded.value(key), Some(want.clone()), "{key:?}");
        assert_eq!(loaded.origin(key), Origin::Env { name: key.env_name() });
        // What is printed can be read back.
        let again = Bench::new().config(format!("{} = {}", key.name(), want.to_toml())).all();
        assert_eq!(again.value(key), Some(want), "{key:?}");
    }
}

#[test]
fn later_layers_win() {
    let check = |bench: Bench, want: ShellMode, origin: Origin| {
        let loaded = bench.all();
        assert_eq!(loaded.policy.shell, want);
        assert_eq!(loaded.origin(Key::Shell), origin);
        assert_eq!(bench.policy(), loaded.policy);
    };
    let name = "strict".to_owned();
    let profile = "profile = \"strict\"\n";
    check(Bench::new().config(profile), ShellMode::StrictAndPrecise, Origin::Profile { name, project: false });
    // The profile lies below the file's own keys, wherever its line stands.
    let both = format!("shell = \"off\"\n{profile}");
    check(Bench::new().config(&both), ShellMode::Off, Origin::Config { line: 1 });
    let variable = Origin::Env { name: "WSGUARD_SHELL".to_owned() };
    check(Bench::new().config(&both).env("WSGUARD_SHELL", "strict"), ShellMode::Strict, variable);
    let project = Bench::new().config(&both).env("WSGUARD_SHELL", "strict").project("\nshell = \"precise\"");
    check(project, ShellMode::StrictAndPrecise, Origin::Project { line: 2 });
}

#[test]
fn a_variable_can_choose_the_profile() {
    let bench = Bench::new().config("profile = \"strict\"").env("WSGUARD_PROFILE", "dsh");
    assert_eq!(bench.policy().shell, ShellMode::Strict);
    assert!(!bench.policy().protect_existing, "only one profile is applied");
    assert_eq!(bench.all().value(Key::Profile), Some(Value::Text("dsh".to_owned())));
}

#[test]
fn empty_variables_count_as_not_set() {
    let mut bench = Bench::new();
    for key in Key::all() {
        bench = bench.env(&key.env_name(), "");
    }
    assert_eq!(bench.policy(), Policy::default());
}

#[test]
fn the_gate_takes_the_published_spellings() {
    let check = |value: &str, gate: bool, action: Action| {
        let policy = Bench::new().config(format!("gate = {value}")).policy();
        assert_eq!((policy.gate, policy.action), (gate, action), "{value}");
        let policy = Bench::new().env("WSGUARD_GATE", value.trim_matches('"')).policy();
        assert_eq!((policy.gate, policy.action), (gate, action), "{value}");
    };
    check("true", true, Action::Deny);
    check("false", false, Action::Deny);
    check("\"on\"", true, Action::Deny);
    check("\"off\"", false, Action::Deny);
    check("\"deny\"", true, Action::Deny);
    check("\"ask\"", true, Action::Ask);
    check("\"warn\"", true, Action::Warn);
    let loaded = Bench::new().config("gate = \"warn\"").all();
    assert_eq!(loaded.origin(Key::Action), Origin::Config { line: 1 });
}

#[test]
fn profiles_mean_what_they_say() {
    let with = |name: &str| Bench::new().config(format!("profile = \"{name}\"")).policy();
    for name in PROFILES {
        assert!(Bench::new().config(format!("profile = \"{name}\"")).load().is_ok(), "{name}");
    }
    assert_eq!(with("default"), Policy::default());
    assert_eq!(
        with("strict"),
        Policy {
            shell: ShellMode::StrictAndPrecise,
            protect_existing: true,
            package_installs: Choice::Deny,
            ..Policy::default()
        }
    );
    assert_eq!(
        with("dsh"),
        Policy { shell: ShellMode::Strict, protect_drives: vec!["C".to_owned(), "/".to_owned()], ..Policy::default() }
    );
    assert_eq!(
        with("ci"),
        Policy {
            hook_deadline_ms: 5000,
            package_installs: Choice::Allow,
            auto_clean_scratch: true,
            scratch_ttl_hours: 24,
            ..Policy::default()
        }
    );
    let dsh = crate::config::profile("dsh").unwrap();
    for published in ["gate", "protectDrives", "allowRoots", "autoCleanScratch", "scanDepth"] {
        assert!(dsh.lines().any(|line| line.starts_with(&format!("{published} = "))), "{published}");
    }
}

#[test]
fn home_is_expanded() {
    let policy = Bench::new().config("allow_roots = ['~/a', '$HOME/b', '~']\nscratch_root = '~/s'").policy();
    let home = if cfg!(windows) { r"C:\Users\me" } else { "/home/me" };
    let below = |name: &str| Model::native().join(home, name);
    assert_eq!(policy.allow_roots, [below("a"), below("b"), home.to_owned()]);
    assert_eq!(policy.scratch_root, Some(below("s")));
}

#[test]
fn ranges_include_their_ends() {
    for key in Key::all() {
        let Kind::Int { min, max } = key.kind() else { continue };
        for (value, fits) in
            [(i64::from(min) - 1, false), (i64::from(min), true), (i64::from(max), true), (i64::from(max) + 1, false)]
        {
            let file = Bench::new().config(format!("{} = {value}", key.name())).load();
            assert_eq!(file.is_ok(), fits, "{key:?} = {value}");
            let variable = Bench::new().env(&key.env_name(), &value.to_string()).load();
            assert_eq!(variable.is_ok(), fits, "{key:?} = {value}");
            for error in [file.err(), variable.err()].into_iter().flatten() {
                assert_eq!(error.code(), "config_range");
            }
        }
    }
}

#[test]
fn steps_tell_the_whole_story() {
    let bench =
        Bench::new().config("profile = \"ci\"\nprompt = false").project("prompt = true\ngate = false\nfail = 'closed'");
    let loaded = bench.all();
    let of = |key: Key| -> Vec<_> { loaded.steps.iter().filter(|s| s.key == key).map(|s| s.outcome).collect() };
    assert_eq!(of(Key::Prompt), [Outcome::Applied, Outcome::Applied]);
    assert!(matches!(of(Key::Gate)[..], [Outcome::Applied, Outcome::Ignored(_)]));
    assert_eq!(loaded.origin(Key::Prompt), Origin::Project { line: 1 });
    assert_eq!(of(Key::Fail), [Outcome::Applied, Outcome::Unchanged]);
    assert_eq!(loaded.origin(Key::Fail), Origin::Profile { name: "ci".to_owned(), project: false });
    assert_eq!(loaded.origin(Key::Gate), Origin::Profile { name: "ci".to_owned(), project: false });
}
