//! The hook's registration in a client's settings: what an entry must be, adding, repairing and removing it.
//!
//! Clients that have hooks keep them in one shape, `{"hooks": {EVENT: [{"matcher", "hooks": [ENTRY]}]}}`; what an entry
//! holds differs, and is a [`Form`].

pub mod entry;
mod form;
pub mod install;
pub mod register;

pub use form::{Event, Form, PROGRAM};
