//! The self-check: after each operation its plain twin, which follows and checks nothing, and a comparison of both.
//!
//! For tests, and for builds with the feature `self-check`. What is compared is found by names, so it holds only while
//! nobody else is at work below the root. A difference is a fault of this module and ends the program.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::siblings::is_same;
use super::{ContainedError, Listing, Root, temporary};
use crate::path::guard::{Fault, Refusal, SafePath};
use crate::sys::{Folder, Identity, Node, NodeKind};

/// The root by its path.
#[derive(Debug)]
pub(super) struct Twin {
    path: PathBuf,
    identity: Identity,
}

impl Root {
    /// Hands `path` to the twin where there is one and the guard admits it.
    pub(super) fn compare(&self, path: &[u8], with: impl FnOnce(&Twin, &str)) {
        if let Some(twin) = self.twin.as_ref().filter(|twin| twin.is_there())
            && let Ok(safe) = self.guard().judge(path).map(SafePath::into_owned)
        {
            with(twin, safe.as_str());
        }
    }
}

impl Twin {
    /// `None` where the path names nothing that can be found again.
    pub(super) fn of(path: &Path, node: &Node) -> Option<Self> {
        Some(Self { path: fs::canonicalize(path).ok()?, identity: node.identity })
    }

    /// Whether the root's path still names what was opened.
    fn is_there(&self) -> bool {
        Folder::open(&self.path).and_then(|folder| folder.own_node()).is_ok_and(|node| node.identity == self.identity)
    }

    /// After a file was opened.
    pub(super) fn opened(&self, path: &str, opened: Result<&Node, &ContainedError>) {
        match opened {
            Ok(node) => {
                self.assert_inside(path);
                assert_eq!(self.node(path).map(|node| node.identity).ok(), Some(node.identity), "self-check: {path}");
            }
            Err(error) => self.assert_reason(path, error),
        }
    }

    /// After a file was read.
    pub(super) fn holds(&self, path: &str, held: &[u8]) {
        assert_eq!(fs::read(self.at(path)).ok().as_deref(), Some(held), "self-check: {path}");
    }

    /// After a file was written.
    pub(super) fn written(&self, path: &str, content: &[u8], error: Option<&ContainedError>) {
        match error {
            None => {
                self.assert_inside(path);
                self.holds(path, content);
            }
            Some(error) => self.assert_reason(path, error),
        }
    }

    /// After a file was removed.
    pub(super) fn removed(&self, path: &str, error: Option<&ContainedError>) {
        match error {
            None => assert!(is_missing(&self.node(path)), "self-check: {path}"),
            Some(error) => self.assert_reason(path, error),
        }
    }

    /// After a folder was listed.
    pub(super) fn listed(&self, path: Option<&str>, listed: &Result<Listing, ContainedError>) {
        let path = path.unwrap_or("");
        match listed {
            _ if !self.is_there() => {}
            Ok(listing) => {
                let plain = fs::read_dir(self.at(path)).and_then(|entries| {
                    entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<io::Result<Vec<_>>>()
                });
                let mut plain = plain.unwrap_or_default();
                plain.retain(|name| !temporary::is_ours(name));
                plain.sort_unstable();
                let names: Vec<_> = listing.entries.iter().map(|entry| entry.name.clone()).collect();
                assert!(plain == names || !listing.complete, "self-check: {path}: {plain:?}");
            }
            Err(error) => self.assert_reason(path, error),
        }
    }

    /// The real path of what was reached lies in the root, and is the path itself.
    fn assert_inside(&self, path: &str) {
        let joined = self.at(path);
        let real = fs::canonicalize(&joined).ok();
        // Windows finds a name by its other spellings, and says then how it is spelt.
        let is_found = cfg!(windows)
            && real
                .as_deref()
                .and_then(Path::to_str)
                .zip(joined.to_str())
                .is_some_and(|(real, path)| is_same(real, path));
        assert!(is_found || real.as_ref() == Some(&joined), "self-check: {path}: {real:?}");
    }

    /// A path's place below the root, as the system spells it.
    fn at(&self, path: &str) -> PathBuf {
        path.split('/').filter(|name| !name.is_empty()).fold(self.path.clone(), |path, name| path.join(name))
    }

    /// A failure has a cause that can be seen.
    fn assert_reason(&self, path: &str, error: &ContainedError) {
        match error {
            ContainedError::Refused { source: Refusal::EscapesViaLink, .. } => {
                assert!(self.leads_out(path), "self-check: {path} leads nowhere else");
            }
            ContainedError::Failed { fault: Fault::FileMissing, .. } => {
                assert!(is_missing(&self.node(path)), "self-check: {path} is there");
            }
            ContainedError::Failed { fault: Fault::NotARegularFile, .. } => {
                assert!(self.node(path).is_ok_and(|node| node.kind != NodeKind::File), "self-check: {path} is a file");
            }
            _ => {}
        }
    }

    /// Whether a link, another mount or a file with other names is on the way.
    fn leads_out(&self, path: &str) -> bool {
        let Ok(root) = self.node("") else { return false };
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.map_while(|end| self.node(&path[..end]).ok()).any(|node| {
            let has_names = node.kind == NodeKind::File && node.links > 1;
            node.kind == NodeKind::Link || has_names || !node.shares_mount(&root)
        })
    }

    /// What stands at a path, found as any program would: links before the last name are followed.
    fn node(&self, path: &str) -> io::Result<Node> {
        let full = self.at(path);
        match (full.parent(), full.file_name()) {
            (Some(parent), Some(name)) if !path.is_empty() => Folder::open(&fs::canonicalize(parent)?)?.node(name),
            _ => Folder::open(&self.path)?.own_node(),
        }
    }
}

fn is_missing(node: &io::Result<Node>) -> bool {
    node.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}
