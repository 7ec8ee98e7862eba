//! A driver for the real Codex and the model that it talks to.

mod client;
mod script;

pub(crate) use client::{Run, client, put_on_path};
pub(crate) use script::{Script, Use};
