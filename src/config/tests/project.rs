//! The project's file can only tighten.

use proptest::prelude::*;

use super::{Bench, abs, toml_abs};
use crate::config::{Choice, Fail, Key, Origin, Outcome, Policy, ShellMode};
use crate::path::Model;

/// The value in force for `key` with `config` in HOME's file and `project` in the project's, and whether the project's
/// was refused at least in part.
fn outcome(key: Key, config: &str, project: &str) -> (String, bool) {
    let bench =
        Bench::new().config(format!("{} = {config}", key.name())).project(format!("{} = {project}", key.name()));
    let loaded = bench.all();
    assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    assert_eq!(bench.policy(), loaded.policy);
    let ignored = loaded.steps.iter().any(|s| s.key == key && matches!(s.outcome, Outcome::Ignored(_)));
    (loaded.value(key).unwrap().to_toml(), ignored)
}

#[test]
fn each_setting_in_each_direction() {
    let check = |key: Key, config: &str, project: &str, want: &str, ignored: bool| {
        assert_eq!(outcome(key, config, project), (want.to_owned(), ignored), "{key:?}: {config} then {project}");
    };
    for (key, strict, loose) in [
        (Key::Gate, "true", "false"),
        (Key::ProtectExisting, "true", "false"),
        (Key::AllowHomeAsProject, "false", "true"),
        (Key::AutoCleanScratch, "false", "true"),
        (Key::RedirectTemp, "true", "false"),
        (Key::Prompt, "true", "false"),
        (Key::Fail, "\"closed\"", "\"open\""),
        (Key::Action, "\"deny\"", "\"ask\""),
        (Key::Action, "\"ask\"", "\"warn\""),
        (Key::Opaque, "\"deny\"", "\"ask\""),
        (Key::Opaque, "\"ask\"", "\"allow\""),
        (Key::PackageInstalls, "\"deny\"", "\"allow\""),
        (Key::Shell, "\"precise\"", "\"off\""),
        (Key::Shell, "\"strict\"", "\"off\""),
        (Key::Shell, "\"strict+precise\"", "\"strict\""),
        (Key::Shell, "\"strict+precise\"", "\"precise\""),
        (Key::ScratchTtlHours, "200", "100"),
    ] {
        check(key, strict, loose, strict, true);
        check(key, loose, strict, strict, false);
        check(key, strict, strict, strict, false);
        check(key, loose, loose, loose, false);
    }
    // Neither is stricter than the other: both hold.
    check(Key::Shell, "\"strict\"", "\"precise\"", "\"strict+precise\"", false);
    check(Key::Shell, "\"precise\"", "\"strict\"", "\"strict+precise\"", false);
    // The operator's alone.
    check(Key::HookDeadlineMs, "1000", "100", "1000", true);
    check(Key::HookDeadlineMs, "1000", "2000", "1000", true);
    check(Key::ScanDepth, "1", "2", "1", true);
    let (a, b) = (toml_abs("/a"), toml_abs("/b"));
    let printed = |path: &str| if cfg!(windows) { format!("'{}'", abs(path)) } else { format!("\"{path}\"") };
    check(Key::ScratchRoot, &a, &b, &printed("/a"), true);
    check(Key::ScanRoots, &format!("[{a}]"), "[]", &format!("[{}]", printed("/a")), true);
}

#[test]
fn the_gate_with_an_action() {
    let policy = |config: &str, project: &str| {
        let policy = Bench::new().config(config).project(project).policy();
        (policy.gate, policy.action.word())
    };
    assert_eq!(policy("action = 'warn'", "gate = 'deny'"), (true, "deny"));
    assert_eq!(policy("gate = false\naction = 'warn'", "gate = 'ask'"), (true, "ask"));
    assert_eq!(policy("", "gate = 'warn'"), (true, "deny"));
    let loaded = Bench::new().config("gate = false").project("gate = 'warn'").all();
    assert_eq!(loaded.origin(Key::Gate), Origin::Project { line: 1 });
    assert_eq!(loaded.origin(Key::Action), Origin::Default);
}

#[test]
fn drives_are_only_added() {
    let check = |config: &str, project: &str, want: &[&str], ignored: bool| {
        let bench =
            Bench::new().config(format!("protect_drives = {config}")).project(format!("protect_drives = {project}"));
        assert_eq!(bench.policy().protect_drives, want);
        let refused = bench.all().steps.iter().any(|s| matches!(s.outcome, Outcome::Ignored(_)));
        assert_eq!(refused, ignored, "{config} then {project}");
    };
    check("['C']", "['C', 'd']", &["C", "D"], false);
    check("['C']", "['D']", &["C", "D"], true);
    check("['C']", "[]", &["C"], true);
    check("[]", "['/']", &["/"], false);
}

#[test]
fn roots_are_only_removed() {
    let check = |config: &[&str], project: &[&str], want: &[&str], ignored: bool| {
        let list = |paths: &[&str]| paths.iter().map(|p| toml_abs(p)).collect::<Vec<_>>().join(", ");
        let bench = Bench::new()
            .config(format!("allow_roots = [{}]", list(config)))
            .project(format!("allow_roots = [{}]", list(project)));
        assert_eq!(bench.policy().allow_roots, want.iter().map(|p| abs(p)).collect::<Vec<_>>());
        let refused = bench.all().steps.iter().any(|s| matches!(s.outcome, Outcome::Ignored(_)));
        assert_eq!(refused, ignored, "{config:?} then {project:?}");
    };
    check(&["/a", "/b"], &[], &[], false);
    check(&["/a", "/b"], &["/b"], &["/b"], false);
    check(&["/a"], &["/a/x"], &["/a/x"], false);
    check(&["/a/x"], &["/a"], &["/a/x"], true);
    check(&["/a"], &["/"], &["/a"], true);
    check(&["/a"], &["/ab"], &[], true);
    check(&[], &["/a"], &[], true);
    check(&["/a", "/a/x"], &["/a/x"], &["/a/x"], false);
}

#[test]
fn a_profile_of_the_project_tightens() {
    let bench = Bench::new().config("allow_home_as_project = true\nprompt = false").project("profile = 'strict'");
    let policy = bench.policy();
    assert_eq!(policy.shell, ShellMode::StrictAndPrecise);
    assert!(policy.protect_existing && !policy.allow_home_as_project && !policy.prompt);
    let policy = Bench::new().project("profile = 'ci'").policy();
    assert_eq!(policy, Policy::default(), "nothing in it tightens the defaults");
}

/// Whether `a` refuses everything that `b` refuses.
fn at_least_as_strict(a: &Policy, b: &Policy) -> bool {
    let model = Model::native();
    let inside = |p: &String, roots: &[String]| roots.iter().any(|r| model.is_within(p, r));
    let shell = |m: ShellMode| match m {
        ShellMode::Off => (false, false),
        ShellMode::Precise => (true, false),
        ShellMode::Strict => (false, true),
        ShellMode::StrictAndPrecise => (true, true),
    };
    a.gate >= b.gate
        && b.protect_drives.iter().all(|d| a.protect_drives.contains(d))
        && shell(a.shell).0 >= shell(b.shell).0
        && shell(a.shell).1 >= shell(b.shell).1
        && a.action >= b.action
        && a.fail >= b.fail
        && a.hook_deadline_ms == b.hook_deadline_ms
        && a.allow_roots.iter().all(|p| inside(p, &b.allow_roots))
        && a.protect_existing >= b.protect_existing
        && a.allow_home_as_project <= b.allow_home_as_project
        && a.opaque >= b.opaque
        && a.package_installs >= b.package_installs
        && a.scratch_root == b.scratch_root
        && a.auto_clean_scratch <= b.auto_clean_scratch
        && a.scratch_ttl_hours >= b.scratch_ttl_hours
        && a.redirect_temp >= b.redirect_temp
        && a.prompt >= b.prompt
        && a.scan_roots == b.scan_roots
        && a.scan_depth == b.scan_depth
        && (&a.scan_ignore, a.scan_cap, a.call_ttl_hours) == (&b.scan_ignore, b.scan_cap, b.call_ttl_hours)
        && a.observe >= b.observe
}

#[test]
fn the_measure_can_fail() {
    let strict = Policy::default();
    for loose in [
        Policy { gate: false, ..Policy::default() },
        Policy { fail: Fail::Open, ..Policy::default() },
        Policy { opaque: Choice::Ask, ..Policy::default() },
        Policy { shell: ShellMode::Strict, ..Policy::default() },
        Policy { allow_roots: vec![abs("/a")], ..Policy::default() },
        Policy { protect_drives: vec![], ..Policy::default() },
    ] {
        assert!(!at_least_as_strict(&loose, &strict), "{loose:?}");
    }
}

fn value_for(key: Key) -> BoxedStrategy<String> {
    use crate::config::Kind;
    let words = |w: &'static str| prop::sample::select(w.split(", ").map(str::to_owned).collect::<Vec<_>>()).boxed();
    let paths = || {
        let one = prop::sample::select(vec!["/", "/a", "/a/b", "/a/b/c", "/ab", "/d"]).prop_map(toml_abs);
        prop::collection::vec(one, 0..4).prop_map(|v| format!("[{}]", v.join(","))).boxed()
    };
    match key.kind() {
        Kind::Bool => words("true, false"),
        Kind::Gate => words("true, false, \"on\", \"off\", \"deny\", \"ask\", \"warn\""),
        Kind::Shell => words(ShellMode::WORDS),
        Kind::Action => words(crate::config::Action::WORDS),
        Kind::Fail => words(Fail::WORDS),
        Kind::Choice => words(Choice::WORDS),
        Kind::Int { min, max } => (min..=max).prop_map(|n| n.to_string()).boxed(),
        Kind::Drives => words("[], [\"C\"], [\"D\"], [\"/\"]"),
        Kind::Folders | Kind::Patterns => paths(),
        Kind::Folder => prop::sample::select(vec!["/a", "/b"]).prop_map(toml_abs).boxed(),
        Kind::Profile => words("\"default\", \"strict\", \"dsh\", \"ci\""),
    }
}

/// A file with a random subset of the settings, each with a valid value.
fn file() -> impl Strategy<Value = String> {
    let keys: Vec<Key> = Key::all().collect();
    prop::sample::subsequence(keys.clone(), 0..=keys.len()).prop_flat_map(|keys| {
        keys.into_iter()
            .map(|key| value_for(key).prop_map(move |v| format!("{} = {v}\n", key.name())))
            .collect::<Vec<_>>()
            .prop_map(|lines| lines.concat())
    })
}

proptest! {
    #[test]
    fn no_project_file_loosens(config in file(), project in file()) {
        let bench = Bench::new().config(&config);
        let Ok(without) = bench.load() else { return Ok(()) };
        let bench = bench.project(&project);
        let Ok(with) = bench.load() else { return Ok(()) };
        prop_assert!(at_least_as_strict(&with, &without), "{with:?}\nis looser than\n{without:?}");
        prop_assert_eq!(with, bench.all().policy);
    }

    #[test]
    fn a_second_reading_changes_nothing(config in file()) {
        // Tightening by the operator's own values is no change, but for what only the operator sets.
        let config = config.split_inclusive('\n').filter(|l| !l.starts_with("profile")).collect::<String>();
        let bench = Bench::new().config(&config);
        let Ok(policy) = bench.load() else { return Ok(()) };
        let again = bench.project(&config).policy();
        prop_assert_eq!(policy, again);
    }
}
