//! System calls that the standard library does not offer. The only module with `unsafe`.

mod access;
mod arena;
mod entry;
mod environ;
mod file;
#[cfg(windows)]
mod file_facts;
mod folder;
mod interrupt;
mod last_words;
#[cfg(target_os = "linux")]
mod listing;
#[cfg(windows)]
#[path = "sys/listing_windows.rs"]
mod listing;
mod mounts;
#[cfg(windows)]
mod names;
#[cfg(windows)]
mod ntapi;
#[cfg(windows)]
mod private;
mod process;
mod relay;
mod rename;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(not(target_os = "linux"))]
#[path = "sys/tree_std.rs"]
mod tree;
mod tree_facts;
#[cfg(windows)]
mod winapi;

pub use access::may_write;
pub use arena::Arena;
#[cfg(unix)]
pub use entry::prepare;
pub use environ::has_variable;
pub use file::{linked_file, open_without_waiting, real_path};
#[cfg(windows)]
pub use file_facts::{FileFacts, file_facts};
#[cfg(windows)]
pub use folder::make_junction;
#[cfg(unix)]
pub use folder::make_pipe;
pub use folder::{
    EntryFacts, Folder, Identity, Node, NodeKind, Owner, copy_attributes, is_no_file, leads_away, link_in_the_way,
    mount_in_the_way, node_of, set_owner_and_mode,
};
pub use interrupt::{interrupted, on_interrupt};
pub use last_words::{LastWords, arm, owe_denial, set_deadline};
#[cfg(target_os = "linux")]
pub use listing::ListedFacts;
#[cfg(any(target_os = "linux", windows))]
pub use listing::{Listed, ListedKind, Listing};
pub use mounts::{Mount, mounts};
#[cfg(windows)]
pub use names::{drive_target, long_name};
#[cfg(windows)]
pub use private::{access_list, copy_access, create_private_folder, user_sid};
pub use process::{parent_id, process_start, program, user_id};
pub use relay::relay_signals;
pub use rename::rename_over;
pub use tree::{
    TreeBatch, TreeEntry, TreeFolder, TreeName, TreeReader, raise_open_files, tree_facts, tree_name, tree_name_bytes,
};
pub use tree_facts::{TreeFacts, TreeKind};
#[cfg(windows)]
pub use winapi::FILE_FLAG_OPEN_REPARSE_POINT as OPEN_NO_LINK;
