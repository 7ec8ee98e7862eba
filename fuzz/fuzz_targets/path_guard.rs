//! Any bytes are judged as a path.

#![no_main]
#![allow(dead_code, reason = "the checks of the other targets")]

use libfuzzer_sys::fuzz_target;

mod support;

fuzz_target!(|data: &[u8]| support::stored::path_guard(data));
