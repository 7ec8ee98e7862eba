//! Words for the person who reads the output of the tests.

use std::io::Write;

/// Prints past the capture of a passing test's output.
pub(crate) fn say(text: &str) {
    let mut stderr = std::io::stderr().lock();
    writeln!(stderr, "\n{}", text.trim_end()).unwrap();
}

/// Says that something was not tested.
pub(crate) fn skipped(what: &str) {
    let line = "=".repeat(100);
    say(&format!("{line}\nSKIPPED: {what}\n{line}"));
}
