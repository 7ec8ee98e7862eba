//! A driver for the real Claude Code and the model that it talks to.

mod client;
mod mock;

pub(crate) use client::{Run, client};
pub(crate) use mock::{Script, Use};
