//! Any text for cmd.exe is judged: no panic, no endless work, all spans within the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use workspace_guard::limits::MAX_EFFECTS;
use workspace_guard::path::Model;
use workspace_guard::shell::{Context, cmd};
use workspace_guard::world::FakeWorld;

fuzz_target!(|text: &str| {
    let world = FakeWorld::new(Model::Windows).dir(r"C:\w\src").file(r"C:\w\a.txt", "a b\n").var("OUT", r"C:\out");
    let found = cmd::analyse(text, &Context { cwd: r"C:\w", world: &world }, 0);
    assert!(found.effects.len() <= MAX_EFFECTS);
    for span in found.gaps.iter().map(|g| g.span).chain(found.effects.iter().map(|e| e.span)) {
        assert!(span.start <= span.end && span.end as usize <= text.len());
    }
});
