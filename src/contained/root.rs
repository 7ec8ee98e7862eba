//! A root that was opened once.

use std::io;
use std::path::Path;

use super::ContainedError;
use super::siblings::is_same;
use crate::path::guard::{PathGuard, Refusal, Rules, SafePath};
use crate::sys::{Folder, Node};

/// A folder below which files are read and written, and nowhere else.
///
/// Each path goes through the guard first. Then it is walked from the folder that was opened, and links, other mounts and ways
/// out are refused on the walk itself; nothing is looked at by name and acted on later. The opened folder stays the root even
/// when another folder or a link takes its name.
///
/// What it can't hold: whoever can move a folder out of the root while it is being written to gets the write there.
#[derive(Debug)]
pub struct Root {
    pub(super) folder: Folder,
    /// What was opened.
    pub(super) node: Node,
    pub(super) way: Way,
    guard: PathGuard,
    #[cfg(any(test, feature = "self-check"))]
    pub(super) twin: Option<super::twin::Twin>,
}

/// How paths are walked. The answers are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// In one call beneath the root, by the kernel: `openat2`, Linux 5.6.
    Kernel,
    /// Name by name, each opened in the folder that was opened before, without following links; folders of another mount are
    /// not entered.
    NameByName,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Kernel, Self::NameByName];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::NameByName => "name by name",
        }
    }
}

impl Root {
    /// Opens the folder `path` as a root. A link in its place is refused; links above it are the caller's own. Paths are walked
    /// by the kernel where it can, else name by name.
    ///
    /// # Errors
    /// [`ContainedError::Root`].
    pub fn open(path: &Path, rules: Rules) -> Result<Self, ContainedError> {
        match Self::open_by(path, rules, Way::Kernel) {
            Err(ContainedError::Root { source, .. }) if source.kind() == io::ErrorKind::Unsupported => {
                Self::open_by(path, rules, Way::NameByName)
            }
            opened => opened,
        }
    }

    /// The same by one way only.
    ///
    /// # Errors
    /// [`ContainedError::Root`], with [`io::ErrorKind::Unsupported`] where this system does not know the way.
    pub fn open_by(path: &Path, rules: Rules, way: Way) -> Result<Self, ContainedError> {
        let open = || {
            let folder = Folder::open(path)?;
            let node = folder.own_node()?;
            match way {
                Way::Kernel => can_walk(&folder)?,
                // Bind mounts have the root's own file system; only their number tells them apart.
                Way::NameByName if cfg!(target_os = "linux") && node.mount.is_none() => {
                    return Err(unsupported("this system does not say through which mount a folder was reached"));
                }
                Way::NameByName => {}
            }
            Ok((folder, node))
        };
        let (folder, node) = open().map_err(|source| ContainedError::Root { path: path.to_owned(), source })?;
        Ok(Self {
            folder,
            node,
            way,
            guard: PathGuard::new(rules),
            #[cfg(any(test, feature = "self-check"))]
            twin: super::twin::Twin::of(path, &node),
        })
    }

    /// How paths are walked.
    pub const fn way(&self) -> Way {
        self.way
    }

    /// The same without the comparison that a self-check makes after each operation: somebody else is at work below it.
    #[must_use]
    pub(crate) fn unwatched(self) -> Self {
        #[cfg(any(test, feature = "self-check"))]
        return Self { twin: None, ..self };
        #[cfg(not(any(test, feature = "self-check")))]
        self
    }

    pub(super) fn admit<'a>(&self, raw: &'a [u8]) -> Result<SafePath<'a>, ContainedError> {
        self.guard.judge(raw).map_err(|refusal| ContainedError::refused(raw, refusal))
    }

    /// The same for what is to be changed.
    pub(super) fn admit_writing<'a>(&self, raw: &'a [u8]) -> Result<SafePath<'a>, ContainedError> {
        let safe = self.admit(raw)?;
        if safe.as_str().split('/').any(is_git) {
            return Err(ContainedError::refused(raw, Refusal::GitFolder));
        }
        Ok(safe)
    }

    pub(super) fn guard(&self) -> PathGuard {
        self.guard
    }
}

/// Whether the kernel can walk paths.
#[cfg(target_os = "linux")]
fn can_walk(folder: &Folder) -> io::Result<()> {
    match folder.folder_beneath(".".as_ref()) {
        Ok(_) => Ok(()),
        // Filters of system calls answer with either.
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM)) => {
            Err(unsupported("the kernel has no openat2, or it is forbidden"))
        }
        Err(error) => Err(error),
    }
}

#[cfg(not(target_os = "linux"))]
fn can_walk(_: &Folder) -> io::Result<()> {
    Err(unsupported("this system has no openat2"))
}

/// Whether some file system takes `name` for that of the folder from which git runs hooks: in another spelling, with what Windows
/// cuts off, or by the short name that it has there.
fn is_git(name: &str) -> bool {
    let name = name.split(':').next().unwrap_or(name).trim_end_matches(['.', ' ']);
    let short = name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("git~"));
    short || is_same(name, ".git")
}

fn unsupported(text: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, text)
}
