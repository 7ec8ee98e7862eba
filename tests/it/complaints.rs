//! What people complained about in tools of this kind, each kind once: the line that says it, and cases of our own.
//! Those about removal and overwriting are judged with `protect_existing`.

use std::time::{Duration, Instant};

use serde_json::json;
use workspace_guard::{
    config::Policy,
    gate::{Inputs, Judgement, Place, Tool, ToolCall, Verdict, judge},
    path::Model,
    shell::{Dialect, EffectKind, Target},
    world::FakeWorld,
};

use crate::{env::TestEnv, payload::Payload};

/// What must be said about a command.
#[derive(Clone, Copy)]
enum Want {
    /// It passes.
    Allow,
    /// It is refused, and these paths are why.
    Deny(&'static [&'static str]),
    /// It is refused for a reason without a path.
    Refuse,
    /// It gets the verdict and the effects of this other command.
    Like(&'static str),
}
use Want::{Allow, Deny, Like, Refuse};

/// The kind of a complaint, whether `protect_existing` is on, and commands.
type Kind = (&'static str, bool, &'static [(&'static str, Want)]);

const KINDS: &[Kind] = &[
    (
        "a removal is one whatever flags it has",
        true,
        &[
            ("rm -r ../wiki", Like("rm -rf ../wiki")),
            ("rm --recursive /data/store", Like("rm -fr /data/store")),
            ("rm /data/store/prices.csv", Deny(&["/data/store/prices.csv"])),
            ("rm -r ./cache", Like("rm -rf ./cache")),
            ("rm -r cache", Allow),
        ],
    ),
    (
        "text that reaches an interpreter by a pipe, a substitution or a variable is run",
        false,
        &[
            ("echo 'touch /data/n1' | bash", Deny(&["/data/n1"])),
            ("printf '%s /data/n2\\n' mkdir | sh -", Deny(&["/data/n2"])),
            ("bash -c \"$(printf 'mkdir /data/n3')\"", Deny(&["/data/n3"])),
            ("C='mkdir /data/n4'; eval \"$C\"", Deny(&["/data/n4"])),
            ("sh <(echo mkdir /data/n5)", Deny(&["/data/n5"])),
            ("echo \"open('/data/n6','w')\" | python3", Deny(&["/data/n6"])),
            ("echo 'touch /data/n7' | cat", Allow),
            ("printf 'make it in /data/n8' | mail me", Allow),
        ],
    ),
    (
        "a repository's own folder is reached by any spelling",
        true,
        &[
            ("echo '[core]' > .git/config", Deny(&["/home/kim/shop/.git/config"])),
            ("echo '[core]' > /home/kim/shop/.git/config", Deny(&["/home/kim/shop/.git/config"])),
            ("cd .git/hooks && echo true > post-merge", Deny(&["/home/kim/shop/.git/hooks/post-merge"])),
            ("cd src; tee ../.git/info/exclude < a", Deny(&["/home/kim/shop/.git/info/exclude"])),
            ("G=.git; : > $G/HEAD", Deny(&["/home/kim/shop/.git/HEAD"])),
            ("git config user.name k", Allow),
            ("cat .git/config", Allow),
        ],
    ),
    (
        "what a remote machine does is no matter of this disk, quoted or not",
        true,
        &[
            ("ssh web1 'rm -r /data/store'", Like("ssh web1 rm -r /data/store")),
            ("ssh web1 'rm -r /data/store && mkdir /data/n'", Allow),
            ("ssh -p 2222 kim@web1 \"sudo tee /etc/new.conf\" < a", Allow),
            ("ssh web1 cat /var/log/x > /data/x.log", Deny(&["/data/x.log"])),
        ],
    ),
    (
        "a program that another one starts for what it finds is seen",
        true,
        &[
            ("find /data/store -name '*.csv' -exec rm -f {} +", Deny(&["/data/store"])),
            ("find cache -type f -exec rm {} \\;\nfind cache -type d | xargs rm -r", Allow),
            ("find /data/store -type f | xargs rm", Deny(&["/data/store"])),
            ("ls /data/store | xargs -I{} rm /data/store/{}", Deny(&["/data/store"])),
            ("find . -name a -ok cp {} /data/n \\;", Deny(&["/data/n"])),
        ],
    ),
    (
        "a change of folder moves what follows",
        false,
        &[
            ("cd /data && mkdir n && touch n/t", Deny(&["/data/n", "/data/n/t"])),
            ("pushd /data/store; echo 1 > n; popd; echo 2 > n", Deny(&["/data/store/n"])),
            ("(cd /data; mkdir n); mkdir n", Deny(&["/data/n"])),
            ("(cd /data; ls); mkdir n", Allow),
        ],
    ),
    (
        "one harmless part covers no other",
        false,
        &[
            ("git log -1 && mkdir /data/n", Deny(&["/data/n"])),
            ("ls; true || touch a; touch /data/n", Deny(&["/data/n"])),
            ("cat a | tee /data/n | wc -l", Deny(&["/data/n"])),
            ("git diff & mkdir /data/n", Deny(&["/data/n"])),
        ],
    ),
    (
        "a redirection counts whatever program it belongs to",
        false,
        &[
            ("date > /data/n.txt", Deny(&["/data/n.txt"])),
            ("frobnicate 2>> /data/n.err", Deny(&["/data/n.err"])),
            ("> /data/n", Deny(&["/data/n"])),
            ("{ ls; pwd; } &> /data/n", Deny(&["/data/n"])),
            ("while read x; do echo $x; done < a > /data/n", Deny(&["/data/n"])),
        ],
    ),
    (
        "no program is trusted by its name with any path",
        false,
        &[
            ("cp src/a /data/a2", Deny(&["/data/a2"])),
            ("cat src/a | cp /dev/stdin /data/a2", Deny(&["/data/a2"])),
            ("git archive HEAD -o /data/n.tar", Deny(&["/data/n.tar"])),
            ("ls > /data/n", Deny(&["/data/n"])),
        ],
    ),
    (
        "a real folder is as protected as the root",
        true,
        &[
            ("rm -rf /data/store", Deny(&["/data/store"])),
            ("rm -rf /data/store/*", Deny(&["/data/store"])),
            ("rm -r -f -- /data/../data/store", Deny(&["/data/store"])),
            ("sudo rm -rf /", Refuse),
        ],
    ),
    (
        "the end of options changes no place",
        true,
        &[
            ("rm -r -- /tmp/j7/parts", Like("rm -r /tmp/j7/parts")),
            ("rm -r -- /data/store", Like("rm -r /data/store")),
            ("mkdir -p -- /tmp/j7 /data/n", Like("mkdir -p /tmp/j7 /data/n")),
            ("cp -- src/a /tmp/j7", Allow),
        ],
    ),
    (
        "work in a temp folder after going there passes",
        true,
        &[
            ("cd /tmp && rm -r one two", Allow),
            ("cd /tmp/j7; mkdir a; mv a b; rm -r b", Allow),
            ("cd \"$(mktemp -d)\" && git clone https://example.org/x.git && rm -rf x", Allow),
            ("cd /tmp && rm -r ../data/store", Deny(&["/data/store"])),
        ],
    ),
    (
        "a quoted here-document is text, wherever it goes",
        false,
        &[
            (
                "D=/tmp/j7 && cat > \"$D/notes.md\" <<'END'\nrun `make` and $(mkdir /data/n)\nEND\nwc -l \"$D/notes.md\"",
                Allow,
            ),
            ("cat <<'END' | grep mkdir\nmkdir /data/n\nEND", Allow),
            ("cat > src/x.sh <<-'END'\n\tmkdir /data/n\n\tEND", Allow),
            ("cat > src/x.txt <<END\n$(mkdir /data/n)\nEND", Deny(&["/data/n"])),
        ],
    ),
    (
        "a command behind a here-document's start does not turn its text into commands",
        true,
        &[
            ("cat > plan.md <<END; wc plan.md\nrm -rf /data/store\nmkdir /data/n\nEND", Allow),
            ("cat <<A <<B; echo ok\nrm -r /data/store\nA\nmkdir /data/n\nB", Allow),
            ("cat > plan.md <<END && mkdir /data/n\ntext\nEND", Deny(&["/data/n"])),
        ],
    ),
    (
        "text that a program only looks at is no command",
        false,
        &[
            ("reviewer check --command \"mkdir /data/n\"", Allow),
            ("gh pr create --body 'run mkdir /data/n first'", Allow),
            ("jq -n --arg c 'touch /data/n' '$c'", Allow),
            ("grep -F 'rm -rf /data/store' src/a", Allow),
        ],
    ),
    (
        "looking at the guard itself is free",
        false,
        &[
            ("wsguard explain 'mkdir /data/n'", Allow),
            ("wsguard status", Allow),
            ("wsguard explain 'ls' > /data/n", Deny(&["/data/n"])),
            ("wsguard explain ls; mkdir /data/n", Deny(&["/data/n"])),
            ("wsguard allow /data", Refuse),
        ],
    ),
    (
        "an absolute path is not the root because it begins like it",
        true,
        &[("rm -rf /tmp/out", Allow), ("rm -rf /home/kim/shop/cache", Allow), ("rm -rf / tmp", Refuse)],
    ),
    (
        "separators in quotes separate nothing",
        false,
        &[
            ("git commit -m \"fix; cp a /data/n\"", Allow),
            ("echo 'a && mkdir /data/n | tee /data/m'", Allow),
            ("git commit -m 'one' -m \"two > /data/n\"", Allow),
            ("git commit -m \"$(cp src/a /data/n)\"", Deny(&["/data/n"])),
        ],
    ),
    (
        "a word with a slash is not always a path of this machine",
        false,
        &[
            ("http POST /v2/orders; ssh web1 ls /opt/site", Allow),
            ("curl -s localhost:8080/api/n -d path=/data/n", Allow),
            ("docker exec db ls /var/lib/n", Allow),
            ("kubectl cp web-0:/data/n ./n", Allow),
            ("rsync -n src/ web1:/data/n/", Allow),
        ],
    ),
    (
        "the command's own HOME is home",
        false,
        &[
            ("HOME=/data/kim; cd && mkdir n", Deny(&["/data/kim/n"])),
            ("export HOME=/tmp/h; touch ~/n", Allow),
            ("env HOME=/data/kim sh -c 'mkdir ~/n'", Deny(&["/data/kim/n"])),
            ("HOME=/tmp/h sh -c 'touch \"$HOME/n\"'", Allow),
        ],
    ),
    (
        "changing a file in place by a shell is as much a change as an edit",
        true,
        &[
            ("sed -i.orig s/1/2/ /data/store/prices.csv", Deny(&["/data/store/prices.csv"])),
            ("perl -pi -e s/1/2/ /data/store/prices.csv", Deny(&["/data/store/prices.csv"])),
            ("tee /data/store/prices.csv <<'END'\nx\nEND", Deny(&["/data/store/prices.csv"])),
            ("cat > /data/store/prices.csv < a", Deny(&["/data/store/prices.csv"])),
            ("truncate -s 0 /data/store/prices.csv", Deny(&["/data/store/prices.csv"])),
            ("sed s/1/2/ /data/store/prices.csv", Allow),
        ],
    ),
    (
        "a sign of redirection in quotes is a character",
        false,
        &[
            ("printf 'k=v' | sed 's/=.*/=>\\/data\\/n/'", Allow),
            ("awk '$1 > 3' a", Allow),
            ("grep '>/data/n' a", Allow),
            ("echo a \\> /data/n", Allow),
            ("[[ a > /data/n ]]", Allow),
        ],
    ),
    (
        "in the body of a loop quotes protect and commands count",
        false,
        &[
            ("for i in a b; do echo 'mkdir /data/n' | wc; done", Allow),
            ("for i in a b; do mkdir /data/n$i; done", Deny(&["/data/na", "/data/nb"])),
            ("while false; do echo \"rm > /data/n\"; done", Allow),
            ("if ls; then touch /data/n; fi", Deny(&["/data/n"])),
            ("case $x in a) echo '> /data/n';; *) : > /data/m;; esac", Deny(&["/data/m"])),
        ],
    ),
    (
        "the rest of a here-document's line is command",
        false,
        &[
            ("cat <<END > /data/n; mkdir /data/m\nx\nEND", Deny(&["/data/n", "/data/m"])),
            ("cat <<END | tee /data/n\nx\nEND", Deny(&["/data/n"])),
            ("cat <<'END' && touch /data/n\nx\nEND", Deny(&["/data/n"])),
        ],
    ),
    (
        "a NUL is never accepted",
        false,
        &[("mkdir n\0m", Refuse), ("ls\0; mkdir /data/n", Refuse), ("echo 'a\0b'", Refuse)],
    ),
    (
        "a program is known by its base name",
        false,
        &[
            ("/usr/bin/mkdir /data/n", Deny(&["/data/n"])),
            ("/bin/../bin/touch /data/n", Deny(&["/data/n"])),
            ("\\mkdir /data/n", Deny(&["/data/n"])),
            ("\"mk\"dir /data/n", Deny(&["/data/n"])),
            ("/bin/ls /data/n", Allow),
        ],
    ),
    (
        "many small commands in one call pass",
        false,
        &[("for d in a b c d e f g h; do mkdir -p out/$d && cp src/a out/$d/; done", Allow)],
    ),
    (
        "a link is judged by where it leads, and one that stays inside is fine",
        false,
        &[
            ("touch docs/n.md", Allow),
            ("touch store/n.md", Deny(&["/home/kim/shop/store/n.md"])),
            ("git clone https://example.org/x.git store/x", Deny(&["/home/kim/shop/store/x"])),
            ("git worktree add store/w", Deny(&["/home/kim/shop/store/w"])),
        ],
    ),
    (
        "what another tool's fixed operation would not take is still two commands",
        false,
        &[("git status; mkdir /data/n", Deny(&["/data/n"])), ("git 'status; mkdir /data/n'", Allow)],
    ),
    (
        "text typed into a session that runs is judged",
        false,
        &[
            ("tmux send-keys -t w 'mkdir /data/n' Enter", Deny(&["/data/n"])),
            ("screen -S w -X stuff 'touch /data/n^M'", Deny(&["/data/n"])),
            ("tmux send-keys -t w 'q'", Allow),
        ],
    ),
    (
        "a state folder in home is opened by one setting",
        true,
        &[("find ~/.tool/runs -mtime +3 -delete", Deny(&["/home/kim/.tool/runs"]))],
    ),
];

/// A machine with a project, and a store outside of it.
fn world() -> FakeWorld {
    FakeWorld::new(Model::Posix)
        .with_home("/home/kim")
        .dir("/home/kim/shop/cache")
        .dir("/home/kim/shop/notes")
        .file("/home/kim/shop/src/a", "")
        .file("/home/kim/shop/.git/config", "")
        .file("/home/kim/shop/.git/HEAD", "")
        .file("/home/kim/shop/.git/info/exclude", "")
        .dir("/home/kim/shop/.git/hooks")
        .link("/home/kim/shop/docs", "notes")
        .link("/home/kim/shop/store", "/data/store")
        .dir("/home/kim/wiki")
        .file("/home/kim/.tool/runs/1", "")
        .file("/data/store/prices.csv", "")
        .dir("/data/kim")
        .dir("/tmp/j7")
        .dir("/tmp/h")
}

fn judged(world: &FakeWorld, policy: &Policy, tool: Tool) -> Judgement {
    let model =
        policy.protect_drives.first().map_or(Model::Posix, |d| if d == "/" { Model::Posix } else { Model::Windows });
    let (home, project) = match model {
        Model::Posix => ("/home/kim/.wsguard", "/home/kim/shop"),
        Model::Windows => (r"D:\kim\.wsguard", r"D:\kim\shop"),
    };
    let place = Place {
        home: home.into(),
        project: Some(project.into()),
        scratch: model.join(home, "scratch/s1"),
        temp: model.join(home, "cache/tmp"),
        ..Place::default()
    };
    let call = ToolCall {
        harness: "claude-code",
        session: "s1".into(),
        call: None,
        cwd: project.into(),
        tool,
        writes: Vec::new(),
    };
    judge(&Inputs { call: &call, world, policy, place: &place, granted: &|_| false })
}

fn of(command: &str, protect_existing: bool) -> Judgement {
    let policy = Policy { protect_existing, ..Policy::for_model(Model::Posix) };
    judged(&world(), &policy, Tool::Shell { dialect: Dialect::Bash, command: command.into(), workdir: None })
}

/// Everything that a judgement says of the disk, without its spans.
fn effects(judgement: &Judgement) -> Vec<(EffectKind, Target)> {
    judgement.effects.iter().map(|j| (j.effect.kind, j.effect.target.clone())).collect()
}

fn is_refused(judgement: &Judgement) -> bool {
    matches!(judgement.verdict, Verdict::Deny { .. })
}

/// What is wrong with the judgement of one command.
fn fault(command: &str, protect: bool, want: Want) -> Option<String> {
    let got = of(command, protect);
    let refused = is_refused(&got);
    match want {
        Allow => refused.then(|| format!("refused: {:?}", got.broken)),
        Refuse => (!refused).then(|| "passes".to_owned()),
        Like(other) => {
            let other = of(other, protect);
            let same = effects(&got) == effects(&other) && is_refused(&other) == refused && !effects(&got).is_empty();
            (!same && got.effects != other.effects).then(|| format!("{:?} and {:?}", effects(&got), effects(&other)))
        }
        Deny(paths) => {
            let breaks = |path: &&&str| {
                got.effects.iter().any(|j| {
                    let at = match &j.effect.target {
                        Target::Path(at) | Target::Inside(at) => at,
                        Target::Opaque => return false,
                    };
                    matches!(j.standing, workspace_guard::gate::Standing::Violation(_))
                        && (at == *path || at.starts_with(&format!("{path}/")))
                })
            };
            let missing: Vec<_> = paths.iter().filter(|path| !breaks(path)).collect();
            (!refused || !missing.is_empty())
                .then(|| format!("nothing breaks a rule at {missing:?}: {:?}", effects(&got)))
        }
    }
}

#[test]
fn each_kind_of_complaint() {
    let mut wrong = Vec::new();
    for (kind, protect, commands) in KINDS {
        for (command, want) in *commands {
            if let Some(fault) = fault(command, *protect, *want) {
                wrong.push(format!("{kind}\n  {command}\n  {fault}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// A housekeeping job in a state folder is a matter of one setting, and the reason says which.
#[test]
fn a_refusal_says_what_would_allow_it() {
    let command = "find ~/.tool/runs -mtime +3 -delete";
    let Verdict::Deny { reason } = of(command, true).verdict else { panic!("it passes") };
    assert!(reason.contains("wsguard allow /home/kim/.tool/runs") && reason.contains("allow_roots"), "{reason}");
    let policy = Policy {
        protect_existing: true,
        allow_roots: vec!["/home/kim/.tool".into()],
        ..Policy::for_model(Model::Posix)
    };
    let tool = Tool::Shell { dialect: Dialect::Bash, command: command.into(), workdir: None };
    assert!(!is_refused(&judged(&world(), &policy, tool)));
}

/// Nested, unclosed and long: an answer comes at once, and what is not understood is refused.
#[test]
fn no_text_keeps_the_guard_busy() {
    let most = 64 * 1024;
    for (head, unit) in [
        ("rm -r /data/store; ", "$("),
        ("echo ", "${a:-"),
        ("echo `", "`"),
        ("", "\"$("),
        ("x=", "$(("),
        ("", "<(cat "),
        ("", "{ "),
        ("", "if "),
        ("cat ", "<<E "),
        ("", "a | "),
        ("echo ", "{a,b}"),
    ] {
        let text = format!("{head}{}", unit.repeat((most - head.len()) / unit.len()));
        let start = Instant::now();
        let judgement = of(&text, true);
        // A test's build is some thirty times slower than the one that is shipped, and not alone on its machine.
        assert!(start.elapsed() < Duration::from_secs(5), "{unit:?}: {:?}", start.elapsed());
        assert!(is_refused(&judgement), "{unit:?}");
    }
}

/// An ordinary command of many parts costs little.
#[test]
fn many_parts_are_judged_at_once() {
    let parts: Vec<String> = (0..40).map(|n| format!("mkdir -p out/{n} && cp src/a out/{n}/")).collect();
    let command = parts.join(" && ");
    let start = Instant::now();
    assert!(!is_refused(&of(&command, false)));
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

/// Paths with a drive are such whatever machine judges them, and capitals make no other place.
#[test]
fn drives_and_backslashes() {
    let world = FakeWorld::new(Model::Windows)
        .with_home(r"D:\kim")
        .dir(r"D:\kim\shop\src")
        .dir(r"D:\data")
        .dir(r"Y:\share\k8s");
    let policy = Policy {
        protect_drives: vec!["D".into(), "Y".into()],
        allow_roots: vec![r"d:\KIM\Docs".into(), r"Y:\share\k8s".into()],
        ..Policy::for_model(Model::Windows)
    };
    let write = |path: &str| {
        let tool = Tool::Write { paths: vec![path.into()], known: true };
        is_refused(&judged(&world, &policy, tool))
    };
    for path in
        [r"D:\data\new.txt", r"D:/data/new.txt", r"d:\data\new.txt", r"D:\kim\shop2\a", r"\data\new.txt", r"Y:\share\a"]
    {
        assert!(write(path), "{path}");
    }
    for path in [
        r"D:\kim\shop\src\new.txt",
        r"d:\KIM\SHOP\new.txt",
        "D:/kim/shop/new.txt",
        r"src\new.txt",
        r"D:\kim\docs\sub\a.txt",
        r"Y:\share\k8s\a.txt",
        r"y:\SHARE\K8S\sub\a.txt",
    ] {
        assert!(!write(path), "{path}");
    }
}

/// What the client's own rules allow is not asked of it: the mode of permissions changes no verdict.
#[test]
fn no_mode_of_the_client_skips_the_paths() {
    let env = TestEnv::new();
    let path = env.outside("made");
    for mode in ["default", "acceptEdits", "bypassPermissions", "dontAsk", "auto"] {
        let call = Payload::bash(&env.project(), &format!("cp a.txt {path}")).with("permission_mode", json!(mode));
        env.hook(&call).assert_denied(&path);
    }
}

/// A stale folder in the payload: the reason names the path in full, and with it the folder that was used.
#[test]
fn a_reason_names_whole_paths() {
    let env = TestEnv::new();
    let payload = Payload::bash(&env.root().join("outside"), "touch made.txt");
    env.hook(&payload).assert_denied(&env.outside("made.txt"));
}

/// A session that ended badly leaves a folder that is listed, and its owner is named.
#[test]
fn what_a_dead_session_left_is_listed() {
    let env = TestEnv::new();
    env.bash(&format!("mkdir {}", env.outside("x"))).assert_refused();
    assert!(env.scratch().is_dir());
    let payload = Payload::session_start(&env.project(), "startup").session("5f4b1d7e-0000-4000-8000-000000000001");
    env.hook(&payload).assert_context("SessionStart");
    let listed = env.wsguard_ok(&["session", "--json"]);
    assert!(listed.contains(crate::payload::SESSION), "{listed}");
}

/// Kinds that are held by tests of the part that they are about.
const ELSEWHERE: &[(&str, &str)] = &[
    ("a field that is there in two spellings hides no call", "events.rs doubled_spellings_of_a_field_are_parsed"),
    ("one channel for the verdict, and the event is always named", "events.rs refusal_is_exactly_the_clients_form"),
    ("a usage error is no verdict", "cli.rs a_usage_error_is_never_a_verdict"),
    ("a wrong flag in the registration locks nobody out", "events.rs wrong_flags_do_not_lock_the_agent_out"),
    ("a registration that is silently off is named", "doctor.rs every_broken_registration_is_named"),
    ("the time of the last event is shown", "doctor.rs the_last_event_is_looked_at"),
    ("tools of servers are judged by what they write", "write_gate.rs every_writing_tool_is_judged"),
    (
        "a temp folder too long for sockets is named with the limit",
        "session_cli.rs a_temp_folder_too_long_for_sockets_is_a_notice",
    ),
    (
        "scratch is cleaned by its owner's life, not by age alone",
        "session_cli.rs cleaning_needs_a_yes_and_takes_only_old_sessions",
    ),
    ("settings are spliced, never replaced", "install.rs everything_else_keeps_its_bytes"),
    ("settings that can't be read are kept as they are", "install.rs what_is_no_settings_file_is_refused_and_kept"),
    ("settings behind a link stay behind it", "install.rs a_link_is_followed_and_stays"),
    (
        "a suggestion is accepted by the gate that made it",
        "corrected.rs a_corrected_command_is_allowed_and_makes_nothing_outside",
    ),
    ("judging changes nothing on the disk", "explain.rs explaining_writes_nothing"),
];

#[test]
fn the_other_kinds_have_their_tests() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    for (kind, place) in ELSEWHERE {
        let (file, test) = place.split_once(' ').unwrap_or((place, ""));
        let source = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        assert!(source.contains(&format!("fn {test}")), "{kind}: no {place}");
    }
}
