//! System calls that the standard library does not offer. The only module with `unsafe`.

mod process;

pub use process::{parent_id, process_start, user_id};
