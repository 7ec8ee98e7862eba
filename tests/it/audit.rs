//! The audit with real programs that are killed, and secrets that never reach the disk.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::{
    env::TestEnv,
    observe::{Call, journal, watched},
};

/// Whether any file below `folder` holds `text`.
fn holds(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else if fs::read(&path).unwrap().windows(text.len()).any(|part| part == text.as_bytes()) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[test]
fn refusals_stand_in_the_audit() {
    let env = TestEnv::new();
    let path = env.outside("new");
    env.bash(&format!("mkdir {path}")).assert_refused();
    env.bash("ls -la").assert_pass();
    env.bash("pip install requests").assert_asked();
    let tail = env.wsguard_ok(&["audit", "tail", "--json"]);
    let lines: Vec<Value> = serde_json::from_str(&tail).unwrap();
    let [denied, asked] = lines.as_slice() else { panic!("{tail}") };
    for line in &lines {
        assert_eq!((line["act"].as_str(), line["phase"].as_str()), (Some("deny"), Some("fact")), "{line}");
        assert_eq!(
            (line["data"]["tool"].as_str(), line["data"]["session"].is_string()),
            (Some("shell"), true),
            "{line}"
        );
    }
    assert_eq!((&denied["data"]["rule"], &denied["data"]["path"]), (&json!("creates_outside"), &json!(path)));
    assert_eq!((&asked["data"]["rule"], &asked["data"]["asked"]), (&json!("package_install"), &json!(true)));
    assert!(env.wsguard_ok(&["audit", "verify"]).contains("whole: 2 lines"));
}

#[test]
fn secrets_never_reach_the_disk() {
    const SECRET: &str = "hunter2x9";
    let env = watched("");
    let token = format!("ghp_0123456789{SECRET}abcdef");
    let commands = [
        format!("PASSWORD={SECRET} mkdir made-0"),
        format!("mkdir made-1 && curl -u me:{SECRET} https://x.y/z"),
        format!("mkdir made-2 && curl -H 'Authorization: Bearer {SECRET}' https://x.y/z"),
        format!("mkdir made-3 && git clone https://me:{SECRET}@x.y/z.git"),
        format!("mkdir made-4; echo {token}"),
        // Behind more than is kept of a command.
        format!("mkdir made-5; echo {} {token}", "x ".repeat(247)),
    ];
    for (n, command) in commands.iter().enumerate() {
        let (id, path) = (format!("c{n}"), env.outside(&format!("made-{n}")));
        let call = Call { env: &env, session: "s", id: &id, command };
        call.start();
        fs::create_dir(&path).unwrap();
        // While it is open, its command is kept to see what it names.
        assert_eq!(holds(&env.guard_home(), SECRET), [""; 0], "{command}");
        call.end();
        let lines = journal(&env);
        let line = lines.iter().find(|line| line["path"] == *path).unwrap_or_else(|| panic!("{lines:#?}"));
        assert_eq!(line["call"], *id, "{line}");
        let evidence = line["attribution"]["evidence"].as_array().unwrap();
        assert!(evidence.contains(&"named".into()), "what is no secret still names its entry: {line}");
        let excerpt = line["excerpt"].as_str().unwrap();
        assert!(excerpt.contains(&format!("made-{n}")) && (n == 5 || excerpt.contains("***")), "{line}");
    }
    // Refused: by a path that holds one.
    env.bash(&format!("mkdir {}", env.outside(&token))).assert_refused();
    assert!(journal(&env).iter().any(|line| line["kind"] == "denied" && line["path"].to_string().contains("/***")));
    // Granted and taken back.
    env.wsguard_ok(&["allow", &env.outside(&token)]);
    assert_eq!(holds(&env.guard_home(), SECRET), [grants(&env)], "the grant itself has to name the path");
    let tail = env.wsguard_ok(&["audit", "tail"]);
    assert!(tail.contains("/***") && !tail.contains(SECRET), "{tail}");
    env.wsguard_ok(&["audit", "verify"]);
}

fn grants(env: &TestEnv) -> String {
    env.guard_home().join("workspace-mgr").join("grants.json").display().to_string()
}

#[cfg(unix)]
mod killed {
    use std::{
        fs,
        os::unix::process::ExitStatusExt as _,
        path::PathBuf,
        process::{Command, Stdio},
        thread,
        time::{Duration, Instant},
    };

    use serde_json::json;
    use workspace_guard::{
        home::Home,
        ledger::{Audit, Report},
        limits::MAX_AUDIT_BYTES,
    };

    use crate::{env::TestEnv, process, report::skipped};

    fn audit(env: &TestEnv) -> Audit {
        Audit::at(&Home::at(env.guard_home()))
    }

    /// Lets the audit grow to `bytes`.
    fn fill(env: &TestEnv, bytes: u64) {
        let audit = audit(env);
        let length = || fs::metadata(audit.path()).map_or(0, |meta| meta.len());
        while length() < bytes {
            let missing = usize::try_from(bytes - length()).unwrap();
            audit.fact("fill", &json!({ "x": "x".repeat(missing.min(500_000)) })).unwrap();
        }
    }

    fn files(env: &TestEnv) -> Vec<PathBuf> {
        let all = fs::read_dir(env.guard_home().join("workspace-mgr")).unwrap().map(|entry| entry.unwrap().path());
        let mut found: Vec<_> =
            all.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("audit")).collect();
        found.sort();
        found
    }

    fn whole(env: &TestEnv, what: &str) -> Report {
        let report = audit(env).verify().unwrap();
        assert_eq!(report.damage, None, "{what}: {:?}", files(env));
        report
    }

    #[test]
    fn writers_at_once_across_files_some_of_them_killed() {
        const EACH: usize = 12;
        let env = TestEnv::new();
        env.wsguard_ok(&["allow", &env.outside("first")]);
        fill(&env, MAX_AUDIT_BYTES - 6_000);
        let before = whole(&env, "filled").lines;
        // The usual length of such a process.
        let start = Instant::now();
        env.wsguard_ok(&["allow", &env.outside("warm")]);
        let usual = u64::try_from(start.elapsed().as_micros()).unwrap() * 2;
        let done: u64 = thread::scope(|scope| {
            let writers: Vec<_> = (0..4_usize)
                .map(|writer| {
                    let env = &env;
                    scope.spawn(move || {
                        let mut done = 0;
                        for n in 0..EACH {
                            let mut command = env.command(env.program("wsguard"));
                            command.args(["allow", &env.outside(&format!("{writer}-{n}"))]);
                            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                            let mut child = process::spawn(&mut command);
                            if n % 2 == 0 {
                                let micros = (n as u64 * 7_919 + writer as u64 * 104_729) % usual.max(1);
                                thread::sleep(Duration::from_micros(micros));
                                child.kill().unwrap();
                            }
                            let status = child.wait().unwrap();
                            done += u64::from(status.success());
                        }
                        done
                    })
                })
                .collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).sum()
        });
        let report = whole(&env, "after kills");
        assert_eq!(report.files, 2, "{:?}", files(&env));
        assert!(done >= 4 * EACH as u64 / 2, "{done}");
        // Who ended well has written both its lines.
        assert!(report.lines >= before + 2 + 2 * done, "{report:?} {done}");
        assert!(report.open.len() <= 4 * EACH / 2, "{report:?}");
        env.wsguard_ok(&["allow", &env.outside("last")]);
        assert_eq!(whole(&env, "at last").lines, report.lines + 2);
        assert!(env.wsguard_ok(&["audit", "verify"]).contains("lines in 2 files."));
    }

    #[test]
    fn killed_at_every_step_of_putting_a_file_aside() {
        const CALLS: &str = "rename,renameat,renameat2,write,fsync,fdatasync,lseek";
        if !Command::new("strace")
            .arg("-V")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
        {
            return skipped("killing a writer of the audit at each of its steps: strace is not installed");
        }
        let env = TestEnv::new();
        env.wsguard_ok(&["allow", &env.outside("first")]);
        fill(&env, MAX_AUDIT_BYTES);
        let before = whole(&env, "filled").lines;
        let kept: Vec<_> = files(&env).into_iter().map(|path| (fs::read(&path).unwrap(), path)).collect();
        let mut aside = 0;
        for n in 1..=200 {
            for path in files(&env) {
                fs::remove_file(path).unwrap();
            }
            for (bytes, path) in &kept {
                fs::write(path, bytes).unwrap();
            }
            let mut command = env.command("strace");
            command.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={CALLS}"), "-e"]);
            command.arg(format!("inject={CALLS}:signal=SIGKILL:when={n}"));
            command.arg(env.program("wsguard")).args(["allow", &env.outside(&format!("n{n}"))]);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let status = process::spawn(&mut command).wait().unwrap();
            if status.success() {
                assert!(aside > 2, "the kills never came after the file was put aside: {n} steps");
                return;
            }
            if status.signal().is_none() && status.code() != Some(137) {
                return skipped(&format!("killing a writer of the audit at each of its steps: strace can't: {status}"));
            }
            let (left, was_aside) = (whole(&env, &format!("killed at step {n}")), files(&env).len() > kept.len());
            aside += usize::from(was_aside);
            env.wsguard_ok(&["allow", &env.outside("next")]);
            let after = whole(&env, &format!("after step {n}"));
            assert!(left.lines >= before && after.lines == left.lines + 2, "step {n}: {left:?} {after:?}");
            assert_eq!(after.files, 2, "step {n}: {:?}", files(&env));
        }
        panic!("a grant takes more than 200 steps");
    }
}
