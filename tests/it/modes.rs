//! The two ways in which shell commands are judged, beside each other, and what the published rule depends on.

use std::{collections::BTreeSet, fs, path::Path};

use proptest::prelude::*;
use workspace_guard::{
    config::{Policy, ShellMode},
    gate::{Inputs, Place, Rule, Tool, ToolCall, Verdict, judge},
    path::Model,
    shell::Dialect,
    world::{FakeWorld, World as _},
};

/// The machine that docs/MODES.md describes.
fn world() -> FakeWorld {
    FakeWorld::new(Model::Posix)
        .with_home("/home/me")
        .dir("/home/me/app/src")
        .file("/home/me/app/a.txt", "")
        .link("/home/me/app/out", "/srv/data")
        .dir("/home/me/notes")
        .file("/srv/data/old.txt", "")
        .dir("/opt/tools")
        .file("/etc/hosts", "")
        .dir("/tmp")
        .dir("/dev")
        .dir("/home/me/.wsguard/scratch/s1")
}

fn place() -> Place {
    Place {
        home: "/home/me/.wsguard".into(),
        project: Some("/home/me/app".into()),
        scratch: "/home/me/.wsguard/scratch/s1".into(),
        temp: "/home/me/.wsguard/cache/tmp".into(),
        system_temp: Vec::new(),
        harness_state: vec![],
        fenced: vec![],
    }
}

/// The rule that a command breaks, where it is refused.
fn broken(command: &str, shell: ShellMode) -> Option<Rule> {
    let policy = Policy { shell, ..Policy::for_model(Model::Posix) };
    let call = ToolCall {
        writes: Vec::new(),
        harness: "claude-code",
        session: "s1".into(),
        call: None,
        cwd: "/home/me/app".into(),
        tool: Tool::Shell { dialect: Dialect::Bash, command: command.into(), workdir: None },
    };
    let (world, place) = (world(), place());
    let inputs = Inputs { call: &call, world: &world, policy: &policy, place: &place, granted: &|_| false };
    let judgement = judge(&inputs);
    match judgement.verdict {
        Verdict::Allow => None,
        Verdict::Deny { .. } | Verdict::Ask { .. } => Some(judgement.broken.unwrap().0),
    }
}

fn verdict(command: &str, shell: ShellMode) -> &'static str {
    if broken(command, shell).is_some() { "deny" } else { "allow" }
}

#[test]
fn both_modes_beside_each_other() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/MODES.md")).unwrap();
    let (mut wrong, mut commands) = (Vec::new(), BTreeSet::new());
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<String> =
            line.replace("\\|", "\0").trim_matches('|').split('|').map(|c| c.trim().replace('\0', "|")).collect();
        let [command, strict, precise] = cells.as_slice() else { panic!("{line}") };
        let command = command.trim_matches('`');
        assert!(commands.insert(command.to_owned()), "{command} stands there twice");
        let got = (verdict(command, ShellMode::Strict), verdict(command, ShellMode::Precise));
        if got != (strict.as_str(), precise.as_str()) {
            wrong.push(format!("{command}: strict {}, precise {}", got.0, got.1));
        }
        let both = if got == ("allow", "allow") { "allow" } else { "deny" };
        assert_eq!(verdict(command, ShellMode::StrictAndPrecise), both, "{command}");
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(commands.len() >= 60, "{}", commands.len());
    for pair in [("allow", "deny"), ("deny", "allow")] {
        let differ = |c: &&String| (verdict(c, ShellMode::Strict), verdict(c, ShellMode::Precise)) == pair;
        assert!(commands.iter().filter(differ).count() >= 15, "{pair:?}");
    }
}

/// Absolute paths, some there and some not, inside and outside of the allowed roots.
const PATHS: [&str; 16] = [
    "/srv/data",
    "/srv/data/old.txt",
    "/srv/data/new",
    "/srv/none",
    "/srv/none/deep",
    "/opt/tools",
    "/opt/tools/../none",
    "/etc/hosts",
    "/home/me/app/new",
    "/home/me/app/out/new",
    "/home/me/new",
    "/tmp/new",
    "/home/me/.wsguard/scratch/s1/new",
    "/dev/none",
    "/srv/naïve",
    "/",
];

/// Whether the rule refuses a path: the rule once more, in the plainest words.
fn refuses(path: &str) -> bool {
    let roots = ["/home/me/app", "/tmp", "/home/me/.wsguard/scratch/s1", "/home/me/.wsguard/cache/tmp", "/dev"];
    let path = Model::Posix.normalize(path);
    let inside = |root: &&str| path == **root || path.starts_with(&format!("{root}/"));
    path != "/" && world().target(&path).is_none() && !roots.iter().any(inside)
}

/// Frames that say very different things about the path at `@`; none names an absolute path of its own.
const FRAMES: [&str; 24] = [
    "mkdir @",
    "cat @",
    "echo @",
    "echo '@'",
    "echo \"@\"",
    "x=@",
    "# @",
    "ls @ | wc -l",
    "ls;cat @;ls",
    "(cat @)",
    "cat <@",
    "echo x >@",
    "frob --out=@",
    "frob a,@ b",
    "PATH=x:@ ls",
    "grep x @ && echo y",
    "python3 -c \"open('@')\"",
    "cat <<'E'\n@\nE",
    "ssh host cat @",
    "echo `cat @`",
    "echo {@}",
    "git commit -m 'see @, please'",
    "echo see @.",
    "if true; then mkdir -p @; fi",
];

/// Text around the paths that has no bearing on the rule.
const NOISE: [&str; 12] = [
    "cd sub",
    "mkdir ../beside",
    "touch ~/new",
    "cp a.txt out/",
    "echo https://example.org/srv/none",
    "cat src/main.rs",
    "rm -rf build",
    "D=$HOME/x; mkdir $D",
    "true",
    "echo a/b //c",
    "printf '%s' \"$x\"",
    "sed s/a/b/ a.txt",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The verdict is that of the named paths, one by one, and of nothing else in the text.
    #[test]
    fn strict_depends_on_the_named_paths_alone(
        parts in prop::collection::vec((0..FRAMES.len(), 0..PATHS.len(), prop::option::of(0..NOISE.len())), 0..6),
        others in prop::collection::vec(0..FRAMES.len(), 6),
    ) {
        let mut text = Vec::new();
        let mut other = Vec::new();
        for (i, (frame, path, noise)) in parts.iter().enumerate() {
            text.extend(noise.map(|n| NOISE[n].to_owned()));
            text.push(FRAMES[*frame].replace('@', PATHS[*path]));
            other.push(FRAMES[others[i]].replace('@', PATHS[*path]));
        }
        let want = parts.iter().any(|(_, path, _)| refuses(PATHS[*path]));
        let command = text.join("\n");
        let got = broken(&command, ShellMode::Strict);
        prop_assert_eq!(got, want.then_some(Rule::NamesMissing), "{}", command);
        let command = other.join("\n");
        prop_assert_eq!(broken(&command, ShellMode::Strict), got, "{}", command);
    }
}
