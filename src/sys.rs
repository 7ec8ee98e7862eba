//! System calls that the standard library does not offer. The only module with `unsafe`.

mod arena;
mod entry;
mod environ;
mod last_words;
mod process;
mod relay;

pub use arena::Arena;
#[cfg(unix)]
pub use entry::prepare;
pub use environ::has_variable;
pub use last_words::{LastWords, arm, owe_denial, set_deadline};
pub use process::{parent_id, process_start, user_id};
pub use relay::relay_signals;
