//! Any text for bash is read and judged.

#![no_main]
#![allow(dead_code, reason = "the checks of the other targets")]

use libfuzzer_sys::fuzz_target;

mod support;

fuzz_target!(|text: &str| support::judged::bash(text, &|judge| support::watch(text.as_bytes(), judge)));
