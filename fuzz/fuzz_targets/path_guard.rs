//! Any bytes are judged: no panic, one answer, and an admitted path is a fixed point that stays below its root.

#![no_main]

use libfuzzer_sys::fuzz_target;
use workspace_guard::path::guard::{PathGuard, Rules};

fuzz_target!(|data: &[u8]| {
    for rules in Rules::ALL {
        let guard = PathGuard::new(rules);
        let Ok(safe) = guard.judge(data) else { continue };
        let path = safe.as_str();
        assert_eq!(guard.judge(path.as_bytes()).as_ref().map(|again| again.as_str()), Ok(path));
        assert!(!path.starts_with('/') && !path.contains(['\\', '\0']));
        assert!(path.split('/').all(|name| !matches!(name, "" | ".") && !name.starts_with("..")));
    }
});
