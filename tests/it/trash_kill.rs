//! Killed at every system call: after each, what was recycled is whole at exactly one place, and the next command finishes or
//! undoes the act and says which.
//!
//! `strace` ends the program as it enters its n-th call of a kind, for every call that a run makes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::env::{RawOutput, run, text};
use crate::report;
use crate::trash::{Yard, is_whole, parsed};

/// A call of a run: its name, and which of that name it is.
type Call = (String, usize);

/// The calls that `wsguard ARGS` makes. `None`: programs can't be traced here.
fn calls(yard: &Yard, args: &[&str]) -> Option<(RawOutput, Vec<Call>)> {
    let trace = yard.env.root().join("outside/trace");
    let mut command = yard.env.command("strace");
    command.args(["-f", "-o"]).arg(&trace).arg(yard.env.program("wsguard")).args(args);
    let out = run(command, b"");
    let lines = fs::read_to_string(&trace).unwrap_or_default();
    let mut count = BTreeMap::<&str, usize>::new();
    let mut calls = Vec::new();
    for line in lines.lines() {
        // `1234 openat(AT_FDCWD, …`; ends and signals have another form.
        let Some((name, _)) = line.split_once(' ').and_then(|(_, call)| call.trim_start().split_once('(')) else {
            continue;
        };
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_') {
            continue;
        }
        let nth = count.entry(name).or_default();
        *nth += 1;
        calls.push((name.to_owned(), *nth));
    }
    (calls.len() > 20).then_some((out, calls))
}

/// Runs `wsguard ARGS` up to its call `call`; whether it was killed there.
fn killed(yard: &Yard, args: &[&str], (name, nth): &Call) -> bool {
    let mut command = yard.env.command("strace");
    command.args(["-f", "-o", "/dev/null"]);
    command.args(["-e", &format!("trace={name}"), "-e", &format!("inject={name}:signal=KILL:when={nth}")]);
    command.arg(yard.env.program("wsguard")).args(args);
    let out = run(command, b"");
    out.code.is_none() || out.code == Some(137)
}

pub(crate) fn can_trace() -> bool {
    let traced = Command::new("strace").args(["-f", "-o", "/dev/null", "-e", "trace=write"]).arg("true").output();
    let works = traced.as_ref().is_ok_and(|out| out.status.success());
    if !works {
        report::skipped(&format!("the trash killed at every system call: strace can't trace here: {traced:?}"));
    }
    works
}

/// Whether what is recycled goes to this test's own HOME; where the top of the volume may be written by everybody, it is shared
/// with others, and what lies there is not this test's alone.
fn has_own_trash(yard: &Yard, path: &Path) -> bool {
    let to = yard.recycle(path, &[]).1["to"].as_str().map(PathBuf::from);
    let own = to.as_ref().is_none_or(|to| to.starts_with(yard.env.root()));
    if !own {
        report::skipped(&format!("the trash killed at every system call: it would be {to:?}, which others use too"));
    }
    own
}

/// What lies in the trash: folders, and whether their payload is whole.
fn folders(yard: &Yard) -> Vec<(String, bool)> {
    let trash = yard.env.guard_home().join("trash");
    let entries = fs::read_dir(trash).into_iter().flatten().map(Result::unwrap);
    let folders = entries.filter(|entry| entry.path().is_dir());
    folders.map(|entry| (entry.file_name().into_string().unwrap(), is_whole(&entry.path().join("payload")))).collect()
}

fn act_of(folder: &str) -> Option<&'static str> {
    let words = [(".recycling", "recycle"), (".restoring", "restore"), (".purging", "purge")];
    words.iter().find(|(word, _)| folder.ends_with(word)).map(|(_, act)| *act)
}

/// What is killed.
#[derive(Clone, Copy)]
pub(crate) struct Killed<'a> {
    /// Where the entry belongs.
    pub(crate) path: &'a Path,
    /// `recycle`, `restore` or `purge`.
    pub(crate) act: &'a str,
    /// To another volume: for a time there are two that are whole.
    pub(crate) copies: bool,
}

/// How many are whole beside the entry's place, under the names that copying gives.
fn beside(path: &Path) -> Vec<bool> {
    let entries = fs::read_dir(path.parent().unwrap()).unwrap().map(Result::unwrap);
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".wsguard-"));
    ours.map(|entry| is_whole(&entry.path())).collect()
}

/// After a kill: the data is whole at one place; the next command puts right what it says, and the index follows.
/// Gives the id of the item that holds it, if it is in the trash.
fn check(yard: &Yard, Killed { path, act, copies }: Killed<'_>, call: &Call) -> Option<String> {
    let before = folders(yard);
    let begun: Vec<&str> = before.iter().filter_map(|(folder, _)| act_of(folder)).collect();
    assert!(before.len() <= 1, "{call:?}: {before:?}");
    let aside = beside(path);
    let whole = usize::from(is_whole(path)) + before.iter().filter(|(_, whole)| *whole).count();
    // What is being removed for good, or is gone by that, need not be whole.
    let purged = act == "purge" && before.is_empty() && !path.exists();
    if copies {
        assert!(whole + aside.iter().filter(|whole| **whole).count() > 0, "{call:?}: {before:?}");
        assert!(is_whole(path) || !path.exists(), "{call:?}");
    } else if begun != ["purge"] && !purged {
        assert_eq!((whole, aside.len()), (1, 0), "{call:?}: {before:?}");
        assert!(is_whole(path) || !path.exists(), "{call:?}");
    }
    let listed = parsed(&yard.env.wsguard(&["trash", "list", "--json"]));
    let said: Vec<&str> =
        listed["recovered"].as_array().unwrap().iter().map(|one| one["act"].as_str().unwrap()).collect();
    assert_eq!(said, begun, "{call:?}: {listed:#}");
    let after = folders(yard);
    assert!(after.iter().all(|(folder, _)| act_of(folder).is_none()), "{call:?}: {after:?}");
    let row = yard.row(path);
    // The trash of the whole machine is listed; others' items are none of ours.
    let ours = |item: &&serde_json::Value| {
        let path = item["manifest"]["originalPath"].as_str().filter(|path| !path.is_empty());
        path.or(item["item"].as_str()).is_some_and(|path| Path::new(path).starts_with(yard.env.root()))
    };
    let item =
        listed["items"].as_array().unwrap().iter().find(ours).map(|item| item["id"].as_str().unwrap().to_owned());
    assert_eq!(row["trash"].as_str(), item.as_deref(), "{call:?}: {row:#}");
    assert_eq!(row["gone"].is_null(), path.exists(), "{call:?}: {row:#}");
    let whole: Vec<bool> = after.iter().map(|(_, whole)| *whole).collect();
    let want: &[bool] = if item.is_some() { &[true] } else { &[] };
    assert_eq!(whole, want, "{call:?}: {after:?}");
    assert!(item.is_none() || !path.exists(), "{call:?}");
    assert!(beside(path).is_empty(), "{call:?}: something was left beside it");
    if let Some(one) = listed["recovered"].as_array().unwrap().first() {
        let done = match one["act"].as_str().unwrap() {
            "recycle" => item.is_some(),
            "restore" => path.exists(),
            _ => item.is_none() && !path.exists(),
        };
        assert_eq!(one["result"], if done { "finished" } else { "undone" }, "{call:?}: {one:#}");
    }
    item
}

/// How often each end was met, so that a test that kills nothing does not pass.
#[derive(Debug, Default)]
struct Met {
    killed: usize,
    before: usize,
    after: usize,
}

/// Kills `wsguard ARGS` at each of its calls, with the entry made ready before by `ready`, which is told the item that
/// holds it, and gives the one that `args` is to be told.
pub(crate) fn each_call(
    yard: &Yard,
    what: Killed<'_>,
    args: &dyn Fn(&str) -> Vec<String>,
    ready: &dyn Fn(&Yard, Option<String>) -> String,
) {
    let path = what.path;
    let id = ready(yard, None);
    let with = |id: &str| args(id);
    let words = with(&id);
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let (out, mut calls) = calls(yard, &words).unwrap_or_else(|| panic!("strace gives no calls"));
    if what.copies {
        // The rest of the program is the same as without.
        calls.retain(|(name, _)| CHANGING.contains(&&**name));
    }
    assert_eq!(out.code, Some(0), "{out:?}");
    let mut met = Met::default();
    let mut item = check(yard, what, &("none".to_owned(), 0));
    for call in &calls {
        let id = ready(yard, item.take());
        let words = with(&id);
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        let was_there = path.exists();
        met.killed += usize::from(killed(yard, &words, call));
        item = check(yard, what, call);
        let moved = path.exists() != was_there || (item.is_none() && !path.exists());
        *(if moved { &mut met.after } else { &mut met.before }) += 1;
    }
    // Some calls are made by threads or in another number each time.
    assert!(met.killed * 10 > calls.len() * 9, "{met:?} of {}", calls.len());
    assert!(met.before > 20 && met.after > 0, "{met:?}");
    assert!(yard.env.wsguard_ok(&["audit", "verify"]).contains("whole"));
}

/// Calls that change something, or open what is changed.
const CHANGING: [&str; 17] = [
    "copy_file_range",
    "fchmod",
    "fchown",
    "fdatasync",
    "flock",
    "fsetxattr",
    "fsync",
    "ftruncate",
    "linkat",
    "mkdirat",
    "openat",
    "renameat2",
    "sendfile",
    "symlinkat",
    "unlinkat",
    "utimensat",
    "write",
];

pub(crate) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_recycle() {
    if !can_trace() {
        return;
    }
    let yard = Yard::new();
    let path = yard.folder("data");
    if !has_own_trash(&yard, &path) {
        return;
    }
    let shown = text(&path);
    let back = |yard: &Yard, item: Option<String>| {
        item.inspect(|id| assert_eq!(yard.trash(&["restore", id]).0, Some(0))).unwrap_or_default()
    };
    each_call(
        &yard,
        Killed { path: &path, act: "recycle", copies: false },
        &|_| words(&["recycle", &shown, "--confirm"]),
        &back,
    );
}

#[test]
fn a_restore() {
    if !can_trace() {
        return;
    }
    let yard = Yard::new();
    let path = yard.folder("data");
    if !has_own_trash(&yard, &path) {
        return;
    }
    let away = |yard: &Yard, item: Option<String>| item.unwrap_or_else(|| yard.recycled(&path));
    each_call(
        &yard,
        Killed { path: &path, act: "restore", copies: false },
        &|id| words(&["trash", "restore", id]),
        &away,
    );
}

#[test]
fn a_purge() {
    if !can_trace() {
        return;
    }
    let yard = Yard::new();
    let path = yard.folder("data");
    if !has_own_trash(&yard, &path) {
        return;
    }
    let away = |yard: &Yard, item: Option<String>| item.unwrap_or_else(|| yard.recycled(&yard.folder("data")));
    each_call(
        &yard,
        Killed { path: &path, act: "purge", copies: false },
        &|id| words(&["trash", "purge", id, "--confirm"]),
        &away,
    );
}
