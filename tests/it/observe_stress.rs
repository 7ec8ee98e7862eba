//! Observation with real makers, many sessions at once, and processes that are killed.

use std::{
    collections::{HashMap, HashSet},
    fs,
    os::unix::process::ExitStatusExt as _,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    env::TestEnv,
    observe::{Call, journal, watched},
    release,
    report::skipped,
};

/// Runs `script` in a shell while a call that only says `./hidden` is open; what the journal says of `name` then.
fn hidden(script: &str, name: &str) -> Value {
    let env = watched("");
    let path = env.outside(name);
    let call = Call { env: &env, session: "s", id: "c", command: "./hidden" };
    call.start();
    let script = script.replace("OUT", &env.outside(""));
    let status = Command::new("sh").args(["-c", &script]).current_dir(env.project()).status().unwrap();
    assert!(status.success(), "{script}");
    call.end();
    let lines = journal(&env);
    lines.iter().find(|line| line["path"] == *path).unwrap_or_else(|| panic!("{lines:#?}")).clone()
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

#[test]
fn a_compiled_program_is_attributed() {
    if !has("cc") {
        return skipped("a compiled maker: there is no C compiler");
    }
    let program = r"
        printf '#include <sys/stat.h>\nint main(int n, char **v) { return mkdir(v[1], 0700); }\n' > m.c
        cc -o m m.c && ./m OUT/compiled";
    let line = hidden(program, "compiled");
    assert_eq!((&line["attribution"]["grade"], &line["call"]), (&"certain".into(), &"c".into()), "{line}");
}

#[test]
fn python_through_ctypes_is_attributed() {
    if !has("python3") {
        return skipped("a maker in Python: there is none");
    }
    let program = r#"python3 -c 'import ctypes; assert ctypes.CDLL(None).mkdir(b"OUT" + b"/ctypes", 0o700) == 0'"#;
    let line = hidden(program, "ctypes");
    assert_eq!((&line["attribution"]["grade"], &line["call"]), (&"certain".into(), &"c".into()), "{line}");
}

#[test]
fn a_real_child_that_outlives_its_call() {
    let env = watched("");
    let call = Call { env: &env, session: "s", id: "parent", command: "./start.sh &" };
    call.start();
    let script = format!("(sleep 0.5; mkdir '{}') > /dev/null 2>&1 &", env.outside("late"));
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    call.end();
    wait_for(Path::new(&env.outside("late")));
    thread::sleep(Duration::from_millis(60));
    Call { env: &env, session: "s", id: "next", command: "ls" }.start().end();
    let lines = journal(&env);
    let line = lines.iter().find(|line| line["path"] == *env.outside("late")).unwrap();
    assert_eq!((&line["between"], &line["attribution"]["grade"]), (&true.into(), &"likely".into()), "{line}");
    assert_eq!(line["call"], "parent", "{line}");
}

fn wait_for(path: &Path) {
    let end = Instant::now() + Duration::from_secs(20);
    while !path.exists() {
        assert!(Instant::now() < end, "{} does not come", path.display());
        thread::sleep(Duration::from_millis(10));
    }
}

/// `SESSIONSxCALLS` from the environment, for long runs.
fn size() -> (usize, usize) {
    let text = std::env::var("WSG_STRESS").unwrap_or_default();
    let parsed = text.split_once('x').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    parsed.unwrap_or((16, 4))
}

/// How often no answer came in time.
static BUSY: AtomicUsize = AtomicUsize::new(0);

#[test]
fn many_sessions_at_once() {
    let (sessions, calls) = size();
    let mut env = watched("hook_deadline_ms = 20000\n");
    if std::env::var_os("WSG_STRESS").is_some() {
        // So many at once are too much for the program that is not optimized.
        env.take_programs_from(release::hook().parent().unwrap());
    }
    let env = env;
    thread::scope(|scope| {
        for s in 0..sessions {
            let env = &env;
            scope.spawn(move || {
                let session = format!("s{s}");
                for c in 0..calls {
                    let (id, name) = (format!("{session}-c{c}"), format!("made-{s}-{c}"));
                    // Some name what they make, some hide it.
                    let command = if c % 2 == 0 { format!("mkdir {name}") } else { "./hidden".to_owned() };
                    let call = Call { env, session: &session, id: &id, command: &command };
                    // A call that is refused for want of time does not run, and its end may be told again.
                    let before = call.insist(false);
                    fs::create_dir(env.outside(&name)).unwrap();
                    BUSY.fetch_add(before + call.insist(true), Ordering::Relaxed);
                }
            });
        }
    });
    // What the last could not see in time.
    Call { env: &env, session: "last", id: "last", command: "ls" }.start().end();
    let lines = journal(&env);
    let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).collect::<Vec<_>>();
    let ids = |lines: &[&Value]| lines.iter().map(|line| line["call"].to_string()).collect::<HashSet<_>>().len();
    let total = sessions * calls + 1;
    assert_eq!((ids(&of("callStart")), ids(&of("callEnd"))), (total, total));
    let mut grades: HashMap<String, usize> = HashMap::new();
    let mut missing = Vec::new();
    let appeared: HashMap<_, _> =
        of("appeared").into_iter().map(|line| (line["path"].as_str().unwrap(), line)).collect();
    for (s, c) in (0..sessions).flat_map(|s| (0..calls).map(move |c| (s, c))) {
        let (maker, path) = (format!("s{s}-c{c}"), env.outside(&format!("made-{s}-{c}")));
        let line = appeared.get(&*path).unwrap_or_else(|| panic!("{path} was not seen"));
        let candidates = line["attribution"]["candidates"].as_array().unwrap();
        if !candidates.iter().any(|candidate| candidate["call"] == *maker) {
            let own = lines.iter().filter(|line| line["call"] == *maker);
            let times: Vec<_> = own.map(|line| format!("{} {}", line["kind"], line["time"])).collect();
            missing.push(format!("{maker} ({}) is not among them: {line}", times.join(", ")));
        }
        let grade = line["attribution"]["grade"].as_str().unwrap();
        assert!(grade != "certain" || line["call"] == *maker, "certain, and wrong: {line}");
        *grades.entry(grade.to_owned()).or_default() += 1;
    }
    assert!(missing.is_empty(), "{} of {total}: {missing:#?}", missing.len());
    crate::report::say(&format!(
        "{sessions} sessions with {calls} calls: {grades:?}, {} too late",
        BUSY.load(Ordering::Relaxed)
    ));
}

#[test]
fn killed_at_any_moment_nothing_is_lost() {
    let rounds = std::env::var("WSG_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(60_u64);
    let env = watched("");
    let mut killed = 0;
    // The usual length of such a process.
    let start = Instant::now();
    Call { env: &env, session: "s", id: "warm", command: "ls" }.start().end();
    let usual = u64::try_from(start.elapsed().as_micros()).unwrap() / 2;
    for n in 0..rounds {
        let id = format!("c{n}");
        for post in [false, true] {
            killed += usize::from(kill_after(&env, &id, post, n * 7919 % usual.max(1)));
            if !post {
                fs::create_dir(env.outside(&id)).unwrap();
            }
        }
    }
    Call { env: &env, session: "s", id: "end", command: "ls" }.start().end();
    let dir = env.guard_home().join("workspace-mgr/journal.jsonl");
    let text = fs::read_to_string(dir).unwrap();
    let whole: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(whole.len() + killed >= text.lines().count(), "only a killed process may leave a torn line");
    for n in 0..rounds {
        let path = env.outside(&format!("c{n}"));
        assert!(whole.iter().any(|line| line["kind"] == "appeared" && line["path"] == *path), "{path} was not seen");
    }
    assert!(killed > 0, "no process was killed");
}

/// Starts the hook and kills it after `micros`; whether that came in time.
fn kill_after(env: &TestEnv, id: &str, post: bool, micros: u64) -> bool {
    let call = Call { env, session: "s", id, command: "./x" };
    let mut child = call.spawn(post);
    thread::sleep(Duration::from_micros(micros));
    child.kill().unwrap();
    child.wait().unwrap().signal().is_some()
}
