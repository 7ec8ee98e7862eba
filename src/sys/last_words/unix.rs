//! Signals, an interval timer and `_exit`.

#![expect(unsafe_code, reason = "signals, timers and `_exit` have no safe interface in the standard library")]

use super::{Ending, words_for};
use crate::limits::LAST_WORDS_MS;

extern "C" fn on_signal(signal: libc::c_int) {
    leave(if signal == libc::SIGALRM { Ending::Late } else { Ending::Crashed });
}

/// Writes what is owed and ends the process. Async-signal-safe: `poll`, `write`, `_exit` and atomics only.
pub(super) fn leave(ending: Ending) -> ! {
    let mut rest = words_for(ending);
    while !rest.is_empty() && can_write() {
        // SAFETY: `rest` is a valid buffer of `rest.len()` initialised bytes.
        let n = unsafe { libc::write(1, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(n) {
            Ok(n) if n > 0 => rest = &rest[n..],
            // Nobody reads any more.
            _ => break,
        }
    }
    // SAFETY: ends the process at once; no destructor has anything to save.
    unsafe { libc::_exit(0) }
}

/// Whether standard output takes a little more, waiting for it a moment: a pipe that nobody empties would keep
/// the process for ever.
fn can_write() -> bool {
    let mut out = libc::pollfd { fd: 1, events: libc::POLLOUT, revents: 0 };
    // SAFETY: `out` is one valid pollfd.
    unsafe { libc::poll(&raw mut out, 1, LAST_WORDS_MS.into()) != 0 }
}

/// What ends a process that has more to say: crashes, a sandbox that refuses a call, used up processor time,
/// the deadline.
const FATAL: [libc::c_int; 8] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGABRT,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGSYS,
    libc::SIGXCPU,
    libc::SIGALRM,
];

/// Bytes of the stack that handlers run on: `SIGSTKSZ`, which is enough for one `write`.
const HANDLER_STACK: usize = 8 << 10;

pub(super) fn catch_crashes() {
    // A handler needs a stack of its own to answer a stack overflow. It is never freed: it is needed until
    // the process ends.
    // Nor is it written before it is needed: each page of it would be a fault.
    let mut stack = std::mem::ManuallyDrop::new(Vec::<u8>::with_capacity(HANDLER_STACK));
    let stack = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: HANDLER_STACK };
    // SAFETY: `stack` is valid for the rest of the process; the old one is not asked for.
    unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) };
    // SAFETY: no handler runs; a file beyond the limit is then an error of the write, which says so.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    for signal in FATAL {
        // SAFETY: `action` is fully initialised; the handler is async-signal-safe. SA_ONSTACK uses the
        // stack set above, so a stack overflow is answered.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as extern "C" fn(libc::c_int) as libc::sighandler_t;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

pub(super) fn set_deadline(ms: u32) {
    let value = libc::timeval {
        tv_sec: libc::time_t::from(ms / 1000),
        tv_usec: libc::suseconds_t::from(i32::try_from(ms % 1000 * 1000).unwrap_or(0)),
    };
    let timer = libc::itimerval { it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 }, it_value: value };
    // SAFETY: `timer` is a valid itimerval; the old value is not asked for.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut()) };
}
