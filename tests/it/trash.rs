//! The trash by its commands: entries go there and come back as they were, and are removed only when that is said.
//!
//! Every test has a trash of its own: processes run without privileges, so none may write at the top of the volume, and
//! what they recycle goes to HOME/trash. The places of other volumes are in `trash_volumes.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::env::{RawOutput, TestEnv, run, text};
use crate::ledger::{json_of, write_lines};

/// A machine with entries that an agent made.
pub(crate) struct Yard {
    pub(crate) env: TestEnv,
}

impl Yard {
    pub(crate) fn new() -> Self {
        let env = TestEnv::unprivileged();
        fs::create_dir_all(env.guard_home().join("workspace-mgr")).unwrap();
        env.give_away(&env.user_home());
        Self { env }
    }

    /// The same with the rights of the tests.
    #[cfg(target_os = "linux")]
    pub(crate) fn privileged() -> Self {
        let env = TestEnv::new();
        fs::create_dir_all(env.guard_home().join("workspace-mgr")).unwrap();
        Self { env }
    }

    /// Makes a folder with some files.
    pub(crate) fn fill(path: &Path) {
        fs::create_dir_all(path.join("inner/empty")).unwrap();
        fs::write(path.join("inner/file"), "what was written").unwrap();
        fs::write(path.join("top"), "x").unwrap();
    }

    /// A folder outside with some files, confirmed to be an agent's.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let path = PathBuf::from(self.env.outside(name));
        Self::fill(&path);
        self.env.give_away(&self.env.root().join("outside"));
        self.confirm(&path);
        path
    }

    /// Puts the entry at `path` into the index, confirmed, measured or not.
    pub(crate) fn confirm(&self, path: &Path) {
        self.note(path, "confirmed");
    }

    /// The same in any state.
    pub(crate) fn note(&self, path: &Path, state: &str) {
        let shown = path.to_string_lossy();
        let shown = if cfg!(windows) { shown.replace('/', r"\") } else { shown.into_owned() };
        let (letter, signature) = signature(path);
        let kind = match letter {
            'd' => "dir",
            'l' => "link",
            _ => "file",
        };
        write_lines(
            &self.env,
            &[
                json!({"v": 2, "time": "2026-01-02T00:00:01.000Z", "kind": "appeared", "session": "s1",
                    "harness": "claude-code", "call": "c1", "tool": "shell", "path": shown, "excerpt": "mkdir it",
                    "entryKind": kind, "signature": signature}),
                json!({"v": 2, "time": "2026-01-02T00:00:02.000Z", "kind": "mark", "session": "", "path": shown,
                    "state": state, "by": "you", "entryKind": kind, "signature": signature}),
            ],
        );
        self.env.give_away(&self.env.guard_home());
    }

    /// Runs `recycle PATH --json` with further options: exit code and the one entry that it speaks of.
    pub(crate) fn recycle(&self, path: &Path, options: &[&str]) -> (Option<i32>, Value) {
        let path = path.to_str().unwrap();
        let out = self.env.wsguard(&[&["recycle", path, "--json"], options].concat());
        (out.code, parsed(&out)["entries"][0].clone())
    }

    /// Recycles the entry at `path`: its item's id.
    pub(crate) fn recycled(&self, path: &Path) -> String {
        let (code, entry) = self.recycle(path, &["--confirm"]);
        assert_eq!((code, &entry["ok"]), (Some(0), &json!(true)), "{entry:#}");
        assert!(!path.exists(), "{}", path.display());
        entry["id"].as_str().unwrap().to_owned()
    }

    /// The same to another volume.
    #[cfg(target_os = "linux")]
    pub(crate) fn recycled_across(&self, path: &Path) -> String {
        let (code, entry) = self.recycle(path, &["--confirm", "--across-volumes"]);
        assert_eq!((code, &entry["ok"]), (Some(0), &json!(true)), "{entry:#}");
        entry["id"].as_str().unwrap().to_owned()
    }

    /// The code with which a recycle of `path` is refused; nothing may have changed.
    pub(crate) fn refused(&self, path: &Path, options: &[&str]) -> String {
        let (code, entry) = self.recycle(path, &[&["--confirm"], options].concat());
        assert_ne!(code, Some(0), "{entry:#}");
        assert!(entry["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{entry:#}");
        entry["code"].as_str().unwrap_or_else(|| panic!("{entry:#}")).to_owned()
    }

    /// The ids in the trash that are this test's.
    pub(crate) fn ids(&self) -> Vec<String> {
        let root = text(self.env.root());
        let items = json_of(&self.env, &["trash", "list", "--json"])["items"].as_array().unwrap().clone();
        // The trash of a volume is everybody's; one without a manifest is ours where it lies in our own.
        let own = items.into_iter().filter(|item| {
            let path = item["manifest"]["originalPath"].as_str().filter(|path| !path.is_empty());
            path.or(item["item"].as_str()).is_some_and(|path| path.starts_with(&root))
        });
        own.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    }

    /// The item `id` as it is listed.
    pub(crate) fn item(&self, id: &str) -> Value {
        let items = json_of(&self.env, &["trash", "list", "--json"])["items"].as_array().unwrap().clone();
        items.into_iter().find(|item| item["id"] == id).unwrap_or_default()
    }

    /// Restores or purges: exit code and the one item that it speaks of.
    pub(crate) fn trash(&self, args: &[&str]) -> (Option<i32>, Value) {
        let out = self.env.wsguard(&[&["trash"], args, &["--json"]].concat());
        (out.code, parsed(&out)["items"][0].clone())
    }

    /// The state of the entry at `path` in the index.
    pub(crate) fn row(&self, path: &Path) -> Value {
        json_of(&self.env, &["ledger", "show", path.to_str().unwrap(), "--json"])
    }
}

pub(crate) fn parsed(out: &RawOutput) -> Value {
    serde_json::from_str(&out.stdout).unwrap_or_else(|error| panic!("{error}: {out:?}"))
}

/// The letter of the kind, and the signature that the observer gives.
#[cfg(unix)]
fn signature(path: &Path) -> (char, String) {
    use std::os::unix::fs::MetadataExt as _;
    let meta = fs::symlink_metadata(path).unwrap();
    let letter = match meta.file_type() {
        kind if kind.is_symlink() => 'l',
        kind if kind.is_dir() => 'd',
        kind if kind.is_file() => 'f',
        _ => 'o',
    };
    (letter, format!("{letter}:{:x}:{:x}", meta.dev(), meta.ino()))
}

/// The letter of the kind, and the signature that the observer gives.
#[cfg(windows)]
fn signature(path: &Path) -> (char, String) {
    let facts = workspace_guard::sys::file_facts(path).unwrap();
    let letter = match () {
        () if facts.is_link => 'l',
        () if facts.is_folder => 'd',
        () => 'f',
    };
    (letter, format!("{letter}:{:x}:{:x}", facts.device, facts.inode))
}

/// Whether the folder of [`Yard::folder`] is all there.
pub(crate) fn is_whole(path: &Path) -> bool {
    fs::read(path.join("inner/file")).is_ok_and(|text| text == b"what was written")
        && path.join("inner/empty").is_dir()
        && path.join("top").is_file()
}

#[test]
fn an_entry_goes_and_comes_back_as_it_was() {
    let yard = Yard::new();
    let path = yard.folder("data");
    let before = fs::metadata(&path).unwrap();
    let id = yard.recycled(&path);
    let item = yard.item(&id);
    let payload = PathBuf::from(item["item"].as_str().unwrap()).join("payload");
    assert!(is_whole(&payload), "{item:#}");
    let manifest = &item["manifest"];
    assert_eq!((&item["state"], &manifest["originalPath"]), (&json!("whole"), &json!(text(&path))));
    assert_eq!(
        (&manifest["session"], &manifest["call"], &manifest["kind"]),
        (&json!("s1"), &json!("c1"), &json!("dir"))
    );
    assert!(manifest["recycledAt"].is_string() && manifest["bytes"].is_null(), "{manifest:#}");
    let row = yard.row(&path);
    assert_eq!((&row["trash"], &row["state"]), (&json!(id), &json!("confirmed")));
    assert!(row["gone"].is_string());
    let (code, done) = yard.trash(&["restore", &id]);
    assert_eq!((code, &done["path"]), (Some(0), &json!(text(&path))), "{done:#}");
    assert!(is_whole(&path));
    let after = fs::metadata(&path).unwrap();
    assert_eq!((after.modified().unwrap(), after.permissions()), (before.modified().unwrap(), before.permissions()));
    let row = yard.row(&path);
    assert_eq!((&row["gone"], &row["trash"], &row["state"]), (&Value::Null, &Value::Null, &json!("confirmed")));
    assert!(yard.ids().is_empty());
    assert!(yard.env.wsguard_ok(&["audit", "verify"]).contains("whole: 4 lines"));
}

#[test]
fn nothing_happens_without_a_word() {
    let yard = Yard::new();
    let path = yard.folder("data");
    let (code, entry) = yard.recycle(&path, &[]);
    assert_eq!((code, &entry["ok"], &entry["id"]), (Some(0), &json!(true), &Value::Null));
    assert!(is_whole(&path) && yard.ids().is_empty());
    let said = yard.env.wsguard(&["recycle", path.to_str().unwrap()]);
    assert!(said.stdout.contains("Would recycle") && said.stderr.contains("--confirm"), "{said:?}");
    let id = yard.recycled(&path);
    let (code, item) = yard.trash(&["purge", &id]);
    assert_eq!((code, &item["ok"]), (Some(0), &json!(true)));
    assert_eq!(yard.ids(), [&*id]);
    let (code, item) = yard.trash(&["purge", &id, "--confirm"]);
    assert_eq!((code, &item["entries"]), (Some(0), &json!(5)), "{item:#}");
    assert!(yard.ids().is_empty() && !path.exists());
    let (code, item) = yard.trash(&["restore", &id]);
    assert_eq!((code, &item["code"]), (Some(66), &json!("trash_item_missing")));
    let told = yard.env.wsguard_ok(&["ledger", "show", path.to_str().unwrap()]);
    assert!(told.contains("put into the trash") && told.contains("removed from the trash for good"), "{told}");
}

#[test]
fn sizes_are_those_that_were_measured() {
    let yard = Yard::new();
    let path = yard.folder("data");
    yard.env.config(&format!("scan_roots = [{:?}]\n", yard.env.project().to_string_lossy()));
    yard.env.wsguard_ok(&["scan", path.to_str().unwrap()]);
    let id = yard.recycled(&path);
    let item = yard.item(&id);
    assert_eq!((&item["manifest"]["bytes"], &item["manifest"]["files"]), (&json!(17), &json!(2)), "{item:#}");
    let listed = yard.env.wsguard(&["trash"]);
    assert!(listed.stdout.contains("17 B") && listed.stdout.contains("s1"), "{listed:?}");
    assert!(listed.stderr.contains("recycled is not freed: "), "{listed:?}");
    // The file of the index is as it was left; what looks find later says nothing new.
    yard.env.wsguard_ok(&["scan"]);
    assert_eq!(yard.row(&path)["trash"], json!(id));
}

#[test]
fn what_is_refused_does_not_stop_the_others() {
    let yard = Yard::new();
    let (one, two) = (yard.folder("one"), yard.folder("two"));
    let none = yard.env.outside("none");
    let out =
        yard.env.wsguard(&["recycle", one.to_str().unwrap(), &none, two.to_str().unwrap(), "--confirm", "--json"]);
    assert_eq!(out.code, Some(66), "{out:?}");
    let entries = parsed(&out)["entries"].clone();
    let ok: Vec<_> = entries.as_array().unwrap().iter().map(|entry| entry["ok"] == true).collect();
    assert_eq!(ok, [true, false, true]);
    let ids = yard.ids();
    // Where one of them was, something else stands by now.
    fs::create_dir(&one).unwrap();
    let out = yard.env.wsguard(&["trash", "restore", &ids[0], &ids[1], "--json"]);
    assert_eq!(out.code, Some(77), "{out:?}");
    assert!(is_whole(&two) && fs::read_dir(&one).unwrap().next().is_none());
    assert_eq!(yard.ids().len(), 1);
}

#[test]
fn a_restore_writes_nothing_over() {
    let yard = Yard::new();
    let path = yard.folder("data");
    let id = yard.recycled(&path);
    let check = |code: &str| {
        let (exit, item) = yard.trash(&["restore", &id]);
        assert_eq!((exit, &item["code"]), (Some(77), &json!(code)), "{item:#}");
        assert_eq!(yard.item(&id)["state"], "whole");
    };
    fs::write(&path, "somebody's").unwrap();
    check("trash_occupied");
    assert_eq!(fs::read(&path).unwrap(), b"somebody's");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    check("trash_occupied");
    fs::remove_dir(&path).unwrap();
    if crate::env::symlink("nowhere", &path) {
        check("trash_occupied");
        fs::remove_file(&path).unwrap();
    }
    assert_eq!(yard.trash(&["restore", &id]).0, Some(0));
    assert!(is_whole(&path));
}

#[test]
fn parents_are_made_when_asked_for() {
    let yard = Yard::new();
    fs::create_dir_all(yard.env.outside("a/b")).unwrap();
    let path = yard.folder("a/b/data");
    let id = yard.recycled(&path);
    fs::remove_dir_all(yard.env.outside("a")).unwrap();
    let (code, item) = yard.trash(&["restore", &id]);
    assert_eq!((code, &item["code"]), (Some(77), &json!("trash_parent_missing")), "{item:#}");
    assert!(!Path::new(&yard.env.outside("a")).exists());
    assert_eq!(yard.trash(&["restore", &id, "--parents"]).0, Some(0));
    assert!(is_whole(&path));
}

#[cfg(unix)]
#[test]
fn a_link_on_the_way_back_is_refused() {
    let yard = Yard::new();
    fs::create_dir_all(yard.env.outside("a")).unwrap();
    fs::create_dir_all(yard.env.outside("elsewhere")).unwrap();
    let path = yard.folder("a/data");
    let id = yard.recycled(&path);
    fs::rename(yard.env.outside("a"), yard.env.outside("old")).unwrap();
    crate::env::symlink("elsewhere", yard.env.outside("a"));
    let (_, item) = yard.trash(&["restore", &id, "--parents"]);
    assert_eq!(item["code"], "trash_path_unsafe", "{item:#}");
    assert!(fs::read_dir(yard.env.outside("elsewhere")).unwrap().next().is_none());
}

#[test]
fn the_path_where_it_was_will_do_for_a_restore() {
    let yard = Yard::new();
    let path = yard.folder("data");
    let first = yard.recycled(&path);
    assert_eq!(yard.trash(&["purge", path.to_str().unwrap()]).1["code"], "trash_item_missing", "only by its id");
    assert_eq!(yard.trash(&["restore", path.to_str().unwrap()]).1["id"], json!(first));
    yard.recycled(&path);
    yard.recycled(&yard.folder("data"));
    let (code, item) = yard.trash(&["restore", path.to_str().unwrap()]);
    assert_eq!((code, &item["code"]), (Some(66), &json!("trash_item_ambiguous")), "{item:#}");
    assert_eq!(yard.trash(&["restore", &yard.env.outside("other")]).1["code"], "trash_item_missing");
}

#[test]
fn the_beginning_of_an_id_is_enough_unless_it_is_that_of_several() {
    let yard = Yard::new();
    // Ids are by chance: of these many, two begin alike.
    for n in 0..17 {
        yard.recycled(&yard.folder(&format!("n{n}")));
    }
    let ids = yard.ids();
    let first = |id: &String| id[..1].to_owned();
    let shared = ids.iter().find(|id| ids.iter().filter(|other| first(other) == first(id)).count() > 1).unwrap();
    let (code, item) = yard.trash(&["restore", &first(shared)]);
    assert_eq!((code, &item["code"]), (Some(66), &json!("trash_item_ambiguous")));
    let same = ids.iter().filter(|id| first(id) == first(shared));
    assert!(same.clone().all(|id| item["error"].as_str().unwrap().contains(id.as_str())), "{item:#}");
    // Long enough to be told from those of other tests, which use the same trash.
    let enough = (6..=12).map(|n| &shared[..n]).find(|start| ids.iter().filter(|i| i.starts_with(start)).count() == 1);
    assert_eq!(yard.trash(&["restore", enough.unwrap()]).1["id"], json!(shared));
    // They don't follow from their order.
    let mut sorted = ids.clone();
    sorted.sort();
    assert_ne!(sorted, ids);
}

#[test]
fn shells_complete_ids() {
    let yard = Yard::new();
    let id = yard.recycled(&yard.folder("data"));
    let asked = |words: &[&str]| {
        let mut command = yard.env.command(yard.env.program("wsguard"));
        command.env("WSGUARD_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string());
        command.env("_CLAP_IFS", "\n").arg("--").args(words);
        run(command, b"").stdout
    };
    for act in ["restore", "purge"] {
        let offered = asked(&["wsguard", "trash", act, &id[..2]]);
        assert!(offered.lines().any(|line| line == id), "{offered}");
        assert!(!asked(&["wsguard", "trash", act, "zz"]).contains(&id));
    }
    assert!(asked(&["wsguard", "rec"]).contains("recycle"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(yard.env.wsguard_ok(&["completions", shell]).contains("WSGUARD_COMPLETE"), "{shell}");
    }
}

#[test]
fn items_of_the_published_plugin_are_like_our_own() {
    let yard = Yard::new();
    let trash = yard.env.guard_home().join("trash");
    let item = |name: &str, manifest: &str| {
        let folder = trash.join(name);
        fs::create_dir_all(folder.join("payload/inner/empty")).unwrap();
        fs::write(folder.join("payload/inner/file"), "what was written").unwrap();
        fs::write(folder.join("payload/top"), "x").unwrap();
        fs::write(folder.join("manifest.json"), manifest).unwrap();
        yard.env.give_away(&yard.env.guard_home());
        folder
    };
    let path = PathBuf::from(yard.env.outside("plugged"));
    let shown = path.to_string_lossy().replace('/', std::path::MAIN_SEPARATOR_STR);
    let manifest =
        json!({"originalPath": shown, "size": 17, "fileCount": 2, "time": 1_767_225_600_000_u64, "session": "p1"});
    item("2026-01-01T00-00-00-000Z-plugged", &manifest.to_string());
    item("2026-01-01T00-00-01-000Z-other", &manifest.to_string());
    let listed = yard.env.wsguard_ok(&["trash", "list"]);
    assert!(
        listed.contains("17 B") && listed.contains("p1") && listed.contains("2026-01-01T00-00-00-000Z-plugged"),
        "{listed}"
    );
    assert_eq!(yard.trash(&["restore", "2026-01-01T00-00-00"]).0, Some(0));
    assert!(is_whole(&path));
    assert_eq!(yard.row(&path)["state"], "confirmed", "the index knows it from now on");
    let (code, item) = yard.trash(&["purge", "2026-01-01T00-00-01-000Z-other", "--confirm"]);
    assert_eq!((code, &item["ok"]), (Some(0), &json!(true)), "{item:#}");
    assert!(yard.ids().is_empty());
}

#[test]
fn an_agent_may_look_and_no_more() {
    let mut yard = Yard::new();
    let path = yard.folder("data");
    let id = yard.recycled(&yard.folder("gone"));
    let shown = text(&path);
    for command in [
        format!("wsguard recycle {shown} --confirm"),
        format!("wsguard recycle {shown}"),
        format!("wsguard trash restore {id}"),
        format!("wsguard trash purge {id} --confirm"),
    ] {
        yard.env.bash(&command).assert_refused();
    }
    yard.env.bash("wsguard trash list").assert_pass();
    yard.env.bash(&format!("rm -rf {}/trash", text(&yard.env.guard_home()))).assert_refused();
    yard.env.set("CLAUDECODE", "1");
    for args in
        [&["recycle", &*shown, "--confirm"][..], &["trash", "restore", &id], &["trash", "purge", &id, "--confirm"]]
    {
        let out = yard.env.wsguard(args);
        assert_eq!(out.code, Some(77), "{out:?}");
        assert!(out.stderr.contains("operator_only"), "{out:?}");
    }
    assert!(is_whole(&path) && yard.ids() == [id]);
}

#[test]
fn of_two_operators_one_wins() {
    let yard = Yard::new();
    let path = yard.folder("data");
    let others: Vec<PathBuf> = (0..3).map(|n| yard.folder(&format!("other{n}"))).collect();
    let go = |args: &[&str]| yard.env.wsguard(args);
    let codes: Vec<(PathBuf, Option<i32>)> = std::thread::scope(|scope| {
        let all = [&path, &path, &path].into_iter().chain(&others);
        let all: Vec<_> = all
            .map(|path| scope.spawn(move || (path.clone(), go(&["recycle", path.to_str().unwrap(), "--confirm"]).code)))
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    for asked in [&path].into_iter().chain(&others) {
        let won = codes.iter().filter(|(path, code)| path == asked && *code == Some(0)).count();
        assert_eq!(won, 1, "{}: {codes:?}", asked.display());
    }
    let ids = yard.ids();
    assert_eq!(ids.len(), 4);
    let items: Vec<Option<i32>> = std::thread::scope(|scope| {
        let both = [("restore", ""), ("purge", "--confirm"), ("restore", "")];
        let all: Vec<_> = both
            .iter()
            .map(|(act, word)| {
                let args: Vec<&str> = ["trash", act, &ids[0], word].into_iter().filter(|a| !a.is_empty()).collect();
                scope.spawn(move || go(&args).code)
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(items.iter().filter(|code| **code == Some(0)).count(), 1, "{items:?}");
    assert_eq!(yard.ids().len(), 3);
    assert!(yard.env.wsguard_ok(&["audit", "verify"]).contains("whole"));
}
