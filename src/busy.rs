//! Time that a thread had the processor. Shared by tests and benchmarks.

use std::fs;
use std::time::{Duration, Instant};

/// A stopwatch that does not count what else the machine does, where the system tells (Linux, in steps of a few
/// milliseconds); elsewhere it goes by the clock.
pub(crate) struct Busy {
    start: Instant,
    counted: Option<Duration>,
}

impl Busy {
    /// Starts counting for this thread.
    pub(crate) fn start() -> Self {
        Self { start: Instant::now(), counted: counted() }
    }

    /// The processor's time since then.
    pub(crate) fn elapsed(&self) -> Duration {
        match (counted(), self.counted) {
            (Some(now), Some(then)) => now.saturating_sub(then),
            _ => self.start.elapsed(),
        }
    }
}

/// What the scheduler has counted for this thread (proc(5), `schedstat`).
fn counted() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
