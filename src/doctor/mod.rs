//! Whether the guard really guards: what `wsguard doctor` and `wsguard status` look at.
//!
//! A guard that is silently off is the worst state, so what is registered is not only read but run.

#[cfg(any(windows, test))]
mod access;
mod activity;
mod examine;
mod finding;
mod home_state;
mod probe;
mod registration;
mod registration_check;
mod status;
mod trust_check;

pub use activity::{Activity, SessionSeen};
pub use examine::{Report, Surroundings, examine};
pub use finding::{Finding, Level};
pub use probe::{Came, PROBE_SESSION, Probe, ProbeKind};
pub use registration::{Registered, Source, registrations};
pub use status::{HarnessStatus, Status, status};
