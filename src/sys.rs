//! System calls that the standard library does not offer. The only module with `unsafe`.

mod arena;
#[cfg(target_os = "linux")]
mod beneath;
mod entry;
mod environ;
mod file;
mod last_words;
#[cfg(windows)]
mod names;
#[cfg(windows)]
mod private;
mod process;
mod relay;
mod rename;
#[cfg(windows)]
mod winapi;

pub use arena::Arena;
#[cfg(all(test, target_os = "linux"))]
pub use beneath::swap_at;
#[cfg(target_os = "linux")]
pub use beneath::{Beneath, make_folder_at, open_beneath, open_folder, remove_at, rename_at};
#[cfg(unix)]
pub use entry::prepare;
pub use environ::has_variable;
pub use file::{linked_file, real_path};
pub use last_words::{LastWords, arm, owe_denial, set_deadline};
#[cfg(windows)]
pub use names::{drive_target, long_name};
#[cfg(windows)]
pub use private::{access_list, copy_access, create_private_folder, user_sid};
pub use process::{parent_id, process_start, user_id};
pub use relay::relay_signals;
pub use rename::rename_over;
#[cfg(windows)]
pub use winapi::FILE_FLAG_OPEN_REPARSE_POINT as OPEN_NO_LINK;
