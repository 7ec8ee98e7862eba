//! Any text is read and judged: no panic, no endless work, all gaps and effects within the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use workspace_guard::limits::{MAX_EFFECTS, MAX_GAPS};
use workspace_guard::path::Model;
use workspace_guard::shell::powershell::{analyse, parse};
use workspace_guard::shell::Context;
use workspace_guard::world::FakeWorld;

fuzz_target!(|text: &str| {
    let script = parse(text);
    assert!(script.gaps.len() <= MAX_GAPS + 1);
    for gap in script.gaps {
        assert!(text.get(gap.span.start as usize..gap.span.end as usize).is_some());
    }
    let world = FakeWorld::new(Model::Windows).with_home("C:\\Users\\me").dir("C:\\p");
    let found = analyse(text, &Context { cwd: "C:\\p", world: &world }, 0);
    assert!(found.effects.len() <= MAX_EFFECTS);
    for effect in found.effects {
        assert!(text.get(effect.span.start as usize..effect.span.end as usize).is_some());
    }
});
