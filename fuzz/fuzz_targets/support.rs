//! The checks that the tests share, and a clock.

use std::time::Duration;

#[path = "../../tests/it/fuzzed/judged.rs"]
pub mod judged;
#[path = "../../tests/it/fuzzed/stored.rs"]
pub mod stored;

/// Time of this thread that one judgement may take: 50 ms in the shipped build. An instrumented one with its debug
/// assertions took 220 ms for bash's whole allowance of steps, and such measures vary.
const LIMIT: Duration = Duration::from_millis(6 * 50);

/// Runs `judge` and fails where it takes too long. The processor's time counts, so that a busy machine is no finding;
/// what takes too long is tried twice more, since a page fault counts too.
pub fn watch(judge: &mut dyn FnMut()) {
    let mut least = Duration::MAX;
    for _ in 0..3 {
        let start = thread_time();
        judge();
        least = least.min(thread_time() - start);
        if least < LIMIT {
            return;
        }
    }
    panic!("took {least:?}");
}

fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}
