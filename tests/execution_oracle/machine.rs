//! A throw-away root for one command, and a way to run it there.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use crate::jail;
use workspace_guard::{
    path::Model,
    world::{EntryKind, RealWorld, World},
};

/// The same for every command, whatever the tests were started with.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Seconds that a command may take: far above any need, for machines that are busy.
const PATIENCE: &str = "300";

/// What every machine is a copy of.
pub(crate) struct Template(Machine);

impl Template {
    pub(crate) fn new() -> Self {
        let machine = Machine::below(tempfile::Builder::new().prefix("wsx-").tempdir_in(jail::base_dir()).unwrap());
        for folder in ["home/project", SCRATCH, TMP, "outside"] {
            fs::create_dir_all(machine.root.join(folder)).unwrap();
        }
        machine.bash(TEMPLATE);
        Self(machine)
    }
}

/// A folder with `home/project`, `home/.wsguard/…`, `outside` and some files in each.
pub(crate) struct Machine {
    pub(crate) root: PathBuf,
    /// Not below the root: what belongs to the harness of the test itself.
    errors: PathBuf,
    vars: BTreeMap<&'static str, String>,
    _dir: tempfile::TempDir,
}

/// What became of a command.
pub(crate) struct Ran {
    /// How it ended, `None` for a signal.
    pub(crate) code: Option<i32>,
    /// What it said on standard error.
    pub(crate) errors: String,
}

impl Machine {
    /// A fresh copy of the template.
    pub(crate) fn new(template: &Template) -> Self {
        let machine = Self::below(tempfile::Builder::new().prefix("wsx-").tempdir_in(jail::base_dir()).unwrap());
        copy(&template.0.root, &machine.root);
        // Links that know where they are.
        symlink(machine.at("outside"), machine.at("home/project/to-outside")).unwrap();
        symlink(machine.at("home/project"), machine.at("outside/to-project")).unwrap();
        machine
    }

    fn below(dir: tempfile::TempDir) -> Self {
        let top = dir.path().canonicalize().unwrap();
        let root = top.join("w");
        Self { errors: top.join("errors"), vars: vars(&root), root, _dir: dir }
    }

    /// `%OUT` and its like as absolute paths.
    pub(crate) fn fill(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (mark, path) in [
            ("%PROJECT", "home/project"),
            ("%SCRATCH", SCRATCH),
            ("%TMP", TMP),
            ("%HOME", "home"),
            ("%OUT", "outside"),
            ("%ROOT", ""),
        ] {
            if text.contains(mark) {
                text = text.replace(mark, self.at(path).trim_end_matches('/'));
            }
        }
        text
    }

    /// An absolute path below the root.
    pub(crate) fn at(&self, path: &str) -> String {
        self.root.join(path).to_str().unwrap().to_owned()
    }

    /// Runs a command.
    pub(crate) fn run(&self, shell: &str, cwd: &str, command: &str) -> Ran {
        let mut run = Command::new("timeout");
        run.args(["-k", "2", PATIENCE, shell]);
        if shell == "bash" {
            run.args(["--norc", "--noprofile"]);
        }
        let errors = fs::File::create(&self.errors).unwrap();
        let status = run
            .args(["-c", command])
            .current_dir(cwd)
            .env_clear()
            .envs(&self.vars)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors)
            .status()
            .unwrap();
        let errors = fs::read(&self.errors).unwrap();
        Ran { code: status.code(), errors: String::from_utf8_lossy(&errors).into_owned() }
    }

    /// Runs a command of the table's that must succeed.
    pub(crate) fn bash(&self, command: &str) {
        let ran = self.run("bash", &self.at("home/project"), command);
        assert_eq!(ran.code, Some(0), "{command}\n{}", ran.errors);
    }

    /// What the engine is shown: the real disk and the environment of the command.
    pub(crate) fn world(&self) -> impl World {
        Seen { disk: RealWorld::new(Vec::new()), vars: self.vars.clone() }
    }
}

/// The session's scratch folder, below the root.
pub(crate) const SCRATCH: &str = "home/.wsguard/scratch/s";
/// Where TMPDIR points, below the root.
pub(crate) const TMP: &str = "home/.wsguard/cache/tmp";

/// What every command finds. Run once, in `home/project`.
const TEMPLATE: &str = include_str!("template.sh");

fn vars(root: &Path) -> BTreeMap<&'static str, String> {
    let at = |path: &str| root.join(path).to_str().unwrap().to_owned();
    BTreeMap::from([
        ("HOME", at("home")),
        ("TMPDIR", at(TMP)),
        ("PATH", toolchain().map_or_else(|| PATH.to_owned(), |dir| format!("{PATH}:{dir}"))),
        ("LANG", "C.UTF-8".to_owned()),
        ("TZ", "UTC".to_owned()),
        ("USER", "u".to_owned()),
        ("OUTDIR", at("outside")),
        ("GIT_AUTHOR_NAME", "u".to_owned()),
        ("GIT_AUTHOR_EMAIL", "u@example.org".to_owned()),
        ("GIT_COMMITTER_NAME", "u".to_owned()),
        ("GIT_COMMITTER_EMAIL", "u@example.org".to_owned()),
        // No housekeeping that goes on when the command has ended.
        ("GIT_CONFIG_COUNT", "2".to_owned()),
        ("GIT_CONFIG_KEY_0", "gc.auto".to_owned()),
        ("GIT_CONFIG_VALUE_0", "0".to_owned()),
        ("GIT_CONFIG_KEY_1", "maintenance.auto".to_owned()),
        ("GIT_CONFIG_VALUE_1", "false".to_owned()),
        ("CARGO_NET_OFFLINE", "true".to_owned()),
    ])
}

/// The folder of the compiler that runs this test: not the proxy, which looks for its toolchain in the real home.
fn toolchain() -> Option<&'static str> {
    static FOUND: OnceLock<Option<String>> = OnceLock::new();
    let find = || {
        let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
        Some(format!("{}/bin", String::from_utf8(output.stdout).ok()?.trim()))
    };
    FOUND.get_or_init(find).as_deref()
}

/// Whether a program is there for the commands.
pub(crate) fn has(program: &str) -> bool {
    if program == "jail" {
        return jail::is_inside();
    }
    PATH.split(':').chain(toolchain()).any(|dir| Path::new(dir).join(program).is_file())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            copy(&entry.path(), &target);
        } else if kind.is_symlink() {
            symlink(fs::read_link(entry.path()).unwrap(), target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The real disk, with the home and the environment of a command.
struct Seen {
    disk: RealWorld,
    vars: BTreeMap<&'static str, String>,
}

impl World for Seen {
    fn model(&self) -> Model {
        Model::Posix
    }
    fn entry(&self, path: &str) -> Option<EntryKind> {
        self.disk.entry(path)
    }
    fn target(&self, path: &str) -> Option<EntryKind> {
        self.disk.target(path)
    }
    fn linked_file(&self, path: &str) -> Option<(u64, u64)> {
        self.disk.linked_file(path)
    }
    fn read_link(&self, path: &str) -> Option<String> {
        self.disk.read_link(path)
    }
    fn long_name(&self, path: &str) -> Option<String> {
        self.disk.long_name(path)
    }
    fn drive_target(&self, letter: char) -> Option<String> {
        self.disk.drive_target(letter)
    }
    fn list(&self, path: &str, limit: usize) -> Option<Vec<String>> {
        self.disk.list(path, limit)
    }
    fn read_text(&self, path: &str, limit: usize) -> Option<String> {
        self.disk.read_text(path, limit)
    }
    fn env(&self, name: &str) -> Option<String> {
        self.vars.get(name).cloned()
    }
    fn home(&self) -> Option<String> {
        self.vars.get("HOME").cloned()
    }
}
