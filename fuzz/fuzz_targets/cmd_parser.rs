//! Any text for cmd.exe is judged.

#![no_main]
#![allow(dead_code, reason = "the checks of the other targets")]

use libfuzzer_sys::fuzz_target;

mod support;

fuzz_target!(|text: &str| support::judged::cmd(text, &|judge| support::watch(text.as_bytes(), judge)));
