//! `wsguard watch` as a process: what it shows, and how it ends.

use std::io::BufReader;
use std::process::{Child, ChildStdout, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::Value;

use crate::env::TestEnv;
use crate::ledger::{appeared, write_lines};
use crate::payload::{Payload, SESSION};
use crate::platform::{interrupt, own_group, portable};
use crate::process::spawn;

/// Far above what anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    /// Starts it and waits until it says that it watches.
    fn start(env: &TestEnv, keep_output: bool) -> Self {
        if !env.guard_home().join("config.toml").exists() {
            // On this machine others are at work too: only a folder in which nothing happens.
            env.config(&format!("scan_roots = [{:?}]\n", env.project().to_string_lossy()));
        }
        let mut command = env.command(env.program("wsguard"));
        own_group(&mut command);
        command.args(["watch", "--json"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = spawn(&mut command);
        let said = lines_of(BufReader::new(child.stderr.take().unwrap()));
        while !said.recv_timeout(PATIENCE).unwrap().contains("watching") {}
        let output: ChildStdout = child.stdout.take().unwrap();
        let lines = if keep_output { lines_of(BufReader::new(output)) } else { mpsc::channel().1 };
        Self { child, lines }
    }

    fn next(&self) -> Value {
        serde_json::from_str(&portable(self.lines.recv_timeout(PATIENCE).unwrap())).unwrap()
    }

    /// What it shows of the entry with this name; other lines are passed over.
    fn next_of(&self, name: &str) -> Value {
        loop {
            let line = self.next();
            if line["path"].as_str().is_some_and(|path| path.ends_with(name)) {
                return line;
            }
        }
    }

    /// Presses Ctrl-C, and holds that it ends well.
    fn interrupt(mut self) {
        if interrupt(&self.child) {
            assert_eq!(self.code(), Some(0));
        } else {
            self.child.kill().unwrap();
        }
    }

    #[cfg(unix)]
    fn signal(&self, signal: &str) {
        let status = std::process::Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    fn code(mut self) -> Option<i32> {
        let start = std::time::Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            if start.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("it does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn lines_of(reader: impl std::io::BufRead + Send + 'static) -> Receiver<String> {
    let (send, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in reader.lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

#[test]
fn what_hooks_see_is_shown_and_ctrl_c_ends_it() {
    let env = TestEnv::new();
    write_lines(&env, &[appeared(&env.outside("before"), "d:0", "s0", "c0")]);
    let watching = Watching::start(&env, true);
    for n in 1..4 {
        write_lines(&env, &[appeared(&env.outside(&format!("x{n}")), "d:1", "s1", "c1")]);
        let line = watching.next();
        assert_eq!((&line["path"], &line["session"]), (&env.outside(&format!("x{n}")).into(), &"s1".into()));
    }
    // The journal is put aside meanwhile: no line is missed.
    let ledger = env.guard_home().join("workspace-mgr");
    std::fs::rename(ledger.join("journal.jsonl"), ledger.join("journal-000001.jsonl")).unwrap();
    write_lines(&env, &[appeared(&env.outside("after"), "d:1", "s1", "c1")]);
    assert_eq!(watching.next_of("after")["session"], "s1");
    watching.interrupt();
}

#[test]
fn a_reader_that_goes_away_ends_it() {
    let env = TestEnv::new();
    let watching = Watching::start(&env, false);
    write_lines(&env, &[appeared(&env.outside("x"), "d:1", "s1", "c1")]);
    assert_eq!(watching.code(), Some(0));
}

#[test]
fn what_appears_by_itself_is_shown_with_its_session() {
    let env = TestEnv::new();
    env.config(&format!("observe = true\nscan_roots = [{:?}]\n", env.outside("")));
    let call = Payload::bash(&env.project(), "true");
    env.hook(&call).assert_pass();
    let watching = Watching::start(&env, true);
    std::fs::create_dir(env.outside("made")).unwrap();
    let line = watching.next_of("made");
    assert_eq!((&line["kind"], &line["session"]), (&"appeared".into(), &SESSION.into()), "{line}");
    std::fs::remove_dir(env.outside("made")).unwrap();
    assert_eq!(watching.next_of("made")["kind"], "vanished");
    #[cfg(unix)]
    {
        watching.signal("-TERM");
        assert_eq!(watching.code(), Some(0));
    }
    #[cfg(windows)]
    watching.interrupt();
}

/// More changes than the system keeps notices of, while the process does not take any.
#[cfg(target_os = "linux")]
#[test]
fn an_overflow_loses_no_entry() {
    let env = TestEnv::new();
    env.config(&format!("scan_roots = [{:?}]\n", env.outside("")));
    let queue = std::fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
    let queue: usize = queue.trim().parse().unwrap();
    let watching = Watching::start(&env, true);
    watching.signal("-STOP");
    // A test must end some day, on a machine with a huge queue too: then this is no overflow, and still must hold.
    for _ in 0..(queue / 2 + 100).min(20_000) {
        std::fs::write(env.outside("flicker"), "").unwrap();
        std::fs::remove_file(env.outside("flicker")).unwrap();
    }
    std::fs::create_dir(env.outside("after")).unwrap();
    watching.signal("-CONT");
    assert_eq!(watching.next_of("after")["kind"], "appeared");
    watching.interrupt();
}
