//! What must hold for every text, in every target.

use std::time::Duration;

use workspace_guard::{
    limits::{MAX_EFFECTS, MAX_EXPANSION, MAX_GAPS},
    path::Model,
    shell::{Analysis, Span},
    world::FakeWorld,
};

/// Time of this thread that one judgement may take, on an instrumented build.
const LIMIT: Duration = Duration::from_millis(50);

/// Runs `judge` and fails where it takes too long. The processor's time counts, so that a busy machine is no finding.
pub fn within_time<T>(judge: impl FnOnce() -> T) -> T {
    let start = thread_time();
    let result = judge();
    let taken = thread_time() - start;
    assert!(taken < LIMIT, "took {taken:?}");
    result
}

fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}

/// The span lies in the text, between characters.
pub fn check_span(text: &str, span: Span) {
    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} in {} bytes", text.len());
}

/// An analysis of `text` is within its limits and points into it.
pub fn check_analysis(text: &str, found: &Analysis) {
    assert!(found.effects.len() <= MAX_EFFECTS);
    assert!(found.gaps.len() <= MAX_GAPS + MAX_EXPANSION + 1);
    found.effects.iter().for_each(|effect| check_span(text, effect.span));
    found.gaps.iter().for_each(|gap| check_span(text, gap.span));
    found.operator_calls.iter().for_each(|call| check_span(text, call.span));
}

/// A small machine.
#[allow(dead_code, reason = "not every target judges against a world")]
pub fn world() -> FakeWorld {
    FakeWorld::new(Model::Posix)
        .with_home("/home/u")
        .dir("/home/u/p/src")
        .file("/home/u/p/a.txt", "text\nof two lines\n")
        .file("/home/u/p/run.sh", "echo hi > out.txt\n")
        .link("/home/u/p/out", "/srv/data")
        .link("/home/u/p/loop", "loop")
        .dir("/srv/data")
        .dir("/tmp")
        .var("PATH", "/usr/local/bin:/usr/bin:/bin")
        .var("TMPDIR", "/tmp")
}
