//! Decisions on described worlds.

#![expect(clippy::panic, reason = "tests")]

mod packages;
mod windows;

use super::{Inputs, Judgement, Place, Rule, Tool, ToolCall, Verdict, judge};
use crate::config::{Action, Choice, Policy, ShellMode};
use crate::limits::MAX_REASON_CHARS;
use crate::path::Model;
use crate::shell::Dialect;
use crate::world::FakeWorld;

struct Case {
    world: FakeWorld,
    policy: Policy,
    place: Place,
    cwd: &'static str,
    granted: &'static [&'static str],
}

impl Case {
    fn new() -> Self {
        let world = FakeWorld::new(Model::Posix)
            .with_home("/home/u")
            .dir("/home/u/proj/src")
            .dir("/home/u/.claude")
            .file("/home/u/notes.txt", "")
            .dir("/srv/data")
            .file("/srv/data/old.txt", "")
            .dir("/tmp")
            .dir("/var/tmp")
            .link("/home/u/proj/out", "/srv/data")
            .link("/srv/current", "/home/u/proj")
            .link("/srv/dangling", "/srv/nowhere")
            .dir("/home/u/.wsguard/scratch/s1")
            .file("/home/u/.wsguard/config.toml", "")
            .file("/home/u/.claude/settings.json", "{}");
        let place = Place {
            home: "/home/u/.wsguard".into(),
            project: Some("/home/u/proj".into()),
            scratch: "/home/u/.wsguard/scratch/s1".into(),
            temp: "/home/u/.wsguard/cache/tmp".into(),
            system_temp: Vec::new(),
            harness_state: vec!["/home/u/.claude".into()],
            fenced: vec!["/home/u/.claude/settings.json".into(), "/home/u/proj/.wsguard.toml".into()],
        };
        Self { world, policy: Policy::for_model(Model::Posix), place, cwd: "/home/u/proj", granted: &[] }
    }

    fn judge(&self, tool: Tool) -> Judgement {
        let call = ToolCall {
            writes: Vec::new(),
            harness: "claude-code",
            session: "s1".into(),
            call: Some("c1".into()),
            cwd: self.cwd.into(),
            tool,
        };
        judge(&Inputs {
            call: &call,
            world: &self.world,
            policy: &self.policy,
            place: &self.place,
            granted: &|path| self.granted.iter().any(|g| Model::Posix.is_within(path, g)),
        })
    }

    fn write(&self, path: &str) -> Judgement {
        self.judge(Tool::Write { paths: vec![path.into()], known: true })
    }

    fn shell(&self, command: &str) -> Judgement {
        self.judge(Tool::Shell { dialect: Dialect::Bash, command: command.into(), workdir: None })
    }

    #[track_caller]
    fn check(&self, path: &str, want: Option<Rule>) {
        let judgement = self.write(path);
        assert_eq!(judgement.broken.as_ref().map(|b| b.0), want, "{path}: {judgement:?}");
        match (&judgement.verdict, want) {
            (Verdict::Allow, None) => {}
            (Verdict::Deny { reason } | Verdict::Ask { reason }, Some(_)) => {
                assert!(reason.chars().count() <= MAX_REASON_CHARS, "{reason}");
            }
            other => panic!("{path}: {other:?}"),
        }
    }
}

#[test]
fn a_write_is_judged_by_its_place() {
    let case = Case::new();
    case.check("/home/u/proj/new.txt", None);
    case.check("new.txt", None);
    case.check("src/../src/deep/er/new.txt", None);
    case.check("/home/u/.wsguard/scratch/s1/a/b", None);
    case.check("/home/u/.wsguard/cache/tmp/x", None);
    case.check("/tmp/x/y", None);
    case.check("/dev/null", None);
    case.check("/home/u/.claude/plans/p.md", None);
    case.check("/srv/new.txt", Some(Rule::CreatesOutside));
    case.check("/srv/data/new.txt", Some(Rule::CreatesOutside));
    case.check("/var/tmp/new.txt", Some(Rule::CreatesOutside));
    case.check("../beside.txt", Some(Rule::CreatesOutside));
    case.check("~/new.txt", Some(Rule::CreatesOutside));
    case.check("/home/u/.wsguard/scratch/s2/a", Some(Rule::CreatesOutside));
    case.check("/opt", Some(Rule::CreatesOutside));
}

#[test]
fn a_writing_tool_is_judged_by_the_place_alone_and_an_unknown_one_by_what_is_there() {
    let case = Case::new();
    case.check("/srv/data/old.txt", Some(Rule::CreatesOutside));
    case.check("/home/u/proj/out/old.txt", Some(Rule::CreatesOutside));
    let unknown = |path: &str| case.judge(Tool::Write { paths: vec![path.into()], known: false }).broken;
    assert_eq!(unknown("/srv/data/old.txt"), None);
    assert_eq!(unknown("/srv/data/new.txt").map(|b| b.0), Some(Rule::CreatesOutside));
}

#[test]
fn links_are_followed_both_ways() {
    let case = Case::new();
    case.check("/home/u/proj/out/new.txt", Some(Rule::CreatesOutside));
    case.check("/srv/current/new.txt", None);
    case.check("/srv/current/../new.txt", Some(Rule::CreatesOutside));
    case.check("/srv/dangling", Some(Rule::CreatesOutside));
    case.check("/srv/dangling/x", Some(Rule::CreatesOutside));
}

#[test]
fn a_link_loop_can_not_be_written_through() {
    let mut case = Case::new();
    case.world = case.world.clone().link("/srv/loop", "/srv/loop");
    case.check("/srv/loop/x", None);
}

#[test]
fn the_fence_stands_whatever_the_roots_say() {
    let mut case = Case::new();
    case.policy.allow_roots = vec!["/home/u".into()];
    case.policy.action = Action::Warn;
    case.granted = &["/home/u"];
    for path in [
        "/home/u/.wsguard/config.toml",
        "/home/u/.wsguard/workspace-mgr/grants.json",
        "/home/u/.claude/settings.json",
        "/home/u/proj/.wsguard.toml",
        "/home/u/.wsguard/scratch/s1/.dsh-owner.json",
    ] {
        case.check(path, Some(Rule::Fence));
    }
    case.check("/home/u/elsewhere", None);
}

#[test]
fn the_home_folder_and_a_drive_root_are_no_projects() {
    let mut case = Case::new();
    case.place.project = Some("/home/u".into());
    case.cwd = "/home/u";
    case.check("new.txt", Some(Rule::CreatesOutside));
    let Verdict::Deny { reason } = case.write("new.txt").verdict else { panic!() };
    assert!(reason.contains("allow_home_as_project"), "{reason}");
    case.place.project = Some("/".into());
    case.check("/srv/x", Some(Rule::CreatesOutside));
    case.place.project = Some("/home".into());
    case.check("/home/u/x", Some(Rule::CreatesOutside));
    case.place.project = Some("/home/u".into());
    case.policy.allow_home_as_project = true;
    case.check("new.txt", None);
}

#[test]
fn grants_and_configured_roots() {
    let mut case = Case::new();
    case.granted = &["/srv/granted"];
    case.check("/srv/granted/x", None);
    case.check("/srv/grantedx", Some(Rule::CreatesOutside));
    case.policy.allow_roots = vec!["/opt/mine".into()];
    case.check("/opt/mine/x", None);
    case.policy.protect_drives = vec!["/data".into()];
    case.check("/srv/new.txt", None);
    case.check("/data/new.txt", Some(Rule::CreatesOutside));
}

#[test]
fn actions() {
    let mut case = Case::new();
    case.policy.action = Action::Ask;
    assert!(matches!(case.write("/srv/x").verdict, Verdict::Ask { .. }));
    case.policy.action = Action::Warn;
    let judgement = case.write("/srv/x");
    assert_eq!(judgement.verdict, Verdict::Allow);
    assert!(judgement.warning.is_some_and(|w| w.contains("/srv/x")));
    case.policy.gate = false;
    assert!(case.write("/srv/x").warning.is_none());
}

#[test]
fn a_softer_violation_hides_no_harder_one() {
    let mut case = Case::new();
    case.policy.package_installs = Choice::Ask;
    case.policy.opaque = Choice::Ask;
    let ask = |case: &Case, command: &str| matches!(case.shell(command).verdict, Verdict::Ask { .. });
    let deny = |case: &Case, command: &str| matches!(case.shell(command).verdict, Verdict::Deny { .. });
    assert!(ask(&case, "pip install x"));
    assert!(deny(&case, "pip install x && mkdir /srv/new"));
    assert!(deny(&case, "mkdir /srv/new; pip install x"));
    case.policy.action = Action::Warn;
    assert!(ask(&case, "mkdir /srv/new; pip install x"));
    case.policy.package_installs = Choice::Deny;
    assert!(deny(&case, "mkdir /srv/new; pip install x"));
    case.policy.action = Action::Deny;
    case.policy.package_installs = Choice::Ask;
    case.policy.shell = ShellMode::StrictAndPrecise;
    assert!(deny(&case, "pip install x; echo /srv/missing"));
}

#[test]
fn what_is_not_there_is_not_removed() {
    let mut case = Case::new();
    case.policy.protect_existing = true;
    assert_eq!(case.shell("rm -f /srv/data/none").broken, None);
    assert_eq!(case.shell("rm -f /srv/data/old.txt").broken.map(|b| b.0), Some(Rule::DeletesExisting));
}

#[test]
fn a_nul_byte_is_refused() {
    Case::new().check("/home/u/proj/a\0b", Some(Rule::NotUnderstood));
}

#[test]
fn a_temp_variable_can_not_open_everything() {
    let mut case = Case::new();
    case.world = case.world.clone().var("TMPDIR", "/");
    case.check("/srv/x", Some(Rule::CreatesOutside));
    case.world = case.world.clone().var("TMPDIR", "/home");
    case.check("/home/u/x", Some(Rule::CreatesOutside));
    case.world = case.world.clone().var("TMPDIR", "/srv/tmp");
    case.check("/srv/tmp/x", None);
}

#[test]
fn a_reason_teaches() {
    let case = Case::new();
    let Verdict::Deny { reason } = case.write("/srv/x/y.md").verdict else { panic!() };
    for part in ["/srv/x/y.md", "/home/u/.wsguard/scratch/s1", "/home/u/proj", "wsguard allow /srv/x/y.md"] {
        assert!(reason.contains(part), "{part} in {reason}");
    }
    assert!(!reason.ends_with('.'), "{reason}");
    let mut installs = Case::new();
    installs.policy.package_installs = Choice::Deny;
    let Verdict::Deny { reason } = installs.shell("pip install x").verdict else { panic!() };
    assert!(
        reason.contains("`pip`")
            && reason.contains("virtual environment")
            && reason.contains("config set package_installs"),
        "{reason}"
    );
    // What must be in it is in it, however long everything else is.
    let mut roomy = Case::new();
    roomy.place.scratch = format!("/home/u/{}", "s".repeat(200));
    roomy.place.project = Some(format!("/home/u/{}", "p".repeat(200)));
    let deep = format!("/srv/{}", "d".repeat(140));
    let Verdict::Deny { reason } = roomy.shell(&format!("mkdir {deep} {deep}/x")).verdict else { panic!() };
    for part in ["`mkdir`", "/srv/ddd", &roomy.place.scratch, "The user can allow it: wsguard allow"] {
        assert!(reason.contains(part), "{part} in {reason}");
    }
    let long = format!("/srv/{}", "a\u{1b}[31m/".repeat(900));
    let Verdict::Deny { reason } = case.write(&long).verdict else { panic!() };
    assert!(reason.chars().count() <= MAX_REASON_CHARS);
    assert!(!reason.chars().any(char::is_control), "{reason}");
}

#[test]
fn the_published_rule() {
    let mut case = Case::new();
    case.policy.shell = ShellMode::Strict;
    let denied = |command: &str| case.shell(command).broken.map(|b| b.0) == Some(Rule::NamesMissing);
    assert!(denied("echo /srv/missing"));
    assert!(denied("cat '/opt/x'"));
    assert!(!denied("cat /srv/data/old.txt"));
    assert!(!denied("mkdir /tmp/x"));
    assert!(!denied("mkdir ~/x ../y"));
    assert!(!denied("curl http://host/missing"));
}

#[test]
fn a_repositorys_own_files_are_gits() {
    let mut case = Case::new();
    case.world = case
        .world
        .clone()
        .file("/home/u/proj/.git/config", "")
        .dir("/home/u/proj/.git/hooks")
        .file("/srv/data/wt/.git", "gitdir: x")
        .link("/home/u/proj/hooks", ".git/hooks")
        .dir("/tmp/clone/.git/hooks");
    case.policy.protect_existing = true;
    let commands = [
        ("printf x > .git/config", true),
        ("printf x > /home/u/proj/.git/config", true),
        ("cd .git && printf x > config", true),
        ("cd src; echo x >> ../.git/config", true),
        ("cp a.sh .git/hooks/pre-commit", true),
        ("cp a.sh hooks/pre-commit", true),
        ("echo x > .git/hooks/post-checkout", true),
        ("sed -i s/a/b/ .git/config", true),
        ("rm -rf .git", true),
        ("mv .git old", true),
        ("find .git -name config -delete", true),
        ("tar xf a.tar -C .git", true),
        ("python3 -c \"open('.git/config', 'a').write('x')\"", true),
        ("git config core.editor vi", false),
        ("git config -f .git/config core.editor vi", false),
        ("git init", false),
        ("git commit -m x", false),
        ("cat .git/config", false),
        ("mkdir -p .git/hooks", false),
        ("rm -f .git/index.lock", false),
        ("echo x > .gitignore", false),
        ("echo x > .github/a.yml", false),
        ("echo x > /tmp/clone/.git/config", false),
        ("rm -rf /tmp/clone/.git", false),
    ];
    for (command, refused) in commands {
        let broken = case.shell(command).broken.map(|b| b.0);
        assert_eq!(broken, refused.then_some(Rule::Repository), "{command}");
    }
    case.check("/home/u/proj/.git/hooks/pre-push", Some(Rule::Repository));
    case.granted = &["/home/u/proj/.git/hooks"];
    case.check("/home/u/proj/.git/hooks/pre-push", None);
    case.policy.protect_existing = false;
    case.granted = &[];
    assert_eq!(case.shell("printf x > .git/config").broken, None);
}
