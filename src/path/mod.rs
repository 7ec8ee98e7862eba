//! Path models, resolution and the guard. Pure text: what needs the disk asks [`crate::world::World`].

pub mod guard;

mod address;
mod form;
mod model;
mod resolve;
mod windows;

pub use address::{Address, AddressError};
pub use form::Form;
pub use model::Model;
pub use resolve::{Resolved, resolve};
pub(crate) use windows::is_device;
