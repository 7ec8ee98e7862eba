//! The checks that the tests share, and a clock.

use std::hash::Hasher;
use std::path::Path;
use std::time::Duration;

#[path = "../../tests/it/fuzzed/judged.rs"]
pub mod judged;
#[path = "../../tests/it/fuzzed/stored.rs"]
pub mod stored;

/// Time of this thread that one judgement may take. With coverage and debug assertions it takes seven to forty times as
/// long as in the shipped build, where 50 ms are the limit.
const LIMIT: Duration = Duration::from_millis(60 * 50);

/// Time from which an input is noted, for `cargo bench --bench inputs`, which measures the shipped build.
const NOTED: Duration = Duration::from_millis(5 * 50);

/// Runs `judge`, notes the input where it takes long, and fails where it takes too long. The processor's time counts, so
/// that a busy machine is no finding; what takes long is tried twice more, since a page fault counts too.
pub fn watch(input: &[u8], judge: &mut dyn FnMut()) {
    let mut least = Duration::MAX;
    for _ in 0..3 {
        let start = thread_time();
        judge();
        least = least.min(thread_time() - start);
        if least < NOTED {
            return;
        }
    }
    note(input).unwrap();
    assert!(least < LIMIT, "took {least:?}");
}

/// Writes the input into `fuzz/slow/TARGET`.
fn note(input: &[u8]) -> std::io::Result<()> {
    let program = std::env::current_exe()?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("slow").join(program.file_name().unwrap_or_default());
    std::fs::create_dir_all(&folder)?;
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(input);
    std::fs::write(folder.join(format!("{:016x}", hasher.finish())), input)
}

fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}
