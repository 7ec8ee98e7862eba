//! The guard: a path that somebody else wrote becomes a relative path that stays where it is put, or one [`Refusal`].
//!
//! Pure: no file of this module names the disk, the environment, the clock or the platform, and a test reads them to
//! prove it. The answer for the same bytes under the same [`Rules`] is the same everywhere.

mod decode;
mod fault;
mod judge;
mod published;
mod refusal;
mod rules;
mod safe;
mod scalar;
mod stricter;
#[cfg(test)]
mod tests;
mod word;

pub use fault::Fault;
pub use judge::PathGuard;
pub use refusal::Refusal;
pub use rules::Rules;
pub use safe::SafePath;
