//! Ctrl-C as a flag, for work that ends well when it is asked to.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the process was asked to end since [`on_interrupt`].
pub fn interrupted() -> &'static AtomicBool {
    &INTERRUPTED
}

/// From now on the first Ctrl-C (on POSIX also SIGTERM and SIGHUP) only sets a flag; the second ends the process as usual.
#[cfg(unix)]
pub fn on_interrupt() {
    extern "C" fn note(signal: libc::c_int) {
        INTERRUPTED.store(true, Ordering::Relaxed);
        #[expect(unsafe_code, reason = "no counterpart in std")]
        // SAFETY: signal(2) may be called in a signal handler and touches no memory of ours.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
        }
    }

    let handler = note as extern "C" fn(libc::c_int) as libc::sighandler_t;
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        #[expect(unsafe_code, reason = "no counterpart in std")]
        // SAFETY: the handler only stores an atomic and calls signal(2), both allowed in a handler.
        unsafe {
            // What whoever started the process wants ignored stays ignored (nohup).
            if libc::signal(signal, handler) == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN);
            }
        }
    }
}

/// From now on the first Ctrl-C only sets a flag; the second ends the process as usual.
#[cfg(windows)]
pub fn on_interrupt() {
    use super::winapi::{Bool, SetConsoleCtrlHandler};

    extern "system" fn note(_event: u32) -> Bool {
        Bool::from(!INTERRUPTED.swap(true, Ordering::Relaxed))
    }

    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: the handler touches nothing but an atomic and lives as long as the process.
    unsafe {
        SetConsoleCtrlHandler(note, 1);
    }
}

/// Nothing is known of this platform's signals.
#[cfg(not(any(unix, windows)))]
pub fn on_interrupt() {}
