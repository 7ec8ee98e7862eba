//! `wsguard corpus`: the path guard from outside.

use std::fs;

use serde_json::{Value, json};

use crate::env::{TestEnv, run};

fn judge(env: &TestEnv, args: &[&str], input: &[u8]) -> (Option<i32>, Vec<Value>) {
    let mut command = env.command(env.bin().join("wsguard"));
    command.args(["corpus", "judge"]).args(args);
    let out = run(command, input);
    assert!(out.stderr.is_empty(), "{out:?}");
    (out.code, out.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn a_list_is_judged_line_by_line() {
    let env = TestEnv::new();
    let input = br#"{"id": 1, "path_b64": "Li4veA=="}
{"id": "two", "path_b64": "c3JjXG1haW4ucnM="}

{"id": null, "path_b64": "Tl VM"}
{"id": [3], "path_b64": "TlVM", "note": "kept out"}
{"id": 4}
not JSON
{"path_b64": "/w=="}
{"id": 6, "path_b64": ""}"#;
    let (code, answers) = judge(&env, &[], input);
    assert_eq!(code, Some(65));
    let error = |line: u32, code: &str, id: Value| (id, json!(code), json!(line));
    let got: Vec<_> = answers
        .iter()
        .map(|a| match a.get("error") {
            Some(error) => (a["id"].clone(), error["code"].clone(), error["line"].clone()),
            None => (a["id"].clone(), a["code"].clone(), a["normal"].clone()),
        })
        .collect();
    let want = [
        (json!(1), json!("path_traverses_outside_workspace"), Value::Null),
        (json!("two"), Value::Null, json!("src/main.rs")),
        error(4, "line_base64", Value::Null),
        (json!([3]), json!("path_is_reserved_device_name"), Value::Null),
        error(6, "line_form", json!(4)),
        error(7, "line_form", Value::Null),
        (Value::Null, json!("path_is_not_valid_utf8"), Value::Null),
        (json!(6), json!("path_is_empty"), Value::Null),
    ];
    assert_eq!(got, want);
    let verdicts: Vec<_> = answers.iter().filter_map(|a| a["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["refused", "accepted", "refused", "refused", "refused"]);
}

#[test]
fn bytes_that_are_no_text_lose_no_line() {
    let env = TestEnv::new();
    let (code, answers) = judge(&env, &[], b"\xff\xfe\n{\"id\": 2, \"path_b64\": \"YQ\"}\r\n");
    assert_eq!((code, answers.len()), (Some(65), 2), "{answers:?}");
    assert_eq!(answers[0]["error"]["line"], 1);
    assert_eq!(answers[1]["normal"], "a");
    let (code, answers) = judge(&env, &[], b"");
    assert_eq!((code, answers.len()), (Some(0), 0));
}

#[test]
fn the_model_decides() {
    let env = TestEnv::new();
    for (model, verdict) in [("windows", "refused"), ("portable", "refused"), ("posix", "accepted")] {
        let (code, answers) = judge(&env, &["--model", model], b"{\"id\": 1, \"path_b64\": \"YWE6Yg==\"}");
        assert_eq!((code, answers[0]["verdict"].as_str()), (Some(0), Some(verdict)), "{model}");
    }
    assert_eq!(env.wsguard(&["corpus", "judge", "--model", "amiga"]).code, Some(64));
}

#[test]
fn the_corpus_is_listed() {
    let env = TestEnv::new();
    let listed: Value = serde_json::from_str(&env.wsguard_ok(&["corpus", "list", "--json"])).unwrap();
    let listed = listed["cases"].as_array().unwrap();
    assert_eq!(listed.len(), workspace_guard::corpus::cases().count());
    // What is listed is refused with the code that the list names.
    let lines: Vec<String> =
        listed.iter().map(|c| json!({"id": c["id"], "path_b64": c["path_b64"]}).to_string()).collect();
    let (code, answers) = judge(&env, &[], lines.join("\n").as_bytes());
    assert_eq!((code, answers.len()), (Some(0), listed.len()));
    for (case, answer) in listed.iter().zip(&answers) {
        assert_eq!((&case["id"], &case["code"]), (&answer["id"], &answer["code"]));
    }
    let text = env.wsguard_ok(&["corpus", "list"]);
    assert!(text.contains("traversal-01") && text.contains("costs: "), "{text}");
}

#[test]
fn a_run_passes_and_writes_nothing() {
    let env = TestEnv::new();
    let root = env.root().join("around/workspace");
    fs::create_dir_all(&root).unwrap();
    fs::write(root.join("mine.txt"), "x").unwrap();
    // What a run left that was killed goes; what only has such a name stays.
    fs::create_dir_all(root.join(".wsguard-corpus-k1ll3d/kernel/workspace/a")).unwrap();
    fs::create_dir_all(root.join(".wsguard-corpus-notes/kernel")).unwrap();
    fs::create_dir_all(root.join(".wsguard-corpus-notes/mine")).unwrap();
    let root = root.to_str().unwrap();
    let text = env.wsguard_ok(&["corpus", "run", "--root", root, "--above", "1"]);
    assert!(text.contains("sweep: 1 files, everything") && !text.contains("GOT THROUGH"), "{text}");
    assert!(text.ends_with("\npassed\n"), "{text}");
    assert_eq!(fs::read_dir(root).unwrap().count(), 2);
    assert!(fs::exists(format!("{root}/.wsguard-corpus-notes/mine")).unwrap());
    // A sweep that is cut short is no pass.
    let out = env.wsguard(&["corpus", "run", "--json", "--root", root, "--above", "1", "--max-files", "0"]);
    let report: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!((out.code, &report["passed"], &report["sweep"]["complete"]), (Some(1), &json!(false), &json!(false)));
    assert_eq!(report["failures"], json!([]));
    let gone = env.wsguard(&["corpus", "run", "--root", "no-such-folder"]);
    assert!(gone.code == Some(66) && gone.stderr.contains("error[corpus_root]"), "{gone:?}");
}

/// Every hazard is tried, or named with the reason why not.
#[expect(clippy::print_stderr, reason = "what is skipped is said")]
#[test]
fn a_run_tries_what_no_text_shows() {
    let env = TestEnv::new();
    let root = env.root().join("around/workspace");
    fs::create_dir_all(&root).unwrap();
    let run = ["corpus", "run", "--json", "--root", root.to_str().unwrap(), "--above", "1"];
    let report: Value = serde_json::from_str(&env.wsguard_ok(&run)).unwrap();
    let of = |list: &str, hazard: &str| {
        report[list].as_array().unwrap().iter().filter(|row| row["hazard"] == hazard).cloned().collect::<Vec<_>>()
    };
    for (hazard, least) in [("links", 10), ("hard links", 3), ("mounts", 6), ("pipes", 2), ("races", 1)] {
        let (tried, not_tried) = (of("scenarios", hazard), of("not_tried", hazard));
        assert!(tried.len() >= least || not_tried.iter().any(|row| row["reason"] != ""), "{hazard}: {report}");
        if !not_tried.is_empty() {
            eprintln!("SKIPPED: {not_tried:?}");
        }
        let everywhere = hazard == "hard links" || hazard == "races" || cfg!(target_os = "linux");
        assert!(!everywhere || hazard == "mounts" || tried.len() >= least, "{hazard}: {report}");
        assert!(tried.iter().all(|row| row["passed"] == true), "{tried:?}");
    }
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0, "nothing is left behind");
}

/// Neither sees the other's files as its own failure, nor removes them.
#[test]
fn two_runs_at_once_pass() {
    let env = TestEnv::new();
    let root = env.root().join("around/workspace");
    fs::create_dir_all(&root).unwrap();
    let run = ["corpus", "run", "--root", root.to_str().unwrap(), "--above", "1"];
    std::thread::scope(|scope| {
        let runs = [(); 2].map(|()| scope.spawn(|| env.wsguard_ok(&run)));
        for text in runs.map(|run| run.join().unwrap()) {
            assert!(text.ends_with("\npassed\n"), "{text}");
            assert!(!cfg!(target_os = "linux") || !text.contains("not tried: links"), "{text}");
        }
    });
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_link_is_no_root() {
    let env = TestEnv::new();
    fs::create_dir(env.root().join("real")).unwrap();
    if !crate::platform::symlink("real", env.root().join("link")) {
        return;
    }
    for end in ["", "/", "/."] {
        let root = format!("{}{end}", env.root().join("link").display());
        let out = env.wsguard(&["corpus", "run", "--above", "0", "--root", &root]);
        assert!(out.code == Some(74) && out.stderr.contains("error[corpus_root]"), "{out:?}");
        assert!(out.stderr.contains("hint: a link is no root"), "{out:?}");
    }
}

/// Where nothing can be written the paths are tried all the same, and the report says what was not.
#[cfg(target_os = "linux")]
#[expect(clippy::print_stderr, reason = "what is skipped is said")]
#[test]
fn a_disk_that_takes_nothing_is_said() {
    let env = TestEnv::new();
    let root = env.root().join("around/workspace");
    fs::create_dir_all(&root).unwrap();
    for (options, fill, reason) in [
        ("ro", "true", "Read-only file system"),
        ("size=64k", "! head -c 999999 /dev/zero > \"$2/fill\" 2>&-", "No space left on device"),
    ] {
        let script = format!(
            r#"mount -t tmpfs -o "$1" tmpfs "$2" || exit 91; {fill}; exec "$3" corpus run --json --root "$2" --above 0"#
        );
        let mut command = env.command("unshare");
        command.args(["--map-root-user", "--mount", "--", "sh", "-c", &script, "sh", options]);
        command.arg(&root).arg(env.bin().join("wsguard"));
        let out = run(command, b"");
        if out.code == Some(91) || out.stderr.contains("unshare") {
            eprintln!("SKIPPED: no mounts without rights of one's own here: {out:?}");
            return;
        }
        let report: Value = serde_json::from_str(&out.stdout).unwrap();
        assert!(out.code == Some(0) && report["failures"] == json!([]), "{report}");
        assert!(report["scenarios"].as_array().unwrap().iter().all(|row| row["passed"] == true), "{report}");
        let not_tried = report["not_tried"].as_array().unwrap();
        assert!(not_tried.iter().any(|row| row["hazard"] == "links"), "{report}");
        assert!(not_tried.iter().all(|row| row["reason"].as_str().unwrap().contains(reason)), "{report}");
    }
}

/// The claims about an unguarded join, executed on a real disk in a folder deep enough that most escapes stay in sight.
#[cfg(target_os = "linux")]
#[test]
fn the_disk_agrees_with_the_unguarded_claims() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;

    use workspace_guard::corpus::{Outcome, cases};

    let env = TestEnv::new();
    let mut executed = 0;
    for (i, case) in cases().enumerate() {
        let outer = env.root().join(format!("case-{i}"));
        let root = outer.join("1/2/3/4/5/6/7/8/workspace");
        let path = Path::new(OsStr::from_bytes(&case.path));
        let has_null = case.path.contains(&0);
        let climbs = case.path.split(|&b| b == b'/').filter(|name| name == b"..").count();
        if !has_null && (path.is_absolute() || climbs > 8) {
            assert_eq!(case.posix, Outcome::Escapes, "{}", case.id);
            continue;
        }
        executed += 1;
        fs::create_dir_all(&root).unwrap();
        let joined = root.join(path);
        // The join keeps a separator at the end, and that is a folder.
        let is_folder = case.path.ends_with(b"/") || joined.file_name().is_none() || joined.is_dir();
        let above = joined.parent().unwrap();
        let made = fs::create_dir_all(above)
            .and_then(|()| if is_folder { fs::create_dir_all(&joined) } else { fs::write(&joined, "x") });
        let real = made.and_then(|()| fs::canonicalize(&joined));
        let outcome = match (&real, case.posix) {
            (Err(_), _) => Outcome::Error,
            (Ok(real), _) if !real.starts_with(&root) => Outcome::Escapes,
            (Ok(real), _) if *real == root => Outcome::Harmless,
            (Ok(real), _) if real.components().ne(joined.components()) => Outcome::Reaches,
            // A file of exactly that name; that something misreads it is no matter of the disk.
            (Ok(_), claim @ (Outcome::Confuses | Outcome::Filename)) => claim,
            (Ok(_), _) => Outcome::Filename,
        };
        assert_eq!(outcome, case.posix, "{} {}: {real:?}", case.id, case.shown);
        fs::remove_dir_all(&outer).unwrap();
    }
    assert!(executed > 300, "{executed}");
}
