//! Path models and resolution. Pure text: what needs the disk asks [`crate::world::World`].

mod model;
mod resolve;
mod windows;

pub use model::Model;
pub use resolve::{Resolved, resolve};
pub(crate) use windows::is_device;
