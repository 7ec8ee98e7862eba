//! The last line of defence of the hook.
//!
//! A deadline, a crash or a panic must still answer, because most
//! clients let a tool run when its hook dies. The answer is prepared beforehand; giving it needs nothing
//! but one write.

#[cfg(unix)]
#[path = "last_words/unix.rs"]
mod platform;
#[cfg(windows)]
#[path = "last_words/windows.rs"]
mod platform;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The answers that are given when nothing else can be.
#[derive(Clone, Copy, Debug)]
pub struct LastWords {
    /// The deadline passed.
    pub late: &'static [u8],
    /// A panic, a stack overflow, an abort.
    pub crashed: &'static [u8],
}

static LAST_WORDS: OnceLock<LastWords> = OnceLock::new();

/// Whether the process still owes an answer that refuses the call.
static OWES_DENIAL: AtomicBool = AtomicBool::new(true);

/// Says whether a failure from now on must answer with a denial. `false` once an answer was written, or as
/// soon as the call is known to read only.
pub fn owe_denial(owes: bool) {
    OWES_DENIAL.store(owes, Ordering::SeqCst);
}

/// Arms the last words: from now on a deadline that passes, a fatal signal or a panic ends the process
/// with exit code 0 and, where a denial is owed, the prepared answer.
pub fn arm(words: LastWords, deadline_ms: u32) {
    if LAST_WORDS.set(words).is_err() {
        return;
    }
    std::panic::set_hook(Box::new(|_| platform::leave(Ending::Crashed)));
    platform::catch_crashes();
    platform::set_deadline(deadline_ms);
}

/// Starts the deadline anew, in milliseconds from now; 0: there is none.
pub fn set_deadline(deadline_ms: u32) {
    platform::set_deadline(deadline_ms);
}

#[derive(Clone, Copy)]
enum Ending {
    Late,
    Crashed,
}

fn words_for(ending: Ending) -> &'static [u8] {
    // A second failure while the first is answered must not answer twice.
    if !OWES_DENIAL.swap(false, Ordering::SeqCst) {
        return b"";
    }
    LAST_WORDS.get().map_or(b"", |words| match ending {
        Ending::Late => words.late,
        Ending::Crashed => words.crashed,
    })
}
