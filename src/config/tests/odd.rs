//! Whatever can stand where a configuration should.

use proptest::prelude::*;

use super::Bench;
use crate::config::{Context, Key, Policy, check_text};
use crate::limits::{MAX_CONFIG_BYTES, MAX_CONFIG_ERRORS};
use crate::path::Model;

#[test]
fn an_unknown_key_is_named_with_line_and_neighbour() {
    let bench = Bench::new().config("# the drives\r\n\r\ngate = true\r\n  protectDrive = [\"C\"]\r\n");
    let error = bench.error();
    assert_eq!(error.code(), "config_unknown_key");
    assert_eq!((error.line(), error.column()), (Some(4), Some(3)));
    assert_eq!(error.key(), Some("protectDrive"));
    assert_eq!(error.nearest(), Some("protect_drives"));
    assert_eq!(
        error.one_line(),
        "config.toml:4: unknown key \"protectDrive\"; did you mean \"protect_drives\"? run `wsguard config check`"
    );
}

#[test]
fn wrong_text_has_a_code_and_a_line() {
    let check = |text: &str, code: &str, line: u32| {
        let error = Bench::new().config(text).error();
        assert_eq!((error.code(), error.line()), (code, Some(line)), "{text}");
        assert_eq!(error.one_line().lines().count(), 1, "{text}");
        // The project's file is read by the same rules.
        let error = Bench::new().project(text).error();
        assert_eq!((error.code(), error.line()), (code, Some(line)), "{text}");
    };
    check("gate = ", "config_syntax", 1);
    check("gate = true\ngate = true", "config_syntax", 2);
    check("\n\n[[[", "config_syntax", 3);
    check("gate = nil", "config_syntax", 1);
    check("gate", "config_syntax", 1);
    check("x = \"\"\"", "config_syntax", 1);
    check("\n[gate]\n", "config_type", 2);
    check("[workspaceMgr]\ngate = true", "config_unknown_key", 1);
    check("gate.on = true", "config_type", 1);
    check("gate = 1", "config_type", 1);
    check("gate = \"true\"", "config_value", 1);
    check("prompt = \"true\"", "config_type", 1);
    check("shell = true", "config_type", 1);
    check("shell = \"Strict\"", "config_value", 1);
    check("action = \"block\"", "config_value", 1);
    check("profile = \"strickt\"", "config_value", 1);
    check("scan_depth = 1.0", "config_type", 1);
    check("scan_depth = 99999999999999999999999", "config_range", 1);
    check("scan_depth = -1", "config_range", 1);
    check("allow_roots = \"/a\"", "config_type", 1);
    check("allow_roots = [1]", "config_type", 1);
    check("allow_roots = [\"a\"]", "config_type", 1);
    check("allow_roots = [\"~root/x\"]", "config_type", 1);
    check("allow_roots = [\"${PROJECT}/x\"]", "config_type", 1);
    check("scratch_root = \"\"", "config_type", 1);
    check("scratch_root = \"/a\\u0000b\"", "config_type", 1);
    check("protect_drives = [\"CD\"]", "config_type", 1);
    check("scan_depth = 1979-05-27", "config_type", 1);
    check("\"\" = 1", "config_unknown_key", 1);
    check("\"gate \" = true", "config_unknown_key", 1);
    check("'a\tb' = 1", "config_unknown_key", 1);
}

#[test]
fn both_spellings_at_once_name_both_lines() {
    let error = Bench::new().config("protectDrives = ['C']\n\nprotect_drives = ['D']").error();
    assert_eq!((error.code(), error.line()), ("config_duplicate", Some(3)));
    assert_eq!(error.to_string(), "config.toml:3: \"protect_drives\" sets \"protect_drives\", which line 1 sets too");
    let error = Bench::new().config("action = 'deny'\ngate = 'ask'").error();
    assert_eq!((error.code(), error.line()), ("config_duplicate", Some(2)));
    let error = Bench::new().env("WSGUARD_ACTION", "deny").env("WSGUARD_GATE", "ask").error();
    assert_eq!((error.code(), error.variable_name()), ("config_duplicate", Some("WSGUARD_ACTION")));
}

#[test]
fn wrong_variables_are_errors_too() {
    let check = |name: &str, text: &str, code: &str| {
        let error = Bench::new().env(name, text).error();
        assert_eq!((error.code(), error.variable_name()), (code, Some(name)), "{name}={text}");
        assert!(error.one_line().starts_with(name), "{}", error.one_line());
    };
    check("WSGUARD_GATE", "maybe", "config_value");
    check("WSGUARD_PROMPT", "2", "config_value");
    check("WSGUARD_SHELL", "stric", "config_value");
    check("WSGUARD_PROFILE", "none", "config_value");
    check("WSGUARD_SCAN_DEPTH", "deep", "config_range");
    check("WSGUARD_SCAN_DEPTH", " 1", "config_range");
    check("WSGUARD_ALLOW_ROOTS", "a", "config_type");
    check("WSGUARD_PROTECT_DRIVES", "CD", "config_type");
}

#[test]
fn text_that_only_looks_odd_is_read() {
    let check = |text: &str, gate: bool| {
        assert_eq!(Bench::new().config(text).policy(), Policy { gate, ..Policy::default() }, "{text:?}");
    };
    check("", true);
    check("\n\n \t\r\n", true);
    check("# only a comment", true);
    check("\u{feff}", true);
    check("\u{feff}gate = false", false);
    check("gate = false\r\n", false);
    check("\"gate\" = false # why", false);
    check("'gate'=false", false);
}

#[test]
fn a_byte_order_mark_does_not_shift_columns() {
    let error = Bench::new().config("\u{feff}nope = 1").error();
    assert_eq!((error.line(), error.column()), (Some(1), Some(1)));
}

#[test]
fn what_is_no_text_file_is_an_error() {
    let bench = Bench::new().config([b'#', b'\n', 0xff, 0xfe]);
    assert_eq!((bench.error().code(), bench.error().line()), ("config_encoding", Some(2)));

    let bench = Bench::new().config("#".repeat(MAX_CONFIG_BYTES));
    assert_eq!(bench.policy(), Policy::default());
    let bench = Bench::new().config("#".repeat(MAX_CONFIG_BYTES + 1));
    assert_eq!(bench.error().code(), "config_too_large");

    let bench = Bench::new();
    std::fs::create_dir(bench.home().config()).unwrap();
    assert_eq!(bench.error().code(), "config_unreadable");
    assert!(bench.error().one_line().starts_with("config.toml "), "{}", bench.error().one_line());

    let bench = Bench::new();
    std::fs::create_dir(bench.project_dir().join(".wsguard.toml")).unwrap();
    assert_eq!(bench.error().code(), "config_unreadable");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let bench = Bench::new();
    let made = std::process::Command::new("mkfifo").arg(bench.home().config()).status();
    if made.is_ok_and(|status| status.success()) {
        assert_eq!(bench.error().code(), "config_unreadable");
    }
}

#[cfg(unix)]
#[test]
fn a_home_that_is_a_file_is_an_error() {
    let bench = Bench::new();
    std::fs::remove_dir(bench.home().path()).unwrap();
    std::fs::write(bench.home().path(), "").unwrap();
    assert_eq!(bench.error().code(), "config_unreadable");
}

#[test]
fn a_home_that_is_not_there_is_none() {
    let bench = Bench::new();
    std::fs::remove_dir(bench.home().path()).unwrap();
    std::fs::remove_dir(bench.project_dir()).unwrap();
    assert_eq!(bench.policy(), Policy::default());
}

#[test]
fn nesting_ends_in_an_error() {
    for (open, close) in [("[", "]"), ("{a=", "}")] {
        let text = format!("gate = {}1{}", open.repeat(50_000), close.repeat(50_000));
        let text = &text[..text.len().min(MAX_CONFIG_BYTES)];
        assert_eq!(Bench::new().config(text).error().code(), "config_syntax");
    }
    let dotted = format!("{}a = 1", "a.".repeat(50_000));
    assert!(Bench::new().config(dotted).load().is_err());
}

#[test]
fn every_mistake_is_reported_in_order() {
    let text = "shel = 'strict'\nscan_depth = 9\ngate = 0\nallow_roots = ['x']\n";
    let loaded = Bench::new().config(text).project("nope = 1").env("WSGUARD_FAIL", "x").all();
    let lines: Vec<_> = loaded.errors.iter().map(|e| (e.line(), e.code())).collect();
    assert_eq!(
        lines,
        [
            (Some(1), "config_unknown_key"),
            (Some(2), "config_range"),
            (Some(3), "config_type"),
            (Some(4), "config_type"),
            (None, "config_value"),
            (Some(1), "config_unknown_key"),
        ]
    );
}

#[test]
fn a_file_full_of_mistakes_takes_no_time() {
    let wrong = |i: usize| format!("k{i} = 1\n");
    let check = |text: String| {
        let text = &text[..text.len().min(MAX_CONFIG_BYTES)];
        let bench = Bench::new().project(text);
        assert!(bench.load().is_err());
        assert!(bench.all().errors.len() <= MAX_CONFIG_ERRORS, "{}", bench.all().errors.len());
    };
    check((0..20_000).map(wrong).collect::<Vec<_>>().concat());
    check("= = =\n".repeat(20_000));
    check("[".repeat(100_000));
}

#[test]
fn messages_stay_short_and_on_one_line() {
    let long = "k".repeat(100_000);
    let error = Bench::new().config(format!("{long} = 1")).error();
    assert!(error.one_line().len() < 300);
    let error = Bench::new().config("\"a\\nb\\u001b[31m\" = 1").error();
    assert!(!error.one_line().contains(['\n', '\u{1b}']), "{:?}", error.one_line());
}

fn context() -> Context<'static> {
    Context { model: Model::native(), env: &|_| None }
}

/// TOML-like text: known keys, odd values, and noise.
fn toml_like() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        4 => prop::sample::select(Key::all().map(Key::name).collect::<Vec<_>>()).prop_map(str::to_owned),
        1 => "[a-zA-Z_.\"' -]{0,12}",
    ];
    let value = prop_oneof![
        prop::sample::select(vec![
            "true", "false", "1", "-1", "'deny'", "'off'", "['/']", "[[]]", "{a=1}", "nan", "''"
        ])
        .prop_map(str::to_owned),
        "[\\[\\]{}'\"=,.#~/0-9a-z\\\\ \n-]{0,16}",
    ];
    prop::collection::vec((key, value), 0..8)
        .prop_map(|lines| lines.into_iter().flat_map(|(k, v)| [k, " = ".to_owned(), v, "\n".to_owned()]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_bytes_give_a_policy_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let bench = Bench::new().config(&bytes).project(&bytes);
        if let Err(error) = bench.load() {
            prop_assert_eq!(error.one_line().lines().count(), 1);
        }
    }

    #[test]
    fn any_text_is_checked(text in prop_oneof![toml_like(), ".{0,80}"]) {
        for error in check_text(std::path::Path::new("x.toml"), &text, context()) {
            prop_assert_eq!(error.one_line().lines().count(), 1, "{:?}", error.one_line());
            let lines = u32::try_from(text.split('\n').count()).unwrap();
            prop_assert!(error.line().is_some_and(|line| (1..=lines).contains(&line)));
            prop_assert!(error.code().starts_with("config_"));
        }
    }
}
