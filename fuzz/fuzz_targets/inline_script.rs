//! Any program text of any language is judged; the first character chooses the language.

#![no_main]
#![allow(dead_code, reason = "the checks of the other targets")]

use libfuzzer_sys::fuzz_target;

mod support;

fuzz_target!(|text: &str| support::judged::inline(text, &|judge| support::watch(text.as_bytes(), judge)));
