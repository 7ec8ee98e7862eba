//! The hook's way in without the runtime's start.
//!
//! Before `main` the runtime reads /proc/self/maps to find the stack's guard page (45,000 instructions and
//! four system calls) for the sake of a message on stack overflow. The hook answers a stack overflow in its own
//! way, so it starts without. What is given up: the runtime's check of the three standard descriptors, which
//! [`prepare`] does by hand.

/// Defines a program's entry that calls `$run` with the arguments after the program's name, and its allocator.
#[macro_export]
#[doc(hidden)]
macro_rules! lean_entry {
    ($run:path) => {
        // Elsewhere telling threads apart may itself take memory.
        #[cfg(unix)]
        #[global_allocator]
        static ARENA: $crate::sys::Arena = $crate::sys::Arena::new();

        #[cfg(unix)]
        #[expect(unsafe_code, reason = "the C runtime's entry point must have this name")]
        // SAFETY: no other item of the program is called `main` for the linker (`no_main`).
        #[unsafe(no_mangle)]
        extern "C" fn main(_argc: i32, _argv: *const *const u8) -> i32 {
            $crate::sys::prepare();
            $run(std::env::args_os().skip(1));
            0
        }

        #[cfg(not(unix))]
        fn main() {
            $run(std::env::args_os().skip(1));
        }
    };
}

/// What the runtime would have done that the hook needs: a broken pipe is an error, not a death; the three
/// standard descriptors are open, so that no file of ours takes their place.
#[cfg(unix)]
#[expect(unsafe_code, reason = "signals and descriptors have no safe interface in the standard library")]
pub fn prepare() {
    // SAFETY: SIG_IGN is a valid disposition; nothing else runs yet.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    for fd in 0..3 {
        // SAFETY: F_GETFD reads a flag; `open` gets a valid C string and takes the lowest free number.
        unsafe {
            if libc::fcntl(fd, libc::F_GETFD) == -1 {
                libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
            }
        }
    }
}
