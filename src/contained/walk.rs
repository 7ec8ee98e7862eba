//! From the root to where a path leads.

use std::ffi::OsStr;
use std::fs::File;
use std::io;

use super::{ContainedError, Root, Way};
use crate::path::guard::{Fault, Refusal, SafePath};
use crate::sys::{Folder, Node, NodeKind, is_no_file, mount_in_the_way, node_of};

impl Root {
    /// The folder at `path`, names joined by `/`; none is the root itself.
    pub(super) fn folder(&self, path: Option<&str>) -> io::Result<Folder> {
        #[cfg(target_os = "linux")]
        if self.way == Way::Kernel {
            return self.folder.folder_beneath(path.unwrap_or(".").as_ref());
        }
        // Opened anew, so that it lives on its own.
        let mut folder = self.folder.again()?;
        for name in path.into_iter().flat_map(|path| path.split('/')) {
            folder = self.step(&folder, name)?;
        }
        Ok(folder)
    }

    /// The folder `name` in `folder`, which was reached from the root.
    pub(super) fn step(&self, folder: &Folder, name: &str) -> io::Result<Folder> {
        #[cfg(target_os = "linux")]
        if self.way == Way::Kernel {
            return folder.folder_beneath(name.as_ref());
        }
        let next = folder.folder(name.as_ref())?;
        self.check_mount(&next.own_node()?)?;
        Ok(next)
    }

    /// The file at `path`, open to be read, and what it is: a regular one that has no other name.
    pub(super) fn file(&self, path: &SafePath<'_>, raw: &[u8]) -> Result<(File, Node), ContainedError> {
        // Opening a pipe or a device can have effects of its own; what took the name since is looked at again.
        self.look(path, raw, Fault::ReadFailed)?;
        let wrap = |error: io::Error| {
            if is_no_file(&error) {
                return not_regular(raw, error);
            }
            ContainedError::from_io(raw, Fault::ReadFailed, error)
        };
        let file = self.open_any(path.as_str()).map_err(wrap)?;
        let node = node_of(&file).map_err(wrap)?;
        // By the opened file, not by its name.
        self.check(node, raw, Fault::ReadFailed)?;
        Ok((file, node))
    }

    /// What stands at `path`, not opened: a regular file that has no other name. `fault`: what has failed where it can't be said.
    pub(super) fn look(&self, path: &SafePath<'_>, raw: &[u8], fault: Fault) -> Result<Node, ContainedError> {
        let node = self.peek(path.as_str()).map_err(|error| ContainedError::from_io(raw, fault, error))?;
        self.check(node, raw, fault)?;
        Ok(node)
    }

    fn check(&self, node: Node, raw: &[u8], fault: Fault) -> Result<(), ContainedError> {
        if self.way == Way::NameByName {
            self.check_mount(&node).map_err(|error| ContainedError::from_io(raw, fault, error))?;
        }
        if node.kind == NodeKind::Link {
            return Err(ContainedError::refused(raw, Refusal::EscapesViaLink));
        }
        if node.kind != NodeKind::File {
            return Err(not_regular(raw, io::Error::other("it is a folder, a pipe, a socket or a device")));
        }
        // Its other names may lie anywhere.
        if node.links > 1 {
            return Err(ContainedError::refused(raw, Refusal::EscapesViaLink));
        }
        Ok(())
    }

    fn peek(&self, path: &str) -> io::Result<Node> {
        #[cfg(target_os = "linux")]
        if self.way == Way::Kernel {
            return self.folder.peek_beneath(path.as_ref());
        }
        let (parents, name) = split(path);
        self.folder(parents)?.peek(OsStr::new(name))
    }

    fn open_any(&self, path: &str) -> io::Result<File> {
        #[cfg(target_os = "linux")]
        if self.way == Way::Kernel {
            return self.folder.file_beneath(path.as_ref());
        }
        let (parents, name) = split(path);
        self.folder(parents)?.file(OsStr::new(name))
    }

    fn check_mount(&self, node: &Node) -> io::Result<()> {
        if node.shares_mount(&self.node) { Ok(()) } else { Err(mount_in_the_way()) }
    }
}

/// The path of the folder that holds `path`, where that is not the root, and the last name.
pub(super) fn split(path: &str) -> (Option<&str>, &str) {
    path.rsplit_once('/').map_or((None, path), |(parents, name)| (Some(parents), name))
}

fn not_regular(raw: &[u8], source: io::Error) -> ContainedError {
    ContainedError::failed(raw, Fault::NotARegularFile, source)
}
