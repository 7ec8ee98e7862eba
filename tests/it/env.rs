//! A machine of its own for each test: home, project, a folder outside of every allowed root, and an
//! environment that holds nothing but what the test put there.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

pub(crate) use crate::platform::{set_modified, symlink, text};
use crate::{
    payload::{Payload, SESSION},
    platform::{platform_variables, portable, program_name, protected_dir},
};

/// A process that has not ended by then is killed, and the test fails. Far above any deadline of the product.
const PATIENCE: Duration = Duration::from_secs(30);

/// The hermetic environment.
pub(crate) struct TestEnv {
    root: PathBuf,
    vars: BTreeMap<String, OsString>,
    bin: PathBuf,
    run_as: Option<u32>,
    // Last: the folder is removed when the rest is gone.
    _dir: tempfile::TempDir,
}

impl TestEnv {
    /// A fresh machine: `home/`, `project/` and `outside/` beside each other, no configuration.
    pub(crate) fn new() -> Self {
        Self::at(&base_dir(false, false))
    }

    /// The same in a folder that nothing sweeps, as a user's home is.
    pub(crate) fn lasting() -> Self {
        Self::at(&base_dir(false, true))
    }

    /// The same for processes that run without privileges, where the tests have them: root may write
    /// everywhere, and some clients refuse to work for root.
    pub(crate) fn unprivileged() -> Self {
        let mut this = Self::at(&base_dir(true, false));
        let bin = this.root.join("bin");
        fs::create_dir(&bin).unwrap();
        for name in ["wsguard", "wsguard-hook"].map(program_name) {
            fs::copy(this.bin.join(&name), bin.join(&name)).unwrap();
        }
        this.bin = bin;
        if is_root() {
            this.run_as = Some(65534);
            this.give_away(&this.root);
        }
        this
    }

    fn at(base: &Path) -> Self {
        let dir = tempfile::Builder::new().prefix("wsg-").tempdir_in(base).unwrap();
        // The path as the kernel sees it, so that reasons and expectations are spelled alike.
        let root = workspace_guard::sys::real_path(dir.path()).unwrap();
        for name in ["home", "project", "outside"] {
            fs::create_dir(root.join(name)).unwrap();
        }
        fs::write(root.join("outside/existing.txt"), "outside\n").unwrap();
        fs::write(root.join("project/a.txt"), "inside\n").unwrap();
        let mut vars = BTreeMap::from([
            ("HOME".to_owned(), root.join("home").into_os_string()),
            ("LANG".to_owned(), "C.UTF-8".into()),
            ("TZ".to_owned(), "UTC".into()),
            ("CLAUDE_PROJECT_DIR".to_owned(), root.join("project").into_os_string()),
        ]);
        vars.extend(platform_variables(&root));
        Self {
            vars,
            // Under Wine the path is one of the machine below.
            bin: std::path::absolute(env!("CARGO_BIN_EXE_wsguard-hook")).unwrap().parent().unwrap().to_owned(),
            run_as: None,
            root,
            _dir: dir,
        }
    }

    /// Sets a variable for the processes that this environment starts.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<OsString>) -> &mut Self {
        self.vars.insert(name.to_owned(), value.into());
        self
    }

    /// Removes a variable.
    pub(crate) fn unset(&mut self, name: &str) -> &mut Self {
        self.vars.remove(name);
        self
    }

    /// The folder that holds all the others.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The user's home folder.
    pub(crate) fn user_home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The product's HOME.
    pub(crate) fn guard_home(&self) -> PathBuf {
        self.root.join("home/.wsguard")
    }

    /// The session's project.
    pub(crate) fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// A path below the folder that no rule allows, as text for a command.
    pub(crate) fn outside(&self, name: &str) -> String {
        text(&self.root.join("outside").join(name))
    }

    /// A path below the project, as text for a command.
    pub(crate) fn inside(&self, name: &str) -> String {
        text(&self.project().join(name))
    }

    /// The scratch folder of the usual session.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.guard_home().join("scratch").join(SESSION)
    }

    /// Writes HOME/config.toml.
    pub(crate) fn config(&self, toml: &str) -> &Self {
        fs::create_dir_all(self.guard_home()).unwrap();
        fs::write(self.guard_home().join("config.toml"), toml).unwrap();
        self.give_away(&self.guard_home());
        self
    }

    /// The folder of the binaries that this environment starts.
    pub(crate) fn bin(&self) -> &Path {
        &self.bin
    }

    /// A program of ours, with the platform's ending.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.bin.join(program_name(name))
    }

    /// Makes the unprivileged user the owner of everything below `path`.
    #[cfg(unix)]
    pub(crate) fn give_away(&self, path: &Path) {
        if let Some(uid) = self.run_as {
            std::os::unix::fs::lchown(path, Some(uid), Some(uid)).unwrap();
            if path.is_dir() && !path.is_symlink() {
                for entry in fs::read_dir(path).unwrap() {
                    self.give_away(&entry.unwrap().path());
                }
            }
        }
    }

    /// There is no such user here.
    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "as elsewhere")]
    pub(crate) const fn give_away(&self, _path: &Path) {}

    /// A command with exactly this environment, in the project folder.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(&self.vars).current_dir(self.project());
        #[cfg(unix)]
        if let Some(uid) = self.run_as {
            use std::os::unix::process::CommandExt;
            command.uid(uid).gid(uid);
        }
        command
    }

    /// The hook, not yet started.
    pub(crate) fn hook_command(&self) -> Command {
        let mut command = self.command(self.program("wsguard-hook"));
        command.args(["--harness", "claude-code"]);
        // Wine on a busy machine may need longer than anybody wants to wait for a hook.
        let config = fs::read_to_string(self.guard_home().join("config.toml")).unwrap_or_default();
        if cfg!(windows) && !config.contains("hook_deadline_ms") {
            command.env("WSGUARD_HOOK_DEADLINE_MS", "10000");
        }
        command
    }

    /// Starts the hook with a payload.
    pub(crate) fn hook(&self, payload: &Payload) -> HookOutput {
        self.hook_bytes(&payload.line())
    }

    /// Starts the hook with any bytes.
    pub(crate) fn hook_bytes(&self, stdin: &[u8]) -> HookOutput {
        self.finish(self.hook_command(), stdin)
    }

    /// Runs a prepared hook command.
    pub(crate) fn finish(&self, command: Command, stdin: &[u8]) -> HookOutput {
        let raw = run(command, stdin);
        HookOutput { raw, root: self.root.clone(), scratch: self.scratch() }
    }

    /// `PreToolUse` of a Bash command in the project.
    pub(crate) fn bash(&self, command: &str) -> HookOutput {
        self.hook(&Payload::bash(&self.project(), command))
    }

    /// `PreToolUse` of a `Write`.
    pub(crate) fn write(&self, path: &str) -> HookOutput {
        self.hook(&Payload::write(&self.project(), path))
    }

    /// `PreToolUse` of any tool.
    pub(crate) fn tool(&self, name: &str, input: Value) -> HookOutput {
        self.hook(&Payload::pre(&self.project(), name, input))
    }

    /// Runs the operator's command line.
    pub(crate) fn wsguard(&self, args: &[&str]) -> RawOutput {
        let mut command = self.command(self.program("wsguard"));
        command.args(args);
        let out = run(command, b"");
        RawOutput { stdout: portable(out.stdout), stderr: portable(out.stderr), ..out }
    }

    /// Like [`TestEnv::wsguard`], for a command that must work: gives its standard output.
    pub(crate) fn wsguard_ok(&self, args: &[&str]) -> String {
        let out = self.wsguard(args);
        assert_eq!(out.code, Some(0), "wsguard {args:?}: {out:?}");
        out.stdout
    }
}

/// Whether the tests run with the rights of root.
pub(crate) fn is_root() -> bool {
    #[cfg(unix)]
    {
        // The owner of a file that this process just made is the effective user.
        use std::os::unix::fs::MetadataExt;
        tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
    }
    #[cfg(not(unix))]
    false
}

/// Where the test folders are made: never below a temp folder, since the gate allows those.
/// `shared`: other users must be able to reach it. `lasting`: nothing sweeps it.
fn base_dir(shared: bool, lasting: bool) -> PathBuf {
    let target = std::path::absolute(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::create_dir_all(&target).unwrap();
    if cfg!(windows) {
        return protected_dir(&target);
    }
    let temps = [PathBuf::from("/tmp"), PathBuf::from("/private/tmp"), std::env::temp_dir()];
    let usable = |dir: &Path| {
        dir.canonicalize().is_ok_and(|real| {
            !temps.iter().filter_map(|t| t.canonicalize().ok()).any(|t| real.starts_with(t))
                && (!shared || is_reachable(&real))
        })
    };
    // The target folder may lie so deep that the temp folder of a home in it is refused as too long for sockets.
    let mut candidates = [Path::new("/var/tmp"), &target];
    if lasting {
        candidates.reverse();
    }
    let found = candidates.into_iter().find(|dir| usable(dir));
    found.expect("a folder for the tests that is not below a temp folder").to_owned()
}

/// Whether another user can reach `dir`: every folder on the way lets everybody through.
pub(crate) fn is_reachable(dir: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        dir.ancestors().all(|d| d.metadata().is_ok_and(|m| m.permissions().mode() & 0o001 != 0))
    }
    #[cfg(not(unix))]
    dir.exists()
}

/// What a process left behind.
#[derive(Clone, Debug)]
pub(crate) struct RawOutput {
    /// The exit code; none where a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output, which must be UTF-8.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
    /// From start to end.
    pub(crate) took: Duration,
}

/// Starts a process, feeds it and waits for it, with a limit.
pub(crate) fn run(mut command: Command, stdin: &[u8]) -> RawOutput {
    let start = Instant::now();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn(&mut command);
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    // A thread, since the process may answer before it has read everything, or never read at all.
    let feeder = std::thread::spawn(move || {
        // A process that does not want its input is no fault of the test.
        drop(pipe.write_all(&stdin));
    });
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let code = wait(&mut child, start);
    feeder.join().unwrap();
    RawOutput { code, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap(), took: start.elapsed() }
}

/// Starts a process. Another test that forks while this one copies a program keeps the copy open for writing
/// for a moment, and the kernel then refuses to run it.
pub(crate) fn spawn(command: &mut Command) -> Child {
    for _ in 0..200 {
        match command.spawn() {
            Err(e) if e.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            other => return other.unwrap_or_else(|e| panic!("{command:?}: {e}")),
        }
    }
    panic!("{command:?} stays busy")
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).unwrap();
        }
        String::from_utf8(bytes).expect("output is UTF-8")
    })
}

fn wait(child: &mut Child, start: Instant) -> Option<i32> {
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the process hung");
        }
        std::thread::sleep(Duration::from_micros(300));
    }
}

/// What the hook said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing: the client goes on.
    Pass,
    /// The call is refused, with this reason.
    Deny(String),
    /// The user is asked, with this reason.
    Ask(String),
    /// Text for the model at an event.
    Context {
        /// The event.
        event: String,
        /// The text.
        text: String,
    },
}

impl Answer {
    /// Reads a hook's whole output.
    ///
    /// # Panics
    /// When it is not one of the forms that the client understands.
    pub(crate) fn read(code: Option<i32>, stdout: &str) -> Self {
        assert_eq!(code, Some(0), "the hook's exit code; output: {stdout:?}");
        if stdout.is_empty() {
            return Self::Pass;
        }
        let value: Value =
            serde_json::from_str(stdout).unwrap_or_else(|e| panic!("not one JSON value ({e}): {stdout:?}"));
        let object = value.as_object().expect("an object");
        assert_eq!(object.keys().collect::<Vec<_>>(), ["hookSpecificOutput"], "{stdout}");
        let inner = object["hookSpecificOutput"].as_object().expect("an object");
        let field = |name: &str| inner[name].as_str().unwrap().to_owned();
        let mut keys: Vec<_> = inner.keys().map(String::as_str).collect();
        keys.sort_unstable();
        match keys.as_slice() {
            ["hookEventName", "permissionDecision", "permissionDecisionReason"] => {
                assert_eq!(field("hookEventName"), "PreToolUse");
                let reason = field("permissionDecisionReason");
                assert!(!reason.trim().is_empty(), "a reason is never empty");
                assert!(reason.chars().count() <= 600, "{} characters: {reason}", reason.chars().count());
                match field("permissionDecision").as_str() {
                    "deny" => Self::Deny(reason),
                    "ask" => Self::Ask(reason),
                    other => panic!("permissionDecision {other:?}"),
                }
            }
            ["additionalContext", "hookEventName"] => {
                Self::Context { event: field("hookEventName"), text: field("additionalContext") }
            }
            other => panic!("keys {other:?} in {stdout}"),
        }
    }
}

/// One run of the hook.
#[derive(Clone, Debug)]
pub(crate) struct HookOutput {
    /// The process.
    pub(crate) raw: RawOutput,
    root: PathBuf,
    scratch: PathBuf,
}

impl HookOutput {
    /// The answer, with paths as [`text`] spells them; see [`Answer::read`] for what must hold.
    pub(crate) fn answer(&self) -> Answer {
        assert!(!self.raw.stderr.contains("panicked"), "{}", self.raw.stderr);
        let answer = Answer::read(self.raw.code, &self.raw.stdout);
        match answer {
            Answer::Pass => Answer::Pass,
            Answer::Deny(reason) => Answer::Deny(portable(reason)),
            Answer::Ask(reason) => Answer::Ask(portable(reason)),
            Answer::Context { event, text } => Answer::Context { event, text: portable(text) },
        }
    }

    /// The hook has no opinion.
    #[track_caller]
    pub(crate) fn assert_pass(&self) {
        assert_eq!(self.answer(), Answer::Pass);
    }

    /// The hook refuses; gives the reason.
    #[track_caller]
    pub(crate) fn assert_refused(&self) -> String {
        match self.answer() {
            Answer::Deny(reason) => reason,
            other => panic!("expected a refusal, got {other:?}"),
        }
    }

    /// The hook refuses because of `path`, and its reason teaches: it names the path, the session's scratch,
    /// which exists, and how the operator can allow the path. Gives the reason.
    #[track_caller]
    pub(crate) fn assert_denied(&self, path: &str) -> String {
        let reason = self.assert_refused();
        assert!(reason.contains(path), "the reason names {path}: {reason}");
        assert!(reason.contains(&text(&self.scratch)), "the reason names {}: {reason}", self.scratch.display());
        assert!(reason.contains("wsguard allow"), "the reason says how to allow: {reason}");
        assert!(self.scratch.is_dir(), "the scratch that the reason names exists");
        reason
    }

    /// The context of an event.
    #[track_caller]
    pub(crate) fn assert_context(&self, wanted: &str) -> String {
        match self.answer() {
            Answer::Context { event, text } if event == wanted => text,
            other => panic!("expected context of {wanted}, got {other:?}"),
        }
    }

    /// Standard output with the folder of this run replaced, for snapshots.
    pub(crate) fn stable(&self) -> String {
        // As JSON spells a backslash.
        let root = self.root.to_str().unwrap().replace('\\', r"\\");
        let stable = self.raw.stdout.replace(&root, "[ENV]");
        if cfg!(windows) { stable.replace(r"\\", "/") } else { stable }
    }
}
