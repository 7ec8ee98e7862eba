//! Signals for a process that only waits for another one.

/// From now on this process leaves SIGINT and SIGQUIT to the process `child`, which the terminal sends them too, and
/// passes SIGTERM and SIGHUP on to it. For a process that does nothing else but wait.
#[cfg(unix)]
pub fn relay_signals(child: u32) {
    use std::sync::atomic::{AtomicI32, Ordering};

    static CHILD: AtomicI32 = AtomicI32::new(0);

    extern "C" fn pass_on(signal: libc::c_int) {
        let child = CHILD.load(Ordering::Relaxed);
        if child > 0 {
            #[expect(unsafe_code, reason = "no counterpart in std")]
            // SAFETY: kill(2) may be called in a signal handler and touches no memory.
            unsafe {
                libc::kill(child, signal);
            }
        }
    }

    let Ok(child) = i32::try_from(child) else { return };
    CHILD.store(child, Ordering::Relaxed);
    let handler = pass_on as extern "C" fn(libc::c_int) as libc::sighandler_t;
    for (signal, action) in [
        (libc::SIGINT, libc::SIG_IGN),
        (libc::SIGQUIT, libc::SIG_IGN),
        (libc::SIGTERM, handler),
        (libc::SIGHUP, handler),
    ] {
        #[expect(unsafe_code, reason = "no counterpart in std")]
        // SAFETY: the handler only loads an atomic and calls kill(2), both allowed in a handler.
        unsafe {
            libc::signal(signal, action);
        }
    }
}

/// From now on this process leaves Ctrl+C and Ctrl+Break to the process that it waits for, which the console sends them
/// too. For a process that does nothing else but wait.
#[cfg(windows)]
pub fn relay_signals(_child: u32) {
    use super::winapi::{Bool, SetConsoleCtrlHandler};

    extern "system" fn leave_it(event: u32) -> Bool {
        const CTRL_C: u32 = 0;
        const CTRL_BREAK: u32 = 1;
        Bool::from(matches!(event, CTRL_C | CTRL_BREAK))
    }

    #[expect(unsafe_code, reason = "no counterpart in std")]
    // SAFETY: the handler touches no memory and lives as long as the process.
    unsafe {
        SetConsoleCtrlHandler(leave_it, 1);
    }
}

/// From now on this process leaves its signals to the process `child`: nothing to do here.
#[cfg(not(any(unix, windows)))]
pub fn relay_signals(_child: u32) {}
