//! The session's place: which folders are its own and which are the guard's.

use std::cell::OnceCell;

use crate::config::Policy;
use crate::path::{Form, Model, resolve};
use crate::world::World;

/// Where a session belongs. All paths are absolute and normal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The product's HOME.
    pub home: String,
    /// The project folder as known at the session's start.
    pub project: Option<String>,
    /// The session's scratch folder.
    pub scratch: String,
    /// Where TEMP, TMP and TMPDIR are pointed.
    pub temp: String,
    /// The system's own temp folders, which those variables named before.
    pub system_temp: Vec<String>,
    /// The harness's own state folders (`~/.claude`), in which its tools may write.
    pub harness_state: Vec<String>,
    /// Files and folders that decide whether the hook runs at all, and with what: the harness's settings, the
    /// environment of its shells, the hook's executable.
    pub fenced: Vec<String>,
}

/// Why a folder is an allowed root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// The session's project.
    Project,
    /// The session's scratch.
    Scratch,
    /// A temp folder.
    Temp,
    /// `allow_roots` in the configuration.
    Configured,
    /// The harness's own state.
    HarnessState,
    /// The operating system's own.
    System,
}

impl RootKind {
    /// A word for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Scratch => "scratch",
            Self::Temp => "temp",
            Self::Configured => "allow_roots",
            Self::HarnessState => "harness state",
            Self::System => "system",
        }
    }
}

/// Why the project folder does not count as an allowed root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectRefusal {
    /// It is a drive's root or a mount point that is protected.
    DriveRoot,
    /// It is the user's home folder or holds it.
    HomeFolder,
}

struct Root {
    kind: RootKind,
    path: String,
    /// Made by us, so never a link itself: one in its place was put there by somebody else, and leads nowhere allowed.
    own: bool,
    resolved: OnceCell<String>,
}

/// The folders in which the agent may create.
pub(crate) struct Roots<'a> {
    world: &'a dyn World,
    model: Model,
    list: Vec<Root>,
    /// Set where the project was left out.
    pub(crate) project_refusal: Option<ProjectRefusal>,
}

impl<'a> Roots<'a> {
    pub(crate) fn new(world: &'a dyn World, policy: &Policy, place: &Place) -> Self {
        let model = world.model();
        let mut roots = Self { world, model, list: Vec::with_capacity(16), project_refusal: None };
        if let Some(project) = &place.project {
            roots.project_refusal = refuse_project(world, policy, project);
            if roots.project_refusal.is_none() {
                roots.add(RootKind::Project, project);
            }
        }
        roots.add_own(RootKind::Scratch, &place.scratch);
        roots.add_own(RootKind::Temp, &place.temp);
        let temp_vars: &[&str] = match model {
            Model::Posix => &["TMPDIR"],
            Model::Windows => &["TEMP", "TMP"],
        };
        for name in temp_vars {
            if let Some(dir) = world.env(name).filter(|d| model.is_absolute(d)) {
                let dir = model.normalize(&dir);
                if !model.same(&dir, &place.temp) {
                    roots.add_unless_too_wide(RootKind::Temp, &dir);
                }
            }
        }
        for dir in &place.system_temp {
            roots.add_unless_too_wide(RootKind::Temp, dir);
        }
        if model == Model::Posix {
            roots.add(RootKind::Temp, "/tmp");
        }
        for dir in &policy.allow_roots {
            roots.add(RootKind::Configured, dir);
        }
        for dir in &place.harness_state {
            roots.add(RootKind::HarnessState, dir);
        }
        match model {
            Model::Posix => {
                for dir in ["/dev", "/proc", "/sys", "/run"] {
                    roots.add(RootKind::System, dir);
                }
            }
            Model::Windows => {
                for dir in [r"C:\Windows", r"C:\Program Files", r"C:\Program Files (x86)", r"\\.\"] {
                    roots.add(RootKind::System, dir);
                }
            }
        }
        roots
    }

    fn add(&mut self, kind: RootKind, path: &str) {
        if !path.is_empty() {
            self.list.push(Root { kind, path: path.to_owned(), own: false, resolved: OnceCell::new() });
        }
    }

    fn add_own(&mut self, kind: RootKind, path: &str) {
        if !path.is_empty() {
            self.list.push(Root { kind, path: path.to_owned(), own: true, resolved: OnceCell::new() });
        }
    }

    /// A temp variable that names a root or the home folder would switch the gate off.
    fn add_unless_too_wide(&mut self, kind: RootKind, path: &str) {
        let holds_home = self.world.home().is_some_and(|h| self.model.is_within(&h, path));
        if self.model.parent(path).is_some() && !holds_home {
            self.add(kind, path);
        }
    }

    /// The allowed root that holds the resolved path.
    pub(crate) fn holding(&self, resolved: &str) -> Option<RootKind> {
        self.list.iter().find(|root| self.model.is_within(resolved, self.resolved(root))).map(|root| root.kind)
    }

    /// Whether a path lies in an allowed root by its spelling alone.
    pub(crate) fn names(&self, path: &str) -> bool {
        self.list
            .iter()
            .any(|root| self.model.is_within(path, &root.path) || self.model.is_within(path, self.resolved(root)))
    }

    fn resolved<'r>(&self, root: &'r Root) -> &'r str {
        // The operating system's own folders are no links on any system that this runs on.
        root.resolved.get_or_init(|| match root.kind {
            RootKind::System => root.path.clone(),
            _ => resolve(self.world, &root.path, !root.own).path,
        })
    }
}

/// Whether `project` is too wide to be allowed just because a session began there.
pub fn refuse_project(world: &dyn World, policy: &Policy, project: &str) -> Option<ProjectRefusal> {
    let model = world.model();
    let resolved = resolve(world, project, true).path;
    let is_drive = |d: &String| match model {
        Model::Posix => model.normalize(d) == resolved,
        Model::Windows => false,
    };
    if model.parent(&resolved).is_none() || policy.protect_drives.iter().any(is_drive) {
        return Some(ProjectRefusal::DriveRoot);
    }
    if policy.allow_home_as_project {
        return None;
    }
    let home = world.home()?;
    let home = resolve(world, &home, true).path;
    model.is_within(&home, &resolved).then_some(ProjectRefusal::HomeFolder)
}

/// Whether the resolved path lies on a protected drive: its drive letter is listed, or a listed mount
/// point holds it. A volume that is named without a letter (`\\?\Volume{…}\`) may be any drive.
pub(crate) fn is_protected(model: Model, policy: &Policy, resolved: &str) -> bool {
    if model.form(resolved) == Form::Verbatim {
        return !policy.protect_drives.is_empty();
    }
    policy.protect_drives.iter().any(|drive| match model {
        Model::Posix => model.is_within(resolved, drive),
        Model::Windows => {
            let letter = drive.as_bytes().first();
            resolved.as_bytes().get(1) == Some(&b':')
                && letter.is_some_and(|l| l.eq_ignore_ascii_case(&resolved.as_bytes()[0]))
        }
    })
}
