//! The patches that `apply_patch` takes, as far as they name files (measured on Codex 0.171.0).
//!
//! ```text
//! *** Begin Patch
//! *** Add File: PATH          then `+` lines
//! *** Delete File: PATH
//! *** Update File: PATH       then perhaps `*** Move to: PATH`, then `@@` and lines that begin with `+`, `-` or a blank
//! *** End Patch
//! ```
//!
//! Paths are literal: neither `~` nor variables are expanded. A heading may be indented and its path followed by blanks.
//! Whether a line that looks like a heading is one depends on what stands before it; here each of them counts, so that
//! no file is missed. A line of a file that is added or taken out begins with `+` or `-` and is never taken for one.

use crate::limits::MAX_INPUT_PATHS;

/// What begins a patch.
const BEGIN: &str = "*** Begin Patch";

/// What names a file.
const HEADINGS: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];

/// The files that a patch adds, changes, deletes or moves, as they are spelled, and no more than one above
/// [`MAX_INPUT_PATHS`]. `None`: it is no patch of this form, or names no file.
pub(crate) fn patched_files(patch: &str) -> Option<Vec<&str>> {
    // A here-document's own lines may stand around it.
    patch.trim().lines().take(2).find(|line| line.trim() == BEGIN)?;
    let mut files = Vec::new();
    for line in patch.lines() {
        let Some(named) = named(line) else { continue };
        // One spelling has its blanks for a part of the name, another has not.
        for file in [named, named.trim()] {
            if !file.is_empty() && files.len() <= MAX_INPUT_PATHS && !files.contains(&file) {
                files.push(file);
            }
        }
    }
    (!files.is_empty()).then_some(files)
}

/// The file that a heading names.
pub(crate) fn named(line: &str) -> Option<&str> {
    let line = line.trim_start();
    HEADINGS.iter().find_map(|heading| line.strip_prefix(heading))
}

#[cfg(test)]
mod tests {
    use super::patched_files;

    #[track_caller]
    fn check(patch: &str, want: Option<&[&str]>) {
        assert_eq!(patched_files(patch).as_deref(), want, "{patch}");
    }

    #[test]
    fn every_kind_of_heading() {
        check(
            "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b c\n*** Update File: /d\n*** Move to: ../e\n@@\n-x\n+y\n\
             *** End Patch\n",
            Some(&["a", "b c", "/d", "../e"]),
        );
    }

    #[test]
    fn odd_forms_that_are_applied() {
        check("*** Begin Patch\n  *** Add File: a  \n+x\n*** End Patch", Some(&["a  ", "a"]));
        check("*** Begin Patch\n*** Add File:  a\n+x\n*** End Patch", Some(&[" a", "a"]));
        check("<<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF\n", Some(&["a"]));
        check("\n\n *** Begin Patch\r\n*** Add File: a\r\n+x\r\n*** End Patch\r\n", Some(&["a"]));
        check("*** Begin Patch\n*** Environment ID: e\n*** Add File: a\n+x\n*** End Patch", Some(&["a"]));
        check("*** Begin Patch\n\u{a0}*** Add File: a\n+x\n*** End Patch", Some(&["a"]));
    }

    #[test]
    fn lines_of_files_are_no_headings() {
        let patch = "*** Begin Patch\n*** Add File: a\n+*** Add File: /b\n*** Update File: c\n@@\n-*** Move to: /d\n*** End Patch";
        check(patch, Some(&["a", "c"]));
    }

    #[test]
    fn what_is_no_patch() {
        for text in ["", "x", "*** Add File: a\n+x", "*** Begin Patch\n*** End Patch", "--- a\n+++ b\n"] {
            check(text, None);
        }
    }
}
