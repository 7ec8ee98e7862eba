//! Any text as a file of ours or of a client; the first character chooses the file.

#![no_main]
#![allow(dead_code, reason = "the checks of the other targets")]

use libfuzzer_sys::fuzz_target;

mod support;

fuzz_target!(|text: &str| support::stored::settings(text, &|judge| support::watch(text.as_bytes(), judge)));
