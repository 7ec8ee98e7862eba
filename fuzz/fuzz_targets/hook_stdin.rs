//! Any bytes on the hook's standard input: `cargo +nightly fuzz run hook_stdin`.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/in_process.rs"]
mod in_process;

fuzz_target!(|data: &[u8]| {
    in_process::drive(data);
});
