//! Any text is read: no panic, no endless reading, all gaps within the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use workspace_guard::limits::MAX_GAPS;
use workspace_guard::shell::bash::parse;

fuzz_target!(|text: &str| {
    let script = parse(text);
    assert!(script.gaps.len() <= MAX_GAPS + 1);
    for gap in script.gaps {
        assert!(text.get(gap.span.start as usize..gap.span.end as usize).is_some());
    }
});
