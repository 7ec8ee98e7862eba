//! What the agent is told at the start of a session.

use crate::limits::MAX_SNIPPET_BYTES;

/// What the snippet names.
#[derive(Clone, Copy, Debug)]
pub struct Snippet<'a> {
    /// The session's scratch folder; it exists.
    pub scratch: &'a str,
    /// Where TMPDIR points, where it is redirected.
    pub temp: Option<&'a str>,
    /// The session's project folder, where it counts as an allowed root.
    pub project: Option<&'a str>,
}

/// The text for the agent, shorter than [`MAX_SNIPPET_BYTES`]. The scratch path is always in it, whole: where it
/// alone is too long, it is all there is.
pub fn snippet(of: &Snippet<'_>) -> String {
    // From the most telling to the barest: the first that fits.
    let without = |temp, project| Snippet { temp, project, ..*of };
    let shorter = [*of, without(None, of.project), without(None, None)];
    let fits = |text: &String| text.len() < MAX_SNIPPET_BYTES;
    shorter.iter().map(full).find(fits).unwrap_or_else(|| format!("Your scratch folder: {}", of.scratch))
}

fn full(of: &Snippet<'_>) -> String {
    let Snippet { scratch, temp, project } = of;
    let mut text = format!(
        "Workspace rules for this session (kept by workspace-guard):\n\
         - Your scratch folder is {scratch} . It exists and is yours alone: put everything there that is not part of \
         the project (notes, downloads, experiments, clones, reports, test data).\n"
    );
    if let Some(project) = project {
        text.push_str("- Files that belong to the project go where they belong in ");
        text.push_str(project);
        text.push_str(" .\n");
    }
    if let Some(temp) = temp {
        text.push_str("- Short-lived files: `mktemp` and TMPDIR lead to ");
        text.push_str(temp);
        text.push_str(" .\n");
    }
    text.push_str(
        "- Creating files or folders anywhere else (/opt, /srv, /data, a new folder in the home folder, beside the \
         project) is refused. Reading is free everywhere, and so is changing in place what already exists.\n\
         - A refusal names the path and the better place: use that one instead of another spelling of the same path. \
         If a file really has to be elsewhere, say so and ask the user, who can allow it in their own terminal with \
         `wsguard allow PATH` .\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::{Snippet, snippet};
    use crate::limits::MAX_SNIPPET_BYTES;

    #[test]
    fn names_the_real_paths_and_the_way_out() {
        let of = Snippet { scratch: "/h/scratch/s1", temp: Some("/h/cache/tmp"), project: Some("/w/p") };
        let text = snippet(&of);
        for part in ["/h/scratch/s1", "/h/cache/tmp", "/w/p", "wsguard allow PATH", "refused"] {
            assert!(text.contains(part), "{part}");
        }
        assert!(text.len() < MAX_SNIPPET_BYTES, "{}", text.len());
        assert!(!snippet(&Snippet { temp: None, ..of }).contains("TMPDIR"));
    }

    #[test]
    fn fits_with_long_paths_and_always_has_the_scratch() {
        for len in [100, 300, 500, 800, 1100, 1500, 1900] {
            let path = "/x".repeat(len / 2);
            let text = snippet(&Snippet { scratch: &path, temp: Some(&path), project: Some(&path) });
            assert!(text.contains(&path), "{len}");
            assert!(text.len() < MAX_SNIPPET_BYTES, "{len}: {}", text.len());
        }
        let huge = "/x".repeat(2048);
        assert!(snippet(&Snippet { scratch: &huge, temp: None, project: None }).contains(&huge));
    }
}
