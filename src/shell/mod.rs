//! Command text -> effects. Knows dialects and programs; knows nothing of policy or harnesses.

mod analyse;
pub mod bash;
pub mod cmd;
mod context;
mod effect;
pub mod inline;
pub(crate) mod patch;
pub mod powershell;
pub mod programs;
mod value;

pub use analyse::{analyse, analyse_code};
pub use context::{Context, Dialect};
pub use effect::{Analysis, Certainty, Effect, EffectKind, Gap, GapKind, OperatorCall, Span, Target};
pub use value::{Piece, Value};
