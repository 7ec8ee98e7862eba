//! Folders that were opened once, and what lies in them by single names: nothing here walks a path by its text.

#[cfg(target_os = "linux")]
mod beneath;
mod node;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
mod unix_node;

pub use node::{Identity, Node, NodeKind};
#[cfg(unix)]
pub use unix::{Folder, leads_away, link_in_the_way, make_pipe, mount_in_the_way};
#[cfg(unix)]
pub use unix_node::node_of;
