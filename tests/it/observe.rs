//! Observation through the hook: what is made, by whatever means, is found and attributed, or said to be unattributed.

use std::{
    fs,
    path::PathBuf,
    thread::sleep,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};

use crate::{
    env::{TestEnv, symlink, text},
    payload::{Payload, SESSION},
    platform::portable,
};

/// Longer than any file's time may lag behind the clock.
const TICK: Duration = Duration::from_millis(60);

/// A machine whose only scan root is the folder `outside`.
pub(crate) fn watched(more: &str) -> TestEnv {
    let env = TestEnv::new();
    let root = toml(&env.root().join("outside"));
    let on = if more.contains("observe") { "" } else { "observe = true\n" };
    env.config(&format!("{on}scan_roots = [{root}]\n{more}"));
    env.hook(&Payload::session_start(&env.project(), "startup"));
    env
}

fn toml(path: &std::path::Path) -> String {
    format!("'{}'", text(path))
}

/// One call's payloads.
pub(crate) struct Call<'a> {
    pub(crate) env: &'a TestEnv,
    pub(crate) session: &'a str,
    pub(crate) id: &'a str,
    pub(crate) command: &'a str,
}

impl Call<'_> {
    fn payload(&self, post: bool) -> Payload {
        let project = self.env.project();
        let make = if post { Payload::post_bash } else { Payload::bash };
        make(&project, self.command).session(self.session).with("tool_use_id", json!(self.id))
    }

    /// `PreToolUse`, which lets it pass.
    pub(crate) fn start(&self) -> &Self {
        self.env.hook(&self.payload(false)).assert_pass();
        self
    }

    /// The hook with one of its payloads, not waited for.
    #[cfg(unix)]
    pub(crate) fn spawn(&self, post: bool) -> std::process::Child {
        use std::io::Write as _;
        use std::process::Stdio;
        let mut command = self.env.hook_command();
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = crate::process::spawn(&mut command);
        child.stdin.take().unwrap().write_all(&self.payload(post).line()).unwrap();
        child
    }

    /// `PreToolUse` or `PostToolUse`, again where the machine was too busy for an answer in time; how often that was.
    #[cfg(unix)]
    pub(crate) fn insist(&self, post: bool) -> usize {
        use crate::env::Answer;
        let late = |answer: &Answer| matches!(answer, Answer::Deny(why) if why.contains("within hook_deadline_ms"));
        for again in 0..100 {
            let out = self.env.hook(&self.payload(post));
            if !late(&out.answer()) {
                out.assert_pass();
                return again;
            }
        }
        panic!("{} was never answered", self.id);
    }

    /// `PostToolUse`.
    pub(crate) fn end(&self) {
        self.env.hook(&self.payload(true)).assert_pass();
    }
}

fn call<'a>(env: &'a TestEnv, id: &'a str, command: &'a str) -> Call<'a> {
    Call { env, session: SESSION, id, command }
}

/// The journal's lines, each of which must be whole, with paths as [`text`] spells them.
pub(crate) fn journal(env: &TestEnv) -> Vec<Value> {
    let text = fs::read_to_string(env.guard_home().join("workspace-mgr/journal.jsonl")).unwrap();
    assert!(text.ends_with('\n'), "the last line is torn");
    let read = |line: &str| serde_json::from_str(&portable(line.to_owned())).unwrap_or_else(|e| panic!("{e}: {line}"));
    text.lines().map(read).collect()
}

/// What the journal says of the entry `name` of the scan root, without its calls.
fn about(env: &TestEnv, name: &str) -> Vec<Value> {
    let path = env.outside(name);
    journal(env).into_iter().filter(|line| line["path"] == json!(path)).collect()
}

/// Kind, grade, the call in the line and all candidates of the last line about `name`.
fn last(env: &TestEnv, name: &str) -> (String, String, String, String) {
    let line = about(env, name).pop().unwrap_or_else(|| panic!("nothing of {name}: {:#?}", journal(env)));
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let candidates = line["attribution"]["candidates"].as_array().unwrap();
    let candidates: Vec<_> = candidates.iter().map(|c| word(&c["call"])).collect();
    (word(&line["kind"]), word(&line["attribution"]["grade"]), word(&line["call"]), candidates.join(" "))
}

fn check(env: &TestEnv, name: &str, want: (&str, &str, &str, &str)) {
    let (kind, grade, call, candidates) = last(env, name);
    assert_eq!((&*kind, &*grade, &*call, &*candidates), want, "{name}: {:#?}", about(env, name));
}

fn make(env: &TestEnv, name: &str) -> PathBuf {
    let path = PathBuf::from(env.outside(name));
    fs::create_dir(&path).unwrap();
    path
}

/// Puts another folder in the place of one. Some file systems give the new one the number of the old one.
fn replace(env: &TestEnv, folder: &std::path::Path) {
    if cfg!(windows) {
        // There the number alone tells one from another, and none is given twice but by file systems below Wine.
        let new = env.root().join("new");
        fs::create_dir(&new).unwrap();
        fs::remove_dir(folder).unwrap();
        fs::rename(new, folder).unwrap();
    } else {
        fs::remove_dir(folder).unwrap();
        fs::create_dir(folder).unwrap();
    }
}

fn kinds(env: &TestEnv, kind: &str) -> usize {
    journal(env).iter().filter(|line| line["kind"] == kind).count()
}

#[test]
fn what_a_call_makes_is_its_own() {
    let env = watched("");
    let first = call(&env, "c1", "./build");
    first.start();
    make(&env, "a");
    first.end();
    check(&env, "a", ("appeared", "certain", "c1", "c1"));
    let line = about(&env, "a").pop().unwrap();
    assert_eq!(
        (&line["entryKind"], &line["tool"], &line["excerpt"]),
        (&json!("dir"), &json!("shell"), &json!("./build"))
    );
    assert!(line["signature"].as_str().unwrap().starts_with("d:") && line["time"].is_string(), "{line}");
    // Something of the first may still run: only what the command names is certain.
    let second = call(&env, "c2", "./build again");
    second.start();
    fs::write(env.outside("b"), "").unwrap();
    second.end();
    check(&env, "b", ("appeared", "likely", "c2", "c2"));
    let third = call(&env, "c3", "touch c");
    third.start();
    fs::write(env.outside("c"), "").unwrap();
    third.end();
    check(&env, "c", ("appeared", "certain", "c3", "c3"));
    assert_eq!((kinds(&env, "callStart"), kinds(&env, "callEnd")), (3, 3));
}

#[test]
fn what_is_made_between_calls_is_not_blamed_on_the_next() {
    let env = watched("");
    make(&env, "before-any");
    call(&env, "c0", "ls").start().end();
    check(&env, "before-any", ("appeared", "unattributed", "", ""));
    for (n, other) in [("n1", "c0"), ("n2", "c1 c0")] {
        sleep(TICK);
        make(&env, n);
        sleep(TICK);
        let id = if n == "n1" { "c1" } else { "c2" };
        call(&env, id, &format!("mkdir {n}")).start();
        let line = about(&env, n).pop().unwrap();
        assert_eq!(line["between"], json!(true), "{line}");
        let candidates = last(&env, n).3;
        assert_eq!(candidates, other, "{line}");
        call(&env, id, &format!("mkdir {n}")).end();
        assert_eq!(about(&env, n).len(), 1);
    }
}

#[test]
fn a_child_that_outlives_its_call() {
    let env = watched("");
    let parent = call(&env, "parent", "(sleep 1; ./late) &");
    parent.start().end();
    call(&env, "other", "ls").start().end();
    sleep(TICK);
    make(&env, "late-1");
    sleep(TICK);
    let next = call(&env, "next", "make");
    next.start();
    check(&env, "late-1", ("appeared", "likely", "parent", "parent other"));
    // While another call runs both are candidates, and nothing is certain.
    make(&env, "late-2");
    next.end();
    check(&env, "late-2", ("appeared", "ambiguous", "", "next parent"));
}

#[test]
fn several_calls_at_once() {
    let env = watched("");
    let one = Call { env: &env, session: "s1", id: "one", command: "./x" };
    let two = Call { env: &env, session: "s2", id: "two", command: "./y" };
    let naming = Call { env: &env, session: "s3", id: "naming", command: "cp -r a named" };
    one.start();
    two.start();
    make(&env, "both");
    naming.start();
    make(&env, "named");
    one.end();
    check(&env, "named", ("appeared", "likely", "naming", last(&env, "named").3.as_str()));
    let sorted = |name: &str| {
        let mut calls: Vec<_> = last(&env, name).3.split(' ').map(str::to_owned).collect();
        calls.sort();
        calls.join(" ")
    };
    assert_eq!(sorted("named"), "naming one two");
    assert_eq!((last(&env, "both").1.as_str(), sorted("both").as_str()), ("ambiguous", "one two"));
    naming.end();
    make(&env, "last");
    two.end();
    check(&env, "last", ("appeared", "likely", "two", "two"));
}

#[test]
fn gone_and_replaced() {
    let env = watched("");
    let (gone, replaced) = (make(&env, "gone"), make(&env, "replaced"));
    let c = call(&env, "c1", "./x");
    c.start();
    let signature = |name: &str| about(&env, name).pop().unwrap()["signature"].clone();
    let before = signature("replaced");
    sleep(TICK);
    fs::remove_dir(gone).unwrap();
    replace(&env, &replaced);
    fs::write(env.outside("existing.txt"), "other content\n").unwrap();
    c.end();
    check(&env, "gone", ("vanished", "likely", "c1", "c1"));
    assert_eq!(last(&env, "replaced").0, "changed");
    assert_ne!(signature("replaced"), before);
    assert!(about(&env, "existing.txt").is_empty(), "a change of content is none of the folder's names");
}

#[test]
fn what_is_replaced_beside_something_new_is_seen_when_the_turn_ends_at_the_latest() {
    let env = watched("");
    let replaced = make(&env, "replaced");
    let c = call(&env, "c1", "./x");
    c.start();
    sleep(TICK);
    replace(&env, &replaced);
    sleep(TICK);
    make(&env, "new");
    c.end();
    check(&env, "new", ("appeared", "certain", "c1", "c1"));
    let stop = || env.hook(&Payload::event(&env.project(), "Stop")).assert_pass();
    stop();
    let (kind, _, call, candidates) = last(&env, "replaced");
    assert_eq!((&*kind, &*call, &*candidates), ("changed", "c1", "c1"));
    let lines = journal(&env);
    stop();
    assert_eq!(journal(&env), lines);
}

#[test]
fn made_and_removed_within_one_call() {
    let env = watched("");
    sleep(TICK);
    let c = call(&env, "c1", "./x");
    c.start();
    sleep(TICK);
    fs::remove_dir(make(&env, "short")).unwrap();
    c.end();
    let root = text(&env.root().join("outside"));
    let lines = journal(&env);
    let line = lines.iter().find(|line| line["kind"] == "transient").unwrap_or_else(|| panic!("{lines:#?}"));
    assert_eq!((&line["path"], &line["call"]), (&json!(root), &json!("c1")));
    call(&env, "c2", "./x").start().end();
    assert_eq!(kinds(&env, "transient"), 1);
}

#[test]
fn the_same_event_twice_changes_nothing() {
    let env = watched("");
    let c = call(&env, "c1", "./x");
    c.start().start();
    make(&env, "a");
    c.end();
    let before = journal(&env);
    c.end();
    c.start();
    c.end();
    assert_eq!(journal(&env), before);
}

#[test]
fn calls_without_an_end_are_closed() {
    let env = watched("call_ttl_hours = 1\n");
    let session = |name: &str| env.hook(&Payload::event(&env.project(), name)).assert_pass();
    let outcomes = || {
        let ended = journal(&env).into_iter().filter(|line| line["kind"] == "callEnd");
        ended
            .map(|line| format!("{} {}", line["call"].as_str().unwrap(), line["outcome"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    call(&env, "c1", "./x").start();
    make(&env, "a");
    session("Stop");
    check(&env, "a", ("appeared", "certain", "c1", "c1"));
    assert!(outcomes().is_empty(), "it may still run");
    age(&env, 11 * 60_000);
    session("UserPromptSubmit");
    assert_eq!(outcomes(), ["c1 unanswered"]);
    Call { env: &env, session: "killed", id: "c2", command: "./x" }.start();
    age(&env, 2 * 3_600_000);
    session("Stop");
    assert_eq!(outcomes(), ["c1 unanswered", "c2 agedOut"]);
    call(&env, "c3", "./x").start();
    session("SessionEnd");
    assert_eq!(outcomes(), ["c1 unanswered", "c2 agedOut", "c3 sessionEnded"]);
}

/// Makes every call older: times in the book are numbers of eight bytes.
fn age(env: &TestEnv, by: u64) {
    let path = env.guard_home().join("workspace-mgr/observe/book");
    let mut book = fs::read(&path).unwrap();
    let now: u64 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis().try_into().unwrap();
    let mut aged = 0;
    for at in 0..book.len() - 7 {
        let time = u64::from_le_bytes(book[at..at + 8].try_into().unwrap());
        if (now - 24 * 3_600_000..=now).contains(&time) {
            book[at..at + 8].copy_from_slice(&(time - by).to_le_bytes());
            aged += 1;
        }
    }
    assert!(aged > 0);
    fs::write(path, book).unwrap();
}

#[test]
fn what_can_not_be_watched_is_said_once() {
    let env = TestEnv::new();
    let root = |name: &str| env.root().join("outside").join(name);
    let many = root("many");
    fs::create_dir(&many).unwrap();
    (0..101).for_each(|n| fs::write(many.join(n.to_string()), "").unwrap());
    fs::write(root("file"), "").unwrap();
    let linked = symlink(&many, root("link"));
    let roots: Vec<_> = ["many", "file", "link", "missing"].iter().map(|name| toml(&root(name))).collect();
    env.config(&format!("observe = true\nscan_cap = 100\nscan_roots = [{}]\n", roots.join(", ")));
    call(&env, "c1", "ls").start().end();
    call(&env, "c2", "ls").start();
    fs::create_dir_all(root("missing").join("new")).unwrap();
    call(&env, "c2", "ls").end();
    let said = |name: &str| {
        let lines = about(&env, name).into_iter().filter(|line| line["kind"] == "notice");
        lines.map(|line| line["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(said("many"), ["observe_capped"]);
    assert_eq!(said("file"), ["observe_not_a_folder"]);
    assert_eq!(said("link").len(), usize::from(linked), "{:?}", said("link"));
    // One that is not there yet may come.
    assert!(said("missing").is_empty());
    assert_eq!(last(&env, "missing/new").0, "appeared");
}

#[cfg(unix)]
#[test]
fn a_folder_that_can_not_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let env = TestEnv::unprivileged();
    let locked = env.root().join("outside/locked");
    fs::create_dir(&locked).unwrap();
    env.config(&format!("observe = true\nscan_roots = [{}]\n", toml(&locked)));
    env.give_away(&env.root().join("outside"));
    let mode = |mode| fs::set_permissions(&locked, fs::Permissions::from_mode(mode)).unwrap();
    call(&env, "c1", "ls").start().end();
    mode(0);
    call(&env, "c2", "ls").start().end();
    fs::create_dir(locked.join("new")).ok();
    call(&env, "c3", "ls").start().end();
    let notices = journal(&env).into_iter().filter(|line| line["kind"] == "notice").collect::<Vec<_>>();
    assert_eq!(notices.len(), 1, "{notices:#?}");
    assert_eq!(notices[0]["code"], "observe_unreadable");
    mode(0o700);
}

#[test]
fn deeper_but_through_no_link() {
    let env = watched("scan_depth = 2\nscan_ignore = ['*.log']\n");
    let (folder, elsewhere) = (make(&env, "folder"), env.root().join("elsewhere"));
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, env.root().join("outside/link"));
    call(&env, "c1", "ls").start().end();
    let c = call(&env, "c2", "ls");
    c.start();
    fs::create_dir(folder.join("below")).unwrap();
    fs::create_dir(elsewhere.join("unseen")).unwrap();
    fs::write(env.outside("x.log"), "").unwrap();
    c.end();
    assert_eq!(last(&env, "folder/below").0, "appeared");
    let lines = journal(&env);
    let paths: Vec<_> = lines.iter().filter_map(|line| line["path"].as_str()).collect();
    assert!(!paths.iter().any(|path| path.contains("unseen") || path.contains(".log")), "{paths:?}");
}

#[test]
fn nothing_is_watched_where_it_is_off() {
    let env = watched("observe = false\n");
    call(&env, "c1", "ls").start();
    make(&env, "a");
    call(&env, "c1", "ls").end();
    assert!(about(&env, "a").is_empty());
    assert!(!env.guard_home().join("workspace-mgr/observe").exists());
}

#[test]
fn damage_is_survived() {
    let env = watched("");
    call(&env, "c1", "ls").start().end();
    let dir = env.guard_home().join("workspace-mgr/observe");
    for file in fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        fs::write(file, [0xff; 50]).unwrap();
    }
    fs::create_dir_all(dir.join("late")).unwrap();
    fs::write(dir.join("late/00000000000000aa"), "").unwrap();
    fs::write(dir.join("../observe.lock"), [7; 1000]).unwrap();
    let c = call(&env, "c2", "mkdir a");
    c.start();
    make(&env, "a");
    c.end();
    // The call of which nothing is known may have done it too.
    check(&env, "a", ("appeared", "ambiguous", "", "c2"));
    assert!(kinds(&env, "notice") >= 1);
}

#[test]
fn what_an_earlier_version_left_does_no_harm() {
    let env = TestEnv::new();
    env.config(&format!("observe = true\nscan_roots = [{}]\n", toml(&env.root().join("outside"))));
    let dir = env.guard_home().join("workspace-mgr/observe");
    let key = "00000000000000aa";
    let theirs = ["state", "next", &format!("{key}.folder"), &format!("open/{key}"), &format!("ended/{key}")];
    for name in theirs.into_iter().chain(["mine", "ended/mine"]) {
        fs::create_dir_all(dir.join(name).parent().unwrap()).unwrap();
        fs::write(dir.join(name), [7; 100]).unwrap();
    }
    let c = call(&env, "c1", "./x");
    c.start();
    make(&env, "a");
    c.end();
    // A call that was open then may have done it too.
    check(&env, "a", ("appeared", "ambiguous", "", "c1"));
    let notices: Vec<_> = journal(&env).into_iter().filter(|line| line["kind"] == "notice").collect();
    assert_eq!((notices.len(), &notices[0]["code"]), (1, &json!("observe_older")));
    let left = |name: &&str| dir.join(name).exists();
    assert!(!theirs.iter().any(left) && !dir.join("open").exists());
    assert!(["mine", "ended/mine"].iter().all(left), "what is not theirs stays");
}
