//! A machine of its own for each test: home, project, a folder outside of every allowed root, and an
//! environment that holds nothing but what the test put there.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

pub(crate) use crate::{
    answer::{Answer, HookOutput},
    platform::{is_root, set_modified, symlink, text},
    process::{RawOutput, run, spawn},
};
use crate::{
    payload::{Payload, SESSION},
    platform::{base_dir, platform_variables, portable, program_name},
};

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
    #[cfg(unix)]
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
            copy_program(&this.bin.join(&name), &bin.join(&name));
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

    /// Takes the programs from `folder` from now on.
    #[cfg(unix)]
    pub(crate) fn take_programs_from(&mut self, folder: &Path) {
        folder.clone_into(&mut self.bin);
    }

    /// A program of ours, with the platform's ending.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.bin.join(program_name(name))
    }

    /// Makes the unprivileged user the owner of everything below `path`.
    pub(crate) fn give_away(&self, path: &Path) {
        if let Some(uid) = self.run_as {
            crate::platform::give_away(path, uid);
        }
    }

    /// A command with exactly this environment, in the project folder.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(&self.vars).current_dir(self.project());
        if let Some(uid) = self.run_as {
            crate::platform::run_as(&mut command, uid);
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
        HookOutput::new(raw, self.root.clone(), self.scratch())
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

/// Copies a program that is started afterwards. On POSIX another process does so: were the copy open for writing here while
/// another test starts a program, that one would have it open too for a moment, and the system would not run it.
pub(crate) fn copy_program(from: &Path, to: &Path) {
    if cfg!(unix) {
        assert!(Command::new("cp").arg(from).arg(to).status().unwrap().success());
    } else {
        fs::copy(from, to).unwrap();
    }
}
