//! The store: journal, grants, audit.

mod archives;
pub mod audit;
pub(crate) mod error;
pub mod files;
mod granting;
pub mod grants;
pub mod index;
pub mod journal;
mod lines;
pub(crate) mod mask;
pub mod observed;
mod rows;
pub mod stamp;
mod verify;

pub use audit::Audit;
pub use error::LedgerError;
pub use granting::{Asked, NewGrant};
pub use grants::{Grant, GrantError, Grants, Scope, Who};
pub use index::{Index, IndexError, Row, State, Store};
pub use journal::Journal;
pub use verify::{Damage, Report};
