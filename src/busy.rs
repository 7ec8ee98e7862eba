//! Time that a thread had the processor. Shared by tests and benchmarks.

use std::time::{Duration, Instant};

/// A stopwatch that does not count what else the machine does, where the system tells (POSIX); elsewhere it goes by
/// the clock.
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

/// What the system has counted for this thread (POSIX, `CLOCK_THREAD_CPUTIME_ID`).
#[cfg(unix)]
fn counted() -> Option<Duration> {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).try_into().ok()
}

#[cfg(not(unix))]
const fn counted() -> Option<Duration> {
    None
}
