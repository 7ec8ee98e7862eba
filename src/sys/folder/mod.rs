//! Folders that were opened once, and what lies in them by single names: nothing here walks a path by its text.

#[cfg(target_os = "linux")]
mod beneath;
#[cfg(windows)]
mod junction;
mod node;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
mod unix_copy;
#[cfg(unix)]
mod unix_move;
#[cfg(unix)]
mod unix_node;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
mod windows_access;
#[cfg(windows)]
mod windows_copy;
#[cfg(windows)]
mod windows_move;
#[cfg(windows)]
mod windows_node;

#[cfg(windows)]
pub use junction::make_junction;
pub use node::{EntryFacts, Identity, Node, NodeKind, Owner};
#[cfg(unix)]
pub use unix::{Folder, is_no_file, leads_away, link_in_the_way, make_pipe, mount_in_the_way};
#[cfg(unix)]
pub use unix_copy::{copy_attributes, set_owner_and_mode};
#[cfg(unix)]
pub use unix_node::node_of;
#[cfg(windows)]
pub use windows::{Folder, is_no_file, leads_away, link_in_the_way, mount_in_the_way};
#[cfg(windows)]
pub use windows_copy::{copy_attributes, set_owner_and_mode};
#[cfg(windows)]
pub use windows_node::node_of;
