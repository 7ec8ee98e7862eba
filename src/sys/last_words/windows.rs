//! A thread for the deadline, a filter for exceptions, and an end that waits for nobody.

use std::ffi::c_void;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Ending, words_for};
use crate::limits::LAST_WORDS_MS;
use crate::sys::winapi::{
    CreateThread, ExceptionPointers, GetCurrentProcess, GetStdHandle, STD_OUTPUT_HANDLE, SetUnhandledExceptionFilter,
    Sleep, TerminateProcess, WriteFile,
};

/// When the deadline is, and whether the thread that waits for it runs.
struct Watch {
    end: Option<Instant>,
    runs: bool,
}

static WATCH: Mutex<Watch> = Mutex::new(Watch { end: None, runs: false });
static CHANGED: Condvar = Condvar::new();

/// Writes what is owed and ends the process. Takes no lock and needs no more than a page of stack: a thread that is
/// stopped in the middle of something may hold any lock, and the stack may be used up.
pub(super) fn leave(ending: Ending) -> ! {
    let words = words_for(ending);
    #[expect(unsafe_code, reason = "std's output is locked, and its exit runs destructors")]
    // SAFETY: the thread runs `end_soon`, which touches no memory; `words` is valid for reads of its length, which is
    // a few hundred bytes; `written` is a local that outlives the call. Ending the process at once loses nothing:
    // no destructor has anything to save.
    unsafe {
        if !words.is_empty() {
            // A pipe that nobody empties would keep the process for ever.
            CreateThread(std::ptr::null(), 0, end_soon, std::ptr::null_mut(), 0, std::ptr::null_mut());
            let mut written = 0;
            let length = u32::try_from(words.len()).unwrap_or(0);
            let out = GetStdHandle(STD_OUTPUT_HANDLE);
            WriteFile(out, words.as_ptr(), length, &raw mut written, std::ptr::null_mut());
        }
        TerminateProcess(GetCurrentProcess(), 0);
    }
    std::process::abort()
}

extern "system" fn end_soon(_parameter: *mut c_void) -> u32 {
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: neither touches memory of this process.
    unsafe {
        Sleep(u32::from(LAST_WORDS_MS));
        TerminateProcess(GetCurrentProcess(), 0);
    }
    0
}

/// Access violations, used up stacks, illegal instructions: whatever nobody else has taken.
extern "system" fn on_exception(_pointers: *const ExceptionPointers) -> i32 {
    leave(Ending::Crashed)
}

pub(super) fn catch_crashes() {
    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: the filter lives as long as the process. The runtime keeps enough of the main thread's stack free for
    // handlers of an overflow.
    unsafe {
        SetUnhandledExceptionFilter(on_exception);
    }
}

pub(super) fn set_deadline(ms: u32) {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    watch.end = (ms > 0).then(|| Instant::now() + Duration::from_millis(u64::from(ms)));
    if !watch.runs && watch.end.is_some() {
        watch.runs = true;
        if std::thread::Builder::new().stack_size(64 << 10).spawn(wait).is_err() {
            leave(Ending::Crashed);
        }
    }
    drop(watch);
    CHANGED.notify_one();
}

fn wait() {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        watch = match watch.end {
            None => CHANGED.wait(watch).unwrap_or_else(PoisonError::into_inner),
            Some(end) => {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    leave(Ending::Late);
                }
                CHANGED.wait_timeout(watch, left).unwrap_or_else(PoisonError::into_inner).0
            }
        };
    }
}
