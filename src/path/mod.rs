//! Path models and resolution. Pure text: what needs the disk asks [`crate::world::World`].

mod model;
mod resolve;

pub use model::Model;
pub use resolve::{Resolved, resolve};
